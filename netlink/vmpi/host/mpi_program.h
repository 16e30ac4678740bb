/* The loaded program: its entry, its segment of variables, and places in it for messages. */
#ifndef PSIM_VMPI_PROGRAM_H
#define PSIM_VMPI_PROGRAM_H

#include "world.h"

void program_destroy(struct program *p); /* NULL is allowed */

/* Runs the program on the current rank, with arguments of its own; returns its exit status. */
int program_main(struct vmpi *v, struct rank *r);

#endif
