/*
 * Private L2s and a shared L3: psim/memory/memsys_l3.c, by the rules of psim/memory/memsys.h. Numbers by hand.
 *
 * L1D has 2 sets of 1 way, L2 2 sets of 2, L3 2 sets of 3: even lines share a set of each. L2 hit: 12 + 2 = 14 cycles;
 * L3 hit: 30 + 14 = 44; memory: 120 + 44 = 164.
 */
#include "tap.h"

#include "memsys_small.h"

static struct core_config levels_config(enum inclusion inclusion)
{
	struct core_config c = small_config();

	c.l1d.size = 2 * LINE;
	c.l1d.ways = 1;
	c.l2.size = 4 * LINE;
	c.l2.ways = 2;
	c.l3.size = 6 * LINE;
	c.l3.ways = 3;
	c.l3.inclusion = inclusion;
	c.l3.latency = 30;
	c.l3.bandwidth = (struct clocked){LINE / 2, true};
	c.l3.miss_buffers = 16;
	c.l3.slices = 1;
	c.chip.cores = 1;
	c.coherence.latency = 40;
	return c;
}

static void check(const struct memsys *m)
{
	struct err e = {.text = ""};

	CHECK_I64(memsys_check(m, &e), 0);
	CHECK_STR(e.text, "");
}

/* Loads of lines, 1000 cycles apart from cycle *now on, with the cycles and the level expected of each. */
struct step {
	uint64_t line, cycles;
	enum mem_level level;
};

static void loads(struct memsys *m, uint64_t *now, const struct step *step, unsigned count)
{
	for (unsigned n = 0; n < count; n++, *now += 1000) {
		CHECK_ANSWER(load(m, *now, step[n].line), *now + step[n].cycles, step[n].level);
		check(m);
	}
}
#define LOADS(m, now, ...) \
	do { \
		const struct step steps[] = {__VA_ARGS__}; \
		loads(m, now, steps, sizeof(steps) / sizeof(steps[0])); \
	} while (0)
#define L1 0, MEM_L1
#define L2 14, MEM_L2
#define L3 44, MEM_L3
#define MEMORY 164, MEM_MEMORY

static void each_level_has_its_latency(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct core_config c = levels_config(k);
		struct memsys *m = create(&c);
		uint64_t now = 0;

		/* L2 evicts 0 for 4, then 2 for 0 */
		LOADS(m, &now, {0, MEMORY}, {0, L1}, {2, MEMORY}, {4, MEMORY}, {0, L3}, {4, L2}, {1, MEMORY});
		CHECK_U64(memsys_stats(m)->l3_accesses, 5);
		CHECK_U64(memsys_stats(m)->l3_hits, 1);
		CHECK_U64(memsys_stats(m)->l3_misses, 4);
		CHECK_U64(memsys_stats(m)->l3_victims, k == INCLUSION_NONE ? 2 : 0);
		CHECK_U64(memsys_stats(m)->l3_writebacks, 0);
		memsys_destroy(m);
	}
}

static void an_inclusive_l3_takes_its_victims_from_l2_and_l1(void)
{
	struct core_config c = levels_config(INCLUSION_ALL);
	struct memsys *m = create(&c);
	uint64_t now = 0;

	/* L3 does not see the hits of L2: 0 stays its oldest line, and leaves for 6 */
	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {0, L2}, {4, MEMORY}, {0, L2}, {6, MEMORY});
	CHECK_U64(memsys_stats(m)->l3_invalidated, 1);
	CHECK_U64(memsys_stats(m)->l1d_invalidated, 1);
	LOADS(m, &now, {0, MEMORY});
	memsys_destroy(m);
}

static void an_l3_that_is_neither_leaves_them_there(void)
{
	struct core_config c = levels_config(INCLUSION_SOME);
	struct memsys *m = create(&c);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {0, L2}, {4, MEMORY}, {0, L2}, {6, MEMORY}, {0, L2}, {2, L3});
	CHECK_U64(memsys_stats(m)->l3_invalidated, 0);
	memsys_destroy(m);
}

