/*
 * Loops of random instructions on a random machine: the memoised core ends with the same counts as the detailed one, or
 * this aborts. Bytes 0 and 1 choose the machine and the code, byte 2 how often known transitions are simulated again;
 * each three bytes after them are a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/core_random.h"
#include "fuzz.h"
#include "psim/core/core.h"
#include "psim/app/whole_core.h"

enum { LOOPS = 6, MEMORY = 1 << 24 };

static void make_trace(struct trace_maker *m, const uint8_t *data, size_t size)
{
	struct core_loop_block code[CORE_LOOP_CODE];
	uint64_t state = 1 + data[1];

	core_loop_code(code, &state);
	trace_maker_start(m, NULL);
	for (size_t n = 3; n + 3 <= size && n < 3 * (LOOPS + 1); n += 3) {
		const struct core_loop loop = {
			.first = data[n] % CORE_LOOP_CODE,
			.blocks = 1 + data[n + 1] % CORE_LOOP_BLOCKS,
			.times = data[n + 2] % 24,
			.window = 8u << data[n + 1] / CORE_LOOP_BLOCKS % 14,
			.odd = 1 + data[n] / CORE_LOOP_CODE * 8u,
		};

		core_loop_run(m, code, &loop, &state);
	}
}

/* Some parameters of the machine, by the bits of `choice`. */
static void make_machine(struct config *config, struct core_config *cfg, uint8_t choice)
{
	static const char *const overrides[][2] = {
		{"core.rob_entries", "100"},
		{"lsu.disambiguation", "wait_table"},
		{"l1d.size", "4 KiB"},
		{"lsu.store_buffer", "2"},
		{"l1d.miss_buffers", "1"},
		{"decode.stages", "3"},
		{"core.speculative_wakeup", "no"},
		{"fetch.predict_stage", "1"},
	};
	struct err e;

	core_config_add(config, cfg);
	for (unsigned n = 0; n < sizeof(overrides) / sizeof(overrides[0]); n++) {
		char text[64];

		snprintf(text, sizeof(text), "%s=%s", overrides[n][0], overrides[n][1]);
		if (choice >> n & 1 && config_override(config, text, "fuzz", &e) < 0)
			abort();
	}
	if (core_config_check(config, cfg, &e) < 0)
		abort();
}

/* Runs the trace; returns the core, at its end. */
static struct core *run(struct trace_reader *trace, const struct core_config *cfg, const struct core_options *options)
{
	struct err e = {.text = ""};
	struct core *c = core_create(cfg, trace, options, &e);

	if (!c || core_run(c, UINT64_MAX, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
	return c;
}

static void compare(const struct core *a, const struct core *b)
{
	if (memcmp(core_stats(a), core_stats(b), sizeof(struct core_stats)) ||
	    memcmp(core_memsys_stats(a), core_memsys_stats(b), sizeof(struct memsys_stats)) ||
	    memcmp(core_bpred_stats(a), core_bpred_stats(b), sizeof(struct bpred_stats)) ||
	    core_profile_count(a) != core_profile_count(b))
		abort();
	for (uint32_t n = 0; n < core_profile_count(a); n++) {
		struct core_profile p, q;

		core_profile(a, n, &p);
		core_profile(b, n, &q);
		if (p.committed != q.committed || p.lost != q.lost)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct core_options options = {.memo_bytes = 0};
	struct config *config = config_create();
	struct core *detailed, *memoised;
	struct trace_reader *traces[2];
	struct core_config cfg;
	struct trace_maker m;

	if (size < 3) {
		config_destroy(config);
		return 0;
	}
	make_machine(config, &cfg, data[0]);
	make_trace(&m, data, size);
	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(&m);
	detailed = run(traces[0], &cfg, &options);
	options = (struct core_options){.hooks = &whole_core, .memo_bytes = MEMORY, .memo_check = data[2]};
	memoised = run(traces[1], &cfg, &options);
	compare(detailed, memoised);
	core_destroy(detailed);
	core_destroy(memoised);
	for (unsigned n = 0; n < 2; n++)
		trace_close(traces[n]);
	trace_maker_finish(&m);
	config_destroy(config);
	return 0;
}
