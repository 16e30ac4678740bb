/* Flags and classes. Words from GNU as. */
#include "tap.h"

#include "isa/insn.h"

static void check(uint32_t word, unsigned flags, enum insn_class class)
{
	struct insn i;

	insn_decode(word, &i);
	CHECK_HEX(i.flags & ~(unsigned)INSN_IMM, flags);
	CHECK_STR(insn_class_name[i.class], insn_class_name[class]);
}

static void conditional_branches(void)
{
	check(0x32600010, INSN_CTI | INSN_COND | INSN_ANNUL, CLASS_BRANCH); /* bne,a,pn %xcc */
	check(0x0f800004, INSN_CTI | INSN_COND, CLASS_BRANCH);              /* fbu */
	check(0x04f2e000, INSN_CTI | INSN_COND, CLASS_BRANCH);              /* brlez,pn %o3 */
}

static void unconditional_branches_are_not_conditional(void)
{
	check(0x10bfffff, INSN_CTI, CLASS_BRANCH);              /* ba */
	check(0x20800002, INSN_CTI | INSN_ANNUL, CLASS_BRANCH); /* bn,a */
}

static void calls_and_returns(void)
{
	check(0x7ffffffe, INSN_CTI | INSN_CALL, CLASS_BRANCH);                                  /* call */
	check(0x9fc24000, INSN_CTI | INSN_INDIRECT | INSN_CALL, CLASS_BRANCH);                  /* jmpl %o1, %o7 */
	check(0x81c3e008, INSN_CTI | INSN_INDIRECT | INSN_RETURN, CLASS_BRANCH);                /* retl */
	check(0x81c7e008, INSN_CTI | INSN_INDIRECT | INSN_RETURN, CLASS_BRANCH);                /* ret */
	check(0x85c06004, INSN_CTI | INSN_INDIRECT, CLASS_BRANCH);                              /* jmpl %g1 + 4, %g2 */
	check(0x81cfe008, INSN_CTI | INSN_INDIRECT | INSN_RETURN | INSN_RESTORE, CLASS_BRANCH); /* return %i7 + 8 */
	check(0x81c3e00c, INSN_CTI | INSN_INDIRECT, CLASS_BRANCH);                              /* jmp %o7 + 12 */
}

static void memory(void)
{
	check(0xc6084002, INSN_LOAD, CLASS_LOAD);                            /* ldub */
	check(0xc71a2008, INSN_LOAD, CLASS_FP_LOAD);                         /* ldd, FP */
	check(0xc02a3fff, INSN_STORE, CLASS_STORE);                          /* stb */
	check(0xc3ba1c00, INSN_STORE, CLASS_FP_STORE);                       /* stda, block */
	check(0xd5e21009, INSN_LOAD | INSN_STORE | INSN_SYNC, CLASS_ATOMIC); /* cas */
	check(0xd26a0000, INSN_LOAD | INSN_STORE | INSN_SYNC, CLASS_ATOMIC); /* ldstub */
	check(0xc36a2100, INSN_PREFETCH, CLASS_PREFETCH);                    /* prefetch */
	check(0xc30a0000, INSN_LOAD | INSN_SYNC, CLASS_FP_LOAD);             /* ldx [%o0], %fsr */
	check(0xc12a0000, INSN_STORE | INSN_SYNC, CLASS_FP_STORE);           /* st %fsr, [%o0] */
}

static void windows(void)
{
	check(0x9de3bf50, INSN_SAVE, CLASS_WINDOW);             /* save */
	check(0x95ea0009, INSN_RESTORE, CLASS_WINDOW);          /* restore */
	check(0x81580000, INSN_FLUSHW | INSN_SYNC, CLASS_SYNC); /* flushw */
}

/* Total store order has #LoadLoad (1), #LoadStore (4) and #StoreStore (8); each other bit of a mask has to drain. */
static void every_barrier_mask(void)
{
	enum { STORE_LOAD = 0x02, LOOKASIDE = 0x10, MEM_ISSUE = 0x20, SYNC = 0x40 };

	for (uint32_t mask = 0; mask < 128; mask++) {
		bool drains = mask & STORE_LOAD || mask & LOOKASIDE || mask & MEM_ISSUE || mask & SYNC;

		check(0x8143e000 | mask, drains ? INSN_SYNC : 0, drains ? CLASS_SYNC : CLASS_NOP);
	}
}

