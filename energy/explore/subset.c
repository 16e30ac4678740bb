#include "subset.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

/* Streams of random numbers; the axes' permutations have those from STREAM_AXES on. */
enum { STREAM_REPLACE, STREAM_AXES = 2 };

int sample_begin(const struct plan *p, const struct conditions *c, uint64_t seed, struct sample *out, struct err *e)
{
	const size_t all = p->study->combinations;

	*out = (struct sample){.plan = p, .conditions = c, .seed = seed};
	out->chosen = mem_alloc(all, sizeof(*out->chosen), e);
	out->allowed = out->chosen ? mem_alloc(all, sizeof(*out->allowed), e) : NULL;
	out->order = out->allowed ? mem_alloc(all, sizeof(*out->order), e) : NULL;
	if (!out->order) {
		sample_end(out);
		return -1;
	}
	for (size_t n = 0; n < all; n++) {
		out->allowed[n] =
			!p->points[n * p->study->traces.count].skipped && (!c || conditions_allow(c, p->study, n));
		out->valid += out->allowed[n];
	}
	return 0;
}

void sample_end(struct sample *s)
{
	free(s->chosen);
	free(s->allowed);
	free(s->order);
	search_finish(&s->search);
	*s = (struct sample){0};
}

/* Returns whether a combination is allowed and not chosen. */
static bool is_free(const struct sample *s, size_t combination)
{
	return s->allowed[combination] && !s->chosen[combination];
}

static void choose(struct sample *s, size_t combination)
{
	s->chosen[combination] = true;
	s->allowed[combination] = false; /* also if it turns out to be no design: never twice */
	s->order[s->count++] = combination;
}

/* Chooses the first free combination from a random one on; there is one. */
static void take_any(struct sample *s)
{
	const size_t all = s->plan->study->combinations;
	size_t n = rng_below(s->seed, STREAM_REPLACE, s->count, all);

	while (!is_free(s, n))
		n = (n + 1) % all;
	choose(s, n);
}

/* Adds to `combination`, for each of `count` samples, its step along one axis: a random permutation of strata. */
static void add_axis(const struct sample *s, size_t axis, size_t *combination, size_t *stratum, size_t count)
{
	const struct study *study = s->plan->study;
	const size_t length = study_axis_length(&study->axes.at[axis]), step = study_axis_step(study, axis);

	for (size_t n = 0; n < count; n++)
		stratum[n] = n;
	for (size_t n = count; n-- > 1;) { /* Fisher and Yates */
		size_t k = rng_below(s->seed, STREAM_AXES + axis, n, n + 1), t = stratum[n];

		stratum[n] = stratum[k];
		stratum[k] = t;
	}
	for (size_t n = 0; n < count; n++)
		combination[n] += stratum[n] * length / count * step;
}

int sample_latin(struct sample *s, size_t count, struct err *e)
{
	const size_t left = s->valid - s->count;
	size_t *combination, *stratum;

	count = count < left ? count : left;
	combination = mem_alloc(count + 1, sizeof(*combination), e);
	stratum = combination ? mem_alloc(count + 1, sizeof(*stratum), e) : NULL;
	for (size_t n = 0; stratum && n < s->plan->study->axes.count; n++)
		add_axis(s, n, combination, stratum, count);
	for (size_t n = 0; stratum && n < count; n++)
		if (is_free(s, combination[n]))
			choose(s, combination[n]);
		else
			combination[n] = SIZE_MAX;
	/* after all of the hypercube, so that a replacement takes none of its places */
	for (size_t n = 0; stratum && n < count; n++)
		if (combination[n] == SIZE_MAX)
			take_any(s);
	free(combination);
	free(stratum);
	return stratum ? 0 : -1;
}

/* ---- toward the front ---- */
/*
 * An eighth of the combinations come first, and each step chooses a twentieth: of a quarter to an eighth and a tenth
 * to a fortieth these did best on three studies (docs/accuracy/studies.md).
 */
size_t sample_first(size_t count)
{
	return (count + 7) / 8;
}

size_t sample_step(size_t count)
{
	return (count + 19) / 20;
}

