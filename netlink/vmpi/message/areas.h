/* Areas of buffers: whether the elements of two buffers share bytes of memory. */
#ifndef PSIM_VMPI_AREAS_H
#define PSIM_VMPI_AREAS_H

#include "../objects/datatype.h"

/* `count` elements of a type, from element `at` of a buffer on. */
struct area {
	const void *buf;
	int64_t at, count;
	const struct type *type;
};

/*
 * Returns whether one of the areas `a` and one of the areas `b` share a byte: 1 or 0; -1 with `e`. Areas of more than
 * AREAS_ROWS_MOST separate rows of bytes count as apart.
 */
enum { AREAS_ROWS_MOST = 1 << 16 };
int areas_meet(const struct area *a, size_t count_a, const struct area *b, size_t count_b, struct err *e);

#endif
