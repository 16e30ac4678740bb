/*
 * What PEs may do beside the paper's operations: integers, pairs of singles, gather and scatter (isa/simd_unit.def).
 * Expected values by hand from docs/models/simd-isa.md. 120-exec-simd-equal.c has VIS 1 beside the scalar core's.
 */
#include "tap.h"

#include <string.h>

#include "isa/simd.h"
#include "simd_machine.h"

enum { PES = 4 };
/* IMPDEP1 */
enum { FPADD64 = 0x42, FPSUB64 = 0x46, FSLL32 = 0x25, FSRL32 = 0x27, FSRA32 = 0x2f };
enum { FPSLL64X = 0x106, FPSRL64X = 0x107, FPSRA64X = 0x10f, FADD2S = 0x1a8, FSUB2S, FMUL2S };
enum { PECMPX = 0x1b0, GATHERD = 0x1b8, GATHERS, GATHERXD, GATHERXS, SCATTERD, SCATTERS, SCATTERXD, SCATTERXS };

static uint64_t *bits_of(struct machine *m, unsigned pe, unsigned n)
{
	return &m->cpu.array->d[n / 2][pe];
}

/* PEs with x in %s2, y in %s4, z in %s6, in SIMD mode. */
static struct machine *with(const uint64_t x[PES], const uint64_t y[PES], const uint64_t z[PES])
{
	struct machine *m = simd_machine(PES);

	for (unsigned k = 0; k < PES; k++) {
		*bits_of(m, k, 2) = x[k];
		*bits_of(m, k, 4) = y[k];
		*bits_of(m, k, 6) = z[k];
	}
	CHECK_U64(run(m, simd_op(SIMDON, 0, 0, 0)), TRAP_NONE);
	return m;
}

/* Runs op %s2, %s4, %s8 and compares the results. */
static void check(const uint64_t x[PES], const uint64_t y[PES], unsigned opf, const uint64_t expected[PES])
{
	struct machine *m = with(x, y, x);

	CHECK_U64(run(m, simd_op(opf, dreg(8), dreg(2), dreg(4))), TRAP_NONE);
	for (unsigned k = 0; k < PES; k++)
		CHECK_HEX(*bits_of(m, k, 8), expected[k]);
}

static void integers_add_and_shift(void)
{
	static const uint64_t x[] = {5, 0, 0xffffffffffffffff, 0x80000000ffffffff};
	static const uint64_t y[] = {7, 1, 1, 0x0000001f00000044};

	/* of the last the low halves carry */
	check(x, y, FPADD64, (const uint64_t[]){12, 1, 0, 0x8000002000000043});
	check(x, y, FPSUB64,
	      (const uint64_t[]){0xfffffffffffffffe, 0xffffffffffffffff, 0xfffffffffffffffe, 0x7fffffe1ffffffbb});
	/* by 7, 1, 1, and 0x44 = 68, which is 4 modulo 64 */
	check(x, y, FPSLL64X, (const uint64_t[]){640, 0, 0xfffffffffffffffe, 0x0000000ffffffff0});
	check(x, y, FPSRL64X, (const uint64_t[]){0, 0, 0x7fffffffffffffff, 0x080000000fffffff});
	check(x, y, FPSRA64X, (const uint64_t[]){0, 0, 0xffffffffffffffff, 0xf80000000fffffff});
	/* the halves: counts 0 and 7, 0 and 1, 0 and 1, 31 and 4 */
	check(x, y, FSLL32, (const uint64_t[]){640, 0, 0xfffffffffffffffe, 0x00000000fffffff0});
	check(x, y, FSRL32, (const uint64_t[]){0, 0, 0xffffffff7fffffff, 0x000000010fffffff});
	check(x, y, FSRA32, (const uint64_t[]){0, 0, 0xffffffffffffffff, 0xffffffffffffffff});
	/* VIS 1: additions of the halves, no carry between them */
	check(x, y, 0x52 /* fpadd32 */, (const uint64_t[]){12, 1, 0xffffffff00000000, 0x8000001f00000043});
	check(x, y, 0x6c /* fxord */, (const uint64_t[]){2, 1, 0xfffffffffffffffe, 0x8000001fffffffbb});
}

static void integers_multiply_and_add(void)
{
	/* 3 x 5 + 2; -3 x 5 + 2; (2^32 - 1)^2 = 2^64 - 2^33 + 1; 2^63 x 3 = 2^63 modulo 2^64 */
	static const uint64_t x[] = {3, 0xfffffffffffffffd, 0xffffffff, 0x8000000000000000};
	static const uint64_t y[] = {5, 5, 0xffffffff, 3};
	static const uint64_t z[] = {2, 2, 0, 1};
	static const uint64_t expected[] = {17, 0xfffffffffffffff3, 0xfffffffe00000001, 0x8000000000000001};
	struct machine *m = with(x, y, z);

	CHECK_U64(run(m, fma_op(0, 0, 8, 2, 4, 6)), TRAP_NONE);
	for (unsigned k = 0; k < PES; k++)
		CHECK_HEX(*bits_of(m, k, 8), expected[k]);
}

