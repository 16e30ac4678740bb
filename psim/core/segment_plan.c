#include "segment_plan.h"

#include <math.h>

static uint64_t segments_for(uint64_t processes, uint64_t each)
{
	const uint64_t most = SEGMENTS_MOST / SEGMENTS_EACH;

	return each * (processes < most ? processes : most);
}

/* A plan of `most` equal segments, or of fewer that are not too short. */
static void make_equal(struct segment_plan *p, uint64_t length, uint64_t most)
{
	uint64_t count = length / SEGMENT_LEAST;

	count = count < most ? count : most;
	*p = (struct segment_plan){.count = count ? count : 1, .run_in = SEGMENT_RUN_IN, .apart = SEGMENT_APART};
	p->length = length / p->count;
}

void segment_plan_make(struct segment_plan *p, uint64_t length, uint64_t processes, enum segment_turns turns)
{
	make_equal(p, length, segments_for(processes, turns ? SEGMENTS_RUN : SEGMENTS_EACH) + 1);
	if (p->count == 1)
		return;
	p->shorter = length / (2 * p->count - 1);
	p->length = 2 * p->shorter;
	if (!turns)
		return;
	p->runs = processes;
	/* warming up takes about two fifths of the time of replay, and 0.08 (dgemm) to 0.3 (chase) of that in detail */
	p->shrinks = turns == SEGMENT_RUNS_REPLAYED ? 0.6 : 0.85;
}

/*
 * The first segment of run `k`, which the first process reaches by warming up, so that all runs end together.
 * With d for the time of an instruction and w for that to warm up with one, the part b of the trace before a run is
 * followed by b' = b (1 - w/d) + c, so b is (1 - q^k) / (1 - q^runs), with q = 1 - w/d.
 */
static uint64_t run_begin(const struct segment_plan *p, uint64_t k)
{
	const double q = p->shrinks;

	return 1 + (uint64_t)((double)(p->count - 1) * (1 - pow(q, (double)k)) / (1 - pow(q, (double)p->runs)) + 0.5);
}

uint64_t segment_next_run(const struct segment_plan *p, uint64_t number)
{
	uint64_t k = 0;

	if (!p->runs)
		return number + 1 < p->count ? number + 1 : p->count;
	while (k < p->runs && run_begin(p, k) <= number)
		k++;
	return k < p->runs ? run_begin(p, k) : p->count;
}

uint64_t segment_run_of(const struct segment_plan *p, uint64_t number)
{
	uint64_t first = 1;

	if (!p->runs)
		return number;
	for (uint64_t k = 1; k < p->runs && run_begin(p, k) <= number; k++)
		first = run_begin(p, k);
	return first;
}

void segment_plan_make_kept(struct segment_plan *p, uint64_t length, uint64_t processes)
{
	make_equal(p, length, processes == 1 ? (uint64_t)SEGMENTS_KEPT : segments_for(processes, SEGMENTS_EACH));
}

uint64_t segment_begin(const struct segment_plan *p, uint64_t number)
{
	if (number >= p->count)
		return UINT64_MAX;
	return number ? number * p->length - p->shorter : 0;
}

uint64_t segment_sync(const struct segment_plan *p, uint64_t n)
{
	uint64_t begin = segment_begin(p, n / SEGMENT_SYNCS), steps = (UINT64_C(1) << n % SEGMENT_SYNCS) - 1;

	return begin == UINT64_MAX ? begin : begin + steps * p->apart;
}

bool segment_compared(const struct segment_plan *p, uint64_t n)
{
	const uint64_t run = segment_run_of(p, n / SEGMENT_SYNCS), behind = n / SEGMENT_SYNCS - run;

	return !p->runs || (run > 1 && (!behind || n % SEGMENT_SYNCS == 0));
}

uint64_t segment_next_sync(const struct segment_plan *p, uint64_t n)
{
	do
		n++;
	while (n % SEGMENT_SYNCS && !segment_compared(p, n));
	return n;
}

void segment_place_set(struct segment_place *s, uint64_t n)
{
	s->sync = n;
	s->at = segment_sync(&s->plan, n);
}

void segment_place_begin(struct segment_place *s, const struct segment_plan *plan)
{
	*s = (struct segment_place){.plan = *plan};
	segment_place_set(s, SEGMENT_SYNCS);
}

void segment_place_first(struct segment_place *s, uint64_t at)
{
	while (segment_begin(&s->plan, s->number + 1) <= at)
		s->number++;
	segment_place_set(s, (s->number + 1) * SEGMENT_SYNCS);
}

bool segment_place_reach(struct segment_place *s, uint64_t at)
{
	bool reached = s->at <= at;

	while (s->at <= at) {
		s->before = s->sync;
		segment_place_set(s, segment_next_sync(&s->plan, s->sync));
	}
	return reached;
}
