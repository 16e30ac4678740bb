/* Directions by counters with global history: McFarling, "Combining branch predictors", WRL TN-36, 1993. */
#include "bpred_kind.h"
#include "bpred_state.h"

struct gshare {
	uint64_t history, mask;
	uint8_t counter[]; /* 1 << history_bits */
};

static void *gshare_create(const struct bpred_params *p)
{
	uint64_t counters = (uint64_t)1 << p->history_bits;
	struct gshare *g = state_block(sizeof(*g) + counters);

	if (!g)
		return NULL;
	g->mask = counters - 1;
	/* counters start as weakly not taken */
	for (uint64_t n = 0; n < counters; n++)
		g->counter[n] = COUNTER_TAKEN - 1;
	return g;
}

static uint8_t *gshare_counter(struct gshare *g, uint64_t pc)
{
	return &g->counter[(pc >> 2 ^ g->history) & g->mask];
}

static bool gshare_direction(void *tables, uint64_t pc, bool taken)
{
	struct gshare *g = tables;
	uint8_t *counter = gshare_counter(g, pc);
	bool predicted = *counter >= COUNTER_TAKEN;

	*counter = bpred_count(*counter, taken);
	g->history = (g->history << 1 | taken) & g->mask;
	return predicted;
}

static bool gshare_guess(void *tables, uint64_t pc)
{
	struct gshare *g = tables;
	bool predicted = *gshare_counter(g, pc) >= COUNTER_TAKEN;

	g->history = (g->history << 1 | predicted) & g->mask;
	return predicted;
}

static void *gshare_history(void *tables, size_t *ret_bytes)
{
	struct gshare *g = tables;

	*ret_bytes = sizeof(g->history);
	return &g->history;
}

static void gshare_digest(const void *tables, struct digest *d)
{
	const struct gshare *g = tables;

	for (uint64_t n = 0; n <= g->mask; n++)
		digest_add(d, g->counter[n]);
	digest_add(d, g->history);
}

/* Counters of two bits, of which an access reads a word. */
static void gshare_storage(const struct bpred_params *p, struct bpred_storage *out)
{
	out->bits = UINT64_C(2) << p->history_bits;
	out->read_bits = BPRED_WORD_BITS;
}

const struct bpred_kind BPRED_GSHARE_kind = {
	.built = true,
	.create = gshare_create,
	.direction = gshare_direction,
	.guess = gshare_guess,
	.history = gshare_history,
	.digest = gshare_digest,
	.storage = gshare_storage,
};
