/*
 * Output files that are complete or absent.
 *
 * Data go to a file without a name (O_TMPFILE) in the folder of the final one, or to `.name.PID`
 * where the file system has no such files. The file gets its name when it is closed without error.
 * A run that fails or is killed leaves nothing under the final name, and an older file stays
 * unchanged. `-` is standard output; a device or pipe is written directly.
 */
#ifndef PSIM_BASE_OUT_H
#define PSIM_BASE_OUT_H

#include <stdio.h>

#include "../err.h"

struct out;

/* Opens `path` for writing; NULL and `e` on error. */
struct out *out_create(const char *path, struct err *e);

/* Opens `path` for writing; gzip-compresses the data if the name ends in ".gz". */
struct out *out_create_gz(const char *path, struct err *e);

/*
 * Checks, before a file is opened for writing, that it is not an input: 0, or -1 with `e` if `path`
 * is the regular file that `input` names. NULL and "-" are no files.
 */
int out_is_not(const char *path, const char *input, struct err *e);

/* Returns the stream to write to. `o` owns it: do not close it. */
FILE *out_file(struct out *o);

/* Returns the name for messages: the path, or "standard output". */
const char *out_name(const struct out *o);

/*
 * Flushes, checks for write errors (full disk), and gives the file its name. Frees `o` in any case.
 * 0, or -1 with `e` and no file left.
 */
int out_close(struct out *o, struct err *e);

/* Discards the data and frees `o` (NULL is allowed). */
void out_abort(struct out *o);

/*
 * Flushes `f` and checks for write errors. 0, or -1 with `e`. A pipe whose reader has closed it is
 * no error: the reader has enough, as `head` has.
 */
int out_check(FILE *f, const char *name, struct err *e);

/* Writes the message for a failed write to `name` from errno; returns -1. */
int out_error(const char *name, struct err *e);

#endif
