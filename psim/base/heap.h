/*
 * Binary heaps: arrays whose first element comes before all others.
 *
 *     static bool before(const struct timer *a, const struct timer *b);
 *     HEAP(timers, struct timer, before)
 *
 *     timers_push(at, count++, x);        // at[count] must exist
 *     x = timers_pop(at, count--);        // count is not 0
 *
 * If `before` is a total order, elements leave in the same order however they were pushed.
 */
#ifndef PSIM_BASE_HEAP_H
#define PSIM_BASE_HEAP_H

#include <stddef.h>

/* Defines name_push, which adds to a heap of `count` elements, and name_pop, which removes its first one. */
#define HEAP(name, type, before) \
	static inline void name##_push(type *at, size_t count, type x) \
	{ \
		size_t i = count; \
		for (; i && before(&x, &at[(i - 1) / 2]); i = (i - 1) / 2) \
			at[i] = at[(i - 1) / 2]; \
		at[i] = x; \
	} \
	static inline type name##_pop(type *at, size_t count) \
	{ \
		type first = at[0], last = at[--count]; \
		size_t i = 0, child; \
		while ((child = 2 * i + 1) < count) { \
			if (child + 1 < count && before(&at[child + 1], &at[child])) \
				child++; \
			if (!before(&at[child], &last)) \
				break; \
			at[i] = at[child]; \
			i = child; \
		} \
		at[i] = last; \
		return first; \
	}

#endif
