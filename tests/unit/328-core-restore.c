/*
 * A core's key, with the addresses of the accesses in flight, is its whole timing state (psim/replay/core_key.h): a
 * core that is restored from its key at random cycles, after every table of its state was overwritten, counts as one
 * that runs through.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "array_random.h"
#include "core_draw.h"
#include "core_random.h"
#include "core_run.h"
#include "psim/core/array_state.h"
#include "psim/core/core_requests.h"
#include "psim/replay/core_key.h"

enum { RING = 4096 };
struct rings {
	uint64_t window[RING], stores[RING], prefetches[RING], sbm_stores[RING];
};

/* The addresses of the accesses in flight, oldest first. */
static struct addresses addresses_of(const struct core *c, struct rings *r)
{
	unsigned count = 0;

	for (unsigned age = 0; age < c->win.rob_count; age++) {
		const struct rob_entry *e = &c->win.rob[(c->win.rob_head + age) & c->win.rob_mask];

		if (uop_accesses(e->uop))
			r->window[count++] = e->ea;
	}
	for (unsigned n = c->front.fq_head; n != c->front.fq_tail; n++) {
		const struct fetched *q = &c->front.fq[n & c->front.fq_mask];

		if (uop_accesses(q->uop))
			r->window[count++] = q->ea;
	}
	for (unsigned n = 0; n < c->ls.sb_count; n++)
		r->stores[n] = c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask].ea;
	for (unsigned n = 0; n < c->ls.prefetch_count; n++)
		r->prefetches[n] = c->ls.prefetch[n].ea;
	for (unsigned n = 0; c->array && n < c->array->sb_count; n++)
		r->sbm_stores[n] = c->array->sb[(c->array->sb_head + n) & c->array->sb_mask].ea;
	return (struct addresses){
		.window = {r->window, RING - 1, 0},
		.stores = {r->stores, RING - 1, 0},
		.prefetches = {r->prefetches, RING - 1, 0},
		.sbm_stores = {r->sbm_stores, RING - 1, 0},
		.transfer = c->array ? c->array->transfer_head : 0,
	};
}

/* Overwrites tables whose contents the key has to give. Links of events stay, as they are in use. */
static void spoil(struct core *c)
{
	struct window *w = &c->win;
	struct front_end *f = &c->front;

	memset(w->rob, 0x5a, (w->rob_mask + 1) * sizeof(*w->rob));
	memset(w->unwoken, 0x5a, sizeof(w->unwoken));
	memset(w->node_next, 0x5a, ((size_t)w->rob_mask + 1) * NODES_PER_SLOT * sizeof(*w->node_next));
	memset(w->wake, 0x5a, sizeof(w->wake));
	memset(w->map, 0x5a, sizeof(w->map));
	memset(w->outside, 0x5a, sizeof(w->outside));
	memset(w->half, 0x5a, sizeof(w->half));
	memset(w->rs_release, 0x5a, sizeof(w->rs_release));
	memset(w->ready, 0x5a, sizeof(w->ready));
	memset(w->unit_busy, 0x5a, sizeof(w->unit_busy));
	memset(c->ls.retry, 0x5a, sizeof(c->ls.retry));
	memset(c->ls.want_port, 0x5a, sizeof(c->ls.want_port));
	memset(c->ls.sb, 0x5a, (c->ls.sb_mask + 1) * sizeof(*c->ls.sb));
	memset(c->wheel.near_wake, 0x5a, NEAR_SIZE * w->rob_words * sizeof(uint64_t));
	memset(c->wheel.near_address, 0x5a, NEAR_SIZE * w->rob_words * sizeof(uint64_t));
	memset(f->fq, 0x5a, (f->fq_mask + 1) * sizeof(*f->fq));
	memset(f->groups, 0x5a, (f->group_mask + 1) * sizeof(*f->groups));
	f->latch_sum = w->cwp = w->rob_head = 0;
	c->ls.want_count = c->ls.blocked_count = c->ls.retrying_count = c->ls.sb_wants = 77;
}

