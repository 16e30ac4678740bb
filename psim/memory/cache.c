#include "cache.h"

#include <assert.h>
#include <stdlib.h>

int cache_init(struct cache *c, uint64_t size, unsigned ways, unsigned line)
{
	uint64_t lines = size / line;

	*c = (struct cache){.sets = lines / ways, .ways = ways};
	c->address_mask = ~((uint64_t)line - 1);
	while (1u << c->shift < line)
		c->shift++;
	c->set_mask = c->sets - 1;
	c->modulo = c->sets & c->set_mask;
	c->hit_mask = c->address_mask | LINE_VALID | LINE_FILL_PENDING;
	if (!c->modulo && !(ways & (ways - 1)) && ways <= line) {
		c->quick_shift = c->shift - (unsigned)__builtin_ctz(ways);
		c->quick_mask = c->set_mask * ways;
		c->pair = ways == 2 && c->quick_mask;
	}
	c->tag = calloc(lines, sizeof(*c->tag));
	c->fill = calloc(lines, sizeof(*c->fill));
	if (c->tag && c->fill)
		return 0;
	cache_finish(c);
	return -1;
}

void cache_finish(struct cache *c)
{
	free(c->tag);
	free(c->fill);
	free(c->set);
	free(c->states);
	free(c->shared);
	c->tag = c->fill = NULL;
	c->set = NULL;
	c->states = NULL;
	c->shared = NULL;
}

/* Moves the ways before way `i` of the set that starts at `first` by one; the first is then free. */
static inline void move_down(struct cache *c, size_t first, size_t i)
{
	for (; i > first; i--) {
		c->tag[i] = c->tag[i - 1];
		c->fill[i] = c->fill[i - 1];
	}
}

size_t cache_use_other(struct cache *c, size_t first, uint64_t tag)
{
	uint64_t found, fill;
	size_t i = first + 2, end = first + c->ways;

	for (; i < end; i++)
		if ((c->tag[i] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == tag)
			break;
	if (i >= end)
		return CACHE_ABSENT;
	found = c->tag[i];
	fill = c->fill[i];
	move_down(c, first, i);
	c->tag[first] = found;
	c->fill[first] = fill;
	return first;
}

uint64_t cache_evict(struct cache *c, size_t first)
{
	size_t last = first + c->ways - 1;
	uint64_t victim = c->tag[last];

	move_down(c, first, last);
	return victim;
}

uint64_t cache_remove_at(struct cache *c, size_t i)
{
	size_t last = i - i % c->ways + c->ways - 1;
	uint64_t tag = c->tag[i];

	assert(!c->set && tag & LINE_VALID); /* with cache_tagged.h, lines keep their places */
	for (; i < last; i++) {
		c->tag[i] = c->tag[i + 1];
		c->fill[i] = c->fill[i + 1];
	}
	c->tag[last] = 0;
	return tag;
}

bool cache_clean(struct cache *c, uint64_t address)
{
	size_t i = cache_find(c, address);

	if (i == CACHE_ABSENT || !(c->tag[i] & LINE_DIRTY))
		return false;
	c->tag[i] &= ~(uint64_t)LINE_DIRTY;
	return true;
}
