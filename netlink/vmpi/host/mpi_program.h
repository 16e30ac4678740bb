/* The loaded program: its entry point, its variables, and source places for messages. */
#ifndef PSIM_VMPI_PROGRAM_H
#define PSIM_VMPI_PROGRAM_H

#include "world.h"

void program_destroy(struct program *p); /* accepts NULL */

/* Constructs the current rank's objects, runs the program with a copy of its arguments, and returns its exit status. */
int program_main(struct vmpi *v, struct rank *r);

#endif
