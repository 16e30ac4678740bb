/* insn_decode: fields. The words come from GNU as; the assembler text is beside each. */
#include "tap.h"

#include <string.h>

#include "isa/insn.h"

static struct insn decode(uint32_t word)
{
	struct insn i;

	insn_decode(word, &i);
	return i;
}

static void immediates_are_sign_extended(void)
{
	struct insn i = decode(0xa4027ff8); /* add %o1, -8, %l2 */

	CHECK_U64(i.opcode, OP_ADD);
	CHECK_U64(i.class, CLASS_INT_ALU);
	CHECK(i.flags & INSN_IMM);
	CHECK_U64(i.rd, 18);
	CHECK_U64(i.rs1, 9);
	CHECK_U64(i.rs2, 0);
	CHECK_I64(i.imm, -8);
	CHECK_I64(decode(0x917a7a00).imm, -512); /* movrgz %o1, -512, %o0: simm10's lowest */
	CHECK_I64(decode(0x91666005).imm, 5);    /* movne %icc, 5, %o0: simm11 */
}

static void register_forms_have_no_immediate(void)
{
	struct insn i = decode(0x86804002); /* addcc %g1, %g2, %g3 */

	CHECK_U64(i.opcode, OP_ADDCC);
	CHECK(!(i.flags & INSN_IMM));
	CHECK_U64(i.rs2, 2);
	CHECK_I64(i.imm, 0);
}

static void shift_counts_have_five_or_six_bits(void)
{
	CHECK_I64(decode(0x932a201f).imm, 31); /* sll %o0, 31, %o1 */
	CHECK_U64(decode(0x932a201f).opcode, OP_SLL);
	CHECK_I64(decode(0x933a303f).imm, 63); /* srax %o0, 63, %o1 */
	CHECK_U64(decode(0x933a303f).opcode, OP_SRAX);
	CHECK_U64(decode(0x932a100a).opcode, OP_SLLX); /* sllx %o0, %o2, %o1 */
	CHECK_U64(decode(0x932a100a).rs2, 10);
	CHECK_U64(decode(0x932a203f).opcode, OP_ILLEGAL); /* sll by 63: reserved bit 5 set */
}

static void sethi_gives_the_low_half(void)
{
	struct insn i = decode(0x0321d950); /* sethi %hi(0x87654000), %g1 */

	CHECK_U64(i.opcode, OP_SETHI);
	CHECK_HEX((uint32_t)i.imm, 0x87654000);
	CHECK_U64(i.rd, 1);
	CHECK_U64(decode(0x01000000).class, CLASS_NOP); /* nop */
}

static void displacements_are_in_bytes(void)
{
	CHECK_I64(decode(0x7ffffffe).imm, -8);         /* call .-8 */
	CHECK_I64(decode(0x32600010).imm, 64);         /* bne,a,pn %xcc, .+64 */
	CHECK_I64(decode(0x10bfffff).imm, -4);         /* ba .-4 */
	CHECK_I64(decode(0x37680003).imm, 12);         /* fbge,a %fcc2, .+12 */
	CHECK_I64(decode(0x0f800004).imm, 16);         /* fbu .+16 */
	CHECK_I64(decode(0x04f2e000).imm, -32768);     /* brlez,pn %o3, .-32768: both halves of d16 */
	CHECK_I64(decode(0x5fffffff).imm, 0x7ffffffc); /* the longest calls: 2^29 - 1 words, */
	CHECK_I64(decode(0x60000000).imm, INT32_MIN);  /* -2^29 words */
}

