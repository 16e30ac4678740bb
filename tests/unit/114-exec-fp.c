/*
 * FP operations: rounding, exceptions, NaNs, traps, multiply-add. SPARC V9
 * manual 5.1.7 and appendix B; SPARC64 V supplement A.24 for multiply-add.
 */
#include "tap.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "exec_machine.h"

enum { FPOP1 = 0x34, FPOP2 = 0x35, FMA = 0x37 };
enum {
	FMOVD = 0x02,
	FNEGD = 0x06,
	FABSD = 0x0a,
	FSQRTD = 0x2a,
	FADDS = 0x41,
	FADDD = 0x42,
	FSUBD = 0x46,
	FMULS = 0x49,
	FMULD = 0x4a,
	FDIVS = 0x4d,
	FDIVD = 0x4e,
	FSMULD = 0x69,
	FDTOX = 0x82,
	FXTOD = 0x88,
	FITOS = 0xc4,
	FDTOS = 0xc6,
	FITOD = 0xc8,
	FSTOD = 0xc9,
	FSTOI = 0xd1,
	FDTOI = 0xd2,
	FCMPD = 0x52,
	FCMPED = 0x56
};
enum { NV = 16, OF = 8, UF = 4, DZ = 2, NX = 1 }; /* of cexc; times 32: aexc */
enum { NEAR, ZERO, UP, DOWN };

#define TINY_D 0x0010000000000000 /* the smallest normal double */
#define INF_D 0x7ff0000000000000
#define QNAN_D 0x7fffffffffffffff /* what SPARC generates */

/* %f0 and %f2, FSR, and in %f4, where results go, a value of its own */
static struct machine *fp(uint64_t a, uint64_t b, uint64_t fsr)
{
	struct machine *m = machine_new();

	cpu_set_fsr(&m->cpu, fsr);
	m->cpu.d[0] = a;
	m->cpu.d[1] = b;
	m->cpu.d[2] = 0xdead;
	return m;
}

/* op %f0, %f2, %f4 */
static struct machine *fp1(unsigned opf, uint64_t a, uint64_t b, uint64_t fsr)
{
	struct machine *m = fp(a, b, fsr);

