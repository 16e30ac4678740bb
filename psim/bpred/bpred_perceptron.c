/*
 * The perceptron predictor: Jiménez and Lin, "Dynamic branch prediction with perceptrons", HPCA 2001.
 *
 * The branch's address selects a perceptron: a weight for the branch itself and one for each of the last
 * bpred.perceptron_history directions. The weights, each negated where its branch was not taken, are added; the branch
 * is predicted taken if the sum is not negative. After a misprediction, or where the sum's magnitude is at most the
 * threshold, each weight is counted up if its direction agreed with the outcome, else down.
 *
 * So it learns outcomes that are linearly separable by far branches of the history, and no exclusive or of two.
 */
#include <stdlib.h>

#include "bpred_kind.h"

enum { WEIGHT_BITS = 8, WEIGHT_MAX = 127, WEIGHT_MIN = -128 };

struct perceptron {
	uint64_t history; /* the newest direction in bit 0 */
	unsigned length;
	int threshold;
	uint64_t mask;
	int8_t weight[]; /* of each perceptron: the branch's own, then those of the history */
};

static void *perceptron_create(const struct bpred_params *p)
{
	size_t weights = ((size_t)p->perceptron_history + 1) << p->perceptron_bits;
	struct perceptron *t = state_block(sizeof(*t) + weights);

	if (!t)
		return NULL;
	t->length = p->perceptron_history;
	t->threshold = (int)(1.93 * p->perceptron_history + 14); /* the paper's, found by experiment */
	t->mask = (UINT64_C(1) << p->perceptron_bits) - 1;
	return t;
}

static int8_t *weights_of(struct perceptron *t, uint64_t pc)
{
	return &t->weight[(pc >> 2 & t->mask) * (t->length + 1)];
}

static int8_t weight_count(int8_t weight, bool up)
{
	if (up)
		return (int8_t)(weight + (weight < WEIGHT_MAX));
	return (int8_t)(weight - (weight > WEIGHT_MIN));
}

static int perceptron_sum(const struct perceptron *t, const int8_t *w)
{
	int sum = w[0];

	for (unsigned n = 0; n < t->length; n++)
		sum += t->history >> n & 1 ? w[n + 1] : -w[n + 1];
	return sum;
}

static void perceptron_advance(struct perceptron *t, bool taken)
{
	t->history = (t->history << 1 | taken) & ((UINT64_C(1) << t->length) - 1);
}

static bool perceptron_direction(void *tables, uint64_t pc, bool taken)
{
	struct perceptron *t = tables;
	int8_t *w = weights_of(t, pc);
	int sum = perceptron_sum(t, w);
	bool predicted = sum >= 0;

	if (predicted != taken || abs(sum) <= t->threshold) {
		w[0] = weight_count(w[0], taken);
		for (unsigned n = 0; n < t->length; n++)
			w[n + 1] = weight_count(w[n + 1], (t->history >> n & 1) == taken);
	}
	perceptron_advance(t, taken);
	return predicted;
}

static bool perceptron_guess(void *tables, uint64_t pc)
{
	struct perceptron *t = tables;
	bool predicted = perceptron_sum(t, weights_of(t, pc)) >= 0;

	perceptron_advance(t, predicted);
	return predicted;
}

static void *perceptron_history(void *tables, size_t *ret_bytes)
{
	struct perceptron *t = tables;

	*ret_bytes = sizeof(t->history);
	return &t->history;
}

static void perceptron_digest(const void *tables, struct digest *d)
{
	const struct perceptron *t = tables;

	for (uint64_t n = 0; n < (t->mask + 1) * (t->length + 1); n++)
		digest_add(d, (uint8_t)t->weight[n]);
	digest_add(d, t->history);
}

/* A look-up reads all weights of a perceptron. */
static void perceptron_storage(const struct bpred_params *p, struct bpred_storage *out)
{
	unsigned row = (p->perceptron_history + 1) * WEIGHT_BITS;

	out->bits = ((uint64_t)row << p->perceptron_bits) + p->perceptron_history;
	out->read_bits = row;
}

const struct bpred_kind BPRED_PERCEPTRON_kind = {
	.built = true,
	.create = perceptron_create,
	.direction = perceptron_direction,
	.guess = perceptron_guess,
	.history = perceptron_history,
	.digest = perceptron_digest,
	.storage = perceptron_storage,
};
