#include "sample_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../base/rng.h"

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
uint64_t sample_long_begin(const struct sample_plan *p, uint64_t part)
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
	if (s->period < sample_long_begin(p, s->part) + p->long_periods) {
		s->change = 0; /* at once: it is simulated whole */
		return;
	}
	s->part++;
	s->period = s->part < p->long_parts ? sample_long_begin(p, s->part) : 0;
	s->change = s->period ? s->period * p->every : UINT64_MAX;
}

/* The begin of the trace: it is measured whole, but not beside long parts. True if it is. */
static bool sample_begins(struct sample_place *s, uint64_t at)
{
	if (s->plan.long_parts) {
		s->period = sample_long_begin(&s->plan, 0);
		s->state = SAMPLE_OUTSIDE;
		s->change = s->period * s->plan.every;
		return false;
	}
	s->state = SAMPLE_MEASURING;
	s->change = at + s->plan.every;
	return true;
}

/* The instruction with which the simulated part of the next chosen unit begins. */
static uint64_t begin_of_chosen(const struct sample_place *s)
{
	const struct sample_plan *p = &s->plan;

	if (s->period == p->chosen_count)
		return UINT64_MAX;
	return p->chosen[s->period] > p->warm_up ? p->chosen[s->period] - p->warm_up : 0;
}

/* The end of the tail of a chosen unit that ends at `at`, or the begin of the next unit, if it is before that. */
static uint64_t end_of_chosen_tail(const struct sample_place *s, uint64_t at)
{
	const struct sample_plan *p = &s->plan;
	uint64_t next = s->period < p->chosen_count ? p->chosen[s->period] : UINT64_MAX;

	return next < at + p->tail ? next : at + p->tail;
}

/* Goes on by one state, as sample_advance. */
static bool chosen_advance(struct sample_place *s, uint64_t at)
{
	const struct sample_plan *p = &s->plan;

	switch (s->state) {
	case SAMPLE_BEGIN:
	case SAMPLE_ENDING:
		s->state = SAMPLE_OUTSIDE;
		s->change = begin_of_chosen(s);
		return false;
	case SAMPLE_OUTSIDE:
		s->state = SAMPLE_WARMING;
		s->change = p->chosen[s->period];
		return false;
	case SAMPLE_WARMING:
		s->state = SAMPLE_MEASURING;
		s->change = p->chosen[s->period] + p->unit;
		return true;
	case SAMPLE_MEASURING:
		s->period++;
		s->state = SAMPLE_ENDING;
		s->change = end_of_chosen_tail(s, at);
		return true;
	}
	return false;
}

bool sample_advance(struct sample_place *s, uint64_t at)
{
	if (at < s->change)
		return false;
	if (s->plan.chosen) {
		bool change = false;

		while (!change && at >= s->change)
			change = chosen_advance(s, at);
		return change;
	}
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
