/*
 * Decoding of the SIMD extension: words made by hand from docs/models/simd-isa.md, and
 * which of the others are what in the two modes.
 */
#include "tap.h"

#include <string.h>

#include "isa/insn.h"
#include "isa/simd.h"

static struct insn decode(uint32_t word, bool simd)
{
	struct insn i;

	insn_decode_simd(word, simd, &i);
	return i;
}

static void check_text(uint32_t word, bool simd, const char *expected)
{
	struct insn i = decode(word, simd);
	char text[64];

	insn_print(&i, 0, text, sizeof(text));
	CHECK_STR(text, expected);
}

/*
 * op 2: 0x80000000; rd << 25, op3 << 19 (0x36: 0x01b00000, 0x37: 0x01b80000),
 * rs1 << 14, opf << 5 (0x1a0: 0x3400), rs3 << 9, var << 7, size << 5. A double
 * %s34 has the field 3. op 3: 0xc0000000, op3 0x28: 0x01400000.
 */
static void words_print_as_the_manual_writes_them(void)
{
	check_text(0x81b03400, false, "simdon ");
	check_text(0x81b03420, true, "simdoff ");
	check_text(0x93b03440, false, "rdsimd  %o1");           /* rd 9: 0x12000000 */
	check_text(0x87b03460, true, "peid  %s34");             /* rd 3: 0x06000000 */
	check_text(0x89b2b482, false, "pegetd  %o2, %s2, %f4"); /* rs1 10: 0x00028000 */
	check_text(0x89b2b482, true, "pegetd  %o2, %s2, %f4");
	check_text(0x89b2b4a2, true, "peputd  %o2, %f2, %s4");
	check_text(0x89b034c2, false, "pesumd  %s2, %f4");
	check_text(0x89b034e2, true, "pexd  %s2, %s4");
	check_text(0x91b88c64, true, "fxmaddd  %s2, %s4, %s6, %s8");
	check_text(0x91b88ce4, true, "fxmsubd  %s2, %s4, %s6, %s8");
	check_text(0x91b88d64, true, "fxcmaddd  %s2, %s4, %s6, %s8");
	check_text(0x91b88de4, true, "fxjmaddd  %s2, %s4, %s6, %s8");
	check_text(0xd5420009, false, "sxget  [ %o0 ], [ %o1 ], %o2");
	check_text(0xd5420029, true, "sxget  [ %o0 ], [ %o1 ], %o2, deal");
	check_text(0xd54a0029, false, "sxput  [ %o0 ], [ %o1 ], %o2, deal");
	check_text(0xc1502003, false, "sxwait  3");
	/* words of GNU as 2.40, -Av9m8, where it knows them */
	check_text(0x87b08844, true, "fpadd64  %s2, %s4, %s34");
	check_text(0x8db088c4, true, "fpsub64  %s2, %s4, %s6");
	check_text(0x8db084a4, true, "fsll32  %s2, %s4, %s6");
	check_text(0x8db084e4, true, "fsrl32  %s2, %s4, %s6");
	check_text(0x8db085e4, true, "fsra32  %s2, %s4, %s6");
	check_text(0x8db0a0c4, true, "fpsll64x  %s2, %s4, %s6");
	check_text(0x8db0a0e4, true, "fpsrl64x  %s2, %s4, %s6");
	check_text(0x8db0a1e4, true, "fpsra64x  %s2, %s4, %s6");
	check_text(0x91b88c04, true, "fpmaddx  %s2, %s4, %s6, %s8");
	check_text(0x8db08a44, true, "fpadd32  %s2, %s4, %s6");
	check_text(0x8bb04da3, true, "fxors  %s1, %s3, %s5");
	/* opf 0x1a8: 0x3500, 0x1b0: 0x3600, 0x1b8: 0x3700 */
	check_text(0x8db0b504, true, "fadd2s  %s2, %s4, %s6");
	check_text(0x8db0b524, true, "fsub2s  %s2, %s4, %s6");
	check_text(0x8db0b544, true, "fmul2s  %s2, %s4, %s6");
	check_text(0x91b88d04, true, "fmadd2s  %s2, %s4, %s6, %s8");
	check_text(0x91b88d84, true, "fnmsub2s  %s2, %s4, %s6, %s8");
	check_text(0x83b0b604, true, "pecmpx  %fcc1, %s2, %s4");
	check_text(0x8db23705, true, "gatherd  [ %o0 ] %s5, %s6");
	check_text(0x8fb23725, true, "gathers  [ %o0 ] %s5, %s7");
	check_text(0x8db23744, true, "gatherxd  [ %o0 ] %s4, %s6");
	check_text(0x8fb237e4, true, "scatterxs  %s7, [ %o0 ] %s4");
	/* an ordinary word: its registers are those of the mode */
	check_text(0x91b88c44, false, "fmaddd  %f2, %f4, %f6, %f8");
	check_text(0x91b88c44, true, "fmaddd  %s2, %s4, %s6, %s8");
	check_text(0xff222008, true, "st  %s31, [ %o0 + 8 ]");
}