static void an_exclusive_l3_and_l2_hold_five_lines_of_a_set(void)
{
	struct core_config c = levels_config(INCLUSION_NONE);
	struct memsys *m = create(&c);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {4, MEMORY}, {6, MEMORY}, {8, MEMORY});
	for (unsigned n = 0; n < 2; n++)
		LOADS(m, &now, {0, L3}, {2, L3}, {4, L3}, {6, L3}, {8, L3});
	/* 10 replaces 6 in L2, and that 0 in L3 */
	LOADS(m, &now, {10, MEMORY}, {2, L3}, {0, MEMORY});
	memsys_destroy(m);
}

static void dirty_lines_go_down_a_level_at_a_time(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct core_config c = levels_config(k);
		struct memsys *m = create(&c);
		uint64_t now = 1000;

		CHECK_ANSWER(store(m, 0, 0), 164, MEM_MEMORY);
		LOADS(m, &now, {2, MEMORY}, {4, MEMORY}); /* to L2, and to L3 */
		CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
		CHECK_U64(memsys_stats(m)->l3_victims, 1);
		LOADS(m, &now, {6, MEMORY}, {8, MEMORY}); /* of 0, 2, 4, 6, 8 the last two are in L2 */
		/* an exclusive L3 has the three others; of one that has all five, 0 and 2 have left */
		CHECK_U64(memsys_stats(m)->l3_writebacks, k != INCLUSION_NONE);
		CHECK_U64(memsys_stats(m)->l2_writebacks, 0);
		/* there, 0 goes back to L2 as a dirty line, and again to memory in the end */
		if (k == INCLUSION_NONE) {
			LOADS(m, &now, {0, L3}, {10, MEMORY}, {12, MEMORY}, {14, MEMORY}, {16, MEMORY}, {18, MEMORY});
			CHECK_U64(memsys_stats(m)->l3_writebacks, 1);
		}
		memsys_destroy(m);
	}
}

static void a_load_waits_for_a_line_that_another_requested(void)
{
	struct core_config c = levels_config(INCLUSION_ALL);
	struct memsys *m = create(&c);

	CHECK_ANSWER(load(m, 0, 0), 164, MEM_MEMORY);
	CHECK_ANSWER(load(m, 0, 2), 180, MEM_MEMORY);
	CHECK_ANSWER(load(m, 0, 4), 196, MEM_MEMORY); /* L2 evicts 0, which L3 has from cycle 120 on */
	CHECK_ANSWER(load(m, 1, 0), 166, MEM_MEMORY); /* it follows the first one over the channel */
	CHECK_U64(memsys_stats(m)->l3_merged, 1);
	check(m);
	memsys_destroy(m);
}

static void the_channel_takes_a_line_every_two_cycles(void)
{
	struct core_config c = levels_config(INCLUSION_ALL);
	struct memsys *m;
	uint64_t now = 0;

	c.l1d.size = c.l2.size = 16 * LINE;
	c.l3.size = 48 * LINE;
	m = create(&c);
	for (unsigned n = 0; n < 8; n++, now += 1000)
		load(m, now, n);
	for (unsigned n = 16; n < 64; n += 16) /* L2 evicts all of the first eight */
		for (unsigned k = 0; k < 8; k++, now += 1000)
			load(m, now, n + k);
	for (unsigned n = 0; n < 2; n++)
		CHECK_ANSWER(load(m, now, 32 + n), now + 14 + 2 * n, MEM_L2);
	for (unsigned n = 0; n < 4; n++)
		CHECK_ANSWER(load(m, now + 1000, 16 + n), now + 1000 + 44 + 2 * n, MEM_L3);
	check(m);
	memsys_destroy(m);
}

