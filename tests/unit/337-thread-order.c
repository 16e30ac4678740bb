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

/* The thread has a lock from here on for `turns` of its loop, which it runs. */
static void lock_for(struct trace_maker *m, unsigned thread, uint64_t lock, uint64_t turns)
{
	struct err e;
	int64_t section = trace_writer_section(m->writer, trace_writer_position(m->writer), lock, &e);

	REQUIRE(section >= 0);
	run_turns(m, thread, turns);
	trace_writer_section_end(m->writer, section, trace_writer_position(m->writer));
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

static void sections_are_read_as_written(void)
{
	const struct trace_section *row;
	struct trace_reader *r;
	struct trace_maker m;
	struct err e;
	size_t count;

	thread_start(&m, 0);
	lock_for(&m, 0, 0xfedc0, 2);
	CHECK_I64(trace_writer_section(m.writer, 8, 0x40, &e), 1); /* has no end: is not written */
	lock_for(&m, 0, 0, 1);
	CHECK(trace_writer_section(m.writer, 7, 0x40, &e) < 0);
	CHECK(trace_writer_section(m.writer, 13, 0x40, &e) < 0);
	r = trace_maker_open(&m);
	trace_orders(r, &count);
	CHECK_U64(count, 0);
	row = trace_sections(r, &count);
	REQUIRE(count == 2);
	CHECK(row[0].begin == 0 && row[0].end == 8 && row[0].lock == 0xfedc0);
	CHECK(row[1].begin == 8 && row[1].end == 12 && row[1].lock == 0);
	trace_close(r);
	trace_maker_finish(&m);
}

/* Cycles of a thread that runs some turns and is alone. */
static uint64_t cycles_of_turns(unsigned thread, uint64_t turns)
{
	struct trace_maker m;
	uint64_t cycles;

	thread_start(&m, thread);
	run_turns(&m, thread, turns);
	cycles = cycles_alone(&m);
	trace_maker_finish(&m);
	return cycles;
}

/* Both begin with the lock `of[thread]` for 1000 turns, then run 100; *cycles: of each. */
static void run_locked(const uint64_t *of, uint64_t *cycles)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	const struct chip_options options = {.check = true};
	struct machine m;

	for (unsigned n = 0; n < CORES; n++) {
		thread_start(&maker[n], n);
		lock_for(&maker[n], n, of[n], 1000);
		run_turns(&maker[n], n, 100);
	}
	machine_start(&m, both, 2, &options);
	CHECK_I64(chip_run(m.chip, UINT64_MAX, &m.e), 0);
	for (unsigned n = 0; n < CORES; n++) {
		cycles[n] = core_stats(chip_core(m.chip, n))->cycles;
		CHECK_U64(core_stats(chip_core(m.chip, n))->instructions, LENGTH * 1100);
	}
	machine_finish(&m);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
}

/*
 * The first has it for its 1000 turns, and never waits. The second then runs all of its own. Between the two are the
 * cycles in which the first one's pipeline would drain, and the commit of one instruction behind the section.
 */
static void a_lock_is_of_one_core_at_a_time(void)
{
	const uint64_t one[CORES] = {64, 64}, two[CORES] = {64, 128};
	uint64_t part = cycles_of_turns(0, 1000), first = cycles_of_turns(0, 1100), second = cycles_of_turns(1, 1100);
	uint64_t cycles[CORES], apart[CORES];

	run_locked(one, cycles);
	CHECK_U64(cycles[0], first);
	CHECK(cycles[1] + 20 >= part + second && cycles[1] <= part + second + 20);
	run_locked(two, apart);
	CHECK(apart[1] < second + 1000); /* both miss in the shared L2 at first */
}

/*
 * Thread 0 has the lock, and waits for what thread 1 does behind it: so they were in another order when they were
 * recorded. Both end.
 */
