/* Datatypes: datatype.h. */
#include "datatype.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../../../psim/base/mem.h"
#include "pairs.h"
#include "type_envelope.h"

static const size_t basic_sizes[BASIC_TYPES] = {
#define TYPE(name, ctype, class) [BASIC_##name] = sizeof(ctype),
#include "../api/constants.def"
#undef TYPE
};

static const int64_t basic_aligns[BASIC_TYPES] = {
#define TYPE(name, ctype, class) [BASIC_##name] = _Alignof(ctype),
#include "../api/constants.def"
#undef TYPE
};

/* The basic types of a pair (MPI 3.1, 5.9.4): each pair is a struct type of them, without the padding between. */
static const struct pair {
	int pair, value;
	size_t index_at;
	const char *name; /* those of Fortran begin with 2: two elements of one type */
} pairs[] = {
#define PAIR(name, of, ctype) {BASIC_##name, BASIC_##of, offsetof(struct ctype, index), #name},
#include "../api/constants.def"
#undef PAIR
};

static void datatype_add_block(struct type *t, const struct type_block *b);
static void finish_type(struct type *t);

static int make_pairs(struct types *t, struct err *e)
{
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct pair *p = &pairs[i];
		struct type *pair = &t->basic[p->pair];
		struct type_block *block = mem_alloc(2, sizeof(*block), e);

		if (!block)
			return -1;
		block[0] = (struct type_block){0, 1, 0, 1, &t->basic[p->value]};
		block[1] = (struct type_block){(int64_t)p->index_at, 1, 0, 1,
					       &t->basic[strncmp(p->name, "2", 1) == 0 ? p->value : BASIC_INT]};
		*pair = (struct type){.align = 1,
				      .users = 1,
				      .dense = true,
				      .committed = true,
				      .blocks = 2,
				      .block = block,
				      .handle = p->pair};
		datatype_add_block(pair, &block[0]);
		datatype_add_block(pair, &block[1]);
		finish_type(pair);
		pair->basic = p->pair;
	}
	return 0;
}

int types_create(struct types *t, struct err *e)
{
	*t = (struct types){.count = BASIC_TYPES, .room = 2 * BASIC_TYPES};
	t->at = mem_alloc((size_t)t->room, sizeof(struct type *), e);
	t->basic = mem_alloc(BASIC_TYPES, sizeof(struct type), e);
	if (!t->at || !t->basic)
		return -1;
	for (int i = 1; i < BASIC_TYPES; i++) {
		int64_t size = (int64_t)basic_sizes[i];

		t->basic[i] = (struct type){.size = size,
					    .ub = size,
					    .true_ub = size,
					    .align = basic_aligns[i],
					    .elements = 1,
					    .basic = i,
					    .users = 1,
					    .dense = true,
					    .committed = true,
					    .handle = i};
		t->at[i] = &t->basic[i];
	}
	for (int i = BASIC_LB; i <= BASIC_UB; i++) {
		struct type *bound = &t->basic[i];

		bound->size = bound->ub = bound->true_ub = bound->elements = 0;
		bound->lb_set = i == BASIC_LB;
		bound->ub_set = i == BASIC_UB;
		bound->dense = false;
	}
	return make_pairs(t, e);
}

void type_free(struct type *type)
{
	if (type->handle < BASIC_TYPES)
		return;
	for (unsigned i = 0; i < type->blocks; i++)
		type_drop(type->block[i].of);
	free(type->block);
	type_envelope_free(type->envelope);
	free(type->name);
	free(type);
}

void types_finish(struct types *t)
{
	for (int i = BASIC_TYPES; t->at && i < t->count; i++)
		if (t->at[i])
			type_drop(t->at[i]);
	for (int i = 0; t->basic && i < BASIC_TYPES; i++) {
		free(t->basic[i].block);
		free(t->basic[i].name);
	}
	free(t->at);
	free(t->basic);
	*t = (struct types){0};
}

/*
 * Widens the bounds of `t` by those of a block: the true bounds, and those that a resized type or a subarray in the
 * block has set (lb_marker and ub_marker of MPI 3.1, 4.1.7). If any bounds are set, only set bounds count.
 */
static void add_bounds(struct type *t, const struct type_block *b)
{
	const struct type *of = b->of;
	int64_t extent = of->ub - of->lb;
	/* extent of the origins of the block's elements */
	int64_t over = (b->count - 1) * b->stride, along = (b->length - 1) * extent;
	int64_t low = b->at + (over < 0 ? over : 0) + (along < 0 ? along : 0);
	int64_t high = b->at + (over > 0 ? over : 0) + (along > 0 ? along : 0);

	if (of->elements && (!t->elements || low + of->true_lb < t->true_lb))
		t->true_lb = low + of->true_lb;
	if (of->elements && (!t->elements || high + of->true_ub > t->true_ub))
		t->true_ub = high + of->true_ub;
	if (of->lb_set && (!t->lb_set || low + of->lb < t->lb))
		t->lb = low + of->lb;
	if (of->ub_set && (!t->ub_set || high + of->ub > t->ub))
		t->ub = high + of->ub;
	t->lb_set = t->lb_set || of->lb_set;
	t->ub_set = t->ub_set || of->ub_set;
	if (of->align > t->align)
		t->align = of->align;
}

