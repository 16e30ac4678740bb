/* Folders for files that nobody keeps. */
#ifndef PSIM_BASE_TEMPORARY_H
#define PSIM_BASE_TEMPORARY_H

#include <limits.h>

#include "err.h"

/*
 * Makes an empty folder, whose name begins with `name`, in $TMPDIR or else /tmp, and writes its path. The caller
 * calls temporary_remove. 0, or -1 with `e`.
 */
int temporary_folder(const char *name, char folder[PATH_MAX], struct err *e);

/* Removes the folder and the files `names` in it, as far as they are there. */
void temporary_remove(const char *folder, const char *const *names, unsigned count);

#endif
