/*
 * Datatypes: what of a buffer belongs to a message. A type is basic or a tree of blocks of other types; a
 * handle is its place in the table, the basic ones first (constants.def). Bytes are copied in the order of
 * the type map (MPI 3.1, chapter 4).
 */
#ifndef PSIM_VMPI_DATATYPE_H
#define PSIM_VMPI_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum basic_type {
	BASIC_NONE,
#define TYPE(name, ctype, class) BASIC_##name,
#include "../api/constants.def"
#undef TYPE
	BASIC_COUNT,
};

/* `count` times, `stride` bytes apart: `length` elements of `of` in a row, the first at `at` bytes. */
struct type_block {
	int64_t at, count, stride, length;
	struct type *of;
};

struct type {
	int64_t size, lb, ub, true_lb, true_ub; /* bytes */
	int64_t align;                          /* bytes: of the basic type that needs most */
	int64_t elements;                       /* basic elements */
	int basic;                              /* enum basic_type of all of them, 0: of several */
	unsigned users;                         /* handles and types that stand on it */
	unsigned blocks;
	struct type_block *block;
	bool lb_set, ub_set; /* by a resized type or a subarray, its own or within */
	bool dense;          /* the data of any number in a row are a row of bytes */
	bool committed;
	int handle;
	unsigned tasks; /* nonblocking collectives that use the handle */
	bool released;  /* the program has given it up while some do */
};

struct types {
	struct type **at;   /* by handle; NULL where freed */
	struct type *basic; /* BASIC_COUNT of them */
	int count, room;
};

int types_create(struct types *t, struct err *e);
void types_finish(struct types *t);

/* The type of a handle, NULL if there is none. */
static inline struct type *type_find(const struct types *t, int handle)
{
	return handle > 0 && handle < t->count ? t->at[handle] : NULL;
}

/*
 * A new type of `count` blocks (their `of` are types of `t`, which then live as long as this one); bounds
 * as MPI has them. Its handle, or 0 with `e`.
 */
int type_create(struct types *t, const struct type_block *blocks, unsigned count, struct err *e);
/* Gives a new type bounds of the program's. */
void type_set_bounds(struct type *t, int64_t lb, int64_t ub);
/* Basic elements in `bytes` of data in a row of such types; -1: the last one is not whole. */
int64_t type_elements(const struct type *t, int64_t bytes);
/* The handle is gone; the type lives on while others stand on it. */
void type_release(struct types *t, int handle);

/* One more use of a type (of a message under way); type_drop ends it. Returns the type. */
static inline struct type *type_hold(struct type *t)
{
	t->users++;
	return t;
}

void type_free(struct type *t); /* nobody uses it any more; basic ones stay */
static inline void type_drop(struct type *t)
{
	if (!--t->users)
		type_free(t);
}

/* From a buffer into `packed`, which has room for count * size bytes. */
void type_pack(const struct type *t, int64_t count, const void *buffer, char *packed);
/* And back, `bytes` of them at most. */
void type_unpack(const struct type *t, int64_t count, void *buffer, const char *packed, uint64_t bytes);

#endif
