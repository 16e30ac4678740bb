/* Scaling laws of the energy model: energy/technology.h, energy/array.def. */
#include "tap.h"

#include "energy/energy_model.h"
#include "energy/technology.h"

static void dynamic_energy_goes_with_node_and_supply_squared(void)
{
	/* 45/90 x 0.9^2 = 0.405; 1.2^2 = 1.44 */
	CHECK_F64(technology_dynamic(90, 1.0), 1.0, 1e-12);
	CHECK_F64(technology_dynamic(45, 0.9), 0.405, 1e-12);
	CHECK_F64(technology_dynamic(90, 1.2), 1.44, 1e-12);
}

static void area_goes_with_node_squared(void)
{
	/* (130/90)^2 = 16900/8100 = 2.08642 */
	CHECK_F64(technology_area(45), 0.25, 1e-12);
	CHECK_F64(technology_area(130), 2.08642, 1e-5);
}

static void leakage_at_the_anchor_is_one(void)
{
	CHECK_F64(technology_leakage(90, 1.0, 350), 1.0, 1e-12);
}

static void leakage_of_nodes_is_that_of_the_sample_chips(void)
{
	/*
	 * mW/mm2 of McPAT's chips at 180, 65 and 45 nm against 37.1 at 90, times the area of the same
	 * transistors: 0.449/37.1 x 4 = 0.0484; 68.2/37.1 x 0.5216 = 0.959; 101.1/37.1 x 0.25 = 0.681.
	 * Different designs, so within 15 %.
	 */
	CHECK_F64(technology_leakage(180, 1.0, 350) / 0.0484, 1, 0.15);
	CHECK_F64(technology_leakage(65, 1.0, 350) / 0.959, 1, 0.15);
	CHECK_F64(technology_leakage(45, 1.0, 350) / 0.681, 1, 0.15);
	/* root of a half */
	CHECK_F64(technology_leakage(45, 1.0, 350), 0.70711, 1e-5);
}

static void leakage_at_1_2_volt_is_that_of_cacti(void)
{
	/* the facts: x 2.3 to 2.5 from 1.0 to 1.2 V; here 1.2 exp(0.694) = 1.2 x 2.0017 = 2.402 */
	CHECK_F64(technology_leakage(90, 1.2, 350), 2.402, 1e-3);
}

static void only_the_subthreshold_half_of_leakage_heats_up(void)
{
	/*
	 * 375 K: (375/350)^2 = 1.147959; 1934 x (1/350 - 1/375) = 1934 x 1.904762e-4 = 0.368381,
	 * exp = 1.445392; product 1.659251. Subthreshold share 0.81/1.64 = 0.493902:
	 * 0.506098 + 0.493902 x 1.659251 = 1.325606
	 */
	CHECK_F64(technology_leakage(90, 1.0, 375), 1.325606, 2e-5);
	/* far below, the gate's half stays */
	CHECK(technology_leakage(90, 1.0, 250) > 0.506);
	CHECK(technology_leakage(90, 1.0, 250) < 0.60);
}

static void tags_are_as_wide_as_their_numbers(void)
{
	CHECK_U64(latch_tag(0), 1);
	CHECK_U64(latch_tag(1), 1);
	CHECK_U64(latch_tag(2), 1);
	CHECK_U64(latch_tag(3), 2);
	CHECK_U64(latch_tag(64), 6);
	CHECK_U64(latch_tag(65), 7);
	CHECK_U64(latch_parity(62), 8);
	CHECK_U64(latch_parity(64), 8);
	CHECK_U64(latch_parity(65), 9);
}

static void level_1_cache_meets_its_anchor(void)
{
	struct array_cost c[ARRAY_COUNT];

	/* 128 KB, 2 ways, 128 bits: 151 pJ, 139 pJ, 2.34 mm2 */
	array_describe(energy_reference(), c);
	CHECK_F64(c[ARRAY_l1d].read_j, 151e-12, 1e-18);
	CHECK_F64(c[ARRAY_l1d].write_j, 139e-12, 1e-18);
	CHECK_F64(c[ARRAY_l1d].mm2, 2.34, 1e-9);
}