static void integers_compare_with_a_sign(void)
{
	static const uint64_t x[] = {0xffffffffffffffff, 4, 5, 0x8000000000000000};
	static const uint64_t y[] = {1, 4, 0xfffffffffffffffb, 0x7fffffffffffffff};
	static const uint64_t less[] = {0xffffffffffffffff, 0, 0, 0x8000000000000000};
	struct machine *m = with(x, y, x);

	CHECK_U64(run(m, simd_op(PECMPX, 1, dreg(2), dreg(4))), TRAP_NONE);
	CHECK_U64(m->cpu.array->fcc[1][0], 1);
	CHECK_U64(m->cpu.array->fcc[1][1], 0);
	CHECK_U64(m->cpu.array->fcc[1][2], 2);
	CHECK_U64(m->cpu.array->fcc[1][3], 1);
	CHECK_U64(run(m, 0x91a90842), TRAP_NONE); /* fmovdl %fcc1, %f2, %f8: 8 << 25 | 4 << 14 | 1 << 11 | 2 << 5 */
	for (unsigned k = 0; k < PES; k++)
		CHECK_HEX(*bits_of(m, k, 8), less[k]);
}

/* Two singles as a double's bits. */
static uint64_t two(float first, float second)
{
	uint32_t a, b;

	memcpy(&a, &first, sizeof(a));
	memcpy(&b, &second, sizeof(b));
	return (uint64_t)a << 32 | b;
}

static void both_singles_are_computed(void)
{
	const uint64_t x[] = {two(1.5f, -2), two(16777216, 1), two(0, 3), two(0x1p-126f, 1)};
	const uint64_t y[] = {two(4, 0.25f), two(1, 2), two(5, -3), two(0.5f, 3)};
	const uint64_t z[] = {two(1, 8), two(0, 0), two(-5, 0), two(0, 0)};
	struct machine *m;

	/* 2^24 + 1 is half-way between two singles: to even */
	check(x, y, FADD2S, (const uint64_t[]){two(5.5f, -1.75f), two(16777216, 3), two(5, 0), two(0.5f, 4)});
	check(x, y, FSUB2S, (const uint64_t[]){two(-2.5f, -2.25f), two(16777215, -1), two(-5, 6), two(-0.5f, -2)});
	/* half of the smallest normal single is a subnormal, 2^-127 */
	check(x, y, FMUL2S, (const uint64_t[]){two(6, -0.5f), two(16777216, 2), two(0, -9), two(0x1p-127f, 3)});
	m = with(x, y, z);
	CHECK_U64(run(m, fma_op(0, 2, 8, 2, 4, 6)), TRAP_NONE); /* x y + z */
	CHECK_HEX(*bits_of(m, 0, 8), two(7, 7.5f));
	CHECK_HEX(*bits_of(m, 2, 8), two(-5, -9));
	CHECK_U64(run(m, fma_op(0, 3, 8, 2, 4, 6)), TRAP_NONE); /* z - x y */
	CHECK_HEX(*bits_of(m, 0, 8), two(-5, 8.5f));
	CHECK_HEX(*bits_of(m, 2, 8), two(-5, 9));
}

static void a_nan_in_one_single_leaves_the_other(void)
{
	const uint64_t x[] = {two(1, 2), 0x7f80000040000000 /* infinity, 2 */, two(1, 1), two(1, 1)};
	const uint64_t y[] = {two(1, 2), 0x0000000040000000 /* 0, 2 */, two(1, 1), two(1, 1)};
	struct machine *m = with(x, y, x);

	CHECK_U64(run(m, simd_op(FMUL2S, dreg(8), dreg(2), dreg(4))), TRAP_NONE);
	CHECK_HEX(*bits_of(m, 1, 8), 0x7fffffff40800000); /* JPS1's NaN of an invalid operation; 4 */
	CHECK_HEX(cpu_fsr(&m->cpu) >> 5 & 16, 16);
	CHECK_HEX(*bits_of(m, 0, 8), two(1, 4));
}

/* PE k's word j is 100 k + j, its single n at 2048 + 4 n is 1000 k + n; %s2 has the index 3 k, in both forms. */
static struct machine *tables(void)
{
	static const uint64_t index[] = {0, 3, 6, 9};
	struct machine *m = with(index, index, index);
	struct simd_array *a = m->cpu.array;

