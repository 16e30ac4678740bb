/*
 * Tables of times: by a number (the distance of two nodes, the size of a communicator) and bytes,
 * read from a text file (docs/formats/times-format.md) and interpolated.
 *
 *     message-times 1
 *     hosts included               # optional: the times have the delays of a protocol (../protocol)
 *     table p2p
 *     bytes  0      1KiB   1MiB
 *     1      2us    3us    110us
 *     8      3us    4us    120us
 */
#ifndef PSIM_NETLINK_TIMES_H
#define PSIM_NETLINK_TIMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct times;       /* the tables of a file */
struct times_table; /* one of them */

/* NULL and `e`: STATUS_BAD_INPUT with FILE, and LINE where there is one. */
struct times *times_read(const char *path, struct err *e);
/* The same of a stream, whose name errors have. */
struct times *times_read_stream(FILE *in, const char *name, struct err *e);
void times_destroy(struct times *t); /* NULL is allowed */

/* Returns whether the file says that its times have the delays of hosts in them. */
bool times_with_hosts(const struct times *t);

/* The table of this name, or NULL. It lives as long as `t`. */
const struct times_table *times_find(const struct times *t, const char *name);

/* The tables in their order, their names, and the least and the largest number that one has a row for. */
unsigned times_count(const struct times *t);
const struct times_table *times_at_index(const struct times *t, unsigned i);
const char *times_name(const struct times_table *t);
double times_rows(const struct times_table *t, double *from);

/* Returns the number of rows or columns of a table; the number that a row is for; the bytes of a column. */
void times_shape(const struct times_table *t, unsigned *rows, unsigned *columns);
double times_row(const struct times_table *t, unsigned row);
double times_bytes(const struct times_table *t, unsigned column);

/* Draws all tables as SVG. */
void times_picture(const struct times *t, const char *title, FILE *out);

/*
 * Picoseconds, linear between the four neighbours. Before the first column and row and behind the
 * last row as there; behind the last column the time grows as between the last two, if it grows
 * there.
 */
int64_t times_at(const struct times_table *t, double row, double bytes);

/* Rows of communicators from which a time is taken. */
enum times_rows_taken {
	TIMES_BETWEEN, /* that of this size, or its neighbours of the same class */
	TIMES_NEAREST, /* the class has rows on one side only: the nearest */
	TIMES_OTHERS,  /* the class has no rows: those of the other one */
};

/*
 * The same for communicators of `ranks`. Their algorithms differ between powers of two and other numbers
 * (recursive doubling and halving begin with a round that folds the ranks beyond a power of two into it: R.
 * Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005), so
 * that a time is interpolated between rows of one class.
 */
int64_t times_at_ranks(const struct times_table *t, unsigned ranks, double bytes, enum times_rows_taken *taken);

#endif
