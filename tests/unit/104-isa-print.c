/* insn_print. What objdump 2.40 prints for these words; tests/isa compares many more. */
#include "tap.h"

#include <string.h>

#include "isa/insn.h"

static void check(uint32_t word, const char *text)
{
	char buffer[128];
	struct insn i;
	size_t n;

	insn_decode(word, &i);
	n = insn_print(&i, 0x1000, buffer, sizeof(buffer));
	CHECK_STR(buffer, text);
	CHECK_U64(n, strlen(text));
}

static void plain_instructions(void)
{
	check(0xa4027ff8, "add  %o1, -8, %l2");
	check(0x933a303f, "srax  %o0, 0x3f, %o1");
	check(0xc6084002, "ldub  [ %g1 + %g2 ], %g3");
	check(0xd2f22008, "stxa  %o1, [ %o0 + 8 ] %asi");
	check(0xe19a1e00, "ldda  [ %o0 ] #ASI_BLK_P, %f16");
	check(0x91b88c44, "fmaddd  %f2, %f4, %f6, %f8");
	check(0x83a84ac2, "fcmped  %fcc1, %f32, %f2");
	check(0x8143e040, "membar  #Sync");
	check(0x01c00000, "unknown");
}

static void branch_targets_are_addresses(void)
{
	check(0x32600010, "bne,a,pn   %xcc, 0x1040"); /* .+64 */
	check(0x10bfffff, "b  0xffc");                /* .-4 */
	check(0x7ffffffe, "call  0xff8");             /* .-8 */
}

static void synthetic_instructions(void)
{
	check(0x01000000, "nop ");
	check(0x81c3e008, "retl ");
	check(0x82106000, "mov  %g1, %g1"); /* or %g1, 0, %g1 */
	check(0x80a26005, "cmp  %o1, 5");   /* subcc %o1, 5, %g0 */
	check(0x80886001, "btst  1, %g1");  /* andcc %g1, 1, %g0 */
	check(0x82006001, "inc  %g1");      /* add %g1, 1, %g1 */
	check(0xc0720000, "clrx  [ %o0 ]"); /* stx %g0, [%o0] */
	check(0xd5e21009, "cas  [ %o0 ], %o1, %o2");
	check(0x9fc24000, "call  %o1"); /* jmpl %o1, %o7 */
}

static void a_small_buffer_is_filled_and_terminated(void)
{
	char buffer[8];
	struct insn i;

	insn_decode(0xa4027ff8, &i); /* add  %o1, -8, %l2 */
	memset(buffer, 'x', sizeof(buffer));
	CHECK_U64(insn_print(&i, 0, buffer, 6), 5);
	CHECK_STR(buffer, "add  ");
	CHECK(buffer[6] == 'x');
	CHECK_U64(insn_print(&i, 0, buffer, 1), 0);
	CHECK_STR(buffer, "");
	CHECK_U64(insn_print(&i, 0, NULL, 0), 0);
}

static const struct tap_test tests[] = {
	{"plain instructions print as objdump's", plain_instructions},
	{"branch targets are addresses", branch_targets_are_addresses},
	{"synthetic instructions have their names", synthetic_instructions},
	{"a small buffer is filled and terminated", a_small_buffer_is_filled_and_terminated},
};

int main(void)
{
	return tap_main("isa print", tests, TAP_COUNT(tests));
}
