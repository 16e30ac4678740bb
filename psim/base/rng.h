/*
 * Random numbers without state: a number is a function of (seed, stream,
 * index), so that it does not depend on who asks first, on threads or on
 * order. Give every user (a link, a rank, a test) its own stream.
 *
 * Generator: Philox4x32-10 of J. Salmon, M. Moraes, R. Dror, D. Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The key is the seed,
 * the counter is (index, stream); a call uses the first two output words.
 */
#ifndef PSIM_BASE_RNG_H
#define PSIM_BASE_RNG_H

#include <stdint.h>

struct rng_words {
	uint32_t word[4];
};

/* The block function itself: ten rounds. */
struct rng_words rng_philox(struct rng_words counter, uint32_t key0, uint32_t key1);

/* 64 random bits. */
uint64_t rng_u64(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in [0, 1): a multiple of 2^-53. */
double rng_unit(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in 0 … n - 1, n > 0; some values are likelier than others by less than n / 2^64. */
uint64_t rng_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t n);

#endif
