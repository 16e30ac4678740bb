/*
 * Datatypes: which bytes of a buffer belong to a message. A type is basic or a tree of blocks of other types. A
 * handle is an index into the table, which begins with the basic types (constants.def). Bytes are copied in the
 * order of the type map (MPI 3.1, chapter 4).
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
	BASIC_TYPES,
};

/* `count` blocks, `stride` bytes apart, of `length` contiguous elements of `of`; the first is at `at` bytes. */
struct type_block {
	int64_t at, count, stride, length;
	struct type *of;
};

struct type {
	int64_t size, lb, ub, true_lb, true_ub; /* bytes */
	int64_t align;                          /* bytes: the strictest of the basic types */
	int64_t elements;                       /* basic elements */
	int basic;                              /* enum basic_type of all elements, 0: several types */
	unsigned users;                         /* handles and types that refer to it */
	unsigned blocks;
	struct type_block *block;
	bool lb_set, ub_set; /* by a resized type or a subarray, its own or nested */
	bool dense;          /* data of any number of contiguous elements are contiguous bytes */
	bool committed;
	int handle;
	unsigned tasks;                 /* nonblocking collectives that use the handle */
	bool released;                  /* the program freed it while collectives used it */
	char *name;                     /* that the program gave it; NULL: none */
	struct type_envelope *envelope; /* how the program made it (type_envelope.h); NULL: a basic type */
};

struct types {
	struct type **at;   /* by handle; NULL: freed */
	struct type *basic; /* BASIC_TYPES of them */
	int count, room;
};

int types_create(struct types *t, struct err *e);
void types_finish(struct types *t);

/* Finds the type of a handle; NULL: unknown. */
static inline struct type *type_find(const struct types *t, int handle)
{
	return (unsigned)handle < (unsigned)t->count ? t->at[handle] : NULL; /* 0 is none */
}

/*
 * Makes a type of `count` blocks and holds the types that these refer to. Bounds are as MPI defines them. Returns
 * its handle, 0 with `e`.
 */
int type_create(struct types *t, const struct type_block *blocks, unsigned count, struct err *e);
/* The same for a type without a handle, which has one user; NULL with `e`. */
struct type *type_make(const struct type_block *blocks, unsigned count, struct err *e);
/* Returns one more handle of a type, which counts as a use; 0 with `e`. */
int type_handle(struct types *t, struct type *type, struct err *e);
/* Sets the program's bounds of a new type. */
void type_set_bounds(struct type *t, int64_t lb, int64_t ub);
/* Returns whether `count` elements, 0 or more, are too many: of 2^60 bytes or more, or spread over 2^61. */
bool type_is_beyond(const struct type *t, int64_t count);
/* Basic elements in `bytes` of contiguous data of the type; -1: the last element is incomplete. */
int64_t type_elements(const struct type *t, int64_t bytes);
/* Frees the handle; the type lives while others refer to it. */
void type_release(struct types *t, int handle);

/* Adds a use of a type, for example of a message in flight; type_drop ends it. Returns the type. */
static inline struct type *type_hold(struct type *t)
{
	t->users++;
	return t;
}

void type_free(struct type *t); /* frees a type without users; basic types stay */
static inline void type_drop(struct type *t)
{
	if (!--t->users)
		type_free(t);
}

/* ---- type_record.c: types for another process ---- */
/* Writes a type to `out` (NULL: nothing); returns its bytes, a multiple of 8. */
size_t type_write(const struct type *t, void *out);
/* Makes it of what type_write has written at *at, and moves *at to the end. The result is held; NULL with `e`. */
struct type *type_read(struct types *t, const char **at, struct err *e);

/* Packs from a buffer into `packed`, which has room for count * size bytes. */
void type_pack(const struct type *t, int64_t count, const void *buffer, char *packed);
/* Unpacks at most `bytes`. */
void type_unpack(const struct type *t, int64_t count, void *buffer, const char *packed, uint64_t bytes);

#endif
