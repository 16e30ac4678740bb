/* VIS: results worked out from the descriptions in JPS1 Commonality, appendix A. */
#include "tap.h"

#include "exec_machine.h"

enum { VIS = 0x36, RD_GSR = 0x28, WR_GSR = 0x30, GSR = 0x13 };

/* opf %d0, %d2, %d4 */
static uint64_t doubles(unsigned opf, uint64_t a, uint64_t b, uint64_t rd, uint64_t gsr)
{
	struct machine *m = machine_new();

	m->cpu.gsr = gsr;
	m->cpu.d[0] = a;
	m->cpu.d[1] = b;
	m->cpu.d[2] = rd;
	CHECK_U64(run(m, fpop(VIS, opf, dreg(4), dreg(0), dreg(2))), TRAP_NONE);
	return m->cpu.d[2];
}

/* opf %f0, %f2, ...: the operands are singles in the high halves. */
static uint64_t singles(unsigned opf, uint32_t a, uint32_t b)
{
	return doubles(opf, (uint64_t)a << 32, (uint64_t)b << 32, 0, 0);
}

/* opf %g1, %g2, %g3 */
static struct machine *integers(unsigned opf, uint64_t a, uint64_t b)
{
	struct machine *m = machine_new();

	m->cpu.gsr = 0xaaaaaaaa00000000;
	m->cpu.r[G1] = a;
	m->cpu.r[G2] = b;
	CHECK_U64(run(m, fpop(VIS, opf, G3, G1, G2)), TRAP_NONE);
	return m;
}

/* opf %d0, %d2, %g3 */
static uint64_t compare(unsigned opf, uint64_t a, uint64_t b)
{
	struct machine *m = machine_new();

	m->cpu.d[0] = a;
	m->cpu.d[1] = b;
	CHECK_U64(run(m, fpop(VIS, opf, G3, dreg(0), dreg(2))), TRAP_NONE);
	return m->cpu.r[G3];
}

static void partitioned_sums_stop_their_carries(void)
{
	uint64_t a = 0xffff7fff00018000, b = 0x0001000100018000;

	/* ffff+1, 7fff+1, 1+1, 8000+8000 modulo 2^16 */
	CHECK_HEX(doubles(0x50, a, b, 0, 0), 0x0000800000020000);
	/* ffff-1, 7fff-1, 1-1, 8000-8000 */
	CHECK_HEX(doubles(0x54, a, b, 0, 0), 0xfffe7ffe00000000);
	/* b - a: 1-ffff, 1-7fff */
	CHECK_HEX(doubles(0x54, b, a, 0, 0), 0x0002800200000000);
	/* 32 bits: ffff7fff+00010001 = 1 00008000; 00018000+00018000 = 00030000 */
	CHECK_HEX(doubles(0x52, a, b, 0, 0), 0x0000800000030000);
	/* ffff7fff-00010001 = fffe7ffe */
	CHECK_HEX(doubles(0x56, a, b, 0, 0), 0xfffe7ffe00000000);
	/* the single forms write one half */
	CHECK_HEX(doubles(0x51, a, b, 0x1234567890abcdef, 0), 0x0000800090abcdef);
}

static void comparisons_are_signed(void)
{
	/* elements from the highest: 1 > -1, -1 > 1 no, equal, 8000 > 7fff no */
	uint64_t a = 0x0001ffff00058000, b = 0xffff000100057fff;

	CHECK_HEX(compare(0x28, a, b), 8);         /* fcmpgt16 */
	CHECK_HEX(compare(0x20, a, b), 4 | 2 | 1); /* fcmple16 */
	CHECK_HEX(compare(0x2a, a, b), 2);         /* fcmpeq16 */
	CHECK_HEX(compare(0x22, a, b), 8 | 4 | 1); /* fcmpne16 */
	CHECK_HEX(compare(0x2c, a, b), 2 | 1);     /* fcmpgt32: 1ffff > a negative one; 58000 > 57fff */
	CHECK_HEX(compare(0x2c, b, a), 0);
	CHECK_HEX(compare(0x24, b, a), 2 | 1); /* fcmple32 */
}

