/* Energy of an activity: energy/energy.h. Hand numbers for the reference machine. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "alloc_fail.h"
#include "energy_maker.h"
#include "psim/base/rng.h"

/*
 * Described bits of the reference, summed by hand from latch.def with tags of
 * 6 (reorder buffer), 5 (rename), 8 (integer sources), 6 (FP sources), 4 and 5 (ports)
 * bits; and slots.
 */
static const struct {
	unsigned slots, bits;
} on_paper[STAGE_COUNT] = {
	[STAGE_ia] = {1, 70 + 248 + 21 + 12},
	[STAGE_it] = {1, 70 + 64 + 34 + 3 + 22 + 12},
	[STAGE_im] = {1, 70 + 46 + 68 + 256 + 62 + 12},
	[STAGE_ib] = {1, 70 + 49 + 2 + 69 + 6 + 12},
	[STAGE_ir] = {1, 288 + 70 + 69 + 6 + 12},
	[STAGE_e] = {4, 36 + 6 + 4 + 12 + 6 + 6},
	[STAGE_d] = {4, 36 + 48 + 36 + 24 + 27 + 12 + 13 + 6 + 9 + 3 + 8 + 4 + 6 + 6 + 6},
	[STAGE_p_int] = {2, 8 + 24 + 25 + 22 + 11 + 6},
	[STAGE_p_fp] = {2, 8 + 24 + 18 + 11 + 6},
	[STAGE_p_addr] = {2, 10 + 24 + 15 + 16 + 11 + 9 + 6},
	[STAGE_p_br] = {1, 10 + 10 + 12 + 6},
	[STAGE_b_int] = {2, 24 + 64 + 16 + 11 + 6},
	[STAGE_b_fp] = {2, 24 + 21 + 11 + 6},
	[STAGE_b_addr] = {2, 24 + 64 + 16 + 11 + 9 + 6},
	[STAGE_x_int] = {2, 144 + 16 + 24 + 72 + 11 + 6 + 6},
	[STAGE_x_fp] = {16, 14 + 10 + 11 + 6},
	[STAGE_x_addr] = {2, 144 + 24 + 72 + 11 + 9 + 6},
	[STAGE_x_br] = {1, 140 + 20 + 66 + 6 + 6},
	[STAGE_ps] = {2, 72 + 21 + 10 + 72 + 20 + 8},
	[STAGE_ts] = {2, 72 + 21 + 26 + 18 + 20 + 8},
	[STAGE_ms] = {2, 72 + 46 + 68 + 32 + 10 + 20 + 8},
	[STAGE_bs] = {2, 49 + 2 + 144 + 10 + 20 + 8},
	[STAGE_rs] = {2, 72 + 72 + 8 + 20 + 6 + 8},
	[STAGE_u] = {6, 72 + 13 + 11 + 6 + 6},
	[STAGE_w] = {4, 72 + 13 + 18 + 70 + 14 + 8 + 6},
};
/* Sum of slots x bits: 1723 + 1256 + 546 + 626 + 1984 + 2086 + 648 + 804. */
#define DESCRIBED 9673.0
/*
 * Storage that is latches, entries x bits: I-buffer 6 x 425, return stack 8 x 70,
 * micro-TLBs 2 x 32 x 124, reorder buffer 64 x 130, stations 16 x 95 + 16 x 62 +
 * 10 x 90 + 10 x 160, load queue 16 x 109, store queue and buffer 32 x 176:
 * 2550 + 560 + 7936 + 8320 + 1520 + 992 + 900 + 1600 + 1744 + 5632; miss buffers 4 x 57, 8 x 73,
 * 16 x 61 and the path to L2, 2 x 32 x 9: 228 + 584 + 976 + 576.
 */
#define STORAGE 34118.0
/* Implemented latches for each described bit: (200000 - 34118) / 9673. */
#define FACTOR (165882.0 / DESCRIBED)
/* An IR slot: 445 bits, 445 x 165882 / 9673 = 7631.29 latches. */
#define IR_LATCHES 7631.29

static struct energy_result evaluate(const struct energy_machine *machine, const struct activity *a)
{
	struct energy_model *m = energy_must(machine);
	struct energy_result x;

	energy_evaluate(m, a, &x);
	energy_destroy(m);
	return x;
}

/* Plausible counts, different for every seed: no stage over its slots. */
static struct activity some_activity(uint64_t seed)
{
	struct activity a = {.cycles = 1000 + seed};
	uint64_t k = seed * 1000;

	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		a.moved[s] = rng_below(seed, 0, k++, a.cycles / 2);
		a.stalled[s] = rng_below(seed, 0, k++, a.cycles / 2);
	}
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		a.reads[i] = rng_below(seed, 0, k++, 5000);
		a.writes[i] = rng_below(seed, 0, k++, 5000);
	}
	for (unsigned i = 0; i < EOP_COUNT; i++)
		a.ops[i] = rng_below(seed, 0, k++, 2000);
	return a;
}

