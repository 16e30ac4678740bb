/*
 * A core's timing depends on its key and on the answers from outside alone (psim/replay/core_key.h, transcript.h):
 * of two cycles that begin with the same key, the first answer that differs belongs to the same request; and
 * where all answers are the same, the cycles count the same and end with the same key.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "array_random.h"
#include "core_draw.h"
#include "core_random.h"
#include "core_run.h"
#include "psim/replay/core_key.h"
#include "psim/core/core_state.h"

/* A cycle from a state: its answers, its counts, the state that it left. */
struct transition {
	uint64_t *words;
	size_t count;
	uint64_t counted; /* a hash of the differences of all counters */
	uint32_t next;
	struct transition *other;
};
struct state {
	uint8_t *key;
	size_t size;
	struct transition *first;
};
struct graph {
	struct state *state;
	uint32_t *slot; /* by hash: 1 + number of a state */
	uint32_t count, mask;
	uint64_t cycles, known;
	unsigned wrong;
};
enum { STATES_MAX = 1 << 17 };

static uint64_t hash(const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t n = 0; n < size; n++)
		h = (h ^ p[n]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size + 1);

	REQUIRE(to != NULL);
	return memcpy(to, from, size);
}

/* The number of the state with this key. */
static uint32_t number_of(struct graph *g, const struct core_key *k)
{
	size_t size = k->count * sizeof(*k->words);
	uint64_t at = hash(k->words, size) & g->mask;

	for (; g->slot[at]; at = (at + 1) & g->mask) {
		const struct state *s = &g->state[g->slot[at] - 1];

		if (s->size == size && !memcmp(s->key, k->words, size))
			return g->slot[at] - 1;
	}
	REQUIRE(g->count < STATES_MAX);
	g->state[g->count] = (struct state){copy(k->words, size), size, NULL};
	g->slot[at] = ++g->count;
	return g->count - 1;
}

/* Returns whether both may be transcripts of cycles that began alike: the first difference is one request's answer. */
static bool agree(const struct transition *t, const struct transcript *s)
{
	for (size_t n = 0; n < t->count && n < s->count; n++)
		if (t->words[n] != s->record[n].word)
			return t->words[n] >> ANSWER_BITS == s->record[n].word >> ANSWER_BITS;
	return t->count == s->count;
}

static bool same_answers(const struct transition *t, const struct transcript *s)
{
	for (size_t n = 0; n < t->count && n < s->count; n++)
		if (t->words[n] != s->record[n].word)
			return false;
	return t->count == s->count;
}

static uint64_t *words_of(const struct transcript *s)
{
	uint64_t *words = malloc((s->count + 1) * sizeof(*words));

	REQUIRE(words != NULL);
	for (size_t n = 0; n < s->count; n++)
		words[n] = s->record[n].word;
	return words;
}

static void note(struct graph *g, uint32_t from, const struct transcript *s, uint64_t counted, uint32_t next,
		 uint64_t cycle)
{
	struct transition *t;

	g->cycles++;
	for (t = g->state[from].first; t; t = t->other) {
		bool alike = agree(t, s), same = alike && same_answers(t, s);

		if (!alike || (same && (t->counted != counted || t->next != next))) {
			if (!g->wrong++)
				fprintf(stderr, "cycle %llu: %s from a state that was seen before\n",
					(unsigned long long)cycle,
					!same                   ? "another request"
					: t->counted != counted ? "other counts"
								: "another state");
			return;
		}
		if (same) {
			g->known++;
			return;
		}
	}
	t = malloc(sizeof(*t));
	REQUIRE(t != NULL);
	*t = (struct transition){words_of(s), s->count, counted, next, g->state[from].first};
	g->state[from].first = t;
}

/*
 * A hash of what was counted since `before`, which becomes the present counts. Bytes of started transfers are the
 * program's: replay counts them where a transfer starts (psim/replay/memo_counts.c), from no key.
 */
static uint64_t counted_since(struct core *c, struct core_stats *before)
{
	struct core_stats now, difference;
	uint64_t *d = (uint64_t *)&difference;

	flush_counters(c);
	now = *core_stats(c);
	now.simd_get_bytes = now.simd_put_bytes = now.simd_spread_bytes = 0;
	for (size_t n = 0; n < sizeof(now) / sizeof(*d); n++)
		d[n] = ((const uint64_t *)&now)[n] - ((const uint64_t *)before)[n];
	*before = now;
	return hash(&difference, sizeof(difference));
}

static void finish(struct graph *g)
{
	for (uint32_t n = 0; n < g->count; n++) {
		for (struct transition *t = g->state[n].first, *other; t; t = other) {
			other = t->other;
			free(t->words);
			free(t);
		}
		free(g->state[n].key);
	}
	free(g->state);
	free(g->slot);
}

