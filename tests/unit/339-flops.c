/*
 * Which instructions are floating-point operations, over all rows of the instruction table: docs/models/flops.md. The
 * list is made by hand, from the convention: add, subtract, multiply, divide, square root 1, multiply-add 2.
 */
#include "tap.h"

#include <string.h>

#include "core_run.h"
#include "psim/core/uop.h"

enum { PES = 16 };

static const struct {
	const char *mnemonic;
	unsigned flops;
} counted[] = {
	{"fadds", 1},   {"faddd", 1},   {"faddq", 1},   {"fsubs", 1},    {"fsubd", 1},    {"fsubq", 1},
	{"fmuls", 1},   {"fmuld", 1},   {"fmulq", 1},   {"fsmuld", 1},   {"fdmulq", 1},   {"fdivs", 1},
	{"fdivd", 1},   {"fdivq", 1},   {"fsqrts", 1},  {"fsqrtd", 1},   {"fsqrtq", 1},   {"fmadds", 2},
	{"fmaddd", 2},  {"fmsubs", 2},  {"fmsubd", 2},  {"fnmadds", 2},  {"fnmaddd", 2},  {"fnmsubs", 2},
	{"fnmsubd", 2}, {"fxmaddd", 2}, {"fxmsubd", 2}, {"fxcmaddd", 2}, {"fxjmaddd", 2}, {"fadd2s", 2},
	{"fsub2s", 2},  {"fmul2s", 2},  {"fmadd2s", 4}, {"fnmsub2s", 4}, /* of two singles */
};
enum { COUNTED = sizeof(counted) / sizeof(counted[0]) };

static unsigned expected_flops(const char *mnemonic)
{
	for (unsigned n = 0; n < COUNTED; n++)
		if (!strcmp(counted[n].mnemonic, mnemonic))
			return counted[n].flops;
	return 0;
}

/* A word of the row: all fields zero, but a condition on a register, where zero is reserved. */
static uint32_t word_of(const struct insn_row *row)
{
	unsigned bit = 31;
	uint32_t lowest = 0;

	for (const char *p = row->pattern; *p; p++) {
		if (*p == ' ')
			continue;
		if (*p == 'r')
			lowest = UINT32_C(1) << bit;
		bit--;
	}
	return row->match | lowest;
}

/* Operations of the instruction in the scalar core, or in all PEs, as the counters have them. */
static uint64_t flops_of(const struct insn *i, const struct core_config *cfg)
{
	struct uop u;
	uint64_t scalar;

	uop_make(&u, i, 0x10000, 0, cfg);
	scalar = u.commit_lanes & 0xffff;
	if (u.class < CLASS_COUNT)
		return scalar;
	CHECK_U64(scalar, 0);
	return uop_simd_flops(u.class - CLASS_COUNT, PES);
}

static void every_instruction_counts_by_the_convention(void)
{
	struct config *config = config_create();
	struct core_config cfg;
	unsigned in_scalar = 0, in_array = 0;
	struct err e;

	core_config_add(config, &cfg);
	REQUIRE(config_override(config, "simd.pes=16", "test", &e) == 0);
	REQUIRE(core_config_check(config, &cfg, &e) == 0);
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct insn_row *row = insn_row(op);
		unsigned flops = expected_flops(row->mnemonic), known = 0;

		for (unsigned mode = 0; mode < 2; mode++) {
			bool sum = !strcmp(row->mnemonic, "pesumd"); /* 15 additions make one sum of 16 */
			struct insn i;
			uint64_t expected, has;

			insn_decode_simd(word_of(row), mode, &i);
			if (i.opcode != op)
				continue;
			known++;
			expected = sum ? PES - 1 : i.flags & INSN_SIMD ? (uint64_t)PES * flops : flops;
			has = flops_of(&i, &cfg);
			if (has != expected)
				printf("# %s, mode %u\n", row->name, mode);
			CHECK_U64(has, expected);
			in_array += flops && i.flags & INSN_SIMD;
			in_scalar += flops && !(i.flags & INSN_SIMD);
		}
		CHECK(known > 0);
	}
	/* the scalar core has all but the four between PEs and the five of pairs; the array has no quad precision */
	CHECK_U64(in_scalar, COUNTED - 4 - 5);
	CHECK_U64(in_array, COUNTED - 6);
	config_destroy(config);
}

/* 100 turns of: an addition, a compare, a conversion, a negation; and of the compare and conversion alone. */
static void a_run_counts_what_the_table_says(void)
{
	static const uint32_t words[] = {W_FADDD(2, 0, 0), 0x81a80ac2 /* fcmped %f0, %f2 */,
					 W_FP(4, 0, 6, 0x88) /* fxtod */, W_FNEGD(8, 0)};
	struct trace_maker m;
	struct core_stats s;

	for (unsigned first = 0; first < 2; first++) {
		trace_maker_start(&m, NULL);
		trace_maker_loop(&m, 0x10000, words + first, 3, 100, NULL, NULL);
		core_run_trace(&m, NULL, false, &s);
		CHECK_U64(s.flops, first ? 0 : 100);
		CHECK_U64(s.instructions, 300);
		trace_maker_finish(&m);
	}
}

static const struct tap_test tests[] = {
	{"every instruction counts by the convention", every_instruction_counts_by_the_convention},
	{"a run counts what the table says", a_run_counts_what_the_table_says},
};

int main(void)
{
	return tap_main("flops", tests, TAP_COUNT(tests));
}
