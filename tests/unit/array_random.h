/* Random programs for machines with a SIMD array. */
#ifndef PSIM_TESTS_ARRAY_RANDOM_H
#define PSIM_TESTS_ARRAY_RANDOM_H

#include "trace_maker.h"

/*
 * `loops` loops of a few random blocks each, scalar ones and SIMD ones, whose accesses move with steady strides most of
 * the time: to memory, to the window of all PEs, to that of one; with transfers, waits for them, operations between
 * PEs and core, sums, cross operations. Now and then an access goes to another window than before. Region "inner" is
 * around some, one at least. Begins the trace, of `pes` PEs.
 */
void array_random_loops(struct trace_maker *m, unsigned loops, unsigned pes, uint64_t seed);

#endif
