/* Register windows: SAVE, RESTORE, RETURN, FLUSHW; spill and fill at %sp + 2047. */
#include "tap.h"

#include "exec_machine.h"

enum { SAVE = 0x3c, RESTORE = 0x3d, RETURN = 0x39, FLUSHW = 0x2b, BIAS = 2047, FRAME = 192 };

/* Stack pointer of depth n: frames of 192 bytes down from the end of the data. */
static uint64_t sp_at(unsigned n)
{
	return 0x2e000 - BIAS - n * FRAME;
}

/* A machine at depth 0 whose %sp is set. */
static struct machine *with_stack(void)
{
	struct machine *m = machine_new();

	m->cpu.r[SP] = sp_at(0);
	return m;
}

/* Marks of window n: a local and an in. */
static void mark(struct machine *m, unsigned n)
{
	m->cpu.r[L0] = 0x1000 + n;
	m->cpu.r[L7] = 0x7000 + n;
	m->cpu.r[I5] = 0x5000 + n;
}

static void check_mark(struct machine *m, unsigned n)
{
	CHECK_HEX(m->cpu.r[L0], 0x1000 + n);
	CHECK_HEX(m->cpu.r[L7], 0x7000 + n);
	CHECK_HEX(m->cpu.r[I5], 0x5000 + n);
	CHECK_HEX(m->cpu.r[SP], sp_at(n));
}

static void outs_become_ins(void)
{
	struct machine *m = with_stack();

	for (unsigned k = 0; k < 8; k++)
		m->cpu.r[O0 + k] = 0x100 + k;
	m->cpu.r[G1] = 40;
	CHECK_U64(run(m, rri(2, SAVE, O1, G1, 2)), TRAP_NONE);
	for (unsigned k = 0; k < 8; k++)
		CHECK_HEX(m->cpu.r[I0 + k], 0x100 + k);
	CHECK_HEX(m->cpu.r[O1], 42); /* summed in the old window, written in the new one */
	CHECK_U64(m->cpu.cansave, 5);
	CHECK_U64(m->cpu.canrestore, 1);
	m->cpu.r[I3] = 0x999;
	CHECK_U64(run(m, rrr(2, RESTORE, O2, I0, I1)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[O3], 0x999);
	CHECK_HEX(m->cpu.r[O2], 0x100 + 0x101);
	CHECK_U64(m->cpu.cansave, 6);
	CHECK_U64(m->cpu.canrestore, 0);
}

static void ten_nested_saves_come_back(void)
{
	struct machine *m = with_stack();

	mark(m, 0);
	for (unsigned n = 1; n <= 10; n++) {
		CHECK_U64(run(m, rri(2, SAVE, SP, SP, -FRAME)), TRAP_NONE);
		CHECK_HEX(m->cpu.r[SP], sp_at(n));
		CHECK_HEX(m->cpu.r[FP], sp_at(n - 1));
		mark(m, n);
		CHECK_U64(m->cpu.cansave + m->cpu.canrestore, 6);
	}
	for (unsigned n = 10; n > 0; n--) {
		check_mark(m, n);
		CHECK_U64(run(m, rrr(2, RESTORE, G0, G0, G0)), TRAP_NONE);
	}
	check_mark(m, 0);
}

static void the_seventh_save_spills_the_oldest_window(void)
{
	struct machine *m = with_stack();

	mark(m, 0);
	for (unsigned n = 1; n <= 6; n++) {
		CHECK_U64(run(m, rri(2, SAVE, SP, SP, -FRAME)), TRAP_NONE);
		CHECK_HEX(m->ea[n - 1], 0); /* nothing spilled: the log says 0 */
	}
	CHECK_HEX(peek(m, sp_at(0) + BIAS), 0);
	CHECK_U64(run(m, rri(2, SAVE, SP, SP, -FRAME)), TRAP_NONE);
	CHECK_HEX(m->ea[6], sp_at(0) + BIAS);
	/* l0..l7 at 0..56, i0..i7 at 64..120 of the area */
	CHECK_HEX(peek(m, sp_at(0) + BIAS), 0x1000);
	CHECK_HEX(peek(m, sp_at(0) + BIAS + 56), 0x7000);
	CHECK_HEX(peek(m, sp_at(0) + BIAS + 64 + 40), 0x5000);
	CHECK_U64(m->cpu.cansave, 0);
	CHECK_U64(m->cpu.canrestore, 6);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 7);
}

