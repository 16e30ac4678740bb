/*
 * The memoised core counts as the detailed one, to the last counter (psim/replay/memo.h): in sample traces, with steps
 * of any length, with regions, in samples, and with memory that is cleared repeatedly. 334-core-memo-random.c has
 * random programs and machines.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "core_compare.h"

enum { MEMORY = 64000000 };

static void samples(void)
{
	static const char *const names[] = {"hello", "dgemm", "quicksort", "zgemm", "fft-radix4", "chase"};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		CHECK(core_compare_sample(names[n], &(struct core_compare){.memory = MEMORY}) > 0);
}

static const char *const array[] = {"simd.pes=16", NULL};
static const char *const array_samples[] = {"axpy", "simd-dgemm", "simd-zgemm", "simd-fft"};

static void samples_of_the_array(void)
{
	static const char *const tight[] = {"simd.pes=16",
					    "simd.transfers=2",
					    "simd.transfer_buffers=3",
					    "simd.sbm_ports=1",
					    "simd.rs_entries=4",
					    "simd.store_buffer=2",
					    NULL};

	for (size_t n = 0; n < sizeof(array_samples) / sizeof(array_samples[0]); n++) {
		const char *name = array_samples[n];

		CHECK(core_compare_sample(name, &(struct core_compare){.overrides = array, .memory = MEMORY}) > 0);
		core_compare_sample(name, &(struct core_compare){.overrides = tight, .memory = MEMORY});
		core_compare_sample(
			name, &(struct core_compare){.overrides = array, .memory = MEMORY, .step = 900, .check = 3});
		core_compare_sample(name, &(struct core_compare){.overrides = tight, .memory = 100000});
		core_compare_sample(name,
				    &(struct core_compare){.overrides = array, .memory = MEMORY, .interval = 501});
	}
}

static void steps(void)
{
	core_compare_sample("hello", &(struct core_compare){.memory = MEMORY, .step = 100});
	core_compare_sample("quicksort", &(struct core_compare){.memory = MEMORY, .step = 3000});
	core_compare_sample("fft-radix4", &(struct core_compare){.memory = MEMORY, .step = 2000});
}

static void intervals(void)
{
	core_compare_sample("chase", &(struct core_compare){.memory = MEMORY, .interval = 1000});
	core_compare_sample("dgemm", &(struct core_compare){.memory = MEMORY, .interval = 37});
	core_compare_sample("quicksort", &(struct core_compare){.memory = MEMORY, .interval = 501, .step = 3000});
}

static void short_memory(void)
{
	core_compare_sample("dgemm", &(struct core_compare){.memory = 300000});
	core_compare_sample("quicksort", &(struct core_compare){.memory = 1000});
	core_compare_sample("quicksort", &(struct core_compare){.memory = 5000000, .step = 20000});
}

/* The feed ends, and a region's marks come, while known transitions are replayed. */
static void ends_in_a_loop(void)
{
	static const uint32_t loop[] = {W_LDX(2, 16, 0), W_ADD(3, 2, 1), W_STX(3, 16, 8), W_BNE(-3), W_NOP};
	struct trace_reader *traces[2];
	struct trace_maker m;
	struct err e;

	for (uint64_t times = 2000; times < 2010; times++) {
		trace_maker_start(&m, NULL);
		trace_maker_loop(&m, 0x10000, loop, 5, times, NULL, NULL);
		CHECK_I64(trace_writer_region(m.writer, "inner", true, &e), 0);
		trace_maker_loop(&m, 0x10000, loop, 5, times / 2, NULL, NULL);
		CHECK_I64(trace_writer_region(m.writer, "inner", false, &e), 0);
		trace_maker_loop(&m, 0x10000, loop, 5, times, NULL, NULL);
		for (unsigned n = 0; n < 2; n++)
			traces[n] = trace_maker_open(&m);
		CHECK(core_compare(traces, &(struct core_compare){.memory = MEMORY, .step = times % 2 ? 0 : 700}) > 50);
		trace_maker_finish(&m);
	}
}

static void known_transitions_are_compared(void)
{
	core_compare_sample("quicksort", &(struct core_compare){.memory = MEMORY, .check = 1});
	core_compare_sample("zgemm", &(struct core_compare){.memory = MEMORY, .check = 7, .step = 50000});
	core_compare_sample("fft-radix4", &(struct core_compare){.memory = MEMORY, .check = 2});
}

/* Simulated parts of any length: fetch stops and resumes in the middle of loops. */
static void samples_of_traces(void)
{
	static const char *const names[] = {"quicksort", "dgemm", "fft-radix4", "zgemm", "hello", "chase"};
	static const struct sample_plan plans[] = {
		{.unit = 1000, .every = 12000, .warm_up = 4000, .tail = 256},
		{.unit = 100, .every = 700, .warm_up = 300, .tail = 20},
		{.unit = 3, .every = 170, .warm_up = 40, .tail = 1},
	};

	for (unsigned n = 0; n < 12; n++)
		core_compare_sample(array_samples[n / 3], &(struct core_compare){.overrides = array,
										 .memory = MEMORY,
										 .check = n % 2,
										 .sample = &plans[n % 3]});
	for (unsigned n = 0; n < 18; n++)
		core_compare_sample(names[n / 3], &(struct core_compare){.memory = MEMORY,
									 .check = n % 2,
									 .step = n % 4 ? 0 : 5000,
									 .sample = &plans[n % 3]});
}

/* A load from memory of 4 us waits 8000 cycles, in which a core of width 4 loses 32000 slots. */
static void long_waits(void)
{
	static const char *const slow[] = {"memory.latency=4us", NULL};
	_Static_assert(4 * 8000 >> COUNT_BITS > 0, "a wide counter");

	core_compare_sample("chase", &(struct core_compare){.overrides = slow, .memory = MEMORY});
	core_compare_sample("dgemm", &(struct core_compare){.overrides = slow, .memory = MEMORY, .check = 2});
}

/* Makes the transition count wrongly that begins with this edge and goes on by first ones. */
static void count_more(struct edge *e)
{
	while (e->next && !e->ending)
		e = &e->next->first;
	if (e->ending && e->ending->count)
		e->ending->word[e->ending->count - 1]++;
}

/* A transition with a wrong count is found. */
static void a_difference_is_an_error(void)
{
	struct err e;
	struct core_compare_run r;
	struct memo *m;

	core_compare_start(&r, trace_open(tap_source("traces/samples/chase.trace.gz"), &e), &(struct core_compare){0},
			   MEMORY);
	REQUIRE(core_run(r.core, 400000, &r.e) > 0);
	m = r.core->memo;
	for (struct state_place *p = m->table; p <= m->table + m->table_mask; p++)
		if (p->state)
			count_more(&p->state->first->first);
	m->check = 3;
	CHECK_I64(core_run(r.core, 200000, &r.e), -1);
	CHECK(strstr(r.e.text, "what it counts differs") != NULL);
	core_compare_finish(&r);
}

static const struct tap_test tests[] = {
	{"sample traces count the same", samples},
	{"those of the array do", samples_of_the_array},
	{"they do in steps of any length", steps},
	{"they do after each interval", intervals},
	{"they do when memory is cleared", short_memory},
	{"traces that end in a loop do", ends_in_a_loop},
	{"samples of traces do", samples_of_traces},
	{"known transitions simulated again do", known_transitions_are_compared},
	{"they do where an access waits for thousands of cycles", long_waits},
	{"a difference is an error", a_difference_is_an_error},
};

int main(void)
{
	return tap_main("core memo", tests, TAP_COUNT(tests));
}
