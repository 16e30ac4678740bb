/* Reads a JSON object from a file. */
#ifndef PSIM_BASE_JSON_FILE_H
#define PSIM_BASE_JSON_FILE_H

#include <stdio.h>

#include <jansson.h>

#include "err.h"

/*
 * Reads the file at `path` ("-": standard input), which must hold one JSON object with unique keys;
 * `what` names it in messages ("a report"). The caller releases it with json_decref. NULL and `e`
 * on failure: STATUS_BAD_INPUT where the file is wrong, STATUS_FAILED where the host is short of
 * memory or cannot read.
 */
json_t *json_file_read(const char *path, const char *what, struct err *e);

/* The same of an open file, whose name is `path`; it stays open. */
json_t *json_file_load(FILE *file, const char *path, const char *what, struct err *e);

#endif