static void described_bits_are_as_on_paper(void)
{
	struct stage_cost c[STAGE_COUNT];
	double sum = 0;

	stage_describe(energy_reference(), c);
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		if (unit_absent(energy_reference(), c[s].unit))
			continue; /* 411-energy-simd.c */
		CHECK_F64(c[s].described, on_paper[s].bits, 0);
		CHECK_F64(c[s].slots, on_paper[s].slots, 0);
		sum += c[s].described * c[s].slots;
	}
	CHECK_F64(sum, DESCRIBED, 0);
}

static void every_latch_row_has_bits_name_and_source(void)
{
	struct latch_field f[LATCH_FIELDS_MAX];
	struct stage_cost c[STAGE_COUNT];
	unsigned count = latch_fields(energy_reference(), f);

	stage_describe(energy_reference(), c);
	CHECK(count > STAGE_COUNT);
	for (unsigned i = 0; i < count; i++) {
		if (unit_absent(energy_reference(), c[f[i].stage].unit))
			continue;
		CHECK(f[i].bits > 0 && f[i].bits < 1000);
		CHECK(strlen(f[i].name) > 3);
		CHECK(f[i].why[0] == '[');
	}
}

static void reference_has_the_chips_latches(void)
{
	struct energy_model *m = energy_must(energy_reference());
	double storage = 0;

	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		storage += m->array[i].latches;
	CHECK_F64(storage, STORAGE, 0);
	CHECK_F64(reported_latches(m), 200000, 1e-6);
	CHECK_F64(m->stage[STAGE_w].latches / m->stage[STAGE_w].described, FACTOR, 1e-9);
	energy_destroy(m);
}

static void thousand_slots_of_one_stage(void)
{
	struct activity a = {.cycles = 1000, .moved[STAGE_ir] = 1000};
	struct energy_result x = evaluate(energy_reference(), &a);

	/* 1000 x 7631.2923 x (0.25 - 0.012) pJ = 1.8162476 uJ */
	CHECK_F64(x.stage_j[STAGE_ir], 1.8162476e-6, 1e-11);
	/* clock tree: 1000 x 200000 x 12 fJ = 2.4 uJ; leakage 8 W x 0.5 us = 4 uJ */
	CHECK_F64(x.clock_j, 2.4e-6, 1e-15);
	CHECK_F64(x.leakage_j, 4e-6, 1e-15);
	CHECK_F64(x.seconds, 0.5e-6, 1e-18);
	CHECK_F64(x.total_j, 8.2162476e-6, 1e-11);
	CHECK_F64(x.stage_j[STAGE_w], 0, 0);
}

static void latch_energy_counts_the_clock_tree_once(void)
{
	struct activity a = {.cycles = 1};
	struct energy_result x;

	/* every latch clocked in one cycle: the stages' share of 0.25 pJ and the tree's make 0.25 */
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		a.moved[s] = on_paper[s].slots;
	a.ops[EOP_fp_fma] = 2; /* whose 8 slots each these of X are: their logic counts with the operation */
	x = evaluate(energy_reference(), &a);
	double j = x.clock_j;
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		j += x.stage_j[s];
	/* 165882 x 0.25 pJ + 34118 x 0.012 pJ (storage has its share of the tree) */
	CHECK_F64(j * 1e12, 41470.5 + 409.416, 1e-6);
}

static void stalled_slots_cost_with_partial_gating_only_their_clock(void)
{
	struct energy_machine m = *energy_reference();
	struct activity a = {.cycles = 1000, .stalled[STAGE_ir] = 1000};

	CHECK_F64(evaluate(&m, &a).stage_j[STAGE_ir], 0, 0);
	/* 1000 x 7631.2923 x (11.7 + 26.25) fJ = 0.2896075 uJ */
	m.gating = GATING_PARTIAL;
	CHECK_F64(evaluate(&m, &a).stage_j[STAGE_ir], 0.2896075e-6, 1e-11);
}

static void without_gating_every_slot_is_clocked(void)
{
	struct energy_machine m = *energy_reference();
	struct activity a = {.cycles = 1};
	struct energy_result x;
	double j = 0;

	/* idle: 165882 x 37.95 fJ = 6295.222 pJ; tree 2400 pJ and storage pins 34118 x 11.7 fJ = 399.181 pJ */
	m.gating = GATING_NONE;
	x = evaluate(&m, &a);
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		j += x.stage_j[s];
	CHECK_F64(j * 1e12, 6295.222, 1e-3);
	CHECK_F64(x.clock_j * 1e12, 2799.181, 1e-3);
}

