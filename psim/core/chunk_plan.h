/* How a trace is cut into chunks that processes simulate side by side (chunks.h), and where a core is in it. */
#ifndef PSIM_CORE_CHUNK_PLAN_H
#define PSIM_CORE_CHUNK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct chunk_plan {
	uint64_t length; /* instructions of a chunk, rounded up to a block; the last one goes to the end */
	uint64_t count;  /* chunks, 1 or more */
	uint64_t run_in; /* instructions before chunk 2 and those behind it */
	uint64_t apart;  /* instructions between the first two sync points of a chunk; more between later ones */
};

enum {
	CHUNKS_MOST = 32,
	CHUNKS_EACH = 4,      /* chunks of a process, so that all end about together */
	CHUNK_LEAST = 200000, /* instructions of a chunk */
	CHUNK_RUN_IN = 20000,
	CHUNK_APART = 10000,
	CHUNK_SYNCS = 4, /* sync points of a chunk: at 0, 1, 3, 7 times `apart` */
};

/*
 * The plan for a trace of `length` instructions on so many processes. Each copy records all transitions of its chunk
 * itself, so few processes take few chunks. The results do not depend on the plan.
 */
void chunk_plan_make(struct chunk_plan *p, uint64_t length, uint64_t processes);
/* The first instruction of chunk `number`; UINT64_MAX: there is no such chunk. */
uint64_t chunk_begin(const struct chunk_plan *p, uint64_t number);
/* The instruction before which sync point n % CHUNK_SYNCS of chunk n / CHUNK_SYNCS is. */
uint64_t chunk_sync(const struct chunk_plan *p, uint64_t n);

/* Where a process is. */
struct chunk_place {
	struct chunk_plan plan;
	bool outside;    /* it warms up */
	uint64_t number; /* of its chunk */
	uint64_t sync;   /* number of the next sync point */
	uint64_t at;     /* its instruction */
};
void chunk_place_begin(struct chunk_place *s, const struct chunk_plan *plan);
/* Makes sync point `n` the next one. */
void chunk_place_set(struct chunk_place *s, uint64_t n);

#endif
