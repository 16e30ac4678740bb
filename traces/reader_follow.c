/* A reader without a file: blocks of another reader, as copies of its own, and runs that are given. */
#include "reader.h"

#include "../psim/base/mem.h"

struct trace_reader *trace_follow(const struct trace_reader *leader, struct err *e)
{
	struct trace_reader *r = aligned_alloc(64, (sizeof(*r) + 63) / 64 * 64);

	if (!r) {
		mem_short(e);
		return NULL;
	}
	memset(r, 0, sizeof(*r));
	r->leader = leader;
	r->path = leader->path;
	r->info = leader->info;
	r->totals = leader->totals;
	r->totals_known = leader->totals_known;
	r->checksum = leader->checksum;
	return r;
}

void reader_follow_close(struct trace_reader *r)
{
	for (uint32_t n = 0; n < r->block_count; n++)
		free(r->blocks[n]);
	free(r->blocks);
	free(r);
}

void trace_follow_runs(struct trace_reader *r, const struct trace_run *runs, size_t count, const uint64_t *addresses)
{
	r->follow = runs;
	r->follow_count = count;
	r->follow_ea = addresses;
}

/* Makes room for as many blocks as the leader has. 0, or -1 with r->error. */
static int grow_own_blocks(struct trace_reader *r)
{
	const uint32_t count = r->leader->block_count;
	struct block **blocks = mem_resize(r->blocks, count, sizeof(struct block *), &r->error);

	if (!blocks)
		return -1;
	memset(blocks + r->block_count, 0, (count - r->block_count) * sizeof(struct block *));
	r->blocks = blocks;
	r->block_count = count;
	return 0;
}

/* The reader's own block with this id; NULL with r->error. */
static struct trace_block *own_block(struct trace_reader *r, uint32_t id)
{
	struct block *b;

	if (id >= r->block_count && grow_own_blocks(r) < 0)
		return NULL;
	b = r->blocks[id];
	if (!b) {
		b = r->blocks[id] = mem_alloc(1, sizeof(*b), &r->error);
		if (!b)
			return NULL;
		b->pub = r->leader->blocks[id]->pub;
		b->pub.user = NULL;
	}
	return &b->pub;
}

int reader_follow_next(struct trace_reader *r, struct trace_step *step)
{
	struct trace_block *b;

	if (!r->follow_count)
		return TRACE_END;
	b = own_block(r, r->follow->block);
	if (!b)
		return -1;
	step->block = b;
	step->ea = r->follow_ea;
	step->warm_up = r->follow->warm_up;
	r->position += b->count;
	r->follow_ea += b->memory_count;
	r->follow++;
	r->follow_count--;
	return TRACE_RUN;
}
