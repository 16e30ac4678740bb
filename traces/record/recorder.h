/*
 * What becomes of the executed blocks: when recording is on, which block has
 * which number in the trace, and which regions are open. Inside of run.c.
 */
#ifndef PSIM_RECORD_RECORDER_H
#define PSIM_RECORD_RECORDER_H

#include "blocks.h"
#include "record_run.h"

struct warm_up; /* the last instructions before recording begins */

struct open_region {
	char name[TRACE_NAME_MAX];
	bool selected; /* one of those to be recorded */
	bool written;  /* its begin is in the trace */
};

struct recorder {
	struct guest *g;
	const struct run_options *options;
	struct trace_writer *writer;
	bool armed;     /* `from` was reached */
	bool recording; /* what is put is written, not kept */
	bool changed;   /* whether to record may have changed: the loop returns */
	uint64_t skip_left;
	unsigned selected; /* open regions that are to be recorded */
	struct open_region region[TRACE_REGION_DEPTH];
	unsigned depth;
	struct known_block **known; /* hash table: blocks are found again by their words */
	struct warm_up *warm_up;    /* NULL: none is wanted */
	int result;                 /* < 0: `error` */
	struct err *error;
};

/* 0, or -1 with `e`. */
int recorder_init(struct recorder *r, struct guest *g, const struct run_options *o, struct err *e);
void recorder_finish(struct recorder *r);

/* Whether control is where recording is wanted (after --skip). */
bool recorder_inside(const struct recorder *r);

/* Are blocks to be put although recording is off: for a warm-up part? */
bool recorder_keeps(const struct recorder *r);

/* Opens the trace at the first instruction that is recorded. */
int recorder_start(struct recorder *r);

/*
 * The first `count` instructions of `b` were executed: written, or kept where recording is off.
 * Sets r->result on failure.
 */
void recorder_put(struct recorder *r, struct block *b, unsigned count, const uint64_t *ea);

/* A single instruction outside any block, executed in the SIMD mode `simd`. */
void recorder_put_single(struct recorder *r, uint64_t pc, uint32_t word, bool simd, const uint64_t *ea);

/* A marker was executed: %o0 holds its name. */
void recorder_marker(struct recorder *r, enum marker marker);

#endif
