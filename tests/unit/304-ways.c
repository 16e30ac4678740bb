/*
 * Way prediction of L1D and L1I: psim/memory/memsys.h. Numbers by hand.
 *
 * L1D and L1I have 2 sets of 2 ways, so that even lines share a set. A load or fetch reads the way that its set used
 * last. L2 hit: 14 cycles; memory: 134; two less for L1I, whose lines take no time to fill.
 */
#include "energy/energy_model.h"
#include "tap.h"

#include "memsys_small.h"

static struct memsys *create_ways(unsigned latency, unsigned ways)
{
	static struct core_config c; /* must outlive the memory */

	c = small_config();
	c.l1d.size = (uint64_t)2 * ways * LINE;
	c.l1d.ways = ways;
	c.l1d.way_prediction = latency ? WAYS_MRU : WAYS_ALL;
	c.l1d.way_latency = latency;
	return create(&c);
}

/* The same for L1I, which has no prefetch. */
static struct memsys *create_fetch_ways(unsigned latency)
{
	static struct core_config c;

	c = small_config();
	c.l1i.way_prediction = WAYS_MRU;
	c.l1i.way_latency = latency;
	return create(&c);
}

/* Fetches from lines, as `loads` does. */
static void fetches(struct memsys *m, uint64_t *now, const char *lines, uint64_t cycles, enum mem_level level)
{
	struct err e = {.text = ""};

	for (; *lines; lines++, *now += 1000) {
		struct mem_answer a = memsys_fetch(m, *now, (uint64_t)(*lines - '0') * LINE + 4);

		CHECK_U64(a.ready, *now + cycles);
		CHECK_U64(a.level, level);
		CHECK_U64(a.hit, cycles == 0);
		CHECK_I64(memsys_check(m, &e), 0);
	}
}

/* Loads lines, given by their digits, 1000 cycles apart from cycle *now on; each takes `cycles`. */
static void loads(struct memsys *m, uint64_t *now, const char *lines, uint64_t cycles)
{
	struct err e = {.text = ""};

	for (; *lines; lines++, *now += 1000) {
		struct mem_answer a = load(m, *now, (uint64_t)(*lines - '0'));

		CHECK_U64(a.ready, *now + cycles);
		CHECK_U64(a.hit, cycles == 0); /* the pipelined case: what has been selected on a hit goes on */
		CHECK_I64(memsys_check(m, &e), 0);
	}
}

static void a_load_of_the_other_way_is_late(void)
{
	struct memsys *m = create_ways(1, 2);
	uint64_t now = 0;

	loads(m, &now, "02", 134);
	loads(m, &now, "2", 0); /* its set used it last */
	loads(m, &now, "0202", 1);
	loads(m, &now, "222", 0);
	CHECK_U64(memsys_stats(m)->way_wrong, 4);
	CHECK_U64(memsys_stats(m)->l1d_load_hits, 8);
	CHECK_U64(memsys_stats(m)->l1d_load_misses, 2);
	memsys_destroy(m);
}

static void sets_are_predicted_alone(void)
{
	struct memsys *m = create_ways(3, 2);
	uint64_t now = 0;

	loads(m, &now, "0123", 134);
	loads(m, &now, "23", 0);
	loads(m, &now, "01", 3);
	loads(m, &now, "0101", 0);
	CHECK_U64(memsys_stats(m)->way_wrong, 2);
	memsys_destroy(m);
}

static void any_other_of_four_ways_is_late(void)
{
	struct memsys *m = create_ways(2, 4);
	uint64_t now = 0;

	loads(m, &now, "0246", 134);
	loads(m, &now, "6", 0);
	loads(m, &now, "0246", 2); /* the last one of four, each time */
	CHECK_U64(memsys_stats(m)->way_wrong, 4);
	memsys_destroy(m);
}

