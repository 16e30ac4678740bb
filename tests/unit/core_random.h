/* A random program for the core, and caches that it misses. */
#ifndef PSIM_TESTS_CORE_RANDOM_H
#define PSIM_TESTS_CORE_RANDOM_H

#include "trace_maker.h"

enum { CORE_RANDOM_LENGTH = 12 }; /* instructions per block */

/* Overrides of core_run_trace's perfect caches by small real ones, so that accesses miss. */
extern const char *const core_random_small[];

/* Returns the next number of a fixed sequence (a linear congruence of Knuth's). */
uint32_t core_random_number(uint64_t *state);

/* Marks begin or end of region "inner". */
void core_random_mark(struct trace_maker *m, bool begin);

/*
 * Returns whether the next of `left` loops is in region "inner": one of six on average, and of a program one at least.
 * `any` has whether an earlier one is.
 */
bool core_random_inner(unsigned left, bool *any, uint64_t *state);

/*
 * `blocks` executions of random blocks of a small program: each ends with a conditional branch and its slot, taken
 * or not at random. Region "inner" is around block `region`; beyond the last block: none is. Begins the trace.
 */
void core_random_trace(struct trace_maker *m, unsigned blocks, unsigned region, uint64_t seed);

/*
 * Loops of a few random blocks each, whose accesses move with steady strides most of the time; with window traps,
 * serializing and annulled instructions, calls, prefetches.
 */
enum { CORE_LOOP_CODE = 30, CORE_LOOP_LENGTH = 14, CORE_LOOP_BLOCKS = 6 };
struct core_loop_block {
	unsigned count;
	uint32_t word[CORE_LOOP_LENGTH];
};
struct core_loop {
	unsigned first, blocks, times; /* its first block, their number, at least 1; iterations */
	unsigned window;               /* first addresses are in so many bytes, by 8 */
	unsigned odd;                  /* after one of so many iterations, on average, an address jumps; at least 1 */
};
void core_loop_code(struct core_loop_block code[CORE_LOOP_CODE], uint64_t *state);
/* Adds a loop to the trace; strides and addresses are drawn from `state`. */
void core_loop_run(struct trace_maker *m, const struct core_loop_block code[CORE_LOOP_CODE],
		   const struct core_loop *loop, uint64_t *state);
/* `loops` random loops; region "inner" is around some, one at least. Begins the trace. */
void core_random_loops(struct trace_maker *m, unsigned loops, uint64_t seed);

/*
 * About `blocks` executions of random blocks, in loops whose accesses are to three cells: loads often read what an
 * older store in flight writes. Begins the trace.
 */
void core_random_cells(struct trace_maker *m, unsigned blocks, uint64_t seed);

#endif
