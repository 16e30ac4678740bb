/*
 * Segments of a trace in several processes (psim/segments/segments.h): states with equal digests count the same from
 * there on, in sample traces and in random programs on random machines; and the records of a run add up to it.
 * tests/cli/segments.t has the processes.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "array_random.h"
#include "core_compare.h"
#include "psim/segments/segments.h"
#include "core_draw.h"
#include "core_random.h"

enum { MEMORY = 20000000, RECORDS = 64 };

static void the_plan(void)
{
	struct segment_plan p;

	segment_plan_make(&p, 1, 2, SEGMENT_TURNS);
	CHECK_U64(p.count, 1);
	CHECK_U64(segment_begin(&p, 1), UINT64_MAX);
	/* nine halves: the first segment has one, four have two, and the last one what is left over */
	segment_plan_make(&p, 5 * (uint64_t)SEGMENT_LEAST + 8, 2, SEGMENT_TURNS);
	CHECK_U64(p.count, 5);
	CHECK_U64(segment_begin(&p, 0), 0);
	CHECK_U64(segment_begin(&p, 1), 111112);
	CHECK_U64(segment_begin(&p, 2), 3 * 111112);
	CHECK_U64(segment_begin(&p, 4), 7 * 111112);
	CHECK_U64(segment_begin(&p, 5), UINT64_MAX);
	segment_plan_make(&p, 1000000000, 3, SEGMENT_TURNS);
	CHECK_U64(p.count, 25);
	segment_plan_make(&p, 1000000000, 1024, SEGMENT_TURNS);
	CHECK_U64(p.count, SEGMENTS_MOST + 1);
	segment_plan_make_kept(&p, 1000000000, 1);
	CHECK_U64(p.count, SEGMENTS_KEPT);
	CHECK_U64(segment_begin(&p, 3), 3 * (uint64_t)(1000000000 / SEGMENTS_KEPT));
	/* at 0, 1, 3 and 7 steps; all in their segment, and behind the run-in of none */
	p = (struct segment_plan){.length = 1000, .count = 3, .apart = 10};
	CHECK_U64(segment_sync(&p, 4), 1000);
	CHECK_U64(segment_sync(&p, 5), 1010);
	CHECK_U64(segment_sync(&p, 6), 1030);
	CHECK_U64(segment_sync(&p, 7), 1070);
	CHECK_U64(segment_sync(&p, 8), 2000);
	CHECK_U64(segment_sync(&p, 12), UINT64_MAX);
	CHECK(7 * SEGMENT_APART + SEGMENT_RUN_IN < SEGMENT_LEAST);
}

/*
 * With replay the 64 segments behind the first are 2 runs: the second begins behind 1 / (1 + 3/5) = 5/8 of them, 40.
 * Of 3 runs, of 96, they begin behind 1 and 1 + 3/5 parts of 1 + 3/5 + 9/25: behind 25/49, 49.0, and 40/49, 78.4. In
 * detail the second of 2 begins behind 1 / (1 + 17/20) = 20/37, 34.6.
 */
static void runs_of_segments(void)
{
	struct segment_plan p;

	segment_plan_make(&p, 1000000000, 2, SEGMENT_RUNS_REPLAYED);
	CHECK_U64(p.count, 65);
	CHECK_U64(segment_next_run(&p, 0), 1);
	CHECK_U64(segment_next_run(&p, 1), 41);
	CHECK_U64(segment_next_run(&p, 40), 41);
	CHECK_U64(segment_next_run(&p, 41), 65);
	CHECK_U64(segment_run_of(&p, 40), 1);
	CHECK_U64(segment_run_of(&p, 41), 41);
	CHECK_U64(segment_run_of(&p, 64), 41);
	/* not in the first run; then in segment 41, and at the begins of those behind it */
	CHECK(!segment_compared(&p, 4) && !segment_compared(&p, 163));
	CHECK(segment_compared(&p, 164) && segment_compared(&p, 167));
	CHECK(segment_compared(&p, 168) && !segment_compared(&p, 169) && segment_compared(&p, 172));
	segment_plan_make(&p, 1000000000, 3, SEGMENT_RUNS_REPLAYED);
	CHECK_U64(segment_next_run(&p, 1), 50);
	CHECK_U64(segment_next_run(&p, 50), 79);
	segment_plan_make(&p, 1000000000, 2, SEGMENT_RUNS_DETAILED);
	CHECK_U64(segment_next_run(&p, 1), 36);
	CHECK_U64(segment_next_run(&p, 36), 65);
	segment_plan_make(&p, 1000000000, 2, SEGMENT_TURNS);
	CHECK_U64(segment_next_run(&p, 10), 11);
	CHECK_U64(segment_next_run(&p, 16), 17);
	CHECK_U64(segment_run_of(&p, 10), 10);
	/* more processes than segments: some have none */
	for (enum segment_turns turns = SEGMENT_TURNS; turns <= SEGMENT_RUNS_DETAILED; turns++) {
		segment_plan_make(&p, 5 * (uint64_t)SEGMENT_LEAST, 100, turns);
		for (uint64_t n = 0, next; n < p.count; n = next) {
			next = segment_next_run(&p, n);
			CHECK(next > n && next <= p.count);
			CHECK(!n || segment_run_of(&p, next - 1) == n);
		}
	}
}

