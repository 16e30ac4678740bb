/* Types as bytes: a basic type is its number, another one has its blocks, each followed by the type of its elements. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "datatype.h"

struct type_record {
	int64_t lb, ub;
	uint32_t basic; /* handle of a basic type; 0: another one */
	uint32_t blocks;
	uint32_t lb_set, ub_set;
};
struct block_record {
	int64_t at, count, stride, length;
};

size_t type_write(const struct type *t, void *out)
{
	const bool basic = t->handle < BASIC_TYPES;
	const struct type_record r = {t->lb,     t->ub,    basic ? (uint32_t)t->handle : 0, basic ? 0 : t->blocks,
				      t->lb_set, t->ub_set};
	char *to = out;
	size_t bytes = sizeof(r);

	if (to)
		memcpy(to, &r, sizeof(r));
	for (unsigned i = 0; i < r.blocks; i++) {
		const struct type_block *b = &t->block[i];
		const struct block_record k = {b->at, b->count, b->stride, b->length};

		if (to)
			memcpy(to + bytes, &k, sizeof(k));
		bytes += sizeof(k);
		bytes += type_write(b->of, to ? to + bytes : NULL);
	}
	return bytes;
}

/* Reads the blocks; returns how many have a type: less than `count` if memory is short. */
static unsigned read_blocks(struct types *t, const char **at, struct type_block *blocks, unsigned count, struct err *e)
{
	for (unsigned i = 0; i < count; i++) {
		struct block_record k;

		memcpy(&k, *at, sizeof(k));
		*at += sizeof(k);
		blocks[i] = (struct type_block){k.at, k.count, k.stride, k.length, type_read(t, at, e)};
		if (!blocks[i].of)
			return i;
	}
	return count;
}

struct type *type_read(struct types *t, const char **at, struct err *e)
{
	struct type_record r;
	struct type_block *blocks;
	struct type *made = NULL;
	unsigned read;

	memcpy(&r, *at, sizeof(r));
	*at += sizeof(r);
	if (r.basic)
		return type_hold(&t->basic[r.basic]);
	blocks = mem_alloc(r.blocks ? r.blocks : 1, sizeof(*blocks), e);
	if (!blocks)
		return NULL;
	read = read_blocks(t, at, blocks, r.blocks, e);
	if (read == r.blocks)
		made = type_make(blocks, r.blocks, e);
	for (unsigned i = 0; i < read; i++)
		type_drop(blocks[i].of); /* the type holds them */
	free(blocks);
	if (made && r.lb_set && r.ub_set)
		type_set_bounds(made, r.lb, r.ub);
	return made;
}
