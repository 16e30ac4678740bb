/*
 * One trace in segments that several processes simulate side by side, with the results of one process.
 *
 * The first process simulates segment 0. From its end on it warms up caches, TLBs and branch prediction alone
 * (warm.h), and at the run-in before each further segment a copy of it (fork) begins to simulate. The copy for segment
 * 1 goes on from segment 0's end, so its state is the true one. The others begin with an empty pipeline, and with
 * lines in an order of use that may differ; after the run-in, most are in the true state.
 *
 * Whether one is: at the sync points, which are places in the trace at the begin of each segment, every process that
 * passes one makes a record: what it has counted since the one before, and a digest of all on which its future
 * depends. The process in the true state goes on past the end of its segment until its digest is that of the next
 * segment's process: the state of that one has been true since. If they differ at all sync points of a segment, it
 * simulates that segment too, and what the other one has done is thrown away. So results are always those of one
 * process; only the time depends on how soon states agree. segment_run.c has the processes.
 *
 * States are also equal if one is the mirror image of the other: the two stations of a unit, with their pipes,
 * change places. As ties between stations alternate, a loop that begins with the other station stays mirrored. Both
 * count the same, as long as no instruction needs the first pipe.
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
/* Mirrored units: a bit for each. */
enum { SEGMENT_MIRROR_INT = 1, SEGMENT_MIRROR_FP = 2, SEGMENT_MIRRORS = 4 };

/* Words without pointers, to be sent to another process. Its counts follow: all counters, regions, profile. */
struct segment_record {
	uint64_t sync;       /* number of the sync point; SEGMENT_END: the end of the trace */
	uint64_t warmed;     /* instructions of the trace's own warm-up parts since the record before */
	uint64_t first_pipe; /* units in which instructions have needed the first pipe since the record before */
	uint64_t known;      /* 1: the digests are; 0: they are not, and states do not agree */
	struct digest mirrored[SEGMENT_MIRRORS]; /* of the state, and of its mirror images */
	uint64_t regions;
};
#define SEGMENT_END UINT64_MAX

/*
 * core_run returns 1 where a record has been made, and 0 at the end of the trace with the last one. The record with its
 * counts, in *ret_words words, until the next core_run that makes one; NULL: there is none since the last call.
 */
const struct segment_record *core_segment_record(struct core *c, size_t *ret_words);

/* Makes the record, as core_hooks.sync_point. */
void segment_sync_point(struct core *c, bool end);

/* In the first process at the end of segment 0: what follows only warms up. 0, or -1 with `e`. */
int core_segment_leave(struct core *c, struct err *e);
/* There: warms up to the run-in of the next segment, at first of segment 2: 1; to the trace's end: 0; -1 with `e`. */
int core_segment_next(struct core *c, struct err *e);
/* In a copy there: simulates the segment from here on. */
void core_segment_enter(struct core *c);
/* Where a record has just been made: makes the state its mirror image. */
void core_segment_mirror(struct core *c, unsigned mirror);

/* In the first process: sets the counts of the core to zero, so that those of records can be added. */
void core_segment_clear(struct core *c);
/* Adds the counts of a record. 0, or -1 with `e`: they are not those of this trace. */
int core_segment_add(struct core *c, const struct segment_record *r, size_t words, struct err *e);

/* ---- segment_state.c ---- */
/* The digests of the state and its mirror images; false: the state has no key (core_key.h). */
bool segment_digests(struct core *c, struct digest mirrored[SEGMENT_MIRRORS]);
/* The bit of SEGMENT_MIRROR_* of a unit; 0: it has no mirror image. */
unsigned station_mirror_of(unsigned unit);

#endif
