/* The profile and the warm-up of a trace in segments (psim/segments/segments.h), with parts that only warm up. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "psim/segments/segments.h"
#include "psim/app/profile.h"
#include "psim/app/whole_core.h"

struct outcome {
	struct trace_reader *trace;
	struct config *config;
	struct core_config cfg;
	struct core *core;
	struct profile profile;
};

static void start(struct outcome *o, struct trace_maker *m, const struct segment_plan *plan)
{
	const struct core_options options = {.hooks = &whole_core, .segments = plan};
	struct err e;

	o->trace = trace_maker_open(m);
	o->config = config_create();
	core_config_add(o->config, &o->cfg);
	REQUIRE(core_config_check(o->config, &o->cfg, &e) == 0);
	o->core = core_create(&o->cfg, o->trace, &options, &e);
	REQUIRE(o->core != NULL);
}

static void finish(struct outcome *o)
{
	profile_free(&o->profile);
	core_destroy(o->core);
	trace_close(o->trace);
	config_destroy(o->config);
}

static void take_profile(struct outcome *o)
{
	struct err e;

	REQUIRE(profile_make(&o->profile, o->core, &o->cfg, trace_info(o->trace), &e) == 0);
}

/* Runs to the end; with a plan, the counts are the sum of the records. */
static void run(struct outcome *o, const struct segment_plan *plan)
{
	enum { RECORDS = 32 };
	struct {
		uint64_t *words;
		size_t count;
	} kept[RECORDS];
	unsigned records = 0;
	struct err e;
	int more = 1;

	while (more > 0) {
		const struct segment_record *record;
		size_t words;

		more = core_run(o->core, 1000, &e);
		REQUIRE(more >= 0);
		record = plan ? core_segment_record(o->core, &words) : NULL;
		if (!record)
			continue;
		REQUIRE(records < RECORDS);
		kept[records].words = malloc(words * sizeof(uint64_t));
		REQUIRE(kept[records].words != NULL);
		memcpy(kept[records].words, record, words * sizeof(uint64_t));
		kept[records++].count = words;
	}
	if (plan)
		core_segment_clear(o->core);
	for (unsigned n = 0; n < records; n++) {
		const void *record = kept[n].words;

		CHECK_I64(core_segment_add(o->core, record, kept[n].count, &e), 0);
		free(kept[n].words);
	}
	CHECK(!plan || records > 3);
	take_profile(o);
}

static void same_places(const struct places *a, const struct places *b)
{
	REQUIRE(a->count == b->count);
	for (size_t n = 0; n < a->count; n++) {
		const struct place *x = &a->at[n], *y = &b->at[n];

		CHECK_HEX(x->from, y->from);
		CHECK_HEX(x->to, y->to);
		CHECK_U64(x->passes, y->passes);
		CHECK_U64(x->committed, y->committed);
		CHECK_U64(x->lost, y->lost);
		CHECK_U64(x->self, y->self);
	}
}

/*
 * Caches warm up in three parts, before, between and behind two that are simulated. Function f has an instruction at
 * its begin and one at its end, at 0x10000 and 0x10100, and function g one, that are executed there alone, 5 times in
 * each part.
 */
static void warm_up(struct trace_maker *m)
{
	static const uint32_t one[] = {W_ADD(1, 1, 1)};
	struct err e;

	CHECK_I64(trace_writer_warm_up(m->writer, true, &e), 0);
	trace_maker_loop(m, 0x10000, one, 1, 5, NULL, NULL);
	trace_maker_loop(m, 0x10100, one, 1, 5, NULL, NULL);
	trace_maker_loop(m, 0x20000, one, 1, 5, NULL, NULL);
	CHECK_I64(trace_writer_warm_up(m->writer, false, &e), 0);
}

/* The loop of f at 0x10010 is simulated twice, 3000 turns each. */
static void make_trace(struct trace_maker *m)
{
	static const uint32_t loop[] = {W_ADD(4, 4, 1), W_BNE(-1), W_NOP};
	static const struct trace_symbol symbols[] = {{0x10000, 0x200, "f"}, {0x20000, 0x100, "g"}};
	const struct trace_info info = {
		.program = "test", .recorder = "340", .warm_up = true, .symbols = symbols, .symbol_count = 2};

	trace_maker_start(m, &info);
	for (unsigned n = 0; n < 2; n++) {
		warm_up(m);
		trace_maker_loop(m, 0x10010, loop, 3, 3000, NULL, NULL);
	}
	warm_up(m);
}

static void what_only_warms_up_is_in_no_table(void)
{
	const struct segment_plan plan = {.length = 6000, .count = 3, .run_in = 1000, .apart = 100};
	struct outcome whole, segments;
	struct trace_maker m;

	make_trace(&m);
	start(&whole, &m, NULL);
	run(&whole, NULL);
	start(&segments, &m, &plan);
	run(&segments, &plan);
	same_places(&segments.profile.functions, &whole.profile.functions);
	same_places(&segments.profile.loops, &whole.profile.loops);
	REQUIRE(segments.profile.functions.count == 1 && segments.profile.loops.count == 1);
	CHECK_HEX(segments.profile.functions.at[0].from, 0x10010);
	CHECK_HEX(segments.profile.functions.at[0].to, 0x1001c);
	CHECK_U64(segments.profile.functions.at[0].passes, 6000);
	CHECK_U64(segments.profile.functions.at[0].committed, 3 * 6000);
	finish(&whole);
	finish(&segments);
	trace_maker_finish(&m);
}

static void a_sum_has_the_warm_up_of_the_trace(void)
{
	const struct segment_plan plan = {.length = 6000, .count = 3, .run_in = 1000, .apart = 100};
	struct outcome segments;
	struct trace_maker m;

	make_trace(&m);
	start(&segments, &m, &plan);
	run(&segments, &plan);
	CHECK_U64(core_warmed(segments.core), 3 * 15);
	core_segment_clear(segments.core);
	CHECK_U64(core_warmed(segments.core), 0);
	finish(&segments);
	trace_maker_finish(&m);
}

static const struct tap_test tests[] = {
	{"what only warms up is in no table", what_only_warms_up_is_in_no_table},
	{"a sum has the warm-up of the trace", a_sum_has_the_warm_up_of_the_trace},
};

int main(void)
{
	return tap_main("segment profile", tests, TAP_COUNT(tests));
}
