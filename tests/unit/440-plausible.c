/* A hypothetical gemm, by hand, beside published power. docs/accuracy/energy-published.md has the same sums. */
#include "tap.h"

#include "energy/energy_model.h"

/*
 * 1000 cycles, 2500 instructions in 400 fetch groups: 1500 FMA (8 cycles each), 700 loads,
 * 30 stores, 200 integer, 70 branches.
 */
static struct activity gemm(void)
{
	struct activity a = {
		.cycles = 1000,
		.moved =
			{
				[STAGE_ia] = 400,     [STAGE_it] = 400,     [STAGE_im] = 400,    [STAGE_ib] = 400,
				[STAGE_ir] = 400,     [STAGE_e] = 2500,     [STAGE_d] = 2500,    [STAGE_p_int] = 200,
				[STAGE_p_fp] = 1500,  [STAGE_p_addr] = 730, [STAGE_p_br] = 70,   [STAGE_b_int] = 200,
				[STAGE_b_fp] = 1500,  [STAGE_b_addr] = 730, [STAGE_x_int] = 200, [STAGE_x_fp] = 12000,
				[STAGE_x_addr] = 730, [STAGE_x_br] = 70,    [STAGE_ps] = 730,    [STAGE_ts] = 730,
				[STAGE_ms] = 730,     [STAGE_bs] = 700,     [STAGE_rs] = 700,    [STAGE_u] = 2400,
				[STAGE_w] = 2500,
			},
		.reads =
			{
				[ARRAY_l1i] = 400,
				[ARRAY_bht] = 400,
				[ARRAY_itlb] = 400,
				[ARRAY_ibuffer] = 400,
				[ARRAY_l1d] = 700,
				[ARRAY_dtlb] = 730,
				[ARRAY_rob] = 2500,
				[ARRAY_rs_int] = 200,
				[ARRAY_rs_fp] = 1500,
				[ARRAY_rs_addr] = 730,
				[ARRAY_rs_br] = 70,
				[ARRAY_gub] = 200,
				[ARRAY_gpr] = 930,
				[ARRAY_fub] = 3000,
				[ARRAY_fpr] = 1500,
				[ARRAY_load_queue] = 700,
				[ARRAY_store_queue] = 730,
			},
		.writes =
			{
				[ARRAY_bht] = 70,
				[ARRAY_ibuffer] = 400,
				[ARRAY_l1d] = 30,
				[ARRAY_rob] = 5000,
				[ARRAY_rs_int] = 200,
				[ARRAY_rs_fp] = 1500,
				[ARRAY_rs_addr] = 730,
				[ARRAY_rs_br] = 70,
				[ARRAY_gub] = 200,
				[ARRAY_gpr] = 200,
				[ARRAY_fub] = 2200,
				[ARRAY_fpr] = 2200,
				[ARRAY_load_queue] = 700,
				[ARRAY_store_queue] = 30,
			},
		.ops =
			{
				[EOP_fp_fma] = 1500,
				[EOP_int_alu] = 200,
				[EOP_address] = 730,
				[EOP_branch] = 70,
			},
	};

	return a;
}

struct power {
	double stages, arrays, ops, clock, leakage, total;
};

static struct power power(enum energy_gating gating, const struct activity *a)
{
	struct energy_machine machine = *energy_reference();
	struct err e = {.text = ""};
	struct power w = {.total = 0};
	struct energy_result x;
	struct energy_model *m;

	machine.gating = gating;
	m = energy_create(&machine, &e);
	CHECK_STR(e.text, "");
	REQUIRE(m != NULL);
	CHECK_I64(energy_check(m, a, &e), 0);
	energy_evaluate(m, a, &x);
	energy_destroy(m);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		w.stages += x.stage_j[s] / x.seconds;
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		w.arrays += x.array_j[i] / x.seconds;
	for (unsigned i = 0; i < EOP_COUNT; i++)
		w.ops += x.op_j[i] / x.seconds;
	w.clock = x.clock_j / x.seconds;
	w.leakage = x.leakage_j / x.seconds;
	w.total = x.total_j / x.seconds;
	return w;
}

