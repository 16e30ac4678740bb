/*
 * The tags of one set-associative cache, with exact LRU.
 *
 * The ways of a set are in the order of their last use, the most recent
 * first: the usual hit is one comparison, the victim is always the last way,
 * and LRU needs no extra state. Empty ways come last.
 *
 * A line is FILL_PENDING from its request to its first use after its arrival. Only
 * an access to a FILL_PENDING line reads `fill`: the cycle, level and requester.
 *
 * Used by memsys.c and tlb.c alone. The cache owns its arrays. cache_tagged.h has a form for many ways.
 */
#ifndef PSIM_MEMORY_CACHE_H
#define PSIM_MEMORY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_VALID = 1, LINE_FILL_PENDING = 2, LINE_DIRTY = 4, LINE_FLAGS = 7 };

struct cache {
	uint64_t *tag;  /* sets * ways: line address | flags; 0 where empty */
	uint64_t *fill; /* parallel to tag: fill_word(), valid while the tag is FILL_PENDING */
	uint64_t sets;
	uint64_t set_mask;     /* sets - 1, unless modulo */
	uint64_t address_mask; /* clears the offset in a line */
	unsigned shift, ways;
	/* cache_quick: the first way of a set by a shift of the address, and a mask, which is 0 where that is not so */
	unsigned quick_shift;
	uint64_t quick_mask;
	uint64_t hit_mask; /* of a tag: address, VALID, FILL_PENDING */
	bool modulo;       /* the number of sets is not a power of two */
	bool pair;         /* it is, and the cache has two ways: cache_quick has all lines of a set */
	/* cache_tagged.h; all NULL: lines are in their order of use */
	const struct replacement_kind *policy; /* not LRU, which has `set`: lines keep their places, in any order */
	struct replacement_set *states;        /* of each set of ways */
	uint64_t *shared;                      /* the policy's word for all sets */
	struct cache_set {
		uint64_t order, mark[2];
	} * set;
	uint64_t mark_bits[2], order_bits;
	unsigned last_rank;
};

#define CACHE_ABSENT SIZE_MAX

/* Cycle from which a line is usable, level that it comes from (2 bits), and whether a prefetch requested it. */
static inline uint64_t fill_word(uint64_t cycle, unsigned level, bool prefetched)
{
	return cycle << 3 | (uint64_t)level << 1 | prefetched;
}
static inline uint64_t fill_cycle(uint64_t word)
{
	return word >> 3;
}
static inline unsigned fill_level(uint64_t word)
{
	return word >> 1 & 3;
}
static inline bool fill_prefetched(uint64_t word)
{
	return word & 1;
}

/* `line` is a power of two >= 8, size a multiple of ways * line. 0, or -1 where memory is short. */
int cache_init(struct cache *c, uint64_t size, unsigned ways, unsigned line);
void cache_finish(struct cache *c);

static inline size_t cache_set_number(const struct cache *c, uint64_t address)
{
	uint64_t line = address >> c->shift;

	return __builtin_expect(c->modulo, 0) ? line % c->sets : line & c->set_mask;
}

/* Index of the first way of the set of `address`. */
static inline size_t cache_set(const struct cache *c, uint64_t address)
{
	return cache_set_number(c, address) * c->ways;
}

/*
 * The first way of the set of `address`. If the number of sets or ways is not a power of two, that of the first set,
 * where only lines of that set can be found.
 */
static inline uint64_t *cache_quick(const struct cache *c, uint64_t address)
{
	return &c->tag[address >> c->quick_shift & c->quick_mask];
}

/* Returns whether the line with this tag has `address`, a multiple of 4, and is not FILL_PENDING. */
static inline bool cache_is(const struct cache *c, uint64_t tag, uint64_t address)
{
	return ((tag ^ address) & c->hit_mask) == LINE_VALID;
}

/*
 * Returns whether the line with this tag has `address`, FILL_PENDING or not; and whether it has, and is FILL_PENDING.
 */
