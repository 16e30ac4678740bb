/* Multiplicative hashing of words of 64 bits: D. Knuth, TAOCP 3, 6.4. Keys a power of two apart spread. */
#ifndef PSIM_BASE_HASH_H
#define PSIM_BASE_HASH_H

#include <stdint.h>

/* 2^64 over the golden ratio, made odd. A product with it depends on all bits of a word in its high bits alone. */
#define HASH_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t hash_spread(uint64_t word)
{
	return word * HASH_GOLDEN;
}

/* The high `bits` bits of the product, 1 to 64 of them: a place in a table of 2^bits. */
static inline uint64_t hash_place(uint64_t word, unsigned bits)
{
	return hash_spread(word) >> (64 - bits);
}

#endif
