/* Energy and area of the SIMD array: energy/energy.h. Hand numbers for 16 PEs beside the reference core. */
#include "tap.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy_maker.h"

/*
 * The paper's array: 16 PEs of one arithmetic, two load and one store pipe, a station of 16,
 * SBM of 64 KB with three ports, 16 transfers; rename buffer of 16 [ours].
 */
static struct energy_machine array_machine(unsigned pes)
{
	struct energy_machine m = *energy_reference();

	m.simd_pes = pes;
	m.simd_arith_pipes = 1;
	m.simd_load_pipes = 2;
	m.simd_store_pipes = 1;
	m.simd_latency = 8;
	m.simd_move_cycles = 2;
	m.simd_add_cycles = m.simd_cmp_cycles = m.simd_mul_cycles = 4;
	m.simd_fma_cycles = 8;
	m.sbm_cycles = 3;
	m.simd_c_cycles = m.simd_w1_cycles = m.simd_cross_cycles = m.simd_hop_cycles = 1;
	m.sbm_ports = 3;
	m.rs_simd_entries = m.sfub_entries = 16;
	m.sfpr_entries = 32;
	m.sbm_bytes = 65536;
	m.sbm_port_bytes = 8;
	m.sbm_queue_entries = 16;
	m.xfer_entries = m.xfer_buffer_words = 16;
	energy_simd_slots(&m);
	return m;
}

/*
 * Described bits with tags of 6 (registers and rename buffer), 4 (rename buffer), 5 (SFPR), 4 (station),
 * 6 (reorder buffer), 16 (SBM offset), 4 (PE), 4 (transfer) bits; slots.
 */
static const struct {
	unsigned slots, bits;
} on_paper[STAGE_COUNT] = {
	[STAGE_simd_c] = {4 + 2, 24 + 3 * 7 + 5 + 4 + 6 + 6},
	[STAGE_simd_p] = {4, 4 + 24 + 3 * 6 + 4 + 6 + 6},
	[STAGE_simd_b] = {16 * 2, 24 + 3 * 6 + 3 * 5 + 4 + 6},
	[STAGE_simd_x] = {16 * 8, 14 + 5 + 4 + 6},
	[STAGE_simd_s] = {16 * 3, 16 + 2 + 10 + 72 + 4 + 8},
	[STAGE_simd_sd] = {16 * 2, 72 + 8 + 4 + 8},
	[STAGE_simd_u] = {16 * 3, 72 + 5 + 4 + 6},
	[STAGE_simd_w] = {16 * 3, 72 + 5 + 4 + 6},
	[STAGE_simd_w1] = {16 * 4, 7},
	[STAGE_xfer] = {1, 72 + 16 + 4 + 40 + 8 + 6 + 8},
};
/* 396 + 248 + 2144 + 3712 + 5376 + 2944 + 4176 + 4176 + 448 + 154 */
#define DESCRIBED 23774.0
/* Implemented latches for each described bit, as for the core (410-energy.c). */
#define FACTOR (165882.0 / 9673.0)
/* Storage that is latches: station 16 x 61, transfers 16 x 165, line buffers 16 x 72, stores 16 x 16 x 98. */
#define STORAGE (976.0 + 2640.0 + 1152.0 + 25088.0)

static struct energy_result evaluate(unsigned pes, const struct activity *a)
{
	struct energy_machine machine = pes ? array_machine(pes) : *energy_reference();
	struct energy_model *m = energy_must(&machine);
	struct energy_result x;

	energy_evaluate(m, a, &x);
	energy_destroy(m);
	return x;
}

static void described_bits_are_as_on_paper(void)
{
	struct energy_machine machine = array_machine(16);
	struct stage_cost c[STAGE_COUNT];
	double sum = 0;

	stage_describe(&machine, c);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		if (!unit_absent(energy_reference(), c[s].unit))
			continue;
		CHECK_F64(c[s].described, on_paper[s].bits, 0);
		CHECK_F64(c[s].slots, on_paper[s].slots, 0);
		sum += c[s].described * c[s].slots;
	}
	CHECK_F64(sum, DESCRIBED, 0);
}

