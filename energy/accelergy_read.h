/*
 * Internal to energy: the reference tables of Accelergy (Wu, Emer and Sze, "Accelergy: an architecture-level energy
 * estimation methodology for accelerator designs", ICCAD 2019), YAML of version 0.3 and 0.4.
 */
#ifndef PSIM_ENERGY_ACCELERGY_READ_H
#define PSIM_ENERGY_ACCELERGY_READ_H

#include "../psim/base/err.h"

/*
 * Reads from a file the energy of a component's action, in pJ, or, without an action, its area, in um2. 0, or -1 with
 * `e`: the message begins with `path`. Actions of one name with unlike arguments have one energy, or are refused.
 */
int accelergy_read(const char *path, const char *component, const char *action, double *out, struct err *e);

#endif
