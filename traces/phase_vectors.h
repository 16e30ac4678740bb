/* Vectors of intervals. Internal to phases.c and phase_vectors.c; phases.h has what they are. */
#ifndef PSIM_TRACES_PHASE_VECTORS_H
#define PSIM_TRACES_PHASE_VECTORS_H

#include "../psim/base/vec.h"
#include "phases.h"

/* An interval: its projected vector. */
struct phase_row {
	uint64_t instructions;
	double at[PHASE_DIMENSIONS];
};

/* A static block: its direction in the projection, and its instructions in the present interval. */
struct phase_block {
	double direction[PHASE_DIMENSIONS];
	uint64_t instructions;
};

struct phase_vectors {
	uint64_t interval;
	uint64_t seen; /* instructions before the next block */
	uint64_t end;  /* of the present interval */
	FILE *sparse;  /* may be NULL */
	struct vec_of(struct phase_row) rows;
	struct vec_of(struct phase_block) blocks; /* by number */
	struct vec_of(uint32_t) used;             /* blocks in the present interval, by first use */
};

/* Ends the present interval, if it has instructions. 0, or -1 with `e`. */
int phase_vectors_end(struct phase_vectors *v, struct err *e);

#endif
