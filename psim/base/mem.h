/*
 * Checked allocation: zeroed memory, no overflow in count * size, and a
 * message instead of a silent NULL. What these return is freed with free().
 * Tests make the k-th allocation fail (tests/unit/alloc_fail.h).
 */
#ifndef PSIM_BASE_MEM_H
#define PSIM_BASE_MEM_H

#include <stddef.h>

#include "err.h"

/* `count` zeroed elements of `size` bytes; NULL and `e` (STATUS_FAILED) where memory is short. */
void *mem_alloc(size_t count, size_t size, struct err *e);

/*
 * Grows or shrinks `p` (NULL: a new one) to `count` elements; what is beyond
 * the old size is not zeroed. On failure returns NULL and leaves `p` as it is.
 */
void *mem_resize(void *p, size_t count, size_t size, struct err *e);

/* A copy of a string; NULL and `e` where memory is short. */
char *mem_copy_text(const char *text, struct err *e);

/* "out of memory" for a failure seen elsewhere; returns -1. */
int mem_short(struct err *e);

#endif