/* Returns whether the bytes of one block are contiguous from b->at on. */
static bool block_is_row(const struct type_block *b)
{
	return b->of->dense && b->of->lb == 0 && (b->count == 1 || b->stride == b->length * b->of->size);
}

static void datatype_add_block(struct type *t, const struct type_block *b)
{
	bool first = t->elements == 0;

	if (b->count <= 0 || b->length <= 0)
		return;
	add_bounds(t, b);
	if (!b->of->elements) {
		t->dense = false;
		return;
	}
	t->dense = t->dense && block_is_row(b) && b->at == t->size;
	t->size += b->count * b->length * b->of->size;
	t->elements += b->count * b->length * b->of->elements;
	if (first)
		t->basic = b->of->basic;
	else if (t->basic != b->of->basic)
		t->basic = 0;
}

/*
 * Sets bounds that nobody has set: the true ones, padded to the alignment of the basic types (MPI 3.1, 4.1:
 * epsilon).
 */
static void finish_type(struct type *t)
{
	int64_t over;

	if (!t->lb_set)
		t->lb = t->true_lb;
	if (!t->ub_set) {
		over = (t->true_ub - t->lb) % t->align;
		t->ub = t->true_ub + (over > 0 ? t->align - over : -over);
	}
	t->dense = t->dense && t->lb == 0 && t->ub == t->size;
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

struct type *type_make(const struct type_block *blocks, unsigned count, struct err *e)
{
	struct type *type = mem_alloc(1, sizeof(*type), e);

	if (!type)
		return NULL;
	type->block = mem_alloc(count ? count : 1, sizeof(*blocks), e);
	if (!type->block) {
		free(type);
		return NULL;
	}
	type->handle = BASIC_TYPES;
	type->users = 1;
	type->blocks = count;
	type->align = 1;
	type->dense = true;
	for (unsigned i = 0; i < count; i++) {
		type->block[i] = blocks[i];
		blocks[i].of->users++;
		datatype_add_block(type, &blocks[i]);
	}
	finish_type(type);
	return type;
}

int type_create(struct types *t, const struct type_block *blocks, unsigned count, struct err *e)
{
	struct type *type = type_make(blocks, count, e);

	if (type && !new_handle(t, type, e)) {
		type_drop(type);
		return 0;
	}
	return type ? type->handle : 0;
}

int type_handle(struct types *t, struct type *type, struct err *e)
{
	int first = type->handle, handle = new_handle(t, type, e);

	type->handle = first;
	type->users += handle != 0;
	return handle;
}

void type_set_bounds(struct type *t, int64_t lb, int64_t ub)
{
	t->lb = lb;
	t->ub = ub;
	t->lb_set = t->ub_set = true;
	t->dense = t->dense && lb == 0 && ub == t->size;
}

/*
 * Counts basic elements in the first *bytes of at most `count` of `t`, and subtracts their bytes from *bytes. -1:
 * one is incomplete.
 */
static int64_t elements_of(const struct type *t, int64_t count, int64_t *bytes)
{
	int64_t whole = t->size ? *bytes / t->size : 0, n;

	if (whole > count)
		whole = count;
	*bytes -= whole * t->size;
	n = whole * t->elements;
	if (whole == count || !*bytes)
		return n;
	if (!t->blocks)
		return -1;
	for (unsigned i = 0; i < t->blocks && *bytes; i++) {
		const struct type_block *b = &t->block[i];
		int64_t more = b->count > 0 && b->length > 0 ? elements_of(b->of, b->count * b->length, bytes) : 0;

		if (more < 0)
			return -1;
		n += more;
	}
	return n;
}

bool type_is_beyond(const struct type *t, int64_t count)
{
	int64_t bytes, span, most = (int64_t)1 << 61;

	return __builtin_mul_overflow(t->size, count, &bytes) || __builtin_mul_overflow(t->ub - t->lb, count, &span) ||
	       bytes >> 60 || span > most || span < -most;
}

int64_t type_elements(const struct type *t, int64_t bytes)
{
	return t->size ? elements_of(t, INT64_MAX, &bytes) : 0;
}

void type_release(struct types *t, int handle)
{
	struct type *type = type_find(t, handle);

	if (!type || handle < BASIC_TYPES)
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
	uint64_t left; /* bytes left in the packed data */
	bool in;       /* direction: into the buffer */
};

/* Addresses are integers: a type with absolute addresses has BOTTOM as its buffer, a null pointer. */
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
	struct copy c = {packed, (uint64_t)(count * t->size), false};

	copy_type(&c, t, count, (uintptr_t)buffer);
}

void type_unpack(const struct type *t, int64_t count, void *buffer, const char *packed, uint64_t bytes)
{
	struct copy c = {(char *)(uintptr_t)packed, bytes, true};

	if (c.left > (uint64_t)(count * t->size))
		c.left = (uint64_t)(count * t->size);
	copy_type(&c, t, count, (uintptr_t)buffer);
}
