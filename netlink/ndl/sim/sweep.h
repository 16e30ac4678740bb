/* Reads the loads of a sweep: "0.1", "0.1,0.2,0.4", "0.05:0.5:10" (ten points, both ends included). */
#ifndef PSIM_NETLINK_NDL_SWEEP_H
#define PSIM_NETLINK_NDL_SWEEP_H

#include "../../../psim/base/err.h"

enum { SWEEP_MAX = 256 };

/* Returns the number of loads written to load[SWEEP_MAX], or -1 with `e` (STATUS_USAGE). */
int sweep_read(const char *text, double load[SWEEP_MAX], struct err *e);

#endif
