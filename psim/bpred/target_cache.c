/*
 * Targets by the path that leads to a transfer: the tagless target cache with path history of P.-Y. Chang, E. Hao and
 * Y. Patt, "Target prediction for indirect jumps", ISCA 1997.
 */
#include "target_kind.h"

struct target_cache {
	uint64_t history, mask;
	unsigned bits;     /* of a target in the history */
	uint64_t target[]; /* 0: none */
};

static void *target_cache_create(const struct bpred_params *p)
{
	uint64_t entries = UINT64_C(1) << p->target_bits;
	struct target_cache *c = state_block(sizeof(*c) + entries * sizeof(*c->target));

	if (!c)
		return NULL;
	c->mask = entries - 1;
	c->bits = p->target_history < p->target_bits ? p->target_bits / p->target_history : 1;
	return c;
}

static void target_cache_advance(struct target_cache *c, uint64_t target)
{
	c->history = (c->history << c->bits | (target >> 2 & ((UINT64_C(1) << c->bits) - 1))) & c->mask;
}

static uint64_t target_cache_predict(void *tables, uint64_t pc, uint64_t last, uint64_t target)
{
	struct target_cache *c = tables;
	uint64_t *entry = &c->target[(pc >> 2 ^ c->history) & c->mask];
	const uint64_t known = *entry ? *entry : last;

	*entry = target;
	target_cache_advance(c, target);
	return known;
}

static uint64_t target_cache_guess(void *tables, uint64_t pc, uint64_t last)
{
	struct target_cache *c = tables;
	const uint64_t entry = c->target[(pc >> 2 ^ c->history) & c->mask], known = entry ? entry : last;

	target_cache_advance(c, known);
	return known;
}

static void *target_cache_history(void *tables, size_t *ret_bytes)
{
	struct target_cache *c = tables;

	*ret_bytes = sizeof(c->history);
	return &c->history;
}

static void target_cache_digest(const void *tables, struct digest *d)
{
	const struct target_cache *c = tables;

	for (uint64_t n = 0; n <= c->mask; n++)
		digest_add(d, c->target[n]);
	digest_add(d, c->history);
}

static void target_cache_storage(const struct bpred_params *p, uint64_t *bits, unsigned *read_bits)
{
	*bits = (UINT64_C(1) << p->target_bits) * TARGET_BITS + p->target_bits;
	*read_bits = TARGET_BITS;
}

const struct target_kind TARGETS_CACHE_kind = {
	.create = target_cache_create,
	.predict = target_cache_predict,
	.guess = target_cache_guess,
	.history = target_cache_history,
	.digest = target_cache_digest,
	.storage = target_cache_storage,
};