/* Core 0 is at slice 0, which has the lines 0, 4, …; a step is 3 cycles each way. */
static void slices_are_at_their_distances(void)
{
	static const unsigned ring[] = {0, 1, 2, 1}, mesh[] = {0, 1, 1, 2}; /* slices 0 1 | 2 3 */

	for (enum l3_network k = 0; k < L3_NETWORK_COUNT; k++) {
		struct core_config c = levels_config(INCLUSION_ALL);
		struct memsys *m;
		uint64_t steps = 0;

		c.l3.size = 12 * LINE;
		c.l3.slices = 4;
		c.l3.network = k;
		c.l3.hop_cycles = 3;
		m = create(&c);
		for (unsigned n = 0; n < 4; n++) {
			unsigned far = k == L3_RING ? ring[n] : k == L3_MESH ? mesh[n] : 0;

			CHECK_ANSWER(load(m, 1000 * n, n), 1000 * n + 164 + 2 * 3 * far, MEM_MEMORY);
			steps += far;
		}
		CHECK_U64(memsys_stats(m)->l3_steps, steps);
		check(m);
		memsys_destroy(m);
	}
}

static void steps_of_larger_networks(void)
{
	struct l3_params p = {.slices = 8, .network = L3_RING};

	CHECK_U64(core_l3_steps(&p, 1, 7), 2);
	CHECK_U64(core_l3_steps(&p, 9, 5), 4); /* core 9 is at slice 1 */
	p.network = L3_MESH;                   /* 0 1 2 3 | 4 5 6 7 */
	CHECK_U64(core_l3_steps(&p, 0, 7), 4);
	CHECK_U64(core_l3_steps(&p, 5, 2), 2);
	p.slices = 7; /* a row */
	CHECK_U64(core_l3_steps(&p, 0, 6), 6);
	p.slices = 36; /* 6 x 6 */
	CHECK_U64(core_l3_steps(&p, 7, 35), 8);
}

/* Each slice has a channel: lines of four slices wait for that of L2 alone, those of one follow each other by 8. */
static void slices_have_channels_of_their_own(void)
{
	struct core_config c = levels_config(INCLUSION_ALL);
	struct memsys *m;

	c.l1d.size = 8 * LINE;
	c.l2.size = 8 * LINE;
	c.l2.ways = 1;
	c.l3.bandwidth = (struct clocked){LINE / 8, true};
	c.l3.size = 48 * LINE;
	c.l3.slices = 4;
	m = create(&c);
	for (unsigned n = 0; n < 16; n++)
		load(m, 1000 * n, n);
	for (unsigned n = 0; n < 4; n++)
		CHECK_ANSWER(load(m, 20000, n), 20044 + 2 * n, MEM_L3);
	/* 8 and 4 are of slice 0; 8 has left L2 for 0, and 4 for 12 */
	CHECK_ANSWER(load(m, 30000, 8), 30044, MEM_L3);
	CHECK_ANSWER(load(m, 30000, 4), 30052, MEM_L3);
	check(m);
	memsys_destroy(m);
}

/* ---- several cores of one program ---- */

enum { CORES = 3 };
struct several {
	struct core_config cfg;
	struct chip_memory *chip;
	struct memsys *core[CORES];
};

static void several_create(struct several *s, enum inclusion inclusion)
{
	struct coherence_params directory = s->cfg.coherence;

	s->cfg = levels_config(inclusion);
	s->cfg.coherence.entries = directory.entries;
	s->cfg.coherence.ways = directory.ways;
	s->cfg.chip.cores = CORES;
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
	for (unsigned n = 0; n < CORES; n++)
		check(s->core[n]);
}

static void several_destroy(struct several *s)
{
	several_check(s);
	for (unsigned n = 0; n < CORES; n++)
		memsys_destroy(s->core[n]);
	chip_memory_destroy(s->chip);
}

static void a_clean_line_comes_from_l3_or_another_l2(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		/* an exclusive L3 does not have it: the other L2 sends it, 40 cycles later */
		const uint64_t cycles = k == INCLUSION_NONE ? 84 : 44;
		struct several s = {.chip = NULL};

		several_create(&s, k);
		CHECK_ANSWER(load(s.core[0], 0, 5), 164, MEM_MEMORY);
		CHECK_ANSWER(load(s.core[1], 1000, 5), 1000 + cycles, MEM_L3);
		CHECK_ANSWER(load(s.core[0], 2000, 5), 2000, MEM_L1);
		CHECK_U64(memsys_stats(s.core[1])->coherence_transfers, 0);
		CHECK_U64(memsys_stats(s.core[1])->l3_hits, 1);
		several_destroy(&s);
	}
}

