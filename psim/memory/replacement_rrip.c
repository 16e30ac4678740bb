/*
 * SRRIP with hit priority, and DRRIP: Jaleel, Theobald, Steely, Emer, "High performance cache replacement using
 * re-reference interval prediction (RRIP)", ISCA 2010.
 *
 * A line has a re-reference prediction value of l2.rrpv_bits. A new line's is the highest but one (it is predicted to
 * be used again late), a used line's is 0. The victim is the first line with the highest value; if there is none, all
 * values rise until there is one. So lines of a scan leave before lines that were used again.
 *
 * BRRIP gives new lines the highest value, but each 32nd the highest but one: of a working set that does not fit, a
 * part stays. DRRIP has 32 sets that do as SRRIP, 32 that do as BRRIP, and a counter of ten bits of which of them had
 * more lines to fetch; all other sets do as those that had fewer (set dueling).
 */
#include "replacement.h"

enum {
	LEADERS = 32,    /* sets of each policy */
	BRRIP_EACH = 32, /* of this many new lines one is SRRIP's */
	CHOICE_MAX = 1023,
	CHOICE_MIDDLE = 512,
};

static unsigned rrip_bits(const struct l2_params *p, unsigned ways)
{
	return ways * p->rrpv_bits;
}

static unsigned rrip_limit(const struct l2_params *p)
{
	return (1u << p->rrpv_bits) - 1;
}

static void rrip_hit(const struct replacement_set *s, unsigned way)
{
	s->state[way] = 0;
}

static void rrip_remove(const struct replacement_set *s, unsigned way)
{
	s->state[way] = 0;
}

static unsigned rrip_victim(const struct replacement_set *s)
{
	unsigned oldest = 0, rise;

	for (unsigned way = 1; way < s->ways; way++)
		if (s->state[way] > s->state[oldest])
			oldest = way;
	rise = s->limit - s->state[oldest];
	for (unsigned way = 0; way < s->ways; way++)
		s->state[way] = (uint8_t)(s->state[way] + rise);
	return oldest;
}

static void srrip_insert(const struct replacement_set *s, unsigned way)
{
	s->state[way] = (uint8_t)(s->limit - 1);
}

/* The word of all sets: SRRIP's surplus of fetched lines, above CHOICE_MIDDLE; and BRRIP's count of new lines. */
static unsigned choice_of(uint64_t word)
{
	return (unsigned)(((word & CHOICE_MAX) + CHOICE_MIDDLE) & CHOICE_MAX);
}

static void set_choice(uint64_t *word, unsigned choice)
{
	*word = (*word & ~(uint64_t)CHOICE_MAX) | ((choice + CHOICE_MIDDLE) & CHOICE_MAX);
}

static void brrip_insert(const struct replacement_set *s, unsigned way)
{
	uint64_t count = (*s->cache >> 10) % BRRIP_EACH;

	s->state[way] = (uint8_t)(count ? s->limit : s->limit - 1);
	*s->cache = (*s->cache & CHOICE_MAX) | (count + 1) % BRRIP_EACH << 10;
}

static void drrip_insert(const struct replacement_set *s, unsigned way)
{
	unsigned each = s->sets / LEADERS > 2 ? s->sets / LEADERS : 2, place = s->number % each;
	unsigned choice = choice_of(*s->cache);
	bool brrip = choice >= CHOICE_MIDDLE;

	if (place == 0) { /* a leader of SRRIP fetches a line */
		set_choice(s->cache, choice + (choice < CHOICE_MAX));
		brrip = false;
	} else if (place == each / 2) {
		set_choice(s->cache, choice - (choice > 0));
		brrip = true;
	}
	if (brrip)
		brrip_insert(s, way);
	else
		srrip_insert(s, way);
}

const struct replacement_kind REPLACEMENT_SRRIP_kind = {
	.bits = rrip_bits,
	.limit = rrip_limit,
	.hit = rrip_hit,
	.insert = srrip_insert,
	.remove = rrip_remove,
	.victim = rrip_victim,
};

const struct replacement_kind REPLACEMENT_DRRIP_kind = {
	.bits = rrip_bits,
	.limit = rrip_limit,
	.hit = rrip_hit,
	.insert = drrip_insert,
	.remove = rrip_remove,
	.victim = rrip_victim,
};