	for (unsigned k = 0; k < PES; k++) {
		for (unsigned j = 0; j < 16; j++) {
			simd_array_poke(a, k, 8 * j, 8, 100 * k + j);
			simd_array_poke(a, k, 2048 + 4 * j, 4, 1000 * k + j);
		}
		*bits_of(m, k, 8) = 0x1111111122222222;
	}
	m->cpu.r[O0] = SIMD_ALL_BASE;
	m->cpu.r[O1] = SIMD_ALL_BASE + 2048;
	return m;
}

static void each_pe_gathers_at_its_own_index(void)
{
	struct machine *m = tables();

	CHECK_U64(run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2))), TRAP_NONE);
	CHECK_U64(run(m, simd_op(GATHERD, dreg(12), O0, 3)), TRAP_NONE); /* %f3 is the low half of %s2 */
	CHECK_U64(run(m, simd_op(GATHERXS, 8, O1, dreg(2))), TRAP_NONE); /* %f8: the high half */
	CHECK_U64(run(m, simd_op(GATHERS, 15, O1, 3)), TRAP_NONE);
	for (unsigned k = 0; k < PES; k++) {
		CHECK_U64(*bits_of(m, k, 10), 100 * k + 3 * k);
		CHECK_U64(*bits_of(m, k, 12), 100 * k + 3 * k);
		CHECK_HEX(*bits_of(m, k, 8), (uint64_t)(1000 * k + 3 * k) << 32 | 0x22222222);
		CHECK_HEX(*bits_of(m, k, 14), 1000 * k + 3 * k);
	}
	/* into the register of the index */
	CHECK_U64(run(m, simd_op(GATHERXD, dreg(2), O0, dreg(2))), TRAP_NONE);
	CHECK_U64(*bits_of(m, 3, 2), 309);
}

static void each_pe_scatters_at_its_own_index(void)
{
	struct machine *m = tables();
	struct simd_array *a = m->cpu.array;

	CHECK_U64(run(m, simd_op(SCATTERXD, dreg(8), O0, dreg(2))), TRAP_NONE);
	CHECK_U64(run(m, simd_op(SCATTERS, 9, O1, 3)), TRAP_NONE);
	for (unsigned k = 0; k < PES; k++)
		for (unsigned j = 0; j < 16; j++) {
			CHECK_HEX(simd_array_peek(a, k, 8 * j, 8), j == 3 * k ? 0x1111111122222222 : 100 * k + j);
			CHECK_HEX(simd_array_peek(a, k, 2048 + 4 * j, 4), j == 3 * k ? 0x22222222 : 1000 * k + j);
		}
	CHECK_U64(run(m, simd_op(SCATTERD, dreg(4), O0, 3)), TRAP_NONE);
	CHECK_U64(run(m, simd_op(SCATTERXS, 8, O1, dreg(2))), TRAP_NONE);
	CHECK_U64(simd_array_peek(a, 3, 72, 8), 9);
	CHECK_HEX(simd_array_peek(a, 3, 2048 + 36, 4), 0x11111111);
}

static void an_index_beyond_the_end_changes_nothing(void)
{
	struct machine *m = tables();
	struct simd_array *a = m->cpu.array;

	*bits_of(m, 3, 2) = 512; /* words of 4 KiB: 0 to 511 */
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2)))), SIMD_FAULT_GATHER_INDEX);
	CHECK_U64(a->fault_value, 512);
	CHECK_U64(*bits_of(m, 1, 10), 0);
	CHECK_U64(fault_of(m, run(m, simd_op(SCATTERXD, dreg(8), O0, dreg(2)))), SIMD_FAULT_GATHER_INDEX);
	CHECK_U64(simd_array_peek(a, 1, 24, 8), 103);
	*bits_of(m, 3, 2) = 511;
	CHECK_U64(run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2))), TRAP_NONE);
	/* from 2048 on there are 256 words, and 512 singles */
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O1, dreg(2)))), SIMD_FAULT_GATHER_INDEX);
	CHECK_U64(run(m, simd_op(GATHERXS, 8, O1, dreg(2))), TRAP_NONE);
	*bits_of(m, 3, 2) = 0xffffffffffffffff;
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2)))), SIMD_FAULT_GATHER_INDEX);
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERS, 8, O0, 3))), SIMD_FAULT_GATHER_INDEX);
}

static void a_gather_needs_the_window_of_all_pes(void)
{
	struct machine *m = tables();

	m->cpu.r[O2] = SIMD_PE_BASE(1);
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O2, dreg(2)))), SIMD_FAULT_GATHER_BASE);
	m->cpu.r[O2] = 0x1000;
	CHECK_U64(fault_of(m, run(m, simd_op(SCATTERXD, dreg(10), O2, dreg(2)))), SIMD_FAULT_GATHER_BASE);
	m->cpu.r[O2] = SIMD_ALL_BASE + 4;
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O2, dreg(2)))), SIMD_FAULT_MISALIGNED);
	m->cpu.r[O2] = SIMD_ALL_BASE + SBM;
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O2, dreg(2)))), SIMD_FAULT_BEYOND);
}

