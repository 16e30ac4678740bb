#include "kmeans.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "rng.h"

enum { STEPS_MOST = 100 };

static const double *point_of(const struct kmeans_points *p, size_t n)
{
	return p->at + n * p->dims;
}

static double squared_distance(const double *a, const double *b, unsigned dims)
{
	double sum = 0;

	for (unsigned d = 0; d < dims; d++)
		sum += (a[d] - b[d]) * (a[d] - b[d]);
	return sum;
}

double kmeans_distance(const struct kmeans *k, const struct kmeans_points *p, size_t n, unsigned group)
{
	return squared_distance(point_of(p, n), k->centre + (size_t)group * p->dims, p->dims);
}

static void add_centre(struct kmeans *k, const struct kmeans_points *p, size_t n)
{
	memcpy(k->centre + (size_t)k->groups++ * p->dims, point_of(p, n), p->dims * sizeof(*k->centre));
}

/* Draws a point with a probability in proportion to `weight`, whose sum is `sum`. */
static size_t draw(const double *weight, size_t count, double sum, double unit)
{
	double at = unit * sum;
	size_t last = 0;

	for (size_t n = 0; n < count; n++) {
		if (weight[n] <= 0)
			continue;
		last = n;
		at -= weight[n];
		if (at < 0)
			break;
	}
	return last;
}

/* Draws the first centres: each with a probability in proportion to its squared distance to those before it. */
static void seed_centres(struct kmeans *k, const struct kmeans_points *p, unsigned groups, uint64_t seed,
			 double *nearest)
{
	add_centre(k, p, (size_t)rng_below(seed, groups, 0, p->count));
	for (size_t n = 0; n < p->count; n++)
		nearest[n] = kmeans_distance(k, p, n, 0);
	while (k->groups < groups) {
		double sum = 0;

		for (size_t n = 0; n < p->count; n++)
			sum += nearest[n];
		if (sum <= 0)
			return; /* each point is a centre */
		add_centre(k, p, draw(nearest, p->count, sum, rng_unit(seed, groups, k->groups)));
		for (size_t n = 0; n < p->count; n++)
			nearest[n] = fmin(nearest[n], kmeans_distance(k, p, n, k->groups - 1));
	}
}

/* Assigns each point to the nearest centre, of equal ones to the first. True: some have changed. */
static bool assign(struct kmeans *k, const struct kmeans_points *p)
{
	bool changed = false;

	for (size_t n = 0; n < p->count; n++) {
		uint32_t best = 0;
		double least = kmeans_distance(k, p, n, 0);

		for (uint32_t g = 1; g < k->groups; g++) {
			double distance = kmeans_distance(k, p, n, g);

			if (distance < least) {
				least = distance;
				best = g;
			}
		}
		changed |= k->of[n] != best;
		k->of[n] = best;
	}
	return changed;
}

static void count_sizes(const struct kmeans *k, size_t count, uint64_t *size)
{
	memset(size, 0, k->groups * sizeof(*size));
	for (size_t n = 0; n < count; n++)
		size[k->of[n]]++;
}

/* Moves centres to the means of their points, and drops the groups that have none. */
static void move_centres(struct kmeans *k, const struct kmeans_points *p, uint64_t *size)
{
	const unsigned groups = k->groups;
	uint32_t number = 0;

	count_sizes(k, p->count, size);
	memset(k->centre, 0, (size_t)groups * p->dims * sizeof(*k->centre));
	for (unsigned g = 0; g < groups; g++) {
		if (!size[g])
			continue;
		for (size_t n = 0; n < p->count; n++) {
			if (k->of[n] != g)
				continue;
			k->of[n] = number;
			for (unsigned d = 0; d < p->dims; d++)
				k->centre[(size_t)number * p->dims + d] += point_of(p, n)[d] / (double)size[g];
		}
		number++;
	}
	k->groups = number;
}

/* Moves centres and assigns points until no point changes its group, or STEPS_MOST times. */
static void settle_groups(struct kmeans *k, const struct kmeans_points *p, uint64_t *size)
{
	assign(k, p);
	for (unsigned step = 0; step < STEPS_MOST; step++) {
		move_centres(k, p, size);
		if (!assign(k, p))
			break;
	}
	move_centres(k, p, size); /* the last step may have left a group without points */
	k->squares = 0;
	for (size_t n = 0; n < p->count; n++)
		k->squares += kmeans_distance(k, p, n, k->of[n]);
}

double kmeans_bic(const uint64_t *size, unsigned groups, unsigned dims, double squares)
{
	const double log_2_pi = 1.8378770664093454836;
	double points = 0, likelihood = 0, variance, freedom;

	for (unsigned g = 0; g < groups; g++)
		points += (double)size[g];
	freedom = fmax(1, points - groups);
	variance = fmax(KMEANS_VARIANCE_LEAST, squares / (dims * freedom));
	for (unsigned g = 0; g < groups; g++)
		likelihood += (double)size[g] * log((double)size[g] / points);
	likelihood -= points * dims / 2 * (log_2_pi + log(variance)) + squares / (2 * variance);
	return likelihood - groups * (dims + 1.0) / 2 * log(points);
}

int kmeans_create(struct kmeans *k, const struct kmeans_points *p, unsigned groups, uint64_t seed, struct err *e)
{
	double *nearest = mem_alloc(p->count, sizeof(*nearest), e);
	uint64_t *size = nearest ? mem_alloc(groups, sizeof(*size), e) : NULL;

	*k = (struct kmeans){.groups = 0};
	k->of = size ? mem_alloc(p->count, sizeof(*k->of), e) : NULL;
	k->centre = k->of ? mem_alloc((size_t)groups * p->dims, sizeof(*k->centre), e) : NULL;
	if (k->centre) {
		seed_centres(k, p, groups, seed, nearest);
		settle_groups(k, p, size);
		count_sizes(k, p->count, size);
		k->bic = kmeans_bic(size, k->groups, p->dims, k->squares);
	}
	free(nearest);
	free(size);
	if (k->centre)
		return 0;
	kmeans_finish(k);
	return -1;
}

void kmeans_finish(struct kmeans *k)
{
	free(k->of);
	free(k->centre);
	*k = (struct kmeans){.groups = 0};
}
