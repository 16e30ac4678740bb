/*
 * The lines of an array's transfers that replay requests in one go (psim/replay/memo_lines.h) count as the detailed
 * core's, to the last counter, whatever the shapes of transfers are, and where L2 and L1D have lines. So do the loop
 * periods of loops in SBM (psim/replay/memo_loop_period.h), with the lines that come meanwhile.
 */
#include "tap.h"

#include "core_compare.h"
#include "core_random.h"
#include "isa/simd.h"
#include "seeds.h"

enum { MEMORY = 64000000, TRANSFERS = 40, FILLERS = 100, WORDS = (3 + FILLERS) * TRANSFERS };

/* A program of transfers, each behind which it may wait, and touch memory with a load or a store. */
struct program {
	uint32_t word[WORDS];
	uint64_t ea[4 * TRANSFERS];
	unsigned words, addresses;
};

static void add_word(struct program *p, uint32_t word)
{
	p->word[p->words++] = word;
}

/* Adds more instructions than the window and the fetch queue hold: the trace has not ended while the core waits. */
static void add_wait(struct program *p, unsigned most)
{
	add_word(p, W_SXWAIT(most));
	for (unsigned n = 0; n < FILLERS; n++)
		add_word(p, W_ADD(5, 5, 1));
}

static void add_transfer(struct program *p, bool put, bool deal, uint64_t memory, uint64_t descriptor)
{
	add_word(p, put ? W_SXPUT(1, 2, 3, deal) : W_SXGET(1, 2, 3, deal));
	p->ea[p->addresses++] = memory;
	p->ea[p->addresses++] = deal ? SIMD_ALL_BASE : SIMD_PE_BASE(3);
	p->ea[p->addresses++] = descriptor;
}

static void add_access(struct program *p, bool store, uint64_t ea)
{
	add_word(p, store ? W_STX(4, 16, 0) : W_LDX(4, 16, 0));
	p->ea[p->addresses++] = ea;
}

static void start_trace(struct trace_maker *m)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test", .args = args, .arg_count = 1, .recorder = "test", .pes = 16, .sbm_bytes = 65536};

	trace_maker_start(m, &info);
	m->simd = true;
}

static void compare_trace(struct trace_maker *m, struct core_compare *what)
{
	struct trace_reader *traces[2];

	what->memory = MEMORY;
	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(m);
	core_compare(traces, what);
	trace_maker_finish(m);
}

/* Compares the runs; returns the lines requested in one go. */
static uint64_t compare_program(const struct program *p, struct core_compare *what)
{
	struct trace_maker m;
	uint64_t lines = 0;

	what->lines = &lines;
	start_trace(&m);
	trace_maker_straight(&m, 0x10000, p->word, p->words, p->ea);
	compare_trace(&m, what);
	return lines;
}

/* 20 transfers of 64 KiB, 1024 lines each. At most a tenth is requested until the states repeat themselves. */
static void most_lines_of_long_transfers(void)
{
	static const char *const machine[] = {"simd.pes=16", NULL};
	struct core_compare what = {.overrides = machine};
	struct program p = {.words = 0};
	uint64_t lines;

	for (unsigned n = 0; n < 20; n++) {
		add_transfer(&p, n % 2, false, 0x10000000 + 0x10000 * n, simd_transfer_pack(65536, 1, 0));
		add_wait(&p, 0);
	}
	lines = compare_program(&p, &what);
	CHECK(lines >= 20 * 1024 * 9 / 10 && lines <= 20 * 1024);
}

/* Draws the pieces of a transfer of at most 64 KiB. */
static uint64_t draw_descriptor(bool deal, uint64_t *state)
{
	static const uint32_t sizes[] = {8, 8, 16, 24, 64, 72, 200, 1024, 8192};
	static const int64_t strides[] = {16, 24, 32, 64, 128, 96, 200, 256, 4096, -16, -64, -8};
	uint32_t bytes = sizes[core_random_number(state) % (sizeof(sizes) / sizeof(sizes[0]))];
	uint32_t most = 65536 / bytes * (deal ? 16 : 1), pieces = 1 + (uint32_t)(core_random_number(state) % 1500);
	int64_t stride = strides[core_random_number(state) % (sizeof(strides) / sizeof(strides[0]))];

	if (core_random_number(state) % 3 == 0)
		stride = bytes; /* they are neighbours */
	return simd_transfer_pack(bytes, pieces < most ? pieces : most, stride);
}

