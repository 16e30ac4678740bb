/* Tables of memory-dependence predictors, by sequences worked out by hand: psim/bpred/memdep.h. */
#include "tap.h"

#include "psim/base/digest.h"
#include "psim/bpred/memdep.h"

enum { LOAD = 0x10000, STORE = 0x10100, OTHER_LOAD = 0x10004, OTHER_STORE = 0x10104 };

/* Small tables: 16 entries for a wait table, 256 for store sets, of which there are two. */
static const struct lsu_params wait_table = {
	.disambiguation = DISAMBIGUATION_WAIT_TABLE, .wait_table_entries = 16, .wait_table_clear = 1000};
static const struct lsu_params store_sets = {
	.disambiguation = DISAMBIGUATION_STORE_SETS, .ssit_entries = 256, .lfst_entries = 2, .ssit_clear = 1000};

static struct memdep *create(const struct lsu_params *p)
{
	struct memdep *d;

	REQUIRE(memdep_create(p, &d, NULL) == 0 && d != NULL);
	return d;
}

static void others_have_no_predictor(void)
{
	struct lsu_params p = wait_table;
	struct memdep *d;

	p.disambiguation = DISAMBIGUATION_CONSERVATIVE;
	CHECK(memdep_create(&p, &d, NULL) == 0 && d == NULL);
	p.disambiguation = DISAMBIGUATION_ORACLE;
	CHECK(memdep_create(&p, &d, NULL) == 0 && d == NULL);
	memdep_destroy(NULL);
}

static void a_load_waits_for_all_from_its_first_violation_on(void)
{
	struct memdep *d = create(&wait_table);

	CHECK_U64(memdep_set(d, 0, LOAD), MEMDEP_NONE);
	memdep_violation(d, 0, LOAD, STORE + 4); /* an entry of its own */
	CHECK_U64(memdep_set(d, 0, LOAD), MEMDEP_ALL);
	CHECK_U64(memdep_set(d, 0, OTHER_LOAD), MEMDEP_NONE);
	CHECK_U64(memdep_set(d, 0, LOAD + 16 * 4), MEMDEP_ALL); /* has the same entry */
	CHECK_U64(memdep_set(d, 0, LOAD + 15 * 4), MEMDEP_NONE);
	memdep_destroy(d);
}

static void tables_are_cleared_at_places_of_the_trace(void)
{
	const struct lsu_params *both[] = {&wait_table, &store_sets};

	for (unsigned n = 0; n < 2; n++) {
		struct memdep *d = create(both[n]);

		memdep_violation(d, 10, LOAD, STORE);
		CHECK(memdep_set(d, 999, LOAD) != MEMDEP_NONE);
		CHECK_U64(memdep_clear_in(d, 999), 1);
		CHECK_U64(memdep_clear_in(d, 1000), 1000);
		CHECK_U64(memdep_set(d, 1000, LOAD), MEMDEP_NONE);
		memdep_violation(d, 1500, LOAD, STORE);
		CHECK(memdep_set(d, 1999, LOAD) != MEMDEP_NONE);
		CHECK_U64(memdep_set(d, 7000, LOAD), MEMDEP_NONE); /* however many clears have passed */
		memdep_destroy(d);
	}
}

static void zero_never_clears(void)
{
	struct lsu_params p = wait_table;
	struct memdep *d;

	p.wait_table_clear = 0;
	d = create(&p);
	memdep_violation(d, 0, LOAD, STORE);
	CHECK_U64(memdep_set(d, UINT64_C(1) << 40, LOAD), MEMDEP_ALL);
	CHECK_U64(memdep_clear_in(d, 5), UINT64_MAX);
	memdep_destroy(d);
}

