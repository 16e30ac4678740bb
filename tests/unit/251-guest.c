/*
 * Guests run as SPARC-V9 Linux says, and are recorded as trace.h says. Programs
 * are words (assembled by GNU as); the first is at 0x100000. NOP and the two
 * words of GUEST_EXIT are three instructions that return %o0.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest_maker.h"
#include "traces/record/record_run.h"

#define COUNT(words) (sizeof(words) / sizeof(*(words)))
#define NOP 0x01000000u
#define MOV_O0(n) (0x90102000u | (n)) /* mov n, %o0 */

static struct run_result run(struct guest *g, const struct run_options *o)
{
	struct run_result r;
	struct err e = {.text = ""};
	CHECK_I64(guest_run(g, o, &r, &e), 0);
	CHECK_STR(e.text, "");
	return r;
}

static void check_exit(const uint32_t *words, unsigned count, int status, uint64_t insns)
{
	struct guest *g = guest_maker_load(words, count, 0);
	run(g, &(struct run_options){0});
	CHECK_I64(g->end, GUEST_EXITED);
	CHECK_I64(g->exit_status, status);
	CHECK_U64(g->insns, insns);
	guest_destroy(g);
}

static void exit_status_and_count(void)
{
	static const uint32_t words[] = {MOV_O0(7), GUEST_EXIT};
	check_exit(words, COUNT(words), 7, 3); /* the system call counts too */
}

static void annulled_slots_are_not_executed(void)
{
	static const uint32_t words[] = {
		0x80a02000,                        /* cmp %g0, 0: equal */
		0x32800003,                        /* bne,a +3: not taken, so the slot is annulled */
		MOV_O0(3),  MOV_O0(4), 0x22800002, /* be,a +2: taken, so the slot is executed */
		0x90022001,                        /* inc %o0 */
		GUEST_EXIT,
	};
	check_exit(words, COUNT(words), 5, 7); /* nine words less the annulled one: 8 - 1 */
}

static void a_transfer_in_a_delay_slot_moves_one_instruction_away(void)
{
	static const uint32_t words[] = {
		0x10800003,             /* ba A */
		0x10800004,             /* ba B, in the slot of the first */
		NOP,        0x82102001, /* A: mov 1, %g1: executed, it is the slot of the second */
		NOP,        MOV_O0(6),  /* B */
		0x91d0206d,
	};
	check_exit(words, COUNT(words), 6, 5); /* ba, ba, mov, mov, ta */
}

static void rewritten_code_counts_after_flush(void)
{
	static const uint32_t words[] = {
		0x05000400,                        /* sethi %hi(0x100000), %g2 */
		0xc600a034,                        /* ld [%g2 + 52], %g3: the last word */
		0x40000008,                        /* call F */
		NOP,        0xc620a028,            /* st %g3, [%g2 + 40]: over F's first word */
		0x81d8a028,                        /* flush [%g2 + 40] */
		0x40000004,                        /* call F */
		NOP,        GUEST_EXIT, MOV_O0(5), /* F, at 40 */
		0x81c3e008,                        /* retl */
		NOP,        MOV_O0(9),             /* 52 */
	};
	check_exit(words, COUNT(words), 9, 16); /* 10 + 2 x 3 */
}

static void unknown_system_calls_give_enosys(void)
{
	static const uint32_t words[] = {
		0x030000ff, /* sethi %hi(0x3fc00), %g1: no such call */
		0x91d0206d,
		GUEST_EXIT,
	};
	check_exit(words, COUNT(words), 90, 4); /* ENOSYS of SPARC is 90 */
}

static void check_killed(const uint32_t *words, unsigned count, int signal, const char *text)
{
	struct guest *g = guest_maker_load(words, count, 0);
	run(g, &(struct run_options){0});
	CHECK_I64(g->end, GUEST_KILLED);
	CHECK_I64(g->signal_number, signal);
	CHECK_STR(g->error.text, text);
	guest_destroy(g);
}

static void a_fault_in_a_delay_slot_tells_its_own_pc(void)
{
	static const uint32_t words[] = {
		0x10800002, /* ba +2 */
		0xd0582008, /* ldx [8], %o0 in the slot */
		GUEST_EXIT,
	};
	check_killed(words, COUNT(words), 11,
		     "pc 0x100004 (?): access to address 0x8, which is not mapped: killed by SIGSEGV");
}

