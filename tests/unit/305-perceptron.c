/* Perceptrons: psim/bpred/bpred_perceptron.c. */
#include "tap.h"

#include "psim/bpred/bpred_kind.h"

enum { PC = 0x10000 };

static struct bpred_params perceptrons(unsigned bits, unsigned history)
{
	return (struct bpred_params){
		.kind = BPRED_PERCEPTRON,
		.perceptron_bits = bits,
		.perceptron_history = history,
	};
}

/*
 * One branch of history, whose direction begins as not taken: x = -1. T: the sum 0 predicts taken, its magnitude is
 * within 1.93 + 14, so w0 = 1, w1 = -1. N, x = 1: sum 0 predicts taken: wrong; w0 = 0, w1 = -2. T, x = -1: sum 2; w0 =
 * 1, w1 = -3. N, x = 1: sum -2, right. From then on every outcome is the opposite of the one before, and right.
 */
static void an_alternating_branch_by_hand(void)
{
	struct bpred_params p = perceptrons(1, 1);
	void *t = BPRED_PERCEPTRON_kind.create(&p);

	REQUIRE(t != NULL);
	for (unsigned n = 1; n <= 1000; n++) {
		bool taken = n % 2;

		CHECK((BPRED_PERCEPTRON_kind.direction(t, PC, taken) == taken) == (n != 2));
	}
	state_block_free(t);
}

static bool random_bit(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 40 & 1;
}

/*
 * Random branches, and after each nine a branch that depends on two of them; returns how many of the last 400 of 2000
 * such branches are wrong.
 */
static unsigned wrong_of_400(const struct bpred_kind *kind, const struct bpred_params *p,
			     bool (*outcome)(bool first, bool second))
{
	uint64_t state = 88172645463325252;
	void *t = kind->create(p);
	unsigned wrong = 0;

	REQUIRE(t != NULL);
	for (unsigned n = 0; n < 2000; n++) {
		bool drawn[9], taken;

		for (unsigned k = 0; k < 9; k++) {
			drawn[k] = random_bit(&state);
			kind->direction(t, PC + 4 + 4 * k, drawn[k]);
		}
		taken = outcome(drawn[0], drawn[1]);
		wrong += kind->direction(t, PC, taken) != taken && n >= 1600;
	}
	state_block_free(t);
	return wrong;
}

static bool both(bool first, bool second)
{
	return first && second;
}

static bool unlike(bool first, bool second)
{
	return first != second;
}

/*
 * The outcome depends on the branches eight and nine before. A perceptron learns "both", which is separable: among
 * weights of seven other branches theirs are the largest. It cannot learn "unlike" better than chance (half of 400,
 * six standard deviations of 10 on each side). A history of seven branches sees neither.
 */
static void separable_outcomes_alone_are_learnt(void)
{
	struct bpred_params far = perceptrons(4, 9), near = perceptrons(4, 7);
	unsigned chance = wrong_of_400(&BPRED_PERCEPTRON_kind, &far, unlike);

	CHECK(wrong_of_400(&BPRED_PERCEPTRON_kind, &far, both) <= 20);
	CHECK(chance > 140 && chance < 260);
	CHECK(wrong_of_400(&BPRED_PERCEPTRON_kind, &near, both) > 50); /* a quarter is taken */
}

/* With 12 branches gshare has 4096 counters to train, as the history is random; a perceptron has 13 weights. */
static void a_long_history_costs_a_perceptron_little(void)
{
	struct bpred_params p = perceptrons(4, 12);

	p.history_bits = 12;
	CHECK(wrong_of_400(&BPRED_PERCEPTRON_kind, &p, both) < wrong_of_400(&BPRED_GSHARE_kind, &p, both) / 2);
}

/* Jiménez and Lin's 4 KB: 29 weights of a byte for each of 128 perceptrons, and 28 branches. */
static void storage_is_that_of_the_weights(void)
{
	struct bpred_params p = perceptrons(7, 28);
	struct bpred_storage s = {0};

	BPRED_PERCEPTRON_kind.storage(&p, &s);
	CHECK_U64(s.bits, 29 * 8 * 128 + 28);
	CHECK_U64(s.read_bits, 29 * 8);
}

static const struct tap_test tests[] = {
	{"an alternating branch, by hand", an_alternating_branch_by_hand},
	{"separable outcomes alone are learnt", separable_outcomes_alone_are_learnt},
	{"a long history costs a perceptron little", a_long_history_costs_a_perceptron_little},
	{"storage is that of the weights", storage_is_that_of_the_weights},
};

int main(void)
{
	return tap_main("perceptrons", tests, TAP_COUNT(tests));
}
