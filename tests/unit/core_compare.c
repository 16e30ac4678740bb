#include "core_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_random.h"
#include "tap.h"

static void add_words(struct core_compare_run *r, const void *counts, size_t bytes)
{
	const uint64_t *word = counts;

	for (size_t n = 0; n < bytes / sizeof(*word); n++)
		r->sum = (r->sum ^ word[n]) * 0x9e3779b97f4a7c15u;
}

static void end_interval(void *user, const struct core *c)
{
	struct core_compare_run *r = user;
	struct mem_buffers buffers;
	struct activity activity;

	core_activity(c, &activity);
	core_memsys_buffers(c, core_stats(c)->cycles, &buffers);
	add_words(r, core_stats(c), sizeof(struct core_stats));
	add_words(r, core_memsys_stats(c), sizeof(struct memsys_stats));
	add_words(r, &activity, sizeof(activity));
	add_words(r, &buffers, sizeof(buffers));
	r->intervals++;
}

void core_compare_start(struct core_compare_run *r, struct trace_reader *trace, const struct core_compare *what,
			uint64_t memory)
{
	const struct core_options options = {
		.hooks = &whole_core,
		.memo_bytes = memory,
		.memo_check = what->check,
		.region = what->region,
		.sample = what->sample,
		.segments = what->segments,
		.interval = what->interval,
		.on_interval = end_interval,
		.user = r,
	};
	const char *const *overrides = what->overrides;

	r->trace = trace;
	r->e.text[0] = '\0';
	r->intervals = r->sum = 0;
	r->config = config_create();
	core_config_add(r->config, &r->cfg);
	for (; overrides && *overrides; overrides++)
		REQUIRE(config_override(r->config, *overrides, "test", &r->e) == 0);
	REQUIRE(core_config_check(r->config, &r->cfg, &r->e) == 0);
	r->core = core_create(&r->cfg, trace, &options, &r->e);
	REQUIRE(r->core != NULL);
}

void core_compare_finish(struct core_compare_run *r)
{
	core_destroy(r->core);
	trace_close(r->trace);
	config_destroy(r->config);
}

static void same_regions(const struct core *a, const struct core *b)
{
	REQUIRE(core_region_count(a) == core_region_count(b));
	for (unsigned n = 0; n < core_region_count(a); n++) {
		struct core_region r, s;

		core_region(a, n, &r);
		core_region(b, n, &s);
		CHECK_U64(r.stats.cycles, s.stats.cycles);
		CHECK(r.entries == s.entries && !memcmp(&r.stats, &s.stats, sizeof(r.stats)) &&
		      !memcmp(&r.activity, &s.activity, sizeof(r.activity)));
	}
}

static void same_samples(const struct core *a, const struct core *b)
{
	struct core_sample x, y;

	core_sample(a, &x);
	core_sample(b, &y);
	REQUIRE(x.count == y.count);
	CHECK_U64(x.simulated, y.simulated);
	CHECK(!memcmp(&x.whole, &y.whole, sizeof(x.whole)));
	CHECK(!x.count || !memcmp(x.unit, y.unit, x.count * sizeof(x.unit[0])));
	CHECK(!memcmp(&x.head->stats, &y.head->stats, sizeof(x.head->stats)));
	CHECK(!memcmp(&x.rest->stats, &y.rest->stats, sizeof(x.rest->stats)));
	CHECK(!memcmp(&x.rest->activity, &y.rest->activity, sizeof(x.rest->activity)));
}

void core_compare_counts(const struct core *a, const struct core *b)
{
	struct activity x, y;

	CHECK_U64(core_stats(a)->cycles, core_stats(b)->cycles);
	CHECK_U64(core_stats(a)->instructions, core_stats(b)->instructions);
	CHECK(!memcmp(core_stats(a), core_stats(b), sizeof(struct core_stats)));
	CHECK(!memcmp(core_memsys_stats(a), core_memsys_stats(b), sizeof(struct memsys_stats)));
	CHECK(!memcmp(core_bpred_stats(a), core_bpred_stats(b), sizeof(struct bpred_stats)));
	core_activity(a, &x);
	core_activity(b, &y);
	CHECK(!memcmp(&x, &y, sizeof(x)));
	REQUIRE(core_profile_count(a) == core_profile_count(b));
	for (uint32_t n = 0; n < core_profile_count(a); n++) {
		struct core_profile p, q;

		core_profile(a, n, &p);
		core_profile(b, n, &q);
		CHECK(p.pc == q.pc && p.committed == q.committed && p.lost == q.lost);
	}
	same_regions(a, b);
	if (a->opt.sample)
		same_samples(a, b);
}

double core_compare(struct trace_reader *traces[2], const struct core_compare *what)
{
	struct core_compare_run detailed, memoised;
	struct memo_stats done;
	uint64_t seed = 3;
	int more = 1;
	double share;

	core_compare_start(&detailed, traces[0], what, 0);
	core_compare_start(&memoised, traces[1], what, what->memory);
	REQUIRE(memoised.core->memo != NULL);
	memoised.core->memo->tireless = !what->rests;
	while (more > 0) {
		uint64_t cycles = what->step ? 1 + core_random_number(&seed) % what->step : UINT64_MAX;

		more = core_run(detailed.core, cycles, &detailed.e);
		CHECK_I64(core_run(memoised.core, cycles, &memoised.e), more);
		core_compare_counts(detailed.core, memoised.core);
	}
	CHECK_STR(memoised.e.text, detailed.e.text);
	CHECK(memoised.intervals == detailed.intervals && memoised.sum == detailed.sum);
	memo_statistics(memoised.core, &done);
	if (what->loop_periods)
		*what->loop_periods += done.loop_periods;
	if (what->lines)
		*what->lines += done.lines;
	share = 100 * (double)done.replayed / (double)core_stats(memoised.core)->cycles;
	if (getenv("CORE_MEMO_SHARES"))
		fprintf(stderr,
			"%.2f %% of %llu cycles were replayed, %llu recorded, %llu states, %llu bytes, cleared %llu "
			"times\n",
			share, (unsigned long long)core_stats(memoised.core)->cycles, (unsigned long long)done.recorded,
			(unsigned long long)done.states, (unsigned long long)done.bytes,
			(unsigned long long)done.clears);
	core_compare_finish(&detailed);
	core_compare_finish(&memoised);
	return share;
}

double core_compare_sample(const char *name, const struct core_compare *what)
{
	struct trace_reader *traces[2];
	char path[64];
	struct err e;

	snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", name);
	for (unsigned n = 0; n < 2; n++) {
		traces[n] = trace_open(tap_source(path), &e);
		REQUIRE(traces[n] != NULL);
	}
	return core_compare(traces, what);
}
