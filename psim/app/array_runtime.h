/* The part of the report that has compiled loops on the SIMD array. Internal to it. */
#ifndef PSIM_APP_ARRAY_RUNTIME_H
#define PSIM_APP_ARRAY_RUNTIME_H

#include "core_report.h"
#include "profile.h"

/*
 * Adds the group array_runtime: cycles in the routine of psim-cc and in its kernels, an estimate of the scalar loops,
 * and a note if these would take less than half as long. Nothing if the routine did not run.
 */
void array_runtime_report(const struct profile *p, const struct core *c, const struct core_config *cfg,
			  struct report *r);

#endif
