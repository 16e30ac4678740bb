/* TAGE: psim/bpred/bpred_tage.c. */
#include "tap.h"

#include "psim/bpred/bpred_kind.h"

/* The number of the word has bits that no fold of short histories clears, so no tag is that of an empty entry. */
enum { PC = 0x10000 + 4 * 0x155 };

static struct bpred_params one_table(unsigned length)
{
	return (struct bpred_params){
		.kind = BPRED_TAGE,
		.tage_base_bits = 4,
		.tage_tables = 1,
		.tage_bits = 9,
		.tage_tag_bits = 9,
		.tage_history_min = length,
		.tage_history_max = length,
	};
}

/* 5 x 26^(n/6), the ratio 130/5: 5, 8.6, 14.8, 25.49, 43.9, 75.53, 130, rounded. */
static void histories_are_a_geometric_series(void)
{
	static const unsigned expected[] = {5, 9, 15, 25, 44, 76, 130};
	struct bpred_params p = {.tage_tables = 7, .tage_history_min = 5, .tage_history_max = 130};

	for (unsigned n = 0; n < 7; n++)
		CHECK_U64(tage_length(&p, n), expected[n]);
	p.tage_tables = 1;
	CHECK_U64(tage_length(&p, 0), 130);
}

/*
 * T T N again and again, four branches of history, base counter 1 (not taken). Wrong are 1: base 1, an entry is
 * allocated; 3: base 3; 6: base 3, with the history 1011 that comes again; 9: its entry is new, and the alternate, the
 * base, is preferred (8 of 15). It was wrong, so its counter is 7, and the entry is useful. Each third branch has this
 * entry from then on, and others have the base.
 */
static void a_new_entry_is_trusted_when_the_alternate_was_wrong(void)
{
	struct bpred_params p = one_table(4);
	void *t = BPRED_TAGE_kind.create(&p);

	REQUIRE(t != NULL);
	for (unsigned n = 1; n <= 300; n++) {
		bool taken = n % 3 != 0, right = BPRED_TAGE_kind.direction(t, PC, taken) == taken;

		CHECK(right == (n != 1 && n != 3 && n != 6 && n != 9));
	}
	state_block_free(t);
}

/* Mispredictions of the last 100 of 200 loops of `trips`, whose branch is taken trips - 1 times. */
static unsigned wrong_of_100(void *t, unsigned trips)
{
	unsigned wrong = 0;

	for (unsigned loop = 0; loop < 200; loop++)
		for (unsigned n = 1; n <= trips; n++)
			wrong += (BPRED_TAGE_kind.direction(t, PC, n < trips) != (n < trips)) && loop >= 100;
	return wrong;
}

/*
 * At the exit of a loop of n trips the last n - 1 directions are taken, and at no other branch, so a history of n - 1
 * is enough. One of n - 2 is the same before the last two branches of a loop, of which one is wrong, at least.
 */
static void a_loop_is_learnt_whole_if_the_history_reaches_back(void)
{
	static const unsigned lengths[] = {1, 4, 9, 10, 17, 40, 130, 1000};

	for (unsigned n = 0; n < sizeof(lengths) / sizeof(lengths[0]); n++) {
		struct bpred_params p = one_table(lengths[n]);
		void *t = BPRED_TAGE_kind.create(&p), *u = BPRED_TAGE_kind.create(&p);

		REQUIRE(t && u);
		CHECK_U64(wrong_of_100(t, lengths[n] + 1), 0);
		CHECK(wrong_of_100(u, lengths[n] + 2) >= 100);
		state_block_free(t);
		state_block_free(u);
	}
}

/* The same with all tables: a loop of 131 trips at the defaults; bimodal counters miss each exit. */
static void bimodal_counters_miss_each_exit(void)
{
	static const struct insn conditional = {.flags = INSN_CTI | INSN_COND};
	struct bpred_params p = {
		.kind = BPRED_TAGE,
		.entries = 8,
		.ways = 2,
		.tage_base_bits = 12,
		.tage_tables = 7,
		.tage_bits = 9,
		.tage_tag_bits = 9,
		.tage_history_min = 5,
		.tage_history_max = 130,
	};
	static const unsigned kinds[] = {BPRED_TAGE, BPRED_BRHIS}, expected[] = {0, 100};

	for (unsigned k = 0; k < 2; k++) {
		struct bpred *b;
		unsigned wrong = 0;

		p.kind = kinds[k];
		b = bpred_create(&p, NULL);
		REQUIRE(b != NULL);
		for (unsigned loop = 0; loop < 300; loop++)
			for (unsigned n = 1; n <= 131; n++)
				wrong += !bpred_branch(b, PC, &conditional, n < 131, 0x20000).correct && loop >= 200;
		CHECK_U64(wrong, expected[k]);
		bpred_destroy(b);
	}
}

/*
 * 4 K counters of two bits; seven tables of 512 entries of 3 + 2 + 9 bits; histories and registers. A look-up reads a
 * word and seven entries.
 */
static void storage_is_that_of_the_paper(void)
{
	struct bpred_params p = {
		.kind = BPRED_TAGE,
		.tage_base_bits = 12,
		.tage_tables = 7,
		.tage_bits = 9,
		.tage_tag_bits = 9,
		.tage_history_min = 5,
		.tage_history_max = 130,
	};
	struct bpred_storage s;

	bpred_storage(&p, &s);
	CHECK_U64(s.bits, 8192 + 7 * 512 * 14 + 130 + 7 * (9 + 9 + 8) + 4 + 19 + 16);
	CHECK_U64(s.read_bits, 64 + 7 * 14);
	CHECK(s.built);
}

static const struct tap_test tests[] = {
	{"histories are a geometric series", histories_are_a_geometric_series},
	{"a new entry is trusted when the alternate was wrong", a_new_entry_is_trusted_when_the_alternate_was_wrong},
	{"a loop is learnt whole if the history reaches back to its begin",
	 a_loop_is_learnt_whole_if_the_history_reaches_back},
	{"bimodal counters miss each exit of a loop that TAGE learns", bimodal_counters_miss_each_exit},
	{"storage is that of the paper's tables", storage_is_that_of_the_paper},
};

int main(void)
{
	return tap_main("TAGE", tests, TAP_COUNT(tests));
}