/* The same of the array. What its transfers have outside stays: their addresses, lines in transit. */
static void spoil_array(struct array *a, unsigned words)
{
	struct array kept = *a;

	memset(a, 0x5a, sizeof(*a));
	a->p = kept.p;
	a->pes = kept.pes;
	a->arrive = kept.arrive;
	a->sb = kept.sb;
	a->sb_mask = kept.sb_mask;
	a->requests = kept.requests;
	a->flops = kept.flops;
	a->flop_classes = kept.flop_classes;
	memcpy(a->flop_class, kept.flop_class, sizeof(a->flop_class));
	memset(a->arrive, 0x5a, NEAR_SIZE * words * sizeof(uint64_t));
	memset(a->sb, 0x5a, (a->sb_mask + 1) * sizeof(*a->sb));
	for (uint64_t n = 0; n <= a->requests.mask; n++)
		a->requests.transfer[n].seq = 0x5a5a;
}

static void restore(struct core *c, struct core_key *before, struct core_key *after)
{
	static struct rings rings;
	struct addresses a;

	REQUIRE(core_key_make(c, before) == 0);
	a = addresses_of(c, &rings);
	spoil(c);
	if (c->array)
		spoil_array(c->array, c->win.rob_words);
	core_restore(c, before->words, &a);
	REQUIRE(core_key_make(c, after) == 0);
	CHECK_U64(after->count, before->count);
	REQUIRE(after->count == before->count);
	CHECK(!memcmp(after->words, before->words, before->count * sizeof(*before->words)));
}

static void same_profile(const struct core *a, const struct core *b)
{
	REQUIRE(core_profile_count(a) == core_profile_count(b));
	for (uint32_t n = 0; n < core_profile_count(a); n++) {
		struct core_profile p, q;

		core_profile(a, n, &p);
		core_profile(b, n, &q);
		CHECK(p.pc == q.pc && p.committed == q.committed && p.lost == q.lost);
	}
}

static void same_counts(const struct core *a, const struct core *b)
{
	CHECK_U64(a->now, b->now);
	CHECK(!memcmp(core_stats(a), core_stats(b), sizeof(struct core_stats)));
	CHECK(!memcmp(core_memsys_stats(a), core_memsys_stats(b), sizeof(struct memsys_stats)));
	CHECK(!memcmp(core_bpred_stats(a), core_bpred_stats(b), sizeof(struct bpred_stats)));
	same_profile(a, b);
}

/*
 * Runs three cores to `cycles`. Restores the second, with invariants checked, every 1 to `most` cycles; the third skips
 * no idle cycle.
 */
static void run(struct trace_reader *traces[3], const char *const *overrides, uint64_t cycles, uint32_t most)
{
	const struct core_options options = {.check = true}, each_cycle = {.check = true, .no_skip = true};
	struct config *config = config_create();
	struct core_key before = {0}, after = {0};
	struct err e = {.text = ""};
	struct core_config cfg;
	struct core *through, *restored, *each;
	uint64_t seed = 7;
	int more = 1;

	core_config_add(config, &cfg);
	for (; overrides && *overrides; overrides++)
		REQUIRE(config_override(config, *overrides, "test", &e) == 0);
	REQUIRE(core_config_check(config, &cfg, &e) == 0);
	through = core_create(&cfg, traces[0], &options, &e);
	restored = core_create(&cfg, traces[1], &options, &e);
	each = core_create(&cfg, traces[2], &each_cycle, &e);
	REQUIRE(through && restored && each);
	REQUIRE(core_run(through, cycles, &e) >= 0 && core_run(each, cycles, &e) >= 0);
	while (more > 0 && restored->now < cycles) {
		uint64_t step = 1 + core_random_number(&seed) % most;

		more = core_run(restored, step < cycles - restored->now ? step : cycles - restored->now, &e);
		restore(restored, &before, &after);
	}
	CHECK_STR(e.text, "");
	same_counts(through, restored);
	same_counts(through, each);
	core_key_finish(&before);
	core_key_finish(&after);
	core_destroy(through);
	core_destroy(restored);
	core_destroy(each);
	config_destroy(config);
}

