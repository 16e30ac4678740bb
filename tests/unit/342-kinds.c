/*
 * Kinds of parts of a machine, each a row of functions: a row has storage where it has tables, its digest has the state
 * on which later answers depend, more storage is more area, and parameters are read by the kinds that have what they
 * describe.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/core/bpred_row.h"
#include "psim/core/core.h"
#include "psim/core/memsys.h"
#include "psim/core/replacement.h"

/* ---- machines with settings "a=b c=d" ---- */

struct machine {
	struct config *config;
	struct core_config cfg;
};

static void machine_make(struct machine *m, const char *settings)
{
	struct err e = {.text = ""};
	char text[512], *rest = text, *one;

	m->config = config_create();
	REQUIRE(m->config != NULL);
	core_config_add(m->config, &m->cfg);
	snprintf(text, sizeof(text), "%s", settings);
	while ((one = strtok_r(rest, " ", &rest)))
		if (config_override(m->config, one, "-p", &e) < 0)
			fprintf(stderr, "%s\n", e.text);
	CHECK_STR(e.text, "");
	REQUIRE(core_config_check(m->config, &m->cfg, &e) == 0);
}

static void machine_free(struct machine *m)
{
	config_destroy(m->config);
}

static double area_of(const char *settings)
{
	struct energy_machine dimensions;
	struct energy_model *model;
	struct machine m;
	struct err e;
	double mm2;

	machine_make(&m, settings);
	core_energy_machine(&m.cfg, &dimensions);
	model = energy_create(&dimensions, &e);
	REQUIRE(model != NULL);
	mm2 = energy_area_mm2(model);
	energy_destroy(model);
	machine_free(&m);
	return mm2;
}

static void ignore_unused(void *user, const char *place, const char *keys, bool several, const char *why)
{
	(void)user;
	(void)place;
	(void)keys;
	(void)several;
	(void)why;
}

