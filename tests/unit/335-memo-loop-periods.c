/*
 * Loop periods that are replayed in one go count as detailed cycles do, to the last counter
 * (psim/replay/memo_loop_period.h): random loops with strides on random machines, in steps, with intervals, with some
 * transitions compared.
 *
 * MEMO_LOOP_PERIOD_SEEDS=FIRST:COUNT in the environment: these seeds instead of the test's (seeds.h).
 */
#include "tap.h"

#include "core_compare.h"
#include "core_draw.h"
#include "core_random.h"
#include "seeds.h"

enum { MEMORY = 64000000, SEEDS = 40, LENGTH = 9, ADDRESSES = LENGTH };

/* A loop of one block, with addresses. */
struct loop {
	uint32_t word[LENGTH + 2];
	unsigned count, addresses;
	uint64_t ea[ADDRESSES];
	int64_t stride[ADDRESSES];
};

static uint32_t draw_word(uint64_t *state)
{
	unsigned a = core_random_number(state) % 6, b = 2 + core_random_number(state) % 6;

	switch (core_random_number(state) % 8) {
	case 0: return W_LDX(b, 16, 0);
	case 1:
	case 2: return W_LDDF(2 * a, 16, 0);
	case 3: return W_STX(b, 16, 0);
	case 4: return W_STDF(2 * a, 16, 0);
	case 5: return W_FMADDD(2 * a, 2 * b, 2 * a, 0);
	case 6: return W_FADDD(2 * b, 2 * a, 2 * b);
	default: return W_ADD(b, a, 1);
	}
}

/* Most loops have one stride; some addresses stay, or move otherwise. */
static void draw_addresses(struct loop *l, uint64_t *state)
{
	static const int64_t strides[] = {8, 8, 8, -8, 16, 24, 64, -40, 128, 4096};
	int64_t stride = strides[core_random_number(state) % 10];
	unsigned odd = core_random_number(state) % 20;

	for (unsigned n = 0; n < l->addresses; n++) {
		uint64_t array = core_random_number(state) % 4, near = core_random_number(state) % 3;

		l->stride[n] = odd == n ? strides[core_random_number(state) % 10] : stride;
		l->ea[n] = 0x10000000 + 0x1000000 * array + 8 * near + 64 * (core_random_number(state) % 2);
		if (core_random_number(state) % 4)
			l->ea[n] += 0x2480 * array; /* arrays in other sets */
	}
}

static void draw_loop(struct loop *l, uint64_t *state)
{
	l->count = 3 + core_random_number(state) % (LENGTH - 2);
	l->addresses = 0;
	for (unsigned n = 0; n < l->count; n++) {
		struct insn i;

		l->word[n] = draw_word(state);
		insn_decode(l->word[n], &i);
		l->addresses += insn_address_count(&i);
	}
	l->word[l->count] = W_BNE(-(int)l->count);
	l->word[l->count + 1] = W_NOP;
	l->count += 2;
	draw_addresses(l, state);
}

/* Adds the loop with so many iterations, at its own address. */
static void add_loop(struct trace_maker *m, const struct loop *l, unsigned number, uint64_t times)
{
	trace_maker_loop(m, 0x10000 + 0x84 * number, l->word, l->count, times, l->ea, l->stride);
}

static uint64_t compare_loops(struct trace_maker *m, struct core_compare *what)
{
	struct trace_reader *traces[2];
	uint64_t loop_periods = 0;

	what->loop_periods = &loop_periods;
	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(m);
	core_compare(traces, what);
	trace_maker_finish(m);
	return loop_periods;
}

/* Returns the loop periods replayed. */
static double compare_seed(uint64_t seed)
{
	uint64_t state = seed;
	struct core_draw machine;
	struct core_compare what = {.memory = MEMORY};
	struct loop loop[4];
	struct trace_maker m;

	core_draw_machine(&machine, &state);
	if (seed % 2)
		what.overrides = machine.overrides;
	if (core_random_number(&state) % 3 == 0)
		what.step = 1 + core_random_number(&state) % 30000;
	if (core_random_number(&state) % 3 == 0)
		what.check = 1 + core_random_number(&state) % 20000;
	if (core_random_number(&state) % 3 == 0)
		what.interval = 1 + core_random_number(&state) % 5000;
	for (unsigned n = 0; n < 4; n++)
		draw_loop(&loop[n], &state);
	trace_maker_start(&m, NULL);
	for (unsigned n = 0; n < 6; n++) {
		unsigned k = core_random_number(&state) % 4;

		add_loop(&m, &loop[k], k, 300 + core_random_number(&state) % 3000);
	}
	return (double)compare_loops(&m, &what);
}

static void random_loops(void)
{
	seeds_run("MEMO_LOOP_PERIOD_SEEDS", SEEDS, compare_seed, 20);
}

/* Two loads and a store to arrays in different sets: a loop period is 8 iterations of 8 bytes. */
static void the_triad(const char *const *overrides, uint64_t iterations, uint64_t least)
{
	static const struct loop triad = {
		{W_LDDF(0, 16, 0), W_LDDF(2, 17, 0), W_FMADDD(4, 0, 6, 2), W_STDF(4, 18, 0), W_ADD(16, 16, 8),
		 W_BNE(-5), W_NOP},
		7,
		3,
		{0x10000000, 0x11002480, 0x12004900},
		{8, 8, 8},
	};
	struct core_compare what = {.memory = MEMORY, .overrides = overrides};
	struct trace_maker m;
	uint64_t loop_periods;

	trace_maker_start(&m, NULL);
	add_loop(&m, &triad, 7, iterations); /* its lines are not those of a page's begin */
	loop_periods = compare_loops(&m, &what);
	CHECK(loop_periods >= least && loop_periods <= iterations / 8);
}

/* Pages of 8 KiB have 128 loop periods; of 64 KiB, 1024. */
static void triads(void)
{
	static const char *const large[] = {"tlb.page_size=64KiB", NULL};

	the_triad(NULL, 40000, 2500);
	the_triad(large, 40000, 4000);
	/* too few iterations to learn a loop period, and one more of each number */
	for (uint64_t n = 1; n < 40; n++)
		the_triad(NULL, 7 * n, 0);
}

/*
 * L2 has 64 KiB. It evicts the loop's code, which it only sees when L1I misses, after each 1024 lines of data: in the
 * middle of loop periods.
 */
static void code_that_l2_evicts(void)
{
	static const char *const small[] = {"l1i.size=4KiB", "l1d.size=16KiB", "l2.size=64KiB", "l2.ways=4", NULL};
	static const char *const smaller[] = {"l1i.size=4KiB", "l1d.size=4KiB",        "l2.size=16KiB",
					      "l2.ways=2",     "prefetch.enabled=yes", NULL};

	the_triad(small, 30000, 1000);
	the_triad(smaller, 30000, 0);
}

/* Two entries of the TLB for three pages: each access loads a page, so no loop period is known. */
static void pages_that_do_not_fit(void)
{
	static const char *const two[] = {"tlb.udtlb_entries=2", NULL};

	the_triad(two, 20000, 0);
}

static const struct tap_test tests[] = {
	{"random loops count the same", random_loops},
	{"the triad does, mostly in loop periods", triads},
	{"it does where L2 evicts the code of a loop period", code_that_l2_evicts},
	{"it does with pages that do not fit the TLB", pages_that_do_not_fit},
};

int main(void)
{
	return tap_main("memo loop periods", tests, TAP_COUNT(tests));
}
