#include "front_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum {
	DIRECTIONS = 256,
	CANDIDATES_MAX = 4096, /* combinations that a round predicts */
	MODEL_MAX = 256,       /* known combinations of a model: its time grows with their cube */
};

/* Streams of random numbers. */
enum { STREAM_DIRECTIONS = 1 << 20, STREAM_CANDIDATES, STREAM_MODEL = 1 << 21 };

/*
 * Deviations by which a figure comes out well, and how far beyond the worst of the known designs the reference point
 * is, in parts of their range. Of 0 to 3 and 0 to 0.3 these did best on three studies (docs/accuracy/studies.md).
 */
static const double optimism = 1.5;
static const double beyond = 0.1;

struct direction {
	double by[SEARCH_OBJECTIVES_MAX];
	double reached; /* the furthest that a known point has along it, to the power of the objectives */
};

struct candidates {
	size_t *at, count;
	bool *taken;
};

struct round {
	struct search *s;
	const struct search_point *known;
	size_t known_count;
	double ideal[SEARCH_OBJECTIVES_MAX], length[SEARCH_OBJECTIVES_MAX];
	struct direction direction[DIRECTIONS];
	struct candidates candidates;
	bool feasible; /* something known keeps the limits */
};

void search_finish(struct search *s)
{
	for (unsigned n = 0; n < SEARCH_VALUES_MAX; n++) {
		surrogate_destroy(s->model[n]);
		s->model[n] = NULL;
	}
}

/* ---- hypervolume by directions ---- */
static bool beats(const double *a, const double *b, unsigned count)
{
	bool better = false;

	for (unsigned n = 0; n < count; n++) {
		if (a[n] > b[n])
			return false;
		better |= a[n] < b[n];
	}
	return better;
}

static bool is_front(const struct round *r, const struct search_point *p)
{
	if (!p->feasible)
		return false;
	for (size_t n = 0; n < r->known_count; n++)
		if (r->known[n].feasible && beats(r->known[n].value, p->value, r->s->objectives))
			return false;
	return true;
}

/* Sets the range of the known values that keep the limits. */
static void set_range(struct round *r)
{
	const unsigned objectives = r->s->objectives;
	double worst[SEARCH_OBJECTIVES_MAX];

	for (size_t n = 0; n < r->known_count; n++) {
		if (!r->known[n].feasible)
			continue;
		for (unsigned k = 0; k < objectives; k++) {
			const double v = r->known[n].value[k];

			r->ideal[k] = r->feasible ? fmin(r->ideal[k], v) : v;
			worst[k] = r->feasible ? fmax(worst[k], v) : v;
		}
		r->feasible = true;
	}
	for (unsigned k = 0; r->feasible && k < objectives; k++) {
		r->length[k] = worst[k] - r->ideal[k];
		if (!(r->length[k] > 0))
			r->length[k] = fmax(fabs(worst[k]) * 1e-3, 1e-9);
	}
}

/*
 * How far a point reaches from the reference point along a direction, to the power of the objectives; 0 if beside it.
 */
static double reach(const struct round *r, const struct direction *d, const double *value)
{
	const unsigned objectives = r->s->objectives;
	double least = HUGE_VAL, power = 1;

	for (unsigned k = 0; k < objectives; k++) {
		const double below = 1 + beyond - (value[k] - r->ideal[k]) / r->length[k];

		if (below <= 0)
			return 0;
		least = fmin(least, below / d->by[k]);
	}
	for (unsigned k = 0; k < objectives; k++)
		power *= least;
	return power;
}

static void reach_by(struct round *r, const double *value)
{
	for (unsigned n = 0; n < DIRECTIONS; n++)
		r->direction[n].reached = fmax(r->direction[n].reached, reach(r, &r->direction[n], value));
}