static void illegal_words_kill(void)
{
	static const uint32_t words[] = {NOP, 0};
	check_killed(words, COUNT(words), 4, "pc 0x100004 (?): illegal instruction 0x00000000: killed by SIGILL");
}

static void clocks_count_instructions(void)
{
	static const uint32_t words[] = {
		0x82102074, /* mov 116, %g1: gettimeofday */
		0x9003a7ff, /* add %sp, 2047, %o0 */
		0x92102000, /* mov 0, %o1 */
		0x91d0206d, /* ta 0x6d */
		0x9002a000, /* (nothing) add %o2, 0, %o0 */
		0xd003a807, /* ld [%sp + 2047 + 8], %o0: microseconds */
		GUEST_EXIT,
	};
	check_exit(words, COUNT(words), 0, 8); /* 4 instructions are 2 ns: 0 us */
}

static bool stop_at_once(void *user, uint64_t insns)
{
	*(uint64_t *)user = insns;
	return false;
}

static void a_run_can_be_stopped(void)
{
	static const uint32_t words[] = {0x10800000, NOP}; /* ba . */
	struct guest *g = guest_maker_load(words, COUNT(words), 0);
	uint64_t seen = 0;
	run(g, &(struct run_options){.progress = stop_at_once, .user = &seen});
	CHECK_I64(g->end, GUEST_STOPPED);
	CHECK(seen >= 1000000 && seen == g->insns);
	guest_destroy(g);
}

/* ---- recording ---- */

static char path[GUEST_MAKER_PATH];

static struct trace_writer *open_trace(void *user, unsigned place, uint64_t first_insn, struct err *e)
{
	struct trace_info info = {.program = "p", .recorder = "r", .first_insn = first_insn};
	info.warm_up = user != NULL; /* run_options.user of the tests below */
	(void)place;
	return trace_writer_create(path, &info, e);
}

/* Records a program and opens what came of it. */
static struct trace_reader *record(const uint32_t *words, unsigned count, struct run_options o)
{
	struct guest *g = guest_maker_load(words, count, 0);
	struct err e = {.text = ""};
	guest_maker_temporary(path);
	o.open = open_trace;
	struct run_result r = run(g, &o);
	REQUIRE(r.writer[0] != NULL);
	CHECK_I64(trace_writer_close(r.writer[0], g->exit_status, &e), 0);
	guest_destroy(g);
	return guest_maker_open(path);
}

static void check_run(struct trace_reader *r, uint64_t pc, unsigned count)
{
	struct trace_step s = {0};
	struct err e = {.text = ""};
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	REQUIRE(s.block != NULL);
	CHECK_HEX(s.block->pc, pc);
	CHECK_U64(s.block->count, count);
}

static void check_event(struct trace_reader *r, int event, const char *name)
{
	struct trace_step s = {.name = ""};
	struct err e = {.text = ""};
	CHECK_I64(trace_next(r, &s, &e), event);
	CHECK_STR(s.name, name);
}

static const uint32_t branches[] = {
	0x80a02000,             /* 00 cmp %g0, 0 */
	0x32800003, MOV_O0(3),  /* 04 bne,a +3: the slot is annulled */
	MOV_O0(4),              /* 0c */
	0x22800002, 0x90022001, /* 10 be,a +2; slot executed */
	GUEST_EXIT,             /* 18 */
};

static void blocks_end_after_executed_slots(void)
{
	struct trace_reader *r = record(branches, COUNT(branches), (struct run_options){0});
	check_run(r, 0x100000, 2); /* cmp, bne without its slot */
	check_run(r, 0x10000c, 3); /* mov, be, inc */
	check_run(r, 0x100018, 2);
	check_event(r, TRACE_END, "");
	CHECK_I64(trace_totals(r)->exit_status, 5);
	trace_close(r);
}

