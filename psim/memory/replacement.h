/*
 * Replacement policies of L2 as rows of functions: cache_tagged.h calls them, a file for each has them. The choice
 * REPLACEMENT_X of core_config.h has the row REPLACEMENT_X_kind.
 *
 * Exact LRU is built into the caches, whose arrays have the order of use (cache.h, cache_tagged.h); its row has no
 * functions but that of its storage. With another policy lines keep their ways, each has a byte of state, and all sets
 * have a word of it.
 */
#ifndef PSIM_MEMORY_REPLACEMENT_H
#define PSIM_MEMORY_REPLACEMENT_H

#include "../machine/core_config.h"

struct replacement_set {
	uint8_t *state;  /* of each way */
	uint64_t *cache; /* the policy's word of state for all sets; 0 at first */
	unsigned ways;
	unsigned limit;        /* the highest state */
	unsigned number, sets; /* of this set, and of all */
};

struct replacement_kind {
	/* Bits of state of a set of `ways`. */
	unsigned (*bits)(const struct l2_params *p, unsigned ways);
	/* The highest state of a way, at most 255; 0: ways have none. */
	unsigned (*limit)(const struct l2_params *p);
	/* The line in `way` is used; a line comes into `way`. */
	void (*hit)(const struct replacement_set *s, unsigned way);
	void (*insert)(const struct replacement_set *s, unsigned way);
	/* The line in `way` is gone; NULL: its state stays. */
	void (*remove)(const struct replacement_set *s, unsigned way);
	/* The way whose line is evicted from a set without empty ways; may change states. */
	unsigned (*victim)(const struct replacement_set *s);
};

#define REPLACEMENT_ROW(id, name) extern const struct replacement_kind id##_kind;
REPLACEMENTS(REPLACEMENT_ROW)
#undef REPLACEMENT_ROW

/* The row of l2.replacement. */
const struct replacement_kind *replacement_kind(const struct l2_params *p);

/* Bits of state that a set of L2 has above those of exact LRU, whose bits the model's tags include; may be negative. */
int replacement_bits_above_lru(const struct l2_params *p);

#endif