static void every_latch_row_has_bits_name_and_source(void)
{
	struct energy_machine machine = array_machine(16);
	struct latch_field f[LATCH_FIELDS_MAX];
	unsigned count = latch_fields(&machine, f);

	for (unsigned i = 0; i < count; i++) {
		CHECK(f[i].bits > 0 && f[i].bits < 1000);
		CHECK(strlen(f[i].name) > 3);
		CHECK(f[i].why[0] == '[');
	}
}

static void latches_are_those_of_the_core_and_of_the_array(void)
{
	struct energy_machine machine = array_machine(16);
	struct energy_model *m = energy_must(&machine);

	/* 200000 + 23774 x 17.1490 + 29856 = 637556 */
	CHECK_F64(reported_latches(m), 200000 + DESCRIBED * FACTOR + STORAGE, 1e-3);
	energy_destroy(m);
}

static void one_fma_on_all_pes(void)
{
	struct activity a = {
		.moved =
			{
				[STAGE_simd_c] = 1,
				[STAGE_simd_p] = 1,
				[STAGE_simd_b] = 16,
				[STAGE_simd_x] = 128,
				[STAGE_simd_u] = 16,
				[STAGE_simd_w] = 16,
				[STAGE_simd_w1] = 16,
			},
		.reads[ARRAY_sfpr] = 48,
		.writes[ARRAY_sfpr] = 16,
		.ops[EOP_simd_fma] = 16,
	};
	struct energy_result x = evaluate(16, &a);
	double stages = 0;

	/*
	 * 66 + 62 + 16 x (67 + 8 x 29 + 87 + 87 + 7) = 7808 bits, x 165882 / 9673 x 0.238 pJ
	 * = 31.8681 nJ; X alone 128 x 29 bits = 15.1503 nJ
	 */
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		stages += x.stage_j[s];
	CHECK_F64(stages * 1e9, 31.8681, 1e-3);
	CHECK_F64(x.stage_j[STAGE_simd_x] * 1e9, 15.1503, 1e-3);
	/* 16 x 120 pJ */
	CHECK_F64(x.op_j[EOP_simd_fma] * 1e12, 1920, 1e-6);
	/*
	 * SFPR: 32 x 72 bits, 7 ports: 7.3 x 72/64 x (7/5)^0.62 = 10.1175 pJ a read, 9.1 x 72/64 x
	 * 1.231968 = 12.6123 a write: 48 x 10.1175 + 16 x 12.6123 = 687.44 pJ
	 */
	CHECK_F64(x.array_j[ARRAY_sfpr] * 1e12, 687.44, 0.01);
}

static void sbm_follows_its_size_and_ports(void)
{
	struct energy_machine machine = array_machine(16);
	struct array_cost c[ARRAY_COUNT];

	/* three ports: 56 x 3^0.62 = 110.66 pJ, 50 x 1.97613 = 98.81; 16 x 0.94 x 3^1.086 = 49.59 mm2 */
	array_describe(&machine, c);
	CHECK_F64(c[ARRAY_sbm].read_j * 1e12, 110.66, 0.01);
	CHECK_F64(c[ARRAY_sbm].write_j * 1e12, 98.81, 0.01);
	CHECK_F64(c[ARRAY_sbm].mm2, 49.59, 0.01);
	/* one port: the anchor itself */
	machine.sbm_ports = 1;
	array_describe(&machine, c);
	CHECK_F64(c[ARRAY_sbm].read_j * 1e12, 56, 1e-9);
	CHECK_F64(c[ARRAY_sbm].mm2, 16 * 0.94, 1e-9);
	/* 256 KB: x 4^0.5; 4^1.05 = 4.28709 in area */
	machine.sbm_bytes *= 4;
	energy_simd_slots(&machine);
	array_describe(&machine, c);
	CHECK_F64(c[ARRAY_sbm].read_j * 1e12, 112, 1e-9);
	CHECK_F64(c[ARRAY_sbm].mm2, 16 * 0.94 * 4.28709, 1e-3);
	/* ports of 128 bits: x 2^0.466 = 1.38127, area 2^0.133 = 1.09657 */
	machine.sbm_port_bytes = 16;
	energy_simd_slots(&machine);
	array_describe(&machine, c);
	CHECK_F64(c[ARRAY_sbm].read_j * 1e12, 112 * 1.38127, 1e-3);
	CHECK_F64(c[ARRAY_sbm].mm2, 16 * 0.94 * 4.28709 * 1.09657, 1e-3);
}

