/* Pools: pool.h. */
#include "pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

void pool_init(struct pool *p, size_t size)
{
	*p = (struct pool){.size = size, .made = 1}; /* row 0 means none */
}

void pool_finish(struct pool *p)
{
	for (uint32_t i = 0; i < p->chunks; i++)
		free(p->memory[i]);
	free(p->memory);
	free(p->origin);
	free(p->spare);
	pool_init(p, p->size);
}

/* Adds a chunk, and room to free all rows. */
static int pool_grow(struct pool *p, struct err *e)
{
	char *at;

	if (p->chunks == UINT32_MAX >> POOL_CHUNK_BITS)
		return err_set(e, STATUS_FAILED, "too many concurrent messages or requests, expected at most 2^32");
	if (p->chunks == p->chunk_room) {
		uint32_t room = p->chunk_room ? p->chunk_room * 2 : 16;
		char **memory = mem_resize(p->memory, room, sizeof(*memory), e);
		uintptr_t *origin;
		uint32_t *spare;

		if (!memory)
			return -1;
		p->memory = memory;
		origin = mem_resize(p->origin, room, sizeof(*origin), e);
		if (!origin)
			return -1;
		p->origin = origin;
		spare = mem_resize(p->spare, (size_t)room * POOL_CHUNK, sizeof(*spare), e);
		if (!spare)
			return -1;
		p->spare = spare;
		p->chunk_room = room;
	}
	at = mem_alloc(POOL_CHUNK * p->size + POOL_LINE, 1, e);
	if (!at)
		return -1;
	p->memory[p->chunks] = at;
	at += (POOL_LINE - (uintptr_t)at % POOL_LINE) % POOL_LINE;
	p->origin[p->chunks] = (uintptr_t)at - (uintptr_t)p->chunks * POOL_CHUNK * p->size;
	p->chunks++;
	return 0;
}

uint32_t pool_make(struct pool *p, struct err *e)
{
	if (p->made >> POOL_CHUNK_BITS >= p->chunks && pool_grow(p, e) < 0)
		return 0;
	return p->made++;
}

uint32_t pool_take(struct pool *p, struct err *e)
{
	bool again = p->spares > 0;
	uint32_t i = pool_get(p, e);

	if (again)
		memset(pool_at(p, i), 0, p->size);
	return i;
}
