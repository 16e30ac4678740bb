/*
 * Operand lists. A list is shown as text: a register unit's name, /width if it
 * is not 1, in brackets if it forms the address. Words from GNU as.
 */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "isa/insn.h"

static void show(char *out, size_t size, const struct reg_ref *list, unsigned count, unsigned address)
{
	size_t n = 0;

	out[0] = 0;
	for (unsigned k = 0; k < count && n < size; k++) {
		bool a = address >> k & 1;

		n += (size_t)snprintf(out + n, size - n, "%s%s%s", k ? " " : "", a ? "[" : "", reg_name(list[k].unit));
		if (list[k].width != 1 && n < size)
			n += (size_t)snprintf(out + n, size - n, "/%u", list[k].width);
		if (a && n < size)
			n += (size_t)snprintf(out + n, size - n, "]");
	}
}

static void check(uint32_t word, const char *reads, const char *writes)
{
	char text[200];
	struct insn i;

	insn_decode(word, &i);
	show(text, sizeof(text), i.src, i.nsrc, i.src_address);
	CHECK_STR(text, reads);
	show(text, sizeof(text), i.dst, i.ndst, 0);
	CHECK_STR(text, writes);
}

static void integer_arithmetic(void)
{
	check(0xa4027ff8, "%o1", "%l2");                     /* add %o1, -8, %l2 */
	check(0x86804002, "%g1 %g2", "%g3 %ccr");            /* addcc %g1, %g2, %g3 */
	check(0x84406001, "%g1 %ccr", "%g2");                /* addc %g1, 1, %g2 */
	check(0xa7244012, "%l1 %l2 %y %ccr", "%l3 %y %ccr"); /* mulscc */
	check(0x94d20009, "%o0 %o1", "%o2 %ccr %y");         /* umulcc %o0, %o1, %o2 */
	check(0x947a0009, "%o0 %o1 %y", "%o2");              /* sdiv %o0, %o1, %o2 */
	check(0x951a0009, "%o0 %o1", "%o2 %ccr");            /* tsubcctv %o0, %o1, %o2 */
	check(0x93700008, "%o0", "%o1");                     /* popc %o0, %o1 */
	check(0x0321d950, "", "%g1");                        /* sethi */
}

static void g0_never_appears(void)
{
	check(0x881f4000, "%i5", "%g4");   /* xor %i5, %g0, %g4 */
	check(0xc05a0000, "[%o0]", "");    /* ldx [%o0 + %g0], %g0 */
	check(0xc02a3fff, "[%o0]", "");    /* stb %g0, [%o0 - 1] */
	check(0x01000000, "", "");         /* nop */
	check(0xc01a2008, "[%o0]", "%g1"); /* ldd [%o0 + 8], %g0: the odd half counts */
}

static void conditional_moves_read_what_they_may_keep(void)
{
	check(0x91666005, "%ccr %o0", "%o0");           /* movne %icc, 5, %o0 */
	check(0x9160d809, "%o1 %fcc3 %o0", "%o0");      /* movul %fcc3, %o1, %o0 */
	check(0x917a7a00, "%o1 %o0", "%o0");            /* movrgz %o1, -512, %o0 */
	check(0x8daaf044, "%f4/2 %ccr %f6/2", "%f6/2"); /* fmovdge %xcc, %f4, %f6 */
	check(0x8daa54a4, "%o1 %f4 %f6", "%f6");        /* fmovrsne %o1, %f4, %f6 */
}

static void always_and_never_read_no_condition(void)
{
	check(0x91660009, "%o1 %o0", "%o0"); /* mova %icc, %o1, %o0 */
	check(0x10bfffff, "", "");           /* ba */
	check(0x20800002, "", "");           /* bn,a */
	check(0x91d0206d, "", "");           /* ta 0x6d */
}

