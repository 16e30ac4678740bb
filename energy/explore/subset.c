#include "subset.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

/* Streams of random numbers; the axes' permutations have those from STREAM_AXES on. */
enum { STREAM_REPLACE, STREAM_NEIGHBOURS, STREAM_AXES };

int sample_begin(const struct plan *p, uint64_t seed, struct sample *out, struct err *e)
{
	*out = (struct sample){.plan = p, .seed = seed};
	out->chosen = mem_alloc(p->study->combinations, sizeof(*out->chosen), e);
	for (size_t n = 0; out->chosen && n < p->study->combinations; n++)
		out->valid += !p->points[n * p->study->traces.count].skipped;
	return out->chosen ? 0 : -1;
}

void sample_end(struct sample *s)
{
	free(s->chosen);
	*s = (struct sample){0};
}

/* Returns whether a combination is valid and not chosen. */
static bool is_free(const struct sample *s, size_t combination)
{
	return !s->chosen[combination] && !s->plan->points[combination * s->plan->study->traces.count].skipped;
}

static void choose(struct sample *s, size_t combination)
{
	s->chosen[combination] = true;
	s->count++;
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
struct candidate {
	size_t combination;
	uint64_t order; /* random, the same whenever it is a candidate */
};

struct candidates vec_of(struct candidate);

static int by_order(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->combination < y->combination ? -1 : x->combination > y->combination;
}

static int push_neighbour(const struct sample *s, size_t combination, struct candidates *out, struct err *e)
{
	struct candidate *c;

	if (!is_free(s, combination))
		return 0;
	c = vec_push(out, e);
	if (!c)
		return -1;
	*c = (struct candidate){combination, rng_u64(s->seed, STREAM_NEIGHBOURS, combination)};
	return 0;
}

/* Adds the free combinations one step from `combination` along each axis. */
static int push_neighbours(const struct sample *s, size_t combination, struct candidates *out, struct err *e)
{
	const struct study *study = s->plan->study;

	for (size_t n = 0; n < study->axes.count; n++) {
		const size_t length = study_axis_length(&study->axes.at[n]), step = study_axis_step(study, n);
		const size_t at = combination / step % length;

		if ((at && push_neighbour(s, combination - step, out, e) < 0) ||
		    (at + 1 < length && push_neighbour(s, combination + step, out, e) < 0))
			return -1;
	}
	return 0;
}

int sample_toward_front(struct sample *s, const struct designs *d, size_t count, struct err *e)
{
	const size_t before = s->count, left = s->valid - s->count;
	struct candidates found = {0};
	int ret = 0;

	count = count < left ? count : left;
	for (size_t n = 0; ret == 0 && n < d->count; n++)
		if (d->at[n].front)
			ret = push_neighbours(s, d->at[n].combination, &found, e);
	if (found.count)
		qsort(found.at, found.count, sizeof(*found.at), by_order);
	/* a neighbour of two designs is there twice */
	for (size_t n = 0; ret == 0 && n < found.count && s->count - before < count; n++)
		if (is_free(s, found.at[n].combination))
			choose(s, found.at[n].combination);
	if (ret == 0 && s->count == before)
		for (size_t n = 0; n < count; n++)
			take_any(s);
	vec_finish(&found);
	return ret < 0 ? -1 : (int)(s->count - before);
}
