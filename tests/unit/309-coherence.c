/* Cores that share lines: psim/memory/coherence.c, by the rules of psim/memory/memsys.h. Numbers by hand. */
#include "tap.h"

#include "core_random.h"
#include "memsys_small.h"
#include "psim/core/chip.h"
#include "psim/core/core_state.h"
#include "trace_maker.h"

enum { CORES = 3 };

/*
 * Cores of one program, small_config() each: a hit of L2 takes 14 cycles, memory 134. coherence.latency is 30: what
 * another L1D has dirty takes 30 + 14, an upgrade 30 + 12.
 */
struct several {
	struct core_config cfg;
	struct chip_memory *chip;
	struct memsys *core[CORES];
};

static void several_create(struct several *s, unsigned miss_buffers)
{
	s->cfg = small_config();
	s->cfg.coherence.latency = 30;
	s->cfg.l1d.miss_buffers = miss_buffers;
	s->chip = chip_memory_create(&s->cfg, NULL);
	REQUIRE(s->chip != NULL);
	for (unsigned n = 0; n < CORES; n++) {
		s->core[n] = memsys_create(&s->cfg, s->chip, NULL);
		REQUIRE(s->core[n] != NULL);
		if (n)
			memsys_share(s->core[n], s->core[0]);
	}
}

static void several_check(const struct several *s)
{
	struct err e = {.text = ""};

	for (unsigned n = 0; n < CORES; n++)
		CHECK_I64(memsys_check(s->core[n], &e), 0);
	CHECK_STR(e.text, "");
}

static void several_destroy(struct several *s)
{
	several_check(s);
	for (unsigned n = 0; n < CORES; n++)
		memsys_destroy(s->core[n]);
	chip_memory_destroy(s->chip);
}

#define CHECK_COUNTS(m, transfers, upgrades, invalidations, lost) \
	do { \
		const struct memsys_stats *counts = memsys_stats(m); \
		CHECK_U64(counts->coherence_transfers, transfers); \
		CHECK_U64(counts->coherence_upgrades, upgrades); \
		CHECK_U64(counts->coherence_invalidations, invalidations); \
		CHECK_U64(counts->coherence_lost, lost); \
	} while (0)

static void lines_that_are_read_cost_nothing_after_the_first_miss(void)
{
	struct several s;

	several_create(&s, 8);
	CHECK_ANSWER(load(s.core[0], 0, 5), 134, MEM_MEMORY);
	CHECK_ANSWER(load(s.core[1], 1000, 5), 1014, MEM_L2); /* one copy in L2 for all */
	for (uint64_t t = 2000; t < 3000; t += 100)
		for (unsigned n = 0; n < 2; n++)
			CHECK_ANSWER(load(s.core[n], t, 5), t, MEM_L1);
	for (unsigned n = 0; n < 2; n++) {
		CHECK_COUNTS(s.core[n], 0, 0, 0, 0);
		CHECK_U64(memsys_stats(s.core[n])->coherence_wait_cycles, 0);
	}
	several_destroy(&s);
}

static void a_line_goes_between_two_writers(void)
{
	struct several s;

	several_create(&s, 8);
	CHECK_ANSWER(store(s.core[0], 0, 5), 134, MEM_MEMORY);
	CHECK_ANSWER(store(s.core[0], 500, 5), 500, MEM_L1);
	/* leaves the other L1D at once, is at L2 in 1030, and is usable 14 cycles later */
	CHECK_ANSWER(store(s.core[1], 1000, 5), 1044, MEM_L2);
	CHECK_ANSWER(store(s.core[1], 1500, 5), 1500, MEM_L1);
	CHECK_ANSWER(store(s.core[0], 2000, 5), 2044, MEM_L2);
	CHECK_COUNTS(s.core[0], 1, 0, 1, 1);
	CHECK_COUNTS(s.core[1], 1, 0, 1, 1);
	CHECK_U64(memsys_stats(s.core[0])->coherence_wait_cycles, 30);
	CHECK_U64(memsys_stats(s.core[0])->memory_reads + memsys_stats(s.core[1])->memory_reads, 1);
	CHECK_U64(memsys_stats(s.core[0])->l2_writebacks, 0);
	several_destroy(&s);
}

static void a_line_on_its_way_arrives_before_it_leaves(void)
{
	struct several s;

	several_create(&s, 8);
	store(s.core[0], 0, 5);
	CHECK_ANSWER(store(s.core[1], 1000, 5), 1044, MEM_L2);
	/* core 1 may use it in 1044; then 30 + 14 */
	CHECK_ANSWER(store(s.core[2], 1010, 5), 1088, MEM_L2);
	CHECK_ANSWER(store(s.core[0], 1020, 5), 1132, MEM_L2);
	several_destroy(&s);
}