static void without_it_all_ways_are_read(void)
{
	struct memsys *m = create_ways(0, 2);
	uint64_t now = 0;

	loads(m, &now, "02", 134);
	loads(m, &now, "0202", 0);
	CHECK_U64(memsys_stats(m)->way_wrong, 0);
	memsys_destroy(m);
}

/* A store compares tags before it writes, and its set has used it. */
static void stores_are_not_predicted(void)
{
	struct memsys *m = create_ways(1, 2);
	uint64_t now = 0;

	loads(m, &now, "02", 134);
	CHECK_ANSWER(store(m, now, 0), now, MEM_L1);
	loads(m, &now, "0", 0);
	loads(m, &now, "2", 1);
	CHECK_U64(memsys_stats(m)->way_wrong, 1);
	memsys_destroy(m);
}

/* The tags of all ways are read: a line on its way is ready when it arrives, a miss leaves at once. */
static void misses_are_not_later(void)
{
	struct memsys *m = create_ways(5, 2);

	CHECK_ANSWER(load(m, 0, 0), 134, MEM_MEMORY);
	CHECK_ANSWER(load(m, 1, 2), 150, MEM_MEMORY); /* behind line 0 on the memory channel: 16 cycles */
	CHECK_ANSWER(load(m, 131, 0), 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->way_wrong, 0);
	CHECK_U64(memsys_stats(m)->l1d_load_merged, 1);
	CHECK_ANSWER(load(m, 200, 2), 205, MEM_L1);
	memsys_destroy(m);
}

static void both_lines_of_a_load_are_predicted(void)
{
	struct memsys *m = create_ways(1, 2);
	uint64_t now = 0;
	struct mem_answer a;

	loads(m, &now, "0123", 134);
	loads(m, &now, "0", 1);
	a = memsys_load(m, now, LINE - 4, 8); /* of lines 0 and 1: set 1 used 3 last */
	CHECK_U64(a.ready, now + 1);
	CHECK_U64(memsys_stats(m)->way_wrong, 2);
	memsys_destroy(m);
}

static void warming_has_the_order_of_use(void)
{
	static const uint64_t address[] = {0, 2 * LINE, 0};
	static const bool write[] = {false, false, false};
	struct memsys *m = create_ways(1, 2);
	uint64_t now = 0;

	memsys_warm_data(m, address, write, 3);
	loads(m, &now, "0", 0);
	loads(m, &now, "2", 1);
	memsys_destroy(m);
}

/* Lines 0, 2 and 1, 3 share sets; memory takes 12 + 120 cycles. */
static void a_fetch_of_the_other_way_is_late(void)
{
	struct memsys *m = create_fetch_ways(3);
	uint64_t now = 0;

	fetches(m, &now, "02", 132, MEM_MEMORY);
	fetches(m, &now, "2", 0, MEM_L1);
	fetches(m, &now, "02", 3, MEM_L1);
	fetches(m, &now, "13", 132, MEM_MEMORY); /* the other set */
	fetches(m, &now, "23", 0, MEM_L1);
	fetches(m, &now, "10", 3, MEM_L1);
	CHECK_U64(memsys_stats(m)->way_fetch_wrong, 4);
	CHECK_U64(memsys_stats(m)->way_wrong, 0);
	CHECK_U64(memsys_stats(m)->l1i_hits, 7);
	CHECK_U64(memsys_stats(m)->l1i_misses, 4);
	memsys_destroy(m);
}

/* The tags of all ways are read: a line on its way is ready when it arrives. */
static void a_fetch_of_a_line_on_its_way_is_not_later(void)
{
	struct memsys *m = create_fetch_ways(5);

	CHECK_ANSWER(memsys_fetch(m, 0, 0), 132, MEM_MEMORY);
	CHECK_ANSWER(memsys_fetch(m, 1, 2 * LINE), 148, MEM_MEMORY); /* 16 cycles of memory behind line 0 */
	CHECK_ANSWER(memsys_fetch(m, 131, 0), 132, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->way_fetch_wrong, 0);
	CHECK_ANSWER(memsys_fetch(m, 200, 2 * LINE), 205, MEM_L1);
	CHECK_ANSWER(memsys_fetch(m, 300, 2 * LINE), 300, MEM_L1);
	CHECK_U64(memsys_stats(m)->way_fetch_wrong, 1);
	memsys_destroy(m);
}

