#include "sampling.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../base/rng.h"
#include "../base/spread.h"

/* Pairs the units of long part `number`. False: some have no pair. */
static bool pair_part(struct sample_long *l, uint64_t number, const struct sample_counts *unit, uint64_t count,
		      const struct sample_counts *longer)
{
	const uint64_t periods = l->plan.long_periods, first = sample_long_begin(&l->plan, number);
	struct sample_long_part *part = &l->part[l->parts];

	*part = (struct sample_long_part){.length = periods * l->plan.every};
	for (uint64_t k = 0; k < periods; k++) {
		const struct sample_counts *own = &unit[first + k - 1], *other = &longer[k];
		unsigned half = k >= periods / 2;

		if (first + k > count || own->instructions != other->instructions)
			return false;
		part->instructions[half] += own->instructions;
		part->own_cycles[half] += own->cycles;
		part->long_cycles[half] += other->cycles;
	}
	return true;
}

void sample_pair(struct sample_long *l, const struct sample_counts *unit, uint64_t count,
		 const struct sample_counts *longer, uint64_t longer_count)
{
	const struct sample_plan *p = &l->plan;

	l->parts = 0;
	for (uint64_t n = 0; n < p->long_parts && (n + 1) * p->long_periods <= longer_count; n++)
		l->parts += pair_part(l, n, unit, count, longer + n * p->long_periods);
}

/* ---- statistics ---- */

/* Columns of the fit: instructions, then events, of which those left out are 0. */
enum { COLUMNS = 1 + SAMPLE_EVENTS };
struct matrix {
	double at[COLUMNS][COLUMNS]; /* symmetric */
};

static void columns_of(const struct sample_counts *u, unsigned left_out, double row[COLUMNS])
{
	row[0] = (double)u->instructions;
	for (unsigned n = 0; n < SAMPLE_EVENTS; n++)
		row[1 + n] = left_out >> n & 1 ? 0 : (double)u->events[n];
}

static double sampling_product(const double a[COLUMNS], const double b[COLUMNS])
{
	double sum = 0;

	for (unsigned n = 0; n < COLUMNS; n++)
		sum += a[n] * b[n];
	return sum;
}

/* Multiplies the matrix by `v`. */
static void times(const struct matrix *m, const double v[COLUMNS], double out[COLUMNS])
{
	for (unsigned n = 0; n < COLUMNS; n++)
		out[n] = sampling_product(m->at[n], v);
}

/*
 * The sweep of column `k`, in place: J. Goodnight, "A tutorial on the SWEEP operator", American Statistician 33,
 * 1979.
 */
static void sampling_sweep(struct matrix *m, unsigned k)
{
	double pivot = m->at[k][k];

	for (unsigned i = 0; i < COLUMNS; i++)
		for (unsigned j = 0; j < COLUMNS; j++)
			if (i != k && j != k)
				m->at[i][j] -= m->at[i][k] * m->at[k][j] / pivot;
	for (unsigned i = 0; i < COLUMNS; i++) {
		if (i == k)
			continue;
		m->at[i][k] /= -pivot;
		m->at[k][i] /= pivot;
	}
	m->at[k][k] = 1 / pivot;
}

/*
 * Inverts the matrix in place without the columns that are zero or depend on those before them, of which the inverse
 * has zeros. Returns the number of columns that it has.
 */
static unsigned invert(struct matrix *m)
{
	const double small = 1e-8;
	double diagonal[COLUMNS];
	bool in[COLUMNS];
	unsigned rank = 0;

	for (unsigned n = 0; n < COLUMNS; n++)
		diagonal[n] = m->at[n][n];
	for (unsigned n = 0; n < COLUMNS; n++) {
		in[n] = m->at[n][n] > small * diagonal[n] && diagonal[n] > 0;
		rank += in[n];
		if (in[n])
			sampling_sweep(m, n);
	}
	for (unsigned i = 0; i < COLUMNS; i++)
		for (unsigned j = 0; j < COLUMNS; j++)
			if (!in[i] || !in[j])
				m->at[i][j] = 0;
	return rank;
}

