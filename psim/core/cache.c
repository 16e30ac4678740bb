#include "cache.h"

#include <stdlib.h>
#include <string.h>

int cache_init(struct cache *c, uint64_t size, unsigned ways, unsigned line)
{
	uint64_t lines = size / line;

	*c = (struct cache){.sets = lines / ways, .ways = ways};
	c->address_mask = ~((uint64_t)line - 1);
	while (1u << c->shift < line)
		c->shift++;
	c->set_mask = c->sets - 1;
	c->modulo = c->sets & c->set_mask;
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
	c->tag = c->fill = NULL;
}

/* Makes way `i` the first of the set that starts at `first`. */
static void move_to_front(struct cache *c, size_t first, size_t i)
{
	uint64_t tag = c->tag[i], fill = c->fill[i];
	size_t n = i - first;

	if (n == 1) { /* the common case, and the only one with two ways */
		cache_swap(c, first);
		return;
	}
	memmove(&c->tag[first + 1], &c->tag[first], n * sizeof(tag));
	memmove(&c->fill[first + 1], &c->fill[first], n * sizeof(fill));
	c->tag[first] = tag;
	c->fill[first] = fill;
}

static inline size_t find_in_set(const struct cache *c, size_t first, uint64_t tag)
{
	const uint64_t *t = &c->tag[first], *end = t + c->ways;

	for (; t < end; t++)
		if ((*t & ~(uint64_t)(LINE_DIRTY | LINE_FRESH)) == tag)
			return (size_t)(t - c->tag);
	return CACHE_ABSENT;
}

size_t cache_find(const struct cache *c, uint64_t address)
{
	return find_in_set(c, cache_set(c, address), cache_tag(c, address));
}

size_t cache_use(struct cache *c, uint64_t address)
{
	size_t first = cache_set(c, address);
	size_t i = find_in_set(c, first, cache_tag(c, address));

	if (i == CACHE_ABSENT || i == first)
		return i;
	move_to_front(c, first, i);
	return first;
}

uint64_t cache_insert(struct cache *c, uint64_t address, unsigned flags, uint64_t fill)
{
	size_t first = cache_set(c, address);
	size_t last = first + c->ways - 1;
	uint64_t victim = c->tag[last];

	move_to_front(c, first, last);
	c->tag[first] = cache_tag(c, address) | flags;
	c->fill[first] = fill;
	return victim;
}

uint64_t cache_remove(struct cache *c, uint64_t address)
{
	size_t i = cache_find(c, address);
	size_t last = cache_set(c, address) + c->ways - 1;
	uint64_t tag;

	if (i == CACHE_ABSENT)
		return 0;
	tag = c->tag[i];
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
