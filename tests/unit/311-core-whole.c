/* Properties of whole runs: skipping changes nothing, two cores do not meet, regions, the stack. */
#include <stdlib.h>
#include <string.h>

#include "core_random.h"
#include "core_run.h"
#include "tap.h"

/* As core_random_small, but a load's consumers are selected after the miss is known; and a deeper window. */
static const char *const late[] = {
	"l1d.perfect=no",
	"l1i.perfect=no",
	"tlb.perfect=no",
	"l1d.size=4 KiB",
	"l1i.size=4 KiB",
	"l2.size=48 KiB",
	"tlb.udtlb_entries=4",
	"latency.load_use=6",
	"lsu.hit_known=2",
	"core.rob_entries=200",
	"decode.gub_entries=100",
	"decode.fub_entries=100",
	NULL,
};

static void skipping_idle_cycles_changes_nothing(void)
{
	struct core_stats skipped, stepped;
	struct trace_maker m;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		const char *const *machine = seed % 2 ? core_random_small : late;

		core_random_trace(&m, 3000, UINT32_MAX, seed);
		core_run_trace(&m, machine, false, &skipped);
		core_run_trace(&m, machine, true, &stepped);
		trace_maker_finish(&m);
		CHECK(skipped.skipped_cycles > skipped.cycles / 20);
		CHECK_U64(skipped.cycles, stepped.cycles);
		CHECK(!memcmp(&skipped, &stepped, sizeof(skipped)));
	}
}

static void every_instruction_is_committed_once(void)
{
	struct core_stats s;
	struct trace_maker m;

	core_random_trace(&m, 3000, UINT32_MAX, 7);
	core_run_trace(&m, core_random_small, false, &s);
	trace_maker_finish(&m);
	CHECK_U64(s.instructions, 3000 * 12);
	CHECK_U64(s.dispatched, s.instructions + s.trap_instructions);
	CHECK_U64(s.branches, 3000);
	/* Each is selected once, and once more for each time it was called back. */
	CHECK_U64(s.selected - s.replayed, s.instructions);
	CHECK(s.replayed > 0);
}

static void tiny_machines_run_too(void)
{
	static const char *const tiny[] = {
		"core.rob_entries=2",  "core.rse_entries=1",   "core.rsf_entries=1",     "core.rsa_entries=1",
		"core.rsbr_entries=1", "decode.gub_entries=2", "decode.fub_entries=8",   "lsu.store_buffer=1",
		"lsu.load_queue=1",    "lsu.store_queue=1",    "fetch.buffer_entries=1", "decode.width=1",
		"core.commit_width=1", "core.int_pipes=1",     "core.fp_pipes=1",        "core.address_pipes=1",
		"l1d.miss_buffers=1",  "l2.miss_buffers=1",    "l1i.miss_buffers=1",     NULL,
	};
	static const char *const large[] = {
		"core.rob_entries=1024", "core.rse_entries=64",     "core.rsf_entries=64",
		"core.rsa_entries=64",   "decode.gub_entries=512",  "decode.fub_entries=512",
		"decode.width=16",       "core.commit_width=16",    "core.int_pipes=4",
		"core.fp_pipes=4",       "core.address_pipes=4",    "lsu.load_queue=256",
		"lsu.store_queue=256",   "fetch.buffer_entries=64", NULL,
	};
	struct core_stats s, l;
	struct trace_maker m;

	core_random_trace(&m, 2000, UINT32_MAX, 11);
	core_run_trace(&m, tiny, false, &s);
	core_run_trace(&m, large, false, &l);
	trace_maker_finish(&m);
	CHECK_U64(s.instructions, 2000 * 12);
	CHECK_U64(l.instructions, 2000 * 12);
	CHECK(l.cycles < s.cycles);
}

static struct core *open_core(struct trace_maker *m, struct core_config *cfg, struct config **config,
			      struct trace_reader **trace)
{
	struct core *c;

	*config = config_create();
	core_config_add(*config, cfg);
	*trace = trace_maker_open(m);
	c = core_create(cfg, *trace, NULL, NULL);
	REQUIRE(c != NULL);
	return c;
}

static void two_cores_in_one_process_do_not_meet(void)
{
	struct core_config cfg[2];
	struct config *config[2];
	struct trace_reader *trace[2];
	struct trace_maker m;
	struct core *a, *b;
	int more_a = 1, more_b = 1;

	core_random_trace(&m, 2000, UINT32_MAX, 3);
	a = open_core(&m, &cfg[0], &config[0], &trace[0]);
	b = open_core(&m, &cfg[1], &config[1], &trace[1]);
	/* In turns of different length, so that they are never at the same cycle. */
	while (more_a || more_b) {
		more_a = core_run(a, 100, NULL);
		more_b = core_run(b, 333, NULL);
		REQUIRE(more_a >= 0 && more_b >= 0);
	}
	CHECK_U64(core_stats(a)->cycles, core_stats(b)->cycles);
	CHECK_U64(core_stats(a)->lost[STALL_mispredict], core_stats(b)->lost[STALL_mispredict]);
	CHECK_U64(core_memsys_stats(a)->l1d_load_misses, core_memsys_stats(b)->l1d_load_misses);
	for (unsigned n = 0; n < 2; n++) {
		core_destroy(n ? b : a);
		trace_close(trace[n]);
		config_destroy(config[n]);
	}
	trace_maker_finish(&m);
}

