/*
 * The one door for files that programs write: complete or absent. tests/lint/door.py names the exceptions.
 *
 * Data go to a file without a name (O_TMPFILE) in the folder of the final one, or to `.name.PID`
 * where the file system has no such files. The file gets its name when it is closed without error.
 * A run that fails or is killed leaves nothing under the final name, and an older file stays
 * unchanged. A file that replaces an older one has its mode. A symbolic link stays: the file that it
 * names is written. `-` is standard output; a device or pipe is written directly.
 */
#ifndef PSIM_BASE_OUT_H
#define PSIM_BASE_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "../err.h"

struct out;

/*
 * Opens `path` for writing; NULL and `e` on error. Data are compressed by gzip if the name ends in ".gz"; names of
 * other compressed files are refused.
 */
struct out *out_create(const char *path, struct err *e);

/* Opens `path` for writing data that are compressed already. */
struct out *out_create_packed(const char *path, struct err *e);

/*
 * Checks, before a file is opened for writing, that it is not an input: 0, or -1 with `e` if `path`
 * is the regular file that `input` names. NULL and "-" are no files.
 */
int out_is_not(const char *path, const char *input, struct err *e);

/*
 * Returns whether two paths name one file, which exists or not: an output would replace the other. Character devices
 * take both, as /dev/null does; "-" is standard output.
 */
bool out_same(const char *a, const char *b);

/*
 * Checks, before a run, that `path` can be written, and leaves it as it is. A pipe is not opened: its reader would see
 * the end. 0, or -1 with `e`.
 */
int out_can_create(const char *path, struct err *e);

/* Copies the file `from`, which the caller made, to `to`; `program`: who may read the file may run it. 0, or -1. */
int out_copy(const char *from, const char *to, bool program, struct err *e);

/*
 * Opens a file that a run fills step by step, and that the next run continues: at its end, or without `keep` empty.
 * NULL and `e` on error, also where `path` is no regular file.
 */
FILE *out_journal(const char *path, bool keep, struct err *e);

/*
 * Makes an empty folder beside `path`, and returns its name, which the caller frees: a library fills it, and
 * out_folder_close gives it the name `path`. NULL and `e`: it cannot be made, or `path` exists.
 */
char *out_folder_create(const char *path, struct err *e);

/* Gives the folder its name. 0, or -1 with `e`: then the folder stays for the caller to empty and remove. */
int out_folder_close(const char *temporary, const char *path, struct err *e);

/* Removes a file that this program made and nobody keeps: a journal, a file or an empty folder of a temporary one. */
void out_remove(const char *path);

/* Returns whether the output is a file, which gets its name at the end: no pipe, device or standard output. */
bool out_is_file(const struct out *o);

/* Returns the stream to write to. `o` owns it: do not close it. */
FILE *out_file(struct out *o);

/*
 * Makes the file readable and writable by its user alone, writes what the stream has, and returns the file's
 * descriptor, to which the rest is written past the stream. -1 with `e`.
 */
int out_private(struct out *o, struct err *e);

/* Returns the name for messages: the path, or "standard output". */
const char *out_name(const struct out *o);

/*
 * Flushes, checks for write errors (full disk), and gives the file its name. Frees `o` in any case.
 * 0, or -1 with `e` and no file left.
 */
int out_close(struct out *o, struct err *e);

/* As out_close, and the data are on the disk before the file has its name: a host that fails leaves the older file. */
int out_close_on_disk(struct out *o, struct err *e);

/*
 * Discards the data, frees `o`, and returns -1. `e` has an error of what wrote the data; a failed write replaces it by
 * the file and the cause.
 */
int out_fail(struct out *o, struct err *e);

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
