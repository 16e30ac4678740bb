#include "array_random.h"

#include "core_random.h"
#include "core_run.h"
#include "isa/simd.h"

enum { CODE = 24, LENGTH = 14, BLOCKS = 5, ADDRESSES = 3 * LENGTH };

static unsigned below(uint64_t *state, unsigned n)
{
	return core_random_number(state) % n;
}

/* ---- code ---- */
struct code_block {
	uint32_t word[LENGTH];
	unsigned count;
	bool simd;
};

/* Words of SIMD blocks: they act on the PEs, but for the last ones. */
static uint32_t simd_word(uint64_t *state)
{
	unsigned a = 2 * below(state, 12), b = 2 * below(state, 12), r = 1 + below(state, 6);
	const uint32_t words[] = {
		W_FADDD(a, b, a),
		W_FMADDD(a, b, a, b),
		W_FMADDD(b, b, a, b),
		W_FMULD(a, a, b),
		W_FNEGD(a, b),
		W_FP(a + 1, b, a, 0x41), /* fadds: a half of a pair */
		W_LDDF(a, r, 0),
		W_LDDF(b, r, 8),
		W_LDDF(a, r, 16),
		W_STDF(a, r, 0),
		W_STDF(b, r, 8),
		W_PEXD(a, b),
		W_FXMADDD(a, b, a, b),
		W_PEGETD(a, r, b),
		W_PEPUTD(a, r, b),
		W_PESUMD(a, b),
		W_ADD(r, r, 1),
		W_LDX(r, r, 0),
		W_STX(r, r, 0),
		W_FDIVD(a, b, a),
		W_SIMD(a, b, a, 0x42),                        /* fpadd64 */
		W_SIMD(b + 1, a, b, 0x71),                    /* fands */
		0x81b80000 | a << 25 | b << 14 | a << 9 | b,  /* fpmaddx */
		W_SIMD(below(state, 4), a, b, 0x1b0),         /* pecmpx */
		W_SIMD(a, b, a, 0x1a8 + below(state, 3)),     /* fadd2s, fsub2s, fmul2s */
		0x81b80100 | b << 25 | a << 14 | b << 9 | a,  /* fmadd2s */
		W_SIMD(a, r, b, 0x1b8 + 2 * below(state, 2)), /* gatherd, gatherxd */
		W_SIMD(a, r, b, 0x1b9 + 2 * below(state, 2)), /* gathers, gatherxs */
		W_SIMD(a, r, b, 0x1bc + below(state, 4)),     /* scatters of all kinds */
		0x81a80a40 | below(state, 4) << 25 | a << 14 | b /* fcmpd */,
		0x81a80040 | a << 25 | below(state, 16) << 14 | below(state, 4) << 11 | b /* fmovd on fcc */,
	};

	return words[below(state, sizeof(words) / sizeof(words[0]))];
}

/* Words of all blocks. */
static uint32_t other_word(uint64_t *state)
{
	unsigned r = 1 + below(state, 6), q = 1 + below(state, 6);
	const uint32_t words[] = {
		W_ADD(r, q, 1),
		W_SUBCC(r, 5),
		W_LDX(r, q, 0),
		W_LDUW(r, q, 4),
		W_STX(r, q, 0),
		W_MULX(r, q, r),
		W_PREFETCH(r, 64),
		W_SXGET(r, r, q, below(state, 2)),
		W_SXGET(q, r, q, below(state, 2)),
		W_SXPUT(r, r, q, below(state, 2)),
		W_SXWAIT(below(state, 4)),
		below(state, 8) ? W_NOP : 0x8143e00f, /* membar */
		below(state, 8) ? W_FMADDD(2 * r, 2 * q, 2, 4) : W_FDIVD(2 * r, 2 * q, 2),
	};

	return words[below(state, sizeof(words) / sizeof(words[0]))];
}

static void make_block(struct code_block *b, uint64_t *state)
{
	b->simd = below(state, 3);
	b->count = 4 + below(state, LENGTH - 3);
	for (unsigned n = 0; n < b->count; n++)
		b->word[n] = b->simd && below(state, 6) ? simd_word(state) : other_word(state);
	b->word[b->count - 2] = below(state, 3) ? W_BNE(24) : W_BA(24);
	if (below(state, 3) == 0)
		b->word[b->count - 1] = W_NOP;
}

