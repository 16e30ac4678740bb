/*
 * Growable arrays.
 *
 *     struct vec_of(struct point) points = {0};   // an unnamed struct: at, count, room
 *     struct point *p = vec_push(&points, e);     // the new element, unset; NULL and e on failure
 *     for (size_t i = 0; i < points.count; i++)
 *         … points.at[i] …
 *     vec_finish(&points);
 *
 * Elements move when the array grows: keep indices, not pointers. An array doubles its room, so
 * pushing costs amortised constant time.
 */
#ifndef PSIM_BASE_VEC_H
#define PSIM_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "err.h"

/* The members of an array of `type`: `struct vec_of(int) v = {0};` or in a struct of its own. */
#define vec_of(type) \
	{ \
		type *at; \
		size_t count; \
		size_t room; \
	}

/* Makes room for `more` elements beyond count; 0, or -1 with `e`. */
#define vec_reserve(v, more, e) \
	((v)->room - (v)->count >= (size_t)(more) ? 0 : vec_grow((v), sizeof(*(v)->at), (size_t)(more), (e)))

/* Adds one element and returns its address (contents unset), or NULL with `e`. */
#define vec_push(v, e) (vec_reserve((v), 1, (e)) ? NULL : &(v)->at[(v)->count++])

/* Frees the elements' memory; the array is empty and can be used again. */
#define vec_finish(v) (free((v)->at), (v)->at = NULL, (void)((v)->count = (v)->room = 0))

/* Grows an array for vec_reserve; `v` points to members in the order of vec_of. */
int vec_grow(void *v, size_t element_size, size_t more, struct err *e);

#endif
