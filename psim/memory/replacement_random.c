/*
 * Random replacement: a shift register with linear feedback of 16 bits for all sets, which steps at each victim. Ways
 * have no state.
 */
#include "replacement.h"

enum { TAPS = 0xb400 }; /* 16, 14, 13, 11: a period of 65 535 */

static unsigned random_bits(const struct l2_params *p, unsigned ways)
{
	(void)p;
	(void)ways;
	return 0;
}

static unsigned random_limit(const struct l2_params *p)
{
	(void)p;
	return 0;
}

static void random_note(const struct replacement_set *s, unsigned way)
{
	(void)s;
	(void)way;
}

static unsigned random_victim(const struct replacement_set *s)
{
	uint64_t x = *s->cache ? *s->cache : 1;

	*s->cache = x >> 1 ^ (x & 1 ? TAPS : 0);
	return (unsigned)(*s->cache % s->ways);
}

const struct replacement_kind REPLACEMENT_RANDOM_kind = {
	.bits = random_bits,
	.limit = random_limit,
	.hit = random_note,
	.insert = random_note,
	.victim = random_victim,
};