static void a_dirty_line_goes_to_its_reader(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct several s = {.chip = NULL};

		several_create(&s, k);
		CHECK_ANSWER(store(s.core[0], 0, 5), 164, MEM_MEMORY);
		/* leaves the other core at once, L3 may send it from 1040 on */
		CHECK_ANSWER(load(s.core[1], 1000, 5), 1084, MEM_L3);
		several_check(&s);
		CHECK_U64(memsys_stats(s.core[1])->coherence_transfers, 1);
		CHECK_U64(memsys_stats(s.core[1])->coherence_wait_cycles, 40);
		/* an exclusive L3 does not keep it: it goes to memory */
		CHECK_U64(memsys_stats(s.core[1])->l3_writebacks, k == INCLUSION_NONE);
		CHECK_ANSWER(load(s.core[0], 2000, 5), 2000, MEM_L1);
		several_destroy(&s);
	}
}

static void a_writer_takes_the_line_from_all(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct several s = {.chip = NULL};

		several_create(&s, k);
		store(s.core[0], 0, 5);
		CHECK_ANSWER(store(s.core[1], 1000, 5), 1084, MEM_L3);
		several_check(&s);
		CHECK_U64(memsys_stats(s.core[0])->coherence_lost, 1);
		CHECK_ANSWER(store(s.core[1], 1500, 5), 1500, MEM_L1);
		/* upgrade: to L3 30, the others 40, back to L1D 12 */
		load(s.core[0], 2000, 5);
		CHECK_ANSWER(store(s.core[0], 3000, 5), 3082, MEM_L2);
		CHECK_U64(memsys_stats(s.core[0])->coherence_upgrades, 1);
		CHECK_U64(memsys_stats(s.core[0])->coherence_invalidations, 1);
		several_check(&s);
		/* the same where L2 has it, and L1D has not: 7 is in its set; to the data 30 + 40 + 14 */
		load(s.core[1], 4000, 5);
		load(s.core[1], 5000, 7);
		load(s.core[0], 5500, 5);
		CHECK_ANSWER(store(s.core[1], 6000, 5), 6084, MEM_L2);
		several_destroy(&s);
	}
}

/* A directory of two entries: a third line leaves no room for the first, which all L2s then lose. */
static void a_displaced_entry_takes_its_line_from_all(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct several s = {.cfg = {.coherence = {.entries = 2, .ways = 2}}};

		several_create(&s, k);
		store(s.core[0], 0, 0);
		load(s.core[1], 1000, 1);
		several_check(&s);
		load(s.core[1], 2000, 2);
		several_check(&s);
		CHECK_U64(memsys_stats(s.core[0])->l3_displaced, 1);
		/* L3 has got the dirty data, or the line */
		CHECK_ANSWER(load(s.core[0], 3000, 0), 3044, MEM_L3);
		CHECK_U64(memsys_stats(s.core[1])->l3_displaced, 1); /* 1 has left for 0 */
		CHECK_ANSWER(load(s.core[1], 4000, 2), 4000, MEM_L1);
		several_destroy(&s);
	}
}

/* Request and line of a read; with another core's copy two more; an upgrade from three cores two, and two for each. */
static void messages_are_counted(void)
{
	struct several s = {.chip = NULL};

	several_create(&s, INCLUSION_ALL);
	store(s.core[0], 0, 5);
	CHECK_U64(memsys_stats(s.core[0])->l3_messages, 2);
	load(s.core[1], 1000, 5);
	CHECK_U64(memsys_stats(s.core[1])->l3_messages, 4);
	load(s.core[2], 2000, 5);
	CHECK_U64(memsys_stats(s.core[2])->l3_messages, 2);
	store(s.core[2], 3000, 5);
	CHECK_U64(memsys_stats(s.core[2])->l3_messages, 2 + 2 + 2 * 2);
	several_destroy(&s);
}

/*
 * A read for SBM: L2 serves it after its 12 cycles, L3 after its 30, memory after 120. Each is counted where it was
 * served. Lines 2 and 4 of the set move 0 out of L2, which has 2 ways; an exclusive L3 then has it, as the others do.
 */
