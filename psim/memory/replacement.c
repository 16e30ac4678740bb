/* Rows of replacement policies, and LRU's, which the caches have built in. */
#include "replacement.h"

#include <math.h>

/* An order of the ways: the logarithm of ways!, rounded up. */
static unsigned lru_bits(const struct l2_params *p, unsigned ways)
{
	double bits = 0;

	(void)p;
	for (unsigned n = 2; n <= ways; n++)
		bits += log2(n);
	return (unsigned)ceil(bits - 1e-9);
}

const struct replacement_kind REPLACEMENT_LRU_kind = {.bits = lru_bits};

static const struct replacement_kind *const rows[] = {
#define REPLACEMENT_ROW(id, name) [id] = &id##_kind,
	REPLACEMENTS(REPLACEMENT_ROW)
#undef REPLACEMENT_ROW
};

const struct replacement_kind *replacement_kind(const struct l2_params *p)
{
	return rows[p->replacement];
}

int replacement_bits_above_lru(const struct l2_params *p)
{
	return (int)replacement_kind(p)->bits(p, p->ways) - (int)lru_bits(p, p->ways);
}
