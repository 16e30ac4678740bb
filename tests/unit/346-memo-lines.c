/*
 * The lines of an array's transfers that replay requests in one go (psim/replay/memo_lines.h) count as the detailed
 * core's, to the last counter, whatever the shapes of transfers are, and where L2 and L1D have lines.
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

/* Compares the runs; returns the lines requested in one go. */
static uint64_t compare_program(const struct program *p, struct core_compare *what)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test", .args = args, .arg_count = 1, .recorder = "test", .pes = 16, .sbm_bytes = 65536};
	struct trace_reader *traces[2];
	struct trace_maker m;
	uint64_t lines = 0;

	what->memory = MEMORY;
	what->lines = &lines;
	trace_maker_start(&m, &info);
	m.simd = true;
	trace_maker_straight(&m, 0x10000, p->word, p->words, p->ea);
	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(&m);
	core_compare(traces, what);
	trace_maker_finish(&m);
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

/* Returns the lines requested in one go. */
static double compare_seed(uint64_t seed)
{
	static const char *const machines[][6] = {
		{"simd.pes=16", NULL},
		{"simd.pes=16", "simd.transfer_buffers=3", "simd.sbm_ports=1", NULL},
		{"simd.pes=16", "memory.bandwidth=100 GB/s", NULL},
		{"simd.pes=16", "l1i.size=4KiB", "l1d.size=16KiB", "l2.size=64KiB", "l2.ways=4", NULL},
		{"simd.pes=16", "prefetch.enabled=no", "l2.perfect=yes", NULL},
		{"simd.pes=16", "memory.kind=dram", NULL},
	};
	uint64_t state = seed * 77 + 5;
	struct core_compare what = {.overrides = machines[seed % (sizeof(machines) / sizeof(machines[0]))]};
	struct program p = {.words = 0};

	if (core_random_number(&state) % 3 == 0)
		what.step = 1 + core_random_number(&state) % 3000;
	if (core_random_number(&state) % 3 == 0)
		what.check = 1 + core_random_number(&state) % 50;
	if (core_random_number(&state) % 3 == 0)
		what.interval = 1 + core_random_number(&state) % 900;
	draw_program(&p, &state);
	return (double)compare_program(&p, &what);
}

static void random_shapes(void)
{
	seeds_run("CORE_MEMO_SEEDS", 24, compare_seed, 1000);
}

static const struct tap_test tests[] = {
	{"most lines of long transfers are requested in one go", most_lines_of_long_transfers},
	{"random shapes of transfers count the same", random_shapes},
};

int main(void)
{
	return tap_main("memo lines", tests, TAP_COUNT(tests));
}
