/*
 * A pool of rows of one size. Rows are named by index from 1 on and do not move. Freed rows are reused, the last one
 * first. The rows of a chunk begin at a cache line.
 */
#ifndef PSIM_VMPI_POOL_H
#define PSIM_VMPI_POOL_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum { POOL_CHUNK_BITS = 10, POOL_CHUNK = 1 << POOL_CHUNK_BITS, POOL_LINE = 64 };

struct pool {
	/* by chunk: the address that row 0 would have if all rows were beside those of the chunk; its memory */
	uintptr_t *origin;
	char **memory;
	uint32_t *spare; /* indices of freed rows */
	size_t size;
	uint32_t chunks, chunk_room, spares, spare_room;
	uint32_t made; /* rows allocated */
};

void pool_init(struct pool *p, size_t size);
void pool_finish(struct pool *p);

/* Allocates a zeroed row; the slow path of pool_get. */
uint32_t pool_make(struct pool *p, struct err *e);

/* Returns the index of a row that is zeroed or has the values of its last use; 0 with `e`. */
static inline uint32_t pool_get(struct pool *p, struct err *e)
{
	if (__builtin_expect(!p->spares, 0))
		return pool_make(p, e);
	return p->spare[--p->spares];
}

/* Returns the index of a zeroed row; 0 with `e`. */
uint32_t pool_take(struct pool *p, struct err *e);

static inline void pool_give(struct pool *p, uint32_t i)
{
	assert(i && i < p->made && p->spares + 1 < p->made); /* a row in use */
	p->spare[p->spares++] = i;
}

/* The number of rows in use. */
static inline uint32_t pool_used(const struct pool *p)
{
	return p->made - 1 - p->spares;
}

static inline void *pool_at(const struct pool *p, uint32_t i)
{
	return (void *)(p->origin[i >> POOL_CHUNK_BITS] + i * p->size);
}

#endif