/* A normally distributed number (Box and Muller, "A note on the generation of random normal deviates", 1958). */
static double normal(uint64_t seed, uint64_t index)
{
	const double u = 1 - rng_unit(seed, STREAM_DIRECTIONS, 2 * index),
		     v = rng_unit(seed, STREAM_DIRECTIONS, 2 * index + 1);

	return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Sets the directions, spread evenly, and how far the known points reach. */
static void set_directions(struct round *r)
{
	const unsigned objectives = r->s->objectives;

	for (unsigned n = 0; n < DIRECTIONS; n++) {
		double squares = 0, *by = r->direction[n].by;

		for (unsigned k = 0; k < objectives; k++) {
			by[k] = fmax(fabs(normal(r->s->seed, n * SEARCH_OBJECTIVES_MAX + k)), 1e-9);
			squares += by[k] * by[k];
		}
		for (unsigned k = 0; k < objectives; k++)
			by[k] /= sqrt(squares);
	}
	for (size_t n = 0; n < r->known_count; n++)
		if (r->known[n].feasible)
			reach_by(r, r->known[n].value);
}

/* ---- candidates ---- */
/* Marks what is known; the caller frees it. */
static bool *mark_known(const struct round *r, struct err *e)
{
	bool *known = mem_alloc(r->s->space.combinations, sizeof(*known), e);

	for (size_t n = 0; known && n < r->known_count; n++)
		known[r->known[n].combination] = true;
	return known;
}

static void add_candidate(struct round *r, size_t combination, bool *known)
{
	if (r->candidates.count == CANDIDATES_MAX || known[combination] || !r->s->allowed[combination])
		return;
	known[combination] = true;
	r->candidates.at[r->candidates.count++] = combination;
}

/* Adds the combinations one step from `combination` along each axis. */
static void add_neighbours(struct round *r, size_t combination, bool *known)
{
	const struct space *s = &r->s->space;
	size_t step = 1;

	for (unsigned a = s->axes; a-- > 0; step *= s->length[a]) {
		const size_t at = space_position(s, combination, a);

		if (at)
			add_candidate(r, combination - step, known);
		if (at + 1 < s->length[a])
			add_candidate(r, combination + step, known);
	}
}

/* Sets the candidates: all that are left; of more than CANDIDATES_MAX the front's neighbours, and random ones. */
static int set_candidates(struct round *r, struct err *e)
{
	const size_t all = r->s->space.combinations;
	bool *known = mark_known(r, e);
	size_t left = 0;

	r->candidates.at = known ? mem_alloc(CANDIDATES_MAX, sizeof(*r->candidates.at), e) : NULL;
	r->candidates.taken = r->candidates.at ? mem_alloc(CANDIDATES_MAX, 1, e) : NULL;
	if (!r->candidates.taken) {
		free(known);
		return -1;
	}
	for (size_t n = 0; n < all; n++)
		left += r->s->allowed[n] && !known[n];
	for (size_t n = 0; left > CANDIDATES_MAX && n < r->known_count; n++)
		if (is_front(r, &r->known[n]))
			add_neighbours(r, r->known[n].combination, known);
	for (size_t n = 0; left > CANDIDATES_MAX && n < 8 * CANDIDATES_MAX; n++)
		add_candidate(r, rng_below(r->s->seed, STREAM_CANDIDATES + r->known_count, n, all), known);
	for (size_t n = 0; n < all; n++)
		add_candidate(r, n, known);
	free(known);
	return 0;
}

/* ---- models ---- */
/*
 * Chooses the known points of the models: all; of more than MODEL_MAX the front and random ones. Returns their
 * number.
 */
static size_t model_points(const struct round *r, size_t *index)
{
	size_t count = 0, rest;

	if (r->known_count <= MODEL_MAX) {
		for (; count < r->known_count; count++)
			index[count] = count;
		return count;
	}
	for (size_t n = 0; n < r->known_count && count < MODEL_MAX / 2; n++)
		if (is_front(r, &r->known[n]))
			index[count++] = n;
	rest = MODEL_MAX - count;
	/* of each of `rest` equal parts of the list one, which is no point of the front */
	for (size_t n = 0; n < rest; n++) {
		const size_t from = n * r->known_count / rest, to = (n + 1) * r->known_count / rest;
		size_t k = from + rng_below(r->s->seed, STREAM_MODEL, n, to - from);

		if (!is_front(r, &r->known[k]))
			index[count++] = k;
	}
	return count;
}

static int fit_one(struct round *r, unsigned value, const size_t *index, size_t count, struct err *e)
{
	struct search *s = r->s;
	size_t *at = mem_alloc(count, sizeof(*at), e);
	double *y = at ? mem_alloc(count, sizeof(*y), e) : NULL;
	int ret = y ? 0 : -1;

	for (size_t n = 0; y && n < count; n++) {
		at[n] = r->known[index[n]].combination;
		y[n] = r->known[index[n]].value[value];
	}
	if (ret == 0 && !s->model[value])
		s->model[value] = surrogate_create(&s->space, e);
	if (ret == 0)
		ret = s->model[value] ? surrogate_fit(s->model[value], at, y, count, e) : -1;
	if (ret == 0)
		ret = surrogate_candidates(s->model[value], r->candidates.at, r->candidates.count, e);
	free(at);
	free(y);
	return ret;
}

static int fit_models(struct round *r, struct err *e)
{
	size_t index[MODEL_MAX], count = model_points(r, index);

	for (unsigned n = 0; n < r->s->objectives + r->s->limits; n++)
		if (fit_one(r, n, index, count, e) < 0)
			return -1;
	return 0;
}

/* ---- the choice ---- */
/* The probability that a candidate keeps all limits, each figure by itself. */
static double probability(const struct round *r, size_t candidate)
{
	const struct search *s = r->s;
	double p = 1;

	for (unsigned n = 0; n < s->limits; n++) {
		const struct surrogate *model = s->model[s->objectives + n];
		const double room = s->limit[n] - surrogate_mean(model, candidate),
			     deviation = surrogate_deviation(model, candidate);

		p *= deviation > 0 ? 0.5 * erfc(-room / (deviation * sqrt(2))) : room >= 0;
	}
	return p;
}

/* The values of a candidate, `better` deviations below their means. */
static void expect(const struct round *r, size_t candidate, double better, double *value)
{
	for (unsigned k = 0; k < r->s->objectives; k++)
		value[k] = surrogate_mean(r->s->model[k], candidate) -
			   better * surrogate_deviation(r->s->model[k], candidate);
}

/* The hypervolume that a candidate adds if it comes out well. */
static double added(const struct round *r, size_t candidate)
{
	double value[SEARCH_OBJECTIVES_MAX], sum = 0;

	expect(r, candidate, optimism, value);
	for (unsigned n = 0; n < DIRECTIONS; n++)
		sum += fmax(reach(r, &r->direction[n], value) - r->direction[n].reached, 0);
	return sum / DIRECTIONS;
}

/* The uncertainty of a candidate, which chooses where nothing more is to be gained. */
static double uncertainty(const struct round *r, size_t candidate)
{
	double sum = 0;

	for (unsigned k = 0; k < r->s->objectives; k++)
		sum += surrogate_deviation(r->s->model[k], candidate) / (r->feasible ? r->length[k] : 1);
	return sum;
}

/* The best candidate that is not taken; there is one. */
static size_t best_candidate(const struct round *r)
{
	size_t best = SIZE_MAX;
	double most = 0, widest = 0;

	for (size_t c = 0; c < r->candidates.count; c++) {
		double worth, wide;

		if (r->candidates.taken[c])
			continue;
		worth = probability(r, c);
		if (r->feasible && worth > 0)
			worth *= added(r, c);
		if (best != SIZE_MAX && worth < most)
			continue;
		wide = uncertainty(r, c);
		if (best == SIZE_MAX || worth > most || wide > widest) {
			best = c;
			most = worth;
			widest = wide;
		}
	}
	return best;
}

static int take(struct round *r, size_t candidate, struct err *e)
{
	double value[SEARCH_OBJECTIVES_MAX];

	r->candidates.taken[candidate] = true;
	for (unsigned n = 0; n < r->s->objectives + r->s->limits; n++)
		if (surrogate_believe(r->s->model[n], candidate, e) < 0)
			return -1;
	expect(r, candidate, 0, value);
	if (r->feasible)
		reach_by(r, value);
	return 0;
}

int search_choose(struct search *s, const struct search_point *known, size_t known_count, size_t count, size_t *chosen,
		  struct err *e)
{
	struct round *r = mem_alloc(1, sizeof(*r), e);
	size_t done = 0;
	int ret = r ? 0 : -1;

	assert(known_count > 0 && s->objectives > 0);
	if (ret == 0) {
		*r = (struct round){.s = s, .known = known, .known_count = known_count};
		set_range(r);
		set_directions(r);
		ret = set_candidates(r, e);
	}
	if (ret == 0 && r->candidates.count)
		ret = fit_models(r, e);
	for (; ret == 0 && done < count && done < r->candidates.count; done++) {
		const size_t best = best_candidate(r);

		chosen[done] = r->candidates.at[best];
		ret = take(r, best, e);
	}
	if (r) {
		free(r->candidates.at);
		free(r->candidates.taken);
	}
	free(r);
	return ret < 0 ? -1 : (int)done;
}