/* Sync points 4 to 7 are at 1000, 1010, 1030 and 1070, and 8 is at 2000. */
static void a_part_without_sync_points(void)
{
	const struct segment_plan p = {.length = 1000, .count = 3, .apart = 10};
	struct segment_place s;

	segment_place_begin(&s, &p);
	CHECK(!segment_place_reach(&s, 999));
	CHECK(segment_place_reach(&s, 1020)); /* 4, 5 */
	CHECK_U64(s.sync, 6);
	CHECK(!segment_place_reach(&s, 1029));
	CHECK(segment_place_reach(&s, 2500)); /* 6 to 11, the last one */
	CHECK_U64(s.sync, 12);
	CHECK(!segment_place_reach(&s, 1000000));
	segment_place_begin(&s, &p);
	segment_place_first(&s, 1500);
	CHECK_U64(s.number, 1);
	CHECK_U64(s.sync, 8);
	CHECK_U64(s.at, 2000);
}

/* The records of a process. */
struct records {
	struct segment_record *at[RECORDS];
	size_t words[RECORDS];
	unsigned count;
};

static void records_free(struct records *r)
{
	for (unsigned n = 0; n < r->count; n++)
		free(r->at[n]);
	r->count = 0;
}

/* Runs to the next record, which it keeps. Returns its sync point. */
static uint64_t next_record(struct core_compare_run *run, struct records *r)
{
	const struct segment_record *record = NULL;
	size_t words = 0;
	int more = 1;

	while (!record && more > 0) {
		more = core_run(run->core, 5000, &run->e);
		record = core_segment_record(run->core, &words);
	}
	REQUIRE(more >= 0 && record && r->count < RECORDS);
	r->at[r->count] = malloc(words * sizeof(uint64_t));
	REQUIRE(r->at[r->count] != NULL);
	memcpy(r->at[r->count], record, words * sizeof(uint64_t));
	r->words[r->count++] = words;
	return record->sync;
}

/*
 * Simulates as the copy for segment `number`, from 2 on: records to the begin of the next segment. False: the trace has
 * no such segment.
 */
static bool simulate_segment(struct trace_reader *trace, const struct core_compare *what, unsigned number,
			     struct records *r)
{
	struct core_compare_run run;
	uint64_t sync;
	int more = 1;

	core_compare_start(&run, trace, what, MEMORY);
	sync = next_record(&run, r);
	records_free(r);
	if (sync != SEGMENT_END) {
		CHECK_I64(core_segment_leave(run.core, &run.e), 0);
		for (unsigned n = 2; n <= number && more > 0; n++)
			more = core_segment_next(run.core, &run.e);
		CHECK_I64(more, 1);
		core_segment_enter(run.core);
		do
			sync = next_record(&run, r);
		while (sync != SEGMENT_END && sync / SEGMENT_SYNCS <= number);
	}
	core_compare_finish(&run);
	return r->count;
}

/* Adds the occupancy of a unit's stations, which a mirror image exchanges. */
static void fold(struct core_stats *s)
{
	s->occupancy[LEVEL_rs_int0] += s->occupancy[LEVEL_rs_int1];
	s->occupancy[LEVEL_rs_fp0] += s->occupancy[LEVEL_rs_fp1];
	s->occupancy[LEVEL_rs_int1] = s->occupancy[LEVEL_rs_fp1] = 0;
}

/* Compares the counts of two records; regions have the counts of stations too, and are left out if mirrored. */
static bool same_counts(struct segment_record *a, size_t a_words, struct segment_record *b, size_t b_words,
			bool mirrored)
{
	if (a_words != b_words || a->regions != b->regions)
		return false;
	if (mirrored) {
		fold((struct core_stats *)(void *)(a + 1));
		fold((struct core_stats *)(void *)(b + 1));
	}
	return !memcmp(a + 1, b + 1,
		       mirrored ? sizeof(struct core_stats) + sizeof(struct memsys_stats)
				: a_words * sizeof(uint64_t) - sizeof(*a));
}

