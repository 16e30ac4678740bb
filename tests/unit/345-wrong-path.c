/*
 * Wrong paths (psim/core/wrong_path.h): programs whose cycles and counts are worked out by hand.
 *
 * The transfer that is predicted wrong is a BNE that has not been taken before; it waits for a division of 37 cycles.
 * Behind its delay slot is address BEHIND, where its wrong path begins. In a trace, blocks may follow each other
 * without a transfer. A wrong path knows all blocks before its transfer's, that, and the two behind it, which fetch has
 * read.
 */
#include "tap.h"

#include <string.h>

#include "core_draw.h"
#include "core_random.h"
#include "core_run.h"
#include "psim/app/whole_core.h"

enum {
	BEHIND = 0x20000,
	BRANCH = BEHIND - 16, /* in set 7 of an L1I of 8 sets */
	L2_LATENCY = 12,
	FILL_LATENCY = 2,
};
#define W_CALL 0x40000004u /* where it goes, the trace says */
#define W_RETL 0x81c3e008u

/* Four instructions of which the third, the branch, waits for the first. */
static const uint32_t branch[] = {W_SDIVX(1, 2, 3), W_SUBCC(1, 5), W_BNE(64), W_NOP};
static const uint32_t adds[] = {W_ADD(4, 4, 1), W_ADD(5, 5, 1), W_ADD(6, 6, 1), W_ADD(7, 7, 1)};
static const uint32_t nested[] = {W_BNE(64), W_NOP};
static const uint32_t call[] = {W_CALL, W_NOP};
static const uint32_t retl[] = {W_RETL, W_NOP};
static const uint32_t load[] = {W_LDX(8, 9, 0), W_ADD(10, 8, 1)};

struct run {
	struct core_stats core;
	struct memsys_stats memory;
	struct bpred_stats branches;
};

/* Runs the trace on a machine with perfect caches but for `overrides`; verifies every cycle if `check`. */
static struct run run_one(struct trace_maker *m, const char *const *overrides, const char *kind, bool every_cycle)
{
	static const char *const perfect[] = {"l1i.perfect=yes", "l1d.perfect=yes", "l2.perfect=yes", "tlb.perfect=yes",
					      "l1i.next_line_prefetch=no"};
	struct core_options options = {.check = true, .no_skip = every_cycle};
	struct trace_reader *trace = trace_maker_open(m);
	struct config *config = config_create();
	struct err e = {.text = ""};
	struct core_config cfg;
	struct core *core;
	struct run r;

	core_config_add(config, &cfg);
	for (unsigned n = 0; n < 5; n++)
		config_override(config, perfect[n], "test", &e);
	for (; *overrides; overrides++)
		config_override(config, *overrides, "test", &e);
	config_override(config, kind, "test", &e);
	CHECK_STR(e.text, "");
	REQUIRE(core_config_check(config, &cfg, &e) == 0);
	REQUIRE((core = core_create(&cfg, trace, &options, &e)) != NULL);
	CHECK_I64(core_run(core, UINT64_MAX, &e), 0);
	CHECK_STR(e.text, "");
	r = (struct run){*core_stats(core), *core_memsys_stats(core), *core_bpred_stats(core)};
	r.core.skipped_cycles = 0; /* of the host */
	core_destroy(core);
	trace_close(trace);
	config_destroy(config);
	return r;
}

/* The run without wrong paths, and that with them, which is the same if every cycle is simulated. */
static void run_both(struct trace_maker *m, const char *const *overrides, const char *kind, struct run *ret_none,
		     struct run *ret_with)
{
	struct run every;

	*ret_none = run_one(m, overrides, "fetch.wrong_path=none", false);
	*ret_with = run_one(m, overrides, kind, false);
	every = run_one(m, overrides, kind, true);
	CHECK(!memcmp(&every.core, &ret_with->core, sizeof(every.core)));
	CHECK(!memcmp(&every.memory, &ret_with->memory, sizeof(every.memory)));
	trace_maker_finish(m);
	CHECK_U64(ret_with->core.wrong_path_groups, 0); /* no estimate beside what is counted */
	CHECK_U64(ret_none->core.paths_followed, 0);
	CHECK_U64(ret_none->branches.mispredicted, ret_with->branches.mispredicted);
	CHECK_U64(ret_none->core.instructions, ret_with->core.instructions);
}

