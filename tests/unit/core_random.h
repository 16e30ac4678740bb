/* A random program for the core, and caches that it misses. */
#ifndef PSIM_TESTS_CORE_RANDOM_H
#define PSIM_TESTS_CORE_RANDOM_H

#include "trace_maker.h"

enum { CORE_RANDOM_LENGTH = 12 }; /* instructions of a block */

/* Overrides: real caches on top of core_run_trace's perfect ones, small so that they miss. */
extern const char *const core_random_small[];

/* A fixed sequence of numbers (a linear congruence of Knuth's). */
uint32_t core_random_number(uint64_t *state);

/*
 * `blocks` executions of random blocks of a small program: each ends with a conditional branch and its slot, taken
 * or not at random. Region "inner" is around block `region`; beyond the last block: none is. Begins the trace.
 */
void core_random_trace(struct trace_maker *m, unsigned blocks, unsigned region, uint64_t seed);

#endif
