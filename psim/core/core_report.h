/* What psim prints of a run, as groups of a report. */
#ifndef PSIM_CORE_CORE_REPORT_H
#define PSIM_CORE_CORE_REPORT_H

#include "../base/report.h"
#include "core.h"

/*
 * Adds the groups core, cycle_stack, classes, dispatch, occupancy, memory,
 * branch and regions for the run so far.
 */
void core_report(const struct core *c, const struct core_config *cfg,
                 const struct energy_model *energy, struct report *r);

/*
 * Adds the tables functions and loops: the `top` rows with the most commit
 * slots. A loop is the code between a backward branch and its target. 0, or
 * -1 with `e` without memory.
 */
int core_report_profile(const struct core *c, const struct core_config *cfg,
                        const struct trace_info *info, unsigned top, struct report *r,
                        struct err *e);

#endif
