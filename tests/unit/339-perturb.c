/* When a perturbed run pauses, and for how long: psim/core/perturb.h. */
#include "tap.h"

#include "psim/core/perturb.h"

static void run_0_has_no_pause(void)
{
	CHECK_U64(perturbation_begin(0).at, UINT64_MAX);
}

/* The first pause is in the first 1000 cycles, each next one 1 to 199 999 later, 100 000 on average. */
static void pauses_are_where_they_are_described(void)
{
	enum { PAUSES = 2000, RUN = 7 };
	struct perturbation p = perturbation_begin(RUN);
	uint64_t first = p.at;

	CHECK(first < PERTURB_FIRST);
	for (unsigned n = 0; n < PAUSES; n++) {
		uint64_t before = p.at;

		perturbation_next(&p);
		CHECK(p.at > before && p.at - before < 2 * (uint64_t)PERTURB_MEAN);
	}
	/* the mean of 2000 uniform gaps has a standard deviation of 100 000 / sqrt(3 * 2000) = 1291 */
	CHECK_F64((double)(p.at - first) / PAUSES, PERTURB_MEAN, 4 * 1291);
}

/* 1 to 64 cycles, each of these in 2000 draws; the mean is 32.5, its standard deviation 64 / sqrt(12 * 2000) = 0.41. */
static void pauses_take_up_to_64_cycles(void)
{
	enum { PAUSES = 2000, MOST = 64 };
	struct perturbation p = perturbation_begin(3);
	unsigned seen[MOST + 1] = {0};
	double sum = 0;

	for (unsigned n = 0; n < PAUSES; n++, perturbation_next(&p)) {
		uint64_t cycles = perturbation_pause(&p, 0);

		CHECK(cycles >= 1 && cycles <= MOST);
		seen[cycles]++;
		sum += (double)cycles;
	}
	for (unsigned n = 1; n <= MOST; n++)
		CHECK(seen[n]);
	CHECK_F64(sum / PAUSES, 32.5, 4 * 0.41);
}

/* The same run is the same. Of another run and on another core, pauses are the same by chance alone: 1 of 64. */
static void all_depends_on_the_number_of_the_run(void)
{
	struct perturbation a = perturbation_begin(1), b = perturbation_begin(1), c = perturbation_begin(2);
	unsigned same = 0, cores = 0;

	CHECK(a.at == b.at);
	for (unsigned n = 0; n < 100; n++) {
		perturbation_next(&a);
		perturbation_next(&b);
		perturbation_next(&c);
		CHECK(a.at == b.at);
		CHECK_U64(perturbation_pause(&a, 1), perturbation_pause(&b, 1));
		same += a.at == c.at;
		cores += perturbation_pause(&a, 0) == perturbation_pause(&a, 1);
	}
	CHECK(same < 5 && cores < 10);
}

static const struct tap_test tests[] = {
	{"run 0 has no pause", run_0_has_no_pause},
	{"pauses are where they are described", pauses_are_where_they_are_described},
	{"pauses take up to 64 cycles", pauses_take_up_to_64_cycles},
	{"all depends on the number of the run", all_depends_on_the_number_of_the_run},
};

int main(void)
{
	return tap_main("perturb", tests, TAP_COUNT(tests));
}