static void different_words_of_a_line_are_one_line(void)
{
	struct several s;

	several_create(&s, 8);
	memsys_store(s.core[0], 0, 5 * LINE, 8, 0);
	CHECK_ANSWER(memsys_store(s.core[1], 1000, 5 * LINE + 56, 8, 0), 1044, MEM_L2);
	CHECK_ANSWER(memsys_load(s.core[0], 2000, 5 * LINE, 8), 2044, MEM_L2);
	/* in lines of their own they do not meet */
	memsys_store(s.core[0], 3000, 6 * LINE, 8, 0);
	memsys_store(s.core[1], 3000, 7 * LINE, 8, 0);
	CHECK_ANSWER(memsys_store(s.core[0], 4000, 6 * LINE + 8, 8, 0), 4000, MEM_L1);
	CHECK_ANSWER(memsys_store(s.core[1], 4000, 7 * LINE + 8, 8, 0), 4000, MEM_L1);
	several_destroy(&s);
}

static void a_reader_leaves_the_line_clean_in_both(void)
{
	struct several s;

	several_create(&s, 8);
	store(s.core[0], 0, 5);
	CHECK_ANSWER(load(s.core[1], 1000, 5), 1044, MEM_L2);
	CHECK_ANSWER(load(s.core[0], 2000, 5), 2000, MEM_L1);
	CHECK_ANSWER(load(s.core[1], 2000, 5), 2000, MEM_L1);
	CHECK_ANSWER(load(s.core[2], 2500, 5), 2514, MEM_L2); /* L2 has the data now */
	/* the next write needs the others' copies gone: 30 + 12, no data */
	CHECK_ANSWER(store(s.core[0], 3000, 5), 3042, MEM_L2);
	CHECK_ANSWER(store(s.core[0], 3100, 5), 3100, MEM_L1);
	CHECK_COUNTS(s.core[0], 0, 1, 2, 0);
	CHECK_COUNTS(s.core[1], 1, 0, 0, 1);
	CHECK_COUNTS(s.core[2], 0, 0, 0, 1);
	CHECK_ANSWER(load(s.core[1], 4000, 5), 4044, MEM_L2);
	several_destroy(&s);
}

static void a_line_of_one_core_is_written_at_once(void)
{
	struct several s;

	several_create(&s, 8);
	load(s.core[0], 0, 5);
	CHECK_ANSWER(store(s.core[0], 1000, 5), 1000, MEM_L1);
	/* clean in one other L1D: invalidated, then as an L2 hit */
	load(s.core[1], 2000, 6);
	CHECK_ANSWER(store(s.core[2], 3000, 6), 3044, MEM_L2);
	CHECK_COUNTS(s.core[0], 0, 0, 0, 0);
	CHECK_COUNTS(s.core[2], 0, 0, 1, 0);
	several_destroy(&s);
}

static void an_upgrade_takes_a_miss_buffer(void)
{
	struct several s;

	several_create(&s, 1);
	load(s.core[0], 0, 0);
	load(s.core[1], 1000, 0);
	CHECK_ANSWER(load(s.core[0], 2000, 1), 2134, MEM_MEMORY); /* at L1D in 2132 */
	CHECK_REFUSED(store(s.core[0], 2010, 0), MEM_NO_BUFFER, 2132);
	CHECK_REFUSED(memsys_store_prefetch(s.core[0], 2010, 8, 0), MEM_NO_BUFFER, 2132);
	CHECK_ANSWER(store(s.core[0], 2132, 0), 2174, MEM_L2);
	CHECK_REFUSED(load(s.core[0], 2140, 2), MEM_NO_BUFFER, 2174);
	CHECK_COUNTS(s.core[0], 0, 1, 1, 0);
	several_destroy(&s);
}

static void a_store_asks_ahead_for_the_right_to_write(void)
{
	struct several s;

	several_create(&s, 8);
	load(s.core[0], 0, 5);
	load(s.core[1], 1000, 5);
	CHECK(memsys_store_prefetch(s.core[0], 2000, 5 * LINE, 0).hit);
	CHECK_ANSWER(store(s.core[0], 2010, 5), 2042, MEM_L2);
	CHECK_ANSWER(store(s.core[0], 2050, 5), 2050, MEM_L1);
	/* a line that is requested ahead is that core's alone */
	memsys_store_prefetch(s.core[1], 3000, 5 * LINE, 0);
	CHECK_ANSWER(store(s.core[1], 3100, 5), 3100, MEM_L1);
	CHECK_U64(memsys_stats(s.core[1])->coherence_invalidations, 1);
	several_destroy(&s);
}

static void warming_keeps_lines_coherent(void)
{
	static const uint64_t address[] = {5 * LINE};
	static const bool write[] = {true}, read[] = {false};
	struct several s;

	several_create(&s, 8);
	memsys_warm_data(s.core[0], address, write, 1);
	memsys_warm_data(s.core[1], address, write, 1);
	several_check(&s);
	CHECK_ANSWER(store(s.core[1], 0, 5), 0, MEM_L1);
	CHECK_ANSWER(load(s.core[0], 1000, 5), 1044, MEM_L2);
	memsys_warm_data(s.core[2], address, write, 1);
	memsys_warm_data(s.core[0], address, read, 1);
	several_check(&s);
	CHECK_ANSWER(store(s.core[2], 2000, 5), 2042, MEM_L2); /* clean in core 0 too */
	several_destroy(&s);
}

