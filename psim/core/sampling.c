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

/* ---- places ---- */
static uint64_t begin_of_part(const struct sample_place *s)
{
	enum { SEED = 1, STREAM = 0 };
	const struct sample_plan *p = &s->plan;

	return s->period * p->every + rng_below(SEED, STREAM, s->period, p->every - sampling_simulated(p) + 1);
}

bool sample_advance(struct sample_place *s, uint64_t at)
{
	if (at < s->change)
		return false;
	switch (s->state) {
	case SAMPLE_BEGIN:
		s->state = SAMPLE_MEASURING;
		s->change = at + s->plan.every;
		return true;
	case SAMPLE_ENDING: /* a long block may pass the begin of the next part */
		s->period++;
		s->state = SAMPLE_OUTSIDE;
		s->change = begin_of_part(s);
		if (at < s->change)
			return false;
		__attribute__((fallthrough));
	case SAMPLE_OUTSIDE:
		s->state = SAMPLE_WARMING;
		s->change = at + s->plan.warm_up;
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

/* ---- statistics ---- */

/* Columns of the fit: instructions, then events. */
enum { COLUMNS = 1 + SAMPLE_EVENTS };
struct matrix {
	double at[COLUMNS][COLUMNS]; /* symmetric */
};

static void columns_of(const struct sample_counts *u, double row[COLUMNS])
{
	row[0] = (double)u->instructions;
	for (unsigned n = 0; n < SAMPLE_EVENTS; n++)
		row[1 + n] = (double)u->events[n];
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
static void sum_products(const struct sample_counts *unit, uint64_t count, struct matrix *m, double cycles[COLUMNS])
{
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], row);
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
static double unrepresented(const struct sample_counts *unit, uint64_t count, const double target[COLUMNS],
			    const double fit[COLUMNS], const double cost[SAMPLE_EVENTS])
{
	double sum[COLUMNS] = {0}, squares[COLUMNS] = {0}, cycles = 0;

	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], row);
		for (unsigned k = 0; k < COLUMNS; k++)
			sum[k] += row[k];
	}
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS];

		columns_of(&unit[n], row);
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

struct sample_estimate sample_estimate(const struct sample_counts *whole, const struct sample_counts *head,
				       const struct sample_counts *unit, uint64_t count,
				       const double cost[SAMPLE_EVENTS])
{
	struct matrix inverse = {{{0}}};
	double cycles[COLUMNS] = {0}, fit[COLUMNS], all[COLUMNS], part[COLUMNS], target[COLUMNS], influence[COLUMNS],
	       squares = 0, estimated;
	unsigned rank;

	sum_products(unit, count, &inverse, cycles);
	rank = invert(&inverse);
	times(&inverse, cycles, fit);
	columns_of(whole, all);
	columns_of(head, part);
	for (unsigned n = 0; n < COLUMNS; n++)
		target[n] = all[n] - part[n];
	times(&inverse, target, influence);
	for (uint64_t n = 0; n < count; n++) {
		double row[COLUMNS], own[COLUMNS], off;

		columns_of(&unit[n], row);
		times(&inverse, row, own);
		off = (double)unit[n].cycles - sampling_product(fit, row);
		off *= sampling_product(influence, row) / (1 - fmin(sampling_product(own, row), 0.99));
		squares += off * off;
	}
	estimated = sampling_product(fit, target);
	return (struct sample_estimate){
		.cycles = (double)head->cycles + estimated,
		.sampling = spread_t95((double)(count - rank)) * sqrt(squares),
		.allowance = SAMPLE_ALLOWANCE * fabs(estimated) + unrepresented(unit, count, target, fit, cost),
	};
}