static void products_of_pixels_round(void)
{
	/* ff * 0100 = ff00 + 80 >> 8 = ff; 80 * 0001 = 80 + 80 >> 8 = 1; 7f * 1: 0; 2 * ffff(-1) = -2 -> 0 */
	CHECK_HEX(doubles(0x31, 0xff807f0200000000, 0x010000010001ffff, 0, 0), 0x00ff000100000000);
	/* by the high half 0200 of rs2: ff*2 ..., by the low half ff00 = -256 */
	CHECK_HEX(singles(0x33, 0x01020304, 0x0200ff00), 0x0002000400060008);
	CHECK_HEX(singles(0x35, 0x01020304, 0x0200ff00), 0xfffffffefffdfffc);
	/* fmul8sux16: the signed high bytes 80 = -128 and 01: -128 * 2 = -256 -> -1; 1 * 0180 = 384 -> 2 */
	CHECK_HEX(doubles(0x36, 0x80ff01ff00000000, 0x0002018000000000, 0, 0), 0xffff000200000000);
	/* fmul8ulx16: the low bytes ff * 7fff = 7f7f01 + 8000 >> 16 = 7f; ff * 8000 = -7f8000 -> -7f */
	CHECK_HEX(doubles(0x37, 0x00ff00ff00000000, 0x7fff800000000000, 0, 0), 0x007fff8100000000);
	/* fmuld8sux16: -128 * 2 * 256 = -65536; fmuld8ulx16: ff * ffff = -255 */
	CHECK_HEX(singles(0x38, 0x80ff0100, 0x00020003), 0xffff000000000300);
	CHECK_HEX(singles(0x39, 0x12ff0002, 0xffff7fff), 0xffffff010000fffe);
}

static void packing_scales_and_clips(void)
{
	/* scale 0: v >> 7, clipped to 0..255: 7fff -> ff, 8000 -> 0, 0080 -> 1, ffff -> 0 */
	struct machine *m = machine_new();

	m->cpu.d[1] = 0x7fff80000080ffff;
	CHECK_U64(run(m, fpop(VIS, 0x3b, 4, 0, dreg(2))), TRAP_NONE); /* fpack16 to %f4 */
	CHECK_HEX(m->cpu.d[2] >> 32, 0xff000100);
	/* scale 7: 0080 << 7 >> 7 = 80 */
	m->cpu.gsr = 7 << 3;
	CHECK_U64(run(m, fpop(VIS, 0x3b, 4, 0, dreg(2))), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2] >> 32, 0xff008000);
	/* fpackfix: v << 1 >> 16, clipped to 16 bits: 00018000 -> 3; 80000000 -> 8000 */
	m->cpu.gsr = 1 << 3;
	m->cpu.d[1] = 0x0001800080000000;
	CHECK_U64(run(m, fpop(VIS, 0x3d, 4, 0, dreg(2))), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2] >> 32, 0x00038000);
	/* fpack32: v >> 23 clipped, into the low byte of rs1 << 8 */
	CHECK_HEX(doubles(0x3a, 0x1122334455667788, 0x7fffffff01000000, 0, 0), 0x223344ff66778802);
}

static void bytes_expand_and_merge(void)
{
	CHECK_HEX(singles(0x4d, 0, 0x01ff8000), 0x00100ff008000000);          /* fexpand: << 4 */
	CHECK_HEX(singles(0x4b, 0x11223344, 0xaabbccdd), 0x11aa22bb33cc44dd); /* fpmerge */
	/* pdist: |10-20| + |ff-01| + 6 * 0 + what was there */
	CHECK_HEX(doubles(0x3e, 0x10ff000000000000, 0x2001000000000000, 1000, 0), 1000 + 0x10 + 0xfe);
}

