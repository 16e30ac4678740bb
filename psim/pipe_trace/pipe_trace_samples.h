/*
 * Short windows of the pipeline from all of a run, for pictures of places that are known at its end only, as the
 * hottest loops are. The windows have equal distances in time: when all are full, every other one is dropped and the
 * distance doubles, so the run's length need not be known.
 */
#ifndef PSIM_PIPE_TRACE_SAMPLES_H
#define PSIM_PIPE_TRACE_SAMPLES_H

#include "pipe_trace_stages.h"

enum { PIPE_TRACE_SAMPLES = 32, PIPE_TRACE_SAMPLE_LENGTH = 96 }; /* windows, instructions of each */

/* A committed instruction and its stages. */
struct pipe_trace_kept {
	struct pipe_trace_record record; /* `insn` is the core's */
	struct pipe_trace_stages stages;
};

struct pipe_trace_samples;

/* NULL and `e` without memory. */
struct pipe_trace_samples *pipe_trace_samples_create(struct err *e);
void pipe_trace_samples_destroy(struct pipe_trace_samples *s); /* NULL is allowed */

/* Returns whether pipe_trace_samples_add is due for this committed instruction. */
bool pipe_trace_samples_want(struct pipe_trace_samples *s, const struct pipe_trace_record *r);
void pipe_trace_samples_add(struct pipe_trace_samples *s, const struct pipe_trace_record *r,
			    const struct pipe_trace_stages *stages);

/*
 * The window with the most instructions in [from, to), of several the one next to the middle of the run. Returns its
 * instructions from the first at `from` on, or if that is not there from the first in [from, to) on, and stores their
 * number; NULL and 0 if no window has one.
 */
const struct pipe_trace_kept *pipe_trace_samples_of(const struct pipe_trace_samples *s, uint64_t from, uint64_t to,
						    unsigned *count);

#endif