static void draw_program(struct program *p, uint64_t *state)
{
	for (unsigned n = 1; n < TRANSFERS; n++) {
		bool put = core_random_number(state) % 3 == 0, deal = core_random_number(state) % 2;
		uint64_t memory = 0x10000000 + 8 * (core_random_number(state) % 4096);

		if (core_random_number(state) % 4 == 0)
			add_access(p, core_random_number(state) % 2, memory + 640);
		add_transfer(p, put, deal, memory, draw_descriptor(deal, state));
		if (core_random_number(state) % 4 != 0)
			add_wait(p, (unsigned)core_random_number(state) % 2);
	}
	add_wait(p, 0);
}

static const char *const machines[][6] = {
	{"simd.pes=16", NULL},
	{"simd.pes=16", "simd.transfer_buffers=3", "simd.sbm_ports=1", NULL},
	{"simd.pes=16", "memory.bandwidth=100 GB/s", NULL},
	{"simd.pes=16", "l1i.size=4KiB", "l1d.size=16KiB", "l2.size=64KiB", "l2.ways=4", NULL},
	{"simd.pes=16", "prefetch.enabled=no", "l2.perfect=yes", NULL},
	{"simd.pes=16", "memory.kind=dram", NULL},
};

static struct core_compare draw_compare(uint64_t seed, uint64_t *state)
{
	struct core_compare what = {.overrides = machines[seed % (sizeof(machines) / sizeof(machines[0]))]};

	if (core_random_number(state) % 3 == 0)
		what.step = 1 + core_random_number(state) % 3000;
	if (core_random_number(state) % 3 == 0)
		what.check = 1 + core_random_number(state) % 50;
	if (core_random_number(state) % 3 == 0)
		what.interval = 1 + core_random_number(state) % 900;
	return what;
}

/* Returns the lines requested in one go. */
static double compare_seed(uint64_t seed)
{
	uint64_t state = seed * 77 + 5;
	struct core_compare what = draw_compare(seed, &state);
	struct program p = {.words = 0};

	draw_program(&p, &state);
	return (double)compare_program(&p, &what);
}

static void random_shapes(void)
{
	seeds_run("CORE_MEMO_SEEDS", 24, compare_seed, 1000);
}

/* ---- loops in SBM ---- */
enum { LOOP_WORDS = 9, LOOPS = 5 };

/* A loop of one block on SBM. */
struct sbm_loop {
	uint32_t word[LOOP_WORDS];
	unsigned count, addresses;
	uint64_t ea[LOOP_WORDS];
	int64_t stride[LOOP_WORDS];
};

static uint32_t draw_access(struct sbm_loop *l, int64_t stride, uint64_t *state)
{
	unsigned a = core_random_number(state) % 6;
	bool store = core_random_number(state) % 3 == 0;
	uint64_t at = 16384 + 8 * (core_random_number(state) % 4096);

	l->ea[l->addresses] = (core_random_number(state) % 4 && !store ? SIMD_ALL_BASE : SIMD_PE_BASE(2)) + at;
	l->stride[l->addresses] = core_random_number(state) % 40 ? stride : 16;
	if (core_random_number(state) % 20 == 0)
		l->ea[l->addresses] = 0x10000000 + at; /* of memory */
	l->addresses++;
	return store ? W_STDF(2 * a, 16, 0) : W_LDDF(2 * a, 16, 0);
}

/* Up to five words, a branch, and its delay slot, which may have an access. */
static void draw_sbm_loop(struct sbm_loop *l, uint64_t *state)
{
	int64_t stride = core_random_number(state) % 3 ? 8 : -8;
	unsigned body = 2 + core_random_number(state) % 5;

	l->count = l->addresses = 0;
	while (l->count < body) {
		unsigned a = core_random_number(state) % 6;

		l->word[l->count++] = core_random_number(state) % 3 ? draw_access(l, stride, state)
				      : a % 2                       ? W_FMADDD(2 * a, 4, 6, 2 * a)
								    : W_ADD(a, a, 1);
	}
	l->word[l->count++] = W_BNE(-(int)body);
	l->word[l->count++] = core_random_number(state) % 2 ? draw_access(l, stride, state) : W_NOP;
}

