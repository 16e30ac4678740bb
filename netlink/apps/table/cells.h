/* The cells of tables of times: which there are, kept as they are filled, written as a file. */
#ifndef PSIM_NETLINK_BSIM_CELLS_H
#define PSIM_NETLINK_BSIM_CELLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct machine;

/* Tables: 0 is p2p, then the collective operations in the order of ops.def. */
struct cell {
	unsigned table;
	uint32_t row; /* distance of p2p, ranks of collective operations */
	uint64_t bytes;
	int64_t ps; /* -1: not filled */
};
struct cells {
	struct cell *at; /* by table, row, bytes */
	size_t count, room;
};

/* "p2p", "barrier" … */
const char *cell_table(unsigned table);

/*
 * All cells of the lists (comma-separated; NULL: as --help says), none filled. -1 with `e`, STATUS_USAGE, where a list
 * makes no sense or the machine is too small.
 */
int cells_plan(struct cells *cells, const struct machine *m, const char *sizes, const char *ranks, const char *tables,
	       struct err *e);
void cells_finish(struct cells *cells);

/* One line that cells_read understands; it is flushed. */
void cell_write(const struct cell *c, FILE *out);
/* Fills those of the lines that are among the cells; stops at the first line that is none. */
void cells_read(struct cells *cells, FILE *in);

/* The tables, as docs/times-format.md has them. */
void cells_write(const struct cells *cells, FILE *out);

#endif
