#include "designs.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"

const struct criterion_row criterion_rows[] = {
	[CRITERION_time] = {"time", "seconds", "s", "simulated time"},
	[CRITERION_energy] = {"energy", "system_j", "J", "energy of core, L2 and off-chip memory"},
	[CRITERION_area] = {"area", "area_mm2", "mm2", "area of core and L2"},
	[CRITERION_energy_delay] = {"energy-delay product", "energy_delay_js", "J s", "energy times time"},
};

const struct extra_row extra_rows[] = {
	[EXTRA_energy_low] = {FIGURE_system_low_j, false}, [EXTRA_energy_high] = {FIGURE_system_high_j, false},
	[EXTRA_area_low] = {FIGURE_area_low_mm2, true},    [EXTRA_area_high] = {FIGURE_area_high_mm2, true},
	[EXTRA_memory] = {FIGURE_memory_j, false},
};

/* the criteria of the front: time, energy, area */
enum { FRONT_CRITERIA = CRITERION_area + 1 };

static double over_traces(const struct plan_point *points, const struct study_traces *traces, const size_t *trace,
			  enum figure f, enum design_over over)
{
	double sum = 0, weights = 0;

	if (trace)
		return points[*trace].figures.value[f];
	/* a trace without some activity, such as off-chip transfers, makes the geometric mean 0 */
	for (size_t n = 0; n < traces->count; n++) {
		double v = points[n].figures.value[f], w = traces->at[n].weight;

		sum += w * (over == OVER_SUM ? v : log(v));
		weights += w;
	}
	return over == OVER_SUM ? sum : exp(sum / weights);
}

static bool is_known(const struct plan_point *points, const size_t *trace, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (points[n].skipped || (!plan_has(&points[n]) && (!trace || *trace == n)))
			return false;
	return true;
}

int designs_make(const struct plan *p, const size_t *trace, enum design_over over, struct designs *out, struct err *e)
{
	const size_t count = p->study->traces.count;

	for (size_t n = 0; n < p->study->combinations; n++) {
		const struct plan_point *points = &p->points[n * count];
		struct design *d;

		if (!is_known(points, trace, count))
			continue;
		d = vec_push(out, e);
		if (!d)
			return -1;
		*d = (struct design){.combination = n};
		d->value[CRITERION_time] = over_traces(points, &p->study->traces, trace, FIGURE_seconds, over);
		d->value[CRITERION_energy] = over_traces(points, &p->study->traces, trace, FIGURE_system_j, over);
		/* the chip is the same for every trace */
		d->value[CRITERION_area] = points[trace ? *trace : 0].figures.value[FIGURE_area_mm2];
		d->value[CRITERION_energy_delay] = d->value[CRITERION_time] * d->value[CRITERION_energy];
		for (unsigned k = 0; k < EXTRA_COUNT; k++)
			d->extra[k] =
				extra_rows[k].chip
					? points[trace ? *trace : 0].figures.value[extra_rows[k].figure]
					: over_traces(points, &p->study->traces, trace, extra_rows[k].figure, over);
	}
	return designs_mark_front(out, e);
}

void designs_finish(struct designs *d)
{
	vec_finish(d);
}

bool design_dominates(const struct design *a, const struct design *b, unsigned count)
{
	bool better = false;

	for (unsigned n = 0; n < count; n++) {
		if (a->value[n] > b->value[n])
			return false;
		better |= a->value[n] < b->value[n];
	}
	return better;
}

/* Orders by time, energy, area: a design follows all that dominate it. */
static int by_criteria(const void *a, const void *b)
{
	const struct design *const *x = a, *const *y = b;

	for (unsigned n = 0; n < FRONT_CRITERIA; n++)
		if ((*x)->value[n] != (*y)->value[n])
			return (*x)->value[n] < (*y)->value[n] ? -1 : 1;
	return 0;
}

int designs_mark_front(struct designs *d, struct err *e)
{
	struct design **sorted = mem_alloc(d->count + 1, sizeof(*sorted), e);
	size_t front = 0;

	if (!sorted)
		return -1;
	for (size_t n = 0; n < d->count; n++)
		sorted[n] = &d->at[n];
	qsort(sorted, d->count, sizeof(struct design *), by_criteria);
	/*
	 * a dominated design is dominated by one of the front, which is collected at the start
	 * of the list
	 */
	for (size_t n = 0; n < d->count; n++) {
		struct design *candidate = sorted[n];

		candidate->front = true;
		for (size_t k = 0; k < front && candidate->front; k++)
			candidate->front = !design_dominates(sorted[k], candidate, FRONT_CRITERIA);
		if (candidate->front)
			sorted[front++] = candidate;
	}
	free(sorted);
	return 0;
}

const struct design *designs_best(const struct designs *d, enum criterion c)
{
	const struct design *best = NULL;

	/* of equal designs, the first that none of the others dominates */
	for (size_t n = 0; n < d->count; n++)
		if (!best || d->at[n].value[c] < best->value[c] ||
		    (d->at[n].value[c] <= best->value[c] && design_dominates(&d->at[n], best, FRONT_CRITERIA)))
			best = &d->at[n];
	return best;
}