/* Simulates `cycles` cycles of the trace one by one; returns the share of transitions that were known, in percent. */
static double run(struct trace_reader *trace, const char *const *overrides, uint64_t cycles)
{
	const struct core_options options = {.check = true, .no_skip = true};
	struct graph g = {.mask = 2 * STATES_MAX - 1};
	struct config *config = config_create();
	struct transcript transcript = {0};
	struct core_stats before = {0};
	struct core_key key = {0};
	struct core_config cfg;
	struct err e = {.text = ""};
	struct core *c;
	uint32_t state;
	int more = 1;
	double share;

	core_config_add(config, &cfg);
	for (; overrides && *overrides; overrides++)
		REQUIRE(config_override(config, *overrides, "test", &e) == 0);
	REQUIRE(core_config_check(config, &cfg, &e) == 0);
	REQUIRE((c = core_create(&cfg, trace, &options, &e)) != NULL);
	REQUIRE(core_run(c, 0, &e) > 0);
	g.state = calloc(STATES_MAX, sizeof(*g.state));
	g.slot = calloc(2 * STATES_MAX, sizeof(*g.slot));
	REQUIRE(g.state && g.slot && core_key_make(c, &key) == 0);
	state = number_of(&g, &key);
	c->transcript = &transcript;
	while (more > 0 && c->now < cycles) {
		uint32_t next;

		transcript_clear(&transcript);
		more = core_turn(c, CYCLE_NEVER, 0, &e);
		REQUIRE(core_key_make(c, &key) == 0 && !transcript.failed);
		next = number_of(&g, &key);
		note(&g, state, &transcript, counted_since(c, &before), next, c->now - 1);
		state = next;
	}
	CHECK_STR(e.text, "");
	CHECK_U64(g.wrong, 0);
	share = 100 * (double)g.known / (double)g.cycles;
	core_key_finish(&key);
	transcript_finish(&transcript);
	finish(&g);
	core_destroy(c);
	config_destroy(config);
	return share;
}

static double run_sample(const char *name, const char *const *overrides, uint64_t cycles)
{
	char path[64];
	struct err e;
	struct trace_reader *trace;
	double share;

	snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", name);
	trace = trace_open(tap_source(path), &e);
	REQUIRE(trace != NULL);
	share = run(trace, overrides, cycles);
	trace_close(trace);
	if (getenv("CORE_KEY_SHARES"))
		fprintf(stderr, "%s: %.1f %% of the transitions of %llu cycles were known\n", name, share,
			(unsigned long long)cycles);
	return share;
}

static void samples(void)
{
	static const char *const names[] = {"hello", "dgemm",      "quicksort", "dgemm-packed",
					    "zgemm", "fft-radix4", "chase"};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		CHECK(run_sample(names[n], NULL, 40000) > 1);
}

static void samples_of_the_array(void)
{
	static const char *const names[] = {"axpy", "simd-dgemm", "simd-zgemm", "simd-fft"};
	static const char *const array[] = {"simd.pes=16", NULL};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		CHECK(run_sample(names[n], array, 40000) > 1);
}

static void machines(void)
{
	static const char *const wide[] = {"core.rob_entries=128", "lsu.disambiguation=oracle", "decode.stages=3",
					   "core.int_pipes=3",     "lsu.store_buffer=4",        NULL};
	static const char *const narrow[] = {
		"core.speculative_wakeup=no", "fetch.decode_redirect=no", "l1d.miss_buffers=1",
		"core.rob_entries=24",        "l1d.size=4 KiB",           NULL};

	run_sample("quicksort", wide, 30000);
	run_sample("zgemm", wide, 30000);
	run_sample("quicksort", narrow, 30000);
	run_sample("hello", narrow, 30000);
}

static void random_programs(void)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct trace_reader *trace;
		struct trace_maker m;

		core_random_trace(&m, 400, 401, seed);
		trace = trace_maker_open(&m);
		run(trace, core_random_small, 30000);
		trace_close(trace);
		trace_maker_finish(&m);
	}
}

static void random_arrays(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		uint64_t state = seed;
		unsigned pes = array_draw_pes(&state);
		struct trace_reader *trace;
		struct core_draw machine;
		struct trace_maker m;

		array_draw_machine(&machine, pes, &state);
		array_random_loops(&m, 40, pes, seed);
		trace = trace_maker_open(&m);
		run(trace, machine.overrides, 30000);
		trace_close(trace);
		trace_maker_finish(&m);
	}
}

static const struct tap_test tests[] = {
	{"equal keys and answers make equal cycles in sample traces", samples},
	{"they do in those of the array", samples_of_the_array},
	{"they do on wide and on narrow machines", machines},
	{"they do in random programs", random_programs},
	{"they do in those of random arrays", random_arrays},
};

int main(void)
{
	return tap_main("core key", tests, TAP_COUNT(tests));
}