static void branches_and_jumps(void)
{
	check(0x32600010, "%ccr", "");     /* bne,a,pn %xcc */
	check(0x37680003, "%fcc2", "");    /* fbge,a %fcc2 */
	check(0x0f800004, "%fcc0", "");    /* fbu */
	check(0x04f2e000, "%o3", "");      /* brlez,pn %o3 */
	check(0x7ffffffe, "", "%o7");      /* call */
	check(0x9fc24000, "%o1", "%o7");   /* jmpl %o1, %o7 */
	check(0x81c3e008, "%o7", "");      /* retl */
	check(0x81cfe008, "%i7", "");      /* return %i7 + 8 */
	check(0x83d02006, "%ccr", "");     /* te 6 */
	check(0x93d27003, "%o1 %ccr", ""); /* tne %xcc, %o1 + 3 */
}

static void windows_name_the_old_ones_sources_and_the_new_ones_result(void)
{
	check(0x9de3bf50, "%sp", "%sp");     /* save %sp, -176, %sp */
	check(0x95ea0009, "%o0 %o1", "%o2"); /* restore %o0, %o1, %o2 */
}

static void fp_registers_count_in_halves(void)
{
	check(0xbfa08843, "%f2/2 %f34/2", "%f62/2");     /* faddd %f2, %f34, %f62 */
	check(0x83a0003f, "%f31", "%f1");                /* fmovs %f31, %f1 */
	check(0x91a1087d, "%f4/4 %f60/4", "%f8/4");      /* faddq %f4, %f60, %f8 */
	check(0x83a84ac2, "%f32/2 %f2/2", "%fcc1");      /* fcmped %fcc1, %f32, %f2 */
	check(0x89a04d23, "%f1 %f3", "%f4/2");           /* fsmuld %f1, %f3, %f4 */
	check(0x8ba018c3, "%f34/2", "%f5");              /* fdtos %f34, %f5 */
	check(0x91b88c44, "%f2/2 %f4/2 %f6/2", "%f8/2"); /* fmaddd %f2, %f4, %f6, %f8 */
}

static void loads_and_stores_mark_their_address(void)
{
	check(0xc6084002, "[%g1] [%g2]", "%g3");      /* ldub [%g1 + %g2], %g3 */
	check(0xc41a2008, "[%o0]", "%g2 %g3");        /* ldd [%o0 + 8], %g2 */
	check(0xc43a0009, "[%o0] [%o1] %g2 %g3", ""); /* std %g2, [%o0 + %o1] */
	check(0xc71a2008, "[%o0]", "%f34/2");         /* ldd [%o0 + 8], %f34 */
	check(0xff222008, "[%o0] %f31", "");          /* st %f31, [%o0 + 8] */
	check(0xd26a0000, "[%o0]", "%o1");            /* ldstub [%o0], %o1 */
	check(0xd27a2004, "[%o0] %o1", "%o1");        /* swap [%o0 + 4], %o1 */
	check(0xd5e21009, "[%o0] %o1 %o2", "%o2");    /* cas [%o0], %o1, %o2 */
	check(0xc36a2100, "[%o0]", "");               /* prefetch [%o0 + 256], 1 */
	check(0xc12a0000, "[%o0] %fsr %fcc0", "");    /* st %fsr, [%o0] */
	check(0xc30a0000, "[%o0]", "%fsr %fcc0/4");   /* ldx [%o0], %fsr */
}

static void alternate_space_reads_the_asi_register_only_where_named(void)
{
	check(0xd4821109, "[%o0] [%o1]", "%o2");          /* lda [%o0 + %o1] 0x88, %o2 */
	check(0xd2f22008, "[%o0] [%asi] %o1", "");        /* stxa %o1, [%o0 + 8] %asi */
	check(0xd5f22009, "[%o0] [%asi] %o1 %o2", "%o2"); /* casxa [%o0] %asi, %o1, %o2 */
}

static void block_and_partial_transfers(void)
{
	check(0xe19a1e00, "[%o0]", "%f16/16");       /* ldda [%o0] 0xf0, %f16 */
	check(0xc3ba1c00, "[%o0] %f32/16", "");      /* stda %f32, [%o0] 0xe0 */
	check(0xc19a2040, "[%o0] [%asi]", "%f0/16"); /* ldda [%o0 + 64] %asi, %f0 */
	check(0xc9ba2000, "[%o0] [%asi] %f4/2", ""); /* stda %f4, [%o0] %asi */
	check(0xc9ba1849, "[%o0] %o1 %f4/2", "");    /* stda %f4, [%o0] %o1, 0xc2: mask %o1 */
}