static void each_row_has_its_class_and_flags(void)
{
	static const struct {
		uint32_t word;
		bool simd;
		unsigned class, flags;
	} rows[] = {
		{0x81b03400, false, CLASS_SIMD_MODE, INSN_MODE},
		{0x81b03420, true, CLASS_SIMD_MODE, INSN_MODE},
		{0x93b03440, false, CLASS_INT_ALU, 0},
		{0x87b03460, true, CLASS_FP_MOVE, INSN_SIMD},
		{0x89b2b482, false, CLASS_SIMD_GET, 0},
		{0x89b2b4a2, false, CLASS_SIMD_PUT, 0},
		{0x89b034c2, true, CLASS_SIMD_REDUCE, 0},
		{0x89b034e2, true, CLASS_FP_MOVE, INSN_SIMD | INSN_CROSS},
		{0x91b88d64, true, CLASS_FP_FMA, INSN_SIMD | INSN_CROSS},
		{0x8db08a44, false, CLASS_VIS, 0}, /* fpadd32 */
		{0x8db08a44, true, CLASS_SIMD_INT, INSN_SIMD},
		{0x85b00c00, true, CLASS_VIS, INSN_SIMD}, /* fzerod %f2: on the path of moves */
		{0x87b08844, true, CLASS_SIMD_INT, INSN_SIMD},
		{0x91b88c04, true, CLASS_SIMD_INT_MUL, INSN_SIMD},
		{0x8db0b504, true, CLASS_SIMD_ADD2, INSN_SIMD},
		{0x8db0b544, true, CLASS_SIMD_MUL2, INSN_SIMD},
		{0x91b88d04, true, CLASS_SIMD_FMA2, INSN_SIMD},
		{0x8db23705, true, CLASS_SIMD_GATHER, INSN_SIMD | INSN_LOAD},
		{0x8fb237e4, true, CLASS_SIMD_SCATTER, INSN_SIMD | INSN_STORE},
		{0xd5420009, false, CLASS_SBM_GET, INSN_TRANSFER},
		{0xd54a0009, true, CLASS_SBM_PUT, INSN_TRANSFER},
		{0xc1502003, true, CLASS_SBM_WAIT, 0},
		{0xff222008, true, CLASS_FP_STORE, INSN_SIMD | INSN_STORE | INSN_IMM}, /* st %s31 */
		{0xff222008, false, CLASS_FP_STORE, INSN_STORE | INSN_IMM},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct insn i = decode(rows[k].word, rows[k].simd);

		CHECK_STR(insn_class_name[i.class], insn_class_name[rows[k].class]);
		CHECK_HEX(i.flags, rows[k].flags);
	}
}

/* "%s2/2 …" as in 102-isa-operands.c, without the address marks. */
static void check_lists(uint32_t word, bool simd, const char *reads, const char *writes)
{
	struct insn i = decode(word, simd);
	const struct reg_ref *lists[] = {i.src, i.dst};
	const unsigned counts[] = {i.nsrc, i.ndst};
	const char *expected[] = {reads, writes};

	for (unsigned l = 0; l < 2; l++) {
		char text[128] = "";

		for (unsigned k = 0; k < counts[l]; k++) {
			strcat(strcat(text, k ? " " : ""), reg_name(lists[l][k].unit));
			if (lists[l][k].width == 2)
				strcat(text, "/2");
		}
		CHECK_STR(text, expected[l]);
	}
}