static void conditions_and_condition_codes(void)
{
	struct insn i = decode(0x32600010); /* bne,a,pn %xcc, .+64 */

	CHECK_U64(i.cond, 9);
	CHECK_U64(i.cc, 6);
	CHECK_U64(decode(0x10bfffff).cc, 4); /* ba: icc */
	i = decode(0x37680003);              /* fbge,a %fcc2 */
	CHECK_U64(i.cond, 11);
	CHECK_U64(i.cc, 2);
	CHECK_U64(decode(0x0f800004).cc, 0);   /* fbu: fcc0 */
	CHECK_U64(decode(0x04f2e000).cond, 2); /* brlez: rcond 2 */
	i = decode(0x9160d809);                /* movul %fcc3, %o1, %o0 */
	CHECK_U64(i.opcode, OP_MOVFCC);
	CHECK_U64(i.cond, 3);
	CHECK_U64(i.cc, 3);
	i = decode(0x8daaf044); /* fmovdge %xcc, %f4, %f6 */
	CHECK_U64(i.opcode, OP_FMOVDICC);
	CHECK_U64(i.cond, 11);
	CHECK_U64(i.cc, 6);
	CHECK_U64(decode(0x83a84ac2).cc, 1); /* fcmped %fcc1, %f32, %f2 */
	i = decode(0x93d27003);              /* tne %xcc, %o1 + 3 */
	CHECK_U64(i.opcode, OP_TCC);
	CHECK_U64(i.cond, 9);
	CHECK_U64(i.cc, 6);
	CHECK_I64(i.imm, 3);
}

static void double_and_quad_numbers_are_even(void)
{
	struct insn i = decode(0xbfa08843); /* faddd %f2, %f34, %f62 */

	CHECK_U64(i.rs1, 2);
	CHECK_U64(i.rs2, 34);
	CHECK_U64(i.rd, 62);
	i = decode(0x91a1087d); /* faddq %f4, %f60, %f8 */
	CHECK_U64(i.rs1, 4);
	CHECK_U64(i.rs2, 60);
	CHECK_U64(i.rd, 8);
	i = decode(0x8ba018c3); /* fdtos %f34, %f5: rd is a single */
	CHECK_U64(i.rs2, 34);
	CHECK_U64(i.rd, 5);
	i = decode(0x91b88c44); /* fmaddd %f2, %f4, %f6, %f8 */
	CHECK_U64(i.opcode, OP_FMADDD);
	CHECK_U64(i.rs1, 2);
	CHECK_U64(i.rs2, 4);
	CHECK_U64(i.rs3, 6);
	CHECK_U64(i.rd, 8);
	i = decode(0x8fb84b23); /* fnmsubs %f1, %f3, %f5, %f7 */
	CHECK_U64(i.opcode, OP_FNMSUBS);
	CHECK_U64(i.rs3, 5);
}

static void memory_sizes(void)
{
	CHECK_U64(decode(0xc6084002).size, 1);  /* ldub [%g1 + %g2], %g3 */
	CHECK_U64(decode(0xc41a2008).size, 8);  /* ldd [%o0 + 8], %g2: integer pair */
	CHECK_U64(decode(0xff222008).size, 4);  /* st %f31, [%o0 + 8] */
	CHECK_U64(decode(0xc9122010).size, 16); /* ldq [%o0 + 16], %f4 */
	CHECK_U64(decode(0xd5e21009).size, 4);  /* cas [%o0], %o1, %o2 */
	CHECK_U64(decode(0xc30a0000).size, 8);  /* ldx [%o0], %fsr */
	CHECK_U64(decode(0xc12a0000).size, 4);  /* st %fsr, [%o0] */
	CHECK_U64(decode(0xc36a2100).size, 0);  /* prefetch [%o0 + 256], 1 */
	CHECK_U64(decode(0x86804002).size, 0);  /* addcc */
}