static const char *const small_l1i[] = {"l1i.perfect=no", "l1i.size=1KiB", NULL};

/*
 * The block BEHIND is in L1I, then two others displace it from set 0. The wrong path fetches it again, long before the
 * division ends; it runs behind the branch's target. So it hits, and all behind it comes the latency of L2 earlier.
 */
static void a_wrong_path_fetches_a_line_that_is_used_later(void)
{
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BEHIND, adds, 4, NULL);
	trace_maker_run(&m, 0x30000, adds, 4, NULL);
	trace_maker_run(&m, 0x40000, adds, 4, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 2, NULL); /* set 1; an instruction for each pipe */
	trace_maker_run(&m, BEHIND, adds, 4, NULL);
	run_both(&m, small_l1i, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(none.core.cycles - with.core.cycles, L2_LATENCY);
	CHECK_U64(none.memory.l1i_misses, 6);
	CHECK_U64(with.memory.l1i_misses, 6); /* one of them on the wrong path */
	CHECK_U64(with.memory.wrong_fetches, 1);
	CHECK_U64(with.memory.wrong_fetch_misses, 1);
	CHECK_U64(with.memory.wrong_l1i_lines, 1);
	CHECK_U64(with.memory.wrong_l1i_used, 1);
	CHECK_U64(with.memory.wrong_l1i_harmful, 0);
	/* four instructions, behind which no code is known */
	CHECK_U64(with.core.paths_followed, 1);
	CHECK_U64(with.core.path_groups, 1);
	CHECK_U64(with.core.path_instructions, 4);
	CHECK_U64(with.core.paths_left, 1);
	CHECK_U64(with.core.fetch_groups, none.core.fetch_groups);
}

/* The same, but what runs behind the target is the block that the wrong path displaces: the older one of the set. */
static void a_wrong_path_displaces_a_line_that_is_used_later(void)
{
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BEHIND, adds, 4, NULL);
	trace_maker_run(&m, 0x30000, adds, 4, NULL);
	trace_maker_run(&m, 0x40000, adds, 4, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 2, NULL);
	trace_maker_run(&m, 0x30000, adds, 4, NULL);
	run_both(&m, small_l1i, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(with.core.cycles - none.core.cycles, L2_LATENCY);
	CHECK_U64(none.memory.l1i_misses, 5);
	CHECK_U64(with.memory.l1i_misses, 5 + 2);
	CHECK_U64(with.memory.wrong_l1i_lines, 1);
	CHECK_U64(with.memory.wrong_l1i_used, 0);
	CHECK_U64(with.memory.wrong_l1i_harmful, 1);
}

/* Nothing behind the branch has run when it resolves. */
static void a_wrong_path_ends_where_no_code_is_known(void)
{
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	for (unsigned n = 0; n < 3; n++)
		trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, adds, 4, NULL);
	run_both(&m, small_l1i, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(with.core.cycles, none.core.cycles);
	CHECK_U64(with.core.paths_followed, 1);
	CHECK_U64(with.core.paths_left, 1);
	CHECK_U64(with.core.path_groups, 0);
	CHECK_U64(with.memory.wrong_fetches, 0);
}

/*
 * BEHIND is a branch that has been taken to 0x60080, in set 2, whose line two others have displaced since. On the wrong
 * path the branch history sends fetch there. The last block but one is that branch again, predicted as if there had
 * been no wrong path.
 */