/* The parts of 16 PEs that are no stage latches, mm2 (the SBM apart), each from its law. */
static double parts_mm2(void)
{
	const double sfpu = 16 * 1.06;
	/*
	 * 0.066 x 72/64 x (7/5)^1.086 = 0.107002 a PE; 16 entries of the other: (0.041333 + 16 x 0.00077083) x 72/64 x
	 * 2^1.086 = 0.128168
	 */
	const double registers = 16 * (0.107002 + 0.128168);
	/* 16 entries of latches: 0.033 x: 61/64 x 0.8^1.086, 165/64 x 0.6^1.086, 72/64 x 0.4^1.086 */
	const double queues = 0.024685 + 0.048855 + 0.013725;

	/* 98 bits, 3 ports: 0.033 x 98/64 x 0.6^1.086 a PE */
	const double stores = 16 * 0.029016;

	return sfpu + registers + queues + stores;
}

/* mm2 of a described bit: what 67.4 mm2 leave after FP units, registers and storage, over 9673 bits. */
static double bit_mm2(void)
{
	struct array_cost c[ARRAY_COUNT];
	double mm2 = 67.4 - 2.12;

	array_describe(energy_reference(), c);
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		mm2 -= c[i].memory ? 0 : c[i].mm2;
	return mm2 / 9673;
}

/* Bits that the array has once: C 396, P 248, T 154; the others are in each PE. */
#define ONCE 798.0

/*
 * mm2 of a described bit in a PE, likely. The scalar FP unit: P, B, X of 2 x 67 + 2 x 62 + 16 x 41 = 914 bits;
 * stations 0.066 x 0.5 x 62/64 x 0.8^1.086 = 0.025089, rename buffer 0.066 x 72/64 x 2^1.086 =
 * 0.157622, registers 0.066 x 72/64 x 1.6^1.086 = 0.123700, two pipes of 1.06. Half of it, less a pipe of 1.06,
 * SFPR of 7 ports 0.107002, its rename buffer of 10 ports 0.157622, store queue of 32 x 98 bits and 3 ports
 * 0.066 x 98/64 x 0.6^1.086 = 0.058030, over the bits of a PE of the paper's array, which are
 * 2 x 68 + 9 x 30 + 3 x 113 + 2 x 93 + 3 x 88 + 3 x 88 + 4 x 7 = 1487.
 */
static double pe_bit_mm2(void)
{
	double fp = 914 * bit_mm2() + 0.025089 + 0.157622 + 0.123700 + 2 * 1.06;

	return (fp / 2 - 1.06 - 0.107002 - 0.157622 - 0.058030) / 1487;
}

/* X has 8 slots for the logic of the reference's 9: 0.86 of the area of its 16 x 8 x 29 bits are logic. */
#define FASTER_X (0.86 * (9.0 / 8 - 1) * 16 * 8 * 29)

static void area_is_the_sum_of_its_parts(void)
{
	struct energy_machine machine = array_machine(16);
	struct energy_model *m = energy_must(&machine);
	double expected = 49.591 + parts_mm2() + ONCE * bit_mm2() + (DESCRIBED - ONCE + FASTER_X) * pe_bit_mm2();

	CHECK_F64(simd_mm2(m), expected, 0.01);
	/* the core stays what it is */
	CHECK_F64(energy_area_mm2(m) - simd_mm2(m), 210.714, 2e-3);
	energy_destroy(m);
}

static void a_pe_of_the_paper_has_half_the_scalar_fp_unit_and_its_sbm(void)
{
	const struct energy_machine *machine = energy_reference_array();
	struct energy_machine same = *machine;
	struct energy_model *m = energy_must(machine);
	double each = 0, core = energy_area_mm2(m) - simd_mm2(m) - reported_unit_mm2(m, UNIT_l2);

	energy_simd_slots(&same);
	CHECK_U64(memcmp(&same, machine, sizeof(same)), 0);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		each += m->stage[s].in_pe ? m->stage[s].mm2 : 0;
	each += reported_unit_mm2(m, UNIT_simd_fp) + m->array[ARRAY_sbm_queue].mm2;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		each -= m->stage[s].unit == UNIT_simd_fp ? m->stage[s].mm2 : 0;
	CHECK_F64(each / 16, reported_unit_mm2(m, UNIT_fp) / 2, 1e-9);
	/*
	 * by hand: 16 x 4.2 + 16 x 2.19 (SBM) + 5.4 (C, P, T, transfers) = 107.6 mm2 beside 74.5 of the core
	 * and 210.7 with L2: 2.45 and 1.51 times
	 */
	CHECK_F64(simd_mm2(m), 107.6, 0.5);
	CHECK_F64((core + simd_mm2(m)) / core, 2.45, 0.01);
	CHECK_F64(energy_area_mm2(m) / (energy_area_mm2(m) - simd_mm2(m)), 1.51, 0.01);
	energy_destroy(m);
}