static void operands_are_told_by_file(void)
{
	check_lists(0x87b03460, true, "", "%s34/2");
	check_lists(0x89b2b482, false, "%o2 %s2/2", "%f4/2");
	check_lists(0x89b2b4a2, false, "%o2 %f2/2 %s4/2", "%s4/2"); /* the other PEs keep theirs */
	check_lists(0x89b034c2, true, "%s2/2", "%f4/2");
	check_lists(0x91b88c64, true, "%s2/2 %s4/2 %s6/2", "%s8/2");
	check_lists(0xd5420009, true, "%o0 %o1 %o2", "");
	check_lists(0xc1502003, true, "", "");
	check_lists(0xbfa08843, true, "%s2/2 %s34/2", "%s62/2"); /* faddd %f2, %f34, %f62 */
	check_lists(0xbfa089c3, true, "%s2/2 %s34/2", "%s62/2"); /* fdivd %f2, %f34, %f62 */
	check_lists(0x83a84ac2, true, "%s32/2 %s2/2", "%fcc1");  /* fcmped %fcc1, %f32, %f2 */
	check_lists(0xbfa00543, true, "%s34/2", "%s62/2");       /* fsqrtd %f34, %f62 */
	check_lists(0x89a04d23, true, "%s1 %s3", "%s4/2");       /* fsmuld %f1, %f3, %f4 */
	check_lists(0x83b0b604, true, "%s2/2 %s4/2", "%fcc1");   /* pecmpx %fcc1, %s2, %s4 */
	check_lists(0x8db23705, true, "%o0 %s5", "%s6/2");       /* gatherd: index, result */
	check_lists(0x8fb23725, true, "%o0 %s5", "%s7");
	check_lists(0x8fb237e4, true, "%o0 %s4/2 %s7", ""); /* scatterxs: index, data */
	check_lists(0xff222008, true, "%o0 %s31", "");      /* st %f31, [%o0 + 8] */
	check_lists(0xa4027ff8, true, "%o1", "%l2");        /* add: scalar in both modes */
	/* of a transfer rs1 and rs2 are addresses, rd is not */
	CHECK_HEX(decode(0xd5420009, false).src_address, 3);
	/* of a gather only the base */
	CHECK_HEX(decode(0x8db23705, true).src_address, 1);
	CHECK_HEX(decode(0x8fb237e4, true).src_address, 1);
}

static void the_mode_decides_what_is_allowed(void)
{
	/* words of GNU as */
	static const uint32_t refused[] = {
		0x8daaf044, /* fmovdge %xcc, %f4, %f6 */
		0x8daa54a4, /* fmovrsne %o1, %f4, %f6 */
		0x91a1087d, /* faddq %f4, %f60, %f8 */
		0xc30a0000, /* ldx [%o0], %fsr */
		0xe19a1e00, /* ldda [%o0] 0xf0, %f16 */
		0xc9122010, /* ldq [%o0 + 16], %f4 */
		0x87b08902, /* faligndata %f2, %f2, %f34 */
	};
	static const uint32_t needing[] = {0x87b03460, 0x89b034e2, 0x91b88c64, 0x91b88ce4, 0x91b88d64, 0x91b88de4,
					   0x87b08844, 0x91b88c04, 0x8db0b504, 0x91b88d04, 0x83b0b604, 0x8db23705};

	for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++) {
		CHECK(decode(refused[k], false).opcode != OP_ILLEGAL);
		CHECK_U64(decode(refused[k], true).opcode, OP_ILLEGAL);
	}
	for (size_t k = 0; k < sizeof(needing) / sizeof(needing[0]); k++) {
		CHECK_U64(decode(needing[k], false).opcode, OP_ILLEGAL);
		CHECK(decode(needing[k], true).opcode != OP_ILLEGAL);
	}
}