static void transfers_on_a_wrong_path_go_where_predicted(void)
{
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BEHIND, nested, 2, NULL); /* unknown, so predicted wrong; behind it is no known code */
	trace_maker_run(&m, 0x60080, adds, 4, NULL);
	trace_maker_run(&m, 0x30080, adds, 4, NULL);
	trace_maker_run(&m, 0x40080, adds, 4, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, nested, 2, NULL);
	trace_maker_run(&m, 0x60080, adds, 4, NULL);
	run_both(&m, small_l1i, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(none.core.cycles - with.core.cycles, L2_LATENCY);
	CHECK_U64(with.branches.mispredicted, 2);
	CHECK_U64(with.branches.branches, 3);
	CHECK_U64(with.core.paths_followed, 2);
	CHECK_U64(with.core.paths_left, 2);
	CHECK_U64(with.core.path_groups, 2);
	CHECK_U64(with.core.path_instructions, 2 + 4);
	CHECK_U64(with.core.path_transfers, 1);
	CHECK_U64(with.memory.wrong_l1i_lines, 1);
	CHECK_U64(with.memory.wrong_l1i_used, 1);
}

/*
 * Four transfers are predicted wrong:
 *   the first call        D redirects fetch; its wrong path is the block behind it, an addition, behind which no code
 *                         is known
 *   the return BEHIND     the return stack is empty, so it leads to address 0
 *   the call before that  D redirects fetch 6 cycles after its IA. On the wrong path, one cycle after it, is the first
 *                         call; 3 cycles later its target, a return; 3 cycles later would be the addition
 *   the branch            the return, to behind the second call: the first call, its return, the addition
 * The last three are popped and pushed on the return stack. Each return behind it is predicted right.
 */
static void calls_and_returns_leave_the_stack_as_it_was(void)
{
	enum { SECOND = 0x28000, FIRST = SECOND + 8, ADDITION = FIRST + 8, CALLED = 0x30000, RETURNS = 0x38000 };
	static const char *const none_else[] = {NULL};
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, FIRST, call, 2, NULL);
	trace_maker_run(&m, CALLED, retl, 2, NULL);
	trace_maker_run(&m, ADDITION, adds, 1, NULL);
	trace_maker_run(&m, BEHIND, retl, 2, NULL);
	trace_maker_run(&m, SECOND, call, 2, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, RETURNS, retl, 2, NULL);
	trace_maker_run(&m, FIRST, call, 2, NULL);
	trace_maker_run(&m, CALLED, retl, 2, NULL);
	trace_maker_run(&m, ADDITION, adds, 1, NULL);
	run_both(&m, none_else, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(with.core.cycles, none.core.cycles);
	CHECK_U64(with.branches.mispredicted, 4);
	CHECK_U64(with.branches.ras_pops, 4);
	CHECK_U64(with.branches.ras_hits, 3);
	CHECK_U64(with.core.paths_followed, 4);
	CHECK_U64(with.core.paths_left, 3);
	CHECK_U64(with.core.path_groups, 1 + 0 + 2 + 4);
	CHECK_U64(with.core.path_instructions, 1 + 0 + 4 + 7);
	CHECK_U64(with.core.path_transfers, 0 + 0 + 2 + 3);
}

/* Enough additions, four a cycle, for all that is before them to commit. */
static void wait_for_commit(struct trace_maker *m)
{
	uint32_t many[64];

	for (unsigned n = 0; n < 64; n++)
		many[n] = W_NOP;
	for (unsigned n = 0; n < 4; n++)
		trace_maker_run(m, 0x70000, many, 64, NULL);
}

/* A load has gone through an array in steps of a line; on the wrong path it takes the next step, which is right. */
static void a_wrong_path_loads_a_line_that_is_used_later(void)
{
	static const char *const real_l1d[] = {"l1d.perfect=no", NULL};
	struct trace_maker m;
	struct run none, with, fetch;

	trace_maker_start(&m, NULL);
	for (uint64_t ea = 0x100000; ea < 0x1000c0; ea += 64)
		trace_maker_run(&m, BEHIND, load, 2, &ea);
	wait_for_commit(&m);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, load, 2, (const uint64_t[]){0x1000c0});
	fetch = run_one(&m, real_l1d, "fetch.wrong_path=fetch", false);
	run_both(&m, real_l1d, "fetch.wrong_path=loads", &none, &with);
	CHECK_U64(fetch.core.cycles, none.core.cycles);
	CHECK_U64(none.core.cycles - with.core.cycles, L2_LATENCY + FILL_LATENCY);
	CHECK_U64(with.core.path_loads, 1);
	CHECK_U64(with.core.path_loads_cut, 0);
	CHECK_U64(none.memory.l1d_load_misses, 4);
	CHECK_U64(with.memory.l1d_load_misses, 4); /* one of them on the wrong path */
	CHECK_U64(with.memory.wrong_loads, 1);
	CHECK_U64(with.memory.wrong_load_misses, 1);
	CHECK_U64(with.memory.wrong_l1d_lines, 1);
	CHECK_U64(with.memory.wrong_l1d_used, 1);
	CHECK_U64(with.memory.l1d_loads, none.memory.l1d_loads + 1);
	CHECK_U64(with.core.loads, none.core.loads);
}

