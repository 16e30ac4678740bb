/*
 * SRRIP with hit priority: Jaleel, Theobald, Steely, Emer, "High performance cache replacement using re-reference
 * interval prediction (RRIP)", ISCA 2010.
 *
 * A line has a re-reference prediction value of l2.rrpv_bits. A new line's is the highest but one (it is predicted to
 * be used again late), a used line's is 0. The victim is the first line with the highest value; if there is none, all
 * values rise until there is one. So lines of a scan leave before lines that were used again.
 */
#include "replacement.h"

static unsigned srrip_bits(const struct l2_params *p, unsigned ways)
{
	return ways * p->rrpv_bits;
}

static unsigned srrip_limit(const struct l2_params *p)
{
	return (1u << p->rrpv_bits) - 1;
}

static void srrip_hit(const struct replacement_set *s, unsigned way)
{
	s->state[way] = 0;
}

static void srrip_insert(const struct replacement_set *s, unsigned way)
{
	s->state[way] = (uint8_t)(s->limit - 1);
}

static unsigned srrip_victim(const struct replacement_set *s)
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

const struct replacement_kind REPLACEMENT_SRRIP_kind = {
	.bits = srrip_bits,
	.limit = srrip_limit,
	.hit = srrip_hit,
	.insert = srrip_insert,
	.victim = srrip_victim,
};