static void gating_saves_in_its_order(void)
{
	struct energy_machine m = *energy_reference();

	for (uint64_t seed = 1; seed < 20; seed++) {
		struct activity a = some_activity(seed);
		double j[GATING_COUNT];

		for (m.gating = 0; m.gating < GATING_COUNT; m.gating++)
			j[m.gating] = evaluate(&m, &a).total_j;
		CHECK(j[GATING_IDEAL] < j[GATING_PARTIAL]);
		CHECK(j[GATING_PARTIAL] < j[GATING_NONE]);
	}
}

static void arrays_and_operations_add_up(void)
{
	struct activity a = {
		.reads[ARRAY_l1d] = 1000,
		.writes[ARRAY_l1d] = 100,
		.ops[EOP_fp_fma] = 1000,
		.ops[EOP_int_alu] = 1000,
	};
	struct energy_result x = evaluate(energy_reference(), &a);

	/* 1000 x 151 + 100 x 139 pJ = 164.9 nJ; 1000 x 120 pJ = 120 nJ; 1000 x 0.5 pJ = 0.5 nJ */
	CHECK_F64(x.array_j[ARRAY_l1d], 164.9e-9, 1e-15);
	CHECK_F64(x.op_j[EOP_fp_fma], 120e-9, 1e-15);
	/* the logic of an FMA's 8 slots in X: 1000 x 8 x 41 bits x 165882 / 9673 x (0.25 - 0.0535) pJ = 1105.2855 nJ */
	CHECK_F64(x.stage_j[STAGE_x_fp], 1105.2855e-9, 1e-12);
	CHECK_F64(x.total_j, 1390.6855e-9, 1e-12);
}

static void memory_stands_apart(void)
{
	struct activity a = {.reads[ARRAY_memory] = 10, .writes[ARRAY_memory] = 5};
	struct energy_result x = evaluate(energy_reference(), &a);

	/* 15 lines of 8 words, 1.95 nJ each: 234 nJ */
	CHECK_F64(x.memory_j, 234e-9, 1e-15);
	CHECK_F64(x.total_j, 0, 0);
	CHECK_F64(x.array_j[ARRAY_memory], 0, 0);
}

static void intervals_add_up_to_the_whole(void)
{
	struct activity at[4] = {{.cycles = 0}};
	struct energy_machine m = *energy_reference();

	for (m.gating = 0; m.gating < GATING_COUNT; m.gating++) {
		double parts = 0, memory = 0;
		struct energy_result x;

		for (unsigned i = 1; i < 4; i++) {
			struct activity step = some_activity(i + 30), zero = {.cycles = 0}, negative;

			/* at[i] = at[i - 1] + step, by way of subtraction modulo 2^64 */
			activity_subtract(&zero, &at[i - 1], &negative);
			activity_subtract(&step, &negative, &at[i]);
		}
		for (unsigned i = 1; i < 4; i++) {
			struct activity a;

			activity_subtract(&at[i], &at[i - 1], &a);
			CHECK_U64(a.cycles, 1000 + i + 30);
			x = evaluate(&m, &a);
			parts += x.total_j;
			memory += x.memory_j;
		}
		x = evaluate(&m, &at[3]);
		CHECK_F64(parts / x.total_j, 1, 1e-12);
		CHECK_F64(memory / x.memory_j, 1, 1e-12);
	}
}

static void parts_add_up_to_the_total(void)
{
	struct energy_model *m = energy_must(energy_reference());
	struct activity a = some_activity(7);
	struct energy_result x;
	double unit[UNIT_COUNT], by_unit = 0, parts = 0;

	energy_evaluate(m, &a, &x);
	energy_by_unit(m, &x, unit);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		by_unit += unit[u];
	for (unsigned s = 0; s < STAGE_COUNT; s++)
		parts += x.stage_j[s];
	for (unsigned i = 0; i < ARRAY_COUNT; i++)
		parts += x.array_j[i];
	for (unsigned i = 0; i < EOP_COUNT; i++)
		parts += x.op_j[i];
	CHECK_F64(by_unit / x.total_j, 1, 1e-12);
	CHECK_F64((parts + x.clock_j + x.leakage_j) / x.total_j, 1, 1e-12);
	CHECK_F64(unit[UNIT_leakage], x.leakage_j, 0);
	energy_destroy(m);
}

