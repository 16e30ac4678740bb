/* The host's cores. */
#ifndef PSIM_BASE_CORES_H
#define PSIM_BASE_CORES_H

/*
 * Returns the number of cores that this process may use, at least 1. A batch system or taskset(1) may have bound it to
 * some of the host's.
 */
unsigned cores_allowed(void);

#endif
