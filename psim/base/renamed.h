/*
 * Names of the last release that are still accepted: a key of the configuration, a number that --expect names, what a
 * stored report calls its values. `renamed.def` has them.
 */
#ifndef PSIM_BASE_RENAMED_H
#define PSIM_BASE_RENAMED_H

#include <stdbool.h>
#include <stddef.h>

struct renamed {
	const char *old, *present;
};

/* Returns the row of what had the name of these `length` bytes in the last release, or NULL. */
const struct renamed *renamed_find(const char *name, size_t length);

/*
 * Writes `path`, words with dots between, to `text`, each word by its present name. Returns whether one has another
 * name; false if there is no room for it.
 */
bool renamed_path(const char *path, char *text, size_t size);

#endif