static void supply_and_node_scale_dynamic_energy(void)
{
	struct energy_machine m = *energy_reference();
	struct activity a = some_activity(3);
	struct energy_result x = evaluate(&m, &a), y;

	/*
	 * 1.2 V: x 1.44; 45 nm: x 0.5; each with the clock at which a cycle has as many gates: 460-path.c has the
	 * others
	 */
	m.voltage = 1.2;
	m.frequency_hz = 2e9 * pow(0.95 / 0.75, 1.3) / 1.2;
	y = evaluate(&m, &a);
	CHECK_F64((y.total_j - y.leakage_j) / (x.total_j - x.leakage_j), 1.44, 1e-9);
	/* off chip nothing scales; 8 GB/s of memory take 2.4 W of themselves */
	CHECK_F64(y.memory_j - 2.4 * y.seconds, x.memory_j - 2.4 * x.seconds, 1e-15);
	m.voltage = 1.0;
	m.node_nm = 45;
	m.frequency_hz = 4e9;
	y = evaluate(&m, &a);
	CHECK_F64((y.total_j - y.leakage_j) / (x.total_j - x.leakage_j), 0.5, 1e-9);
}

static void a_faster_clock_asks_for_faster_logic(void)
{
	struct energy_machine m = *energy_reference();
	struct activity alu = {.ops[EOP_int_alu] = 1000}, idle = {.cycles = 1000};

	/*
	 * 2 GHz: 500 / 32.4 - 2 = 13.4321 FO4 of logic; 2.5 GHz: 400 / 32.4 - 2 = 10.3457; 1.29833 times as fast:
	 * 0.375 + 0.625 x 1.29833^3.798 = 2.05972 times 0.5 pJ. The clock tree is no logic.
	 */
	CHECK_F64(evaluate(&m, &alu).total_j, 0.5e-9, 1e-15);
	m.frequency_hz = 2.5e9;
	CHECK_F64(evaluate(&m, &alu).total_j, 0.5e-9 * 2.05972, 1e-13);
	CHECK_F64(evaluate(&m, &idle).clock_j, 2.4e-6, 1e-15);
}

static void leakage_follows_the_machines_area(void)
{
	struct energy_machine m = *energy_reference();
	struct activity a = {.cycles = 2000000000};

	/* one second of the reference: 8 W, whatever the gating */
	CHECK_F64(evaluate(&m, &a).leakage_j, 8, 1e-9);
	/*
	 * L2 of 12 MB. Memory of the reference: L2 89 x 1.5^1.05 = 136.234, L1 2 x 2.34, branch history
	 * 0.94 x 2^1.05 = 1.946, main TLBs 0.94 x 0.5^1.05 = 0.454: 143.314 mm2 x 7.1 mW = 1.01753 W;
	 * logic 67.4 mm2 x 31 mW = 2.0894 W; together 3.10693. L2 now 89 x 3^1.05 = 282.077:
	 * 289.157 x 7.1 mW + 2.0894 = 4.14241. 8 x 4.14241 / 3.10693 = 10.6662 W, with as much more time for an access:
	 * half of it wires, 0.5 + 0.5 x root 2 = 1.20711, 14 x 1.20711 = 16.9 cycles, so 15 and 2 of the fill are
	 * enough
	 */
	m.l2_bytes = 12 << 20;
	m.l2_cycles = 15;
	CHECK_F64(evaluate(&m, &a).leakage_j, 10.6662, 0.02);
	/*
	 * in 14 cycles: energy 0.375 + 0.625 x 1.20711^3.798 = 1.6525, area of the periphery its root, 1.2855, of the
	 * L2 1 + 0.3 x 0.2855: 282.077 x 1.08565 = 306.236; 8 x (313.316 x 7.1 mW + 2.0894) / 3.10693 = 11.1079 W
	 */
	m.l2_cycles = 12;
	CHECK_F64(evaluate(&m, &a).leakage_j, 11.1079, 2e-3);
	/* 1.2 V: x 2.402 */
	m = *energy_reference();
	m.voltage = 1.2;
	m.frequency_hz = 2e9 * pow(0.95 / 0.75, 1.3) / 1.2;
	a.cycles = (uint64_t)m.frequency_hz;
	CHECK_F64(evaluate(&m, &a).leakage_j, 19.217, 5e-3);
}

static void wider_machines_have_more_latches(void)
{
	struct energy_machine m = *energy_reference();
	struct energy_model *model8;

	/* decode of 8: E and D hold 4 more slots of 70 and 244 bits: 4 x 314 x 165882 / 9673 = 21539.1 */
	m.decode_width = m.decode_entry_slots = 8;
	model8 = energy_must(&m);
	CHECK_F64(reported_latches(model8), 200000 + 21539.1, 0.1);
	energy_destroy(model8);
}

