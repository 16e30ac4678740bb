#include "cache_tagged.h"

#include <stdlib.h>

/* The highest bits of the bytes that marks of ways 8 k … use. */
static uint64_t bits_of_marks(unsigned ways, unsigned k)
{
	unsigned count = ways > 8 * k ? ways - 8 * k : 0;

	return count >= 8 ? 0x80 * TAGGED_EACH_BYTE : 0x80 * TAGGED_EACH_BYTE & ((UINT64_C(1) << 8 * count) - 1);
}

int tagged_init(struct cache *c, uint64_t size, unsigned ways, unsigned line)
{
	if (cache_init(c, size, ways, line) < 0)
		return -1;
	if (ways > TAGGED_WAYS)
		return 0;
	c->set = calloc(c->sets, sizeof(*c->set));
	if (!c->set) {
		cache_finish(c);
		return -1;
	}
	c->mark_bits[0] = bits_of_marks(ways, 0);
	c->mark_bits[1] = bits_of_marks(ways, 1);
	c->last_rank = 4 * (ways - 1);
	c->order_bits = ways == TAGGED_WAYS ? UINT64_MAX : (UINT64_C(1) << 4 * ways) - 1;
	for (size_t n = 0; n < c->sets; n++)
		c->set[n].order = 0xfedcba9876543210 & c->order_bits;
	return 0;
}

/* ---- with a policy ---- */

int tagged_init_policy(struct cache *c, uint64_t size, unsigned ways, unsigned line, const struct replacement_kind *row,
		       unsigned limit)
{
	uint8_t *state;

	if (cache_init(c, size, ways, line) < 0)
		return -1;
	c->states = calloc(1, c->sets * (sizeof(*c->states) + ways));
	c->shared = calloc(1, sizeof(*c->shared));
	if (!c->states || !c->shared) {
		cache_finish(c);
		return -1;
	}
	c->policy = row;
	state = (uint8_t *)(c->states + c->sets);
	for (size_t set = 0; set < c->sets; set++)
		c->states[set] = (struct replacement_set){
			.state = state + set * ways,
			.cache = c->shared,
			.ways = ways,
			.limit = limit,
			.number = (unsigned)set,
			.sets = (unsigned)c->sets,
		};
	return 0;
}

size_t policy_use(struct cache *c, uint64_t address)
{
	size_t place = cache_find(c, address);

	if (place != CACHE_ABSENT)
		c->policy->hit(&c->states[place / c->ways], (unsigned)(place % c->ways));
	return place;
}

uint64_t policy_insert(struct cache *c, uint64_t address, unsigned flags, uint64_t fill)
{
	const struct replacement_set *s = &c->states[cache_set_number(c, address)];
	size_t first = cache_set(c, address);
	unsigned way = 0;
	uint64_t victim;

	while (way < c->ways && c->tag[first + way])
		way++;
	if (way == c->ways)
		way = c->policy->victim(s);
	victim = c->tag[first + way];
	c->tag[first + way] = cache_tag(c, address) | flags;
	c->fill[first + way] = fill;
	c->policy->insert(s, way);
	return victim;
}

static uint64_t policy_remove(struct cache *c, size_t place)
{
	uint64_t tag = c->tag[place];

	c->tag[place] = 0;
	if (c->policy->remove)
		c->policy->remove(&c->states[place / c->ways], (unsigned)(place % c->ways));
	return tag;
}

uint64_t tagged_remove(struct cache *c, uint64_t address)
{
	struct cache_set *s;
	uint64_t tag, before;
	size_t place;
	unsigned way;

	if (!c->set && !c->policy)
		return cache_remove(c, address);
	place = tagged_find(c, address);
	if (place == CACHE_ABSENT)
		return 0;
	if (c->policy)
		return policy_remove(c, place);
	s = &c->set[place / c->ways];
	way = (unsigned)(place % c->ways);
	before = (UINT64_C(1) << tagged_rank_bits(s->order, way)) - 1;
	/* those behind it move up, and it is the last */
	s->order = (s->order & before) | (s->order >> 4 & ~before) | (uint64_t)way << c->last_rank;
	tag = c->tag[place];
	c->tag[place] = 0;
	return tag;
}
