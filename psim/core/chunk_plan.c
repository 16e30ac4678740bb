#include "chunk_plan.h"

void chunk_plan_make(struct chunk_plan *p, uint64_t length, uint64_t processes)
{
	uint64_t count = length / CHUNK_LEAST,
		 most = processes < CHUNKS_MOST / CHUNKS_EACH ? processes * CHUNKS_EACH : CHUNKS_MOST;

	count = count < most ? count : most;
	*p = (struct chunk_plan){.count = count ? count : 1, .run_in = CHUNK_RUN_IN, .apart = CHUNK_APART};
	p->length = length / p->count;
}

uint64_t chunk_begin(const struct chunk_plan *p, uint64_t number)
{
	return number < p->count ? number * p->length : UINT64_MAX;
}

uint64_t chunk_sync(const struct chunk_plan *p, uint64_t n)
{
	uint64_t begin = chunk_begin(p, n / CHUNK_SYNCS), steps = (UINT64_C(1) << n % CHUNK_SYNCS) - 1;

	return begin == UINT64_MAX ? begin : begin + steps * p->apart;
}

void chunk_place_set(struct chunk_place *s, uint64_t n)
{
	s->sync = n;
	s->at = chunk_sync(&s->plan, n);
}

void chunk_place_begin(struct chunk_place *s, const struct chunk_plan *plan)
{
	*s = (struct chunk_place){.plan = *plan};
	chunk_place_set(s, CHUNK_SYNCS);
}
