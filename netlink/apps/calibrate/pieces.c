#include "pieces.h"

#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"

enum { PIECE_PARAMETERS = 3 }; /* a line's two, and its border */

/* Sums over samples that a line's fit needs, x and y relative to the first sample. */
struct piece_sums {
	double w, x, y, xx, xy, yy;
};

static void add_to_sums(struct piece_sums *s, const struct piece_sample *p, double origin)
{
	double w = 1 / (p->scale * p->scale), x = p->x - origin;

	s->w += w;
	s->x += w * x;
	s->y += w * p->y;
	s->xx += w * x * x;
	s->xy += w * x * p->y;
	s->yy += w * p->y * p->y;
}

/* The line through the sums: neither its value at the first sample nor its slope is below 0. */
static void piece_line(const struct piece_sums *s, double *a, double *b)
{
	double det = s->w * s->xx - s->x * s->x;

	*b = det > 1e-12 * s->w * s->xx ? (s->w * s->xy - s->x * s->y) / det : 0;
	if (*b < 0)
		*b = 0;
	*a = (s->y - *b * s->x) / s->w;
	if (*a >= 0)
		return;
	*a = 0;
	*b = s->xx > 0 ? fmax(0, s->xy / s->xx) : 0;
}

/* The sum of squared relative deviations from a line. */
static double piece_deviation(const struct piece_sums *s, double a, double b)
{
	double sum = s->yy - 2 * a * s->y - 2 * b * s->xy + a * a * s->w + 2 * a * b * s->x + b * b * s->xx;

	return fmax(0, sum);
}

struct best {
	double cost;
	size_t from; /* first sample of the last piece */
	double a, b;
};

/* best[n]: of the first n samples. */
static void fill_best(const struct piece_sample *samples, size_t count, double noise, struct best *best)
{
	double penalty = PIECE_PARAMETERS * log((double)count);

	for (size_t n = 1; n <= count; n++)
		best[n].cost = (double)INFINITY;
	for (size_t from = 0; from < count; from++) {
		struct piece_sums sums = {0};

		for (size_t n = from + 1; n <= count; n++) {
			double a, b, cost;

			add_to_sums(&sums, &samples[n - 1], samples[from].x);
			piece_line(&sums, &a, &b);
			cost = best[from].cost + penalty + piece_deviation(&sums, a, b) / (noise * noise);
			if (cost < best[n].cost)
				best[n] = (struct best){cost, from, a, b};
		}
	}
}

size_t pieces_fit(const struct piece_sample *samples, size_t count, double noise, struct piece *pieces, struct err *e)
{
	struct best *best = mem_alloc(count + 1, sizeof(*best), e);
	size_t pieces_count = 0;

	if (!best)
		return 0;
	fill_best(samples, count, noise, best);
	for (size_t n = count; n; n = best[n].from)
		pieces_count++;
	for (size_t n = count, i = pieces_count; n; n = best[n].from)
		pieces[--i] = (struct piece){best[n].from, n - best[n].from, best[n].a, best[n].b};
	free(best);
	return pieces_count;
}

double pieces_at(const struct piece_sample *samples, const struct piece *pieces, size_t count, double x)
{
	size_t i = 0;

	while (i + 1 < count && samples[pieces[i + 1].first - 1].x < x)
		i++;
	x = fmax(x, samples[0].x);
	return fmax(0, pieces[i].a + pieces[i].b * (x - samples[pieces[i].first].x));
}