/* The rules of the paper. Sets are numbered from 1. */
static void store_sets_merge_by_the_papers_rules(void)
{
	struct memdep *d = create(&store_sets);

	memdep_violation(d, 0, LOAD, STORE); /* neither has a set: both get a new one */
	CHECK_U64(memdep_set(d, 0, LOAD), 1);
	CHECK_U64(memdep_set(d, 0, STORE), 1);
	memdep_violation(d, 0, LOAD, STORE + 8); /* the load has one: the store gets it */
	CHECK_U64(memdep_set(d, 0, STORE + 8), 1);
	memdep_violation(d, 0, LOAD + 8, STORE + 8); /* the store has one: the load gets it */
	CHECK_U64(memdep_set(d, 0, LOAD + 8), 1);
	memdep_violation(d, 0, OTHER_LOAD, OTHER_STORE);
	CHECK_U64(memdep_set(d, 0, OTHER_LOAD), 2);
	CHECK_U64(memdep_set(d, 0, OTHER_STORE), 2);
	memdep_violation(d, 0, LOAD, OTHER_STORE); /* both have: the smaller number wins, and only for these two */
	CHECK_U64(memdep_set(d, 0, LOAD), 1);
	CHECK_U64(memdep_set(d, 0, OTHER_STORE), 1);
	CHECK_U64(memdep_set(d, 0, OTHER_LOAD), 2);
	memdep_violation(d, 0, OTHER_LOAD, STORE);
	CHECK_U64(memdep_set(d, 0, OTHER_LOAD), 1);
	CHECK_U64(memdep_set(d, 0, STORE), 1);
	memdep_violation(d, 0, LOAD + 16, STORE + 16); /* the third of two sets is the first one again */
	CHECK_U64(memdep_set(d, 0, LOAD + 16), 1);
	memdep_violation(d, 0, LOAD + 20, STORE + 20);
	CHECK_U64(memdep_set(d, 0, LOAD + 20), 2);
	memdep_violation(d, 1000, LOAD + 20, STORE + 20); /* numbers begin with 1 again after a clear */
	CHECK_U64(memdep_set(d, 1000, LOAD + 20), 1);
	memdep_destroy(d);
}

static struct digest digest_at(const struct memdep *d, uint64_t place)
{
	struct digest g = {0};

	memdep_digest(d, place, &g);
	return g;
}

static bool equal(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

static void digests_are_equal_where_predictions_are(void)
{
	struct memdep *a = create(&store_sets), *b = create(&store_sets);

	CHECK(equal(digest_at(a, 0), digest_at(b, 0)));
	memdep_violation(a, 0, LOAD, STORE);
	CHECK(!equal(digest_at(a, 0), digest_at(b, 0)));
	CHECK(equal(digest_at(a, 1000), digest_at(b, 1000))); /* the next access finds a cleared table */
	memdep_violation(b, 0, LOAD, STORE);
	CHECK(equal(digest_at(a, 0), digest_at(b, 0)));
	/* the same entries, but another number for the next set */
	memdep_violation(a, 0, LOAD + 4, STORE + 4);
	memdep_violation(b, 0, LOAD + 4, STORE + 4);
	memdep_violation(a, 0, LOAD + 4, STORE); /* set 2 becomes set 1 */
	memdep_violation(a, 0, LOAD, STORE + 4);
	CHECK(!equal(digest_at(a, 0), digest_at(b, 0)));
	memdep_destroy(a);
	memdep_destroy(b);
}

static void storage_is_that_of_the_tables(void)
{
	struct core_config cfg = {.core.rob_entries = 64};
	struct memdep_storage s;

	memdep_storage(&cfg, &s); /* conservative */
	CHECK_U64(s.set_entries, 0);
	CHECK_U64(s.last_entries, 0);
	cfg.lsu.disambiguation = DISAMBIGUATION_WAIT_TABLE;
	cfg.lsu.wait_table_entries = 1024;
	memdep_storage(&cfg, &s);
	CHECK_U64(s.set_entries * s.set_bits, 1024);
	CHECK(!s.stores && !s.last_entries);
	cfg.lsu.disambiguation = DISAMBIGUATION_STORE_SETS;
	cfg.lsu.ssit_entries = 4096;
	cfg.lsu.lfst_entries = 128;
	memdep_storage(&cfg, &s);
	CHECK_U64(s.set_bits, 1 + 7);
	CHECK_U64(s.last_entries, 128);
	CHECK_U64(s.last_bits, 1 + 6);
	CHECK(s.stores);
}

static const struct tap_test tests[] = {
	{"conservative and oracle have no predictor", others_have_no_predictor},
	{"a load waits for all older stores from its first violation on",
	 a_load_waits_for_all_from_its_first_violation_on},
	{"tables are cleared at places of the trace", tables_are_cleared_at_places_of_the_trace},
	{"zero never clears", zero_never_clears},
	{"store sets merge by the paper's rules", store_sets_merge_by_the_papers_rules},
	{"digests are equal where predictions are", digests_are_equal_where_predictions_are},
	{"storage is that of the tables", storage_is_that_of_the_tables},
};

int main(void)
{
	return tap_main("memory-dependence predictors", tests, TAP_COUNT(tests));
}
