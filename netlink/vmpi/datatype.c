/* Datatypes: datatype.h. */
#include "datatype.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../../psim/base/mem.h"
#include "pairs.h"

static const size_t basic_sizes[BASIC_COUNT] = {
#define TYPE(name, ctype, class) [BASIC_##name] = sizeof(ctype),
#include "constants.def"
#undef TYPE
};

int types_create(struct types *t, struct err *e)
{
	*t = (struct types){ .count = BASIC_COUNT, .room = 2 * BASIC_COUNT };
	t->at = mem_alloc((size_t)t->room, sizeof(struct type *), e);
	t->basic = mem_alloc(BASIC_COUNT, sizeof(struct type), e);
	if (!t->at || !t->basic)
		return -1;
	for (int i = 1; i < BASIC_COUNT; i++) {
		int64_t size = (int64_t)basic_sizes[i];

		t->basic[i] = (struct type){ .size = size, .ub = size, .true_ub = size, .elements = 1, .basic = i,
		                             .users = 1, .dense = true, .committed = true, .handle = i };
		t->at[i] = &t->basic[i];
	}
	return 0;
}

void type_free(struct type *type)
{
	if (type->handle < BASIC_COUNT)
		return;
	for (unsigned i = 0; i < type->blocks; i++)
		type_drop(type->block[i].of);
	free(type->block);
	free(type);
}

void types_finish(struct types *t)
{
	for (int i = BASIC_COUNT; t->at && i < t->count; i++)
		if (t->at[i])
			type_drop(t->at[i]);
	free(t->at);
	free(t->basic);
	*t = (struct types){ 0 };
}

/* Widens the bounds of `t` by those of a block. */
static void add_bounds(struct type *t, const struct type_block *b, bool first)
{
	int64_t extent = b->of->ub - b->of->lb;
	/* how far the origins of the block's elements reach */
	int64_t over = (b->count - 1) * b->stride, along = (b->length - 1) * extent;
	int64_t low = b->at + (over < 0 ? over : 0) + (along < 0 ? along : 0);
	int64_t high = b->at + (over > 0 ? over : 0) + (along > 0 ? along : 0);
	int64_t lb = low + b->of->lb, ub = high + b->of->ub;
	int64_t true_lb = low + b->of->true_lb, true_ub = high + b->of->true_ub;

	if (first || lb < t->lb)
		t->lb = lb;
	if (first || ub > t->ub)
		t->ub = ub;
	if (first || true_lb < t->true_lb)
		t->true_lb = true_lb;
	if (first || true_ub > t->true_ub)
		t->true_ub = true_ub;
}

/* Are the bytes of one block a row, from b->at on? */
static bool block_is_row(const struct type_block *b)
{
	return b->of->dense && b->of->lb == 0 && (b->count == 1 || b->stride == b->length * b->of->size);
}

static void add_block(struct type *t, const struct type_block *b)
{
	bool first = t->elements == 0;

	if (b->count <= 0 || b->length <= 0)
		return;
	add_bounds(t, b, first);
	t->dense = t->dense && block_is_row(b) && b->at == t->size;
	t->size += b->count * b->length * b->of->size;
	t->elements += b->count * b->length * b->of->elements;
	if (first)
		t->basic = b->of->basic;
	else if (t->basic != b->of->basic)
		t->basic = 0;
}

static int new_handle(struct types *t, struct type *type, struct err *e)
{
	if (t->count == t->room) {
		struct type **at = mem_resize(t->at, (size_t)t->room * 2, sizeof(*at), e);

		if (!at)
			return 0;
		t->at = at;
		t->room *= 2;
	}
	type->handle = t->count;
	t->at[t->count] = type;
	return t->count++;
}

int type_create(struct types *t, const struct type_block *blocks, unsigned count, struct err *e)
{
	struct type *type = mem_alloc(1, sizeof(*type), e);

	if (!type)
		return 0;
	type->block = mem_alloc(count ? count : 1, sizeof(*blocks), e);
	if (!type->block || !new_handle(t, type, e)) {
		free(type->block);
		free(type);
		return 0;
	}
	type->users = 1;
	type->blocks = count;
	type->dense = true;
	for (unsigned i = 0; i < count; i++) {
		type->block[i] = blocks[i];
		blocks[i].of->users++;
		add_block(type, &blocks[i]);
	}
	type->dense = type->dense && type->lb == 0 && type->ub == type->size;
	return type->handle;
}

void type_release(struct types *t, int handle)
{
	struct type *type = type_find(t, handle);

	if (!type || handle < BASIC_COUNT)
		return;
	type->released = true;
	if (type->tasks)
		return;
	t->at[handle] = NULL;
	type_drop(type);
}

/* ---- copying ---- */

struct copy {
	char *packed;
	uint64_t left; /* bytes of it */
	bool in;       /* into the buffer */
};

/* Addresses are numbers: with absolute ones in the type the buffer is BOTTOM, a null pointer. */
static void copy_row(struct copy *c, uintptr_t buffer, uint64_t bytes)
{
	if (bytes > c->left)
		bytes = c->left;
	if (!bytes)
		return;
	if (c->in)
		memcpy((char *)buffer, c->packed, bytes);
	else
		memcpy(c->packed, (char *)buffer, bytes);
	c->packed += bytes;
	c->left -= bytes;
}

static void copy_type(struct copy *c, const struct type *t, int64_t count, uintptr_t buffer)
{
	if (t->dense) {
		copy_row(c, buffer, (uint64_t)(count * t->size));
		return;
	}
	for (int64_t n = 0; n < count && c->left; n++, buffer += (uintptr_t)(t->ub - t->lb))
		for (unsigned i = 0; i < t->blocks; i++) {
			const struct type_block *b = &t->block[i];

			for (int64_t k = 0; k < b->count && b->length > 0; k++)
				copy_type(c, b->of, b->length, buffer + (uintptr_t)(b->at + k * b->stride));
		}
}

void type_pack(const struct type *t, int64_t count, const void *buffer, char *packed)
{
	struct copy c = { packed, (uint64_t)(count * t->size), false };

	copy_type(&c, t, count, (uintptr_t)buffer);
}

void type_unpack(const struct type *t, int64_t count, void *buffer, const char *packed, uint64_t bytes)
{
	struct copy c = { (char *)(uintptr_t)packed, bytes, true };

	if (c.left > (uint64_t)(count * t->size))
		c.left = (uint64_t)(count * t->size);
	copy_type(&c, t, count, (uintptr_t)buffer);
}
