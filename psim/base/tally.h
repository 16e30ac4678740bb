/*
 * Tallies: how many there are of each of many keys. A hash table with open addressing and linear probing, which shrinks
 * to no entry for a key that is used up.
 *
 *     struct tally arrived = {0};
 *     tally_add(&arrived, key, e);      // one more
 *     if (tally_take(&arrived, key))    // there was one
 *     tally_finish(&arrived);
 */
#ifndef PSIM_BASE_TALLY_H
#define PSIM_BASE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

struct tally_entry {
	uint64_t key;
	uint64_t count; /* 0: free */
};

struct tally { /* empty: all zero */
	struct tally_entry *at;
	uint64_t room, used; /* room: 0 or a power of two */
};

/* Frees the memory; the tally is empty. */
void tally_finish(struct tally *t);

/* Counts one more of `key`. 0, or -1 with `e` if memory is short. */
int tally_add(struct tally *t, uint64_t key, struct err *e);

/* Returns whether there is any of `key`. */
bool tally_has(const struct tally *t, uint64_t key);

/* Removes one of `key`; false if there is none. */
bool tally_take(struct tally *t, uint64_t key);

#endif
