/*
 * Guests that use the SIMD array, and their traces. Words of the extension as
 * docs/models/simd-isa.md has them; the first is at 0x100000.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest_maker.h"
#include "isa/simd_array.h"
#include "traces/record/record_run.h"

#define COUNT(words) (sizeof(words) / sizeof(*(words)))
#define NOP 0x01000000u
#define MOV_O0(n) (0x90102000u | (n))
#define SIMDON 0x81b03400u
#define SIMDOFF 0x81b03420u
#define RDSIMD_O1 0x93b03440u
#define FADDD 0x89a08842u /* faddd 2, 2, 4 */

static char path[GUEST_MAKER_PATH];

static struct trace_writer *open_trace(void *user, unsigned place, uint64_t first_insn, struct err *e)
{
	struct guest *g = user;
	struct trace_info info = {.program = "p", .recorder = "r", .first_insn = first_insn};
	if (guest_must_declare_array(g)) {
		info.pes = g->options.pes;
		info.sbm_bytes = g->options.sbm_bytes;
	}
	(void)place;
	return trace_writer_create(path, &info, e);
}

/* Runs and records the guest; its trace is at `path` if that worked. */
static void run(struct guest *g, struct run_options o)
{
	struct run_result r;
	struct err e = {.text = ""};
	guest_maker_temporary(path);
	o.open = open_trace;
	o.user = g;
	CHECK_I64(guest_run(g, &o, &r, &e), 0);
	CHECK_STR(e.text, "");
	if (g->end == GUEST_EXITED)
		CHECK_I64(trace_writer_close(r.writer[0], g->exit_status, &e), 0);
	else
		trace_writer_abort(r.writer[0]);
}

static struct trace_reader *record(const uint32_t *words, unsigned count, struct run_options o)
{
	struct guest *g = guest_maker_load(words, count, 4);
	run(g, o);
	CHECK_STR(g->error.text, "");
	guest_destroy(g);
	return guest_maker_open(path);
}

static const struct trace_block *check_run(struct trace_reader *r, uint64_t pc, unsigned count, bool simd)
{
	struct trace_step s = {0};
	struct err e = {.text = ""};
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	REQUIRE(s.block != NULL);
	CHECK_HEX(s.block->pc, pc);
	CHECK_U64(s.block->count, count);
	CHECK_U64(s.block->simd, simd);
	return s.block;
}

static const uint32_t modes[] = {
	NOP,        SIMDON,    /* 00 */
	FADDD,      SIMDOFF,   /* 08 */
	FADDD,      MOV_O0(0), /* 10 */
	GUEST_EXIT,
};

static void blocks_end_where_the_mode_changes(void)
{
	struct trace_reader *r = record(modes, COUNT(modes), (struct run_options){0});
	CHECK_U64(trace_info(r)->pes, 4);
	CHECK_U64(trace_info(r)->sbm_bytes, 8192);
	check_run(r, 0x100000, 2, false);
	const struct trace_block *b = check_run(r, 0x100008, 2, true);
	CHECK_HEX(b->insns[0].dst[0].unit, REG_S + 4);
	CHECK(b->insns[0].flags & INSN_SIMD);
	b = check_run(r, 0x100010, 4, false);
	CHECK_HEX(b->insns[0].dst[0].unit, REG_F + 4);
	trace_close(r);
}

/* The same code called in both modes has two blocks. */
static void one_pc_has_a_block_a_mode(void)
{
	static const uint32_t words[] = {
		0x40000007, NOP,        /* 00 call F at 1c */
		SIMDON,                 /* 08 */
		0x40000004, NOP,        /* 0c call F */
		0x10800004, SIMDOFF,    /* 14 ba END at 24, simdoff in its slot */
		0x81c3e008, FADDD,      /* 1c F: retl, faddd in its slot */
		MOV_O0(0),  GUEST_EXIT, /* 24 */
	};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){0});
	check_run(r, 0x100000, 2, false);
	check_run(r, 0x10001c, 2, false);
	check_run(r, 0x100008, 1, false);
	check_run(r, 0x10000c, 2, true);
	check_run(r, 0x10001c, 2, true);
	check_run(r, 0x100014, 1, true); /* the branch, */
	check_run(r, 0x100018, 1, true); /* and its slot alone, which changes the mode */
	check_run(r, 0x100024, 3, false);
	trace_close(r);
}

static void a_program_without_the_array_does_not_tell_it(void)
{
	static const uint32_t words[] = {FADDD, MOV_O0(0), GUEST_EXIT};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){0});
	CHECK_U64(trace_info(r)->pes, 0);
	CHECK_U64(trace_info(r)->sbm_bytes, 0);
	trace_close(r);
}

static void a_region_in_simd_mode_is_recorded(void)
{
	static const char *const names[] = {"k"};
	static const uint32_t words[] = {
		0x11000400, 0x90022030,      /* 00 %o0 = 0x100030, the name */
		SIMDON,                      /* 08 */
		0x012b5053,                  /* 0c begin */
		FADDD,                       /* 10 */
		0x012e5053,                  /* 14 end */
		SIMDOFF,    MOV_O0(0),       /* 18 */
		GUEST_EXIT, NOP,        NOP, /* 20 */
		0x6b000000,                  /* 30 "k" */
	};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){.regions = names, .region_count = 1});
	struct trace_step s = {0};
	struct err e;
	CHECK_U64(trace_info(r)->pes, 4);
	CHECK_U64(trace_info(r)->first_insn, 4);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_BEGIN);
	check_run(r, 0x100010, 2, true);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_END);
	trace_close(r);
}

