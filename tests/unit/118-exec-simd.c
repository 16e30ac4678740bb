/*
 * The SIMD array: what each instruction does in every PE, for arrays of 1, 2, 16
 * and 32. PE k begins with x = k + 1 in %s2, y = 2k - 3 in %s4, z = 10 in %s6.
 */
#include "tap.h"

#include <math.h>

#include "isa/simd.h"
#include "simd_machine.h"

enum { FPOP1 = 0x34 };
static const unsigned sizes[] = {1, 2, 16, 32};

static struct machine *begin(unsigned pes)
{
	struct machine *m = simd_machine(pes);

	for (unsigned k = 0; k < pes; k++) {
		set_pe(m, k, 2, k + 1.0);
		set_pe(m, k, 4, 2.0 * k - 3);
		set_pe(m, k, 6, 10);
	}
	CHECK_U64(run(m, simd_op(SIMDON, 0, 0, 0)), TRAP_NONE);
	return m;
}

/* op %s2, %s4, %s8 */
static struct machine *fp1(unsigned pes, unsigned opf)
{
	struct machine *m = begin(pes);

	CHECK_U64(run(m, fpop(FPOP1, opf, dreg(8), dreg(2), dreg(4))), TRAP_NONE);
	return m;
}

#define EACH_SIZE(pes) for (unsigned n_ = 0, pes; n_ < 4 && (pes = sizes[n_], true); n_++)

/* ---- mode and state ---- */

