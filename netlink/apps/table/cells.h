/* Cells of tables of times: their list, their storage in a file as they are filled, and the table file. */
#ifndef PSIM_NETLINK_BSIM_CELLS_H
#define PSIM_NETLINK_BSIM_CELLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct machine;

/* Tables: 0 is p2p, followed by the collective operations in the order of collective_ops.def. */
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
 * Makes all cells of the lists (comma-separated; NULL: the defaults of --help), none of them filled. 0, or -1 with
 * `e`, STATUS_USAGE, if a list is invalid or the machine is too small.
 */
int cells_plan(struct cells *cells, const struct machine *m, const char *sizes, const char *ranks, const char *tables,
	       struct err *e);
void cells_finish(struct cells *cells);

/* Writes a filled cell as one line for cells_read, and flushes it. */
void cell_write(const struct cell *c, FILE *out);
/* Fills cells from lines of cell_write; stops at the first invalid line. */
void cells_read(struct cells *cells, FILE *in);

/* Writes the tables in the format of docs/formats/times-format.md. */
void cells_write(const struct cells *cells, FILE *out);

#endif
