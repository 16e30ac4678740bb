/* Control transfers: pc, npc and annulment as the facts of appendix A.7 and 6.3.4 of the V9 manual. */
#include "tap.h"

#include "exec_machine.h"

enum { ALWAYS = 8, NEVER = 0, EQUAL = 1, FCC_UNORDERED = 7 };
enum { TARGET = CODE + 0x40, SLOT = CODE + 4, BEHIND = CODE + 8 };

/* Bicc CODE + 0x40: op2 2, disp22 in words */
static uint32_t bicc(unsigned cond, bool annul)
{
	return (unsigned)annul << 29 | cond << 25 | 2u << 22 | 0x10;
}

static struct machine *branch(uint32_t word, unsigned ccr)
{
	struct machine *m = machine_new();

	m->cpu.ccr = (uint8_t)ccr;
	CHECK_U64(run(m, word), TRAP_NONE);
	return m;
}

#define CHECK_GOES(m, pc_after, npc_after, slot_annulled) \
	do { \
		CHECK_HEX((m)->cpu.pc, pc_after); \
		CHECK_HEX((m)->cpu.npc, npc_after); \
		CHECK((m)->cpu.annulled == (slot_annulled)); \
	} while (0)

static void without_annul_the_slot_always_runs(void)
{
	CHECK_GOES(branch(bicc(EQUAL, false), Z), SLOT, TARGET, false);
	CHECK_GOES(branch(bicc(EQUAL, false), 0), SLOT, BEHIND, false);
	CHECK_GOES(branch(bicc(ALWAYS, false), 0), SLOT, TARGET, false);
	CHECK_GOES(branch(bicc(NEVER, false), 0), SLOT, BEHIND, false);
}

static void conditional_annul_skips_the_slot_if_not_taken(void)
{
	CHECK_GOES(branch(bicc(EQUAL, true), Z), SLOT, TARGET, false);
	CHECK_GOES(branch(bicc(EQUAL, true), 0), BEHIND, BEHIND + 4, true);
}

static void unconditional_annul_always_skips_the_slot(void)
{
	CHECK_GOES(branch(bicc(ALWAYS, true), 0), TARGET, TARGET + 4, true);
	CHECK_GOES(branch(bicc(NEVER, true), 0), BEHIND, BEHIND + 4, true);
}

static void every_condition_follows_the_codes(void)
{
	/* N Z V C as bits 3..0; the conditions in words of the manual */
	for (unsigned ccr = 0; ccr < 16; ccr++) {
		bool n = ccr & N, z = ccr & Z, v = ccr & V, c = ccr & C;
		bool holds[16] = {false, z,  z || n != v,    n != v, c || z,    c,  n,  v,
				  true,  !z, !(z || n != v), n == v, !(c || z), !c, !n, !v};

		for (unsigned cond = 0; cond < 16; cond++) {
			uint64_t to = holds[cond] ? TARGET : BEHIND;
			/* BPcc: op2 1, cc1 (bit 21) selects xcc, disp19 */
			uint32_t bpcc = cond << 25 | 1u << 22 | 0x10;

			CHECK_HEX(branch(bicc(cond, false), ccr)->cpu.npc, to);
			CHECK_HEX(branch(bpcc, ccr)->cpu.npc, to);
			CHECK_HEX(branch(bpcc | 1 << 21, ccr << 4)->cpu.npc, to);
		}
	}
}

static void every_fp_condition_follows_its_fcc(void)
{
	/* N NE LG UL L UG G U A E UE GE UGE LE ULE O as sets of E 1, L 2, G 4, U 8 */
	static const unsigned set[16] = {0, 14, 6, 10, 2, 12, 4, 8, 15, 1, 9, 5, 13, 3, 11, 7};
	static const unsigned shift[4] = {10, 32, 34, 36};

	for (unsigned cond = 0; cond < 16; cond++) {
		for (unsigned n = 0; n < 4; n++) {
			for (uint64_t fcc = 0; fcc < 4; fcc++) {
				struct machine *m = machine_new();

				cpu_set_fsr(&m->cpu, fcc << shift[n]);
				/* FBPfcc: op2 5, fcc number in bits 21:20 */
				CHECK_U64(run(m, cond << 25 | 5u << 22 | n << 20 | 0x10), TRAP_NONE);
				CHECK_HEX(m->cpu.npc, set[cond] >> fcc & 1 ? TARGET : BEHIND);
			}
		}
	}
}

static void fp_branch_always_annuls_as_ba_does(void)
{
	/* FBA,a: op2 6; FBU,a not taken */
	CHECK_GOES(branch(1u << 29 | ALWAYS << 25 | 6u << 22 | 0x10, 0), TARGET, TARGET + 4, true);
	CHECK_GOES(branch(1u << 29 | FCC_UNORDERED << 25 | 6u << 22 | 0x10, 0), BEHIND, BEHIND + 4, true);
}