static void the_mode_goes_on_and_off_and_can_be_read(void)
{
	struct machine *m = simd_machine(16);

	m->cpu.array->units = 0;
	CHECK_U64(run(m, simd_op(RDSIMD, O0, 0, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[O0], 0x10001000); /* 4096 << 16 | 16 << 8 */
	run(m, simd_op(SIMDON, 0, 0, 0));
	CHECK(m->cpu.simd);
	run(m, simd_op(RDSIMD, O0, 0, 0));
	CHECK_HEX(m->cpu.r[O0], 0x10001001);
	run(m, simd_op(SIMDOFF, 0, 0, 0));
	CHECK(!m->cpu.simd);
}

static void pes_divide_if_they_have_the_unit(void)
{
	static const double x[] = {1, -6, 0, 1}, y[] = {4, 3, 1, 3};
	struct machine *m = simd_machine(4);

	for (unsigned k = 0; k < 4; k++) {
		set_pe(m, k, 2, x[k]);
		set_pe(m, k, 4, y[k]);
	}
	run(m, simd_op(SIMDON, 0, 0, 0));
	CHECK_U64(run(m, fpop(0x34, 0x4e, dreg(6), dreg(2), dreg(4))), TRAP_NONE); /* fdivd */
	CHECK_F64(get_pe(m, 0, 6), 0.25, 0);
	CHECK_F64(get_pe(m, 1, 6), -2, 0);
	CHECK_F64(get_pe(m, 2, 6), 0, 0);
	CHECK_HEX(d_bits(get_pe(m, 3, 6)), 0x3fd5555555555555);              /* a third, rounded to the nearest */
	CHECK_U64(run(m, fpop(0x34, 0x2a, dreg(6), 0, dreg(4))), TRAP_NONE); /* fsqrtd */
	CHECK_F64(get_pe(m, 0, 6), 2, 0);
	CHECK_HEX(d_bits(get_pe(m, 1, 6)), 0x3ffbb67ae8584caa); /* root of 3: 1.7320508075688772 */
	m->cpu.array->units = 0;
	CHECK_U64(fault_of(m, run(m, fpop(0x34, 0x4e, dreg(6), dreg(2), dreg(4)))), SIMD_FAULT_NO_DIVIDE);
	CHECK_U64(fault_of(m, run(m, fpop(0x34, 0x29, 6, 0, 4))), SIMD_FAULT_NO_DIVIDE);
	CHECK_F64(get_pe(m, 0, 6), 2, 0);
}

static void pes_compare_and_move_if_they_have_the_unit(void)
{
	/* less, equal, greater, unordered */
	static const double x[] = {-1, 2, 5, (double)NAN}, y[] = {4, 2, 1, 3};
	static const double less[] = {-1, 7, 7, 7}, not_greater[] = {-1, 2, 7, (double)NAN};
	struct machine *m = simd_machine(4);

	for (unsigned k = 0; k < 4; k++) {
		set_pe(m, k, 2, x[k]);
		set_pe(m, k, 4, y[k]);
		set_pe(m, k, 6, 7);
		set_pe(m, k, 8, 7);
	}
	run(m, simd_op(SIMDON, 0, 0, 0));
	CHECK_U64(run(m, 0x83a88a44), TRAP_NONE); /* fcmpd %fcc1, %f2, %f4 */
	CHECK_HEX(m->cpu.fsr >> 5 & 31, 0);       /* a quiet NaN */
	CHECK_U64(run(m, 0x8da90842), TRAP_NONE); /* fmovdl %fcc1, %f2, %f6 */
	CHECK_U64(run(m, 0x91ab8842), TRAP_NONE); /* fmovdule %fcc1, %f2, %f8: unordered, less or equal */
	for (unsigned k = 0; k < 4; k++) {
		CHECK_HEX(d_bits(get_pe(m, k, 6)), d_bits(less[k]));
		CHECK_HEX(d_bits(get_pe(m, k, 8)), d_bits(not_greater[k]));
	}
	CHECK_U64(run(m, 0x83a88ac4), TRAP_NONE); /* fcmped: any NaN is invalid */
	CHECK_HEX(m->cpu.fsr >> 5 & 31, 16);
	m->cpu.array->units = SIMD_UNIT_DIVIDE;
	CHECK_U64(fault_of(m, run(m, 0x83a88a44)), SIMD_FAULT_NO_SELECT);
	CHECK_U64(fault_of(m, run(m, 0x8da90842)), SIMD_FAULT_NO_SELECT);
}

static void without_an_array_the_instructions_are_illegal(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, simd_op(SIMDON, 0, 0, 0)), TRAP_ILLEGAL);
	CHECK_U64(run(m, simd_op(PEGETD, 0, 0, 0)), TRAP_ILLEGAL);
	CHECK_U64(run(m, simd_op(PEPUTD, 0, 0, 0)), TRAP_ILLEGAL);
	CHECK_U64(run(m, simd_op(PESUMD, 0, 0, 0)), TRAP_ILLEGAL);
	CHECK_U64(run(m, transfer_op(SXGET, O0, O1, O2, false)), TRAP_ILLEGAL);
	CHECK_U64(run(m, wait_op(0)), TRAP_ILLEGAL);
	/* but rdsimd, which then says so */
	m->cpu.r[O0] = 5;
	CHECK_U64(run(m, simd_op(RDSIMD, O0, 0, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[O0], 0);
	m->cpu.r[O1] = SIMD_ALL_BASE;
	CHECK_U64(run(m, rrr(3, 0x0e, O0, O1, G0)), TRAP_ACCESS); /* stx */
}

static void the_two_files_are_separate(void)
{
	struct machine *m = begin(2);

	m->cpu.d[4] = d_bits(77);
	run(m, fpop(FPOP1, 0x42, dreg(8), dreg(2), dreg(4))); /* faddd %s2, %s4, %s8 */
	CHECK_HEX(m->cpu.d[4], d_bits(77));
	run(m, simd_op(SIMDOFF, 0, 0, 0));
	m->cpu.d[1] = d_bits(1);
	m->cpu.d[2] = d_bits(2);
	run(m, fpop(FPOP1, 0x42, dreg(8), dreg(2), dreg(4))); /* faddd %f2, %f4, %f8 */
	CHECK_HEX(m->cpu.d[4], d_bits(3));
	CHECK_F64(get_pe(m, 1, 8), 2 - 1, 0); /* x + y = 3k - 2, k = 1: as it was */
}

/* ---- arithmetic ---- */

static void every_pe_computes_on_its_own(void)
{
	EACH_SIZE(pes)
	{
		struct machine *add = fp1(pes, 0x42);

		for (unsigned k = 0; k < pes; k++)
			CHECK_F64(get_pe(add, k, 8), 3.0 * k - 2, 0);
		struct machine *subtract = fp1(pes, 0x46);

		for (unsigned k = 0; k < pes; k++)
			CHECK_F64(get_pe(subtract, k, 8), 4.0 - k, 0);
		struct machine *multiply = fp1(pes, 0x4a);

		for (unsigned k = 0; k < pes; k++) /* (k + 1)(2k - 3) = 2k^2 - k - 3 */
			CHECK_F64(get_pe(multiply, k, 8), 2.0 * k * k - k - 3, 0);
	}
}

static void multiply_add_has_four_forms(void)
{
	EACH_SIZE(pes)
	{
		for (unsigned var = 0; var < 4; var++) {
			struct machine *m = begin(pes);

			CHECK_U64(run(m, fma_op(2, var, 8, 2, 4, 6)), TRAP_NONE);
			for (unsigned k = 0; k < pes; k++) {
				double p = 2.0 * k * k - k - 3;
				const double forms[] = {p + 10, p - 10, -p + 10, -p - 10};

				CHECK_F64(get_pe(m, k, 8), forms[var], 0);
			}
		}
	}
}

/* (1 + 2^-30)^2 - 1 = 2^-29 + 2^-60, of which a product rounded to 53 bits has lost the last */
static void multiply_add_rounds_as_the_scalar_one(void)
{
	for (unsigned fused = 0; fused < 2; fused++) {
		struct machine *m = begin(2);

		m->cpu.fma_fused = fused;
		for (unsigned k = 0; k < 2; k++) {
			set_pe(m, k, 2, 1 + 0x1p-30);
			set_pe(m, k, 6, -1);
		}
		run(m, fma_op(2, 0, 8, 2, 2, 6));
		CHECK_F64(get_pe(m, 1, 8), fused ? 0x1p-29 + 0x1p-60 : 0x1p-29, 0);
		run(m, fma_op(3, 0, 10, 2, 2, 6)); /* fxmaddd */
		CHECK_F64(get_pe(m, 1, 10), fused ? 0x1p-29 + 0x1p-60 : 0x1p-29, 0);
	}
}

static void singles_are_halves(void)
{
	struct machine *m = begin(16);

	for (unsigned k = 0; k < 16; k++) /* %s10 = k, %s11 = 0.5 */
		m->cpu.array->d[5][k] = (uint64_t)f_bits((float)k) << 32 | f_bits(0.5f);
	run(m, fpop(FPOP1, 0x49, 13, 10, 11));       /* fmuls %s10, %s11, %s13 */
	run(m, fpop(FPOP1, 0x41, 12, 10, 10));       /* fadds %s10, %s10, %s12 */
	run(m, fpop(FPOP1, 0x69, dreg(14), 10, 11)); /* fsmuld */
	/* fmadds %s10, %s11, %s10, %s16: k/2 + k */
	run(m, rrr(2, 0x37, 16, 10, 11) | 10u << 9 | 1u << 5);
	for (unsigned k = 0; k < 16; k++) {
		CHECK_HEX(m->cpu.array->d[6][k], (uint64_t)f_bits(2.0f * (float)k) << 32 | f_bits(0.5f * (float)k));
		CHECK_F64(get_pe(m, k, 14), 0.5 * k, 0);
		CHECK_HEX(m->cpu.array->d[8][k] >> 32, f_bits(1.5f * (float)k));
	}
}

static void conversions_go_each_way(void)
{
	struct machine *m = begin(2);

	for (unsigned k = 0; k < 2; k++)
		set_pe(m, k, 2, k ? -3.75 : 2.5);
	run(m, fpop(FPOP1, 0xd2, 8, 0, dreg(2)));         /* fdtoi %s2, %s8: 2, -3 */
	run(m, fpop(FPOP1, 0x82, dreg(10), 0, dreg(2)));  /* fdtox */
	run(m, fpop(FPOP1, 0xc8, dreg(12), 0, 8));        /* fitod */
	run(m, fpop(FPOP1, 0x88, dreg(14), 0, dreg(10))); /* fxtod */
	run(m, fpop(FPOP1, 0xc6, 16, 0, dreg(2)));        /* fdtos */
	run(m, fpop(FPOP1, 0xc9, dreg(18), 0, 16));       /* fstod */
	run(m, fpop(FPOP1, 0xd1, 20, 0, 16));             /* fstoi */
	run(m, fpop(FPOP1, 0x81, dreg(22), 0, 16));       /* fstox */
	run(m, fpop(FPOP1, 0xc4, 24, 0, 8));              /* fitos */
	run(m, fpop(FPOP1, 0x84, 26, 0, dreg(10)));       /* fxtos */
	for (unsigned k = 0; k < 2; k++) {
		int64_t i = k ? -3 : 2;

		CHECK_HEX(m->cpu.array->d[4][k] >> 32, (uint32_t)i);
		CHECK_HEX(m->cpu.array->d[5][k], (uint64_t)i);
		CHECK_F64(get_pe(m, k, 12), (double)i, 0);
		CHECK_F64(get_pe(m, k, 14), (double)i, 0);
		CHECK_F64(get_pe(m, k, 18), k ? -3.75 : 2.5, 0);
		CHECK_HEX(m->cpu.array->d[10][k] >> 32, (uint32_t)i);
		CHECK_HEX(m->cpu.array->d[11][k], (uint64_t)i);
		CHECK_HEX(m->cpu.array->d[12][k] >> 32, f_bits((float)i));
		CHECK_HEX(m->cpu.array->d[13][k] >> 32, f_bits((float)i));
	}
}

static void moves_take_bits(void)
{
	struct machine *m = begin(2);

	run(m, fpop(FPOP1, 0x02, dreg(8), 0, dreg(4)));  /* fmovd: -3, -1 */
	run(m, fpop(FPOP1, 0x06, dreg(10), 0, dreg(4))); /* fnegd: 3, 1 */
	run(m, fpop(FPOP1, 0x0a, dreg(12), 0, dreg(4))); /* fabsd: 3, 1 */
	run(m, simd_op(0x7e, dreg(16), 0, 0));           /* foned */
	run(m, simd_op(0x74, dreg(18), dreg(2), 0));     /* fsrc1d */
	run(m, simd_op(0x78, dreg(20), 0, dreg(4)));     /* fsrc2d */
	run(m, simd_op(0x60, dreg(6), 0, 0));            /* fzerod over the 10 */
	run(m, simd_op(0x7f, 23, 0, 0));                 /* fones %s23 */
	run(m, fpop(FPOP1, 0x05, 22, 0, 4));             /* fnegs %s4, %s22 */
	run(m, fpop(FPOP1, 0x09, 24, 0, 4));             /* fabss %s4, %s24 */
	run(m, fpop(FPOP1, 0x01, 25, 0, 4));             /* fmovs %s4, %s25 */
	for (unsigned k = 0; k < 2; k++) {
		double y = 2.0 * k - 3;
		uint32_t high = (uint32_t)(d_bits(y) >> 32);

		CHECK_F64(get_pe(m, k, 8), y, 0);
		CHECK_F64(get_pe(m, k, 10), -y, 0);
		CHECK_F64(get_pe(m, k, 12), -y, 0);
		CHECK_HEX(m->cpu.array->d[8][k], ~0ull);
		CHECK_F64(get_pe(m, k, 18), k + 1.0, 0);
		CHECK_F64(get_pe(m, k, 20), y, 0);
		CHECK_HEX(m->cpu.array->d[3][k], 0);
		CHECK_HEX(m->cpu.array->d[11][k], (uint64_t)(high ^ 0x80000000) << 32 | 0xffffffff);
		CHECK_HEX(m->cpu.array->d[12][k], (uint64_t)(high & 0x7fffffff) << 32 | high);
	}
}

/* NaN in one PE, infinity in another: SPARC's default NaN 0x7fffffffffffffff. */
static void softfp_results_in_each_pe(void)
{
	struct machine *m = begin(16);

	set_pe(m, 3, 2, HUGE_VAL);
	set_pe(m, 3, 4, -HUGE_VAL);
	m->cpu.array->d[2][5] = 0x7ff0000000000001; /* signalling */
	CHECK_U64(run(m, fpop(FPOP1, 0x42, dreg(8), dreg(2), dreg(4))), TRAP_NONE);
	CHECK_HEX(m->cpu.array->d[4][3], 0x7fffffffffffffff);
	CHECK_HEX(m->cpu.array->d[4][5], 0x7ff8000000000001); /* made quiet */
	CHECK_F64(get_pe(m, 4, 8), 3.0 * 4 - 2, 0);
	CHECK_HEX(cpu_fsr(&m->cpu) >> 5 & 31, 16); /* aexc: NV */
	CHECK_HEX(cpu_fsr(&m->cpu) & 31, 0);       /* cexc is the scalar unit's */
	/* an integer that does not fit: the largest of its sign */
	set_pe(m, 7, 2, 1e10);
	CHECK_U64(run(m, fpop(FPOP1, 0xd2, 10, 0, dreg(2))), TRAP_NONE);
	CHECK_HEX(m->cpu.array->d[5][7] >> 32, 0x7fffffff);
	CHECK_HEX(m->cpu.array->d[5][6] >> 32, 7);
}

static void enabled_traps_do_not_count_and_rounding_does(void)
{
	struct machine *m = begin(2);

	cpu_set_fsr(&m->cpu, 0x0f800000 | 2ull << 30); /* all traps enabled, round up */
	set_pe(m, 1, 2, 1);
	set_pe(m, 1, 4, 0x1p-60);
	CHECK_U64(run(m, fpop(FPOP1, 0x42, dreg(8), dreg(2), dreg(4))), TRAP_NONE);
	CHECK_HEX(m->cpu.array->d[4][1], 0x3ff0000000000001); /* 1 + 2^-60, upwards */
	CHECK_HEX(cpu_fsr(&m->cpu) >> 5 & 31, 1);             /* aexc: NX */
}

/* ---- one PE and all of them ---- */

static void peid_is_the_pes_number(void)
{
	EACH_SIZE(pes)
	{
		struct machine *m = begin(pes);

		CHECK_U64(run(m, simd_op(PEID, dreg(34), 0, 0)), TRAP_NONE);
		for (unsigned k = 0; k < pes; k++)
			CHECK_F64(get_pe(m, k, 34), k, 0);
	}
}

static void get_and_put_reach_one_pe(void)
{
	EACH_SIZE(pes)
	{
		struct machine *m = begin(pes);

		m->cpu.r[O2] = pes - 1;
		CHECK_U64(run(m, simd_op(PEGETD, dreg(36), O2, dreg(4))), TRAP_NONE);
		CHECK_HEX(m->cpu.d[18], d_bits(2.0 * (pes - 1) - 3));
		m->cpu.simd = false; /* both modes */
		m->cpu.d[1] = d_bits(99);
		CHECK_U64(run(m, simd_op(PEPUTD, dreg(4), O2, dreg(2))), TRAP_NONE);
		for (unsigned k = 0; k < pes; k++)
			CHECK_F64(get_pe(m, k, 4), k + 1 == pes ? 99 : 2.0 * k - 3, 0);
		m->cpu.r[O2] = pes;
		CHECK_U64(fault_of(m, run(m, simd_op(PEGETD, dreg(36), O2, dreg(4)))), SIMD_FAULT_NO_PE);
		CHECK_U64(m->cpu.array->fault_value, pes);
		CHECK_U64(fault_of(m, run(m, simd_op(PEPUTD, dreg(4), O2, dreg(2)))), SIMD_FAULT_NO_PE);
	}
}

static void the_sum_is_of_all(void)
{
	EACH_SIZE(pes)
	{
		struct machine *m = begin(pes);

		CHECK_U64(run(m, simd_op(PESUMD, dreg(8), 0, dreg(2))), TRAP_NONE);
		CHECK_HEX(m->cpu.d[4], d_bits(pes * (pes + 1) / 2.0)); /* 1 + 2 + … + pes */
		CHECK_F64(get_pe(m, 0, 2), 1, 0);
	}
}

/*
 * Neighbours first: (2^53 + 1) + (1 - 2^53) is 2^53 (a tie, to even) and an exact
 * number, together 1, while in order it would be 0. (2^53 + 1) + (-2^53 + 1) is 1
 * too, while PEs half the array apart would give 0 + 2.
 */
static void the_sum_is_a_tree(void)
{
	static const double x[2][4] = {{0x1p53, 1, 1, -0x1p53}, {0x1p53, 1, -0x1p53, 1}};

	for (unsigned n = 0; n < 2; n++) {
		struct machine *m = begin(4);

		for (unsigned k = 0; k < 4; k++)
			set_pe(m, k, 2, x[n][k]);
		run(m, simd_op(PESUMD, dreg(8), 0, dreg(2)));
		CHECK_HEX(m->cpu.d[4], d_bits(1));
	}
}

/* Three PEs: (0 + 1) + 2, the third alone. */
static void the_sum_of_an_odd_number_has_a_single_one_left(void)
{
	struct machine *m = begin(3);

	run(m, simd_op(PESUMD, dreg(8), 0, dreg(4)));
	CHECK_HEX(m->cpu.d[4], d_bits(-3 - 1 + 1));
}

/* ---- pairs ---- */

static void partners_exchange(void)
{
	for (unsigned n = 1; n < 4; n++) {
		struct machine *m = begin(sizes[n]);

		CHECK_U64(run(m, simd_op(PEXD, dreg(2), 0, dreg(2))), TRAP_NONE); /* in place */
		for (unsigned k = 0; k < sizes[n]; k++)
			CHECK_F64(get_pe(m, k, 2), (k ^ 1) + 1.0, 0);
	}
}

/* x, y, z of the even PE 2, 3, 10, of the odd one 5, 7, 100: the definitions with these numbers. */
static void cross_operations_take_the_partners_operands(void)
{
	static const double expected[4][2] = {
		{2 * 3 + 10, 5 * 3 + 100},    /* fxmaddd: the odd one takes the even one's y */
		{2 * 3 - 10, 5 * 3 - 100},    /* fxmsubd */
		{-(5 * 7) + 10, 2 * 7 + 100}, /* fxcmaddd: the partner's x, the odd one's y */
		{5 * 7 + 10, -(2 * 7) + 100}, /* fxjmaddd */
	};
	for (unsigned n = 1; n < 4; n++) {
		for (unsigned var = 0; var < 4; var++) {
			struct machine *m = begin(sizes[n]);

			for (unsigned k = 0; k < sizes[n]; k++) {
				set_pe(m, k, 2, k % 2 ? 5 : 2);
				set_pe(m, k, 4, k % 2 ? 7 : 3);
				set_pe(m, k, 6, k % 2 ? 100 : 10);
			}
			CHECK_U64(run(m, fma_op(3, var, 6, 2, 4, 6)), TRAP_NONE);
			for (unsigned k = 0; k < sizes[n]; k++)
				CHECK_F64(get_pe(m, k, 6), expected[var][k % 2], 0);
		}
	}
}

/* (2 + 5i)(3 + 7i) = 6 - 35 + (14 + 15)i = -29 + 29i; with conj(3 + 7i): 6 + 35 + (15 - 14)i */
static void two_of_them_multiply_complex_numbers(void)
{
	for (unsigned conjugate = 0; conjugate < 2; conjugate++) {
		struct machine *m = begin(2);

		set_pe(m, 0, 2, 2);
		set_pe(m, 1, 2, 5);
		set_pe(m, 0, 4, 3);
		set_pe(m, 1, 4, 7);
		set_pe(m, 0, 6, 1);
		set_pe(m, 1, 6, 1);
		run(m, fma_op(3, 0, 6, 2, 4, 6));
		run(m, fma_op(3, 2 + conjugate, 6, 2, 4, 6));
		CHECK_F64(get_pe(m, 0, 6), conjugate ? 42 : -28, 0);
		CHECK_F64(get_pe(m, 1, 6), conjugate ? 2 : 30, 0);
	}
}

static void pairs_need_an_even_number(void)
{
	struct machine *m = begin(1);

	CHECK_U64(fault_of(m, run(m, simd_op(PEXD, dreg(2), 0, dreg(2)))), SIMD_FAULT_ODD_PES);
	for (unsigned var = 0; var < 4; var++)
		CHECK_U64(fault_of(m, run(m, fma_op(3, var, 6, 2, 4, 6))), SIMD_FAULT_ODD_PES);
	CHECK_F64(get_pe(m, 0, 6), 10, 0);
}

static const struct tap_test tests[] = {
	{"the mode goes on and off and can be read", the_mode_goes_on_and_off_and_can_be_read},
	{"PEs divide if they have the unit", pes_divide_if_they_have_the_unit},
	{"PEs compare and move if they have the unit", pes_compare_and_move_if_they_have_the_unit},
	{"without an array the instructions are illegal", without_an_array_the_instructions_are_illegal},
	{"the scalar registers and those of the PEs are separate", the_two_files_are_separate},
	{"every PE computes on its own", every_pe_computes_on_its_own},
	{"multiply-add has four forms", multiply_add_has_four_forms},
	{"multiply-add rounds as the scalar one", multiply_add_rounds_as_the_scalar_one},
	{"singles are halves of doubles", singles_are_halves},
	{"conversions go each way", conversions_go_each_way},
	{"moves take bits", moves_take_bits},
	{"results that need softfp are SPARC's in each PE", softfp_results_in_each_pe},
	{"enabled traps do not count, the rounding mode does", enabled_traps_do_not_count_and_rounding_does},
	{"peid is the PE's number", peid_is_the_pes_number},
	{"pegetd and peputd reach one PE", get_and_put_reach_one_pe},
	{"pesumd is the sum of all", the_sum_is_of_all},
	{"pesumd adds in a tree", the_sum_is_a_tree},
	{"pesumd of an odd number", the_sum_of_an_odd_number_has_a_single_one_left},
	{"pexd exchanges with the partner", partners_exchange},
	{"cross operations take the partner's operands", cross_operations_take_the_partners_operands},
	{"two cross operations multiply complex numbers", two_of_them_multiply_complex_numbers},
	{"pairs need an even number of PEs", pairs_need_an_even_number},
};

int main(void)
{
	return tap_main("exec simd", tests, TAP_COUNT(tests));
}
