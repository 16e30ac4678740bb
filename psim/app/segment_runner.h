/* The processes of one trace in segments: shared by segment_run.c and segment_checkpoint.c. */
#ifndef PSIM_APP_SEGMENT_RUNNER_H
#define PSIM_APP_SEGMENT_RUNNER_H

#include <sys/types.h>

#include "../base/vec.h"
#include "psim_run.h"
#include "segment_copy.h"

struct kept_record {
	struct segment_record *record;
	size_t words;
	pid_t stands[MIRRORED_UNITS]; /* stand-ins that were left there; 0: none */
};

/* A place in what is counted: so many records of the process of a segment are before it. */
struct segment_spot {
	uint64_t segment, records;
};
struct kept_row {
	struct segment_spot spot;
	struct segment_record *record;
};

struct stream {
	int fd;     /* -1: closed */
	char *data; /* sent, but not yet a whole record */
	size_t size, room;
};

enum worker_state { WORKER_NONE, WORKER_WORKS, WORKER_WAITS, WORKER_ENDED, WORKER_FAILED };
struct worker {
	enum worker_state state;
	pid_t pid;    /* 0: it is gone */
	pid_t stands; /* of a stand-in, which is not waited for */
	struct stream from;
	struct stream rows;           /* from its twins */
	bool rows_due;                /* they have not sent all */
	int stand_in[MIRRORED_UNITS]; /* to its stand-ins; -1: none */
	size_t hands_at; /* not 0: behind so many of its records a stand-in of unit `hands_to` is the owner */
	unsigned hands_to;
	pid_t hands_pid;
	struct vec_of(struct kept_record) records;
	size_t used;    /* records that have been used as the owner's */
	struct err err; /* FAILED */
};

enum { STAND_IN = SEGMENTS_KEPT }; /* the worker that is a stand-in: one at a time is the owner */

struct segment_runner {
	struct run *run;
	struct core *core;
	struct worker worker[SEGMENTS_KEPT + 1]; /* of each segment, of which 0 has no process; STAND_IN */
	unsigned begun;                          /* segments */
	unsigned owner;                          /* 0: none yet */
	unsigned mirror;                         /* the true state is this mirror image of the owner's */
	bool all_begun, done, interrupted;
	bool continues; /* a checkpoint's run */
	bool whole;     /* the core has seen all of the trace, so it knows each instruction that records count */
	struct vec_of(struct kept_record) sum;     /* the records of the run, in order */
	struct vec_of(struct segment_spot) behind; /* the place behind each of them */
	uint64_t cycles;                           /* of them */
	struct segment_rows rows;                  /* of the first process; interval 0: no rows are wanted */
	struct vec_of(struct kept_row) row;
	size_t shown; /* of these */
};

/* ---- segment_run.c ---- */
/* Begins the next segment. 0, or -1 with `e`. */
int begin_segment(struct segment_runner *r, struct err *e);
/* Waits for the process to end, and frees what it has sent. */
void free_worker(struct worker *w, bool end);
/* Reads what the copies have sent, after at most `ms` milliseconds. 0, or -1 with `e`. */
int poll_copies(struct segment_runner *r, int ms, struct err *e);
/* Shows progress; false: the run is interrupted. */
bool segment_progress(struct segment_runner *r);

enum agreement { AGREE_NO, AGREE_YES, AGREE_LATER };
/* Compares the owner's record at a sync point with that of the segment's process: of it *ret_mirror is the state. */
enum agreement agree(const struct segment_runner *r, const struct segment_record *own, size_t *ret_place,
		     unsigned *ret_mirror);
/* Adds a copy of a record to the sum, which then is at `behind`. 0, or -1 with `e`. */
int sum_add(struct segment_runner *r, const struct segment_record *record, size_t words, struct segment_spot behind,
	    struct err *e);

/* ---- segment_checkpoint.c ---- */
/* Adds the last record of the sum to the checkpoint, if there is one. 0, or -1 with `e`. */
int segment_keep(struct segment_runner *r, struct err *e);
/*
 * Continues the run of a checkpoint, where segment 1 has its copy, the owner: warms up to the last segments of which
 * there are records, and lets a copy simulate the begin of each. The last one whose state is that of the run, at a sync
 * point, becomes the owner. 0, or -1 with `e`.
 */
int segment_continue(struct segment_runner *r, struct err *e);

#endif
