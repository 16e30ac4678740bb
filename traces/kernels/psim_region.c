/* The markers as functions, for Fortran (psim_region.f90). */
#include "psim_region.h"

void psim_region_begin_c(const char *name);
void psim_region_end_c(const char *name);

void psim_region_begin_c(const char *name)
{
	psim_region_begin(name);
}

void psim_region_end_c(const char *name)
{
	psim_region_end(name);
}