static void a_gather_is_refused_beside_a_transfer_to_its_bytes(void)
{
	struct machine *m = tables();
	struct simd_array *a = m->cpu.array;

	/* a get to bytes 24 to 31 of PE 1, where PE 1 gathers, and no other PE */
	a->outstanding[0] = (struct simd_outstanding){
		.transfer = {.bytes = 8, .pieces = 1}, .memory = 0x10000, .window = SIMD_PE_BASE(1) + 24};
	a->count = 1;
	a->busy_low = 24;
	a->busy_high = 32;
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2)))), SIMD_FAULT_RACE_READ);
	CHECK_U64(fault_of(m, run(m, simd_op(SCATTERXD, dreg(8), O0, dreg(2)))), SIMD_FAULT_RACE_WRITE);
	a->outstanding[0].window = SIMD_PE_BASE(2) + 24;
	CHECK_U64(run(m, simd_op(GATHERXD, dreg(10), O0, dreg(2))), TRAP_NONE);
}

static void each_needs_its_unit(void)
{
	static const struct {
		unsigned opf, unit;
		enum simd_fault fault;
	} all[] = {
		{FPADD64, SIMD_UNIT_INTEGER, SIMD_FAULT_NO_INTEGER},
		{FSLL32, SIMD_UNIT_INTEGER, SIMD_FAULT_NO_INTEGER},
		{FPSRA64X, SIMD_UNIT_INTEGER, SIMD_FAULT_NO_INTEGER},
		{0x70, SIMD_UNIT_INTEGER, SIMD_FAULT_NO_INTEGER},
		{0x71, SIMD_UNIT_INTEGER, SIMD_FAULT_NO_INTEGER},
		{FADD2S, SIMD_UNIT_SINGLE, SIMD_FAULT_NO_SINGLE},
		{FMUL2S, SIMD_UNIT_SINGLE, SIMD_FAULT_NO_SINGLE},
	};
	struct machine *m = tables();

	for (size_t n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
		m->cpu.array->units = all[n].unit;
		CHECK_U64(run(m, simd_op(all[n].opf, 8, 2, 4)), TRAP_NONE);
		m->cpu.array->units = ((1u << SIMD_UNIT_COUNT) - 1) & ~all[n].unit;
		CHECK_U64(fault_of(m, run(m, simd_op(all[n].opf, 8, 2, 4))), all[n].fault);
	}
	m->cpu.array->units = (1u << SIMD_UNIT_COUNT) - 1;
	m->cpu.array->units &= ~(unsigned)(SIMD_UNIT_INTEGER | SIMD_UNIT_SINGLE | SIMD_UNIT_GATHER);
	CHECK_U64(fault_of(m, run(m, fma_op(0, 0, 8, 2, 4, 6))), SIMD_FAULT_NO_INTEGER);
	CHECK_U64(fault_of(m, run(m, simd_op(PECMPX, 0, 2, 4))), SIMD_FAULT_NO_INTEGER);
	CHECK_U64(fault_of(m, run(m, fma_op(0, 2, 8, 2, 4, 6))), SIMD_FAULT_NO_SINGLE);
	CHECK_U64(fault_of(m, run(m, simd_op(GATHERD, 8, O0, 3))), SIMD_FAULT_NO_GATHER);
	CHECK_U64(fault_of(m, run(m, simd_op(SCATTERXS, 8, O0, 2))), SIMD_FAULT_NO_GATHER);
	/* what the paper's PEs have of VIS */
	m->cpu.array->units = 0;
	CHECK_U64(run(m, simd_op(0x60 /* fzerod */, 8, 0, 0)), TRAP_NONE);
}

static const struct tap_test tests[] = {
	{"integers add and shift", integers_add_and_shift},
	{"integers multiply and add", integers_multiply_and_add},
	{"integers compare with a sign", integers_compare_with_a_sign},
	{"both singles are computed", both_singles_are_computed},
	{"a NaN in one single leaves the other", a_nan_in_one_single_leaves_the_other},
	{"each PE gathers at its own index", each_pe_gathers_at_its_own_index},
	{"each PE scatters at its own index", each_pe_scatters_at_its_own_index},
	{"an index beyond the end changes nothing", an_index_beyond_the_end_changes_nothing},
	{"a gather needs the window of all PEs", a_gather_needs_the_window_of_all_pes},
	{"a gather is refused beside a transfer to its bytes", a_gather_is_refused_beside_a_transfer_to_its_bytes},
	{"each needs its unit", each_needs_its_unit},
};

int main(void)
{
	return tap_main("exec-units", tests, TAP_COUNT(tests));
}