/* Sums of the products of the units' columns, and of columns and cycles. */
static void sum_products(const struct sample_counts *unit, uint64_t count, unsigned left_out, struct matrix *m,
			 double cycles[COLUMNS])
{
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], left_out, row);
		for (unsigned i = 0; i < COLUMNS; i++) {
			cycles[i] += row[i] * (double)unit[n].cycles;
			for (unsigned j = 0; j < COLUMNS; j++)
				m->at[i][j] += row[i] * row[j];
		}
	}
}

/*
 * The cycles by which events that the units do not represent may be off. An event is one if the rest has more or
 * fewer than the units let expect, by more than twice the standard error of that: then bursts are missing or too
 * frequent among the units, in which an event costs something else.
 */
static double unrepresented(const struct sample_counts *unit, uint64_t count, unsigned left_out,
			    const double target[COLUMNS], const double fit[COLUMNS], const double cost[SAMPLE_EVENTS])
{
	double sum[COLUMNS] = {0}, squares[COLUMNS] = {0}, cycles = 0;

	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], left_out, row);
		for (unsigned k = 0; k < COLUMNS; k++)
			sum[k] += row[k];
	}
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], left_out, row);
		for (unsigned k = 1; k < COLUMNS; k++)
			squares[k] += pow(row[k] - sum[k] / sum[0] * row[0], 2);
	}
	for (unsigned k = 1; k < COLUMNS; k++) {
		double scale = target[0] / sum[0], off = fabs(target[k] - scale * sum[k]);

		if (off > 2 * scale * sqrt(squares[k] * (double)count / (double)(count - 1)))
			cycles += off * (sum[k] > 0 ? fabs(fit[k]) : cost[k - 1]);
	}
	return cycles;
}

/*
 * Bits of the events that warming counts in another way than simulation does: their counts per instruction in a unit
 * and in the warming before it differ by more than chance. Bursts that the units lack make a few of these differences
 * large, and so their standard error.
 */
static unsigned counted_otherwise(const struct sample_counts *unit, uint64_t count)
{
	unsigned bits = 0;

	for (unsigned k = 0; k < SAMPLE_EVENTS; k++) {
		double sum = 0, squares = 0, n = 0, mean;

		for (uint64_t i = 0; i < count; i++) {
			const struct sample_counts *u = &unit[i];
			double off;

			if (!u->warmed_instructions || !u->instructions)
				continue;
			off = (double)u->events[k] / (double)u->instructions -
			      (double)u->warmed_events[k] / (double)u->warmed_instructions;
			sum += off;
			squares += off * off;
			n++;
		}
		if (n < SAMPLE_UNITS_LEAST)
			continue;
		mean = sum / n;
		if (fabs(mean) > SAMPLE_SAME * sqrt(fmax(0, squares / n - mean * mean) / (n - 1)))
			bits |= 1u << k;
	}
	return bits;
}

/* Cycles per instruction that a half of a long part's units take more than in their own parts. */
static double taken_more(const struct sample_long_part *p, unsigned half)
{
	return ((double)p->long_cycles[half] - (double)p->own_cycles[half]) / (double)p->instructions[half];
}

/* The covariance of `a` and `b`, at least 0, and at most the variance of `b`. */
static double kept_variance(const double *a, const double *b, const struct spread *of_a, const struct spread *of_b)
{
	double sum = 0;

	for (uint64_t n = 0; n < of_a->runs; n++)
		sum += (a[n] - of_a->mean) * (b[n] - of_b->mean);
	return fmin(fmax(0, sum / (double)(of_a->runs - 1)), of_b->deviation * of_b->deviation);
}

