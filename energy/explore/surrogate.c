#include "surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

/* Logarithms of the lengths of the axes; behind them that of the noise. */
enum { HYPER_MAX = SPACE_AXES_MAX + 1 };

/* Limits of the lengths and of the noise's variance, the process having 1. */
static const double length_least = 0.05, length_most = 100, noise_least = 1e-6, noise_most = 0.1;

struct surrogate {
	const struct space *space;
	double hyper[HYPER_MAX];
	size_t count;           /* combinations with a value */
	double *x;              /* their coordinates, one for each axis */
	double *y;              /* their values, of mean 0 and variance 1 */
	double *l;              /* Cholesky's factor of their covariances, row by row */
	double *w;              /* L^-1 y */
	double mean, deviation; /* of the values as they were given */
	double variance;        /* of the process */
	size_t candidates, believed;
	double *candidate; /* coordinates */
	double *v;         /* L^-1 k of each candidate, a row of `candidates` for each known and believed combination */
	double *expected;  /* of each candidate, in the scale of y */
	double *rest;      /* the share of the process' variance that each candidate still has */
};

size_t space_position(const struct space *s, size_t combination, unsigned axis)
{
	for (unsigned n = s->axes; --n > axis;)
		combination /= s->length[n];
	return combination % s->length[axis];
}

/* Sets lengths and noise that suppose nothing. */
static void begin_hyper(struct surrogate *g)
{
	for (unsigned n = 0; n < g->space->axes; n++)
		g->hyper[n] = 0;
	g->hyper[g->space->axes] = log(1e-4);
}

struct surrogate *surrogate_create(const struct space *space, struct err *e)
{
	struct surrogate *g = mem_alloc(1, sizeof(*g), e);

	if (!g)
		return NULL;
	g->space = space;
	begin_hyper(g);
	return g;
}

static void forget_candidates(struct surrogate *g)
{
	free(g->candidate);
	free(g->v);
	free(g->expected);
	free(g->rest);
	g->candidate = g->v = g->expected = g->rest = NULL;
	g->candidates = g->believed = 0;
}

static void forget(struct surrogate *g)
{
	forget_candidates(g);
	free(g->x);
	free(g->y);
	free(g->l);
	free(g->w);
	g->x = g->y = g->l = g->w = NULL;
	g->count = 0;
}

void surrogate_destroy(struct surrogate *g)
{
	if (!g)
		return;
	forget(g);
	free(g);
}

/* ---- covariance ---- */
/* Coordinates of combinations: from 0 to 1 along an ordered axis, else the position. NULL with `e`. */
static double *coordinates(const struct space *s, const size_t *at, size_t count, struct err *e)
{
	double *x = mem_alloc(count * s->axes + 1, sizeof(*x), e);

	for (size_t n = 0; x && n < count; n++)
		for (unsigned a = 0; a < s->axes; a++) {
			const double position = (double)space_position(s, at[n], a);

			x[n * s->axes + a] =
				s->ordered[a] && s->length[a] > 1 ? position / (double)(s->length[a] - 1) : position;
		}
	return x;
}

/* Weights of the squared distances along the axes. */
static void weights(const struct space *s, const double *hyper, double *weight)
{
	for (unsigned a = 0; a < s->axes; a++)
		weight[a] = exp(-2 * hyper[a]);
}

/* Matern's covariance with 5/2 of two combinations, 1 where they are equal. */
static double covariance(const struct space *s, const double *weight, const double *a, const double *b)
{
	double squares = 0, root;

	for (unsigned n = 0; n < s->axes; n++) {
		const double off = a[n] - b[n];

		squares += weight[n] * (s->ordered[n] ? off * off : off < 0 || off > 0);
	}
	root = sqrt(5 * squares);
	return (1 + root + root * root / 3) * exp(-root);
}