/* The caches are predicted apart. */
static void loads_are_predicted_by_their_own_choice(void)
{
	struct memsys *m = create_fetch_ways(3);
	uint64_t now = 0;

	loads(m, &now, "02", 134);
	loads(m, &now, "0202", 0);
	CHECK_U64(memsys_stats(m)->way_wrong, 0);
	memsys_destroy(m);
}

/*
 * A read of 2 ways has 256 bits, and with one of them 128 and the 34 of the other's tag. By the law of energy_array.c
 * that is (162 / 256)^0.466 = 0.807968 of the energy: 151 pJ become 122.0032 pJ. The area does not change.
 */
static void one_way_takes_less_energy(void)
{
	struct energy_machine m = *energy_reference();
	struct energy_model *all, *one;
	struct err e = {.text = ""};

	all = energy_create(&m, &e);
	m.l1d_ways_read = 1;
	one = energy_create(&m, &e);
	REQUIRE(all && one);
	CHECK_F64(all->array[ARRAY_l1d].read_j, 151e-12, 1e-18);
	CHECK_F64(one->array[ARRAY_l1d].read_j, 122.0032e-12, 1e-16);
	CHECK_F64(one->array[ARRAY_l1d].write_j, all->array[ARRAY_l1d].write_j, 1e-20);
	CHECK_F64(one->array[ARRAY_l1d].mm2, all->array[ARRAY_l1d].mm2, 1e-9);
	energy_destroy(all);
	energy_destroy(one);
}

/* A group of 32 bytes: (256 + 34) / 512 of the bits, to the power of 0.466 0.767287 of the energy. */
static void one_way_of_l1i_takes_less_energy(void)
{
	struct energy_machine m = *energy_reference();
	struct energy_model *all, *one;
	struct err e = {.text = ""};

	all = energy_create(&m, &e);
	m.l1i_ways_read = 1;
	one = energy_create(&m, &e);
	REQUIRE(all && one);
	CHECK_F64(one->array[ARRAY_l1i].read_j / all->array[ARRAY_l1i].read_j, 0.767287, 1e-6);
	CHECK_F64(one->array[ARRAY_l1i].write_j, all->array[ARRAY_l1i].write_j, 1e-20);
	CHECK_F64(one->array[ARRAY_l1i].mm2, all->array[ARRAY_l1i].mm2, 1e-9);
	CHECK_F64(one->array[ARRAY_l1d].read_j, all->array[ARRAY_l1d].read_j, 1e-20);
	energy_destroy(all);
	energy_destroy(one);
}

static const struct tap_test tests[] = {
	{"a load of the other way is late", a_load_of_the_other_way_is_late},
	{"sets are predicted alone", sets_are_predicted_alone},
	{"any other of four ways is late", any_other_of_four_ways_is_late},
	{"without it all ways are read", without_it_all_ways_are_read},
	{"stores are not predicted", stores_are_not_predicted},
	{"misses are not later", misses_are_not_later},
	{"both lines of a load are predicted", both_lines_of_a_load_are_predicted},
	{"warming has the order of use", warming_has_the_order_of_use},
	{"a fetch of the other way is late", a_fetch_of_the_other_way_is_late},
	{"a fetch of a line on its way is not later", a_fetch_of_a_line_on_its_way_is_not_later},
	{"loads are predicted by their own choice", loads_are_predicted_by_their_own_choice},
	{"one way takes less energy", one_way_takes_less_energy},
	{"one way of L1I takes less energy", one_way_of_l1i_takes_less_energy},
};

int main(void)
{
	return tap_main("way prediction", tests, TAP_COUNT(tests));
}