static void a_read_for_sbm_counts_where_it_was_served(void)
{
	for (enum inclusion k = 0; k < INCLUSION_COUNT; k++) {
		struct core_config c = levels_config(k);
		struct memsys *m = create(&c);
		const struct memsys_stats *s = memsys_stats(m);

		for (unsigned n = 0; n < 3; n++)
			load(m, 1000 * n, 2 * n);
		CHECK_U64(memsys_transfer(m, 5000, 5000, 4 * LINE, false, true).arrival, 5012);
		CHECK_U64(s->transfer_l2_reads, 1);
		CHECK_U64(s->l3_transfer_reads, 0);
		CHECK_U64(memsys_transfer(m, 6000, 6000, 0, false, true).arrival, 6030);
		CHECK_U64(s->transfer_l2_reads, 1);
		CHECK_U64(s->l3_transfer_reads, 1);
		CHECK_U64(s->l3_accesses, 3); /* of L2 alone */
		CHECK_U64(memsys_transfer(m, 7000, 7000, 7 * LINE, false, true).arrival, 7120);
		CHECK_U64(s->transfer_reads, 1);
		check(m);
		memsys_destroy(m);
	}
}

static void separate_programs_share_the_capacity_alone(void)
{
	struct core_config c = levels_config(INCLUSION_ALL);
	struct chip_memory *chip = chip_memory_create(&c, NULL);
	struct memsys *a = memsys_create(&c, chip, NULL), *b = memsys_create(&c, chip, NULL);

	REQUIRE(chip && a && b);
	CHECK_ANSWER(load(a, 0, 0), 164, MEM_MEMORY);
	CHECK_ANSWER(load(b, 1000, 0), 1164, MEM_MEMORY);
	CHECK_ANSWER(load(b, 2000, 2), 2164, MEM_MEMORY);
	CHECK_ANSWER(load(a, 2500, 0), 2500, MEM_L1);
	CHECK_ANSWER(load(b, 3000, 4), 3164, MEM_MEMORY); /* the fourth line of the set: L3 evicts a's */
	CHECK_U64(memsys_stats(a)->l3_invalidated, 1);
	CHECK_ANSWER(load(a, 4000, 0), 4164, MEM_MEMORY);
	check(a);
	check(b);
	memsys_destroy(a);
	memsys_destroy(b);
	chip_memory_destroy(chip);
}

static const struct tap_test tests[] = {
	{"each level has its latency", each_level_has_its_latency},
	{"an inclusive L3 takes its victims from L2 and L1", an_inclusive_l3_takes_its_victims_from_l2_and_l1},
	{"an L3 that is neither leaves them there", an_l3_that_is_neither_leaves_them_there},
	{"an exclusive L3 and L2 hold five lines of a set", an_exclusive_l3_and_l2_hold_five_lines_of_a_set},
	{"dirty lines go down a level at a time", dirty_lines_go_down_a_level_at_a_time},
	{"a load waits for a line that another requested", a_load_waits_for_a_line_that_another_requested},
	{"the channel takes a line every two cycles", the_channel_takes_a_line_every_two_cycles},
	{"slices are at their distances", slices_are_at_their_distances},
	{"steps of larger networks", steps_of_larger_networks},
	{"slices have channels of their own", slices_have_channels_of_their_own},
	{"a clean line comes from L3 or another L2", a_clean_line_comes_from_l3_or_another_l2},
	{"a dirty line goes to its reader", a_dirty_line_goes_to_its_reader},
	{"a writer takes the line from all", a_writer_takes_the_line_from_all},
	{"a displaced entry takes its line from all", a_displaced_entry_takes_its_line_from_all},
	{"messages are counted", messages_are_counted},
	{"a read for SBM counts where it was served", a_read_for_sbm_counts_where_it_was_served},
	{"separate programs share the capacity alone", separate_programs_share_the_capacity_alone},
};

int main(void)
{
	return tap_main("private L2s and a shared L3", tests, TAP_COUNT(tests));
}
