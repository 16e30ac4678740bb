/* Cores that wait for each other where their traces say so: psim/core/thread_order.h. Numbers by hand. */
#include "tap.h"

#include "core_compare.h"
#include "psim/core/chip.h"

enum { CORES = 2, LENGTH = 4, MEMORY = 64000000 };

/* A loop of four instructions, one of them a load; and the code of each thread. */
static const uint32_t loop[LENGTH] = {W_ADD(1, 1, 1), W_LDX(3, 4, 0), 0x12bffffe /* bne to the first */, W_NOP};
static const uint64_t code[CORES] = {0x10000, 0x20000};

struct machine {
	struct config *config;
	struct core_config cfg;
	struct trace_reader *trace[CORES];
	struct chip *chip;
	struct err e;
};

static void machine_start(struct machine *m, struct trace_maker *const *maker, unsigned cores,
			  const struct chip_options *options)
{
	m->e.text[0] = '\0';
	m->config = config_create();
	core_config_add(m->config, &m->cfg);
	REQUIRE(config_override(m->config, cores == 2 ? "chip.cores=2" : "chip.cores=1", "test", &m->e) == 0);
	for (unsigned n = 0; n < cores; n++)
		m->trace[n] = trace_maker_open(maker[n]);
	m->chip = chip_create(&m->cfg, m->trace, options, &m->e);
	REQUIRE(m->chip != NULL);
}

static void machine_finish(struct machine *m)
{
	unsigned cores = chip_cores(m->chip);

	chip_destroy(m->chip);
	for (unsigned n = 0; n < cores; n++)
		trace_close(m->trace[n]);
	config_destroy(m->config);
}

static void thread_start(struct trace_maker *m, unsigned thread)
{
	static const char *const args[] = {"p"};
	const struct trace_info info = {
		.program = "p", .recorder = "r", .args = args, .arg_count = 1, .thread = thread};

	trace_maker_start(m, &info);
}

/* The thread waits here until `other` has run `turns` of its loop. */
static void wait_for(struct trace_maker *m, unsigned other, uint64_t turns)
{
	const struct trace_order row = {trace_writer_position(m->writer), LENGTH * turns, other};
	struct err e;

	REQUIRE(trace_writer_order(m->writer, &row, &e) == 0);
}

static void run_turns(struct trace_maker *m, unsigned thread, uint64_t turns)
{
	const uint64_t word = 0x100000 + thread * UINT64_C(0x10000); /* they share no line */

	trace_maker_loop(m, code[thread], loop, LENGTH, turns, &word, NULL);
}

/* Thread 1 waits for the 1000 turns of thread 0, which waits for nobody; then it runs 100. */
static void make_chain(struct trace_maker *m)
{
	thread_start(&m[0], 0);
	run_turns(&m[0], 0, 1000);
	thread_start(&m[1], 1);
	wait_for(&m[1], 0, 1000);
	run_turns(&m[1], 1, 100);
}

static uint64_t cycles_alone(struct trace_maker *maker)
{
	const struct chip_options options = {.check = true};
	struct machine m;
	uint64_t cycles;

	machine_start(&m, &maker, 1, &options);
	REQUIRE(chip_run(m.chip, UINT64_MAX, &m.e) == 0);
	cycles = chip_cycles(m.chip);
	machine_finish(&m);
	return cycles;
}

static void rows_are_read_as_written(void)
{
	const struct trace_order early = {3, 9, 1}, strange = {4, 9, 64}, late = {5, 9, 1};
	struct trace_reader *r;
	const struct trace_order *row;
	struct trace_maker m;
	struct err e;
	size_t count;

	thread_start(&m, 0);
	wait_for(&m, 1, 1ull << 60);
	run_turns(&m, 0, 1);
	wait_for(&m, 63, 0);
	wait_for(&m, 1, 7);
	CHECK(trace_writer_order(m.writer, &early, &e) < 0);
	CHECK(trace_writer_order(m.writer, &strange, &e) < 0);
	CHECK(trace_writer_order(m.writer, &late, &e) < 0);
	r = trace_maker_open(&m);
	row = trace_orders(r, &count);
	REQUIRE(count == 3);
	CHECK(row[0].position == 0 && row[0].thread == 1 && row[0].after == 1ull << 62);
	CHECK(row[1].position == 4 && row[1].thread == 63 && row[1].after == 0);
	CHECK(row[2].position == 4 && row[2].thread == 1 && row[2].after == 28);
	trace_close(r);
	trace_maker_finish(&m);
}

