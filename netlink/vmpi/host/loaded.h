/* The program that the ranks run, and what of it and of its libraries each rank has for itself. */
#ifndef PSIM_VMPI_LOADED_H
#define PSIM_VMPI_LOADED_H

#include "gfortran.h"
#include "globals.h"
#include "library.h"
#include "output.h"

struct loaded {
	struct program *program; /* NULL: ranks run a body */
	uint8_t prefix;          /* enum call_prefix of its calls */
	struct globals globals, thread_locals, openmp;
	int (*openmp_threads)(void); /* of the running rank's team (omp_get_num_threads); NULL: no OpenMP */
	struct gfortran gfortran;
	struct library library;
	struct output output;
};

#endif