static void transfers_bring_three_addresses(void)
{
	static const uint32_t words[] = {
		0x11000400,               /* 00 sethi %hi(0x100000), %o0: the program itself */
		0x13001400,               /* 04 sethi %hi(0x500000), %o1 */
		0x932a7018,               /* 08 sllx %o1, 24, %o1: 0x500000000000, the window of all */
		0x94102001,               /* 0c mov 1, %o2 */
		0x952ab018,               /* 10 sllx %o2, 24, %o2: one piece */
		0x9412a010,               /* 14 or %o2, 16, %o2: of 16 bytes */
		RDSIMD_O1 & ~0x3e000000u, /* 18 rdsimd %g0 */
		0xd5420009,               /* 1c sxget [ %o0 ], [ %o1 ], %o2 */
		0xc1502000,               /* 20 sxwait 0 */
		0xd0022004,               /* 24 ld [%o0 + 4], %o0 */
		MOV_O0(0),
		GUEST_EXIT,
	};
	struct trace_reader *r = record(words, COUNT(words), (struct run_options){0});
	struct trace_step s = {0};
	struct err e;
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	REQUIRE(s.block && s.block->memory_count == 4);
	CHECK_HEX(s.ea[0], 0x100000);
	CHECK_HEX(s.ea[1], 0x500000000000);
	CHECK_HEX(s.ea[2], 0x1000010);
	CHECK_HEX(s.ea[3], 0x100004);
	trace_close(r);
}

/* ---- mistakes: the message, and no signal ---- */

static void check_failure(const uint32_t *words, unsigned count, unsigned pes, const char *text)
{
	struct guest *g = guest_maker_load(words, count, pes);
	run(g, (struct run_options){0});
	unlink(path);
	CHECK_I64(g->end, GUEST_FAILED);
	CHECK_STR(g->error.text, text);
	guest_destroy(g);
}

static void mistakes_end_the_recording(void)
{
	static const uint32_t divide[] = {SIMDON, NOP, 0x89a089c2 /* fdivd 2, 2, 4 */};
	static const uint32_t compare[] = {SIMDON, NOP, 0x83a84ac2 /* fcmped %fcc1, %f32, %f2 */};
	static const uint32_t quad[] = {SIMDON, NOP, 0x91a1087d /* faddq %f4, %f60, %f8 */};
	static const uint32_t cross[] = {NOP, 0x91b88c64 /* fxmaddd 2, 4, 6, 8 */, SIMDON};
	static const uint32_t absent[] = {SIMDON, NOP};
	static const uint32_t number[] = {0x94102004, /* mov 4, %o2 */
					  0x89b2b482 /* pegetd %o2, 2, 4 */, SIMDON};

	check_failure(
		divide, COUNT(divide), 4,
		"pc 0x100008 (?): fdivd  %s2, %s2, %s4: the PEs cannot divide, expected psim-record --units divide or "
		"simdoff before it; units (0; 4 PEs, 8192 bytes each)");
	check_failure(compare, COUNT(compare), 4,
		      "pc 0x100008 (?): fcmped  %fcc1, %s32, %s2: the PEs cannot compare, expected psim-record --units "
		      "select or simdoff before it; units (0; 4 PEs, 8192 bytes each)");
	check_failure(
		quad, COUNT(quad), 4,
		"pc 0x100008 (?): faddq  %f4, %f60, %f8: instruction illegal in SIMD mode: simdoff is missing, or "
		"the compiler moved the instruction (see docs/models/simd-isa.md)");
	check_failure(cross, COUNT(cross), 4,
		      "pc 0x100004 (?): fxmaddd  %s2, %s4, %s6, %s8: instruction needs SIMD mode: simdon is missing");
	check_failure(absent, COUNT(absent), 0, "pc 0x100000 (?): simdon : no SIMD array (--pes 0)");
	check_failure(number, COUNT(number), 4,
		      "pc 0x100004 (?): pegetd  %o2, %s2, %f4: unknown PE number (4; 4 PEs, "
		      "8192 bytes each)");
}

/* The program has no simdon when the trace begins, so the header declares no array. */
static void an_undeclared_array_is_reported(void)
{
	static const uint32_t words[] = {
		0x94102000, /* mov 0, %o2 */
		0x89b2b482, /* pegetd %o2, 2, 4 */
		MOV_O0(0),
		GUEST_EXIT,
	};
	check_failure(words, COUNT(words), 4,
		      "the SIMD array is used, but the program had no simdon or rdsimd in its code "
		      "when the trace began");
}

static void an_illegal_word_is_still_a_signal(void)
{
	static const uint32_t words[] = {SIMDON, 0};
	struct guest *g = guest_maker_load(words, COUNT(words), 4);
	run(g, (struct run_options){0});
	unlink(path);
	CHECK_I64(g->end, GUEST_KILLED);
	CHECK_I64(g->signal_number, 4);
	guest_destroy(g);
}

static const struct tap_test tests[] = {
	{"blocks end where the mode changes", blocks_end_where_the_mode_changes},
	{"one pc has a block for each mode", one_pc_has_a_block_a_mode},
	{"a program without the array does not tell it", a_program_without_the_array_does_not_tell_it},
	{"a region in SIMD mode is recorded", a_region_in_simd_mode_is_recorded},
	{"transfers bring three addresses", transfers_bring_three_addresses},
	{"mistakes end the recording with their place", mistakes_end_the_recording},
	{"an undeclared array is reported", an_undeclared_array_is_reported},
	{"an illegal word in SIMD mode is still a signal", an_illegal_word_is_still_a_signal},
};

int main(void)
{
	return tap_main("record simd", tests, TAP_COUNT(tests));
}