static void a_circle_through_a_lock_is_broken(void)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	const struct chip_options options = {.check = true};
	struct machine m;
	int64_t section;

	thread_start(&maker[0], 0);
	section = trace_writer_section(maker[0].writer, 0, 64, &m.e);
	run_turns(&maker[0], 0, 10);
	wait_for(&maker[0], 1, 300);
	run_turns(&maker[0], 0, 10);
	trace_writer_section_end(maker[0].writer, section, LENGTH * 20);
	thread_start(&maker[1], 1);
	run_turns(&maker[1], 1, 200);
	lock_for(&maker[1], 1, 64, 100);
	run_turns(&maker[1], 1, 1);
	machine_start(&m, both, 2, &options);
	CHECK_I64(chip_run(m.chip, UINT64_MAX, &m.e), 0);
	CHECK_U64(core_stats(chip_core(m.chip, 0))->instructions, LENGTH * 20);
	CHECK_U64(core_stats(chip_core(m.chip, 1))->instructions, LENGTH * 301);
	machine_finish(&m);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
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

/* Threads that have a lock in each of 40 parts, of which one has 30 turns, the other 300, by turns; then run 20. */
static void make_sections(struct trace_maker *maker)
{
	for (unsigned n = 0; n < CORES; n++) {
		thread_start(&maker[n], n);
		for (unsigned part = 0; part < 40; part++) {
			lock_for(&maker[n], n, 64, part % 2 == n ? 300 : 30);
			run_turns(&maker[n], n, 20);
		}
		run_turns(&maker[n], n, 1);
	}
}

/* A memoised chip counts as a detailed one, also in steps. Each core has `turns`, and waits `lost` cycles at least. */
static void compare_memoised(void (*make)(struct trace_maker *), uint64_t step, uint64_t turns, uint64_t lost)
{
	struct trace_maker maker[CORES];
	struct trace_maker *const both[] = {&maker[0], &maker[1]};
	struct chip_options options = {.check = true};
	struct machine detailed, memoised;
	struct memo_stats done;
	int more = 1;

	make(maker);
	machine_start(&detailed, both, 2, &options);
	options = (struct chip_options){.hooks = &whole_core, .memo_bytes = MEMORY};
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

		CHECK_U64(s->instructions, LENGTH * turns);
		CHECK(s->cycles >= 40 * 300);
		CHECK(s->lost[STALL_thread] >= lost * (uint64_t)detailed.cfg.core.commit_width);
	}
	memo_statistics(chip_core(memoised.chip, 0), &done);
	CHECK(done.replayed > 0);
	machine_finish(&detailed);
	machine_finish(&memoised);
	for (unsigned n = 0; n < CORES; n++)
		trace_maker_finish(&maker[n]);
}

/*
 * A turn has a taken branch, so takes a cycle or more: each thread waits in 20 of the parts for 270 turns of the other
 * one at least.
 */
static void threads_meet_in_one_step(void)
{
	compare_memoised(make_rounds, UINT64_MAX, 20 * 330 + 1, 20 * 200);
}

static void threads_meet_in_many_steps(void)
{
	compare_memoised(make_rounds, 97, 20 * 330 + 1, 20 * 200);
}

/* A thread waits in 20 of the parts for the other's 300 turns, of which its own 20 or 50 are no part. */
static void threads_lock_in_one_step(void)
{
	compare_memoised(make_sections, UINT64_MAX, 20 * 330 + 40 * 20 + 1, 20 * 200);
}

static void threads_lock_in_many_steps(void)
{
	compare_memoised(make_sections, 97, 20 * 330 + 40 * 20 + 1, 20 * 200);
}

static const struct tap_test tests[] = {
	{"rows are read as written", rows_are_read_as_written},
	{"sections are read as written", sections_are_read_as_written},
	{"a lock is of one core at a time", a_lock_is_of_one_core_at_a_time},
	{"a circle through a lock is broken", a_circle_through_a_lock_is_broken},
	{"a thread begins when the other ends", a_thread_begins_when_the_other_ends},
	{"threads that wait for each other are an error", threads_that_wait_for_each_other_are_an_error},
	{"threads meet, in one step", threads_meet_in_one_step},
	{"threads meet, in many steps", threads_meet_in_many_steps},
	{"threads lock, in one step", threads_lock_in_one_step},
	{"threads lock, in many steps", threads_lock_in_many_steps},
};

int main(void)
{
	return tap_main("thread order", tests, TAP_COUNT(tests));
}
