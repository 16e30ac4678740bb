/*
 * INI files, section by section and value by value, each with its place.
 *
 * Comments begin with ; or # at the start of a line, at the start of a value, or
 * after a blank in a value; keys and values lose the blanks at their ends. Control
 * characters, lines of more than 1000 characters and lines that are neither
 * [section] nor key = value (or key: value) are errors.
 */
#ifndef PSIM_BASE_INI_FILE_H
#define PSIM_BASE_INI_FILE_H

#include <stdio.h>

#include "../err.h"

struct ini_place {
	const char *path;
	unsigned line;
};

/* Callbacks for the lines of a file, in its order. They return 0 to go on, -1 with `e` to stop. */
struct ini_client {
	/* Called for a line [name]. */
	int (*section)(void *user, const struct ini_place *at, const char *name, struct err *e);
	/* Called for a line key = value; `section` is NULL before the first section. */
	int (*value)(void *user, const struct ini_place *at, const char *section, const char *key, const char *value,
		     struct err *e);
	void *user;
};

/*
 * Reads `file` to its end and leaves it open; `path` names it in messages. 0, or -1 with `e`,
 * STATUS_USAGE where the file is wrong.
 */
int ini_file_read(FILE *file, const char *path, const struct ini_client *client, struct err *e);

#endif
