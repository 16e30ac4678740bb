#include "core_random.h"

#include "core_run.h"
#include "tap.h"

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
			REQUIRE(trace_writer_region(m->writer, "inner", true, NULL) == 0);
		trace_maker_run(m, 0x10000 + 4 * LENGTH * k, words[k], LENGTH, ea);
		if (n == region)
			REQUIRE(trace_writer_region(m->writer, "inner", false, NULL) == 0);
		k = below(&state, 3) ? (k + 1) % CODE : below(&state, CODE);
	}
}