static void readings_enclose_what_is_likely(void)
{
	struct activity a = {
		.cycles = 1000,
		.moved[STAGE_simd_x] = 1000,
		.reads[ARRAY_sbm] = 1000,
		.ops[EOP_simd_fma] = 1000,
	};
	struct energy_model *m = energy_must(energy_reference_array());
	const struct energy_model *low = energy_read_as(m, READING_LOW), *high = energy_read_as(m, READING_HIGH);

	CHECK(energy_read_as(m, READING_LIKELY) == m);
	CHECK(energy_total_j(m, &a, READING_LOW) < energy_total_j(m, &a, READING_LIKELY));
	CHECK(energy_total_j(m, &a, READING_LIKELY) < energy_total_j(m, &a, READING_HIGH));
	CHECK(energy_area_mm2(low) < energy_area_mm2(m) && energy_area_mm2(m) < energy_area_mm2(high));
	for (unsigned n = 0; n < READING_ROWS; n++) {
		CHECK(reading_rows[n].factor[READING_LOW] < 1 && reading_rows[n].factor[READING_HIGH] > 1);
		CHECK_F64(reading_rows[n].factor[READING_LIKELY], 1, 0);
	}
	/* FMAs 50, 120, 270 pJ; a PE's bit: one latch, and as many as in the core, of 37.5 and 115 mm2 for 67.4 */
	CHECK_F64(low->op[EOP_simd_fma].j * 1e12, 50, 1e-9);
	CHECK_F64(high->op[EOP_simd_fma].j * 1e12, 270, 1e-9);
	CHECK_F64(low->stage[STAGE_simd_x].mm2, 16 * 9 * 30 * bit_mm2() / FACTOR * 37.5 / 67.4, 1e-4);
	CHECK_F64(high->stage[STAGE_simd_x].mm2, 16 * 9 * 30 * bit_mm2() * 115 / 67.4, 1e-3);
	energy_destroy(m);
}

static struct energy_result evaluate_as(struct energy_machine machine, const struct activity *a)
{
	struct energy_model *m = energy_must(&machine);
	struct energy_result x;

	energy_evaluate(m, a, &x);
	energy_destroy(m);
	return x;
}

static void a_unit_has_latches_of_its_own_and_the_chip_a_rest(void)
{
	const double own = pe_bit_mm2() / bit_mm2(); /* 0.29 of the chip's latches for each bit */
	struct energy_machine chip = *energy_reference(), unit = chip, pes = array_machine(16);
	struct activity scalar = {.moved[STAGE_x_fp] = 8, .ops[EOP_fp_fma] = 1};
	struct activity simd = {.moved[STAGE_simd_x] = 128, .ops[EOP_simd_fma] = 16};
	struct energy_model *m;
	struct energy_result x;

	unit.split = pes.split = SPLIT_UNIT;
	/* an FMA of the core: 8 x 41 bits, x 165882 / 9673 x 0.238 pJ; the core's total is that of the chip's split */
	x = evaluate_as(unit, &scalar);
	CHECK_F64(x.stage_j[STAGE_x_fp] * 1e12, 8 * 41 * FACTOR * own * 0.238, 1e-3);
	CHECK_F64(x.rest_j * 1e12, 8 * 41 * FACTOR * (1 - own) * 0.238, 1e-3);
	CHECK_F64(x.total_j * 1e12, 8 * 41 * FACTOR * 0.238 + 120, 1e-3);
	CHECK_F64(evaluate_as(chip, &scalar).total_j * 1e12, x.total_j * 1e12, 1e-9);
	CHECK_F64(evaluate_as(chip, &scalar).rest_j, 0, 0);
	/* one of 16 PEs: 16 x 8 x 29 bits, without a rest */
	x = evaluate_as(pes, &simd);
	CHECK_F64(x.stage_j[STAGE_simd_x] * 1e12, 16 * 8 * 29 * FACTOR * own * 0.238, 5e-3);
	CHECK_F64(x.rest_j, 0, 0);
	m = energy_must(&unit);
	CHECK_F64(reported_latches(m), 200000, 1e-3);
	energy_destroy(m);
	m = energy_must(&pes);
	CHECK_F64(reported_latches(m), 200000 + DESCRIBED * FACTOR * own + STORAGE, 0.1);
	energy_destroy(m);
}