static void recording_begins_where_asked(void)
{
	struct trace_reader *r = record(branches, COUNT(branches), (struct run_options){.from = 0x100010});
	CHECK_U64(trace_info(r)->first_insn, 3); /* cmp, bne, mov */
	check_run(r, 0x100010, 2);
	check_run(r, 0x100018, 2);
	check_event(r, TRACE_END, "");
	trace_close(r);
}

static void recording_skips_and_stops_between_blocks(void)
{
	struct trace_reader *r = record(branches, COUNT(branches), (struct run_options){.skip = 1, .max = 2});
	CHECK_U64(trace_info(r)->first_insn, 2); /* the whole first block */
	check_run(r, 0x10000c, 3);               /* and the whole second one */
	check_event(r, TRACE_END, "");
	trace_close(r);
}

static void addresses_go_with_their_block(void)
{
	static const uint32_t words[] = {
		0x05000400, /* sethi %hi(0x100000), %g2 */
		0xc600a004, /* ld [%g2 + 4], %g3 */
		0xc628a007, /* stb %g3, [%g2 + 7] */
		MOV_O0(0),  GUEST_EXIT,
	};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){0});
	struct trace_step s = {0};
	struct err e;
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	REQUIRE(s.block != NULL && s.block->memory_count == 2);
	CHECK_HEX(s.ea[0], 0x100004);
	CHECK_HEX(s.ea[1], 0x100007);
	trace_close(r);
}

static const uint32_t marked[] = {
	0x11000400, 0x90022030,                        /* 00 %o0 = 0x100030, the name */
	0x012b5053,                                    /* 08 begin */
	NOP,                                           /* 0c */
	0x012e5053,                                    /* 10 end */
	NOP,        NOP,        MOV_O0(0),             /* 14 */
	GUEST_EXIT, NOP,        NOP,       0x6b000000, /* 30 "k" */
};

static void markers_become_events(void)
{
	struct trace_reader *r = record(marked, COUNT(marked), (struct run_options){0});
	check_run(r, 0x100000, 3); /* up to the marker and with it */
	check_event(r, TRACE_REGION_BEGIN, "k");
	check_run(r, 0x10000c, 2);
	check_event(r, TRACE_REGION_END, "k");
	check_run(r, 0x100014, 5);
	check_event(r, TRACE_END, "");
	trace_close(r);
}

static void only_the_wanted_region_is_recorded(void)
{
	static const char *const names[] = {"k"};
	struct trace_reader *r =
		record(marked, COUNT(marked), (struct run_options){.regions = names, .region_count = 1});
	CHECK_U64(trace_info(r)->first_insn, 3);
	check_event(r, TRACE_REGION_BEGIN, "k");
	check_run(r, 0x10000c, 2);
	check_event(r, TRACE_REGION_END, "k");
	check_event(r, TRACE_END, "");
	trace_close(r);
}

/* Two entries, 14 instructions before the first (two of them of a loop that runs three times) and three between. */
static const uint32_t marked_twice[] = {
	0x11000400, 0x90022060,                                           /* 00 %o0 = 0x100060, the name */
	0x84102003,                                                       /* 08 mov 3, %g2 */
	0x84a0a001,                                                       /* 0c deccc %g2 */
	0x12bfffff, NOP,                                                  /* 10 bne 0c; its slot */
	0x012b5053,                                                       /* 18 begin */
	NOP,                                                              /* 1c */
	0x012e5053,                                                       /* 20 end */
	NOP,        NOP,                                                  /* 24 */
	0x012b5053,                                                       /* 2c begin */
	NOP,                                                              /* 30 */
	0x012e5053,                                                       /* 34 end */
	MOV_O0(0),                                                        /* 38 */
	GUEST_EXIT, NOP,        NOP, NOP, NOP, NOP, NOP, NOP, 0x6b000000, /* 60 "k" */
};

static void check_warm(struct trace_reader *r, uint64_t pc, unsigned count, bool warm)
{
	struct trace_step s = {0};
	struct err e = {.text = ""};

	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	REQUIRE(s.block != NULL);
	CHECK_HEX(s.block->pc, pc);
	CHECK_U64(s.block->count, count);
	CHECK(s.warm_up == warm);
}