static void alignment_goes_through_gsr(void)
{
	/* 0x1000 + 13 = 0x100d: aligned 0x1008, offset 5; little: -5 mod 8 = 3 */
	struct machine *m = integers(0x18, 0x1000, 13);

	CHECK_HEX(m->cpu.r[G3], 0x1008);
	CHECK_HEX(m->cpu.gsr, 0xaaaaaaaa00000005);
	m = integers(0x1a, 0x1000, 13);
	CHECK_HEX(m->cpu.r[G3], 0x1008);
	CHECK_HEX(m->cpu.gsr, 0xaaaaaaaa00000003);
	CHECK_HEX(doubles(0x48, 0x0011223344556677, 0x8899aabbccddeeff, 0, 5), 0x5566778899aabbcc);
	CHECK_HEX(doubles(0x48, 0x0011223344556677, 0x8899aabbccddeeff, 0, 0), 0x0011223344556677);
}

static void shuffle_picks_bytes(void)
{
	struct machine *m = integers(0x19, 0x100000000, 0x0f1e2d3c);

	CHECK_HEX(m->cpu.r[G3], 0x10f1e2d3c);
	CHECK_HEX(m->cpu.gsr, 0x0f1e2d3c00000000);
	/* bytes 0 f 1 e 2 d 3 c of rs1:rs2 */
	CHECK_HEX(doubles(0x4c, 0x0001020304050607, 0x08090a0b0c0d0e0f, 0, m->cpu.gsr), 0x000f010e020d030c);
}

static void edges_mask_both_ends(void)
{
	/* in one block of 8: bytes 2 to 5 of 0..7: 00111100 */
	CHECK_HEX(integers(0x01, 0x1002, 0x1005)->cpu.r[G3], 0x3c);
	/* in different blocks: from byte 2 on: 00111111; little-endian mirrored */
	CHECK_HEX(integers(0x01, 0x1002, 0x1805)->cpu.r[G3], 0x3f);
	CHECK_HEX(integers(0x03, 0x1002, 0x1805)->cpu.r[G3], 0xfc);
	CHECK_HEX(integers(0x05, 0x1002, 0x1005)->cpu.r[G3], 6); /* halfwords 1 and 2 */
	CHECK_HEX(integers(0x09, 0x1004, 0x1008)->cpu.r[G3], 1); /* word 1 */
	CHECK_HEX(integers(0x0b, 0x1004, 0x1008)->cpu.r[G3], 2); /* little: the high bit */
	/* the form without n sets the codes of the difference */
	CHECK_HEX(integers(0x00, 5, 5)->cpu.ccr, Z << 4 | Z);
	CHECK_HEX(integers(0x01, 5, 5)->cpu.ccr, 0);
}

static void arrays_interleave_coordinates(void)
{
	/*
	 * x = 1 (bit 11): bit 0. y = 1 (bit 33): bit 2. z = 1 (bit 55): bit 4.
	 * x = 4 (bit 13): bit 5. y = 4 (bit 35): bit 9. z = 2 (bit 56): bit 13.
	 * with n = 1: x = 64 (bit 17): bit 17, y = 64 (bit 39): bit 18, z = 32 (bit 60): bit 19
	 */
	CHECK_HEX(integers(0x10, 1ull << 11 | 1ull << 33 | 1ull << 55, 0)->cpu.r[G3], 0x15);
	CHECK_HEX(integers(0x10, 1ull << 13 | 1ull << 35 | 1ull << 56, 0)->cpu.r[G3], 0x2220);
	CHECK_HEX(integers(0x10, 1ull << 17 | 1ull << 39 | 1ull << 60, 1)->cpu.r[G3], 0xe0000);
	CHECK_HEX(integers(0x14, 1ull << 11, 0)->cpu.r[G3], 4); /* array32: words */
}

