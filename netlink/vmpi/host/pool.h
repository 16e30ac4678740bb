/*
 * Rows of one size, named by index from 1 on, that stay where they are. Freed rows are used again, the last
 * one first.
 */
#ifndef PSIM_VMPI_POOL_H
#define PSIM_VMPI_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum { POOL_CHUNK_BITS = 10, POOL_CHUNK = 1 << POOL_CHUNK_BITS };

struct pool {
	char **chunk;
	uint32_t *spare; /* indices that were freed */
	size_t size;
	uint32_t chunks, chunk_room, spares, spare_room;
	uint32_t made; /* rows that exist */
};

void pool_init(struct pool *p, size_t size);
void pool_finish(struct pool *p);

/* A new row, zeroed: what pool_get does where no row is spare. */
uint32_t pool_make(struct pool *p, struct err *e);

/* A row with what its last use left in it, or zeroed; its index, or 0 with `e`. */
static inline uint32_t pool_get(struct pool *p, struct err *e)
{
	if (__builtin_expect(!p->spares, 0))
		return pool_make(p, e);
	return p->spare[--p->spares];
}

/* A zeroed row; its index, or 0 with `e`. */
uint32_t pool_take(struct pool *p, struct err *e);

static inline void pool_give(struct pool *p, uint32_t i)
{
	p->spare[p->spares++] = i;
}

/* Rows in use. */
static inline uint32_t pool_used(const struct pool *p)
{
	return p->made - 1 - p->spares;
}

static inline void *pool_at(const struct pool *p, uint32_t i)
{
	return p->chunk[i >> POOL_CHUNK_BITS] + (i & (POOL_CHUNK - 1)) * p->size;
}

#endif