enum { BANKS_LATENCY = 100 };

/*
 * The same with memory of banks and rows, whose clock is a cycle: the row is open, so a read is at L2 5 + 4 cycles and
 * the latency later. The branch resolves long before; what is behind its target needs the line some 64 cycles later for
 * each of `waits`.
 */
static void load_a_line_of_banks(unsigned waits, struct run *ret_none, struct run *ret_with)
{
	static const char *const banks[] = {
		"l1d.perfect=no",      "l2.perfect=no",   "memory.kind=dram",       "chip.frequency=1GHz",
		"dram.frequency=1GHz", "dram.channels=1", "dram.latency=100cycles", NULL};
	struct trace_maker m;

	trace_maker_start(&m, NULL);
	for (uint64_t ea = 0x100000; ea < 0x1000c0; ea += 64)
		trace_maker_run(&m, BEHIND, load, 2, &ea);
	for (unsigned n = 0; n < 3; n++)
		wait_for_commit(&m);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	for (unsigned n = 0; n < waits; n++)
		wait_for_commit(&m);
	trace_maker_run(&m, BEHIND, load, 2, (const uint64_t[]){0x1000c0});
	run_both(&m, banks, "fetch.wrong_path=loads", ret_none, ret_with);
	CHECK_U64(ret_with->core.path_loads, 1);
	CHECK_U64(ret_with->core.path_loads_cut, 0);
	CHECK_U64(ret_with->memory.wrong_loads, 1);
	CHECK_U64(ret_with->memory.wrong_load_misses, 1);
	CHECK_U64(ret_with->memory.wrong_l2_misses, 1);
	CHECK_U64(ret_with->memory.wrong_l2_lines, 1);
	CHECK_U64(ret_with->memory.wrong_l1d_lines, 1);
	CHECK_U64(ret_with->memory.wrong_l1d_used, 1);
	CHECK_U64(ret_with->memory.memory_reads, ret_none->memory.memory_reads);
	CHECK_U64(ret_with->memory.l1d_load_misses, 4);
}

/* Its load goes on when the path has ended, and fills the line into L1D. */
static void a_line_of_banks_arrives_behind_the_end_of_its_path(void)
{
	struct run none, with;

	load_a_line_of_banks(3, &none, &with);
	CHECK_U64(none.core.cycles - with.core.cycles, 5 + 4 + BANKS_LATENCY + L2_LATENCY + FILL_LATENCY);
}

/* The right path has a load of the line before that, completes the miss, and has the line in the same cycle. */
static void the_right_path_completes_a_miss_of_a_wrong_path(void)
{
	struct run none, with;

	load_a_line_of_banks(0, &none, &with);
	CHECK(none.core.cycles > with.core.cycles);
	CHECK(none.core.cycles - with.core.cycles < BANKS_LATENCY);
}

/*
 * A load misses right before the branch. On the wrong path are two loads, 11 cycles apart: the second one requests
 * a line when that of the right path has been read, which is still the right path's.
 */
