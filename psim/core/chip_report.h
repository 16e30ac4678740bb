/* What psim prints of a chip of several cores, as groups of a report. */
#ifndef PSIM_CORE_CHIP_REPORT_H
#define PSIM_CORE_CHIP_REPORT_H

#include "../base/report/report.h"
#include "chip.h"

/*
 * Adds the group chip (the figures of all cores together) and the table cores, a row
 * each. `energy`: of the whole chip; `core_energy`: of one core without L2.
 */
void chip_report(const struct chip *c, const struct core_config *cfg, const struct energy_model *energy,
		 const struct energy_model *core_energy, struct report *r);

/*
 * Adds the group useful: of the floating-point operations that were counted, the `flops` that the result needs, as
 * the user says. What is counted has every operation of every PE in it, with operands or without. 0, or -1 with
 * `e` (STATUS_USAGE) if fewer were counted.
 */
int chip_report_useful(const struct chip *c, const struct core_config *cfg, uint64_t flops, struct report *r,
		       struct err *e);

/*
 * The model of one core without the L2, for the sections of a chip's cores; as
 * energy_create.
 */
struct energy_model *chip_core_energy(const struct core_config *cfg, struct err *e);

#endif
