/* Quantiles from bins of equal relative width: psim/base/quantile.h. */
#include "tap.h"

#include <string.h>

#include "psim/base/quantile.h"
#include "psim/base/rng.h"

/* The middle of the bin of one number is that number, but for 1/256 of it. */
static void a_number_is_near_the_middle_of_its_bin(void)
{
	static uint64_t bin[QUANTILE_BINS];

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t value = rng_u64(1, 2, i) >> i % 64;
		double middle;

		memset(bin, 0, sizeof(bin));
		REQUIRE(quantile_bin(value) < QUANTILE_BINS);
		bin[quantile_bin(value)] = 1;
		middle = quantile_of(bin, 0.5);
		CHECK_F64(middle, (double)value, (double)value / (2 * QUANTILE_PARTS));
	}
}

static void bins_are_in_the_order_of_numbers(void)
{
	CHECK_U64(quantile_bin(0), 0);
	CHECK_U64(quantile_bin(255), 255);
	CHECK_U64(quantile_bin(256), 256); /* with 257 */
	CHECK_U64(quantile_bin(257), 256);
	CHECK_U64(quantile_bin(258), 257);
	CHECK_U64(quantile_bin(UINT64_MAX), QUANTILE_BINS - 1);
	for (uint64_t v = 1; v < 100000; v++)
		CHECK(quantile_bin(v) == quantile_bin(v - 1) || quantile_bin(v) == quantile_bin(v - 1) + 1);
}

/* 1 … 200, each once: half are at most 100, 99 % at most 198, one in 200 is at most 1, all at most 200. */
static void quantiles_count_what_is_at_most_as_large(void)
{
	static uint64_t bin[QUANTILE_BINS];

	CHECK_F64(quantile_of(bin, 0.5), 0, 0);
	for (unsigned v = 1; v <= 200; v++)
		bin[quantile_bin(v)]++;
	CHECK_F64(quantile_of(bin, 0.5), 100, 0);
	CHECK_F64(quantile_of(bin, 0.99), 198, 0);
	CHECK_F64(quantile_of(bin, 0.005), 1, 0);
	CHECK_F64(quantile_of(bin, 0), 1, 0);
	CHECK_F64(quantile_of(bin, 1), 200, 0);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a number is near the middle of its bin", a_number_is_near_the_middle_of_its_bin},
		{"bins are in the order of numbers", bins_are_in_the_order_of_numbers},
		{"quantiles count what is at most as large", quantiles_count_what_is_at_most_as_large},
	};

	return tap_main("quantile", tests, TAP_COUNT(tests));
}