static void an_asi_is_immediate_or_in_its_register(void)
{
	struct insn i = decode(0xd4821109); /* lda [%o0 + %o1] 0x88, %o2 */

	CHECK_U64(i.opcode, OP_LDUWA);
	CHECK_HEX(i.asi, 0x88);
	CHECK_U64(i.rs2, 9);
	i = decode(0xd2f22008); /* stxa %o1, [%o0 + 8] %asi */
	CHECK_HEX(i.asi, 0);
	CHECK_I64(i.imm, 8);
	i = decode(0xd5e21009); /* cas [%o0], %o1, %o2: casa with ASI 0x80 */
	CHECK_U64(i.opcode, OP_CASA);
	CHECK_HEX(i.asi, 0x80);
	i = decode(0xd5f22009); /* casxa [%o0] %asi, %o1, %o2: rs2 stays a register */
	CHECK(i.flags & INSN_IMM);
	CHECK_U64(i.rs2, 9);
	CHECK_I64(i.imm, 0);
}

static void fp_transfers_of_other_sizes(void)
{
	CHECK_U64(decode(0xe19a1e00).size, 64); /* ldda [%o0] 0xf0, %f16: block */
	CHECK_U64(decode(0xc3ba1c00).size, 64); /* stda %f32, [%o0] 0xe0: block commit */
	CHECK_U64(decode(0xc59a1a40).size, 2);  /* ldda [%o0] 0xd2, %f2: 16 bits */
	CHECK_U64(decode(0xc9ba1849).size, 8);  /* stda %f4, [%o0] %o1, 0xc2: partial */
	CHECK_U64(decode(0xc19a2040).size, 64); /* ldda [%o0 + 64] %asi, %f0: taken for a block */
	CHECK_U64(decode(0xc9ba2000).size, 8);  /* stda %f4, [%o0] %asi: %f4 begins no block */
}

static void reserved_words_are_illegal(void)
{
	static const struct {
		uint32_t word;
		const char *why;
	} words[] = {
		{0x86804082, "addcc with register and bit 7 set"},
		{0x83a40020 | 1 << 14, "fmovs with rs1"},
		{0x00c04004, "branch on register, rcond 0"},
		{0x08c04004, "branch on register, rcond 4"},
		{0xc61a2008, "ldd into %g3"},
		{0xc52a0000, "store of an FSR numbered 2"},
		{0xcb6a2100, "prefetch 5"},
		{0x93a1087d | 1 << 26, "faddq into %f42, no multiple of four"},
		{0xc59a1e00, "block load into %f2"},
		{0x8143e080, "membar with bit 7"},
		{0x01c00000, "op2 = 7"},
		{0xc8f00000 | 0x3f << 19, "op = 3, op3 = 3f"},
		{0x80e80000, "op = 2, op3 = 1d"},
		{0x91d02080, "trap number 128"},
		{0xd5f22029, "casxa with %asi and an immediate ASI"},
	};

	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
		struct insn i = decode(words[k].word), empty;

		if (i.opcode != OP_ILLEGAL)
			CHECK_STR(insn_row(i.opcode)->name, words[k].why);
		/* and nothing of the word is left in the other fields */
		memset(&empty, 0, sizeof(empty));
		empty.word = words[k].word;
		empty.class = CLASS_ILLEGAL;
		CHECK(memcmp(&i, &empty, sizeof(i)) == 0);
	}
}

static const struct tap_test tests[] = {
	{"immediates are sign-extended", immediates_are_sign_extended},
	{"register forms have no immediate", register_forms_have_no_immediate},
	{"shift counts have five or six bits", shift_counts_have_five_or_six_bits},
	{"sethi gives the low half of the register", sethi_gives_the_low_half},
	{"displacements are in bytes", displacements_are_in_bytes},
	{"conditions and condition codes are told apart", conditions_and_condition_codes},
	{"double and quad registers have even numbers", double_and_quad_numbers_are_even},
	{"memory sizes are in bytes", memory_sizes},
	{"an ASI is immediate or in its register", an_asi_is_immediate_or_in_its_register},
	{"FP alternate transfers take their size from the ASI", fp_transfers_of_other_sizes},
	{"words with reserved bits or values are illegal", reserved_words_are_illegal},
};

int main(void)
{
	return tap_main("isa decode", tests, TAP_COUNT(tests));
}
