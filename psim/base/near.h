/* "Did you mean": finds the nearest of a list of names, for messages about unknown words. */
#ifndef PSIM_BASE_NEAR_H
#define PSIM_BASE_NEAR_H

#include <stddef.h>

struct near {
	const char *word, *best; /* best: NULL if nothing is near enough */
	size_t distance;
};

/* Starts a search for the name nearest to `word`, which must stay valid. */
struct near near_start(const char *word);

/*
 * Offers a candidate, which must stay valid. It is near enough if at most a third of the longer
 * word's letters (at least one) are inserted, deleted, changed or transposed; letter case and `-`
 * for `_` do not count. The first of equally near ones wins.
 */
void near_offer(struct near *n, const char *candidate);

#endif
