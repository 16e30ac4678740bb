#include "rows.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

/* Adds a chunk; the list's capacity is the next power of two. */
static int add_chunk(struct rows *r, size_t size, struct err *e)
{
	char *chunk;

	if ((r->chunks & (r->chunks - 1)) == 0) {
		char **list = mem_resize(r->chunk, r->chunks ? 2 * (size_t)r->chunks : 1, sizeof(*list), e);

		if (!list)
			return -1;
		r->chunk = list;
	}
	chunk = mem_alloc(ROWS_CHUNK, size, e);
	if (!chunk)
		return -1;
	r->chunk[r->chunks++] = chunk;
	return 0;
}

void *rows_push(struct rows *r, size_t size, struct err *e)
{
	if (r->count >> ROWS_CHUNK_BITS == r->chunks && add_chunk(r, size, e) < 0)
		return NULL;
	return rows_at(r, size, r->count++);
}

void rows_cut(struct rows *r, uint32_t count)
{
	uint32_t chunks = (count + ROWS_CHUNK - 1) >> ROWS_CHUNK_BITS, room = chunks ? 1 : 0;

	while (r->chunks > chunks)
		free(r->chunk[--r->chunks]);
	/* the capacity that add_chunk assumes: the next power of two */
	while (room && room < chunks)
		room *= 2;
	if (room) {
		char **list = mem_resize(r->chunk, room, sizeof(*list), NULL);

		r->chunk = list ? list : r->chunk;
	} else {
		free(r->chunk);
		r->chunk = NULL;
	}
	r->count = count;
}

void rows_finish(struct rows *r)
{
	rows_cut(r, 0);
}
