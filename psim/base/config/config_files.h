/* The configurations that come with the programs, for --list-configs. */
#ifndef PSIM_BASE_CONFIG_FILES_H
#define PSIM_BASE_CONFIG_FILES_H

#include <stdio.h>

#include "config.h"

/*
 * Writes a line for each installed configuration that `c` can read: its name as -c takes it, and the first line of the
 * file, which is a comment. `c` has the values of these files afterwards. 0, or -1 with `e` if the program belongs to
 * neither a build nor an installation.
 */
int config_list_files(struct config *c, FILE *out, struct err *e);

#endif
