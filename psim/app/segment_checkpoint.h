/* The checkpoint of a run: its records so far. Internal to the program. */
#ifndef PSIM_APP_SEGMENT_CHECKPOINT_H
#define PSIM_APP_SEGMENT_CHECKPOINT_H

#include "psim_run.h"

/*
 * Begins the checkpoint of a run whose trace has `length` instructions, and reads it: with records, run->segments is
 * their plan, and run->segments.first the segment with which the run continues. 0, or -1 with `e`.
 */
int segment_checkpoint_read(struct run *run, uint64_t length, struct err *e);
/* Adds the facts of a run that is kept as a whole: its traces and configuration. 0, or -1 with `e`. */
int segment_checkpoint_facts(struct run *run, struct err *e);
/* Gives the checkpoint the plan alone. 0, or -1 with `e`. */
int segment_checkpoint_begin(struct run *run, struct err *e);

#endif
