/*
 * The memoised core counts as the detailed one, to the last counter (psim/replay/memo.h), in random programs on random
 * machines: whole, one region of them, or a sample, in steps of any length, with known transitions simulated again.
 *
 * CORE_MEMO_SEEDS=FIRST:COUNT in the environment: these seeds instead of the test's (seeds.h).
 */
#include "tap.h"

#include "array_random.h"
#include "core_compare.h"
#include "core_draw.h"
#include "core_random.h"
#include "seeds.h"

enum { MEMORY = 64000000, SEEDS = 60, REPLAYED = 20 };

/* The parts of a program that are simulated, drawn from `state`. */
static struct sample_plan draw_plan(uint64_t *state)
{
	struct sample_plan p = {
		.unit = 1 + core_random_number(state) % 300,
		.warm_up = 1 + core_random_number(state) % 400,
		.tail = 1 + core_random_number(state) % 50,
	};

	p.every = p.unit + p.warm_up + p.tail + core_random_number(state) % 2000;
	return p;
}

/* The way in which the program is run, drawn from `state`. */
static struct core_compare draw_way(uint64_t seed, const struct sample_plan *plan, uint64_t *state)
{
	struct core_compare what = {.memory = MEMORY};

	what.step = core_random_number(state) % 2 ? 0 : 1 + core_random_number(state) % 5000;
	what.check = core_random_number(state) % 3 ? 0 : 1 + core_random_number(state) % 20;
	if (core_random_number(state) % 8 == 0)
		what.memory = core_random_number(state) % 1000000;
	if (core_random_number(state) % 6 == 0)
		what.interval = 1 + core_random_number(state) % 3000;
	if (seed % 4 == 1)
		what.sample = plan;
	else if (seed % 4 == 2)
		what.region = "inner";
	return what;
}

/* Compares two runs of the program, which it removes. */
static double compare_program(struct trace_maker *m, const struct core_compare *what)
{
	struct trace_reader *traces[2];
	double share;

	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(m);
	share = core_compare(traces, what);
	trace_maker_finish(m);
	return share;
}

static double compare_random(uint64_t seed)
{
	uint64_t state = seed;
	struct sample_plan plan = draw_plan(&state);
	struct core_compare what;
	struct core_draw machine;
	struct trace_maker m;

	core_draw_machine(&machine, &state);
	what = draw_way(seed, &plan, &state);
	what.overrides = seed % 3 ? machine.overrides : core_random_small;
	what.rests = seed % 8 == 3;
	if (seed % 5)
		core_random_loops(&m, 60, seed);
	else
		core_random_trace(&m, 1500, 700, seed);
	return compare_program(&m, &what);
}

static double compare_array(uint64_t seed)
{
	uint64_t state = seed + 1000000;
	struct sample_plan plan = draw_plan(&state);
	unsigned pes = array_draw_pes(&state);
	struct core_compare what;
	struct core_draw machine;
	struct trace_maker m;

	array_draw_machine(&machine, pes, &state);
	what = draw_way(seed, &plan, &state);
	what.overrides = machine.overrides;
	array_random_loops(&m, 30, pes, seed);
	return compare_program(&m, &what);
}

static void random_programs(void)
{
	seeds_run("CORE_MEMO_SEEDS", SEEDS, compare_random, REPLAYED);
}

static void random_arrays(void)
{
	seeds_run("CORE_MEMO_SEEDS", SEEDS, compare_array, REPLAYED);
}

static void samples_on_random_machines(void)
{
	static const char *const names[] = {"hello", "dgemm", "quicksort", "zgemm"};
	uint64_t state = 11;

	for (unsigned n = 0; n < 12; n++) {
		struct core_draw machine;

		core_draw_machine(&machine, &state);
		core_compare_sample(names[n % 4], &(struct core_compare){.overrides = machine.overrides,
									 .memory = MEMORY,
									 .step = n % 3 ? 0 : 30000});
	}
}

static const struct tap_test tests[] = {
	{"random programs count the same", random_programs},
	{"those of random arrays do", random_arrays},
	{"sample traces on random machines do", samples_on_random_machines},
};

int main(void)
{
	return tap_main("core memo random", tests, TAP_COUNT(tests));
}
