/*
 * Small traces for tests, from arrays of instruction words.
 *
 *     static const uint32_t loop[] = {0x82006001, 0x80a06064, …};
 *     struct trace_maker m;
 *     trace_maker_start(&m, NULL);
 *     trace_maker_loop(&m, 0x10000, loop, 5, 100, NULL, NULL);
 *     struct trace_reader *r = trace_maker_open(&m);
 *     …
 *     trace_close(r);
 *     trace_maker_finish(&m);
 *
 * A failure of the host (no room in /tmp) ends the test program.
 */
#ifndef PSIM_TESTS_TRACE_MAKER_H
#define PSIM_TESTS_TRACE_MAKER_H

#include "traces/trace.h"

enum { TRACE_MAKER_BLOCKS = 8200, TRACE_MAKER_PATH = 64 };

struct trace_maker {
	struct trace_writer *writer; /* for calls that this helper does not wrap */
	char path[TRACE_MAKER_PATH];
	bool simd; /* mode of the following blocks; needs an info with PEs */
	unsigned block_count;
	struct trace_maker_block { /* blocks declared; each is declared once */
		uint64_t pc;
		unsigned count;
		bool simd;
		uint32_t words[TRACE_BLOCK_MAX];
	} * blocks;
};

/* Begins a trace in a temporary file; `info` NULL: a program "test" without symbols. */
void trace_maker_start(struct trace_maker *m, const struct trace_info *info);

/*
 * Adds one execution of the block at pc. `ea` has the addresses of its instructions (insn_address_count) in order;
 * NULL: all are 0x100000.
 */
void trace_maker_run(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count, const uint64_t *ea);

/*
 * Adds `times` executions of the same block; its k-th address begins at ea[k] and grows by stride[k] each time (NULL:
 * 0x100000 and 0).
 */
void trace_maker_loop(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count, uint64_t times,
		      const uint64_t *ea, const int64_t *stride);

/*
 * A straight run of any length, cut into blocks after each delay slot, simdon and
 * simdoff (which set `simd`) and at TRACE_BLOCK_MAX as the recorder does; branches are not taken, or go to the next
 * instruction. `ea` as in trace_maker_run, for the whole.
 */
void trace_maker_straight(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count,
			  const uint64_t *ea);

/* Ends the trace with exit status 0 and opens it for reading; further calls open it again. */
struct trace_reader *trace_maker_open(struct trace_maker *m);

/* Removes the file of the trace. */
void trace_maker_finish(struct trace_maker *m);

#endif