static void level_2_cache_goes_with_the_root_of_its_size(void)
{
	struct energy_machine m = *energy_reference();
	struct array_cost c[ARRAY_COUNT];

	/* anchor 4 MB: 2370 pJ, 2580 pJ, 89 mm2 */
	m.l2_bytes = 4 << 20;
	array_describe(&m, c);
	CHECK_F64(c[ARRAY_l2].read_j, 2370e-12, 1e-18);
	CHECK_F64(c[ARRAY_l2].write_j, 2580e-12, 1e-18);
	CHECK_F64(c[ARRAY_l2].mm2, 89, 1e-9);
	/* 16 MB: twice the energy; area 4^1.05 = exp(1.05 x 1.386294) = 4.28709: 381.55 */
	m.l2_bytes = 16 << 20;
	array_describe(&m, c);
	CHECK_F64(c[ARRAY_l2].read_j, 4740e-12, 1e-15);
	CHECK_F64(c[ARRAY_l2].mm2, 381.55, 0.01);
}

static void register_file_pays_for_ports_and_width(void)
{
	struct array_cost c[ARRAY_COUNT];

	/*
	 * FP rename buffer, 32 x 72 bits, 10 ports, against 32 x 64 and 5 ports:
	 * 72/64 = 1.125; 2^0.62 = 1.53688; read 7.3 x 1.125 x 1.53688 = 12.6216 pJ,
	 * write 9.1 x 1.125 x 1.53688 = 15.7338 pJ; area 0.066 x 1.125 x 2^1.086 = 0.15762 mm2
	 */
	array_describe(energy_reference(), c);
	CHECK_F64(c[ARRAY_fub].read_j * 1e12, 12.6216, 1e-3);
	CHECK_F64(c[ARRAY_fub].write_j * 1e12, 15.7338, 1e-3);
	CHECK_F64(c[ARRAY_fub].mm2, 0.15762, 1e-4);
}

static void searches_cost_each_bit_compared(void)
{
	struct energy_machine m = *energy_reference();
	struct array_cost small[ARRAY_COUNT], big[ARRAY_COUNT];

	/*
	 * micro-ITLB, 64 bits searched at 3 fJ: 32 entries 6.144 pJ, 64 entries 12.288 pJ.
	 * Without it the read is a register file's: x 2^0.135 = 1.09810.
	 */
	array_describe(&m, small);
	m.itlb_entries = 64;
	array_describe(&m, big);
	CHECK_F64((big[ARRAY_itlb].read_j * 1e12 - 12.288) / (small[ARRAY_itlb].read_j * 1e12 - 6.144), 1.09810, 1e-4);
}

static void no_entries_cost_nothing(void)
{
	struct energy_machine m = *energy_reference();
	struct array_cost c[ARRAY_COUNT];

	m.ras_entries = 0;
	array_describe(&m, c);
	CHECK_F64(c[ARRAY_ras].read_j, 0, 0);
	CHECK_F64(c[ARRAY_ras].mm2, 0, 0);
}

static const struct tap_test tests[] = {
	{"dynamic energy goes with the node and the square of the supply",
	 dynamic_energy_goes_with_node_and_supply_squared},
	{"area goes with the square of the node", area_goes_with_node_squared},
	{"leakage at the anchor is one", leakage_at_the_anchor_is_one},
	{"leakage of other nodes is near that of McPAT's sample chips", leakage_of_nodes_is_that_of_the_sample_chips},
	{"leakage at 1.2 V is within CACTI's 2.3 to 2.5", leakage_at_1_2_volt_is_that_of_cacti},
	{"only the subthreshold half of leakage goes with temperature", only_the_subthreshold_half_of_leakage_heats_up},
	{"tags are as wide as their numbers need", tags_are_as_wide_as_their_numbers},
	{"the level-1 cache meets its anchor", level_1_cache_meets_its_anchor},
	{"the level-2 cache meets its anchor and goes with the root of its size",
	 level_2_cache_goes_with_the_root_of_its_size},
	{"a register file pays for its ports and width", register_file_pays_for_ports_and_width},
	{"a search costs each bit compared", searches_cost_each_bit_compared},
	{"an array without entries costs nothing", no_entries_cost_nothing},
};

int main(void)
{
	return tap_main("technology", tests, TAP_COUNT(tests));
}