static bool same_digest(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

/* Returns whether an instruction behind record `k` needed the first pipe of a mirrored unit. */
static bool needs_first_pipe(const struct records *r, unsigned k, unsigned mirror)
{
	for (unsigned n = k + 1; n < r->count; n++)
		if (r->at[n]->first_pipe & mirror)
			return true;
	return false;
}

/*
 * Compares what a copy has recorded with the run itself, from the first sync point on at which the digests agree.
 * Returns whether they do at one.
 */
static bool compare_segment(const struct records *truth, const struct records *copy)
{
	unsigned t = 0;

	while (t < truth->count && truth->at[t]->sync != copy->at[0]->sync)
		t++;
	REQUIRE(t + copy->count <= truth->count);
	for (unsigned k = 0; k + 1 < copy->count; k++) {
		for (unsigned mirror = 0; mirror < SEGMENT_MIRRORS; mirror++) {
			if (!same_digest(truth->at[t + k]->mirrored[mirror], copy->at[k]->mirrored[0]) ||
			    needs_first_pipe(copy, k, mirror))
				continue;
			for (unsigned n = k + 1; n < copy->count; n++) {
				struct segment_record *a = truth->at[t + n], *b = copy->at[n];

				CHECK_U64(a->sync, b->sync);
				CHECK(same_counts(a, truth->words[t + n], b, copy->words[n], mirror));
				CHECK(a->sync == SEGMENT_END || same_digest(a->mirrored[mirror], b->mirrored[0]));
			}
			return true;
		}
	}
	return false;
}

/*
 * Runs in segments, and each segment alone; `traces`: one for a plain run too. Returns at how many begins the states
 * agreed.
 */
static unsigned compare(struct trace_reader *(*open)(void *), void *from, const char *const *overrides,
			const struct segment_plan *plan)
{
	struct core_compare what = {.overrides = overrides, .segments = plan};
	struct core_compare_run plain, run;
	struct records truth = {.count = 0}, copy = {.count = 0};
	unsigned agreed = 0;

	core_compare_start(&run, open(from), &what, MEMORY);
	while (next_record(&run, &truth) != SEGMENT_END)
		;
	what.segments = NULL;
	core_compare_start(&plain, open(from), &what, 0);
	CHECK_I64(core_run(plain.core, UINT64_MAX, &plain.e), 0);
	CHECK_U64(core_stats(run.core)->cycles, core_stats(plain.core)->cycles);
	core_segment_clear(run.core);
	for (unsigned n = 0; n < truth.count; n++)
		CHECK_I64(core_segment_add(run.core, truth.at[n], truth.words[n], &run.e), 0);
	core_compare_counts(plain.core, run.core);
	core_compare_finish(&plain);
	core_compare_finish(&run);
	what.segments = plan;
	for (unsigned n = 2; n < plan->count; n++) {
		if (simulate_segment(open(from), &what, n, &copy))
			agreed += compare_segment(&truth, &copy);
		records_free(&copy);
	}
	records_free(&truth);
	return agreed;
}

static struct trace_reader *open_sample(void *name)
{
	char path[256];
	struct err e;
	struct trace_reader *r;

	snprintf(path, sizeof(path), "traces/samples/%s.trace.gz", (const char *)name);
	r = trace_open(tap_source(path), &e);
	REQUIRE(r != NULL);
	return r;
}

static struct trace_reader *open_made(void *maker)
{
	return trace_maker_open(maker);
}

static void samples(void)
{
	static const char *const gshare[] = {"bpred.kind=gshare", NULL}, *const tage[] = {"bpred.kind=tage", NULL};
	static const char *const paths[] = {"fetch.wrong_path=loads", "bpred.kind=tage", NULL};
	char quicksort[] = "quicksort", zgemm[] = "zgemm";
	const struct segment_plan plan = {.length = 60000, .count = 4, .run_in = 20000, .apart = 3000};

	CHECK(compare(open_sample, quicksort, NULL, &plan) > 0);
	CHECK(compare(open_sample, zgemm, gshare, &plan) > 0);
	CHECK(compare(open_sample, quicksort, tage, &plan) > 0);
	compare(open_sample, quicksort, paths, &plan); /* caches agree late, or never */
}

/*
 * A digest does not change what follows: prefetches that are due are requested with the next access to L2, and remove
 * lines from L1 then. With sync points each 100 instructions, a run counts what the plain one does.
 */
static void prefetches_that_are_due(void)
{
	static const char *const kinds[] = {"stream", "next_line", "best_offset", "ampm"};
	const struct segment_plan plan = {.length = 1500, .count = 360, .run_in = 100, .apart = 100};
	char fft[] = "fft-radix4", key[64];
	const char *const machine[] = {"prefetch.enabled=yes", key, NULL};

	for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
		struct core_compare what = {.overrides = machine};
		struct core_compare_run plain, run;
		int more = 1;

		snprintf(key, sizeof(key), "prefetch.kind=%s", kinds[n]);
		core_compare_start(&plain, open_sample(fft), &what, 0);
		what.segments = &plan;
		core_compare_start(&run, open_sample(fft), &what, 0);
		CHECK_I64(core_run(plain.core, UINT64_MAX, &plain.e), 0);
		while (more > 0)
			more = core_run(run.core, UINT64_MAX, &run.e);
		CHECK_I64(more, 0);
		CHECK(!memcmp(core_stats(plain.core), core_stats(run.core), sizeof(struct core_stats)));
		CHECK(!memcmp(core_memsys_stats(plain.core), core_memsys_stats(run.core), sizeof(struct memsys_stats)));
		core_compare_finish(&plain);
		core_compare_finish(&run);
	}
}

