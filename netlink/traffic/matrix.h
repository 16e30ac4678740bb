/*
 * A communication matrix: bytes and messages from every rank to every other, stored and written
 * sparsely. docs/formats/matrix-format.md describes the file.
 */
#ifndef PSIM_NETLINK_MATRIX_H
#define PSIM_NETLINK_MATRIX_H

#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct comm_matrix;

struct comm_matrix_entry {
	uint32_t src, dst;
	uint64_t bytes, messages;
};

/* Makes an empty matrix; NULL and `e` if memory is short. */
struct comm_matrix *comm_matrix_create(uint32_t ranks, struct err *e);
void comm_matrix_destroy(struct comm_matrix *m); /* NULL is allowed */

uint32_t comm_matrix_ranks(const struct comm_matrix *m);

/* Adds `messages` of `bytes` in all; src and dst below `ranks`. 0, or -1 with `e` if memory is short. */
int comm_matrix_add(struct comm_matrix *m, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t messages,
		    struct err *e);

/*
 * Returns all entries by source, then destination, and sets *count. Owned by `m`, valid until the
 * next addition. NULL with *count = 0 if there are none, NULL with another count if memory is
 * short.
 */
const struct comm_matrix_entry *comm_matrix_entries(struct comm_matrix *m, size_t *count);

/* Adds entries that comm_matrix_entries of another process has returned. 0, or -1 with `e` if memory is short. */
int comm_matrix_join(struct comm_matrix *m, const struct comm_matrix_entry *entries, size_t count, struct err *e);

/* Writes the file. 0, or -1 with `e`. */
int comm_matrix_write(struct comm_matrix *m, FILE *out, struct err *e);

/* Reads a matrix. NULL and `e` (STATUS_BAD_INPUT, with NAME:line). */
struct comm_matrix *comm_matrix_read(FILE *in, const char *name, struct err *e);

#endif
