#include "sampling.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../base/rng.h"
#include "../base/spread.h"

/* ---- the plan ---- */
static uint64_t sampling_simulated(const struct sample_plan *p)
{
	return p->warm_up + p->unit + p->tail;
}

/* Reads digits at *text, and moves it behind them. 0: none, or too large. */
static uint64_t digits(const char **text)
{
	char *end;
	uint64_t value = **text >= '0' && **text <= '9' ? strtoull(*text, &end, 10) : 0;

	if (!value || value > UINT32_MAX)
		return 0;
	*text = end;
	return value;
}

static int explicit_plan(struct sample_plan *p, const char *text, struct err *e)
{
	const char *at = text;

	p->unit = digits(&at);
	if (p->unit && *at == '/') {
		at++;
		p->every = digits(&at);
	}
	if (!p->unit || !p->every || *at)
		return err_set(
			e, STATUS_USAGE,
			"--sample=%s: expected U/W, a unit of U instructions each W, below 2^32, as in 1000/50000",
			text);
	if (p->every < sampling_simulated(p))
		return err_set(e, STATUS_USAGE,
			       "--sample=%s: a unit each %" PRIu64 " instructions, expected at least %" PRIu64
			       ": %" PRIu64 " are simulated before and %" PRIu64 " behind each",
			       text, p->every, sampling_simulated(p), p->warm_up, p->tail);
	return 0;
}

int sample_plan_parse(struct sample_plan *p, const char *text, uint64_t length, struct err *e)
{
	*p = (struct sample_plan){.unit = SAMPLE_UNIT, .warm_up = SAMPLE_WARM_UP, .tail = SAMPLE_TAIL};
	if (*text)
		return explicit_plan(p, text, e);
	if (!length)
		return err_set(e, STATUS_USAGE,
			       "--sample: the length of the trace is unknown, expected a file, or --sample=U/W");
	p->every = length / SAMPLE_UNITS_MAX;
	if (p->every < SAMPLE_SAVING * sampling_simulated(p))
		p->every = SAMPLE_SAVING * sampling_simulated(p);
	if (length / p->every < SAMPLE_UNITS_MIN)
		return err_set(e, STATUS_USAGE,
			       "--sample: a trace of %" PRIu64 " instructions, expected at least %" PRIu64
			       ": simulate it whole, or choose a plan with --sample=U/W",
			       length, SAMPLE_UNITS_MIN * p->every);
	return 0;
}

bool sample_plan_long(const struct sample_plan *p, uint64_t length, struct sample_plan *out)
{
	uint64_t most = length / (SAMPLE_SAVING * SAMPLE_LONG_PARTS);

	*out = *p;
	out->periods = length / p->every;
	if (most > SAMPLE_LONG_MOST)
		most = SAMPLE_LONG_MOST;
	/* an even number of units, two at least, and room for the random place; the first period is the head */
	out->long_periods = most / p->every < 2 ? 2 : most / p->every / 2 * 2;
	out->long_parts = SAMPLE_LONG_PARTS;
	return out->periods > out->long_parts * (out->long_periods + 1);
}

/* ---- places ---- */
enum { SEED = 1, UNITS = 0, LONG_PARTS = 1 };

/* The random place of a period's part. */
static uint64_t begin_of_part(const struct sample_plan *p, uint64_t period)
{
	return period * p->every + rng_below(SEED, UNITS, period, p->every - sampling_simulated(p) + 1);
}

static uint64_t begin_of_unit(const struct sample_plan *p, uint64_t period)
{
	return begin_of_part(p, period) + p->warm_up;
}

/* The first period of a long part. */
static uint64_t begin_of_long(const struct sample_plan *p, uint64_t part)
{
	uint64_t stretch = (p->periods - 1) / p->long_parts;

	return 1 + part * stretch + rng_below(SEED, LONG_PARTS, part, stretch - p->long_periods + 1);
}

/* Goes on to the next period with a unit, behind whose tail the run is. */
static void next_period(struct sample_place *s)
{
	const struct sample_plan *p = &s->plan;

	s->period++;
	s->state = SAMPLE_OUTSIDE;
	if (!p->long_parts) {
		s->change = begin_of_part(p, s->period);
		return;
	}
	if (s->period < begin_of_long(p, s->part) + p->long_periods) {
		s->change = 0; /* at once: it is simulated whole */
		return;
	}
	s->part++;
	s->period = s->part < p->long_parts ? begin_of_long(p, s->part) : 0;
	s->change = s->period ? s->period * p->every : UINT64_MAX;
}

/* The begin of the trace: it is measured whole, but not beside long parts. True if it is. */
static bool sample_begins(struct sample_place *s, uint64_t at)
{
	if (s->plan.long_parts) {
		s->period = begin_of_long(&s->plan, 0);
		s->state = SAMPLE_OUTSIDE;
		s->change = s->period * s->plan.every;
		return false;
	}
	s->state = SAMPLE_MEASURING;
	s->change = at + s->plan.every;
	return true;
}

bool sample_advance(struct sample_place *s, uint64_t at)
{
	if (at < s->change)
		return false;
	switch (s->state) {
	case SAMPLE_BEGIN: return sample_begins(s, at);
	case SAMPLE_ENDING: /* a long block may pass the begin of the next part */
		next_period(s);
		if (at < s->change)
			return false;
		__attribute__((fallthrough));
	case SAMPLE_OUTSIDE:
		s->state = SAMPLE_WARMING;
		s->change = begin_of_unit(&s->plan, s->period);
		return false;
	case SAMPLE_WARMING:
		s->state = SAMPLE_MEASURING;
		s->change = at + s->plan.unit;
		return true;
	case SAMPLE_MEASURING:
		s->state = SAMPLE_ENDING;
		s->change = at + s->plan.tail;
		return true;
	}
	return false;
}

/* Pairs the units of long part `number`. False: some have no pair. */
static bool pair_part(struct sample_long *l, uint64_t number, const struct sample_counts *unit, uint64_t count,
		      const struct sample_counts *longer)
{
	const uint64_t periods = l->plan.long_periods, first = begin_of_long(&l->plan, number);
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
