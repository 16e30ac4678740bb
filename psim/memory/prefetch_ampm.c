/*
 * Access map pattern matching: Ishii, Inaba, Hiraki, "Access map pattern matching for data cache prefetch", ICS 2009.
 *
 * Each of the prefetch.zones zones used last has a map of its lines: those that were accessed, and those that were
 * wanted. At an access to line t each stride k whose lines t - k and t - 2k were accessed makes it want t + k, if that
 * was neither accessed nor wanted; the smallest strides come first, upwards, then downwards, until prefetch.degree
 * lines are wanted. The order of accesses does not matter, so it finds strides of an out-of-order core.
 *
 * Here a zone is 64 lines, or a page where that is smaller, and patterns do not cross zones.
 */
#include "prefetch_queue.h"

enum { ZONE_LINES = PREFETCH_ZONE_LINES, ZONE_SHIFT = 6 };
_Static_assert(ZONE_LINES == 1 << ZONE_SHIFT, "lines of a zone");

struct zone {
	uint64_t number; /* of its first line, over ZONE_LINES */
	uint64_t accessed, wanted;
	uint64_t used; /* order of last use; 0 where empty */
};

struct ampm {
	struct prefetch_queue queue;
	uint64_t uses;
	unsigned degree, zones;
	struct zone zone[];
};

static void *ampm_create(const struct prefetch_params *cfg)
{
	struct ampm *a = state_block(sizeof(*a) + cfg->zones * sizeof(struct zone));

	if (!a)
		return NULL;
	a->degree = cfg->degree;
	a->zones = cfg->zones;
	return a;
}

/* The zone of a line; the one that was used the longest ago becomes it. */
static struct zone *zone_of(struct ampm *a, uint64_t line)
{
	struct zone *victim = a->zone;

	for (unsigned n = 0; n < a->zones; n++) {
		struct zone *z = &a->zone[n];

		if (z->used && z->number == line >> ZONE_SHIFT)
			return z;
		if (z->used < victim->used)
			victim = z;
	}
	*victim = (struct zone){.number = line >> ZONE_SHIFT};
	return victim;
}

/* Returns whether the map has the line at place `n`; false outside the zone. */
static bool map_has(uint64_t map, int n)
{
	return n >= 0 && n < ZONE_LINES && map >> n & 1;
}

/* Wants lines in one direction from `line`, `step` 1 or -1; returns how many of `degree` are left. */
static unsigned match_patterns(struct prefetcher *p, struct zone *z, uint64_t line, int step, unsigned degree)
{
	struct ampm *a = p->state;
	int at = (int)(line % ZONE_LINES);

	for (int k = step; degree && k > -ZONE_LINES && k < ZONE_LINES; k += step) {
		uint64_t target = line + (uint64_t)(int64_t)k;

		if (at + k < 0 || at + k >= ZONE_LINES || (target ^ line) & p->page_mask)
			break;
		if (map_has(z->accessed | z->wanted, at + k) || !map_has(z->accessed, at - k) ||
		    !map_has(z->accessed, at - 2 * k))
			continue;
		z->wanted |= UINT64_C(1) << (at + k);
		prefetch_queue_want(p, &a->queue, target);
		degree--;
	}
	return degree;
}

static void ampm_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct ampm *a = p->state;
	struct zone *z = zone_of(a, line);
	unsigned left;

	(void)now;
	(void)trigger;
	z->used = ++a->uses;
	z->accessed |= UINT64_C(1) << line % ZONE_LINES;
	left = match_patterns(p, z, line, 1, a->degree);
	match_patterns(p, z, line, -1, left);
}

static bool ampm_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct ampm *a = p->state;

	*ret_line = prefetch_queue_take(p, &a->queue);
	return true;
}

/* Zones by place, each with its rank in the order of use. */
static void ampm_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	const struct ampm *a = p->state;

	(void)now;
	for (unsigned n = 0; n < a->zones; n++) {
		const struct zone *z = &a->zone[n];
		unsigned rank = 0;

		for (unsigned k = 0; k < a->zones; k++)
			rank += a->zone[k].used < z->used;
		digest_add(d, z->used ? rank + 1 : 0);
		digest_add(d, z->number);
		digest_add(d, z->accessed);
		digest_add(d, z->wanted);
	}
	prefetch_queue_digest(p, &a->queue, d);
}

/* Zones, whose numbers all accesses are compared with, two bits a line, the order of use; the queue in their width. */
static void ampm_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	unsigned tag = PREFETCH_LINE_BITS - ZONE_SHIFT, bits = tag + 2 * ZONE_LINES + 10;

	*out = (struct prefetch_storage){
		.entries = cfg->zones + (PREFETCH_QUEUE * PREFETCH_LINE_BITS + bits - 1) / bits,
		.bits = bits,
		.search_bits = tag,
	};
}

const struct prefetch_kind PREFETCHER_AMPM_kind = {
	.create = ampm_create,
	.access = ampm_access,
	.take = ampm_take,
	.digest = ampm_digest,
	.storage = ampm_storage,
};
