/*
 * Phases of a program: intervals of its trace that execute the same code, and one interval that stands for each phase.
 *
 * T. Sherwood, E. Perelman, G. Hamerly, B. Calder, "Automatically characterizing large scale program behavior", ASPLOS
 * 2002; G. Hamerly, E. Perelman, J. Lau, B. Calder, "SimPoint 3.0: faster and more flexible program phase analysis",
 * Journal of Instruction-Level Parallelism 7, 2005. The trace is cut into intervals of equal length. The vector of an
 * interval has for each static block the share of the interval's instructions that are in it. Vectors are projected at
 * random to PHASE_DIMENSIONS coordinates, and grouped by k-means for each number of phases up to `most`, PHASE_SEEDS
 * times each. The choice is the smallest number whose Bayesian information criterion is at least PHASE_SCORE of the way
 * from the least to the largest one. The interval next to the centre of a phase stands for it; of several, the middle
 * one. Others, drawn at random, show how far that one is from the phase (compare E. Perelman, G. Hamerly, B. Calder,
 * "Picking statistically valid and early simulation points", PACT 2003, who also draw several).
 */
#ifndef PSIM_TRACES_PHASES_H
#define PSIM_TRACES_PHASES_H

#include <stdbool.h>
#include <stdio.h>

#include "trace.h"

enum {
	PHASE_DIMENSIONS = 15, /* SimPoint 3.0's default, as the next two */
	PHASE_SEEDS = 5,
	PHASE_SCORE = 90, /* % */
	PHASES_MOST = 15, /* by default */
	PHASES_LIMIT = 100,
	PHASE_INTERVAL_LEAST = 1000,   /* several blocks, so that no interval is without one */
	PHASE_INTERVAL_USUAL = 10000,  /* the default's least */
	PHASE_INTERVALS_USUAL = 300,   /* the default has at most about as many */
	PHASE_INTERVALS_LEAST = 20,    /* fewer are no groups */
	PHASE_INTERVALS_LIMIT = 10000, /* more take long to group */
	PHASE_CHECKS = 11, /* of a phase at most: one, and one more for each tenth of the trace that it has */
};

struct phase_plan {
	uint64_t interval; /* instructions */
	unsigned most;     /* phases */
};

/*
 * Makes a plan from `text`, LENGTH or LENGTH/PHASES, for a trace of `length` instructions; "": the default. The message
 * begins with `option`. 0, or -1 with `e`: the text is wrong, or the trace too short or of unknown length (0).
 */
int phase_plan_parse(struct phase_plan *p, const char *option, const char *text, uint64_t length, struct err *e);

/*
 * Vectors of intervals, of a trace's runs without those of its warm-up parts. An interval is the blocks that begin in
 * it, so it may be longer or shorter by a block.
 */
struct phase_vectors;
/* `sparse`, unless NULL: gets each vector as SimPoint reads it, "T:BLOCK:INSTRUCTIONS …" a line, blocks from 1 on. */
struct phase_vectors *phase_vectors_create(uint64_t interval, FILE *sparse, struct err *e);
int phase_vectors_add(struct phase_vectors *v, const struct trace_block *b, struct err *e);
void phase_vectors_destroy(struct phase_vectors *v); /* NULL is allowed */

struct phase {
	uint64_t chosen;              /* the interval that stands for it */
	uint64_t check[PHASE_CHECKS]; /* others of its intervals, drawn at random */
	unsigned checks;              /* 0: it has one interval */
	uint64_t intervals;           /* in it */
	uint64_t instructions;        /* of these */
};

struct phases {
	uint64_t interval, intervals, instructions;
	unsigned count;      /* phases, in the order of their first intervals */
	struct phase *phase; /* `count` */
	uint32_t *of;        /* the phase of each interval */
	double explained;    /* 1 less the part of the vectors' squared distances to their mean that is within phases */
};

/*
 * Ends the last interval, and groups them all into at most `most` phases. 0, or -1 with `e`: fewer intervals than
 * PHASE_INTERVALS_LEAST, or no memory. Free with phases_finish.
 */
int phases_choose(struct phases *out, struct phase_vectors *v, unsigned most, struct err *e);
void phases_finish(struct phases *p);

#endif
