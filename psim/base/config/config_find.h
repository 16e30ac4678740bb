/*
 * Files that come with the programs: processors, machines, networks, models. A name is a file beside the user first;
 * then one of the configurations of the build or the installation that the program is of, in their folder or in
 * those below it.
 */
#ifndef PSIM_BASE_CONFIG_FIND_H
#define PSIM_BASE_CONFIG_FIND_H

#include <limits.h>
#include <stddef.h>

/*
 * The file that `name` means: `name` itself, or `found` with the path of a configuration. A name that is absolute, that
 * begins with a dot, or that nothing has, stays as it is.
 */
const char *config_find(const char *name, char found[PATH_MAX]);

/* For the message that `name` cannot be opened: ", nor in FOLDER and its folders", or "" where only `name` counts. */
const char *config_find_places(const char *name, char text[PATH_MAX]);

#endif
