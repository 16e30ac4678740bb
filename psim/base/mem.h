/*
 * Checked allocation: zeroed memory, no overflow in count * size, and a message instead of a silent
 * NULL. Free the results with free(). Tests make the k-th allocation fail
 * (tests/unit/alloc_fail.h).
 */
#ifndef PSIM_BASE_MEM_H
#define PSIM_BASE_MEM_H

#include <stddef.h>

#include "err.h"

/* Allocates `count` zeroed elements of `size` bytes; NULL and `e` (STATUS_FAILED) where memory is short. */
void *mem_alloc(size_t count, size_t size, struct err *e);

/*
 * Grows or shrinks `p` (NULL: a new one) to `count` elements; added elements are not zeroed. On
 * failure returns NULL and leaves `p` unchanged.
 */
void *mem_resize(void *p, size_t count, size_t size, struct err *e);

/* Copies a string; NULL and `e` where memory is short. */
char *mem_copy_text(const char *text, struct err *e);

/* Writes "out of memory" for a failure found elsewhere; returns -1. */
int mem_short(struct err *e);

#endif
