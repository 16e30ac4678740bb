/* Internal to the routine that runs nests (psim_nest.c): slices, references, and the state of a run. */
#ifndef PSIM_NEST_RUN_H
#define PSIM_NEST_RUN_H

#include <stdbool.h>

#include "psim_nest.h"

enum { LOOPS = 8, SLICES = 24, REFS = 64, SUMS = 16, OUTSTANDING = 900, FEW = 16, ROWS = 4096 };
enum { MEMORY_RATE = 4, CALL_CYCLES = 10000 }; /* bytes a cycle; of a call, its layout and its first transfers */
enum { HALO = 16 };                            /* references of a slice are at most so many steps of a loop apart */

struct dim {
	long stride, count; /* in memory; of the lanes' loop, the count is the share */
	long low, high;     /* least and largest shift of a reference, in steps */
	long local;         /* stride in the buffer memory */
	int loop;
	bool row;
};

struct slice {
	int family, dims;
	struct dim dim[LOOPS];    /* by size of the stride */
	long origin, least, most; /* address of the first reference; bytes that references reach around it */
	bool lanes, read, write, get, empty;
	bool tight;     /* runs without gaps, so that nothing need be fetched */
	long run, size; /* bytes of a run, of a share in the buffer memory */
	long slope;     /* bytes that a lane adds */
	long at, pitch; /* of the first buffer; from one to the next */
	int buffers;
	struct dim *plane; /* the dimension of the loop around, or NULL */
};

struct ref {
	int slice;
	long shift[LOOPS], rest; /* from the slice's origin: steps of each dimension, and bytes */
};

struct nest {
	const long *table, *counts, *work, *strides, *refs, *variant;
	long *data;
	long lanes, loops, families, references, sums;
	long stream, planes; /* the loop around, or 0, and its iterations */
	long pes, bytes;     /* of the array */
	int slices;
	long share; /* of a whole phase */
	bool overlapped;
	long started;          /* transfers that may be outstanding */
	long transfers, moved; /* all, and their bytes */
	double total[SUMS];
	const char *why;
	struct slice slice[SLICES];
	struct ref ref[REFS];
};

struct phase {
	long lane, share, pieces;
};

/* A nest that has run before, so that its data may be in caches; `slow`: the array was not worth it. */
struct known_place {
	const char *place;
	bool slow;
};

static inline long magnitude(long a)
{
	return a < 0 ? -a : a;
}

static inline long stride_of(const struct nest *n, long family, long loop)
{
	return n->strides[family * n->loops + loop];
}

static inline const long *ref_of(const struct nest *n, long r)
{
	return n->refs + r * NEST_REF;
}

#endif
