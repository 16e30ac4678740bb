/* Description of a trace: program, size, checksum. */
#ifndef PSIM_TRACES_VIEW_SUMMARY_H
#define PSIM_TRACES_VIEW_SUMMARY_H

#include "../../psim/base/report/report.h"
#include "../trace.h"

/* Adds the values to the open group. `complete`: the whole file was read in order. */
void summary_report(const struct trace_reader *t, const char *path, bool complete, struct report *r);

#endif
