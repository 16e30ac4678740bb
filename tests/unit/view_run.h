/* Small traces through the core with the pipeline view, for its tests. */
#ifndef PSIM_TESTS_VIEW_RUN_H
#define PSIM_TESTS_VIEW_RUN_H

#include "core_run.h"
#include "psim/view/pipeview.h"
#include "psim/app/whole_core.h"

/*
 * Runs the trace as core_run_trace does, and returns what the view wrote of
 * `window` (NULL: everything), to be freed. `status`: of pipeview_finish's
 * error, 0 if it had none; NULL: an error ends the test program.
 */
char *view_run(struct trace_maker *m, const char *const *overrides, enum view_format format,
	       const struct view_window *window, int *status);

#endif