static void the_tree_of_clocked_latches(void)
{
	struct energy_machine machine = *energy_reference(), always;
	struct activity a = {.cycles = 1000, .moved[STAGE_d] = 1000}, idle = {.cycles = 1000};

	machine.clock_tree = TREE_GATED;
	/* D: 244 bits, x 165882 / 9673 latches x 12 fJ */
	CHECK_F64(evaluate_as(machine, &a).clock_j * 1e12, 1000 * 244 * FACTOR * 0.012, 1e-3);
	CHECK_F64(evaluate_as(machine, &idle).clock_j, 0, 0);
	machine.split = SPLIT_UNIT; /* the rest's tree is clocked with the stage */
	CHECK_F64(evaluate_as(machine, &a).clock_j * 1e12, 1000 * 244 * FACTOR * 0.012, 1e-3);
	/* without gating all latches are clocked, and so is all of the tree */
	machine.gating = GATING_NONE;
	always = machine;
	always.clock_tree = TREE_ALWAYS;
	CHECK_F64(evaluate_as(machine, &a).clock_j * 1e9, evaluate_as(always, &a).clock_j * 1e9, 1e-9);
}

static void leakage_grows_with_the_arrays_area(void)
{
	struct activity a = {.cycles = 2000000000};
	double logic = parts_mm2() + ONCE * bit_mm2() + (DESCRIBED - ONCE + FASTER_X) * pe_bit_mm2();

	/* one second. 8 W belong to 3.10693 W of densities (410-energy.c); SBM 7.1, logic 31 mW/mm2 */
	CHECK_F64(evaluate(16, &a).leakage_j, 8 * (3.10693 + 49.591 * 0.0071 + logic * 0.031) / 3.10693, 2e-3);
	CHECK_F64(evaluate(0, &a).leakage_j, 8, 1e-9);
}

static void wires_are_as_long_as_the_array(void)
{
	const struct activity a = {
		.ops = {[EOP_simd_send] = 1, [EOP_simd_word] = 1, [EOP_simd_reach] = 1, [EOP_simd_cross] = 1},
	};

	/* sides to all PEs: 0.5 + 1.5 x (root - 1): 0.5, 2, 5 for 1, 4, 16; to one 0.75; to the partner 1 / root */
	for (unsigned n = 0; n < 3; n++) {
		const unsigned pes[3] = {1, 4, 16};
		const double sides[3] = {0.5, 2, 5}, root[3] = {1, 2, 4};
		struct energy_machine machine = array_machine(pes[n]);
		struct energy_model *m = energy_must(&machine);
		double side = sqrt(simd_mm2(m));
		struct energy_result x;

		energy_evaluate(m, &a, &x);
		/* an instruction: 24 + 3 x 6 + 4 + 6 = 52 bits; a word: 72; 0.075 pJ a bit and mm */
		CHECK_F64(x.op_j[EOP_simd_send] * 1e12, 52 * 0.075 * sides[n] * side, 1e-6);
		CHECK_F64(x.op_j[EOP_simd_word] * 1e12, 72 * 0.075 * sides[n] * side, 1e-6);
		CHECK_F64(x.op_j[EOP_simd_reach] * 1e12, 72 * 0.075 * 0.75 * side, 1e-6);
		CHECK_F64(x.op_j[EOP_simd_cross] * 1e12, 72 * 0.075 / root[n] * side, 1e-6);
		energy_destroy(m);
	}
}