static void state_registers(void)
{
	check(0x91400000, "%y", "%o0");   /* rd %y, %o0 */
	check(0x81822005, "%o0", "%y");   /* wr %o0, 5, %y */
	check(0x878020f0, "", "%asi");    /* wr %g0, 0xf0, %asi */
	check(0x9f414000, "", "%o7");     /* rd %pc, %o7 */
	check(0x9144c000, "%gsr", "%o0"); /* rd %gsr, %o0 */
	check(0xa7822000, "%o0", "%gsr"); /* wr %o0, 0, %gsr */
	check(0x8d802004, "", "%fprs");   /* wr %g0, 4, %fprs */
	check(0x93408000, "%ccr", "%o1"); /* rd %ccr, %o1 */
}

static void vis_uses_the_gsr(void)
{
	check(0x93b20300, "%o0 %gsr", "%o1 %gsr");       /* alignaddr %o0, %g0, %o1 */
	check(0x89b00902, "%f0/2 %f2/2 %gsr", "%f4/2");  /* faligndata %f0, %f2, %f4 */
	check(0x87b00764, "%f4/2 %gsr", "%f3");          /* fpack16 %f4, %f3 */
	check(0x95b20009, "%o0 %o1", "%o2 %ccr");        /* edge8 %o0, %o1, %o2 */
	check(0x89b007c2, "%f0/2 %f2/2 %f4/2", "%f4/2"); /* pdist %f0, %f2, %f4 */
	check(0x91b00502, "%f0/2 %f2/2", "%o0");         /* fcmpgt16 %f0, %f2, %o0 */
	check(0x91b00c00, "", "%f8/2");                  /* fzero %f8 */
	check(0x8db0c624, "%f3 %f4/2", "%f6/2");         /* fmul8x16 %f3, %f4, %f6 */
}

static void units_stay_in_range_for_any_word(void)
{
	uint32_t word = 12345;

	for (unsigned n = 0; n < 3000000; n++) {
		struct insn i;

		word = word * 1664525 + 1013904223; /* a full-period sequence */
		insn_decode(word, &i);
		for (unsigned k = 0; k < i.nsrc; k++)
			if (i.src[k].unit == 0 || i.src[k].unit + i.src[k].width > REG_COUNT || !i.src[k].width)
				CHECK_HEX(word, 0);
		for (unsigned k = 0; k < i.ndst; k++)
			if (i.dst[k].unit == 0 || i.dst[k].unit + i.dst[k].width > REG_COUNT || !i.dst[k].width)
				CHECK_HEX(word, 0);
		if (i.nsrc > INSN_MAX_SRC || i.ndst > INSN_MAX_DST || i.src_address >> i.nsrc)
			CHECK_HEX(word, 0);
	}
}

static const struct tap_test tests[] = {
	{"integer arithmetic reads and writes the registers of the manual", integer_arithmetic},
	{"%g0 never appears", g0_never_appears},
	{"conditional moves read what they may keep", conditional_moves_read_what_they_may_keep},
	{"always and never read no condition code", always_and_never_read_no_condition},
	{"branches read their condition, jumps their address", branches_and_jumps},
	{"save and restore name registers of the old and of the new window",
	 windows_name_the_old_ones_sources_and_the_new_ones_result},
	{"FP registers count in halves", fp_registers_count_in_halves},
	{"loads and stores mark their address operands", loads_and_stores_mark_their_address},
	{"the ASI register is read only where it counts", alternate_space_reads_the_asi_register_only_where_named},
	{"block transfers move sixteen halves, partial stores read a mask", block_and_partial_transfers},
	{"state registers are operands", state_registers},
	{"VIS reads and writes the GSR", vis_uses_the_gsr},
	{"units stay in range for any word", units_stay_in_range_for_any_word},
};

int main(void)
{
	return tap_main("isa operands", tests, TAP_COUNT(tests));
}
