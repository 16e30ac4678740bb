/* psim -j and --checkpoint: one trace in segments. Internal to the program. */
#ifndef PSIM_APP_SEGMENT_RUN_H
#define PSIM_APP_SEGMENT_RUN_H

#include "psim_run.h"

/*
 * Makes the plan of -j or --checkpoint, and reads the checkpoint. A run that cannot be cut is simulated by one process,
 * and a note says why. A checkpoint of such a run is of the whole: where its file is there, this process becomes that
 * run. 0, or -1 with `e`.
 */
int segment_run_plan(struct run *run, struct chip_options *o, int argc, char *const argv[], struct err *e);

/*
 * With a plan: simulates the trace on run->set.processes processes, and gives the chip the sum of what they count. 0:
 * all of the trace; 1: interrupted, and the counts are those of its begin; -1 with `e`.
 */
int segment_run(struct run *run, struct err *e);

#endif
