/* Small traces through the core with the pipe trace, for its tests. */
#ifndef PSIM_TESTS_PIPE_TRACE_RUN_H
#define PSIM_TESTS_PIPE_TRACE_RUN_H

#include "core_run.h"
#include "psim/pipe_trace/pipe_trace.h"
#include "psim/app/whole_core.h"

/*
 * Runs the trace as core_run_trace does, and returns what the pipe trace wrote of
 * `window` (NULL: everything), to be freed. `status`: of pipe_trace_finish's
 * error, 0 if it had none; NULL: an error ends the test program.
 */
char *pipe_trace_run(struct trace_maker *m, const char *const *overrides, enum pipe_trace_format format,
		     const struct pipe_trace_window *window, int *status);

#endif