/* Factors the covariances of g's combinations into l; false if they are singular. */
static bool factor(const struct surrogate *g, const double *hyper, double *l)
{
	const struct space *s = g->space;
	const size_t count = g->count;
	const double noise = exp(hyper[s->axes]);
	double weight[SPACE_AXES_MAX];

	weights(s, hyper, weight);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = i == j ? 1 + noise : covariance(s, weight, g->x + i * s->axes, g->x + j * s->axes);

			for (size_t k = 0; k < j; k++)
				sum -= l[i * count + k] * l[j * count + k];
			if (i == j && !(sum > 0))
				return false;
			l[i * count + j] = i == j ? sqrt(sum) : sum / l[j * count + j];
		}
	return true;
}

/* Solves L w = y. */
static void solve(const double *l, size_t count, const double *y, double *w)
{
	for (size_t i = 0; i < count; i++) {
		double sum = y[i];

		for (size_t k = 0; k < i; k++)
			sum -= l[i * count + k] * w[k];
		w[i] = sum / l[i * count + i];
	}
}

/* ---- the fit ---- */
/*
 * The prior of the logarithm of a length: mean sqrt(2) + ln(D) / 2 in D dimensions, variance 3 (Hvarfner and others).
 */
static double log_prior(const struct space *s, const double *hyper)
{
	const double mean = sqrt(2) + log(s->axes > 0 ? s->axes : 1) / 2;
	double sum = 0;

	for (unsigned a = 0; a < s->axes; a++)
		sum -= (hyper[a] - mean) * (hyper[a] - mean) / (2 * 3);
	return sum;
}

/* The logarithm of the posterior density, with the likeliest variance of the process (Rasmussen and Williams, 5.8). */
static double log_posterior(const struct surrogate *g, const double *hyper, double *l, double *w)
{
	double squares = 0, logs = 0;

	if (!factor(g, hyper, l))
		return -HUGE_VAL;
	solve(l, g->count, g->y, w);
	for (size_t n = 0; n < g->count; n++) {
		squares += w[n] * w[n];
		logs += log(l[n * g->count + n]);
	}
	/* values that are all equal have no variance */
	return -(double)g->count / 2 * log(fmax(squares / (double)g->count, 1e-12)) - logs + log_prior(g->space, hyper);
}

/* Moves each hyperparameter by a step, as long as that is better, and then by half a step. Returns the density. */
static double climb(struct surrogate *g)
{
	const unsigned axes = g->space->axes;
	double best = log_posterior(g, g->hyper, g->l, g->w);

	for (double step = 1; step > 0.2;) {
		bool better = false;

		for (unsigned n = 0; n <= axes; n++)
			for (int sign = -1; sign <= 1; sign += 2) {
				const double before = g->hyper[n], from = n < axes ? length_least : noise_least,
					     to = n < axes ? length_most : noise_most;
				double here;

				g->hyper[n] = fmin(fmax(before + sign * step * (n < axes ? 1 : 2), log(from)), log(to));
				here = log_posterior(g, g->hyper, g->l, g->w);
				if (here > best + 1e-3) {
					best = here;
					better = true;
				} else {
					g->hyper[n] = before;
				}
			}
		step = better ? step : step / 2;
	}
	return best;
}

/*
 * Climbs from the last fit's hyperparameters and from the first ones, and keeps the better. From few points a fit may
 * hold axes for useless and their effect for noise; a climb that begins there does not leave that hill.
 */
static void improve(struct surrogate *g)
{
	double first[HYPER_MAX], density = climb(g);

	memcpy(first, g->hyper, sizeof(first));
	begin_hyper(g);
	if (!(climb(g) > density))
		memcpy(g->hyper, first, sizeof(first));
}

/* Sets y to the values with mean 0 and variance 1. */
static void standardise(struct surrogate *g, const double *value)
{
	double sum = 0, squares = 0;

	for (size_t n = 0; n < g->count; n++)
		sum += value[n];
	g->mean = sum / (double)g->count;
	for (size_t n = 0; n < g->count; n++)
		squares += (value[n] - g->mean) * (value[n] - g->mean);
	g->deviation = sqrt(squares / (double)g->count);
	if (!(g->deviation > 0))
		g->deviation = 1;
	for (size_t n = 0; n < g->count; n++)
		g->y[n] = (value[n] - g->mean) / g->deviation;
}