static void a_line_is_that_of_the_path_which_requested_it(void)
{
	static const char *const banks[] = {"l1d.perfect=no",
					    "l2.perfect=no",
					    "memory.kind=dram",
					    "chip.frequency=1GHz",
					    "dram.frequency=1GHz",
					    "dram.channels=1",
					    NULL};
	static const uint32_t far[] = {W_LDX(8, 9, 0)};
	uint32_t two[46];
	struct trace_maker m;
	struct run none, with;

	for (unsigned n = 0; n < 46; n++)
		two[n] = n == 0 || n == 44 ? W_LDX(8, 9, 0) : W_NOP;
	trace_maker_start(&m, NULL);
	for (uint64_t ea = 0x100000; ea < 0x100180; ea += 128)
		trace_maker_run(&m, BEHIND, two, 46, (const uint64_t[]){ea, ea + 64});
	for (unsigned n = 0; n < 3; n++)
		wait_for_commit(&m);
	trace_maker_run(&m, 0x60000, far, 1, (const uint64_t[]){0x200000});
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	for (unsigned n = 0; n < 3; n++)
		wait_for_commit(&m);
	run_both(&m, banks, "fetch.wrong_path=loads", &none, &with);
	CHECK_U64(with.core.path_loads, 2);
	CHECK_U64(with.memory.wrong_l2_misses, 2);
	CHECK_U64(with.memory.wrong_l2_lines, 2);
	CHECK_U64(with.memory.wrong_l1d_lines, 2);
	CHECK_U64(with.memory.memory_reads, none.memory.memory_reads + 2);
}

/*
 * The steps of a line as above, but right before the branch: of six executions the last three have not committed when
 * the wrong path has the load, and each is a step between. So the guess is as right. A chain of divisions holds them.
 */
static void steps_in_flight_are_steps_between(void)
{
	static const char *const real_l1d[] = {"l1d.perfect=no", NULL};
	static const uint32_t chain[] = {W_SDIVX(8, 2, 3), W_SDIVX(8, 8, 3)};
	struct trace_maker m;
	struct run none, with;
	uint64_t ea = 0x100000;

	trace_maker_start(&m, NULL);
	for (; ea < 0x1000c0; ea += 64)
		trace_maker_run(&m, BEHIND, load, 2, &ea);
	wait_for_commit(&m);
	trace_maker_run(&m, 0x60000, chain, 2,
			NULL); /* commits behind the wrong path's load, and holds back the next ones */
	for (; ea < 0x100180; ea += 64)
		trace_maker_run(&m, BEHIND, load, 2, &ea);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, load, 2, &ea);
	run_both(&m, real_l1d, "fetch.wrong_path=loads", &none, &with);
	CHECK_U64(with.core.path_loads, 1);
	CHECK_U64(with.memory.wrong_l1d_lines, 1);
	CHECK_U64(with.memory.wrong_l1d_used, 1);
	CHECK_U64(none.core.cycles - with.core.cycles, L2_LATENCY + FILL_LATENCY);
}

/* An address that is in the trace but not committed is not known: nothing is guessed. */
static void addresses_in_flight_are_not_known(void)
{
	static const char *const real_l1d[] = {"l1d.perfect=no", NULL};
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, load, 2, (const uint64_t[]){0x1000c0}); /* the wrong path knows its code */
	run_both(&m, real_l1d, "fetch.wrong_path=loads", &none, &with);
	CHECK_U64(none.core.cycles, with.core.cycles);
	CHECK_U64(with.core.path_instructions, 2);
	CHECK_U64(with.core.path_loads, 0);
	CHECK_U64(with.core.path_loads_unknown, 1);
	CHECK_U64(with.memory.wrong_loads, 0);
}

/* Without two equal strides the load is guessed at its last address, whose line is there. */
static void a_load_without_a_stride_is_guessed_where_it_was(void)
{
	static const char *const real_l1d[] = {"l1d.perfect=no", NULL};
	static const uint64_t places[] = {0x100000, 0x100040, 0x100200};
	struct trace_maker m;
	struct run none, with;

	trace_maker_start(&m, NULL);
	for (unsigned n = 0; n < 3; n++)
		trace_maker_run(&m, BEHIND, load, 2, &places[n]);
	wait_for_commit(&m);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	trace_maker_run(&m, BEHIND, load, 2, (const uint64_t[]){0x1000c0});
	run_both(&m, real_l1d, "fetch.wrong_path=loads", &none, &with);
	CHECK_U64(none.core.cycles, with.core.cycles);
	CHECK_U64(with.memory.wrong_loads, 1);
	CHECK_U64(with.memory.wrong_load_misses, 0);
	CHECK_U64(with.memory.wrong_l1d_lines, 0);
}