static void register_branches_go_back_too(void)
{
	struct machine *m = machine_new();
	/* brnz,a %g1, CODE - 8 words: op2 3, rcond 5; d16 = -2: d16hi [21:20], d16lo [13:0] */
	uint32_t brnz = 1u << 29 | 5u << 25 | 3u << 22 | 3u << 20 | G1 << 14 | 0x3ffe;

	m->cpu.pc = CODE + 0x100;
	m->cpu.npc = CODE + 0x104;
	m->cpu.r[G1] = 1ull << 63;
	CHECK_U64(run(m, brnz), TRAP_NONE);
	CHECK_GOES(m, CODE + 0x104, CODE + 0x100 - 8, false);
}

static void call_writes_o7(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, 1u << 30 | 0x3ffffffe), TRAP_NONE); /* call . - 8 */
	CHECK_HEX(m->cpu.r[O7], CODE);
	CHECK_GOES(m, SLOT, CODE - 8, false);
}

static void jmpl_links_and_jumps(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = 0x123450;
	CHECK_U64(run(m, rri(2, 0x38, O7, G1, 8)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[O7], CODE);
	CHECK_GOES(m, SLOT, 0x123458, false);
	/* a register that is both target and link gives its old value */
	m->cpu.r[G1] = 0x5000;
	m->cpu.pc = CODE;
	m->cpu.npc = SLOT;
	CHECK_U64(run(m, rri(2, 0x38, G1, G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G1], CODE);
	CHECK_HEX(m->cpu.npc, 0x5000);
}

static void misaligned_jumps_trap(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = 0x5002;
	m->cpu.r[O7] = 7;
	CHECK_U64(run(m, rri(2, 0x38, O7, G1, 0)), TRAP_ALIGNMENT);
	CHECK_HEX(m->cpu.fault_address, 0x5002);
	CHECK_HEX(m->cpu.r[O7], 7);
	CHECK_GOES(m, CODE, SLOT, false);
}

static void a_branch_in_a_slot_runs_one_instruction_of_the_first_target(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, bicc(ALWAYS, false)), TRAP_NONE); /* to CODE + 0x40 */
	CHECK_HEX(m->cpu.pc, SLOT);
	CHECK_U64(run(m, ALWAYS << 25 | 2u << 22 | 0x20), TRAP_NONE); /* at SLOT, to SLOT + 0x80 */
	CHECK_GOES(m, TARGET, SLOT + 0x80, false);
}

static void tcc_traps_where_its_condition_holds(void)
{
	struct machine *m = machine_new();
	/* ta 0x6d: cond 8 in rd's low bits; tne %xcc, %g1 + %g2 */
	uint32_t ta = rri(2, 0x3a, ALWAYS, G0, 0x6d), tne = rrr(2, 0x3a, 9, G1, G2) | 2 << 11;

	CHECK_U64(run(m, ta), TRAP_SOFTWARE + 0x6d);
	CHECK_GOES(m, CODE, SLOT, false);
	m->cpu.r[G1] = 0x100;
	m->cpu.r[G2] = 0x43; /* 0x143 modulo 128 = 0x43 */
	m->cpu.ccr = Z;
	CHECK_U64(run(m, tne), TRAP_SOFTWARE + 0x43);
	m->cpu.ccr = Z << 4;
	CHECK_U64(run(m, tne), TRAP_NONE);
	CHECK_GOES(m, SLOT, BEHIND, false);
}

static void illegal_and_privileged_words_trap(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, 0), TRAP_ILLEGAL);                         /* illtrap */
	CHECK_U64(run(m, 0x91900000), TRAP_PRIVILEGED);             /* wrpr %g0, %g0, %tba-like */
	CHECK_U64(run(m, rrr(2, 0x2a, G1, 5, 0)), TRAP_PRIVILEGED); /* rdpr */
	m->cpu.pc = HOLE;
	CHECK_U64(step(m), TRAP_ACCESS);
}

static void rdpc_reads_its_own_address(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, rrr(2, 0x28, G1, 5, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G1], CODE);
}

static const struct tap_test tests[] = {
	{"without the annul bit the delay slot always runs", without_annul_the_slot_always_runs},
	{"a conditional branch with it skips the slot if not taken", conditional_annul_skips_the_slot_if_not_taken},
	{"BA,a and BN,a always skip the slot", unconditional_annul_always_skips_the_slot},
	{"every condition follows icc and xcc", every_condition_follows_the_codes},
	{"every FP condition follows its fcc", every_fp_condition_follows_its_fcc},
	{"FBA,a always skips the slot", fp_branch_always_annuls_as_ba_does},
	{"BPr tests the register's 64 bits and goes back", register_branches_go_back_too},
	{"CALL writes %o7", call_writes_o7},
	{"JMPL writes its address and jumps", jmpl_links_and_jumps},
	{"a misaligned jump traps and changes nothing", misaligned_jumps_trap},
	{"a branch in a delay slot", a_branch_in_a_slot_runs_one_instruction_of_the_first_target},
	{"Tcc traps where its condition holds", tcc_traps_where_its_condition_holds},
	{"illegal and privileged words, and a pc without memory, trap", illegal_and_privileged_words_trap},
	{"RD %pc reads its own address", rdpc_reads_its_own_address},
};

int main(void)
{
	return tap_main("exec-branch", tests, TAP_COUNT(tests));
}