static void run_sample(const char *name, const char *const *overrides, uint64_t cycles, uint32_t most)
{
	struct trace_reader *traces[3];
	char path[64];
	struct err e;

	snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", name);
	for (unsigned n = 0; n < 3; n++) {
		traces[n] = trace_open(tap_source(path), &e);
		REQUIRE(traces[n] != NULL);
	}
	run(traces, overrides, cycles, most);
	for (unsigned n = 0; n < 3; n++)
		trace_close(traces[n]);
}

static void samples(void)
{
	static const char *const names[] = {"hello", "dgemm",      "quicksort", "dgemm-packed",
					    "zgemm", "fft-radix4", "chase"};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		run_sample(names[n], NULL, 30000, 1);
		run_sample(names[n], NULL, 200000, 40);
	}
}

static void samples_of_the_array(void)
{
	static const char *const names[] = {"axpy", "simd-dgemm", "simd-zgemm", "simd-fft"};
	static const char *const array[] = {"simd.pes=16", NULL};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		run_sample(names[n], array, 30000, 1);
		run_sample(names[n], array, 200000, 40);
	}
}

static void machines(void)
{
	static const char *const wide[] = {"core.rob_entries=200", "lsu.disambiguation=oracle", "decode.stages=3",
					   "core.int_pipes=3",     "lsu.store_buffer=4",        NULL};
	static const char *const narrow[] = {
		"core.speculative_wakeup=no", "fetch.decode_redirect=no", "l1d.miss_buffers=1",
		"core.rob_entries=24",        "l1d.size=4 KiB",           NULL};
	static const char *const late[] = {
		"latency.load_use=6",    "l1d.size=4 KiB",        "tlb.udtlb_entries=4",   "lsu.forwarding=no",
		"core.operand_stages=2", "latency.fp_load_use=6", "lsu.forward_latency=6", NULL};
	/* an access of eight bytes holds the banks for eight cycles, in which a store tries in vain */
	static const char *const row[] = {"l1d.banks=1", "l1d.bank_bytes=1", "lsu.hit_known=2", NULL};
	static const char *const *const all[] = {wide, narrow, late, row};

	for (size_t n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
		const char *const *machine = all[n];

		run_sample("quicksort", machine, 40000, 3);
		run_sample("zgemm", machine, 40000, 3);
		run_sample("hello", machine, 40000, 3);
	}
}

static void random_programs(void)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct trace_reader *traces[3];
		struct trace_maker m;

		core_random_trace(&m, 1000, 1001, seed);
		for (unsigned n = 0; n < 3; n++)
			traces[n] = trace_maker_open(&m);
		run(traces, core_random_small, 60000, seed % 2 ? 1 : 9);
		for (unsigned n = 0; n < 3; n++)
			trace_close(traces[n]);
		trace_maker_finish(&m);
	}
}

static void random_arrays(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t state = seed;
		unsigned pes = array_draw_pes(&state);
		struct trace_reader *traces[3];
		struct core_draw machine;
		struct trace_maker m;

		array_draw_machine(&machine, pes, &state);
		array_random_loops(&m, 40, pes, seed);
		for (unsigned n = 0; n < 3; n++)
			traces[n] = trace_maker_open(&m);
		run(traces, machine.overrides, 40000, seed % 2 ? 1 : 9);
		for (unsigned n = 0; n < 3; n++)
			trace_close(traces[n]);
		trace_maker_finish(&m);
	}
}

static const struct tap_test tests[] = {
	{"a core restored from its key runs sample traces as before", samples},
	{"it does in those of the array", samples_of_the_array},
	{"it does on other machines", machines},
	{"it does in random programs", random_programs},
	{"it does in those of random arrays", random_arrays},
};

int main(void)
{
	return tap_main("core restore", tests, TAP_COUNT(tests));
}
