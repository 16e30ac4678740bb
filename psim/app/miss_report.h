/* Branches that are mispredicted and loads that miss, by instruction and by source line. Internal to the report. */
#ifndef PSIM_APP_MISS_REPORT_H
#define PSIM_APP_MISS_REPORT_H

#include "../base/report/report.h"
#include "profile.h"

/*
 * Adds the tables branches, load_misses and, of a program with lines, line_misses: at most `top` rows each, most misses
 * first. The run has details.
 */
int miss_report(const struct profile *p, uint64_t instructions, unsigned top, struct report *r, struct err *e);

#endif
