/*
 * Finds files that come with the programs: processors, machines, networks, models. A name means a file relative to the
 * user's folder; if that does not exist, a configuration of the program's build or installation, in its folder of
 * configurations or in one below.
 */
#ifndef PSIM_BASE_CONFIG_FIND_H
#define PSIM_BASE_CONFIG_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes the folder of configurations; false if the program belongs to neither a build nor an installation. */
bool config_folder(char folder[PATH_MAX]);

/*
 * Returns the file that `name` means: `name` itself, or `found` with the path of a configuration. A name that is
 * absolute, begins with a dot or does not exist anywhere is returned unchanged.
 */
const char *config_find(const char *name, char found[PATH_MAX]);

/*
 * Writes the end of the message that `name` cannot be opened: ", nor in FOLDER and its folders", or "" if only `name`
 * is tried.
 */
const char *config_find_places(const char *name, char text[PATH_MAX]);

#endif
