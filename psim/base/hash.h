/*
 * Hashing. Of words of 64 bits: multiplicative, D. Knuth, TAOCP 3, 6.4. Keys a power of two apart spread. Inner loops
 * take the cheapest that suffices: hash_place or hash_low for a table, hash_mix where each bit of the result counts.
 */
#ifndef PSIM_BASE_HASH_H
#define PSIM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* 2^64 over the golden ratio, made odd. A product with it depends on all bits of a word in its high bits alone. */
#define HASH_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* An odd number without a simple ratio to it, for a second word: the second prime of xxHash (Y. Collet). */
#define HASH_SECOND UINT64_C(0xc2b2ae3d27d4eb4f)

static inline uint64_t hash_spread(uint64_t word)
{
	return word * HASH_GOLDEN;
}

/* The high `bits` bits of the product, 1 to 64 of them: a place in a table of 2^bits. */
static inline uint64_t hash_place(uint64_t word, unsigned bits)
{
	return hash_spread(word) >> (64 - bits);
}

/* The product with its high bits in the low ones too, from which a table of any power of two takes its place. */
static inline uint64_t hash_low(uint64_t word)
{
	uint64_t x = hash_spread(word);

	return x ^ x >> 32;
}

/* The same of two words: 32 bits. */
static inline uint32_t hash_two(uint64_t a, uint64_t b)
{
	return (uint32_t)((hash_spread(a) ^ b * HASH_SECOND) >> 32);
}

/* Each bit of the result depends on all of the word's: the finaliser of SplitMix64 (G. Steele et al., OOPSLA 2014). */
static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Bytes one after the other: G. Fowler, L. C. Noll, P. Vo, FNV-1a of 64 bits. The first call begins with HASH_BYTES. */
#define HASH_BYTES UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