/* Adds the difference that long parts show to an estimate of `instructions`. */
static void add_long_parts(struct sample_estimate *x, double instructions, const struct sample_long *longer)
{
	double early[SAMPLE_LONG_PARTS], late[SAMPLE_LONG_PARTS], change[SAMPLE_LONG_PARTS], variance, kept, stretches;
	struct spread of_early, of_late, of_change;
	const unsigned parts = longer->parts;

	for (unsigned n = 0; n < parts; n++) {
		early[n] = taken_more(&longer->part[n], 0);
		late[n] = taken_more(&longer->part[n], 1);
		change[n] = late[n] - early[n];
	}
	of_early = spread_of(early, parts);
	of_late = spread_of(late, parts);
	of_change = spread_of(change, parts);
	kept = kept_variance(early, late, &of_early, &of_late);
	variance = of_late.deviation * of_late.deviation;
	stretches = instructions / ((double)longer->part[0].length / 2);
	/* of the mean of the parts, and of the whole run */
	variance = variance / parts + kept + (variance - kept) / fmax(1, stretches);
	x->correction = instructions * of_late.mean;
	x->cycles += x->correction;
	x->sampling = hypot(x->sampling, instructions * spread_t95(parts - 1) * sqrt(variance));
	x->drifts = fabs(of_change.mean) > spread_half(&of_change);
	if (!x->drifts)
		return;
	x->drift = instructions * fabs(of_change.mean);
	x->allowance += x->drift;
}

/* Fits the units' cycles to the columns that are not left out. Returns the number of columns that the inverse has. */
static unsigned fit_units(const struct sample_counts *unit, uint64_t count, unsigned left_out, struct matrix *inverse,
			  double fit[COLUMNS])
{
	double cycles[COLUMNS] = {0};
	unsigned rank;

	*inverse = (struct matrix){{{0}}};
	sum_products(unit, count, left_out, inverse, cycles);
	rank = invert(inverse);
	times(inverse, cycles, fit);
	return rank;
}

/* Leaves out the event of the most negative cost. False: there is none. */
static bool leave_out_negative(const double fit[COLUMNS], unsigned *left_out)
{
	unsigned least = 1;

	for (unsigned n = 2; n < COLUMNS; n++)
		if (fit[n] < fit[least])
			least = n;
	if (fit[least] >= 0)
		return false;
	*left_out |= 1u << (least - 1);
	return true;
}

struct sample_estimate sample_estimate(const struct sample_counts *whole, const struct sample_counts *head,
				       const struct sample_counts *unit, uint64_t count,
				       const double cost[SAMPLE_EVENTS], const struct sample_long *longer)
{
	struct sample_estimate x = {.left_out = counted_otherwise(unit, count)};
	double fit[COLUMNS], all[COLUMNS], begin[COLUMNS], target[COLUMNS], influence[COLUMNS], squares = 0, estimated;
	double instructions = 0;
	struct matrix inverse;
	unsigned rank;

	do
		rank = fit_units(unit, count, x.left_out, &inverse, fit);
	while (leave_out_negative(fit, &x.left_out));
	columns_of(whole, x.left_out, all);
	columns_of(head, x.left_out, begin);
	for (unsigned n = 0; n < COLUMNS; n++)
		target[n] = all[n] - begin[n];
	times(&inverse, target, influence);
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS], own[COLUMNS], off;

		columns_of(&unit[n], x.left_out, row);
		times(&inverse, row, own);
		instructions += row[0];
		off = (double)unit[n].cycles - sampling_product(fit, row);
		off *= sampling_product(influence, row) / (1 - fmin(sampling_product(own, row), 0.99));
		squares += off * off;
	}
	estimated = sampling_product(fit, target);
	x.cycles = (double)head->cycles + estimated;
	x.sampling = spread_t95((double)(count - rank)) * sqrt(squares);
	x.allowance = SAMPLE_ALLOWANCE * fmax(1, SAMPLE_UNIT * (double)count / instructions) * fabs(estimated) +
		      unrepresented(unit, count, x.left_out, target, fit, cost);
	if (longer->parts > 1)
		add_long_parts(&x, target[0], longer);
	return x;
}

enum sample_trust sample_trust(const struct sample_estimate *x)
{
	const double half = x->sampling + x->allowance;

	if (!(half < x->cycles) || x->drift > SAMPLE_WIDE_PART * x->cycles)
		return SAMPLE_NOTHING;
	return half > SAMPLE_WIDE_PART * x->cycles ? SAMPLE_WIDE : SAMPLE_HOLDS;
}
