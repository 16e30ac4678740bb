/* Vectors of intervals: which share of its instructions each static block has, projected at random. */
#include "phase_vectors.h"

#include <inttypes.h>
#include <string.h>

#include "../psim/base/mem.h"
#include "../psim/base/rng.h"

enum { SEED = 2 };

struct phase_vectors *phase_vectors_create(uint64_t interval, FILE *sparse, struct err *e)
{
	struct phase_vectors *v = mem_alloc(1, sizeof(*v), e);

	if (v)
		*v = (struct phase_vectors){.interval = interval, .end = interval, .sparse = sparse};
	return v;
}

void phase_vectors_destroy(struct phase_vectors *v)
{
	if (!v)
		return;
	vec_finish(&v->rows);
	vec_finish(&v->blocks);
	vec_finish(&v->used);
	free(v);
}

/* Coordinates are uniform in -1 to 1, as SimPoint's are. */
static void make_direction(struct phase_block *b, uint64_t id)
{
	*b = (struct phase_block){.instructions = 0};
	for (unsigned d = 0; d < PHASE_DIMENSIONS; d++)
		b->direction[d] = 2 * rng_unit(SEED, id, d) - 1;
}

/* The entry of block `id`; NULL with `e` without memory. */
static struct phase_block *block_of(struct phase_vectors *v, uint32_t id, struct err *e)
{
	while (v->blocks.count <= id) {
		struct phase_block *b = vec_push(&v->blocks, e);

		if (!b)
			return NULL;
		make_direction(b, v->blocks.count - 1);
	}
	return &v->blocks.at[id];
}

int phase_vectors_end(struct phase_vectors *v, struct err *e)
{
	struct phase_row *row;

	if (!v->used.count)
		return 0;
	row = vec_push(&v->rows, e);
	if (!row)
		return -1;
	*row = (struct phase_row){.instructions = 0};
	for (size_t n = 0; n < v->used.count; n++)
		row->instructions += v->blocks.at[v->used.at[n]].instructions;
	for (size_t n = 0; n < v->used.count; n++) {
		struct phase_block *b = &v->blocks.at[v->used.at[n]];

		for (unsigned d = 0; d < PHASE_DIMENSIONS; d++)
			row->at[d] += b->direction[d] * (double)b->instructions / (double)row->instructions;
		if (v->sparse)
			fprintf(v->sparse, "%s:%" PRIu64 ":%" PRIu64 " ", n ? "" : "T", (uint64_t)v->used.at[n] + 1,
				b->instructions);
		b->instructions = 0;
	}
	if (v->sparse)
		fprintf(v->sparse, "\n");
	v->used.count = 0;
	return 0;
}

int phase_vectors_add(struct phase_vectors *v, const struct trace_block *b, struct err *e)
{
	struct phase_block *entry = block_of(v, b->id, e);

	if (!entry)
		return -1;
	if (v->seen >= v->end) {
		if (phase_vectors_end(v, e) < 0)
			return -1;
		v->end += v->interval;
	}
	if (!entry->instructions) {
		uint32_t *used = vec_push(&v->used, e);

		if (!used)
			return -1;
		*used = b->id;
	}
	entry->instructions += b->count;
	v->seen += b->count;
	return 0;
}
