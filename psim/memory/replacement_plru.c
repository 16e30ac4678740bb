/*
 * Tree pseudo-LRU: a binary tree over the ways, with a bit in each node for the half that was used less
 * recently (So, Rechtschaffen, "Cache operations by MRU change", IEEE Transactions on Computers 37, 1988).
 *
 * A use points the nodes above the way to their other halves; the victim is where the nodes point to. A node splits
 * its ways in two halves, of which the first has one more if their number is odd, so any number of ways has a tree.
 * The bit of the node whose second half begins at way n is state[n]; it is set if that half is the older one.
 */
#include "replacement.h"

static unsigned plru_bits(const struct l2_params *p, unsigned ways)
{
	(void)p;
	return ways - 1;
}

static unsigned plru_limit(const struct l2_params *p)
{
	(void)p;
	return 1;
}

static void plru_use(const struct replacement_set *s, unsigned way)
{
	unsigned from = 0, to = s->ways;

	while (to - from > 1) {
		unsigned middle = from + (to - from + 1) / 2;

		s->state[middle] = way < middle;
		if (way < middle)
			to = middle;
		else
			from = middle;
	}
}

static unsigned plru_victim(const struct replacement_set *s)
{
	unsigned from = 0, to = s->ways;

	while (to - from > 1) {
		unsigned middle = from + (to - from + 1) / 2;

		if (s->state[middle])
			from = middle;
		else
			to = middle;
	}
	return from;
}

const struct replacement_kind REPLACEMENT_PLRU_kind = {
	.bits = plru_bits,
	.limit = plru_limit,
	.hit = plru_use,
	.insert = plru_use,
	.victim = plru_victim,
};
