/*
 * Access map pattern matching: Ishii, Inaba, Hiraki, "Access map pattern matching for data cache prefetch", ICS 2009.
 *
 * Each of the prefetch.zones zones used last has a map of its lines: those that were accessed, and those that were
 * wanted. At an access to line t each stride k whose lines t - k and t - 2k were accessed makes it want t + k, if that
 * was neither accessed nor wanted; the smallest strides come first, upwards, then downwards, until prefetch.degree
 * lines are wanted. The order of accesses does not matter, so it finds strides of an out-of-order core.
 *
 * The maps of a zone and of its two neighbours are one: patterns cross from zone to zone, as in the authors' prefetcher
 * for the First Data Prefetching Championship (Journal of Instruction-Level Parallelism 13, 2011). Here a zone is 64
 * lines, a quarter of theirs. No line beyond the page is wanted. A neighbour of which a line is wanted gets a map.
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

/* The map of a zone; NULL: there is none. */
static struct zone *map_of(struct ampm *a, uint64_t number)
{
	for (unsigned n = 0; n < a->zones; n++)
		if (a->zone[n].used && a->zone[n].number == number)
			return &a->zone[n];
	return NULL;
}

/* A map and those of its neighbours, NULL where there is none; the middle one has the line that is accessed. */
struct maps {
	struct zone *at[3];
};

/* Begins the map of a zone in place of the one that was used the longest ago; NULL: that is one of `maps`. */
static struct zone *begin_map(struct ampm *a, const struct maps *maps, uint64_t number)
{
	struct zone *victim = a->zone;

	for (unsigned n = 0; n < a->zones; n++)
		if (a->zone[n].used < victim->used)
			victim = &a->zone[n];
	for (unsigned n = 0; maps && n < 3; n++)
		if (maps->at[n] == victim)
			return NULL;
	*victim = (struct zone){.number = number, .used = ++a->uses};
	return victim;
}

/*
 * Returns whether the line at place `n` from the begin of the middle map was accessed, or, with `wanted`, wanted. False
 * where there is no map.
 */
static bool maps_have(const struct maps *m, int n, bool wanted)
{
	const int at = n + ZONE_LINES;
	const struct zone *z = at >= 0 && at < 3 * ZONE_LINES ? m->at[at / ZONE_LINES] : NULL;

	return z && (z->accessed | (wanted ? z->wanted : 0)) >> at % ZONE_LINES & 1;
}

/* Notes that a line of the maps is wanted. False: its zone has no map, and none can be begun. */
static bool note_wanted(struct ampm *a, struct maps *m, int n, uint64_t line)
{
	const int at = n + ZONE_LINES;
	struct zone **z = &m->at[at / ZONE_LINES];

	if (!*z)
		*z = begin_map(a, m, line >> ZONE_SHIFT);
	if (*z)
		(*z)->wanted |= UINT64_C(1) << at % ZONE_LINES;
	return *z != NULL;
}

/*
 * Wants lines in one direction from `line`, `step` 1 or -1, while there is room for them: what a full queue drops would
 * be in the map and never come. Returns how many of `degree` are left.
 */
static unsigned match_patterns(struct prefetcher *p, struct maps *m, uint64_t line, int step, unsigned degree)
{
	struct ampm *a = p->state;
	const int at = (int)(line % ZONE_LINES);

	for (int k = step; degree && at + k >= -ZONE_LINES && at + k < 2 * ZONE_LINES; k += step) {
		uint64_t target = line + (uint64_t)(int64_t)k;

		if ((target ^ line) & p->page_mask || p->wanting == PREFETCH_QUEUE)
			break;
		if (maps_have(m, at + k, true) || !maps_have(m, at - k, false) || !maps_have(m, at - 2 * k, false) ||
		    !note_wanted(a, m, at + k, target))
			continue;
		prefetch_queue_want(p, &a->queue, target);
		degree--;
	}
	return degree;
}

static void ampm_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct ampm *a = p->state;
	const uint64_t number = line >> ZONE_SHIFT;
	struct zone *z = map_of(a, number);
	struct maps m;
	unsigned left;

	(void)now;
	(void)trigger;
	z = z ? z : begin_map(a, NULL, number);
	z->used = ++a->uses;
	z->accessed |= UINT64_C(1) << line % ZONE_LINES;
	m = (struct maps){{map_of(a, number - 1), z, map_of(a, number + 1)}};
	left = match_patterns(p, &m, line, 1, a->degree);
	match_patterns(p, &m, line, -1, left);
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