static void reserved_bits_are_refused(void)
{
	CHECK_U64(decode(0x83b03400, false).opcode, OP_ILLEGAL); /* simdon with rd */
	CHECK_U64(decode(0x81b03401, false).opcode, OP_ILLEGAL); /* with rs2 */
	CHECK_U64(decode(0xd5420049, false).opcode, OP_ILLEGAL); /* sxget, how = 2 */
	CHECK_U64(decode(0xd5422009, false).opcode, OP_ILLEGAL); /* with i = 1 */
	CHECK_U64(decode(0xc1503003, false).opcode, OP_ILLEGAL); /* sxwait of a negative number */
	CHECK_U64(decode(0xc1500003, false).opcode, OP_ILLEGAL); /* with i = 0 */
}

static void transfers_have_three_addresses(void)
{
	struct insn get = decode(0xd5420009, false), wait = decode(0xc1502003, false);
	struct insn load = decode(0xc61a2008 & ~(1u << 25), false), add = decode(0xa4027ff8, false);

	CHECK_U64(insn_address_count(&get), 3);
	CHECK_U64(insn_address_count(&wait), 0);
	CHECK_U64(insn_address_count(&load), 1);
	CHECK_U64(insn_address_count(&add), 0);
	CHECK(insn_has_address(&get) && !insn_has_address(&wait));
}

static void windows_lie_one_after_the_other(void)
{
	unsigned pe = 99;
	uint32_t offset = 99;

	CHECK_U64(simd_window_of(0x4fffffffffff, &pe, &offset), SIMD_WINDOW_NONE);
	CHECK_U64(simd_window_of(0x500000000010, &pe, &offset), SIMD_WINDOW_ALL);
	CHECK_U64(offset, 16);
	CHECK_U64(pe, 99); /* left alone */
	CHECK_U64(simd_window_of(0x500001000000, &pe, &offset), SIMD_WINDOW_PE);
	CHECK_U64(pe, 0);
	CHECK_U64(offset, 0);
	/* PE 31: 0x500000000000 + 32 * 0x1000000, its last byte */
	CHECK_U64(simd_window_of(0x500020ffffff, &pe, &offset), SIMD_WINDOW_PE);
	CHECK_U64(pe, 31);
	CHECK_HEX(offset, 0xffffff);
	CHECK_U64(simd_window_of(0x500021000000, &pe, &offset), SIMD_WINDOW_NONE);
	CHECK_HEX(SIMD_PE_BASE(31), 0x500020000000);
}

static void descriptors_hold_bytes_pieces_and_stride(void)
{
	/* 64 bytes, 3 pieces, stride -16: -2 in units of 8, 24 bits */
	uint64_t d = 64 | 3ull << 24 | 0xfffffeull << 40;
	struct simd_transfer t = simd_transfer_unpack(d, SIMD_DEAL);

	CHECK_U64(t.bytes, 64);
	CHECK_U64(t.pieces, 3);
	CHECK_I64(t.stride, -16);
	CHECK(t.deal);
	CHECK_HEX(simd_transfer_pack(64, 3, -16), d);
	CHECK_I64(simd_transfer_unpack(0x7fffffull << 40, SIMD_ONE).stride, 0x3fffff8);
	CHECK_I64(simd_transfer_unpack(0x800000ull << 40, SIMD_ONE).stride, -0x4000000);
	CHECK_U64(simd_transfer_bytes(&t), 192);
	/* ten pieces for four PEs: 3 3 2 2; not dealt: all ten for the one */
	t.pieces = 10;
	for (unsigned pe = 0; pe < 4; pe++)
		CHECK_U64(simd_transfer_share(&t, 4, pe), pe < 2 ? 3 : 2);
	t.deal = false;
	CHECK_U64(simd_transfer_share(&t, 4, 3), 10);
}

static const struct tap_test tests[] = {
	{"words print as the manual writes them", words_print_as_the_manual_writes_them},
	{"each row has its class and flags", each_row_has_its_class_and_flags},
	{"operands are told by register file", operands_are_told_by_file},
	{"the mode decides what is allowed", the_mode_decides_what_is_allowed},
	{"words with reserved bits are illegal", reserved_bits_are_refused},
	{"transfers have three addresses", transfers_have_three_addresses},
	{"windows lie one after the other", windows_lie_one_after_the_other},
	{"descriptors hold bytes, pieces and stride", descriptors_hold_bytes_pieces_and_stride},
};

int main(void)
{
	return tap_main("isa simd", tests, TAP_COUNT(tests));
}
