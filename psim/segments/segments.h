/*
 * One trace in segments, which several processes simulate side by side, with the results of one process.
 *
 *   segment      consecutive instructions of the trace; one process simulates it in detail
 *   warming      Instructions outside of a process's segment update caches, TLBs and branch prediction, in program
 *                order and without time (warm.h).
 *   run-in       SEGMENT_RUN_IN instructions before a segment, simulated in detail to fill the pipeline, not counted
 *   sync point   a place in the trace at the begin of a segment, at which processes compare their states
 *   record       what a process has counted since its last sync point, and a digest of its state
 *   true state   the state that a single process, simulating the whole trace, would have there
 *
 * The first process simulates segment 0, and is in the true state. Then it warms up to the end of the trace. At the
 * run-in of each further segment it forks a copy, which simulates that segment. The copy for segment 1 continues from
 * the end of segment 0, so it is in the true state, too. The other copies begin with an empty pipeline, and the order
 * of use within their cache sets may differ. After the run-in, the state of most is the true one.
 *
 * Whether it is, is compared. The process in the true state continues into the next segment. At each sync point its
 * digest is compared with that of the segment's own process:
 *
 *   equal        Equal states have equal futures. So the segment's own process has been in the true state from that
 *                sync point on. Its records count from there, and the process that came from before stops.
 *   different    The process continues to the next sync point. Where all of them differ, it simulates the whole
 *                segment, and the records of the segment's own process are discarded.
 *
 * So counts are those of one process, whatever the plan; only the time depends on how soon states agree.
 * psim/app/segment_run.c has the processes.
 *
 * A state also equals its mirror image: that in which the two reservation stations of a unit have changed places, with
 * their pipes. Ties between two stations alternate, so a loop that was entered with the other station next stays
 * mirrored for ever. Both states count the same, until an instruction needs the first pipe of the unit. From before
 * that instruction on a stand-in simulates, a copy that was left there and becomes its mirror image.
 */
#ifndef PSIM_SEGMENTS_SEGMENTS_H
#define PSIM_SEGMENTS_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/err.h"
#include "../core/segment_plan.h"
#include "../base/digest.h"

struct core;

/* ---- a core with core_options.segments ---- */
/* Units whose two stations may have changed places: a bit for each. */
enum { SEGMENT_MIRROR_INT = 1, SEGMENT_MIRROR_FP = 2, SEGMENT_MIRRORS = 4 };

/* A record, to be sent to another process: words without pointers. Its counts follow: counters, regions, profile. */
struct segment_record {
	uint64_t sync;       /* number of the sync point; SEGMENT_END: the end of the trace */
	uint64_t warmed;     /* instructions of the trace's own warm-up parts since the record before */
	uint64_t first_pipe; /* units in which instructions have needed the first pipe since the record before */
	uint64_t known;      /* 1: the digests are valid; 0: the state has no key, so it equals none */
	struct digest mirrored[SEGMENT_MIRRORS]; /* of the state, and of its mirror images */
	uint64_t regions;
};
#define SEGMENT_END UINT64_MAX
#define SEGMENT_ROW (UINT64_MAX - 1) /* no sync point: counts so far since the last one, for a row over time */

/*
 * Takes the record that the last core_run has made: it returns 1 at a sync point, and 0 at the end of the trace, where
 * it makes the last one. The record with its counts has *ret_words words, and is valid until core_run makes another
 * one. NULL: none has been made since the last call.
 */
const struct segment_record *core_segment_record(struct core *c, size_t *ret_words);

/*
 * Makes a row, between two calls of core_run: the record of SEGMENT_ROW has the counters alone, without regions and
 * profile. It is valid until the next one. NULL: no memory.
 */
const struct segment_record *core_segment_row(struct core *c, size_t *ret_words);
/* Cycles that a record or a row counts. */
uint64_t segment_cycles(const struct segment_record *r);

/* core_hooks.sync_point: makes the record. `end`: of the trace. */
void segment_sync_point(struct core *c, bool end);

/* In the first process, at the end of segment 0: empties the pipeline; what follows only warms up. 0, or -1, `e`. */
int core_segment_leave(struct core *c, struct err *e);
/*
 * In the first process behind that: warms up to the run-in of the next segment, of which segment 2 is the first. 1; 0:
 * to the end of the trace, as there is none; -1 with `e`. Segments within a part that only warms up are passed over.
 */
int core_segment_next(struct core *c, struct err *e);
/* The number of the segment before whose run-in the core is; behind core_segment_leave, of the one that follows. */
uint64_t core_segment_number(const struct core *c);
/* The same, to the run-in of segment `number`, which is ahead. */
int core_segment_go(struct core *c, uint64_t number, struct err *e);
/* In a copy that was forked there: simulates its segment from here on. */
void core_segment_enter(struct core *c);
/* At a sync point: exchanges the stations of the units `mirror` (SEGMENT_MIRROR_*). Twice: the state is as before. */
void core_segment_mirror(struct core *c, unsigned mirror);

/* In the first process, at the end: sets all counts to zero, so that those of the records can be added. */
void core_segment_clear(struct core *c);
/* There: adds the counters of a row to those of the records so far; core_segment_hide takes them away again. */
void core_segment_show(struct core *c, const struct segment_record *row);
void core_segment_hide(struct core *c, const struct segment_record *row);
/* There: adds the counts of a record of `words` words. 0, or -1 with `e`: the words do not fit this trace. */
int core_segment_add(struct core *c, const struct segment_record *r, size_t words, struct err *e);

/* ---- segment_state.c ---- */
/* Computes the digests of the state and of its mirror images; false: the state has no key (core_key.h). */
bool segment_digests(struct core *c, struct digest mirrored[SEGMENT_MIRRORS]);
/* The bit of SEGMENT_MIRROR_* of a unit; 0: it has no mirror image. */
unsigned station_mirror_of(unsigned unit);

#endif
