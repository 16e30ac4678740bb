/*
 * Reads loads of an open loop: "0.1"; "0.1,0.2,0.4"; "0.05:0.5:10", ten loads, both ends included; "0.05:1:0.05", from
 * 0.05 in steps of 0.05 up to 1: the third number is a step if it is below 1.
 */
#ifndef PSIM_NETLINK_LOADS_H
#define PSIM_NETLINK_LOADS_H

#include "../../psim/base/err.h"

enum { LOADS_MAX = 256 };

/* Returns the number of loads written to load[LOADS_MAX], or -1 with `e` (STATUS_USAGE). */
int loads_read(const char *text, double load[LOADS_MAX], struct err *e);

#endif