/* Transfers to and from parts of SBM, some of which the loops touch, and perhaps a wait. */
static void draw_transfers(struct program *p, uint64_t *state)
{
	unsigned count = 1 + core_random_number(state) % 3;

	*p = (struct program){.words = 0};
	for (unsigned n = 0; n < count; n++) {
		uint64_t bytes = 512 << core_random_number(state) % 5;

		add_transfer(p, core_random_number(state) % 2, core_random_number(state) % 2,
			     0x10000000 + 64 * (core_random_number(state) % 65536),
			     simd_transfer_pack((uint32_t)bytes, 1 + (uint32_t)(core_random_number(state) % 4),
						(int64_t)bytes));
		p->ea[p->addresses - 2] += 8 * (core_random_number(state) % 4096);
	}
	if (core_random_number(state) % 2)
		add_word(p, W_SXWAIT(core_random_number(state) % 2));
	add_word(p, W_ADD(5, 5, 1));
}

/* Returns the loop periods replayed. */
static double compare_loops(uint64_t seed)
{
	uint64_t state = seed * 91 + 3, loop_periods = 0;
	struct core_compare what = draw_compare(seed, &state);
	struct trace_maker m;

	what.loop_periods = &loop_periods;
	start_trace(&m);
	for (unsigned n = 0; n < LOOPS; n++) {
		unsigned times = 1 + core_random_number(&state) % 3;
		struct program p;
		struct sbm_loop l;

		draw_transfers(&p, &state);
		draw_sbm_loop(&l, &state);
		for (unsigned k = 0; k < times; k++) {
			trace_maker_straight(&m, 0x10000 + 0x1000 * n, p.word, p.words, p.ea);
			trace_maker_loop(&m, 0x80000 + 0x84 * n, l.word, l.count,
					 20 + core_random_number(&state) % 1500, l.ea, l.stride);
		}
	}
	compare_trace(&m, &what);
	return (double)loop_periods;
}

static void random_loops(void)
{
	seeds_run("MEMO_SBM_LOOP_SEEDS", 60, compare_loops, 100);
}

/* The loop periods of a triad on SBM of 2000 iterations, behind the transfers of `p`. */
static uint64_t triad_behind(const struct program *p)
{
	static const char *const machine[] = {"simd.pes=16", NULL};
	static const uint32_t word[] = {W_LDDF(2, 17, 0), W_FMADDD(4, 0, 6, 2), W_STDF(4, 18, 0), W_ADD(16, 16, 8),
					W_ADD(5, 5, 1),   W_ADD(5, 5, 1),       W_ADD(5, 5, 1),   W_ADD(5, 5, 1),
					W_BNE(-8),        W_LDDF(0, 16, 0)};
	static const uint64_t ea[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 0x4000, SIMD_ALL_BASE + 0x8000};
	static const int64_t stride[] = {8, 8, 8};
	struct core_compare what = {.overrides = machine};
	uint64_t loop_periods = 0;
	struct trace_maker m;

	what.loop_periods = &loop_periods;
	start_trace(&m);
	trace_maker_straight(&m, 0x10000, p->word, p->words, p->ea);
	trace_maker_loop(&m, 0x20000, word, 10, 2000, ea, stride);
	compare_trace(&m, &what);
	return loop_periods;
}

/*
 * A loop period is at most 16 iterations, so nine tenths of the triad are at least 112 of them. The lines of a get come
 * meanwhile, or the loop stores into the part that the get fills: its stores wait, and most come behind the get.
 */
static void most_of_a_triad(void)
{
	struct program none = {.words = 0}, apart = {.words = 0}, inside = {.words = 0};
	uint64_t loop_periods;

	add_word(&none, W_ADD(5, 5, 1));
	loop_periods = triad_behind(&none);
	CHECK(loop_periods >= 112 && loop_periods <= 2000);
	add_transfer(&apart, false, true, 0x10000000, simd_transfer_pack(8192, 16, 8192));
	apart.ea[1] = SIMD_ALL_BASE + 0xc000;
	loop_periods = triad_behind(&apart);
	CHECK(loop_periods >= 112 && loop_periods <= 2000);
	add_transfer(&inside, false, true, 0x10000000, simd_transfer_pack(8192, 1, 8192));
	inside.ea[1] = SIMD_ALL_BASE + 0x8000;
	loop_periods = triad_behind(&inside);
	CHECK(loop_periods >= 112 && loop_periods <= 2000);
}

static const struct tap_test tests[] = {
	{"most lines of long transfers are requested in one go", most_lines_of_long_transfers},
	{"random shapes of transfers count the same", random_shapes},
	{"most of a triad in SBM is replayed in loop periods", most_of_a_triad},
	{"random loops in SBM count the same", random_loops},
};

int main(void)
{
	return tap_main("memo lines", tests, TAP_COUNT(tests));
}
