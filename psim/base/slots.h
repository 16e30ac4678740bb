/*
 * Growable arrays whose elements are given back and taken again, the last one first.
 *
 *     struct slots_of(struct message) messages = {0}; // an unnamed struct: at, count, room, as a vec, and the spares
 *     uint32_t i = slots_take(&messages, e);          // an element, unset or as it was; SLOT_NONE and e on failure
 *     … messages.at[i] …
 *     slots_give(&messages, i);                       // cannot fail
 *     slots_finish(&messages);
 *
 * An element is named by its index, and moves when the array grows. `count` elements are used or spare.
 */
#ifndef PSIM_BASE_SLOTS_H
#define PSIM_BASE_SLOTS_H

#include <stdint.h>

#include "vec.h"

#define SLOT_NONE UINT32_MAX

#define slots_of(type) \
	{ \
		type *at; \
		size_t count; \
		size_t room; \
		uint32_t *spare; /* [room] */ \
		uint32_t spares; \
	}

#define slots_take(s, e) \
	((s)->spares                                                             ? (s)->spare[--(s)->spares] \
	 : (s)->count < (s)->room || slots_grow((s), sizeof(*(s)->at), (e)) == 0 ? (uint32_t)(s)->count++ \
										 : SLOT_NONE)

#define slots_give(s, i) ((void)((s)->spare[(s)->spares++] = (i)))

#define slots_finish(s) (free((s)->spare), (s)->spare = NULL, (s)->spares = 0, vec_finish(s))

/* Makes room for an element and for its number among the spares; `s` points to members in the order of slots_of. */
int slots_grow(void *s, size_t element_size, struct err *e);

#endif
