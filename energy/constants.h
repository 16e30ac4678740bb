/* Internal to energy: a user's own constants, which a file gives. */
#ifndef PSIM_ENERGY_CONSTANTS_H
#define PSIM_ENERGY_CONSTANTS_H

#include <stdbool.h>

#include "energy.h"

enum { CONSTANTS_MAX = 64, CONSTANT_SOURCE_MAX = 160, PATH_CHARS = 512 };

/* Low and high are 0 where the factors of reading.def make them of the likely value. */
struct constant {
	char name[40], source[CONSTANT_SOURCE_MAX];
	double low, likely, high;
};
struct constants {
	unsigned count;
	double outside_nm; /* node of an output of CACTI for which the laws do not hold; 0: none */
	struct constant row[CONSTANTS_MAX];
};

/*
 * Reads machine->constants, if it names a file: sets the likely values and the ends of `machine`, and lists them in
 * `out`. 0, or -1 with `e`.
 */
int constants_read(struct energy_machine *machine, struct constants *out, struct err *e);

#endif
