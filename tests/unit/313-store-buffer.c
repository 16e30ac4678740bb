/*
 * A full store buffer: what its cycles are charged to, and what the pipe trace says.
 * Defaults but for caches and TLBs, which are perfect unless said otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "tap.h"
#include "pipe_trace_run.h"

/* `times` stores, `stride` bytes apart, in a loop of a store and a branch. */
static void store_trace(struct trace_maker *t, uint64_t times, int64_t stride)
{
	static const uint32_t words[] = {W_STX(1, 2, 0), W_BA(-1), W_NOP};

	trace_maker_start(t, NULL);
	trace_maker_loop(t, 0x10000, words, 3, times, (const uint64_t[]){0x1000000}, &stride);
}

/* Runs it; of all commit slots left empty, the share of `cause` in percent. */
static double share(uint64_t times, int64_t stride, const char *const *overrides, enum stall cause)
{
	struct trace_maker t;
	struct core_stats s;
	uint64_t lost = 0;

	store_trace(&t, times, stride);
	core_run_trace(&t, overrides, false, &s);
	trace_maker_finish(&t);
	for (unsigned n = 0; n < STALL_COUNT; n++)
		lost += s.lost[n];
	return 100.0 * (double)s.lost[cause] / (double)lost;
}

static void lines_from_memory(void)
{
	static const char *const machine[] = {"l1d.perfect=no", NULL};

	/*
	 * A line in 16.5 cycles (eight miss buffers, 132 cycles): 3 of 66 commit slots are used, the oldest of the
	 * store buffer waits for its line in all but the cycle in which it writes, 1 of 16.5: 6 %.
	 */
	CHECK(share(1000, 64, machine, STALL_store_memory) > 90);
}

static void lines_from_l2(void)
{
	static const char *const machine[] = {
		"l1d.perfect=no", "l2.perfect=yes", "l1d.miss_buffers=1", "lsu.load_queue=1", NULL,
	};

	/* one buffer: a line in 12 cycles, of which the oldest waits for its own in 10 or 11 */
	CHECK(share(1000, 64, machine, STALL_store_l2) > 75);
}

static void translations(void)
{
	static const char *const machine[] = {"tlb.perfect=no", "tlb.main_entries=64", NULL};

	/* a page each: walks one after the other, 60 cycles each, and a write */
	CHECK(share(1000, 8192, machine, STALL_store_tlb) > 90);
}

static void miss_buffers(void)
{
	static const char *const machine[] = {
		"l1d.perfect=no",           "l1d.miss_buffers=1", "lsu.store_prefetch=no",
		"lsu.store_buffer_ahead=0", "lsu.store_buffer=1", NULL,
	};
	static const uint32_t words[] = {W_LDX(1, 3, 0), W_STX(1, 2, 0), W_STX(1, 4, 0), W_BA(-3), W_NOP};
	struct trace_maker t;
	struct core_stats s;

	/*
	 * When a line has come the load of a later turn takes the one buffer before the next store is the
	 * oldest of the store buffer, which then waits for that, and the store behind it for both.
	 */
	trace_maker_start(&t, NULL);
	trace_maker_loop(&t, 0x10000, words, 5, 500, (const uint64_t[]){0x1000000, 0x2000000, 0x3000000},
			 (const int64_t[]){64, 64, 64});
	core_run_trace(&t, machine, false, &s);
	trace_maker_finish(&t);
	CHECK(s.lost[STALL_store_miss_buffer] > 0);
	CHECK(s.lost[STALL_store_memory] > 0);
}

static void writes(void)
{
	static const uint32_t words[] = {W_STX(1, 2, 0), W_STX(1, 2, 8), W_STX(1, 2, 16), W_STX(1, 2, 24)};
	struct trace_maker t;
	struct core_stats s;

	/* all hit, and one store is written in a cycle: nothing is missing but that */
	trace_maker_start(&t, NULL);
	for (unsigned n = 0; n < 100; n++)
		trace_maker_straight(&t, 0x10000 + n * sizeof(words), words, 4,
				     (const uint64_t[]){0x1000000, 0x1000008, 0x1000010, 0x1000018});
	core_run_trace(&t, NULL, false, &s);
	trace_maker_finish(&t);
	CHECK(s.lost[STALL_store_buffer] > 0);
	CHECK_U64(s.lost[STALL_store_memory] + s.lost[STALL_store_l2] + s.lost[STALL_store_tlb] +
			  s.lost[STALL_store_miss_buffer],
		  0);
}

static void the_view_says_the_same(void)
{
	static const char *const memory[] = {"l1d.perfect=no", NULL};
	static const char *const page[] = {"tlb.perfect=no", "tlb.main_entries=64", NULL};
	struct trace_maker t;
	char *text;

	store_trace(&t, 100, 64);
	text = pipe_trace_run(&t, memory, PIPE_TRACE_KANATA, NULL, NULL);
	CHECK(strstr(text, "store buffer: memory") != NULL);
	CHECK(strstr(text, "store buffer: TLB miss") == NULL);
	free(text);
	trace_maker_finish(&t);
	store_trace(&t, 100, 8192);
	text = pipe_trace_run(&t, page, PIPE_TRACE_KANATA, NULL, NULL);
	CHECK(strstr(text, "store buffer: TLB miss") != NULL);
	CHECK(strstr(text, "store buffer: memory") == NULL);
	free(text);
	trace_maker_finish(&t);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"lines from memory", lines_from_memory},
		{"lines from L2", lines_from_l2},
		{"translations", translations},
		{"miss buffers of L1D", miss_buffers},
		{"writes", writes},
		{"the pipe trace says the same", the_view_says_the_same},
	};

	return tap_main("store-buffer", tests, TAP_COUNT(tests));
}
