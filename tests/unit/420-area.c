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
		sum += energy_unit_area_mm2(m, u);
	CHECK_F64(sum, energy_area_mm2(m), 1e-9);
	CHECK_F64(energy_unit_area_mm2(m, UNIT_l2), 136.234, 1e-3);
	CHECK_F64(energy_unit_area_mm2(m, UNIT_clock), 0, 0);
	CHECK_F64(energy_unit_area_mm2(m, UNIT_leakage), 0, 0);
	energy_destroy(m);
}

static void node_squares(void)
{
	struct energy_machine m = *energy_reference();
	double at90 = area(&m);

	m.node_nm = 45;
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

#define LARGER(field) do { \
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
	LARGER(store_ports);
	LARGER(fetch_bytes);
#undef LARGER
}

static void every_unit_has_name_and_meaning(void)
{
	CHECK_STR(energy_unit_name(UNIT_load_store), "load_store");
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		CHECK(energy_unit_doc(u)[0] != 0);
}

static const struct tap_test tests[] = {
	{ "the reference's area is its logic and its memories", reference_area_is_logic_and_memory },
	{ "areas of the units add up to the total", units_add_up },
	{ "area goes with the square of the node", node_squares },
	{ "FP pipes bring their units", fp_pipes_bring_their_units },
	{ "a bigger structure makes a larger chip", bigger_structures_are_larger },
	{ "every unit has a name and a meaning", every_unit_has_name_and_meaning },
};

int main(void)
{
	return tap_main("area", tests, TAP_COUNT(tests));
}
