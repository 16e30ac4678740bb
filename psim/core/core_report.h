/* What psim prints of a run, as groups of a report. */
#ifndef PSIM_CORE_CORE_REPORT_H
#define PSIM_CORE_CORE_REPORT_H

#include "../base/report/report.h"
#include "core.h"

/*
 * Adds the run so far: group core (the figures that one looks at first) and the
 * tables cycle_parts, cycle_stack and, if there are any, regions and region_parts. `energy` may be
 * NULL: then without energy.
 */
void core_report(const struct core *c, const struct core_config *cfg, const struct energy_model *energy,
		 struct report *r);

/* Adds to an open group the low and high reading of energy and area, and the energy of off-chip memory. */
void core_report_readings(const struct energy_model *energy, const struct activity *a, struct report *r);

/* Parts of the machine that commit slots are charged to: the first are those used, the last those of no other part. */
enum { CORE_PARTS = 9 };
const char *core_part_name(unsigned part);
/* Commit slots of each; they add up to the width times the cycles of `s`. */
void core_part_slots(const struct core_stats *s, uint64_t slots[CORE_PARTS]);

/* Floating-point operations a second of a core: a multiply-add in each pipe (the PEs', if there are any) and cycle. */
double core_peak_flops(const struct core_config *cfg);

/*
 * Adds all counters: tables classes and occupancy, groups front_end, dispatch,
 * issue, load_store, commit, branch, memory.
 */
void core_report_counters(const struct core *c, const struct core_config *cfg, struct report *r);

/* Adds the group host: what depends on how the run was simulated. */
void core_report_host(const struct core *c, struct report *r);

/*
 * Adds the tables functions and loops, the `top` rows with the most commit slots,
 * and hot_loop, the instructions of the first of the loops. A loop is the code
 * from a branch's target to the last backward branch to it. 0, or -1 with `e`
 * without memory.
 */
int core_report_profile(const struct core *c, const struct core_config *cfg, const struct trace_info *info,
			unsigned top, struct report *r, struct err *e);

#endif
