/* Area by unit: energy/energy.h. */
#include "tap.h"

#include "energy_maker.h"

static double area(const struct energy_machine *machine)
{
	struct energy_model *m = energy_must(machine);
	double mm2 = energy_area_mm2(m);

	energy_destroy(m);
	return mm2;
}

static void reference_area_is_logic_and_memory(void)
{
	/*
	 * logic with registers and FP units 67.4; L2 89 x 1.5^1.05 = 136.234; L1 2 x 2.34; branch
	 * history 0.94 x 2^1.05 = 1.946; main TLBs 0.94 x 0.5^1.05 = 0.454: 210.714 mm2
	 */
	CHECK_F64(area(energy_reference()), 210.714, 2e-3);
}

static void units_add_up(void)
{
	struct energy_model *m = energy_must(energy_reference());
	double sum = 0;

	for (unsigned u = 0; u < UNIT_COUNT; u++)
		sum += reported_unit_mm2(m, u);
	CHECK_F64(sum, energy_area_mm2(m), 1e-9);
	/*
	 * the array, and of the logic miss buffers 0.066 x 16/32 x 61/64 x 0.4^1.086 = 0.011628 and the path to L1
	 * 0.066 x 2/32 x 288/64 x 0.4^1.086 = 0.006863, 8 lines of 561 bits (0.041333 + 8 x 0.00077083) x 561/64 x
	 * 0.4^1.086 = 0.153942
	 */
	CHECK_F64(reported_unit_mm2(m, UNIT_l2), 136.234 + 0.172433, 1e-3);
	CHECK_F64(reported_unit_mm2(m, UNIT_clock), 0, 0);
	CHECK_F64(reported_unit_mm2(m, UNIT_leakage), 0, 0);
	energy_destroy(m);
}

static void node_squares(void)
{
	struct energy_machine m = *energy_reference();
	double at90 = area(&m);

	/* gates are twice as fast: so is the clock */
	m.node_nm = 45;
	m.frequency_hz = 4e9;
	CHECK_F64(area(&m) / at90, 0.25, 1e-9);
}

static void fp_pipes_bring_their_units(void)
{
	struct energy_machine m = *energy_reference();
	struct op_cost two[EOP_COUNT], four[EOP_COUNT];

	/* two units of 0.53 mm2 a pipe */
	op_describe(&m, two);
	m.fp_pipes = 4;
	op_describe(&m, four);
	CHECK_F64(two[EOP_fp_fma].mm2, 2.12, 1e-9);
	CHECK_F64(four[EOP_fp_fma].mm2, 4.24, 1e-9);
}

static void bigger_structures_are_larger(void)
{
	const struct energy_machine base = *energy_reference();
	const double mm2 = area(&base);

#define LARGER(field) \
	do { \
		struct energy_machine m = base; \
		m.field *= 2; \
		CHECK(area(&m) > mm2); \
	} while (0)
	LARGER(decode_width);
	LARGER(decode_entry_slots);
	LARGER(commit_width);
	LARGER(int_pipes);
	LARGER(address_pipes);
	LARGER(fp_latency_slots);
	LARGER(rob_entries);
	LARGER(rs_int_entries);
	LARGER(gub_entries);
	LARGER(bht_entries);
	LARGER(l1i_bytes);
	LARGER(l1d_bytes);
	LARGER(l2_bytes);
	LARGER(store_queue);
	LARGER(fetch_bytes);
	LARGER(l1i_ways);
	LARGER(l1d_ways);
	LARGER(l2_ways);
	LARGER(bht_ways);
	LARGER(mtlb_ways);
	LARGER(l1d_banks);
	LARGER(l1i_miss_entries);
	LARGER(l1d_miss_entries);
	LARGER(l2_miss_entries);
	LARGER(l2_bus_bytes);
#undef LARGER
}

static void storage_of_latches_grows_with_its_latches(void)
{
	struct energy_machine m = *energy_reference();
	struct array_cost small[ARRAY_COUNT], big[ARRAY_COUNT];

	array_describe(&m, small);
	m.rob_entries = 1024;
	array_describe(&m, big);
	/* 16 times the entries of 16 times the latches; a number of them takes no bit of an entry */
	CHECK_F64(big[ARRAY_rob].mm2 / small[ARRAY_rob].mm2, big[ARRAY_rob].latches / small[ARRAY_rob].latches, 1e-9);
	CHECK_F64(big[ARRAY_rob].latches / small[ARRAY_rob].latches, 16, 1e-9);
}

static void ports_follow_widths_and_pipes(void)
{
	const struct energy_machine base = *energy_reference();
	struct energy_machine m = base;
	struct array_cost two[ARRAY_COUNT], four[ARRAY_COUNT];

	/* published: GUB 8 + 2, FUB 8 + 2, JWR 8 + 2, FPR 6 + 2 ports; here all of them twice */
	array_describe(&base, two);
	m.int_pipes = m.fp_pipes = m.address_pipes = 4;
	m.commit_width = 8;
	array_describe(&m, four);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned files[] = {ARRAY_gub, ARRAY_fub, ARRAY_gpr, ARRAY_fpr};

		/* 2^0.62 = 1.53688, 2^1.086 = 2.12284 */
		CHECK_F64(four[files[i]].read_j / two[files[i]].read_j, 1.53688, 1e-4);
		CHECK_F64(four[files[i]].mm2 / two[files[i]].mm2, 2.12284, 1e-4);
	}
	CHECK_F64(four[ARRAY_l1d].mm2 / two[ARRAY_l1d].mm2, 2.12284, 1e-4);
	CHECK(four[ARRAY_rs_int].mm2 > two[ARRAY_rs_int].mm2 && four[ARRAY_dtlb].mm2 > two[ARRAY_dtlb].mm2);
}

static void units_have_names(void)
{
	CHECK_STR(energy_unit_name(UNIT_load_store), "load_store");
}

static const struct tap_test tests[] = {
	{"the reference's area is its logic and its memories", reference_area_is_logic_and_memory},
	{"areas of the units add up to the total", units_add_up},
	{"area goes with the square of the node", node_squares},
	{"FP pipes bring their units", fp_pipes_bring_their_units},
	{"a bigger structure makes a larger chip", bigger_structures_are_larger},
	{"storage of latches grows with its latches", storage_of_latches_grows_with_its_latches},
	{"ports follow widths and pipes", ports_follow_widths_and_pipes},
	{"units have names", units_have_names},
};

int main(void)
{
	return tap_main("area", tests, TAP_COUNT(tests));
}
