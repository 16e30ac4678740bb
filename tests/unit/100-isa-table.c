/* The instruction table: isa/sparc_v9.def. */
#include "tap.h"

#include <string.h>

#include "isa/insn.h"

static void no_word_matches_two_rows(void)
{
	for (unsigned a = 1; a < OP_COUNT; a++)
		for (unsigned b = a + 1; b < OP_COUNT; b++) {
			const struct insn_row *x = insn_row(a), *y = insn_row(b);

			/* two patterns meet unless a bit that both fix differs */
			if (((x->match ^ y->match) & x->mask & y->mask) == 0)
				CHECK_STR(x->name, y->name);
		}
}

static void every_row_has_a_function_and_a_mnemonic(void)
{
	for (unsigned op = 1; op < OP_COUNT; op++) {
		const struct insn_row *row = insn_row(op);

		if (!*row->function || !*row->mnemonic || !*row->format)
			CHECK_STR(row->name, "");
	}
}

static void no_opcode_and_no_pattern_twice(void)
{
	for (unsigned a = 1; a < OP_COUNT; a++)
		for (unsigned b = a + 1; b < OP_COUNT; b++) {
			CHECK(strcmp(insn_row(a)->name, insn_row(b)->name) != 0);
			CHECK(strcmp(insn_row(a)->pattern, insn_row(b)->pattern) != 0);
		}
}

static void mask_and_match_are_the_pattern(void)
{
	/* "10 ddddd 000000 sssss i ooooooooooooo": bits 31:30 = 10, 24:19 = 0 fixed */
	CHECK_HEX(insn_row(OP_ADD)->mask, 0xc1f80000);
	CHECK_HEX(insn_row(OP_ADD)->match, 0x80000000);
	/* "01 bbb…": 31:30 = 01 */
	CHECK_HEX(insn_row(OP_CALL)->mask, 0xc0000000);
	CHECK_HEX(insn_row(OP_CALL)->match, 0x40000000);
	/* "10 ddddd 110111 sssss uuuuu 00 10 ttttt": op3 0x37, var 0, size 2 */
	CHECK_HEX(insn_row(OP_FMADDD)->mask, 0xc1f801e0);
	CHECK_HEX(insn_row(OP_FMADDD)->match, 0x81b80040);
}

static void the_bare_match_of_a_row_decodes_to_it_or_is_reserved(void)
{
	for (unsigned op = 1; op < OP_COUNT; op++) {
		struct insn i;

		insn_decode_simd(insn_row(op)->match, insn_row(op)->flags & INSN_SIMD, &i);
		/* all fields zero is reserved only where rcond is one */
		if (strstr(insn_row(op)->pattern, "rrr"))
			CHECK_U64(i.opcode, OP_ILLEGAL);
		else
			CHECK_U64(i.opcode, op);
	}
}

static void a_row_for_any_number(void)
{
	CHECK_STR(insn_row(OP_ILLEGAL)->name, "ILLEGAL");
	CHECK_STR(insn_row(OP_COUNT)->name, "ILLEGAL");
	CHECK_STR(insn_row(OP_FABSD)->name, "FABSD");
}

static const struct tap_test tests[] = {
	{"no word matches two rows", no_word_matches_two_rows},
	{"every row has a function and a mnemonic", every_row_has_a_function_and_a_mnemonic},
	{"no opcode and no pattern stands twice", no_opcode_and_no_pattern_twice},
	{"mask and match are what the pattern shows", mask_and_match_are_the_pattern},
	{"a row with all fields zero decodes to itself", the_bare_match_of_a_row_decodes_to_it_or_is_reserved},
	{"insn_row gives a row for any number", a_row_for_any_number},
};

int main(void)
{
	return tap_main("isa table", tests, TAP_COUNT(tests));
}