/* A figure as the models have it: less is better, and ratios are differences where all values are positive. */
struct scale {
	bool more, logarithmic;
};

static struct scale scale_of(const struct designs *d, unsigned column)
{
	struct scale s = {column_more(column), true};

	for (size_t n = 0; n < d->count; n++)
		s.logarithmic &= design_column(&d->at[n], column) > 0;
	return s;
}

static double scaled(const struct scale *s, double value)
{
	/* a limit of 0 or less is below all values of a logarithmic scale */
	const double v = !s->logarithmic ? value : value > 0 ? log(value) : -HUGE_VAL;

	return s->more ? -v : v;
}

/* Adds the column of a condition as a value with a limit; an equation has no model. */
static void model_limit(struct search *search, const struct where *w, const struct designs *d, struct scale *scale,
			unsigned *column)
{
	const bool above = w->op == WHERE_MORE || w->op == WHERE_AT_LEAST;
	const unsigned value = search->objectives + search->limits;

	if (w->column < 0 || w->op == WHERE_IS || search->limits == SEARCH_LIMITS_MAX)
		return;
	column[value] = (unsigned)w->column;
	scale[value] = scale_of(d, (unsigned)w->column);
	scale[value].more = above;
	search->limit[search->limits++] = scaled(&scale[value], w->value);
}

/* Sets what is searched: the grid, the objectives and the limits, with the columns and scales of their values. */
static void begin_search(struct sample *s, const struct designs *d, const struct objectives *o, struct scale *scale,
			 unsigned *column)
{
	const struct study *study = s->plan->study;
	struct search *search = &s->search;
	double number;

	search->allowed = s->allowed;
	search->seed = s->seed;
	search->space.axes = 0;
	search->space.combinations = study->combinations;
	for (size_t n = 0; n < study->axes.count; n++) {
		const struct study_param *p = &study->axes.at[n].params.at[0];

		if (study_axis_length(&study->axes.at[n]) < 2)
			continue; /* does not vary */
		search->space.length[search->space.axes] = study_axis_length(&study->axes.at[n]);
		search->space.ordered[search->space.axes++] = values_number(p->param, p->values.at[0], &number);
	}
	search->objectives = o->count;
	search->limits = 0;
	for (unsigned n = 0; n < o->count; n++) {
		column[n] = o->column[n];
		scale[n] = scale_of(d, o->column[n]);
	}
	for (unsigned n = 0; s->conditions && n < s->conditions->count; n++)
		model_limit(search, &s->conditions->at[n], d, scale, column);
}

static int sample_by_models(struct sample *s, const struct designs *d, const struct objectives *o, size_t count,
			    struct err *e)
{
	struct search_point *known = mem_alloc(d->count + 1, sizeof(*known), e);
	size_t *found = known ? mem_alloc(count + 1, sizeof(*found), e) : NULL;
	unsigned column[SEARCH_VALUES_MAX];
	struct scale scale[SEARCH_VALUES_MAX];
	int chosen = found ? 0 : -1;

	if (chosen == 0) {
		begin_search(s, d, o, scale, column);
		for (size_t n = 0; n < d->count; n++) {
			known[n].combination = d->at[n].combination;
			known[n].feasible = !s->conditions || conditions_hold(s->conditions, s->plan->study, &d->at[n]);
			for (unsigned k = 0; k < s->search.objectives + s->search.limits; k++)
				known[n].value[k] = scaled(&scale[k], design_column(&d->at[n], column[k]));
		}
		chosen = search_choose(&s->search, known, d->count, count, found, e);
	}
	for (int n = 0; n < chosen; n++)
		choose(s, found[n]);
	free(known);
	free(found);
	return chosen;
}

/* Chooses where nothing is known yet, as every point failed. */
static int sample_blindly(struct sample *s, size_t count, struct err *e)
{
	const size_t before = s->count;

	return sample_latin(s, count, e) < 0 ? -1 : (int)(s->count - before);
}

int sample_toward_front(struct sample *s, const struct designs *d, const struct objectives *o, size_t count,
			struct err *e)
{
	if (!d->count)
		return sample_blindly(s, count, e);
	return sample_by_models(s, d, o, count, e);
}