/*
 * The blocks before the first entry: 00 to 14 (6 instructions), 0c (3), 0c (3), 18 (1, the marker). Of 4 wanted, the
 * last two; of 5 and 7 the last three; of 100 all. Between the entries 24 (3).
 */
static void warm_up_parts_stand_before_each_entry(void)
{
	static const char *const names[] = {"k"};
	static const struct {
		unsigned wanted, loops;
		bool first;
	} cases[] = {
		{4, 1, false}, {5, 2, false}, {7, 2, false}, {8, 2, true}, {100, 2, true},
	};

	for (unsigned n = 0; n < COUNT(cases); n++) {
		struct trace_reader *r =
			record(marked_twice, COUNT(marked_twice),
			       (struct run_options){
				       .regions = names, .region_count = 1, .warm_up = cases[n].wanted, .user = &r});

		if (cases[n].first)
			check_warm(r, 0x100000, 6, true);
		for (unsigned k = 0; k < cases[n].loops; k++)
			check_warm(r, 0x10000c, 3, true);
		check_warm(r, 0x100018, 1, true);
		check_event(r, TRACE_REGION_BEGIN, "k");
		check_warm(r, 0x10001c, 2, false);
		check_event(r, TRACE_REGION_END, "k");
		check_warm(r, 0x100024, 3, true);
		check_event(r, TRACE_REGION_BEGIN, "k");
		check_warm(r, 0x100030, 2, false);
		check_event(r, TRACE_REGION_END, "k");
		check_event(r, TRACE_END, "");
		trace_close(r);
	}
}

/* Where recording begins late, or instructions are left out, the warm-up part is what precedes. */
static void any_recording_that_begins_late_can_be_warm(void)
{
	struct trace_reader *r =
		record(branches, COUNT(branches), (struct run_options){.from = 0x100010, .warm_up = 1, .user = &r});
	check_warm(r, 0x10000c, 1, true);
	check_warm(r, 0x100010, 2, false);
	check_warm(r, 0x100018, 2, false);
	check_event(r, TRACE_END, "");
	trace_close(r);
	r = record(branches, COUNT(branches), (struct run_options){.skip = 1, .warm_up = 1, .user = &r});
	check_warm(r, 0x100000, 2, true);
	check_warm(r, 0x10000c, 3, false);
	check_warm(r, 0x100018, 2, false);
	check_event(r, TRACE_END, "");
	trace_close(r);
}

static void a_killed_program_leaves_a_complete_trace(void)
{
	static const uint32_t words[] = {NOP, NOP, 0};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){0});
	check_run(r, 0x100000, 2); /* without the instruction that trapped */
	check_event(r, TRACE_END, "");
	trace_close(r);
}

static const struct tap_test tests[] = {
	{"The exit status and the number of instructions come back", exit_status_and_count},
	{"Annulled slots are not executed", annulled_slots_are_not_executed},
	{"A transfer in a delay slot takes effect one instruction later",
	 a_transfer_in_a_delay_slot_moves_one_instruction_away},
	{"Rewritten code counts after FLUSH", rewritten_code_counts_after_flush},
	{"Unknown system calls give ENOSYS", unknown_system_calls_give_enosys},
	{"A fault in a delay slot tells its own pc", a_fault_in_a_delay_slot_tells_its_own_pc},
	{"Illegal words kill the program", illegal_words_kill},
	{"Clocks count instructions", clocks_count_instructions},
	{"A run can be stopped from outside", a_run_can_be_stopped},
	{"Blocks end after executed slots and before annulled ones", blocks_end_after_executed_slots},
	{"Recording begins at the address asked for", recording_begins_where_asked},
	{"Recording skips and stops between blocks", recording_skips_and_stops_between_blocks},
	{"Effective addresses go with their block", addresses_go_with_their_block},
	{"Region markers become events", markers_become_events},
	{"Only the wanted region is recorded", only_the_wanted_region_is_recorded},
	{"Warm-up parts stand before each entry", warm_up_parts_stand_before_each_entry},
	{"Any recording that begins late can be warm", any_recording_that_begins_late_can_be_warm},
	{"A killed program leaves a complete trace", a_killed_program_leaves_a_complete_trace},
};

int main(void)
{
	return tap_main("guest", tests, TAP_COUNT(tests));
}