/* ---- addresses ---- */
struct walk {
	uint64_t ea[ADDRESSES], stride[ADDRESSES];
};

static uint64_t window_address(uint64_t *state, bool all)
{
	uint64_t offset = 8 * (uint64_t)below(state, 64);

	return all ? SIMD_ALL_BASE + offset : SIMD_PE_BASE(below(state, 3)) + offset;
}

static uint64_t any_address(uint64_t *state)
{
	unsigned kind = below(state, 4);

	return kind < 2 ? 0x100000 + 8 * (uint64_t)below(state, 1u << below(state, 13))
			: window_address(state, kind == 2 || below(state, 2));
}

/* A small transfer, most of the time; sometimes one of no bytes. */
static uint64_t descriptor(uint64_t *state)
{
	unsigned pieces = below(state, 8) ? 1 + below(state, 4) : below(state, 40);

	return simd_transfer_pack(8 * below(state, 24), pieces, 8 * (int64_t)below(state, 40) - 64);
}

/* Draws the first addresses of a block and how they move. */
static void draw_walk(struct walk *w, const struct code_block *b, uint64_t *state)
{
	unsigned n = 0;

	for (unsigned k = 0; k < b->count; k++) {
		struct insn i;

		insn_decode_simd(b->word[k], b->simd, &i);
		for (unsigned left = insn_address_count(&i), third = 0; left; left--, n++, third++) {
			bool transfer = i.flags & INSN_TRANSFER;

			w->stride[n] = 8 * (uint64_t)below(state, below(state, 4) ? 4 : 64);
			if (!transfer)
				w->ea[n] = any_address(state);
			else if (third == 0)
				w->ea[n] = 0x200000 + 8 * (uint64_t)below(state, 4096);
			else if (third == 1)
				w->ea[n] = window_address(state, i.asi == SIMD_DEAL || below(state, 2));
			else
				w->ea[n] = descriptor(state);
			if (transfer && third == 2)
				w->stride[n] = 0;
		}
	}
}

/* Moves the addresses on; one may change its window, but not that of a transfer, which would need another way. */
static void move_on(struct walk *w, const struct code_block *b, bool odd, uint64_t *state)
{
	struct insn i;

	for (unsigned n = 0; n < ADDRESSES; n++)
		w->ea[n] += w->stride[n];
	insn_decode_simd(b->word[0], b->simd, &i);
	if (odd && !(i.flags & INSN_TRANSFER))
		w->ea[0] = any_address(state);
}

/* ---- loops ---- */
static void run_loop(struct trace_maker *m, const struct code_block code[CODE], uint64_t *state)
{
	unsigned first = below(state, CODE), blocks = 1 + below(state, BLOCKS), times = 1 + below(state, 120);
	unsigned odd = 1 + below(state, 30);
	struct walk walk[BLOCKS] = {0};

	for (unsigned k = 0; k < blocks; k++)
		draw_walk(&walk[k], &code[(first + k) % CODE], state);
	for (unsigned t = 0; t < times; t++) {
		for (unsigned k = 0; k < blocks; k++) {
			unsigned at = (first + k) % CODE;

			m->simd = code[at].simd;
			trace_maker_run(m, 0x10000 + 4 * LENGTH * at, code[at].word, code[at].count, walk[k].ea);
			move_on(&walk[k], &code[at], below(state, odd) == 0, state);
		}
	}
}

void array_random_loops(struct trace_maker *m, unsigned loops, unsigned pes, uint64_t seed)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test", .args = args, .arg_count = 1, .recorder = "test", .pes = pes, .sbm_bytes = SIMD_SBM};
	uint64_t state = seed * 1000003 + 29;
	struct code_block code[CODE];
	bool any = false;

	for (unsigned k = 0; k < CODE; k++)
		make_block(&code[k], &state);
	trace_maker_start(m, &info);
	for (unsigned n = 0; n < loops; n++) {
		bool inner = core_random_inner(loops - n, &any, &state);

		if (inner)
			core_random_mark(m, true);
		run_loop(m, code, &state);
		if (inner)
			core_random_mark(m, false);
	}
}
