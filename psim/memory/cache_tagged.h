/*
 * A cache whose lines keep their places: for many ways, of which a miss would move every line.
 *
 * The order of use is a word of a set, with the number of a way in each group of 4 bits, the most recently used lowest.
 * A search compares a byte of each way at a time, the marks, which are hashes of the lines' addresses, and then the
 * tags of those that agree. The functions are those of cache.h, and give the same victims; a cache of more than
 * TAGGED_WAYS ways is one of cache.h.
 *
 * With a policy other than LRU a cache of any number of ways keeps its lines in their places.
 */
#ifndef PSIM_MEMORY_CACHE_TAGGED_H
#define PSIM_MEMORY_CACHE_TAGGED_H

#include "cache.h"
#include "../base/hash.h"
#include "replacement.h"

enum { TAGGED_WAYS = 16, TAGGED_NONE = TAGGED_WAYS };

/* As cache_init. */
int tagged_init(struct cache *c, uint64_t size, unsigned ways, unsigned line);
/* As tagged_init, with the replacement policy `row`, whose highest state is `limit`. */
int tagged_init_policy(struct cache *c, uint64_t size, unsigned ways, unsigned line, const struct replacement_kind *row,
		       unsigned limit);

/* cache_use and cache_insert where the policy is not LRU. */
size_t policy_use(struct cache *c, uint64_t address);
uint64_t policy_insert(struct cache *c, uint64_t address, unsigned flags, uint64_t fill);

#define TAGGED_EACH_BYTE UINT64_C(0x0101010101010101)
#define TAGGED_EACH_WAY UINT64_C(0x1111111111111111)

/* The mark of a line: lines a power of two apart have different ones. */
static inline uint64_t tagged_mark(const struct cache *c, uint64_t address)
{
	return hash_place(address >> c->shift, 8);
}

/* The way of the line in its set, number `set`; or TAGGED_NONE. */
static inline unsigned tagged_way(const struct cache *c, size_t set, uint64_t address)
{
	const uint64_t *mark = c->set[set].mark, *tag = &c->tag[set * c->ways];
	uint64_t line = cache_tag(c, address), like = tagged_mark(c, address) * TAGGED_EACH_BYTE;
	unsigned newest = c->set[set].order & 15;

	if ((tag[newest] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == line)
		return newest;
	for (unsigned k = 0; k < 2; k++) {
		uint64_t differs = mark[k] ^ like;
		/* bytes that are 0 are among these bits, and no others but behind one */
		uint64_t found = (differs - TAGGED_EACH_BYTE) & ~differs & c->mark_bits[k];

		for (; found; found &= found - 1) {
			unsigned way = 8 * k + ((unsigned)__builtin_ctzll(found) >> 3);

			if ((tag[way] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == line)
				return way;
		}
	}
	return TAGGED_NONE;
}

/* The bits of the order in front of the way's. */
static inline unsigned tagged_rank_bits(uint64_t order, unsigned way)
{
	uint64_t differs = order ^ way * TAGGED_EACH_WAY;

	return (unsigned)__builtin_ctzll((differs - TAGGED_EACH_WAY) & ~differs & 8 * TAGGED_EACH_WAY) & ~3u;
}

/* The order in which the way is the most recently used. */
static inline uint64_t tagged_to_front(uint64_t order, unsigned way)
{
	uint64_t before = (UINT64_C(1) << tagged_rank_bits(order, way)) - 1;

	return (order & ~(before << 4 | 15)) | (order & before) << 4 | way;
}

/* The place of the `rank`-th line of a set in the order of use, empty ways last; with a policy, the way. */
static inline size_t tagged_at_rank(const struct cache *c, size_t set, unsigned rank)
{
	return set * c->ways + (c->set ? c->set[set].order >> 4 * rank & 15 : rank);
}

static inline size_t tagged_find(const struct cache *c, uint64_t address)
{
	size_t set;
	unsigned way;

	if (!c->set)
		return cache_find(c, address);
	set = cache_set_number(c, address);
	way = tagged_way(c, set, address);
	return way == TAGGED_NONE ? CACHE_ABSENT : set * c->ways + way;
}

/* As tagged_find, quicker where the set is empty. */
static inline size_t tagged_find_rare(const struct cache *c, uint64_t address)
{
	size_t set = cache_set_number(c, address);

	return c->policy || c->tag[tagged_at_rank(c, set, 0)] ? tagged_find(c, address) : CACHE_ABSENT;
}

static inline size_t tagged_use(struct cache *c, uint64_t address)
{
	size_t set;
	unsigned way;

	if (!c->set)
		return c->policy ? policy_use(c, address) : cache_use(c, address);
	set = cache_set_number(c, address);
	way = tagged_way(c, set, address);
	if (way == TAGGED_NONE)
		return CACHE_ABSENT;
	if ((c->set[set].order & 15) != way)
		c->set[set].order = tagged_to_front(c->set[set].order, way);
	return set * c->ways + way;
}

static inline uint64_t tagged_insert(struct cache *c, uint64_t address, unsigned flags, uint64_t fill)
{
	struct cache_set *s;
	unsigned way;
	size_t set;
	uint64_t victim;

	if (!c->set)
		return c->policy ? policy_insert(c, address, flags, fill) : cache_insert(c, address, flags, fill);
	set = cache_set_number(c, address);
	s = &c->set[set];
	way = s->order >> c->last_rank & 15;
	/* the last one goes to the front */
	s->order = (s->order << 4 & c->order_bits) | way;
	s->mark[way >> 3] &= ~(UINT64_C(255) << 8 * (way & 7));
	s->mark[way >> 3] |= tagged_mark(c, address) << 8 * (way & 7);
	victim = c->tag[set * c->ways + way];
	c->tag[set * c->ways + way] = cache_tag(c, address) | flags;
	c->fill[set * c->ways + way] = fill;
	return victim;
}

uint64_t tagged_remove(struct cache *c, uint64_t address);

#endif
