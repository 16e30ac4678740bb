/*
 * 128 bits that stand for a sequence of words: equal sequences have equal digests, and different ones do not but with a
 * chance of 2^-128. Each word goes through two bijections (multiplications by odd numbers, shifts).
 */
#ifndef PSIM_BASE_DIGEST_H
#define PSIM_BASE_DIGEST_H

#include <stdint.h>

#include "hash.h"

struct digest {
	uint64_t a, b;
};

static inline void digest_add(struct digest *d, uint64_t word)
{
	d->a = hash_spread(d->a ^ word);
	d->a ^= d->a >> 29;
	d->b = (d->b + word) * 0xbf58476d1ce4e5b9u;
	d->b ^= d->b >> 31;
}

/* A cycle relative to `now`: those that have passed are equal. */
static inline void digest_add_time(struct digest *d, uint64_t cycle, uint64_t now)
{
	digest_add(d, cycle == UINT64_MAX ? cycle : cycle > now ? cycle - now : 0);
}

#endif
