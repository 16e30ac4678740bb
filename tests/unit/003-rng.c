/* Random numbers without state: psim/base/rng.h. */
#include "tap.h"

#include "psim/base/rng.h"

static void check_words(struct rng_words r, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	CHECK_HEX(r.word[0], a);
	CHECK_HEX(r.word[1], b);
	CHECK_HEX(r.word[2], c);
	CHECK_HEX(r.word[3], d);
}

/* The three known answers that the authors publish with Random123 (kat_vectors, philox4x32, 10
 * rounds). */
static void known_answer_of_zeros(void)
{
	check_words(rng_philox((struct rng_words){{0, 0, 0, 0}}, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
}

static void known_answer_of_ones(void)
{
	check_words(rng_philox((struct rng_words){{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u), 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
		    0x6d5451fd);
}

static void known_answer_of_pi(void)
{
	check_words(rng_philox((struct rng_words){{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822,
			       0x299f31d0),
		    0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

static void a_number_is_made_of_the_first_two_words(void)
{
	/* from the first known answer: word 1 above word 0 */
	CHECK_HEX(rng_u64(0, 0, 0), 0xe169c58d6627e8d5);
}

static void every_argument_counts_in_all_its_bits(void)
{
	uint64_t zero = rng_u64(0, 0, 0);

	for (int bit = 0; bit < 64; bit++) {
		CHECK(rng_u64(1ull << bit, 0, 0) != zero);
		CHECK(rng_u64(0, 1ull << bit, 0) != zero);
		CHECK(rng_u64(0, 0, 1ull << bit) != zero);
	}
}

static void the_unit_interval_is_hit_evenly(void)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < 100000; i++) {
		double x = rng_unit(1, 2, i);

		CHECK(x >= 0 && x < 1);
		sum += x;
		squares += x * x;
	}
	/*
	 * Mean 1/2 with standard deviation sqrt(1/12 / 1e5) = 0.00091; mean square 1/3
	 * with sqrt((1/5 - 1/9) / 1e5) = 0.00094: five of them on either side.
	 */
	CHECK_F64(sum / 100000, 0.5, 0.0046);
	CHECK_F64(squares / 100000, 1.0 / 3, 0.0047);
}

static void unit_is_the_upper_53_bits(void)
{
	/* 0xe169c58d6627e8d5 >> 11 = 0x1c2d38b1acc4fd, times 2^-53 */
	CHECK_F64(rng_unit(0, 0, 0), (double)0x1c2d38b1acc4fd * 0x1p-53, 0);
}

static void below_is_the_high_word_of_the_product(void)
{
	/* n = 2^32: the upper half; n = 2: its top bit (0xe… has it set); n = 1: always 0 */
	CHECK_HEX(rng_below(0, 0, 0, 1ull << 32), 0xe169c58d);
	CHECK_U64(rng_below(0, 0, 0, 2), 1);
	CHECK_U64(rng_below(0, 0, 0, 1), 0);
	/* n = 2^64 - 1: x n = x 2^64 - x, whose high word is x - 1 for x > 0 */
	CHECK_HEX(rng_below(0, 0, 0, UINT64_MAX), 0xe169c58d6627e8d4);
}

static const struct tap_test tests[] = {
	{"Philox4x32-10 gives the published answer for zeros", known_answer_of_zeros},
	{"Philox4x32-10 gives the published answer for ones", known_answer_of_ones},
	{"Philox4x32-10 gives the published answer for the digits of pi", known_answer_of_pi},
	{"a number is the first two words of the block", a_number_is_made_of_the_first_two_words},
	{"every bit of seed, stream and index counts", every_argument_counts_in_all_its_bits},
	{"numbers in the unit interval have its mean and mean square", the_unit_interval_is_hit_evenly},
	{"a number in the unit interval is the upper 53 bits", unit_is_the_upper_53_bits},
	{"a number below n is the high word of the product with n", below_is_the_high_word_of_the_product},
};

int main(void)
{
	return tap_main("rng", tests, TAP_COUNT(tests));
}
