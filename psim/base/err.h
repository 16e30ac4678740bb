/*
 * Errors as values.
 *
 * A function that can fail returns 0 (or a count) on success and a negative
 * number on failure, and takes a `struct err *` as its last argument, which it
 * fills on failure only. Libraries never print and never exit: a program's
 * main prints `program: <text>` and exits with `status`.
 *
 * The text is one line without a trailing newline, of the form
 * `file:place: what is wrong, what was expected`; place is a line number, a
 * byte offset (`offset 0x1234`), a key or a guest address.
 */
#ifndef PSIM_BASE_ERR_H
#define PSIM_BASE_ERR_H

#include <stdarg.h>

/* Exit statuses of every program of the suite (docs/programs/common.md). */
enum exit_status {
	STATUS_DONE = 0,      /* done */
	STATUS_FAILED = 1,    /* the run failed: I/O, memory, a host limit */
	STATUS_USAGE = 2,     /* usage or configuration */
	STATUS_BAD_INPUT = 3, /* an input file is wrong, damaged or hostile */
	STATUS_STUCK = 4,     /* the simulated program or network is stuck */
	STATUS_EXPECT = 5,    /* an expected figure is missed */
};

struct err {
	enum exit_status status;
	char text[1024]; /* always NUL-terminated; longer messages are cut, control characters are `?` */
};

/*
 * Fills `e` (NULL drops the message) and returns -1, so that a failing function can say `return
 * err_set(e, …);`.
 */
__attribute__((format(printf, 3, 4))) int err_set(struct err *e, enum exit_status status, const char *format, ...);

/* The same with a va_list. */
__attribute__((format(printf, 3, 0))) int err_vset(struct err *e, enum exit_status status, const char *format,
						   va_list ap);

/* Puts `prefix: ` before the text that `e` holds; returns -1. */
__attribute__((format(printf, 2, 3))) int err_prefix(struct err *e, const char *format, ...);

/*
 * Copies `e` to *first unless that has an error: of several outputs each is written, and a report is never lost because
 * another file fails.
 */
void err_keep_first(struct err *first, const struct err *e);

/* The end of several outputs: returns 0, or -1 with the first error of them in `e`. */
int err_of_first(struct err *e, const struct err *first);

/*
 * Returns the status for a failed call on an input file: STATUS_FAILED where errno says that the
 * host is short of something (memory, descriptors) or cannot read its disk, else `input`.
 */
enum exit_status err_errno(enum exit_status input);

/* Reports an internal error on stderr with file and line, and aborts. */
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
__attribute__((format(printf, 3, 4), noreturn)) void bug_at(const char *file, int line, const char *format, ...);

#endif
