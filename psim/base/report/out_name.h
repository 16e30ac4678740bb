/* Names of output files: where links lead, and whether two names mean one file. */
#ifndef PSIM_BASE_OUT_NAME_H
#define PSIM_BASE_OUT_NAME_H

#include "../err.h"

/*
 * Returns the path of the file that an output named `path` replaces, which the caller frees: that behind all symbolic
 * links, whether it exists or not. NULL and `e`: no memory, or links without an end.
 */
char *out_final_name(const char *path, struct err *e);

#endif