/* Returns whether each of the keys that the settings give is read. */
static bool all_read(const char *settings)
{
	struct machine m;
	unsigned unused;

	machine_make(&m, settings);
	unused = config_unused(m.config, core_config_uses, ignore_unused, NULL);
	machine_free(&m);
	return unused == 0;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* ---- branch predictors ---- */

static const struct {
	const char *name;
	const struct bpred_row *row;
} predictors[] = {
#define BPRED_ROW(id, name) {name, &id##_row},
	BPRED_KINDS(BPRED_ROW)
#undef BPRED_ROW
};
_Static_assert(sizeof(predictors) / sizeof(predictors[0]) == BPRED_KIND_COUNT, "a row for each kind");

static void predictors_have_storage(void)
{
	for (unsigned kind = 0; kind < BPRED_KIND_COUNT; kind++) {
		const struct bpred_row *row = predictors[kind].row;
		struct bpred_storage s;
		struct machine m;
		char settings[64];

		snprintf(settings, sizeof(settings), "bpred.kind=%s", predictors[kind].name);
		machine_make(&m, settings);
		CHECK_U64(m.cfg.bpred.kind, kind);
		bpred_storage(&m.cfg.bpred, &s);
		CHECK(s.built == row->built);
		CHECK((row->create != NULL) == (s.bits > 0));
		CHECK((row->create != NULL) == (row->direction != NULL));
		CHECK((row->create != NULL) == (row->digest != NULL));
		CHECK(s.read_bits >= BPRED_WORD_BITS);
		CHECK(!(row->right && row->built));
		machine_free(&m);
	}
}

static void predictors_take_area(void)
{
	double without = area_of("bpred.kind=not_taken"), targets = area_of("bpred.kind=brhis");

	CHECK(targets > without);
	CHECK(area_of("bpred.kind=perfect") == without);
	for (unsigned kind = 0; kind < BPRED_KIND_COUNT; kind++) {
		char settings[64];

		snprintf(settings, sizeof(settings), "bpred.kind=%s", predictors[kind].name);
		if (predictors[kind].row->create)
			CHECK(area_of(settings) > targets);
		snprintf(settings, sizeof(settings), "bpred.kind=%s bpred.entries=4096", predictors[kind].name);
		CHECK(all_read(settings) == predictors[kind].row->built);
	}
	CHECK(area_of("bpred.kind=gshare bpred.history_bits=13") > area_of("bpred.kind=gshare"));
	CHECK(area_of("bpred.kind=tage bpred.tage_tables=8") > area_of("bpred.kind=tage"));
	CHECK(area_of("bpred.kind=tage bpred.tage_bits=10") > area_of("bpred.kind=tage"));
	CHECK(area_of("bpred.kind=tage bpred.tage_tag_bits=10") > area_of("bpred.kind=tage"));
	CHECK(area_of("bpred.kind=tage bpred.tage_base_bits=13") > area_of("bpred.kind=tage"));
	CHECK(area_of("bpred.kind=tage bpred.tage_history_max=300") > area_of("bpred.kind=tage"));
}

static struct digest digest_of(const struct bpred_row *row, const void *tables)
{
	struct digest d = {0};

	row->digest(tables, &d);
	return d;
}

static bool same_digest(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

/* Trains with branches of 8 addresses, of which every second one is regular; returns the predictions as bits of a sum. */
static uint64_t train_predictor(const struct bpred_row *row, void *tables, unsigned count, uint64_t state)
{
	uint64_t said = 0;

	for (unsigned n = 0; n < count; n++) {
		uint64_t r = next_random(&state);
		bool taken = r & 1 ? n % 3 != 0 : r >> 8 & 1;

		said = said * 3 + row->direction(tables, 0x10000 + 4 * (r >> 16 & 7), taken);
	}
	return said;
}

/*
 * Two predictors with different pasts and then the same branches: their digests are equal only if they say the same of
 * any further branches; two with one past have equal ones.
 */
static void predictors_have_digests_of_their_state(void)
{
	for (unsigned kind = 0; kind < BPRED_KIND_COUNT; kind++) {
		const struct bpred_row *row = predictors[kind].row;
		unsigned differ = 0;
		struct machine m;

		if (!row->create)
			continue;
		machine_make(&m, "bpred.history_bits=4 bpred.tage_bits=4 bpred.tage_base_bits=3 bpred.tage_tag_bits=4");
		for (uint64_t seed = 1; seed <= 40; seed++) {
			void *a = row->create(&m.cfg.bpred), *b = row->create(&m.cfg.bpred),
			     *c = row->create(&m.cfg.bpred);
			bool same;

			REQUIRE(a && b && c);
			train_predictor(row, a, 50, seed);
			train_predictor(row, b, 50, seed + 1000);
			train_predictor(row, c, 50, seed);
			train_predictor(row, a, 20, 7);
			train_predictor(row, b, 20, 7);
			train_predictor(row, c, 20, 7);
			CHECK(same_digest(digest_of(row, a), digest_of(row, c)));
			same = same_digest(digest_of(row, a), digest_of(row, b));
			differ += !same;
			CHECK(!same || train_predictor(row, a, 500, 9) == train_predictor(row, b, 500, 9));
			free(a);
			free(b);
			free(c);
		}
		CHECK(differ > 0);
		machine_free(&m);
	}
}

/* ---- replacement policies ---- */

static const struct {
	const char *name;
	const struct replacement_row *row;
} policies[] = {
#define REPLACEMENT_ROW(id, name) {name, &id##_row},
	REPLACEMENTS(REPLACEMENT_ROW)
#undef REPLACEMENT_ROW
};
_Static_assert(sizeof(policies) / sizeof(policies[0]) == REPLACEMENT_COUNT, "a row for each policy");

/* Every policy has state, which fits a byte, and functions, but for LRU, which the caches have built in. */
static void policies_have_state(void)
{
	for (unsigned n = 0; n < REPLACEMENT_COUNT; n++) {
		const struct replacement_row *row = policies[n].row;
		bool built_in = n == REPLACEMENT_LRU;
		char settings[64];
		struct machine m;

		snprintf(settings, sizeof(settings), "l2.replacement=%s", policies[n].name);
		machine_make(&m, settings);
		CHECK(replacement_row(&m.cfg.l2) == row);
		CHECK(row->bits(&m.cfg.l2, 12) > 0);
		CHECK(row->bits(&m.cfg.l2, 24) > row->bits(&m.cfg.l2, 12));
		CHECK((row->hit == NULL) == built_in && (row->insert == NULL) == built_in);
		CHECK((row->victim == NULL) == built_in && (row->limit == NULL) == built_in);
		CHECK(built_in || (row->limit(&m.cfg.l2) >= 1 && row->limit(&m.cfg.l2) <= UINT8_MAX));
		CHECK((replacement_bits_above_lru(&m.cfg.l2) == 0) == built_in);
		machine_free(&m);
	}
	CHECK(area_of("l2.replacement=srrip l2.rrpv_bits=3") > area_of("l2.replacement=srrip"));
	CHECK(area_of("l2.replacement=srrip l2.rrpv_bits=3") > area_of("")); /* 36 bits a set, above LRU's 29 */
	CHECK(area_of("l2.replacement=srrip") < area_of(""));
}

/* Digest of the memory system after these accesses, for warming. */
static struct digest digest_after(const struct core_config *cfg, const char *lines)
{
	struct memsys *m = memsys_create(cfg, NULL, NULL);
	struct digest d = {0};

	REQUIRE(m != NULL);
	for (; *lines; lines++)
		memsys_warm_data(m, &(uint64_t){0x100000 + 64 * (uint64_t)*lines}, &(bool){false}, 1);
	memsys_digest(m, 1, &d);
	memsys_destroy(m);
	return d;
}

/*
 * L1D has one line, so each access is one of L2. A B and A B A B leave the same lines in the same order of use; a policy
 * other than LRU has noted that they were used again.
 */
static void policies_have_digests_of_their_state(void)
{
	for (unsigned n = 0; n < REPLACEMENT_COUNT; n++) {
		char settings[96];
		struct machine m;

		snprintf(settings, sizeof(settings), "l1d.size=64 l1d.ways=1 l2.replacement=%s", policies[n].name);
		machine_make(&m, settings);
		CHECK(same_digest(digest_after(&m.cfg, "AB"), digest_after(&m.cfg, "AB")));
		CHECK(!same_digest(digest_after(&m.cfg, "AB"), digest_after(&m.cfg, "ACB")));
		CHECK(same_digest(digest_after(&m.cfg, "AB"), digest_after(&m.cfg, "ABAB")) == (n == REPLACEMENT_LRU));
		machine_free(&m);
	}
}

static const struct tap_test tests[] = {
	{"predictors have storage where they have tables", predictors_have_storage},
	{"predictors take area, and parameters are read where they are", predictors_take_area},
	{"digests of predictors have their state", predictors_have_digests_of_their_state},
	{"replacement policies have state, and it takes area", policies_have_state},
	{"digests of replacement policies have their state", policies_have_digests_of_their_state},
};

int main(void)
{
	return tap_main("kinds", tests, TAP_COUNT(tests));
}
