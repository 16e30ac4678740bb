/*
 * Output files that are complete or absent.
 *
 * What is written goes to a file without a name (O_TMPFILE) in the folder of
 * the final one, or to `.name.PID` where the file system has no such files,
 * and gets its name when it is closed without error. A run that fails or is
 * killed leaves nothing under the final name, and an older file stays as it
 * was. `-` is standard output; a device or pipe is written directly.
 */
#ifndef PSIM_BASE_OUT_H
#define PSIM_BASE_OUT_H

#include <stdio.h>

#include "../err.h"

struct out;

/* Opens `path` for writing; NULL and `e` on error. */
struct out *out_create(const char *path, struct err *e);

/* The same; where the name ends in ".gz" what is written is compressed (gzip) on its way. */
struct out *out_create_gz(const char *path, struct err *e);

/*
 * Before a file is opened for writing: 0, or -1 with `e` if `path` is the regular file that
 * `input` names, which the output would replace. NULL and "-" are no files.
 */
int out_is_not(const char *path, const char *input, struct err *e);

/* The stream to write to; owned by `o`: not to be closed. */
FILE *out_file(struct out *o);

/* Its name for messages: the path, or "standard output". */
const char *out_name(const struct out *o);

/*
 * Flushes, looks for write errors (full disk), and gives the file its name. Frees `o` in any case. 0, or -1 with
 * `e` and nothing left behind.
 */
int out_close(struct out *o, struct err *e);

/* Drops what was written and frees `o` (NULL is allowed). */
void out_abort(struct out *o);

/*
 * Flushes `f` and looks for write errors. 0, or -1 with `e`. A pipe whose reader has gone is no error: it has
 * enough, as `head` has.
 */
int out_check(FILE *f, const char *name, struct err *e);

/* The message for a failed write to `name` (errno tells why); returns -1. */
int out_error(const char *name, struct err *e);

#endif
