/*
 * INI files, section by section and value by value, each with its place.
 *
 * Comments begin with ; or # at the start of a line or after a blank; keys and
 * values lose the blanks at their ends. Control characters, lines of more than
 * 198 characters and lines that are neither [section] nor key = value are errors.
 */
#ifndef PSIM_BASE_INI_FILE_H
#define PSIM_BASE_INI_FILE_H

#include <stdio.h>

#include "../err.h"

struct ini_place {
	const char *path;
	unsigned line;
};

/* What is told of a file, in its order; 0 goes on, -1 with `e` ends the reading. */
struct ini_client {
	/* A line [name]. */
	int (*section)(void *user, const struct ini_place *at, const char *name, struct err *e);
	/* A line key = value; `section` is NULL before the first section. */
	int (*value)(void *user, const struct ini_place *at, const char *section, const char *key, const char *value,
		     struct err *e);
	void *user;
};

/*
 * Reads `file` (which stays open) to its end; `path` names it in messages. 0, or -1 with `e`,
 * STATUS_USAGE where the file is wrong.
 */
int ini_file_read(FILE *file, const char *path, const struct ini_client *client, struct err *e);

#endif
