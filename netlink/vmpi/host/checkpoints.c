/* Checkpoints that ranks mark, by number: when the first and the last rank had saved its state. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "world.h"

/* Returns checkpoint `i`, which is added if it is the next one; NULL with v->err. */
static struct vmpi_checkpoint *checkpoint_at(struct vmpi *v, size_t i)
{
	struct vmpi_checkpoint *c;

	if (i < v->seen.checkpoints.count)
		return &v->seen.checkpoints.at[i];
	c = vec_push(&v->seen.checkpoints, &v->err);
	if (c)
		*c = (struct vmpi_checkpoint){.first = INT64_MAX};
	return c;
}

static void widen(struct vmpi_checkpoint *c, const struct vmpi_checkpoint *more)
{
	c->first = more->first < c->first ? more->first : c->first;
	c->last = more->last > c->last ? more->last : c->last;
	c->ranks += more->ranks;
}

int checkpoint_mark(struct vmpi *v, const struct rank *r)
{
	struct vmpi_checkpoint *c;

	if (!v->seen.marked)
		v->seen.marked = mem_alloc(v->size, sizeof(*v->seen.marked), &v->err);
	if (!v->seen.marked)
		rank_stop(v);
	if (v->seen.marked[r->world] == VMPI_CHECKPOINTS_MOST)
		return -1;
	c = checkpoint_at(v, v->seen.marked[r->world]++);
	if (!c)
		rank_stop(v);
	widen(c, &(struct vmpi_checkpoint){r->now, r->now, 1});
	return 0;
}

void checkpoints_finish(struct vmpi *v)
{
	vec_finish(&v->seen.checkpoints);
	free(v->seen.marked);
}

/* ---- several processes: their number, then the checkpoints ---- */

size_t checkpoints_results(const struct vmpi *v, void *out)
{
	uint64_t count = v->seen.checkpoints.count;
	size_t bytes = count * sizeof(v->seen.checkpoints.at[0]);

	if (out)
		memcpy(out, &count, sizeof(count));
	if (out && count)
		memcpy((char *)out + sizeof(count), v->seen.checkpoints.at, bytes);
	return sizeof(count) + bytes;
}

size_t checkpoints_add(struct vmpi *v, const void *results)
{
	const char *at = results;
	uint64_t count;

	memcpy(&count, at, sizeof(count));
	at += sizeof(count);
	for (size_t i = 0; i < count; i++) {
		struct vmpi_checkpoint more, *c = checkpoint_at(v, i);

		if (!c)
			return 0;
		memcpy(&more, at + i * sizeof(more), sizeof(more));
		widen(c, &more);
	}
	return sizeof(count) + count * sizeof(struct vmpi_checkpoint);
}

/* ---- vmpi.h ---- */

const struct vmpi_checkpoint *vmpi_checkpoints(const struct vmpi *v, size_t *count)
{
	*count = v->seen.checkpoints.count;
	return v->seen.checkpoints.at;
}