static void impossible_counts_are_told(void)
{
	struct energy_model *m = energy_must(energy_reference());
	struct activity a = {.cycles = 10, .moved[STAGE_d] = 39, .stalled[STAGE_d] = 1};
	struct err e = {.text = ""};

	/* 4 slots in 10 cycles: 40 */
	CHECK_I64(energy_check(m, &a, &e), 0);
	a.stalled[STAGE_d] = 2;
	CHECK_I64(energy_check(m, &a, &e), -1);
	CHECK_STR(e.text, "energy: stage D: 39 slots moved and 2 stalled in 10 cycles, expected at most 4 a cycle");
	energy_destroy(m);
}

static void refused(const struct energy_machine *m, const char *name)
{
	struct err e = {.text = ""};

	CHECK(energy_create(m, &e) == NULL);
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK(strstr(e.text, name) != NULL);
	CHECK(strstr(e.text, "expected") != NULL);
}

static void machines_out_of_range_are_refused(void)
{
	struct energy_machine m = *energy_reference();

#define REFUSE(field, bad) \
	do { \
		m.field = (bad); \
		refused(&m, #field); \
		m = *energy_reference(); \
	} while (0)
	REFUSE(voltage, 0.2);
	REFUSE(voltage, (double)NAN);
	REFUSE(gating, 3);
	REFUSE(latch_pj, 0.011);
	REFUSE(leakage_w, -1);
	REFUSE(one, 2);
	REFUSE(decode_width, 0);
	REFUSE(int_pipes, 0);
	REFUSE(rob_entries, 0);
	REFUSE(l2_bytes, UINT64_MAX);
	REFUSE(l1d_ways, 0);
	REFUSE(l1d_ways_read, 3);
	REFUSE(l1i_ways_read, 3);
	REFUSE(fetch_bytes, 0);
	m.technology.sram_mm2 = 0;
	refused(&m, "sram_mm2");
	m = *energy_reference();
	m.technology.rf_mm2 = 1; /* registers and storage alone are larger than all logic of the chip */
	refused(&m, "logic_mm2");
	m = *energy_reference();
#undef REFUSE
	m.frequency_hz = 0;
	refused(&m, "frequency");
	m = *energy_reference();
	m.node_nm = 4;
	refused(&m, "node");
	m = *energy_reference();
	m.temperature_k = (double)INFINITY;
	refused(&m, "temperature");
}

static void shortage_of_memory_is_told(void)
{
	struct err e;

	for (unsigned k = 1;; k++) {
		alloc_fail_at(k);
		struct energy_model *m = energy_create(energy_reference(), &e);
		if (!alloc_fail_end()) {
			CHECK(m != NULL && k > 1);
			energy_destroy(m);
			break;
		}
		CHECK(m == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	energy_destroy(NULL);
}

static const struct tap_test tests[] = {
	{"described bits of each stage are those counted on paper", described_bits_are_as_on_paper},
	{"every latch row has bits, a name and a source", every_latch_row_has_bits_name_and_source},
	{"the reference machine has 200 000 latches", reference_has_the_chips_latches},
	{"a thousand slots of one stage cost slots x latches x energy", thousand_slots_of_one_stage},
	{"the clock tree is counted once", latch_energy_counts_the_clock_tree_once},
	{"a stalled slot costs its clock with partial gating", stalled_slots_cost_with_partial_gating_only_their_clock},
	{"without gating every slot of every cycle is clocked", without_gating_every_slot_is_clocked},
	{"ideal gating costs less than partial, partial less than none", gating_saves_in_its_order},
	{"arrays and operations cost count x energy", arrays_and_operations_add_up},
	{"off-chip memory stands apart from the chip", memory_stands_apart},
	{"intervals add up to the whole", intervals_add_up_to_the_whole},
	{"stages, arrays, operations, clock and leakage add up to the total", parts_add_up_to_the_total},
	{"supply and node scale dynamic energy", supply_and_node_scale_dynamic_energy},
	{"a faster clock asks for faster logic", a_faster_clock_asks_for_faster_logic},
	{"leakage follows the machine's area and supply", leakage_follows_the_machines_area},
	{"a wider machine has more latches", wider_machines_have_more_latches},
	{"more slots than a stage has are told", impossible_counts_are_told},
	{"machines out of range are refused by name", machines_out_of_range_are_refused},
	{"a shortage of memory is told", shortage_of_memory_is_told},
};

int main(void)
{
	return tap_main("energy", tests, TAP_COUNT(tests));
}