	CHECK_U64(run(m, fpop(FPOP1, opf, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	return m;
}

#define CHECK_FP(m, result, exceptions) \
	do { \
		CHECK_HEX((m)->cpu.d[2], result); \
		CHECK_HEX(cpu_fsr(&(m)->cpu) & 0x3ff, (exceptions)*33); \
	} while (0)

static uint64_t rd(unsigned mode)
{
	return (uint64_t)mode << 30;
}

static void each_mode_rounds_its_way(void)
{
	uint64_t one = d_bits(1), small = d_bits(0x1p-60), minus = d_bits(-1), minus_small = d_bits(-0x1p-60);
	/* 1 + 2^-60 is between 1 and 1 + 2^-52 */
	static const uint64_t plus[4] = {0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000001,
					 0x3ff0000000000000};
	static const uint64_t negative[4] = {0xbff0000000000000, 0xbff0000000000000, 0xbff0000000000000,
					     0xbff0000000000001};

	for (unsigned mode = NEAR; mode <= DOWN; mode++) {
		CHECK_FP(fp1(FADDD, one, small, rd(mode)), plus[mode], NX);
		CHECK_FP(fp1(FADDD, minus, minus_small, rd(mode)), negative[mode], NX);
		/* 1 - 1 is -0 only when rounding down */
		CHECK_FP(fp1(FSUBD, one, one, rd(mode)), mode == DOWN ? 1ull << 63 : 0, 0);
	}
	/* 1/3 = 0x3fd5555555555555.55.. */
	CHECK_FP(fp1(FDIVD, one, d_bits(3), rd(NEAR)), 0x3fd5555555555555, NX);
	CHECK_FP(fp1(FDIVD, one, d_bits(3), rd(UP)), 0x3fd5555555555556, NX);
}

static void gsr_can_override_the_mode(void)
{
	struct machine *m = fp(d_bits(1), d_bits(3), rd(NEAR));

	/* siam 6: IM = 1, IRND = 2, up */
	CHECK_U64(run(m, fpop(0x36, 0x81, 0, 0, 6)), TRAP_NONE);
	CHECK_U64(run(m, fpop(FPOP1, FDIVD, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	CHECK_FP(m, 0x3fd5555555555556, NX);
}

static void exact_results_raise_nothing(void)
{
	CHECK_FP(fp1(FADDD, d_bits(1.5), d_bits(2.25), 0), d_bits(3.75), 0);
	CHECK_FP(fp1(FMULD, d_bits(1.5), d_bits(-3), 0), d_bits(-4.5), 0);
	CHECK_FP(fp1(FSQRTD, 0, d_bits(2.25), 0), d_bits(1.5), 0);
}

static void overflow_goes_to_infinity_or_stops_at_the_largest(void)
{
	uint64_t max = d_bits(DBL_MAX), two = d_bits(2);

	CHECK_FP(fp1(FMULD, max, two, rd(NEAR)), INF_D, OF | NX);
	CHECK_FP(fp1(FMULD, max, two, rd(ZERO)), max, OF | NX);
	CHECK_FP(fp1(FMULD, max, two, rd(DOWN)), max, OF | NX);
	CHECK_FP(fp1(FMULD, max, d_bits(-2), rd(DOWN)), INF_D | 1ull << 63, OF | NX);
}

static void underflow_is_tiny_before_rounding_and_inexact(void)
{
	/* exact denormal: 2^-1022 / 2 raises nothing */
	CHECK_FP(fp1(FMULD, TINY_D, d_bits(0.5), 0), 0x0008000000000000, 0);
	/* the smallest denormal halved: 0, underflow */
	CHECK_FP(fp1(FMULD, 1, d_bits(0.5), 0), 0, UF | NX);
	/*
	 * (2^-1022)(1 - 2^-53): below the smallest normal number by half a unit of
	 * the denormals, so rounded up to it, yet tiny before rounding
	 */
	CHECK_FP(fp1(FMULD, TINY_D, d_bits(1 - 0x1p-53), 0), TINY_D, UF | NX);
	CHECK_FP(fp1(FMULD, TINY_D, d_bits(1 - 0x1p-53), rd(ZERO)), TINY_D - 1, UF | NX);
}

static void invalid_operations_give_the_default_nan(void)
{
	uint64_t inf = INF_D, minus_inf = INF_D | 1ull << 63;

	CHECK_FP(fp1(FADDD, inf, minus_inf, 0), QNAN_D, NV);
	CHECK_FP(fp1(FSUBD, inf, inf, 0), QNAN_D, NV);
	CHECK_FP(fp1(FMULD, 0, inf, 0), QNAN_D, NV);
	CHECK_FP(fp1(FDIVD, 0, 0, 0), QNAN_D, NV);
	CHECK_FP(fp1(FDIVD, inf, inf, 0), QNAN_D, NV);
	CHECK_FP(fp1(FSQRTD, 0, d_bits(-1), 0), QNAN_D, NV);
	CHECK_FP(fp1(FSQRTD, 0, 1ull << 63, 0), 1ull << 63, 0); /* sqrt(-0) = -0 */
	CHECK_FP(fp1(FDIVD, d_bits(1), 1ull << 63, 0), minus_inf, DZ);
}

static void of_two_nans_rs2_and_the_signalling_one_go_first(void)
{
	uint64_t q1 = 0x7ff8000000000011, q2 = 0xfff8000000000022;
	uint64_t s1 = 0x7ff0000000000033, s2 = 0xfff0000000000044, quiet = 1ull << 51;

	CHECK_FP(fp1(FADDD, q1, q2, 0), q2, 0);
	CHECK_FP(fp1(FADDD, q1, d_bits(1), 0), q1, 0);
	CHECK_FP(fp1(FMULD, d_bits(1), q2, 0), q2, 0);
	CHECK_FP(fp1(FSUBD, s1, q2, 0), s1 | quiet, NV);
	CHECK_FP(fp1(FSUBD, q1, s2, 0), s2 | quiet, NV); /* a subtraction leaves its sign */
	CHECK_FP(fp1(FDIVD, s1, s2, 0), s2 | quiet, NV);
	CHECK_FP(fp1(FSQRTD, 0, s2, 0), s2 | quiet, NV);
}

static void conversions_keep_the_high_bits_of_a_nan(void)
{
	struct machine *m = fp1(FSTOD, 0, 0xff80000200000000, 0); /* signalling, sign 1 */

	CHECK_FP(m, 0xfff8000040000000, NV);
	m = fp1(FSTOD, 0, 0x7fc0000200000000, 0);
	CHECK_FP(m, 0x7ff8000040000000, 0);
	m = fp(0, 0xfff0000040000001, 0);
	CHECK_U64(run(m, fpop(FPOP1, FDTOS, 4, 0, dreg(2))), TRAP_NONE);
	CHECK_FP(m, 0xffc000020000dead, NV); /* %f4: the high half */
}

static void integers_saturate(void)
{
	static const struct {
		double from;
		uint64_t i, x;
		unsigned exceptions_i, exceptions_x;
	} c[] = {
		{2147483647.5, 0x7fffffff, 2147483647, NX, NX},
		{2147483648.0, 0x7fffffff, 2147483648, NV, 0},
		{-2147483648.5, 0x80000000, (uint64_t)-2147483648, NX, NX},
		{-2147483649.0, 0x80000000, (uint64_t)-2147483649, NV, 0},
		{0x1p63, 0x7fffffff, INT64_MAX, NV, NV},
		{-0x1p63, 0x80000000, 1ull << 63, NV, 0},
		{-0.75, 0, 0, NX, NX},
		{-1.75, 0xffffffff, ~0ull, NX, NX}, /* towards zero */
	};

	for (unsigned k = 0; k < sizeof(c) / sizeof(*c); k++) {
		struct machine *m = fp(0, d_bits(c[k].from), rd(UP)); /* the mode does not count */

		CHECK_U64(run(m, fpop(FPOP1, FDTOI, 4, 0, dreg(2))), TRAP_NONE);
		CHECK_FP(m, c[k].i << 32 | 0xdead, c[k].exceptions_i);
		CHECK_FP(fp1(FDTOX, 0, d_bits(c[k].from), 0), c[k].x, c[k].exceptions_x);
	}
	/* a NaN by its sign */
	CHECK_FP(fp1(FDTOX, 0, QNAN_D, 0), INT64_MAX, NV);
	CHECK_FP(fp1(FDTOX, 0, ~0ull, 0), 1ull << 63, NV);
}

static void integers_become_rounded_numbers(void)
{
	struct machine *m;

	/* 2^53 + 1 is a tie between 2^53 and 2^53 + 2 */
	CHECK_FP(fp1(FXTOD, 0, (1ull << 53) + 1, rd(NEAR)), d_bits(0x1p53), NX);
	CHECK_FP(fp1(FXTOD, 0, (1ull << 53) + 1, rd(UP)), d_bits(0x1p53 + 2), NX);
	CHECK_FP(fp1(FITOD, 0, 0xffffffff00000000, 0), d_bits(-1), 0);
	/* 2^24 + 1 as a single */
	m = fp(0, 0x0100000100000000, rd(UP));
	CHECK_U64(run(m, fpop(FPOP1, FITOS, 4, 0, dreg(2))), TRAP_NONE);
	CHECK_FP(m, (uint64_t)f_bits(0x1p24f + 2) << 32 | 0xdead, NX);
}

static void singles_round_to_single(void)
{
	struct machine *m = fp((uint64_t)f_bits(0.1f) << 32, (uint64_t)f_bits(0.1f) << 32, 0);

	/* 0.1f = cccccd * 2^-27; its square is a3d70a8f5c29 * 2^-54, 48 bits of which the low 24 round up */
	CHECK_U64(run(m, fpop(FPOP1, FMULS, 4, 0, 2)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2] >> 32, f_bits((float)0xa3d70b * 0x1p-30f));
	/* FsMULd of the same is exact */
	CHECK_U64(run(m, fpop(FPOP1, FSMULD, dreg(4), 0, 2)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], d_bits((double)0xa3d70a8f5c29 * 0x1p-54));
}

static void current_exceptions_are_those_of_the_last_operation(void)
{
	struct machine *m = fp1(FDIVD, d_bits(1), d_bits(3), 0);

	CHECK_U64(run(m, fpop(FPOP1, FADDD, dreg(4), dreg(0), dreg(0))), TRAP_NONE); /* 1 + 1 */
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, NX << 5);                                /* accrued, not current */
	CHECK_U64(run(m, fpop(FPOP1, FDIVD, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	CHECK_U64(run(m, fpop(FPOP1, FMOVD, dreg(4), 0, dreg(0))), TRAP_NONE);
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, NX << 5); /* a move clears cexc too */
	/* VIS is no FPop */
	CHECK_U64(run(m, fpop(FPOP1, FDIVD, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	CHECK_U64(run(m, fpop(0x36, 0x60, dreg(4), 0, 0)), TRAP_NONE);
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, NX << 5 | NX);
}

static void exceptions_accrue_between_enter_and_leave(void)
{
	struct machine *m = fp(d_bits(1), d_bits(3), rd(UP));
	fenv_t host;
	volatile double three = 3;

	fesetround(FE_TONEAREST);
	feclearexcept(FE_ALL_EXCEPT);
	cpu_fp_enter(&m->cpu, &host);
	CHECK_U64(run(m, fpop(FPOP1, FDIVD, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	CHECK_U64(run(m, fpop(FPOP1, FDIVD, dreg(6), dreg(0), dreg(8))), TRAP_NONE); /* 1 / 0 */
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, (NX | DZ) << 5 | DZ);
	cpu_fp_leave(&m->cpu, &host);
	CHECK_HEX(m->cpu.d[2], 0x3fd5555555555556);
	/* the host's mode is back and its flags are its own */
	CHECK_HEX(d_bits(1 / three), 0x3fd5555555555555);
	CHECK_I64(fetestexcept(FE_DIVBYZERO), 0);
}

static void an_enabled_exception_traps_and_writes_nothing(void)
{
	static const struct {
		unsigned opf;
		uint64_t a, b;
		unsigned tem, cexc;
	} c[] = {
		{FDIVD, 0x3ff0000000000000, 0, DZ, DZ},
		{FDIVD, 0, 0, NV, NV},
		{FDIVD, 0x3ff0000000000000, 0x4008000000000000, NX, NX},
		{FMULD, 0x7fefffffffffffff, 0x7fefffffffffffff, OF | NX, OF}, /* before NX */
		{FMULD, 0x7fefffffffffffff, 0x7fefffffffffffff, NX, NX},
		{FMULD, 1, 1, UF | NX, UF},
		{FMULD, TINY_D, 0x3fe0000000000000, UF, UF}, /* trapping: tiny though exact */
	};

	for (unsigned k = 0; k < sizeof(c) / sizeof(*c); k++) {
		struct machine *m = fp(c[k].a, c[k].b, (uint64_t)c[k].tem << 23 | 4 << 5);

		CHECK_U64(run(m, fpop(FPOP1, c[k].opf, dreg(4), dreg(0), dreg(2))), TRAP_FP_IEEE);
		CHECK_HEX(m->cpu.d[2], 0xdead);
		CHECK_HEX(cpu_fsr(&m->cpu) & 0x1c3ff, 1 << 14 | 4 << 5 | c[k].cexc); /* ftt 1; aexc as it was */
		CHECK_HEX(m->cpu.pc, CODE);
	}
}

static void exceptions_that_are_not_enabled_do_not_trap(void)
{
	CHECK_FP(fp1(FDIVD, d_bits(1), d_bits(3), (uint64_t)(NV | OF | UF | DZ) << 23), 0x3fd5555555555555, NX);
}

static void comparisons_set_their_fcc(void)
{
	static const unsigned shift[4] = {10, 32, 34, 36};

	for (unsigned n = 0; n < 4; n++) {
		struct machine *m = fp(d_bits(1), d_bits(2), 0);
		uint32_t compare = fpop(FPOP2, FCMPD, n, dreg(0), dreg(2));

		CHECK_U64(run(m, compare), TRAP_NONE);
		CHECK_HEX(cpu_fsr(&m->cpu), 1ull << shift[n]); /* less */
		m->cpu.d[0] = d_bits(3);
		CHECK_U64(run(m, compare), TRAP_NONE);
		CHECK_HEX(cpu_fsr(&m->cpu), 2ull << shift[n]); /* greater */
		m->cpu.d[0] = 1ull << 63;
		m->cpu.d[1] = 0;
		CHECK_U64(run(m, compare), TRAP_NONE);
		CHECK_HEX(cpu_fsr(&m->cpu), 0); /* -0 equals 0 */
		m->cpu.d[0] = QNAN_D;
		CHECK_U64(run(m, compare), TRAP_NONE);
		CHECK_HEX(cpu_fsr(&m->cpu), 3ull << shift[n]); /* unordered, quietly */
		CHECK_U64(run(m, fpop(FPOP2, FCMPED, n, dreg(0), dreg(2))), TRAP_NONE);
		CHECK_HEX(cpu_fsr(&m->cpu), 3ull << shift[n] | NV * 33);
	}
}

static void a_trapping_comparison_leaves_its_fcc(void)
{
	struct machine *m = fp(QNAN_D, 0, (uint64_t)NV << 23 | 1 << 10);

	CHECK_U64(run(m, fpop(FPOP2, FCMPED, 0, dreg(0), dreg(2))), TRAP_FP_IEEE);
	CHECK_HEX(cpu_fsr(&m->cpu) >> 10 & 3, 1);
}

/* op3 0x37: rs3 [13:9], var [8:7], size [6:5]; %f0 * %f2 and %f6 -> %f4 */
static struct machine *fma_d(unsigned var, double a, double b, double s, bool fused)
{
	struct machine *m = fp(d_bits(a), d_bits(b), 0);

	m->cpu.d[3] = d_bits(s);
	m->cpu.fma_fused = fused;
	CHECK_U64(run(m, rrr(2, FMA, dreg(4), dreg(0), dreg(2)) | dreg(6) << 9 | var << 7 | 2 << 5), TRAP_NONE);
	return m;
}

enum { FMADD, FMSUB, FNMSUB, FNMADD };

static void multiply_add_has_four_signs(void)
{
	/* FMADD 2*3+1, FMSUB 2*3-1, FNMSUB -(2*3)+1, FNMADD -(2*3)-1 */
	CHECK_FP(fma_d(FMADD, 2, 3, 1, false), d_bits(7), 0);
	CHECK_FP(fma_d(FMSUB, 2, 3, 1, false), d_bits(5), 0);
	CHECK_FP(fma_d(FNMSUB, 2, 3, 1, false), d_bits(-5), 0);
	CHECK_FP(fma_d(FNMADD, 2, 3, 1, false), d_bits(-7), 0);
	CHECK_FP(fma_d(FMADD, 2, 3, 1, true), d_bits(7), 0);
	CHECK_FP(fma_d(FMSUB, 2, 3, 1, true), d_bits(5), 0);
	CHECK_FP(fma_d(FNMSUB, 2, 3, 1, true), d_bits(-5), 0);
	CHECK_FP(fma_d(FNMADD, 2, 3, 1, true), d_bits(-7), 0);
}

static void unfused_multiply_add_rounds_twice(void)
{
	/*
	 * (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60; minus (1 + 2^-29) leaves 2^-60 if the
	 * product is not rounded, and 0 if it is, since 2^-60 < 2^-53.
	 */
	double a = 1 + 0x1p-30, s = 1 + 0x1p-29;

	CHECK_FP(fma_d(FMSUB, a, a, s, true), d_bits(0x1p-60), 0);
	CHECK_FP(fma_d(FMSUB, a, a, s, false), 0, NX);
	CHECK_FP(fma_d(FNMSUB, a, a, s, true), d_bits(-0x1p-60), 0);
}

static void multiply_add_passes_nans_on(void)
{
	/* 0 * infinity is invalid, and a NaN addend still comes through (rs2 of the addition) */
	struct machine *m = fma_d(FMADD, 0, HUGE_VAL, 1, false);

	CHECK_FP(m, QNAN_D, NV);
	m = fp(0, INF_D, 0);
	m->cpu.d[3] = 0x7ff8000000000077;
	CHECK_U64(run(m, rrr(2, FMA, dreg(4), dreg(0), dreg(2)) | dreg(6) << 9 | FNMADD << 7 | 2 << 5), TRAP_NONE);
	CHECK_FP(m, 0x7ff8000000000077, NV);
}

static void moves_change_the_sign_bit_alone(void)
{
	uint64_t s = 0x7ff0000000000033; /* a signalling NaN raises nothing */

	CHECK_FP(fp1(FMOVD, 0, s, 0), s, 0);
	CHECK_FP(fp1(FNEGD, 0, s, 0), s | 1ull << 63, 0);
	CHECK_FP(fp1(FABSD, 0, s | 1ull << 63, 0), s, 0);
}

static const struct tap_test tests[] = {
	{"each rounding mode rounds its way", each_mode_rounds_its_way},
	{"GSR.IM overrides the rounding mode", gsr_can_override_the_mode},
	{"an exact result raises nothing", exact_results_raise_nothing},
	{"overflow goes to infinity or stops at the largest number", overflow_goes_to_infinity_or_stops_at_the_largest},
	{"underflow: tiny before rounding and inexact", underflow_is_tiny_before_rounding_and_inexact},
	{"an invalid operation gives the default NaN", invalid_operations_give_the_default_nan},
	{"of two NaNs the signalling one, then rs2, goes first", of_two_nans_rs2_and_the_signalling_one_go_first},
	{"a conversion keeps a NaN's sign and high bits", conversions_keep_the_high_bits_of_a_nan},
	{"conversions to integer truncate and saturate", integers_saturate},
	{"conversions from integer round", integers_become_rounded_numbers},
	{"singles round to single; FsMULd is exact", singles_round_to_single},
	{"cexc is that of the last FPop", current_exceptions_are_those_of_the_last_operation},
	{"exceptions accrue on loan from the host, which gets its own back", exceptions_accrue_between_enter_and_leave},
	{"an enabled exception traps and writes nothing", an_enabled_exception_traps_and_writes_nothing},
	{"other exceptions do not trap", exceptions_that_are_not_enabled_do_not_trap},
	{"a comparison sets its fcc", comparisons_set_their_fcc},
	{"a trapping comparison leaves its fcc", a_trapping_comparison_leaves_its_fcc},
	{"multiply-add in its four signs", multiply_add_has_four_signs},
	{"unfused multiply-add rounds twice, fused once", unfused_multiply_add_rounds_twice},
	{"multiply-add passes NaNs on", multiply_add_passes_nans_on},
	{"moves change the sign bit alone", moves_change_the_sign_bit_alone},
};

int main(void)
{
	return tap_main("exec-fp", tests, TAP_COUNT(tests));
}
