/* Rows of one size with additions and removals at the end only: in chunks, so that no row is ever copied. */
#ifndef PSIM_ANALYSIS_ROWS_H
#define PSIM_ANALYSIS_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum { ROWS_CHUNK_BITS = 5, ROWS_CHUNK = 1 << ROWS_CHUNK_BITS };

struct rows {
	char **chunk;
	uint32_t count, chunks;
};

static inline void *rows_at(const struct rows *r, size_t size, uint32_t i)
{
	return r->chunk[i >> ROWS_CHUNK_BITS] + size * (i & (ROWS_CHUNK - 1));
}

/* Adds a row of `size` bytes, unset; NULL and `e` if memory is short. */
void *rows_push(struct rows *r, size_t size, struct err *e);

/* Keeps only the first `count` rows. */
void rows_cut(struct rows *r, uint32_t count);
void rows_finish(struct rows *r);

#endif