static void dividers_take_area_and_energy(void)
{
	const struct activity a = {.ops[EOP_simd_div] = 1000};
	struct energy_machine machine = array_machine(16);
	struct energy_model *without = energy_must(&machine), *with;
	struct energy_result x;

	machine.simd_dividers = 4;
	machine.simd_div_s_cycles = 12;
	machine.simd_div_d_cycles = 19;
	machine.simd_sqrt_s_cycles = 18;
	machine.simd_sqrt_d_cycles = 29;
	with = energy_must(&machine);
	/* four of 0.27 mm2; 15 pJ a cycle of one */
	CHECK_F64(energy_area_mm2(with) - energy_area_mm2(without), 4 * 0.27, 1e-9);
	CHECK_F64(simd_mm2(with) - simd_mm2(without), 4 * 0.27, 1e-9);
	energy_evaluate(with, &a, &x);
	CHECK_F64(x.op_j[EOP_simd_div] * 1e12, 1000 * 15, 1e-6);
	/* in 12 cycles instead of 19: faster logic, by 19/12 */
	energy_destroy(with);
	machine.simd_div_d_cycles = 12;
	with = energy_must(&machine);
	CHECK_F64(with->op[EOP_simd_div].j * 12 / (19 * 15e-12), 0.375 + 0.625 * pow(19.0 / 12, 3.798), 2e-3);
	energy_destroy(with);
	energy_destroy(without);
}

static void a_divider_has_a_slot_of_x(void)
{
	struct energy_machine machine = array_machine(16);

	machine.simd_dividers = 4;
	energy_simd_slots(&machine);
	CHECK_U64(machine.simd_latency_slots, 16 * 8 + 4);
}

static void integers_and_pairs_take_area_and_energy(void)
{
	const struct activity a = {.ops = {[EOP_simd_int] = 1000,
					   [EOP_simd_int_mul] = 1000,
					   [EOP_simd_add2] = 1000,
					   [EOP_simd_mul2] = 1000,
					   [EOP_simd_fma2] = 1000}};
	struct energy_machine machine = array_machine(16);
	struct energy_model *without = energy_must(&machine), *integer, *both;
	struct energy_result x;

	machine.simd_integer = 1;
	machine.simd_int_cycles = 2;
	machine.simd_int_mul_cycles = 8;
	integer = energy_must(&machine);
	machine.simd_single = 1;
	both = energy_must(&machine);
	/* 0.06 and 0.29 mm2 in each of 16 PEs */
	CHECK_F64(energy_area_mm2(integer) - energy_area_mm2(without), 16 * 0.06, 1e-9);
	CHECK_F64(energy_area_mm2(both) - energy_area_mm2(integer), 16 * 0.29, 1e-9);
	energy_evaluate(both, &a, &x);
	/* 0.5 + 3.8; 31 + 0.5 + 3.8; two of 60 and of 120 pJ x 7.5 / 27, rounded */
	CHECK_F64(x.op_j[EOP_simd_int] * 1e12, 1000 * 4.3, 1e-6);
	CHECK_F64(x.op_j[EOP_simd_int_mul] * 1e12, 1000 * 35.3, 1e-6);
	CHECK_F64(x.op_j[EOP_simd_add2] * 1e12, 1000 * 33.4, 1e-6);
	CHECK_F64(x.op_j[EOP_simd_mul2] * 1e12, 1000 * 33.4, 1e-6);
	CHECK_F64(x.op_j[EOP_simd_fma2] * 1e12, 1000 * 66.6, 1e-6);
	CHECK_F64(60 * 7.5 / 27, 16.7, 0.05);
	CHECK_F64(120 * 7.5 / 27, 33.3, 0.05);
	CHECK_F64(1.06 * 7.5 / 27, 0.29, 0.005);
	/* a machine without a unit shows none of its operations, and draws no peak from them */
	CHECK(op_absent(without, EOP_simd_int) && op_absent(integer, EOP_simd_fma2) && !op_absent(both, EOP_simd_fma2));
	CHECK(!op_absent(integer, EOP_simd_int_mul) && op_absent(both, EOP_simd_index));
	energy_destroy(both);
	energy_destroy(integer);
	energy_destroy(without);
}