static void syncing(void)
{
	check(0x8143e002, INSN_SYNC, CLASS_SYNC); /* membar #StoreLoad */
	check(0x8143e040, INSN_SYNC, CLASS_SYNC); /* membar #Sync */
	check(0x8143e008, 0, CLASS_NOP);          /* membar #StoreStore: stores keep order anyway */
	check(0x8143c000, 0, CLASS_NOP);          /* stbar */
	check(0x81da2008, INSN_SYNC, CLASS_SYNC); /* flush */
	check(0x83410000, INSN_SYNC, CLASS_SYNC); /* rd %tick */
	check(0x91400000, 0, CLASS_INT_ALU);      /* rd %y: renamed */
	check(0x878020f0, INSN_SYNC, CLASS_SYNC); /* wr %g0, 0xf0, %asi */
	check(0xa7822000, INSN_SYNC, CLASS_SYNC); /* wr %gsr */
}

static void traps_and_privileged(void)
{
	check(0x91d0206d, INSN_TRAP | INSN_SYNC, CLASS_TRAP); /* ta 0x6d: the system call */
	check(0x83d02006, INSN_TRAP, CLASS_TRAP);             /* te 6 */
	check(0x83518000, INSN_PRIV | INSN_SYNC, CLASS_PRIV); /* rdpr %pstate, %g1 */
	check(0x81f00000, INSN_PRIV | INSN_SYNC, CLASS_PRIV); /* done */
	check(0x00000005, 0, CLASS_ILLEGAL);                  /* illtrap 5 */
}

static void classes_of_arithmetic(void)
{
	check(0x94d20009, 0, CLASS_INT_MUL); /* umulcc */
	check(0x947a0009, 0, CLASS_INT_DIV); /* sdiv */
	check(0x91666005, 0, CLASS_INT_ALU); /* movne */
	check(0xbfa08843, 0, CLASS_FP_ADD);  /* faddd */
	check(0x83a0003f, 0, CLASS_FP_MOVE); /* fmovs */
	check(0x91a1087d, 0, CLASS_FP_QUAD); /* faddq */
	check(0x83a84ac2, 0, CLASS_FP_CMP);  /* fcmped */
	check(0x89a04d23, 0, CLASS_FP_MUL);  /* fsmuld */
	check(0x91b88c44, 0, CLASS_FP_FMA);  /* fmaddd */
	check(0x89b00902, 0, CLASS_VIS);     /* faligndata */
	check(0x01000000, 0, CLASS_NOP);     /* nop */
}

static bool has_address(uint32_t word)
{
	struct insn i;

	insn_decode(word, &i);
	return insn_has_address(&i);
}

static void which_instructions_have_an_effective_address(void)
{
	CHECK(has_address(0xc6084002));  /* ldub */
	CHECK(has_address(0xc02a3fff));  /* stb */
	CHECK(has_address(0xd5e21009));  /* cas */
	CHECK(has_address(0xc36a2100));  /* prefetch */
	CHECK(has_address(0x9de3bf50));  /* save */
	CHECK(has_address(0x95ea0009));  /* restore */
	CHECK(has_address(0x81cfe008));  /* return */
	CHECK(has_address(0x81580000));  /* flushw */
	CHECK(!has_address(0x81da2008)); /* flush */
	CHECK(!has_address(0x81c3e008)); /* retl */
	CHECK(!has_address(0xa4027ff8)); /* add */
	CHECK(!has_address(0x91d0206d)); /* ta */
}

static const struct tap_test tests[] = {
	{"conditional branches have COND, and ANNUL with the bit", conditional_branches},
	{"always and never are not conditional", unconditional_branches_are_not_conditional},
	{"calls push and returns pop the return stack", calls_and_returns},
	{"memory instructions load, store or both", memory},
	{"window instructions say which way they move", windows},
	{"every mask of a barrier", every_barrier_mask},
	{"syncing instructions are the documented ones", syncing},
	{"traps and privileged instructions are marked", traps_and_privileged},
	{"arithmetic has its class", classes_of_arithmetic},
	{"one rule says which instructions have an effective address", which_instructions_have_an_effective_address},
};

int main(void)
{
	return tap_main("isa flags", tests, TAP_COUNT(tests));
}
