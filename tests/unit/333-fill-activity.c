/* Fills and write-backs are charged by their bytes: psim/core/activity.c. */
#include "tap.h"

#include "core_run.h"
#include "psim/core/core.h"

enum { LINES = 64, APART = 4096 }; /* no two share a line */

/* LINES accesses, each to a line of its own, on the default machine with `overrides`; its activity. */
static void run(const uint32_t word, const char *const *overrides, struct activity *out)
{
	static const char *const always[] = {"l1i.perfect=yes", "tlb.perfect=yes", "prefetch.enabled=no"};
	struct trace_maker t;
	struct trace_reader *trace;
	struct config *config = config_create();
	struct core_config cfg;
	struct core *core;
	struct err e = {.text = ""};
	uint32_t words[LINES];
	uint64_t ea[LINES];

	REQUIRE(config != NULL);
	core_config_add(config, &cfg);
	for (unsigned n = 0; n < 3; n++)
		CHECK_I64(config_override(config, always[n], "test", &e), 0);
	for (; *overrides; overrides++)
		CHECK_I64(config_override(config, *overrides, "test", &e), 0);
	CHECK_I64(core_config_check(config, &cfg, &e), 0);
	CHECK_STR(e.text, "");
	for (unsigned n = 0; n < LINES; n++) {
		words[n] = word;
		ea[n] = 0x1000000 + (uint64_t)n * APART;
	}
	trace_maker_start(&t, NULL);
	trace_maker_straight(&t, 0x10000, words, LINES, ea);
	trace = trace_maker_open(&t);
	core = core_create(&cfg, trace, NULL, &e);
	REQUIRE(core != NULL);
	CHECK_I64(core_run(core, UINT64_MAX, &e), 0);
	core_activity(core, out);
	core_destroy(core);
	trace_close(trace);
	trace_maker_finish(&t);
	config_destroy(config);
}

/*
 * A line of 64 bytes is four accesses of 16 to L1D, and one of 64 to L2; of 128 it is eight, and two. Memory's line
 * goes into L2 by the bytes of L2's lines.
 */
static void a_line_costs_its_bytes(void)
{
	static const char *const small[] = {"l1d.line_bytes=64", "l2.line_bytes=64", NULL};
	static const char *const large[] = {"l1d.line_bytes=128", "l2.line_bytes=128", NULL};
	static const char *const mixed[] = {"l1d.line_bytes=64", "l2.line_bytes=256", NULL};
	struct activity a;

	run(W_LDX(2, 16, 0), small, &a);
	CHECK_U64(a.writes[ARRAY_l1d], LINES * 4);
	CHECK_U64(a.reads[ARRAY_l2], LINES);
	CHECK_U64(a.writes[ARRAY_l2], LINES);
	run(W_LDX(2, 16, 0), large, &a);
	CHECK_U64(a.writes[ARRAY_l1d], LINES * 8);
	CHECK_U64(a.reads[ARRAY_l2], LINES * 2);
	CHECK_U64(a.writes[ARRAY_l2], LINES * 2);
	run(W_LDX(2, 16, 0), mixed, &a);
	CHECK_U64(a.writes[ARRAY_l1d], LINES * 4);
	CHECK_U64(a.reads[ARRAY_l2], LINES);
	CHECK_U64(a.writes[ARRAY_l2], LINES * 4);
}

/* The same lines over a path of 16 bytes a cycle are four transfers of its width each, of 32 two. */
static void the_path_to_l2_costs_its_transfers(void)
{
	static const char *const narrow[] = {"l1d.line_bytes=64", "l2.line_bytes=64", "l2.bandwidth=16B/cycle", NULL};
	static const char *const wide[] = {"l1d.line_bytes=64", "l2.line_bytes=64", "l2.bandwidth=32B/cycle", NULL};
	struct activity a;

	run(W_LDX(2, 16, 0), narrow, &a);
	CHECK_U64(a.writes[ARRAY_l2_bus], LINES * 4);
	run(W_LDX(2, 16, 0), wide, &a);
	CHECK_U64(a.writes[ARRAY_l2_bus], LINES * 2);
}

/*
 * An L1D of one way and 4 KiB: all lines fall into one set, and each store's line throws the one before out. No line is
 * requested ahead, and the last store is still in the store buffer, of one entry, when it has committed: 63 stores
 * write. So 62 dirty lines of 64 bytes are read from L1D by four accesses each, and written to L2 by one.
 */
static void a_write_back_costs_its_bytes(void)
{
	static const char *const machine[] = {"l1d.line_bytes=64",
					      "l2.line_bytes=64",
					      "l1d.size=4KiB",
					      "l1d.ways=1",
					      "lsu.store_prefetch=no",
					      "lsu.store_buffer=1",
					      NULL};
	const uint64_t written = LINES - 1;
	struct activity a;

	run(W_STX(2, 16, 0), machine, &a);
	CHECK_U64(a.writes[ARRAY_l1d], written + written * 4); /* the stores, and the fills */
	CHECK_U64(a.reads[ARRAY_l1d], (written - 1) * 4);
	CHECK_U64(a.writes[ARRAY_l2], written - 1 + written);
}

static const struct tap_test tests[] = {
	{"a line costs its bytes", a_line_costs_its_bytes},
	{"the path to L2 costs its transfers", the_path_to_l2_costs_its_transfers},
	{"a write-back costs its bytes", a_write_back_costs_its_bytes},
};

int main(void)
{
	return tap_main("fill-activity", tests, TAP_COUNT(tests));
}