static void gathers_take_ports_and_adders(void)
{
	struct energy_machine machine = array_machine(16);
	struct array_cost without[ARRAY_COUNT], with[ARRAY_COUNT];
	struct op_cost op[EOP_COUNT];
	unsigned slots = machine.simd_operand_slots;

	array_describe(&machine, without);
	machine.simd_index_ports = 3; /* of two load pipes and a store pipe */
	machine.simd_index_cycles = 2;
	energy_simd_slots(&machine);
	array_describe(&machine, with);
	op_describe(&machine, op);
	/* SFPR of 7 ports, then 10; its rename buffer of 10, then 13: 0.107002 mm2 x (10 / 7)^1.086 = 0.157621 a PE */
	CHECK_F64(without[ARRAY_sfpr].mm2, 16 * 0.107002, 1e-4);
	CHECK_F64(with[ARRAY_sfpr].mm2, 16 * 0.157621, 1e-4);
	/* 0.128168 x (13 / 10)^1.086 = 0.170419 */
	CHECK_F64(with[ARRAY_sfub].mm2, 16 * 0.170419, 1e-4);
	CHECK(with[ARRAY_sfpr].read_j > without[ARRAY_sfpr].read_j);
	/* an adder for each of the pipes; 1.7 pJ; the loads' indices are read in B */
	CHECK_F64(op[EOP_simd_index].mm2, 16 * 3 * 0.0005, 1e-12);
	CHECK_F64(op[EOP_simd_index].j * 1e12, 1.7, 1e-9);
	CHECK_U64(machine.simd_operand_slots, slots + 16 * 2);
}

static void wires_go_with_supply_and_shrink(void)
{
	const struct activity a = {.ops[EOP_simd_send] = 1};
	struct energy_machine machine = array_machine(16);
	double at90 = evaluate(16, &a).total_j;
	struct energy_model *m;
	struct energy_result x;

	/* 1.2 V: x 1.44; 45 nm: half as long; at the clock at which a cycle has as many gates */
	machine.voltage = 1.2;
	machine.node_nm = 45;
	machine.frequency_hz = 4e9 * pow(0.95 / 0.75, 1.3) / 1.2;
	m = energy_must(&machine);
	energy_evaluate(m, &a, &x);
	CHECK_F64(x.total_j / at90, 0.72, 1e-9);
	energy_destroy(m);
}

static void pes_cost_in_proportion(void)
{
	struct energy_machine one = array_machine(8), two = array_machine(16);
	struct energy_model *m8 = energy_must(&one), *m16 = energy_must(&two);
	double once = 0;

	/* C, P, the transfer engine and the queues do not double */
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		if (u == UNIT_simd_fp)
			CHECK_F64(reported_unit_mm2(m16, u) / reported_unit_mm2(m8, u), 2, 1e-9);
	once = 2 * simd_mm2(m8) - simd_mm2(m16);
	/* C 396, P 248 and T bits: 154 with 4 bits of PE, 153 with 3: 2 x 153 - 154; transfers 164, 165 bits */
	CHECK_F64(once, (396 + 248 + 152) * bit_mm2() + 0.024685 + 0.013725 + 0.048855 * 163 / 165, 1e-3);
	energy_destroy(m8);
	energy_destroy(m16);
}

/* Returns whether the table `name` of group `group` has a row whose `key` is `value`. */
static bool has_row(const json_t *root, const char *group, const char *name, const char *key, const char *value)
{
	json_t *rows = json_object_get(json_object_get(root, group), name), *row;
	size_t i;

	json_array_foreach(rows, i,
			   row) if (strcmp(json_string_value(json_object_get(row, key)), value) == 0) return true;
	return false;
}

static json_t *report_json(unsigned pes)
{
	struct energy_machine machine = array_machine(16);
	struct energy_model *m = energy_must(pes ? &machine : energy_reference());
	json_t *root = energy_reported(m);

	energy_destroy(m);
	return root;
}

static void reports_show_the_array_where_there_is_one(void)
{
	for (unsigned pes = 0; pes <= 16; pes += 16) {
		json_t *root = report_json(pes), *area = json_object_get(root, "area");
		bool there = pes != 0;

		CHECK(has_row(root, "energy", "units", "unit", "simd_fp") == there);
		CHECK(has_row(root, "energy", "stages", "stage", "X simd") == there);
		CHECK(has_row(root, "energy", "arrays", "array", "sbm") == there);
		CHECK(has_row(root, "energy", "operations", "operation", "simd_fma") == there);
		CHECK(has_row(root, "area", "parts", "part", "sbm") == there);
		CHECK((json_object_get(area, "simd_to_core") != NULL) == there);
		CHECK(has_row(root, "energy", "stages", "stage", "IA"));
		json_decref(root);
	}
}

