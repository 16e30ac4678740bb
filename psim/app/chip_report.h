/* Groups of psim's report for a chip of several cores. */
#ifndef PSIM_APP_CHIP_REPORT_H
#define PSIM_APP_CHIP_REPORT_H

#include "../base/report/report.h"
#include "../core/chip.h"

/*
 * Adds the group chip (the sums of all cores) and the table cores with a row for each.
 * `energy`: model of the whole chip; `core_energy`: model of one core without L2.
 */
void chip_report(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
		 const struct energy_model *core_energy, struct report *r);

/*
 * Adds the group useful: rates for the `flops` that the user states as necessary for the result. The counted
 * operations include those of PEs without useful operands. 0, or -1 with `e` (STATUS_USAGE) if fewer were counted.
 */
int chip_report_useful(const struct chip *c, const struct core_config *cfg, uint64_t flops, struct report *r,
		       struct err *e);

/*
 * Adds the table notes: units that the run did not use although `config`, from which `cfg` is, has them
 * (idle.def). Nothing if there are none. `copies`: several cores run the same trace.
 */
void chip_report_idle(const struct chip *c, const struct core_config *cfg, const struct config *config, bool copies,
		      struct report *r);

/*
 * Makes the model of one core without the L2, for the sections of a chip's cores; as
 * energy_create.
 */
struct energy_model *chip_core_energy(const struct core_config *cfg, struct err *e);

#endif