static void a_region_counts_what_lies_between_its_marks(void)
{
	static const uint32_t words[] = {W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1)};
	struct core_config cfg;
	struct config *config;
	struct trace_reader *trace;
	struct core_region g;
	struct trace_maker m;
	struct core *c;

	/* 4 x 100 outside, then twice: 4 x 50 inside, 4 x 10 outside. */
	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, words, 4, 100, NULL, NULL);
	for (unsigned n = 0; n < 2; n++) {
		REQUIRE(trace_writer_region(m.writer, "inner", true, NULL) == 0);
		trace_maker_loop(&m, 0x10000, words, 4, 50, NULL, NULL);
		REQUIRE(trace_writer_region(m.writer, "inner", false, NULL) == 0);
		trace_maker_loop(&m, 0x10000, words, 4, 10, NULL, NULL);
	}
	c = open_core(&m, &cfg, &config, &trace);
	REQUIRE(core_run(c, UINT64_MAX, NULL) == 0);
	CHECK_U64(core_region_count(c), 1);
	core_region(c, 0, &g);
	CHECK_STR(g.name, "inner");
	CHECK_U64(g.entries, 2);
	CHECK_U64(g.stats.instructions, 400);
	/* A chain of adds: a cycle each, give or take the commit of the first and the last group. */
	CHECK(g.stats.cycles >= 392 && g.stats.cycles <= 408);
	CHECK_U64(g.activity.cycles, g.stats.cycles);
	core_destroy(c);
	trace_close(trace);
	config_destroy(config);
	trace_maker_finish(&m);
}

static void an_open_region_counts_up_to_now(void)
{
	static const uint32_t words[] = {W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1)};
	struct core_config cfg;
	struct config *config;
	struct trace_reader *trace;
	struct core_region g;
	struct trace_maker m;
	struct core *c;

	/* 4 x 50 outside; then a region that the trace does not end, 4 x 100. */
	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, words, 4, 50, NULL, NULL);
	REQUIRE(trace_writer_region(m.writer, "open", true, NULL) == 0);
	trace_maker_loop(&m, 0x10000, words, 4, 100, NULL, NULL);
	c = open_core(&m, &cfg, &config, &trace);
	while (core_stats(c)->instructions < 300)
		REQUIRE(core_run(c, 10, NULL) == 1);
	core_region(c, 0, &g);
	CHECK_U64(g.stats.instructions, core_stats(c)->instructions - 200);
	REQUIRE(core_run(c, UINT64_MAX, NULL) == 0);
	core_region(c, 0, &g);
	CHECK_U64(g.entries, 1);
	CHECK_U64(g.stats.instructions, 400);
	CHECK_U64(g.activity.cycles, g.stats.cycles);
	core_destroy(c);
	trace_close(trace);
	config_destroy(config);
	trace_maker_finish(&m);
}

static void a_damaged_trace_is_told_not_believed(void)
{
	struct core_config cfg;
	struct config *config;
	struct trace_reader *trace;
	struct trace_maker m;
	struct core *c;
	struct err e = {0};
	FILE *f;

	core_random_trace(&m, 3000, UINT32_MAX, 5);
	trace_close(trace_maker_open(&m));
	f = fopen(m.path, "r+b");
	REQUIRE(f && !fseek(f, -40, SEEK_END));
	fputc(0x5a, f);
	fputc(0xa5, f);
	fclose(f);
	config = config_create();
	core_config_add(config, &cfg);
	trace = trace_open(m.path, &e);
	if (trace) {
		c = core_create(&cfg, trace, NULL, &e);
		CHECK(!c || core_run(c, UINT64_MAX, &e) < 0);
		core_destroy(c);
	}
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	trace_close(trace);
	config_destroy(config);
	trace_maker_finish(&m);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"skipping idle cycles changes nothing", skipping_idle_cycles_changes_nothing},
		{"every instruction is committed once", every_instruction_is_committed_once},
		{"tiny and large machines run too", tiny_machines_run_too},
		{"two cores in one process do not meet", two_cores_in_one_process_do_not_meet},
		{"a region counts what lies between its marks", a_region_counts_what_lies_between_its_marks},
		{"an open region counts up to now", an_open_region_counts_up_to_now},
		{"a damaged trace is told, not believed", a_damaged_trace_is_told_not_believed},
	};

	return tap_main("core-whole", tests, TAP_COUNT(tests));
}
