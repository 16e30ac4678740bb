/*
 * How much longer each rank computes than the machine's models say: [machine] slowdown, times that of its node, from a
 * file or drawn, times a variation that is drawn for each computation.
 *
 *     slowdowns 1
 *     # node  factors of its ranks, in equal blocks
 *     0       1.07  1.015
 *     1       1.05  0.98
 */
#ifndef PSIM_VMPI_SLOWDOWNS_H
#define PSIM_VMPI_SLOWDOWNS_H

#include "../../../psim/base/report/report.h"
#include "../vmpi_config.h"
#include "world.h"

/* Sets each rank's factor, after the ranks have nodes. 0, or -1 with `e`: STATUS_BAD_INPUT with FILE:LINE. */
int slowdowns_set(struct vmpi *v, struct err *e);

/* Adds the factors to the group `program`, if ranks have several. */
void slowdowns_report(const struct vmpi *v, struct report *r);

#endif
