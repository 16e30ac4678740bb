#include "core_random.h"

#include <stdlib.h>

#include "core_run.h"

const char *const core_random_small[] = {
	"l1d.perfect=no", "l1i.perfect=no", "tlb.perfect=no",      "l1d.size=4 KiB",
	"l1i.size=4 KiB", "l2.size=48 KiB", "tlb.udtlb_entries=4", NULL,
};

uint32_t core_random_number(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static unsigned below(uint64_t *state, unsigned n)
{
	return core_random_number(state) % n;
}

static uint32_t random_word(uint64_t *state)
{
	unsigned a = 1 + below(state, 7), b = 1 + below(state, 7), c = 2 * below(state, 8);

	switch (below(state, 10)) {
	case 0: return W_LDX(a, b, 0);
	case 1: return W_STX(a, b, 0);
	case 2: return W_FADDD(c, (c + 2) % 16, 2 * a);
	case 3: return W_FMADDD(c, 2 * a, 2 * b, c);
	case 4: return W_FDIVD(c, 2 * a, 2 * b);
	case 5: return W_MULX(a, b, a);
	case 6: return W_SUBCC(a, 5);
	case 7: return W_LDUW(a, b, 4);
	default: return W_ADD(a, b, 1);
	}
}

void core_random_mark(struct trace_maker *m, bool begin)
{
	if (trace_writer_region(m->writer, "inner", begin, NULL) < 0)
		abort(); /* of the host: no room in /tmp */
}

void core_random_trace(struct trace_maker *m, unsigned blocks, unsigned region, uint64_t seed)
{
	enum { CODE = 40, LENGTH = CORE_RANDOM_LENGTH };
	static uint32_t words[CODE][LENGTH];
	uint64_t ea[LENGTH], state = seed;

	for (unsigned k = 0; k < CODE; k++) {
		for (unsigned n = 0; n < LENGTH; n++)
			words[k][n] = random_word(&state);
		words[k][LENGTH - 2] = W_BNE(32);
	}
	trace_maker_start(m, NULL);
	for (unsigned n = 0, k = 0; n < blocks; n++) {
		for (unsigned j = 0; j < LENGTH; j++)
			ea[j] = 0x100000 + 8 * below(&state, 16384);
		if (n == region)
			core_random_mark(m, true);
		trace_maker_run(m, 0x10000 + 4 * LENGTH * k, words[k], LENGTH, ea);
		if (n == region)
			core_random_mark(m, false);
		k = below(&state, 3) ? (k + 1) % CODE : below(&state, CODE);
	}
}

/* ---- loops ---- */
/* The words that only loops have. */
static uint32_t rare_word(uint64_t *state)
{
	unsigned a = 1 + below(state, 7), b = 1 + below(state, 7);

	switch (below(state, 8)) {
	case 0: return 0x9de3bf80; /* save %sp, -128, %sp */
	case 1: return 0x81e80000; /* restore */
	case 2: return 0x8143e00f; /* membar */
	case 3: return W_PREFETCH(a, 64);
	case 4: return W_SDIVX(a, b, 3);
	case 5: return W_STDF(2 * a, b, 8);
	case 6: return W_LDDF(2 * a, b, 8);
	default: return W_FNEGD(2 * a, 2 * b);
	}
}

/* A control transfer: conditional, annulling, always taken, a call, a return. */
static uint32_t transfer_word(uint64_t *state)
{
	switch (below(state, 6)) {
	case 0: return 0x32800000 | 16; /* bne,a */
	case 1: return W_BA(24);
	case 2: return 0x40000000 | 40; /* call */
	case 3: return 0x81c7e008;      /* ret */
	default: return W_BNE(32);
	}
}

static void make_block(struct core_loop_block *b, uint64_t *state)
{
	b->count = 3 + below(state, CORE_LOOP_LENGTH - 2);
	for (unsigned n = 0; n < b->count; n++)
		b->word[n] = below(state, 12) ? random_word(state) : rare_word(state);
	b->word[b->count - 2] = transfer_word(state);
	if (below(state, 4) == 0)
		b->word[b->count - 1] = W_NOP;
}

void core_loop_code(struct core_loop_block code[CORE_LOOP_CODE], uint64_t *state)
{
	for (unsigned k = 0; k < CORE_LOOP_CODE; k++)
		make_block(&code[k], state);
}

void core_loop_run(struct trace_maker *m, const struct core_loop_block code[CORE_LOOP_CODE],
		   const struct core_loop *loop, uint64_t *state)
{
	uint64_t ea[CORE_LOOP_BLOCKS][CORE_LOOP_LENGTH], stride[CORE_LOOP_BLOCKS][CORE_LOOP_LENGTH];

	for (unsigned k = 0; k < loop->blocks; k++) {
		for (unsigned n = 0; n < CORE_LOOP_LENGTH; n++) {
			ea[k][n] = 0x100000 + 8 * (uint64_t)below(state, loop->window);
			stride[k][n] = below(state, 3) ? 8 * (uint64_t)below(state, 4) : 8 * (uint64_t)below(state, 64);
		}
	}
	for (unsigned t = 0; t < loop->times; t++) {
		for (unsigned k = 0; k < loop->blocks; k++) {
			unsigned at = (loop->first + k) % CORE_LOOP_CODE;

			trace_maker_run(m, 0x10000 + 4 * CORE_LOOP_LENGTH * at, code[at].word, code[at].count, ea[k]);
			for (unsigned n = 0; n < CORE_LOOP_LENGTH; n++)
				ea[k][n] += stride[k][n];
		}
		if (below(state, loop->odd) == 0)
			ea[below(state, loop->blocks)][below(state, 4)] += 8 * (uint64_t)below(state, 4096);
	}
}

bool core_random_inner(unsigned left, bool *any, uint64_t *state)
{
	bool inner = below(state, 6) == 0 || (left == 1 && !*any);

	*any |= inner;
	return inner;
}

void core_random_loops(struct trace_maker *m, unsigned loops, uint64_t seed)
{
	struct core_loop_block code[CORE_LOOP_CODE];
	uint64_t state = seed * 1000003 + 17;
	bool any = false;

	core_loop_code(code, &state);
	trace_maker_start(m, NULL);
	for (unsigned n = 0; n < loops; n++) {
		bool inner = core_random_inner(loops - n, &any, &state);
		struct core_loop loop;

		loop.blocks = 1 + below(&state, CORE_LOOP_BLOCKS);
		loop.first = below(&state, CORE_LOOP_CODE);
		loop.times = 1 + below(&state, 200);
		loop.odd = 1 + below(&state, 40);
		loop.window = 8u << below(&state, 14);
		if (inner)
			core_random_mark(m, true);
		core_loop_run(m, code, &loop, &state);
		if (inner)
			core_random_mark(m, false);
	}
}

/* A loop of up to three blocks, some of whose addresses change now and then. */
static void cells_loop(struct trace_maker *m, const struct core_loop_block code[CORE_LOOP_CODE], unsigned times,
		       uint64_t *state)
{
	enum { CELLS = 3, BLOCKS = 3 };
	uint64_t ea[BLOCKS][CORE_LOOP_LENGTH];
	unsigned first = below(state, CORE_LOOP_CODE), blocks = 1 + below(state, BLOCKS);

	for (unsigned n = 0; n < BLOCKS * CORE_LOOP_LENGTH; n++)
		ea[n / CORE_LOOP_LENGTH][n % CORE_LOOP_LENGTH] = 0x100000 + 8 * below(state, CELLS);
	for (unsigned n = 0; n < times; n++) {
		unsigned k = n % blocks, at = (first + k) % CORE_LOOP_CODE;

		if (below(state, 4) == 0)
			ea[k][below(state, CORE_LOOP_LENGTH)] = 0x100000 + 8 * below(state, CELLS);
		trace_maker_run(m, 0x10000 + 4 * CORE_LOOP_LENGTH * at, code[at].word, code[at].count, ea[k]);
	}
}

void core_random_cells(struct trace_maker *m, unsigned blocks, uint64_t seed)
{
	enum { TIMES = 100 };
	struct core_loop_block code[CORE_LOOP_CODE];
	uint64_t state = seed;

	core_loop_code(code, &state);
	trace_maker_start(m, NULL);
	for (unsigned n = 0; n < blocks; n += TIMES)
		cells_loop(m, code, TIMES, &state);
}
