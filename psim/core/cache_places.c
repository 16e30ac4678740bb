#include "cache_places.h"

#include <stdlib.h>

/* The highest bits of the bytes that marks of ways 8 k … use. */
static uint64_t bits_of_marks(unsigned ways, unsigned k)
{
	unsigned count = ways > 8 * k ? ways - 8 * k : 0;

	return count >= 8 ? 0x80 * PLACES_EACH_BYTE : 0x80 * PLACES_EACH_BYTE & ((UINT64_C(1) << 8 * count) - 1);
}

int places_init(struct cache *c, uint64_t size, unsigned ways, unsigned line)
{
	if (cache_init(c, size, ways, line) < 0)
		return -1;
	if (ways > PLACES_WAYS)
		return 0;
	c->set = calloc(c->sets, sizeof(*c->set));
	if (!c->set) {
		cache_finish(c);
		return -1;
	}
	c->mark_bits[0] = bits_of_marks(ways, 0);
	c->mark_bits[1] = bits_of_marks(ways, 1);
	c->last_rank = 4 * (ways - 1);
	c->order_bits = ways == PLACES_WAYS ? UINT64_MAX : (UINT64_C(1) << 4 * ways) - 1;
	for (size_t n = 0; n < c->sets; n++)
		c->set[n].order = 0xfedcba9876543210 & c->order_bits;
	return 0;
}

uint64_t places_remove(struct cache *c, uint64_t address)
{
	struct cache_set *s;
	uint64_t tag, before;
	size_t place;
	unsigned way;

	if (!c->set)
		return cache_remove(c, address);
	place = places_find(c, address);
	if (place == CACHE_ABSENT)
		return 0;
	s = &c->set[place / c->ways];
	way = (unsigned)(place % c->ways);
	before = (UINT64_C(1) << places_rank_bits(s->order, way)) - 1;
	/* those behind it move up, and it is the last */
	s->order = (s->order & before) | (s->order >> 4 & ~before) | (uint64_t)way << c->last_rank;
	tag = c->tag[place];
	c->tag[place] = 0;
	return tag;
}