/* Memory of banks and rows has no digest: psim -j refuses it. */
static void without_banks(struct core_draw *d)
{
	for (unsigned n = 0; d->overrides[n]; n++)
		if (!strcmp(d->overrides[n], "memory.kind=dram"))
			d->overrides[n] = "memory.kind=channel";
}

/* A third of the machines have wrong paths, with a random part of what they may do. */
static void with_wrong_paths(struct core_draw *d, uint64_t seed)
{
	unsigned count = 0;

	while (d->overrides[count])
		count++;
	if (seed % 3)
		return;
	d->overrides[count] = seed % 2 ? "fetch.wrong_path=fetch" : "fetch.wrong_path=loads";
	d->overrides[count + 1] = NULL;
}

/* Random loops on random machines: states agree where the loops are regular. */
static void random_programs(void)
{
	const struct segment_plan plan = {.length = 3000, .count = 5, .run_in = 1500, .apart = 100};
	unsigned agreed = 0;

	for (uint64_t seed = 1; seed <= 14; seed++) {
		struct trace_maker m;
		struct core_draw d;
		uint64_t state = seed;

		core_draw_machine(&d, &state);
		without_banks(&d);
		with_wrong_paths(&d, seed);
		core_random_loops(&m, 60, seed);
		agreed += compare(open_made, &m, seed % 4 ? d.overrides : NULL, &plan);
		trace_maker_finish(&m);
	}
	CHECK(agreed > 3);
}

/* Programs of arrays: transfers are in flight at sync points. */
static void arrays(void)
{
	static const char *const machine[] = {"simd.pes=16", "simd.sbm_bytes=64KiB", NULL};
	const struct segment_plan whole = {.length = 60000, .count = 3, .run_in = 20000, .apart = 3000},
				  plan = {.length = 1500, .count = 5, .run_in = 700, .apart = 50};
	char dgemm[] = "simd-dgemm";
	unsigned agreed = 0;

	CHECK(compare(open_sample, dgemm, machine, &whole) > 0);
	for (uint64_t seed = 1; seed <= 14; seed++) {
		uint64_t state = seed;
		unsigned pes = array_draw_pes(&state);
		struct trace_maker m;
		struct core_draw d;

		array_draw_machine(&d, pes, &state);
		without_banks(&d);
		array_random_loops(&m, 60, pes, seed);
		agreed += compare(open_made, &m, d.overrides, &plan);
		trace_maker_finish(&m);
	}
	CHECK(agreed > 3);
}

/* Each loop with an addition begins with the other station of two; the machine has two integer pipes. */
static void a_mirror_image(void)
{
	static const uint32_t one[] = {W_ADD(3, 3, 1)}, loop[] = {W_ADD(4, 4, 1), W_ADD(5, 4, 1), W_BNE(-2), W_NOP};
	const struct segment_plan plan = {.length = 4000, .count = 4, .run_in = 1000, .apart = 50};
	struct trace_maker m;
	unsigned agreed = 0;

	for (unsigned first = 0; first < 2; first++) {
		trace_maker_start(&m, NULL);
		if (first)
			trace_maker_run(&m, 0x10000, one, 1, NULL);
		trace_maker_loop(&m, 0x10004, loop, 4, 4000, NULL, NULL);
		agreed += compare(open_made, &m, NULL, &plan);
		trace_maker_finish(&m);
	}
	CHECK_U64(agreed, 4); /* segments 2 and 3 of both */
}

static const struct tap_test tests[] = {
	{"the plan depends on the length alone", the_plan},
	{"with replay each process has a run of segments", runs_of_segments},
	{"sync points of a part that only warms up are passed over", a_part_without_sync_points},
	{"equal states of sample traces count the same", samples},
	{"prefetches that are due stay so", prefetches_that_are_due},
	{"those of random programs on random machines do", random_programs},
	{"those of arrays with transfers do", arrays},
	{"mirror images do", a_mirror_image},
};

int main(void)
{
	return tap_main("segments", tests, TAP_COUNT(tests));
}
