/* The structures of MINLOC and MAXLOC (MPI 3.1, 5.9.4), and the C types that constants.def names. */
#ifndef PSIM_VMPI_PAIRS_H
#define PSIM_VMPI_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct pair_float_int {
	float value;
	int index;
};
struct pair_double_int {
	double value;
	int index;
};
struct pair_long_int {
	long value;
	int index;
};
struct pair_short_int {
	short value;
	int index;
};
struct pair_2int {
	int value;
	int index;
};
struct pair_long_double_int {
	long double value;
	int index;
};
struct pair_2float {
	float value, index;
};
struct pair_2double {
	double value, index;
};

/* LB and UB, which have no data: without a size in types_create. */
struct bound {
	char none;
};

#endif
