/* How a trace is cut into segments that processes simulate side by side (segments.h), and where a core is in it. */
#ifndef PSIM_CORE_SEGMENT_PLAN_H
#define PSIM_CORE_SEGMENT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct segment_plan {
	uint64_t length;  /* instructions of a segment, rounded up to a block; the last one goes to the end */
	uint64_t count;   /* segments, 1 or more */
	uint64_t run_in;  /* instructions before a segment, from number 2 on, which fill the pipeline */
	uint64_t apart;   /* instructions between the first two sync points of a segment; more between later ones */
	uint64_t shorter; /* instructions that the first segment has less: no other process works beside it */
	uint64_t runs;    /* 0: each segment has a process; else from segment 1 on so many runs of segments have one */
	double shrinks;   /* what is behind the begin of a run, by what is behind that of the one before */
};

enum {
	SEGMENTS_MOST = 32,     /* beside the first */
	SEGMENTS_KEPT = 256,    /* of one process with a checkpoint: what is lost is a segment */
	SEGMENTS_EACH = 8,      /* segments of a process beside the first, so that all end about together */
	SEGMENTS_RUN = 32,      /* the same with runs of segments, where states are compared at their begins */
	SEGMENT_LEAST = 200000, /* instructions of a segment */
	SEGMENT_RUN_IN = 20000,
	SEGMENT_APART = 10000,
	SEGMENT_SYNCS = 4, /* sync points of a segment: at 0, 1, 3, 7 times `apart` */
};

/*
 * Each segment has a process, as processes are free; or each process has one run of segments, of which those behind
 * begin later and are shorter, so that all end together: where replay learns all transitions, and in detail.
 */
enum segment_turns { SEGMENT_TURNS, SEGMENT_RUNS_REPLAYED, SEGMENT_RUNS_DETAILED };
/*
 * The plan for a trace of `length` instructions on so many processes. The first segment has half the length. The
 * results do not depend on the plan.
 */
void segment_plan_make(struct segment_plan *p, uint64_t length, uint64_t processes, enum segment_turns turns);
/* The plan with a checkpoint: equal segments; for one process, as many as are kept. */
void segment_plan_make_kept(struct segment_plan *p, uint64_t length, uint64_t processes);
/* The first instruction of segment `number`; UINT64_MAX: there is no such segment. */
uint64_t segment_begin(const struct segment_plan *p, uint64_t number);
/* The first segment behind `number` that has a process of its own; the number of segments: none. */
uint64_t segment_next_run(const struct segment_plan *p, uint64_t number);
/* The segment with the process that simulates segment `number`, which is 1 or more. */
uint64_t segment_run_of(const struct segment_plan *p, uint64_t number);
/* The instruction before which sync point n % SEGMENT_SYNCS of segment n / SEGMENT_SYNCS is. */
uint64_t segment_sync(const struct segment_plan *p, uint64_t n);

/*
 * Returns whether states are compared at sync point `n`: a digest takes long. The first run is that of the true state;
 * in others they are, more often in the first segment.
 */
bool segment_compared(const struct segment_plan *p, uint64_t n);

/* The sync point behind `n`: those within a segment are where states are compared alone, as a record takes long too. */
uint64_t segment_next_sync(const struct segment_plan *p, uint64_t n);

/* Where a process is in the plan. */
struct segment_place {
	struct segment_plan plan;
	bool outside;    /* its segment has ended, or not begun: it warms up */
	bool skims;      /* no copy is made of it any more: it needs to know the instructions alone */
	uint64_t number; /* of its segment */
	uint64_t sync;   /* number of the next sync point */
	uint64_t before; /* of the one before it */
	uint64_t at;     /* its instruction */
};
void segment_place_begin(struct segment_place *s, const struct segment_plan *plan);
/* Makes sync point `n` the next one. */
void segment_place_set(struct segment_place *s, uint64_t n);
/* Makes the segment of instruction `at`, the first that is simulated, that of the process. */
void segment_place_first(struct segment_place *s, uint64_t at);
/* Returns whether the next sync point is at instruction `at` or before it, and goes on to the first one behind it. */
bool segment_place_reach(struct segment_place *s, uint64_t at);

#endif