static inline bool cache_has(const struct cache *c, uint64_t tag, uint64_t address)
{
	return ((tag ^ address) & (c->hit_mask ^ LINE_FILL_PENDING)) == LINE_VALID;
}
static inline bool cache_fill_pending(const struct cache *c, uint64_t tag, uint64_t address)
{
	return ((tag ^ address) & c->hit_mask) == (LINE_VALID | LINE_FILL_PENDING);
}

/* The tag of a line of `address` that is neither dirty nor FILL_PENDING. */
static inline uint64_t cache_tag(const struct cache *c, uint64_t address)
{
	return (address & c->address_mask) | LINE_VALID;
}

/* Makes the second way of the set that starts at `first` the most recently used. */
static inline void cache_swap(struct cache *c, size_t first)
{
	uint64_t tag = c->tag[first], fill = c->fill[first];

	c->tag[first] = c->tag[first + 1];
	c->fill[first] = c->fill[first + 1];
	c->tag[first + 1] = tag;
	c->fill[first + 1] = fill;
}

/* Index of the line of `address`, or CACHE_ABSENT; does not change the order. */
static inline size_t cache_find(const struct cache *c, uint64_t address)
{
	uint64_t tag = cache_tag(c, address);
	const uint64_t *first = &c->tag[cache_set(c, address)], *end = first + c->ways;

	for (const uint64_t *t = first; t < end; t++)
		if ((*t & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == tag)
			return (size_t)(t - c->tag);
	return CACHE_ABSENT;
}

/* Returns whether a `pair` lacks the line of `address`. */
static inline bool cache_pair_lacks(const struct cache *c, uint64_t address)
{
	const uint64_t *way = cache_quick(c, address);

	return !cache_has(c, way[0], address) && !cache_has(c, way[1], address);
}

/* As cache_use for a line that is behind the second way of its set, which starts at `first`. */
size_t cache_use_other(struct cache *c, size_t first, uint64_t tag);

/* Makes the line of `address` the most recently used; returns its index, or CACHE_ABSENT. */
static inline size_t cache_use(struct cache *c, uint64_t address)
{
	size_t first = cache_set(c, address);
	uint64_t tag = cache_tag(c, address);

	if ((c->tag[first] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == tag)
		return first;
	if (c->ways > 1 && (c->tag[first + 1] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == tag) {
		cache_swap(c, first);
		return first;
	}
	return c->ways > 2 ? cache_use_other(c, first, tag) : CACHE_ABSENT;
}

/* Empties the first way of the set that starts at `first`; returns the tag of the last one, which is evicted. */
uint64_t cache_evict(struct cache *c, size_t first);

/*
 * Puts the line of `address`, which must be absent, first in its set. Returns
 * the tag of the evicted line, with its flags, or 0.
 */
static inline uint64_t cache_insert(struct cache *c, uint64_t address, unsigned flags, uint64_t fill)
{
	size_t first = cache_set(c, address);
	uint64_t victim;

	if (__builtin_expect(c->ways == 2, 1)) {
		victim = c->tag[first + 1];
		c->tag[first + 1] = c->tag[first];
		c->fill[first + 1] = c->fill[first];
	} else {
		victim = cache_evict(c, first);
	}
	c->tag[first] = cache_tag(c, address) | flags;
	c->fill[first] = fill;
	return victim;
}

/* Removes line `i`; returns its tag. */
uint64_t cache_remove_at(struct cache *c, size_t i);

/* Removes the line of `address`; returns its tag with flags, or 0 if it was absent. */
static inline uint64_t cache_remove(struct cache *c, uint64_t address)
{
	size_t i = cache_find(c, address);

	return i == CACHE_ABSENT ? 0 : cache_remove_at(c, i);
}

/* Marks the line as clean; returns whether it was dirty. */
bool cache_clean(struct cache *c, uint64_t address);

#endif
