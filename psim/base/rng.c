#include "rng.h"

/* Multipliers and key increments of Philox4x32 (Random123, philox.h). */
static const uint32_t multiplier0 = 0xd2511f53, multiplier1 = 0xcd9e8d57;
static const uint32_t weyl0 = 0x9e3779b9, weyl1 = 0xbb67ae85;

struct rng_words rng_philox(struct rng_words c, uint32_t key0, uint32_t key1)
{
	for (int round = 0; round < 10; round++) {
		uint64_t p0 = (uint64_t)multiplier0 * c.word[0];
		uint64_t p1 = (uint64_t)multiplier1 * c.word[2];

		c = (struct rng_words){{
			(uint32_t)(p1 >> 32) ^ c.word[1] ^ key0,
			(uint32_t)p1,
			(uint32_t)(p0 >> 32) ^ c.word[3] ^ key1,
			(uint32_t)p0,
		}};
		key0 += weyl0;
		key1 += weyl1;
	}
	return c;
}

uint64_t rng_u64(uint64_t seed, uint64_t stream, uint64_t index)
{
	struct rng_words counter = {
		{(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
	struct rng_words out = rng_philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32));

	return (uint64_t)out.word[1] << 32 | out.word[0];
}

double rng_unit(uint64_t seed, uint64_t stream, uint64_t index)
{
	return (double)(rng_u64(seed, stream, index) >> 11) * 0x1p-53;
}

/* Returns the high word of a 64 × 64 bit product, from four 32-bit ones. */
static uint64_t rng_multiply_high(uint64_t a, uint64_t b)
{
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t middle = ah * bl + (al * bl >> 32);
	uint64_t carry = al * bh + (uint32_t)middle;

	return ah * bh + (middle >> 32) + (carry >> 32);
}

uint64_t rng_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t n)
{
	return rng_multiply_high(rng_u64(seed, stream, index), n);
}