static void csv_has_its_columns(void)
{
	struct energy_machine machine = array_machine(16);
	struct energy_model *m = energy_must(&machine);
	struct activity zero = {.cycles = 0}, fma = {.cycles = 1000, .ops[EOP_simd_fma] = 16000};
	char *text = NULL, *row;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct err e;

	REQUIRE(out != NULL);
	CHECK_I64(energy_csv_header(m, out, &e), 0);
	CHECK_I64(energy_csv_row(m, &zero, &fma, out, &e), 0);
	fclose(out);
	row = strchr(text, '\n');
	*row++ = 0;
	CHECK_STR(text, "cycle,seconds,total_w,fetch_w,decode_w,integer_w,fp_w,load_store_w,branch_w,commit_w,"
			"simd_control_w,simd_fp_w,simd_sbm_w,l2_w,clock_w,leakage_w");
	/*
	 * 16 x 120 pJ a cycle x 2 GHz = 3.84 W and the logic of 16 x 8 slots of X, 29 bits x 165882 / 9673 x 0.1965 pJ
	 * each, 25.0172 W, in the tenth column after the total
	 */
	CHECK(strstr(row, ",0,0,0,0,0,0,0,0,28.8572,0,0,") != NULL);
	free(text);
	energy_destroy(m);
}

static void impossible_arrays_are_refused(void)
{
	struct energy_machine m = array_machine(16);
	struct err e = {.text = ""};

	m.sbm_ports = 0;
	CHECK(energy_create(&m, &e) == NULL);
	CHECK(strstr(e.text, "sbm_ports") != NULL);
	m = array_machine(16);
	m.simd_pes = 0; /* what an absent array has is a mistake of the caller */
	CHECK(energy_create(&m, &e) == NULL);
	CHECK(strstr(e.text, "expected 0 to 0") != NULL);
}

/* A new stage without a row in latch.def would cost nothing. */
static void each_stage_has_latches(void)
{
	struct stage_cost c[STAGE_COUNT];

	stage_describe(energy_reference_array(), c);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		CHECK_STR(c[s].described * c[s].slots > 0 ? "" : stage_label(s), "");
}

static const struct tap_test tests[] = {
	{"described latch bits of the array are those summed on paper", described_bits_are_as_on_paper},
	{"every latch row has bits, a name and a source", every_latch_row_has_bits_name_and_source},
	{"latches are those of the core and of the array", latches_are_those_of_the_core_and_of_the_array},
	{"one FMA on all PEs costs what its sums say", one_fma_on_all_pes},
	{"the SBM's energy and area follow its size and ports", sbm_follows_its_size_and_ports},
	{"the array's area is the sum of its parts", area_is_the_sum_of_its_parts},
	{"a PE of the paper has half the scalar FP unit and its SBM",
	 a_pe_of_the_paper_has_half_the_scalar_fp_unit_and_its_sbm},
	{"low and high readings enclose what is likely", readings_enclose_what_is_likely},
	{"a unit has latches of its own, and the chip a rest", a_unit_has_latches_of_its_own_and_the_chip_a_rest},
	{"a gated clock tree is that of clocked latches", the_tree_of_clocked_latches},
	{"leakage grows with the array's area", leakage_grows_with_the_arrays_area},
	{"long wires are as long as the array", wires_are_as_long_as_the_array},
	{"dividers take area and energy", dividers_take_area_and_energy},
	{"a divider has a slot of X", a_divider_has_a_slot_of_x},
	{"integers and pairs take area and energy", integers_and_pairs_take_area_and_energy},
	{"gathers take ports and adders", gathers_take_ports_and_adders},
	{"energy of wires goes with the square of the supply and with the node", wires_go_with_supply_and_shrink},
	{"twice the PEs take twice the area, but for what is there once", pes_cost_in_proportion},
	{"reports show the array where there is one, and only there", reports_show_the_array_where_there_is_one},
	{"the CSV has the array's columns", csv_has_its_columns},
	{"each stage has latches", each_stage_has_latches},
	{"impossible arrays are refused", impossible_arrays_are_refused},
};

int main(void)
{
	return tap_main("energy-simd", tests, TAP_COUNT(tests));
}