static void restore_from_nothing_fills_from_memory(void)
{
	struct machine *m = with_stack();

	m->cpu.r[FP] = sp_at(3);
	for (unsigned k = 0; k < 16; k++)
		poke(m, sp_at(3) + BIAS + 8 * k, 0x800 + k);
	m->cpu.r[I0] = 77;
	CHECK_U64(run(m, rrr(2, RESTORE, G0, G0, G0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[L0], 0x800);
	CHECK_HEX(m->cpu.r[I7], 0x80f);
	CHECK_HEX(m->cpu.r[O0], 77);
	CHECK_HEX(m->cpu.r[SP], sp_at(3));
	CHECK_HEX(m->ea[0], sp_at(3) + BIAS);
	CHECK_U64(m->cpu.cansave, 6);
	CHECK_U64(m->cpu.canrestore, 0);
}

static void return_restores_and_jumps(void)
{
	struct machine *m = with_stack();

	CHECK_U64(run(m, rri(2, SAVE, SP, SP, -FRAME)), TRAP_NONE);
	m->cpu.r[I7] = 0x5000;
	m->cpu.r[I0] = 12;
	CHECK_U64(run(m, rri(2, RETURN, 0, I7, 8)), TRAP_NONE);
	CHECK_HEX(m->cpu.pc, CODE + 8);
	CHECK_HEX(m->cpu.npc, 0x5008);
	CHECK(!m->cpu.annulled);
	CHECK_HEX(m->cpu.r[O0], 12);
	CHECK_HEX(m->cpu.r[SP], sp_at(0));
}

static void a_spill_to_nothing_traps_before_anything_moves(void)
{
	struct machine *m = with_stack();

	m->cpu.r[SP] = HOLE + 64 - BIAS;
	for (unsigned n = 1; n <= 6; n++)
		CHECK_U64(run(m, rri(2, SAVE, SP, G0, 3)), TRAP_NONE);
	CHECK_U64(run(m, rri(2, SAVE, SP, G0, 3)), TRAP_ACCESS);
	CHECK_HEX(m->cpu.fault_address, HOLE + 64);
	CHECK_U64(m->cpu.cansave, 0);
	CHECK_U64(m->cpu.canrestore, 6);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 6);
	CHECK_HEX(m->cpu.pc, CODE + 24);
}

static void a_misaligned_stack_traps(void)
{
	struct machine *m = machine_new();

	m->cpu.r[FP] = 0x2e000; /* without the bias: + 2047 is odd */
	CHECK_U64(run(m, rrr(2, RESTORE, G0, G0, G0)), TRAP_ALIGNMENT);
	CHECK_HEX(m->cpu.fault_address, 0x2e000 + BIAS);
	CHECK_U64(m->cpu.canrestore, 0);
}

static void flushw_spills_all_others(void)
{
	struct machine *m = with_stack();

	mark(m, 0);
	for (unsigned n = 1; n <= 3; n++) {
		CHECK_U64(run(m, rri(2, SAVE, SP, SP, -FRAME)), TRAP_NONE);
		mark(m, n);
	}
	CHECK_U64(run(m, rrr(2, FLUSHW, 0, 0, 0)), TRAP_NONE);
	for (unsigned n = 0; n < 3; n++)
		CHECK_HEX(peek(m, sp_at(n) + BIAS), 0x1000 + n);
	CHECK_HEX(m->ea[3], sp_at(2) + BIAS); /* the last one written */
	CHECK_U64(m->cpu.cansave, 6);
	CHECK_U64(m->cpu.canrestore, 0);
	check_mark(m, 3);
	CHECK_U64(run(m, rrr(2, FLUSHW, 0, 0, 0)), TRAP_NONE);
	CHECK_HEX(m->ea[4], 0); /* nothing left to spill */
	CHECK_U64(run(m, rrr(2, RESTORE, G0, G0, G0)), TRAP_NONE);
	check_mark(m, 2);
}

static const struct tap_test tests[] = {
	{"SAVE makes outs ins, RESTORE ins outs", outs_become_ins},
	{"ten nested windows come back", ten_nested_saves_come_back},
	{"the seventh SAVE spills the oldest window", the_seventh_save_spills_the_oldest_window},
	{"RESTORE without a window fills it from %fp + 2047", restore_from_nothing_fills_from_memory},
	{"RETURN restores and jumps", return_restores_and_jumps},
	{"a spill to nothing traps before anything moves", a_spill_to_nothing_traps_before_anything_moves},
	{"a misaligned save area traps", a_misaligned_stack_traps},
	{"FLUSHW spills all but the current window", flushw_spills_all_others},
};

int main(void)
{
	return tap_main("exec-window", tests, TAP_COUNT(tests));
}