int surrogate_fit(struct surrogate *g, const size_t *at, const double *value, size_t count, struct err *e)
{
	double squares = 0;

	forget(g);
	g->x = coordinates(g->space, at, count, e);
	g->y = g->x ? mem_alloc(count, sizeof(*g->y), e) : NULL;
	g->l = g->y ? mem_alloc(count * count, sizeof(*g->l), e) : NULL;
	g->w = g->l ? mem_alloc(count, sizeof(*g->w), e) : NULL;
	if (!g->w)
		return -1;
	g->count = count;
	standardise(g, value);
	improve(g);
	(void)log_posterior(g, g->hyper, g->l, g->w);
	for (size_t n = 0; n < count; n++)
		squares += g->w[n] * g->w[n];
	g->variance = squares / (double)count;
	return 0;
}

/* ---- candidates ---- */
int surrogate_candidates(struct surrogate *g, const size_t *at, size_t count, struct err *e)
{
	const struct space *s = g->space;
	double weight[SPACE_AXES_MAX];

	forget_candidates(g);
	g->candidate = coordinates(s, at, count, e);
	g->v = g->candidate ? mem_alloc(g->count * count + 1, sizeof(*g->v), e) : NULL;
	g->expected = g->v ? mem_alloc(count + 1, sizeof(*g->expected), e) : NULL;
	g->rest = g->expected ? mem_alloc(count + 1, sizeof(*g->rest), e) : NULL;
	if (!g->rest)
		return -1;
	g->candidates = count;
	weights(s, g->hyper, weight);
	for (size_t c = 0; c < count; c++)
		g->rest[c] = 1;
	for (size_t i = 0; i < g->count; i++) {
		double *row = g->v + i * count;

		for (size_t c = 0; c < count; c++)
			row[c] = covariance(s, weight, g->x + i * s->axes, g->candidate + c * s->axes);
		for (size_t k = 0; k < i; k++)
			for (size_t c = 0; c < count; c++)
				row[c] -= g->l[i * g->count + k] * g->v[k * count + c];
		for (size_t c = 0; c < count; c++) {
			row[c] /= g->l[i * g->count + i];
			g->rest[c] -= row[c] * row[c];
			g->expected[c] += row[c] * g->w[i];
		}
	}
	return 0;
}

double surrogate_mean(const struct surrogate *g, size_t candidate)
{
	return g->mean + g->deviation * g->expected[candidate];
}

double surrogate_deviation(const struct surrogate *g, size_t candidate)
{
	return g->deviation * sqrt(fmax(g->rest[candidate] * g->variance, 0));
}

int surrogate_believe(struct surrogate *g, size_t candidate, struct err *e)
{
	const struct space *s = g->space;
	const size_t rows = g->count + g->believed, count = g->candidates;
	const double pivot = sqrt(fmax(g->rest[candidate], 0) + exp(g->hyper[s->axes]));
	double weight[SPACE_AXES_MAX], *v = mem_resize(g->v, (rows + 1) * count, sizeof(*v), e), *row;

	if (!v)
		return -1;
	g->v = v;
	row = v + rows * count;
	weights(s, g->hyper, weight);
	for (size_t c = 0; c < count; c++)
		row[c] = covariance(s, weight, g->candidate + candidate * s->axes, g->candidate + c * s->axes);
	for (size_t k = 0; k < rows; k++)
		for (size_t c = 0; c < count; c++)
			row[c] -= v[k * count + candidate] * v[k * count + c];
	for (size_t c = 0; c < count; c++) {
		row[c] /= pivot;
		g->rest[c] -= row[c] * row[c];
	}
	g->believed++;
	return 0;
}
