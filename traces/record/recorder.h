/*
 * Internal to record_run.c: decides when to record, numbers the blocks of the trace, and tracks open
 * regions.
 */
#ifndef PSIM_RECORD_RECORDER_H
#define PSIM_RECORD_RECORDER_H

#include "blocks.h"
#include "wake_flow.h"
#include "locks.h"
#include "record_run.h"

struct warm_up; /* the last instructions before recording begins */

/* A region is the process's: the thread that begins it ends it, and the traces of all have it. */
struct open_region {
	char name[TRACE_NAME_MAX];
	unsigned place;   /* of that thread */
	bool selected;    /* selected for recording */
	uint64_t written; /* bit n: its begin is in trace n */
};

/* The trace of a place for threads (thread.c). */
struct place_trace {
	struct trace_writer *writer;
	struct warm_up *warm_up; /* NULL: none */
	bool awaits;             /* `first` is to be written when the trace begins */
	struct trace_order first;
	unsigned sections; /* critical ones, so far */
};

struct recorder {
	struct guest *g;
	const struct run_options *options;
	struct place_trace trace[GUEST_THREADS];
	struct place_trace *now; /* the running thread's */
	bool armed;              /* `from` was reached */
	bool recording;          /* runs are written, not kept */
	bool changed;            /* recording may have to begin or end: the loop returns */
	uint64_t skip_left;
	unsigned selected; /* number of open regions selected for recording */
	struct open_region region[TRACE_REGION_DEPTH];
	unsigned depth;
	struct locks locks;
	struct wake_flow flow;
	struct known_block **known; /* hash table of blocks by their words */
	int result;                 /* < 0: `error` */
	struct err *error;
};

/* Returns 0, or -1 with `e`. */
int recorder_init(struct recorder *r, struct guest *g, const struct run_options *o, struct err *e);
void recorder_finish(struct recorder *r);

/* Warns of a region that is open when the program has ended: what follows its work is in it. */
void recorder_warn_open(const struct recorder *r);

/* Returns whether the current instruction is to be recorded (after --skip). */
bool recorder_inside(const struct recorder *r);

/* Returns whether runs are recorded for a warm-up part while recording is off. */
bool recorder_keeps(const struct recorder *r);

/* Goes on with the trace of the running thread's place. Returns 0, or -1. */
int recorder_turn(struct recorder *r);

/* Before a turn is recorded: opens the trace, or writes the begins of regions that it lacks. Returns 0, or -1. */
int recorder_start(struct recorder *r);

/*
 * Puts the first `count` executed instructions of `b`: writes them, or keeps them if recording
 * is off. Sets r->result on failure.
 */
void recorder_put(struct recorder *r, struct block *b, unsigned count, const uint64_t *ea);

/* Puts a single instruction outside any block, executed in the SIMD mode `simd`. */
void recorder_put_single(struct recorder *r, uint64_t pc, uint32_t word, bool simd, const uint64_t *ea);

/*
 * For guest.wakes, of a recorder: writes what the running thread does as an order of threads, if it is recorded. A
 * simulator finds by itself who waits at a lock whose critical sections are in the traces.
 */
void recorder_wakes(void *recorder, unsigned place, uint64_t futex, bool meet);

/* Handles an executed marker; %o0 points to its name. */
void recorder_marker(struct recorder *r, enum marker marker);

#endif
