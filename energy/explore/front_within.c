#include "front_within.h"

#include <math.h>

#include "estimates.h"

/* The estimated figures that are in a column, as bits. */
static unsigned parts_of(unsigned column)
{
	enum { TIME = 1u << UNIT_TIME, ENERGY = 1u << UNIT_ENERGY };

	switch (column) {
	case CRITERION_time:
	case CRITERION_COUNT + EXTRA_cycles:
	case CRITERION_COUNT + EXTRA_ipc:
	case CRITERION_COUNT + EXTRA_gflops: return TIME;
	case CRITERION_energy:
	case CRITERION_COUNT + EXTRA_core_energy:
	case CRITERION_COUNT + EXTRA_core_energy_low:
	case CRITERION_COUNT + EXTRA_core_energy_high:
	case CRITERION_COUNT + EXTRA_energy_low:
	case CRITERION_COUNT + EXTRA_energy_high:
	case CRITERION_COUNT + EXTRA_memory:
	case CRITERION_COUNT + EXTRA_period: return ENERGY;
	case CRITERION_energy_delay:
	case CRITERION_COUNT + EXTRA_power:
	case CRITERION_COUNT + EXTRA_density: return TIME | ENERGY;
	default: return 0;
	}
}

static const enum figure sum_of[UNIT_FIGURES] = {[UNIT_TIME] = FIGURE_seconds, [UNIT_ENERGY] = FIGURE_system_j};

double front_difference(const struct plan *p, const size_t *trace, enum design_over over, const struct design *a,
			const struct design *b, enum unit_figure figure)
{
	const size_t traces = p->study->traces.count;
	const struct plan_point *of_a = &p->points[a->combination * traces],
				*of_b = &p->points[b->combination * traces];
	double squares = 0, weights = 0;

	if (trace)
		return estimates_difference(p, &of_a[*trace], &of_b[*trace], figure);
	for (size_t n = 0; n < traces; n++) {
		const double weight =
			p->study->traces.at[n].weight * (over == OVER_SUM ? of_a[n].figures.value[sum_of[figure]] : 1);

		squares += pow(weight * estimates_difference(p, &of_a[n], &of_b[n], figure), 2);
		weights += weight;
	}
	return sqrt(squares) / weights;
}

/* Two designs that are compared. */
struct versus {
	const struct plan *plan;
	const size_t *trace;
	enum design_over over;
	const struct design *a, *b;
	double half[UNIT_FIGURES];
};

static struct versus compare(const struct plan *p, const size_t *trace, enum design_over over, const struct design *a,
			     const struct design *b)
{
	struct versus v = {.plan = p, .trace = trace, .over = over, .a = a, .b = b};

	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		v.half[k] = front_difference(p, trace, over, a, b, k);
	return v;
}

/* By how much a is better than b in a column, as a logarithm, and half the interval of that. */
static double better_by(const struct versus *v, unsigned column, double *half)
{
	const double a = design_column(v->a, column), b = design_column(v->b, column);
	const unsigned parts = parts_of(column);

	*half = 0;
	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		*half += parts >> k & 1 ? v->half[k] : 0;
	if (!(a > 0 && b > 0))
		return column_more(column) ? a - b : b - a;
	return column_more(column) ? log(a / b) : log(b / a);
}

/* Returns whether a dominates b with certainty (`sure`), or may do so. */
static bool may_dominate(const struct versus *v, const struct objectives *o, bool sure)
{
	bool better = false;

	for (unsigned n = 0; n < o->count; n++) {
		double half;
		const double more = better_by(v, o->column[n], &half);

		if (more < (sure ? half : -half))
			return false;
		better |= more > (sure ? half : -half);
	}
	return better;
}

static enum design_within within_of(const struct plan *p, const size_t *trace, enum design_over over,
				    const struct objectives *o, const struct designs *d, const struct design *x)
{
	bool possible = false;

	for (size_t n = 0; n < d->count; n++) {
		struct versus v;

		if (&d->at[n] == x || (!x->front && !d->at[n].front))
			continue;
		v = compare(p, trace, over, &d->at[n], x);
		if (!x->front && may_dominate(&v, o, true))
			return WITHIN_NO;
		possible |= x->front && may_dominate(&v, o, false);
	}
	return x->front && !possible ? WITHIN_YES : WITHIN_MAYBE;
}

void front_mark_within(const struct plan *p, const size_t *trace, enum design_over over, const struct objectives *o,
		       struct designs *d)
{
	for (size_t n = 0; p->study->sample && n < d->count; n++)
		d->at[n].within = within_of(p, trace, over, o, d, &d->at[n]);
}

const char *within_word(enum design_within w)
{
	static const char *const words[] = {[WITHIN_NO] = "no", [WITHIN_MAYBE] = "maybe", [WITHIN_YES] = "yes"};

	return words[w];
}