static void gemm_is_as_worked_out_by_hand(void)
{
	struct activity a = gemm();
	struct power w = power(GATING_IDEAL, &a);

	/*
	 * Described bits moved: fetch 400 x 1723; E, D 2500 x 314; P 188790; B 212100;
	 * X 55800 + 492000 + 194180 + 16660; L1D 730 x 624 + 700 x 419; U 2400 x 108; W 2500 x 201:
	 * 4144250 in 1000 cycles. x 165882 / 9673 x 0.238 pJ x 2 MHz = 33.829 W
	 */
	CHECK_F64(w.stages, 33.829, 0.002);
	/*
	 * Arrays, pJ: fetch 83424 + 36629 + 5680 + 15400; L1D, DTLB 109870 + 13505; reorder buffer
	 * 285000; stations 34509; registers 26581 + 118980; queues 31463: 761041 = 1.522 W
	 */
	CHECK_F64(w.arrays, 1.522, 0.01);
	/* 1500 x 120 + 1000 x 0.5 pJ = 180500 pJ = 0.361 W */
	CHECK_F64(w.ops, 0.361, 1e-6);
	CHECK_F64(w.clock, 4.8, 1e-9);
	CHECK_F64(w.leakage, 8, 1e-9);
	CHECK_F64(w.total, 48.51, 0.02);
}

static void ungated_latch_cycle_costs_what_the_chip_suggests(void)
{
	struct activity a = gemm();
	struct power w = power(GATING_NONE, &a);

	/*
	 * The facts: 45 W of dynamic power over 200 000 latches at 2 GHz, ungated, are 0.11 pJ for each
	 * latch and cycle. Here, without the latches' own 0.25 pJ having been made for it: between
	 * 0.08 and 0.16.
	 */
	double pj = (w.total - w.leakage) / 200000 / 2e9 * 1e12;
	CHECK(pj > 0.08 && pj < 0.16);
}

static void nothing_moving_costs_clock_tree_and_leakage(void)
{
	struct activity a = {.cycles = 1000};

	CHECK_F64(power(GATING_IDEAL, &a).total, 12.8, 1e-9);
}

static void leakage_share_is_that_of_90_nm(void)
{
	struct activity a = gemm();
	struct power w = power(GATING_IDEAL, &a);

	/* the facts: 15 to 25 % of full-activity power */
	CHECK(w.leakage / w.total > 0.15 && w.leakage / w.total < 0.25);
}

static void every_slot_moving_stays_below_twice_the_chips_power(void)
{
	struct activity a = {.cycles = 1000};
	struct stage_cost c[STAGE_COUNT];
	struct power w;

	/*
	 * nothing can run so; 165882 x 0.238 pJ x 2 GHz = 78.96 W, 2 FMAs a cycle 0.48 W and 12.8 W, against 65 W at
	 * 2.16 GHz
	 */
	stage_describe(energy_reference(), c);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		a.moved[s] = (uint64_t)c[s].slots * 1000;
	a.ops[EOP_fp_fma] = 2000; /* in the 16 slots of X */
	w = power(GATING_IDEAL, &a);
	CHECK_F64(w.total, 92.240, 0.01);
	CHECK(w.total < 2 * 65);
}

static const struct tap_test tests[] = {
	{"a gemm costs what its sums on paper say", gemm_is_as_worked_out_by_hand},
	{"a latch and cycle without gating costs about what the chip suggests",
	 ungated_latch_cycle_costs_what_the_chip_suggests},
	{"nothing moving costs the clock tree and leakage", nothing_moving_costs_clock_tree_and_leakage},
	{"leakage has the share usual at 90 nm", leakage_share_is_that_of_90_nm},
	{"every slot moving stays below twice the chip's power", every_slot_moving_stays_below_twice_the_chips_power},
};

int main(void)
{
	return tap_main("plausible", tests, TAP_COUNT(tests));
}
