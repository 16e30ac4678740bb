/*
 * Attributes of communicators, datatypes and windows (MPI 3.1, 6.7): each rank has its own. A key (keyval) has the
 * program's functions, which are called when an object is copied or an attribute deleted. Handles of objects are
 * indices, so that an attribute is named by kind of object, handle and key.
 */
#ifndef PSIM_VMPI_ATTRIBUTE_H
#define PSIM_VMPI_ATTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum object_kind { OBJECT_COMM, OBJECT_TYPE, OBJECT_WIN, OBJECT_FILE };

/* How the functions of a key are called: as C's, or as Fortran's with default or address integers. */
enum keyval_language { KEYVAL_C, KEYVAL_FORTRAN, KEYVAL_FORTRAN_ADDRESS };

/* Keys of the program follow the predefined ones (constants.def). */
enum { KEYVAL_FIRST = 64 };

typedef int keyval_copy(int object, int keyval, void *extra, void *value, void *copy, int *flag);
typedef int keyval_delete(int object, int keyval, void *value, void *extra);

struct keyval {
	enum object_kind kind;
	enum keyval_language language;
	bool freed; /* attributes with it stay */
	keyval_copy *copy;
	keyval_delete *delete;
	void *extra;
};

struct attribute {
	struct attribute *next; /* the latest first */
	enum object_kind kind;
	int object, keyval;
	void *value;
	bool fortran; /* Fortran has set it: an integer, of which C gets the address (MPI 3.1, 17.2.7) */
};

struct attributes {
	struct keyval *keyval;
	int count, room;
	struct attribute **of_rank; /* lists, by world rank */
	uint32_t ranks;
};

int attributes_create(struct attributes *a, uint32_t ranks, struct err *e);
void attributes_finish(struct attributes *a);

/* Returns the handle of a new key, 0 with `e`. */
int keyval_create(struct attributes *a, const struct keyval *k, struct err *e);
/* NULL: no key of the program of this kind; a freed one is found too. */
struct keyval *keyval_find(const struct attributes *a, enum object_kind kind, int handle);

/* The rank's attribute; NULL: not set. */
struct attribute *attribute_find(const struct attributes *a, uint32_t rank, enum object_kind kind, int object,
				 int keyval);
/* Adds an attribute that is not set. NULL with `e`. */
struct attribute *attribute_add(struct attributes *a, uint32_t rank, enum object_kind kind, int object, int keyval,
				struct err *e);
/* The latest attribute of the object; NULL: none. */
struct attribute *attribute_latest(const struct attributes *a, uint32_t rank, enum object_kind kind, int object);
/* Removes and frees an attribute of the rank. */
void attribute_remove(struct attributes *a, uint32_t rank, struct attribute *attribute);

/* Calls the key's functions. Return the program's code; copy sets *flag to whether the copy has the attribute. */
int keyval_call_copy(const struct keyval *k, int object, int handle, void *value, void **copy, int *flag);
int keyval_call_delete(const struct keyval *k, int object, int handle, void *value);

#endif
