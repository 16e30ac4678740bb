/* The loaded program: its entry point, its variables, and source places for messages. */
#ifndef PSIM_VMPI_PROGRAM_H
#define PSIM_VMPI_PROGRAM_H

#include "world.h"

void program_destroy(struct program *p); /* accepts NULL */

/* Returns the table of calls that programs get. */
const struct vmpi_calls *program_calls(void);

/* Runs the program on the current rank with a copy of its arguments; returns its exit status. */
int program_main(struct vmpi *v, struct rank *r);

/*
 * Destroys the C++ objects with static storage of the running rank, which exits. If ranks share their variables, only
 * the last one does.
 */
void program_destroy_objects(const struct vmpi *v);

#endif