/* Random accesses, near each other: the invariants hold, and no line is ready before the cycle of its request. */
static void random_accesses_keep_the_invariants(void)
{
	uint64_t state = 7, now = 0;
	struct several s;

	several_create(&s, 2);
	for (unsigned n = 0; n < 20000; n++) {
		struct memsys *m = s.core[core_random_number(&state) % CORES];
		uint64_t line = core_random_number(&state) % 24;
		struct mem_answer a;

		now += core_random_number(&state) % 40;
		switch (core_random_number(&state) % 4) {
		case 0: a = store(m, now, line); break;
		case 1: a = memsys_store_prefetch(m, now, line * LINE, 0); break;
		case 2: a = memsys_prefetch(m, now, line * LINE, false, 0); break;
		default: a = load(m, now, line); break;
		}
		CHECK(a.ready >= now + (a.refused != MEM_ACCEPTED));
		if (n % 16 == 0)
			several_check(&s);
	}
	for (unsigned n = 0; n < CORES; n++)
		CHECK(memsys_stats(s.core[n])->coherence_upgrades && memsys_stats(s.core[n])->coherence_transfers);
	several_destroy(&s);
}

/* The space of each of four traces: the number of the first core that has the same. */
static void check_spaces(struct trace_maker *const *maker, const char *sharing, const unsigned *expected)
{
	struct config *config = config_create();
	struct chip_options options = {.check = true};
	struct trace_reader *trace[4];
	struct core_config cfg;
	struct chip *chip;
	struct err e;

	core_config_add(config, &cfg);
	REQUIRE(config_override(config, "chip.cores=4", "test", &e) == 0);
	REQUIRE(config_override(config, sharing, "test", &e) == 0);
	for (unsigned n = 0; n < 4; n++)
		trace[n] = trace_maker_open(maker[n]);
	chip = chip_create(&cfg, trace, &options, &e);
	REQUIRE(chip != NULL);
	for (unsigned n = 0; n < 4; n++)
		for (unsigned k = 0; k < n; k++)
			CHECK((chip_core(chip, n)->mem->space == chip_core(chip, k)->mem->space) ==
			      (expected[n] == expected[k]));
	chip_destroy(chip);
	for (unsigned n = 0; n < 4; n++)
		trace_close(trace[n]);
	config_destroy(config);
}

static void threads_of_a_program_share_and_programs_do_not(void)
{
	static const char *const args[] = {"p", "8"};
	static const uint32_t nop[] = {0x01000000};
	struct trace_info info = {.program = "p", .program_crc = 7, .recorder = "r", .args = args, .arg_count = 1};
	struct trace_maker maker[4];

	for (unsigned n = 0; n < 4; n++) {
		info.thread = n % 2; /* 0 and 1; then, with another argument, 0 and 1 */
		info.arg_count = 1 + n / 2;
		trace_maker_start(&maker[n], &info);
		trace_maker_run(&maker[n], 0x10000, nop, 1, NULL);
	}
	struct trace_maker *const two[] = {&maker[0], &maker[1], &maker[2], &maker[3]};
	struct trace_maker *const mixed[] = {&maker[0], &maker[2], &maker[3], &maker[1]};
	struct trace_maker *const twice[] = {&maker[0], &maker[1], &maker[0], &maker[1]};
	struct trace_maker *const copies[] = {&maker[0], &maker[0], &maker[0], &maker[0]};

	check_spaces(two, "chip.sharing=threads", (const unsigned[]){0, 0, 2, 2});
	check_spaces(mixed, "chip.sharing=threads", (const unsigned[]){0, 1, 1, 0});
	check_spaces(twice, "chip.sharing=threads", (const unsigned[]){0, 0, 2, 2});
	check_spaces(copies, "chip.sharing=threads", (const unsigned[]){0, 1, 2, 3});
	check_spaces(copies, "chip.sharing=all", (const unsigned[]){0, 0, 0, 0});
	check_spaces(two, "chip.sharing=none", (const unsigned[]){0, 1, 2, 3});
	for (unsigned n = 0; n < 4; n++)
		trace_maker_finish(&maker[n]);
}

static const struct tap_test tests[] = {
	{"lines that are read cost nothing after the first miss",
	 lines_that_are_read_cost_nothing_after_the_first_miss},
	{"a line goes between two writers", a_line_goes_between_two_writers},
	{"a line on its way arrives before it leaves", a_line_on_its_way_arrives_before_it_leaves},
	{"different words of a line are one line", different_words_of_a_line_are_one_line},
	{"a reader leaves the line clean in both", a_reader_leaves_the_line_clean_in_both},
	{"a line of one core is written at once", a_line_of_one_core_is_written_at_once},
	{"an upgrade takes a miss buffer", an_upgrade_takes_a_miss_buffer},
	{"a store asks ahead for the right to write", a_store_asks_ahead_for_the_right_to_write},
	{"warming keeps lines coherent", warming_keeps_lines_coherent},
	{"random accesses keep the invariants", random_accesses_keep_the_invariants},
	{"threads of a program share, and programs do not", threads_of_a_program_share_and_programs_do_not},
};

int main(void)
{
	return tap_main("coherence", tests, TAP_COUNT(tests));
}
