#include "segment_plan.h"

static void make_plan(struct segment_plan *p, uint64_t length, uint64_t most)
{
	uint64_t count = length / SEGMENT_LEAST;

	count = count < most ? count : most;
	*p = (struct segment_plan){.count = count ? count : 1, .run_in = SEGMENT_RUN_IN, .apart = SEGMENT_APART};
	p->length = length / p->count;
}

void segment_plan_make(struct segment_plan *p, uint64_t length, uint64_t processes)
{
	make_plan(p, length, processes < SEGMENTS_MOST / SEGMENTS_EACH ? processes * SEGMENTS_EACH : SEGMENTS_MOST);
}

void segment_plan_make_kept(struct segment_plan *p, uint64_t length)
{
	make_plan(p, length, SEGMENTS_KEPT);
}

uint64_t segment_begin(const struct segment_plan *p, uint64_t number)
{
	return number < p->count ? number * p->length : UINT64_MAX;
}

uint64_t segment_sync(const struct segment_plan *p, uint64_t n)
{
	uint64_t begin = segment_begin(p, n / SEGMENT_SYNCS), steps = (UINT64_C(1) << n % SEGMENT_SYNCS) - 1;

	return begin == UINT64_MAX ? begin : begin + steps * p->apart;
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

	while (s->at <= at)
		segment_place_set(s, s->sync + 1);
	return reached;
}