/* The cycles of the one alone, then those of the other alone. */
static void a_thread_begins_when_the_other_ends(void)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	const struct chip_options options = {.check = true};
	const struct core_stats *s;
	uint64_t first, second;
	struct machine m;

	make_chain(maker);
	first = cycles_alone(&maker[0]);
	second = cycles_alone(&maker[1]); /* nobody to wait for */
	machine_start(&m, both, 2, &options);
	CHECK_I64(chip_run(m.chip, UINT64_MAX, &m.e), 0);
	s = core_stats(chip_core(m.chip, 1));
	CHECK_U64(core_stats(chip_core(m.chip, 0))->cycles, first);
	CHECK_U64(s->cycles, first + second);
	CHECK_U64(s->instructions, 400);
	CHECK(s->lost[STALL_thread] >= first * m.cfg.core.commit_width);
	CHECK_U64(core_stats(chip_core(m.chip, 0))->lost[STALL_thread], 0);
	machine_finish(&m);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
}

static void threads_that_wait_for_each_other_are_an_error(void)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	const struct chip_options options = {.check = true};
	struct machine m;

	for (unsigned n = 0; n < CORES; n++) {
		thread_start(&maker[n], n);
		run_turns(&maker[n], n, 2);
		wait_for(&maker[n], 1 - n, 3);
		run_turns(&maker[n], n, 2);
	}
	machine_start(&m, both, 2, &options);
	CHECK_I64(chip_run(m.chip, UINT64_MAX, &m.e), -1);
	CHECK_I64(m.e.status, STATUS_STUCK);
	CHECK_STR(m.e.text, "core 0 waits at instruction 8 of its trace for instruction 12 of core 1's, which is never "
			    "executed: are the traces of one run?");
	machine_finish(&m);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
}

/* Threads that meet after each of 40 parts, of which one has 30 turns and the other 300, by turns. */
static void make_rounds(struct trace_maker *maker)
{
	uint64_t done[CORES] = {0, 0};

	for (unsigned n = 0; n < CORES; n++)
		thread_start(&maker[n], n);
	for (unsigned part = 0; part < 40; part++) {
		for (unsigned n = 0; n < CORES; n++) {
			uint64_t turns = part % 2 == n ? 300 : 30;

			run_turns(&maker[n], n, turns);
			done[n] += turns;
		}
		for (unsigned n = 0; n < CORES; n++)
			wait_for(&maker[n], 1 - n, done[1 - n]);
	}
	for (unsigned n = 0; n < CORES; n++)
		run_turns(&maker[n], n, 1);
}

/*
 * A turn has a taken branch, so takes a cycle or more: each thread waits in 20 of the parts for 270 turns of the other
 * one at least. Memoised cores count as detailed ones, also in steps.
 */
static void threads_meet(uint64_t step)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	struct chip_options options = {.check = true};
	struct machine detailed, memoised;
	struct memo_stats done;
	int more = 1;

	make_rounds(maker);
	machine_start(&detailed, both, 2, &options);
	options = (struct chip_options){.memo_bytes = MEMORY};
	machine_start(&memoised, both, 2, &options);
	for (unsigned n = 0; n < CORES; n++)
		((struct core *)(uintptr_t)chip_core(memoised.chip, n))->memo->tireless = true;
	while (more > 0) {
		more = chip_run(detailed.chip, step, &detailed.e);
		CHECK_I64(chip_run(memoised.chip, step, &memoised.e), more);
		for (unsigned n = 0; n < CORES; n++)
			core_compare_counts(chip_core(detailed.chip, n), chip_core(memoised.chip, n));
	}
	CHECK_I64(more, 0);
	for (unsigned n = 0; n < CORES; n++) {
		const struct core_stats *s = core_stats(chip_core(detailed.chip, n));

		CHECK_U64(s->instructions, LENGTH * (20 * 330 + 1));
		CHECK(s->cycles >= 40 * 300);
		CHECK(s->lost[STALL_thread] >= 20 * 200 * (uint64_t)detailed.cfg.core.commit_width);
	}
	memo_statistics(chip_core(memoised.chip, 0), &done);
	CHECK(done.replayed > 0);
	machine_finish(&detailed);
	machine_finish(&memoised);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
}

static void threads_meet_in_one_step(void)
{
	threads_meet(UINT64_MAX);
}

static void threads_meet_in_many_steps(void)
{
	threads_meet(97);
}

static const struct tap_test tests[] = {
	{"rows are read as written", rows_are_read_as_written},
	{"a thread begins when the other ends", a_thread_begins_when_the_other_ends},
	{"threads that wait for each other are an error", threads_that_wait_for_each_other_are_an_error},
	{"threads meet, in one step", threads_meet_in_one_step},
	{"threads meet, in many steps", threads_meet_in_many_steps},
};

int main(void)
{
	return tap_main("thread order", tests, TAP_COUNT(tests));
}