static void logic_covers_its_truth_tables(void)
{
	/* a = 1100, b = 1010 in each digit */
	static const struct {
		unsigned opf, digit;
	} ops[] = {
		{0x60, 0x0}, {0x62, 0x1}, {0x64, 0x4}, {0x66, 0x5}, {0x68, 0x2}, {0x6a, 0x3}, {0x6c, 0x6}, {0x6e, 0x7},
		{0x70, 0x8}, {0x72, 0x9}, {0x74, 0xc}, {0x76, 0xd}, {0x78, 0xa}, {0x7a, 0xb}, {0x7c, 0xe}, {0x7e, 0xf},
	};

	for (unsigned k = 0; k < 16; k++) {
		struct machine *m = machine_new();
		bool no_rs1 = ops[k].opf == 0x60 || ops[k].opf == 0x66 || ops[k].opf == 0x78 || ops[k].opf == 0x7e;
		bool no_rs2 = ops[k].opf == 0x60 || ops[k].opf == 0x6a || ops[k].opf == 0x74 || ops[k].opf == 0x7e;
		unsigned rs1 = no_rs1 ? 0 : dreg(8), rs2 = no_rs2 ? 0 : dreg(10);

		m->cpu.d[4] = 0xcccccccccccccccc;
		m->cpu.d[5] = 0xaaaaaaaaaaaaaaaa;
		CHECK_U64(run(m, fpop(VIS, ops[k].opf, dreg(4), rs1, rs2)), TRAP_NONE);
		CHECK_HEX(m->cpu.d[2], 0x1111111111111111u * ops[k].digit);
		m->cpu.d[2] = 0;
		CHECK_U64(run(m, fpop(VIS, ops[k].opf + 1, 5, no_rs1 ? 0 : 8, no_rs2 ? 0 : 10)), TRAP_NONE);
		CHECK_HEX(m->cpu.d[2], 0x11111111u * ops[k].digit); /* %f5: the low half */
	}
}

static void gsr_keeps_its_fields_only(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = ~0ull;
	CHECK_U64(run(m, rrr(2, WR_GSR, GSR, G1, G0)), TRAP_NONE);
	CHECK_U64(run(m, rrr(2, RD_GSR, G3, GSR, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0xffffffff0e0000ff);
}

static void state_registers_are_written_by_xor(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = 0xff;
	CHECK_U64(run(m, rri(2, WR_GSR, 2, G1, 0x0f)), TRAP_NONE); /* wr %g1, 0x0f, %ccr */
	CHECK_HEX(m->cpu.ccr, 0xf0);
	CHECK_U64(run(m, rri(2, WR_GSR, 0, G1, 0x0f)), TRAP_NONE); /* %y */
	CHECK_HEX(m->cpu.y, 0xf0);
	CHECK_U64(run(m, rri(2, WR_GSR, 3, G1, 0x77)), TRAP_NONE); /* %asi */
	CHECK_U64(run(m, rrr(2, RD_GSR, G3, 3, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x88);
	CHECK_U64(run(m, rri(2, WR_GSR, 6, G1, 0)), TRAP_NONE); /* %fprs: three bits */
	CHECK_U64(run(m, rrr(2, RD_GSR, G3, 6, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 7);
	m->cpu.tick = 12345;
	CHECK_U64(run(m, rrr(2, RD_GSR, G3, 4, 0)), TRAP_NONE);
	CHECK_U64(m->cpu.r[G3], 12345);
}

static const struct tap_test tests[] = {
	{"partitioned sums and differences stop their carries", partitioned_sums_stop_their_carries},
	{"partitioned comparisons are signed", comparisons_are_signed},
	{"products of pixels round", products_of_pixels_round},
	{"packing scales and clips", packing_scales_and_clips},
	{"bytes expand, merge and have distances", bytes_expand_and_merge},
	{"ALIGNADDR sets what FALIGNDATA uses", alignment_goes_through_gsr},
	{"BMASK sets what BSHUFFLE uses", shuffle_picks_bytes},
	{"edges mask both ends", edges_mask_both_ends},
	{"ARRAY interleaves coordinates", arrays_interleave_coordinates},
	{"the sixteen functions of two bits, in both widths", logic_covers_its_truth_tables},
	{"GSR keeps its fields only", gsr_keeps_its_fields_only},
	{"WR writes the exclusive or", state_registers_are_written_by_xor},
};

int main(void)
{
	return tap_main("exec-vis", tests, TAP_COUNT(tests));
}
