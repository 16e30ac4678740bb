/*
 * From the trace to fetch: the present block and the one after it, because
 * where a block's control transfer went is told by the next block's address.
 */
#include <stdlib.h>

#include "core_state.h"

static int grow_profile(struct core *c, uint32_t need)
{
	uint32_t size = c->static_size ? c->static_size : 1024;
	struct core_profile *p;

	if (need <= c->static_size)
		return 0;
	while (size < need)
		size *= 2;
	p = realloc(c->profile, size * sizeof(*p));
	if (!p)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for the profile of %u instructions", size);
	c->profile = p;
	c->static_size = size;
	return 0;
}

/* Makes the table of a block that is seen for the first time. */
static int make_uops(struct core *c, struct trace_block *b)
{
	struct uop *u = malloc(b->count * sizeof(*u));

	if (c->block_count == c->block_size) {
		uint32_t size = c->block_size ? 2 * c->block_size : 256;
		struct uop **list = realloc(c->block_uops, size * sizeof(*list));
		if (!list) {
			free(u);
			return err_set(c->error, STATUS_FAILED, "core: out of memory for %u blocks", size);
		}
		c->block_uops = list;
		c->block_size = size;
	}
	if (!u)
		return err_set(c->error, STATUS_FAILED, "core: out of memory for a block");
	c->block_uops[c->block_count++] = u;
	if (grow_profile(c, c->static_count + b->count) < 0)
		return -1;
	for (uint32_t n = 0; n < b->count; n++) {
		uint64_t pc = b->pc + 4 * (uint64_t)n;

		if (!c->array && uop_needs_array(&b->insns[n]))
			return err_set(c->error, STATUS_BAD_INPUT, "0x%llx: an instruction of the SIMD array, "
				"expected none: the head of the trace says that the program uses no array",
				(unsigned long long)pc);
		c->profile[c->static_count] = (struct core_profile) { .pc = pc, .insn = &b->insns[n] };
		uop_make(&u[n], &b->insns[n], pc, c->static_count++, c->cfg);
	}
	b->user = u;
	return 0;
}

/* Fills `f` with the next block of the trace; block = NULL at its end. */
static int read_block(struct core *c, struct feed_block *f)
{
	struct trace_step step;
	int event;

	f->block = NULL;
	for (;;) {
		event = trace_next(c->feed.reader, &step, c->error);
		if (event < 0)
			return -1;
		if (event == TRACE_END)
			return 0;
		if (event == TRACE_RUN)
			break;
		if (region_mark(c, step.name, event == TRACE_REGION_BEGIN) < 0)
			return -1;
	}
	if (!step.block->user && make_uops(c, step.block) < 0)
		return -1;
	f->block = step.block;
	f->uops = step.block->user;
	memcpy(f->ea, step.ea, step.block->memory_count * sizeof(f->ea[0]));
	return 0;
}

void feed_advance(struct core *c)
{
	struct feed *f = &c->feed;
	struct feed_block *old = f->now;

	f->now = f->next;
	f->next = old;
	f->index = f->ea_index = 0;
	if (!f->now->block) {
		f->at_end = true;
		return;
	}
	if (read_block(c, f->next) < 0) {
		f->next->block = NULL;
		c->failed = true;
	}
}

int feed_create(struct core *c, struct err *e)
{
	struct feed *f = &c->feed;

	c->error = e;
	f->now = &f->buffer[0];
	f->next = &f->buffer[1];
	if (read_block(c, f->next) < 0)
		return -1;
	feed_advance(c);
	return c->failed ? -1 : 0;
}

void feed_destroy(struct core *c)
{
	for (uint32_t n = 0; n < c->block_count; n++)
		free(c->block_uops[n]);
	free(c->block_uops);
	free(c->profile);
}
