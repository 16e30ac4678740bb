/*
 * Random numbers without state: a number is a function of (seed, stream, index), so it depends
 * neither on who draws first nor on threads. Give every user (a link, a rank, a test) its own
 * stream.
 *
 * Generator: Philox4x32-10 of J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as
 * easy as 1, 2, 3", SC 2011. The key is the seed, the counter is (index, stream); a call uses the
 * first two output words.
 */
#ifndef PSIM_BASE_RNG_H
#define PSIM_BASE_RNG_H

#include <stdint.h>

struct rng_words {
	uint32_t word[4];
};

/* The block function itself: ten rounds. */
struct rng_words rng_philox(struct rng_words counter, uint32_t key0, uint32_t key1);

/* Returns 64 random bits. */
uint64_t rng_u64(uint64_t seed, uint64_t stream, uint64_t index);

/* Returns a uniform number in [0, 1), a multiple of 2^-53. */
double rng_unit(uint64_t seed, uint64_t stream, uint64_t index);

/* Returns a uniform number in 0 … n - 1, n > 0; the bias is below n / 2^64. */
uint64_t rng_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t n);

#endif
