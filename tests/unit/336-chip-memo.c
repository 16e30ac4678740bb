/*
 * Memoised cores of a chip count as detailed ones, to the last counter: each stops within its transitions where it is
 * another core's turn (psim/core/chip.h). Random programs on random machines, in steps of any length; some share
 * memory, some have arrays.
 *
 * CHIP_MEMO_SEEDS=FIRST:COUNT in the environment: these seeds instead of the test's (seeds.h).
 */
#include "tap.h"

#include <stdio.h>

#include "array_random.h"
#include "core_compare.h"
#include "core_draw.h"
#include "core_random.h"
#include "psim/core/chip.h"
#include "seeds.h"

enum { MEMORY = 64000000, SEEDS = 16, CORES_MAX = 4 };

/* A chip, and what it is made of. */
struct chip_run {
	struct config *config;
	struct core_config cfg;
	struct trace_reader *trace[CORES_MAX];
	struct chip *chip;
	struct err e;
};

static void chip_run_start(struct chip_run *r, struct trace_maker *programs, unsigned cores,
			   const char *const *overrides, const struct chip_options *options)
{
	char text[32];

	r->e.text[0] = '\0';
	r->config = config_create();
	core_config_add(r->config, &r->cfg);
	snprintf(text, sizeof(text), "chip.cores=%u", cores);
	REQUIRE(config_override(r->config, text, "test", &r->e) == 0);
	for (; overrides && *overrides; overrides++)
		REQUIRE(config_override(r->config, *overrides, "test", &r->e) == 0);
	REQUIRE(core_config_check(r->config, &r->cfg, &r->e) == 0);
	for (unsigned n = 0; n < cores; n++)
		r->trace[n] = trace_maker_open(&programs[n]);
	r->chip = chip_create(&r->cfg, r->trace, options, &r->e);
	REQUIRE(r->chip != NULL);
}

static void chip_run_finish(struct chip_run *r)
{
	unsigned cores = chip_cores(r->chip);

	chip_destroy(r->chip);
	for (unsigned n = 0; n < cores; n++)
		trace_close(r->trace[n]);
	config_destroy(r->config);
}

/* Replayed cycles in percent of all. */
static double replayed(const struct chip *chip)
{
	uint64_t all = 0, known = 0;

	for (unsigned n = 0; n < chip_cores(chip); n++) {
		struct memo_stats done;

		memo_statistics(chip_core(chip, n), &done);
		known += done.replayed;
		all += core_stats(chip_core(chip, n))->cycles;
	}
	return 100 * (double)known / (double)all;
}

/* Runs both to their ends, compares, and returns the share of replayed cycles in percent. */
static double compare_chips(struct chip_run *detailed, struct chip_run *memoised, uint32_t step)
{
	uint64_t seed = 5;
	int more = 1;

	for (unsigned n = 0; n < chip_cores(memoised->chip); n++)
		((struct core *)(uintptr_t)chip_core(memoised->chip, n))->memo->tireless = true;
	while (more > 0) {
		uint64_t cycles = step ? 1 + core_random_number(&seed) % step : UINT64_MAX;

		more = chip_run(detailed->chip, cycles, &detailed->e);
		CHECK_I64(chip_run(memoised->chip, cycles, &memoised->e), more);
		for (unsigned n = 0; n < chip_cores(detailed->chip); n++)
			core_compare_counts(chip_core(detailed->chip, n), chip_core(memoised->chip, n));
	}
	CHECK_STR(memoised->e.text, detailed->e.text);
	return replayed(memoised->chip);
}

static double compare_random(uint64_t seed)
{
	static const char *const small_l2[] = {"l1d.size=4KiB", "l1i.size=4KiB",     "l2.size=16KiB",
					       "l2.ways=4",     "l2.miss_buffers=2", NULL};
	static const char *const shared_l2[] = {"chip.sharing=all", "l1d.size=4KiB", "l2.size=16KiB",
						"l2.ways=4",        "l1i.size=4KiB", NULL};
	uint64_t state = seed;
	unsigned cores = 2 + (unsigned)core_random_number(&state) % (CORES_MAX - 1);
	uint32_t step = core_random_number(&state) % 2 ? 0 : 1 + (uint32_t)(core_random_number(&state) % 3000);
	struct chip_options options = {.hooks = &whole_core, .region = seed % 4 == 2 ? "inner" : NULL};
	struct trace_maker programs[CORES_MAX];
	struct chip_run detailed, memoised;
	struct core_draw machine;
	const char *const *overrides = machine.overrides;
	unsigned pes = seed % 3 == 1 ? array_draw_pes(&state) : 0;
	double share;

	if (pes)
		array_draw_machine(&machine, pes, &state);
	else
		core_draw_machine(&machine, &state);
	if (seed % 3 == 0)
		overrides = seed % 2 ? shared_l2 : small_l2;
	for (unsigned n = 0; n < cores; n++) {
		if (pes)
			array_random_loops(&programs[n], 15, pes, seed + n % 2 * 1000);
		else
			core_random_loops(&programs[n], 40, seed + n % 2 * 1000);
	}
	chip_run_start(&detailed, programs, cores, overrides, &options);
	options.memo_bytes = core_random_number(&state) % 8 ? MEMORY : 1000000;
	options.memo_check = core_random_number(&state) % 3 ? 0 : 1 + core_random_number(&state) % 20;
	chip_run_start(&memoised, programs, cores, overrides, &options);
	share = compare_chips(&detailed, &memoised, step);
	if (overrides == shared_l2)
		CHECK(core_memsys_stats(chip_core(detailed.chip, 0))->coherence_upgrades > 0);
	chip_run_finish(&detailed);
	chip_run_finish(&memoised);
	for (unsigned n = 0; n < cores; n++)
		trace_maker_finish(&programs[n]);
	return share;
}

static void random_chips(void)
{
	seeds_run("CHIP_MEMO_SEEDS", SEEDS, compare_random, 20);
}

/* Only the last loop of one of its programs is in the region. */
static void region_of_the_last_loop(void)
{
	compare_random(742);
}

static const struct tap_test tests[] = {
	{"random programs on random chips count the same", random_chips},
	{"a region of the last loop alone does", region_of_the_last_loop},
};

int main(void)
{
	return tap_main("chip memo", tests, TAP_COUNT(tests));
}