/*
 * The four instructions of the branch leave 12 of 16 entries of the window until it resolves; the first commits shortly
 * before. The first group of eight fits there, the others stay in the instruction buffer, which has room for two.
 */
static void the_window_and_the_buffer_bound_a_wrong_path(void)
{
	static const char *const narrow[] = {"core.rob_entries=16", "fetch.buffer_entries=2", NULL};
	uint32_t many[64];
	struct trace_maker m;
	struct run none, with;

	for (unsigned n = 0; n < 64; n++)
		many[n] = adds[n % 4];
	trace_maker_start(&m, NULL);
	trace_maker_run(&m, BEHIND, many, 64, NULL);
	trace_maker_run(&m, BRANCH, branch, 4, NULL);
	trace_maker_run(&m, 0x50040, adds, 4, NULL);
	run_both(&m, narrow, "fetch.wrong_path=fetch", &none, &with);
	CHECK_U64(with.core.cycles, none.core.cycles);
	CHECK_U64(with.core.path_groups, 3);
	CHECK_U64(with.core.path_instructions, 24);
	CHECK_U64(with.core.paths_left, 0);
}

/* Random programs on random machines: skipping changes nothing, and the right path is whole. */
static void skipping_idle_cycles_changes_nothing(void)
{
	uint64_t paths = 0, requests = 0, cut = 0;

	for (uint64_t seed = 1; seed <= 32; seed++) {
		uint64_t state = seed * 77;
		struct trace_maker m;
		struct core_draw d;
		struct run none, with;
		unsigned texts = 0;

		core_draw_machine(&d, &state);
		while (d.overrides[texts])
			texts++;
		d.overrides[texts] = seed % 2 ? "memory.kind=channel" : "memory.kind=dram";
		d.overrides[texts + 1] = NULL;
		core_random_trace(&m, 400, UINT32_MAX, seed);
		run_both(&m, d.overrides, seed % 3 ? "fetch.wrong_path=loads" : "fetch.wrong_path=fetch", &none, &with);
		paths += with.core.paths_followed;
		requests += with.core.path_loads;
		cut += with.core.path_loads_cut;
	}
	CHECK(paths > 1000);
	CHECK(requests > 100 && cut > 100);
}

static const struct tap_test tests[] = {
	{"a wrong path fetches a line that is used later", a_wrong_path_fetches_a_line_that_is_used_later},
	{"a wrong path displaces a line that is used later", a_wrong_path_displaces_a_line_that_is_used_later},
	{"a wrong path ends where no code is known", a_wrong_path_ends_where_no_code_is_known},
	{"transfers on a wrong path go where predicted", transfers_on_a_wrong_path_go_where_predicted},
	{"calls and returns leave the return stack as it was", calls_and_returns_leave_the_stack_as_it_was},
	{"a wrong path loads a line that is used later", a_wrong_path_loads_a_line_that_is_used_later},
	{"a line of banks arrives behind the end of its path", a_line_of_banks_arrives_behind_the_end_of_its_path},
	{"the right path completes a miss of a wrong path", the_right_path_completes_a_miss_of_a_wrong_path},
	{"a line is that of the path which requested it", a_line_is_that_of_the_path_which_requested_it},
	{"steps in flight are steps between", steps_in_flight_are_steps_between},
	{"addresses in flight are not known", addresses_in_flight_are_not_known},
	{"a load without a stride is guessed where it was", a_load_without_a_stride_is_guessed_where_it_was},
	{"the window and the buffer bound a wrong path", the_window_and_the_buffer_bound_a_wrong_path},
	{"skipping idle cycles changes nothing", skipping_idle_cycles_changes_nothing},
};

int main(void)
{
	return tap_main("wrong path", tests, TAP_COUNT(tests));
}
