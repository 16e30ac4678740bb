/*
 * Kinds of parts of a machine, each a row of functions: a row has storage where it has tables, its digest has the state
 * on which later answers depend, more storage is more area, parameters are read by the kinds that have what they
 * describe, and wrong paths leave predictors as they were.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "energy/energy_model.h"
#include "psim/bpred/bpred_kind.h"
#include "psim/core/core.h"
#include "psim/bpred/memdep.h"
#include "psim/memory/memsys.h"
#include "psim/memory/prefetch.h"
#include "psim/memory/replacement.h"

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
	const struct bpred_kind *row;
} predictors[] = {
#define BPRED_ROW(id, name) {name, &id##_kind},
	BPRED_KINDS(BPRED_ROW)
#undef BPRED_ROW
};
_Static_assert(sizeof(predictors) / sizeof(predictors[0]) == BPRED_KIND_COUNT, "a row for each kind");

static void predictors_have_storage(void)
{
	for (unsigned kind = 0; kind < BPRED_KIND_COUNT; kind++) {
		const struct bpred_kind *row = predictors[kind].row;
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
		CHECK((row->create != NULL) == (row->guess != NULL));
		CHECK((row->create != NULL) == (row->history != NULL));
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
	CHECK(area_of("bpred.targets=target_cache") > area_of(""));
	CHECK(area_of("bpred.targets=target_cache bpred.target_bits=10") > area_of("bpred.targets=target_cache"));
	CHECK(area_of("bpred.targets=ittage bpred.target_tables=6") > area_of("bpred.targets=ittage"));
	CHECK(area_of("bpred.kind=perceptron bpred.perceptron_bits=8") > area_of("bpred.kind=perceptron"));
	CHECK(area_of("bpred.kind=perceptron bpred.perceptron_history=29") > area_of("bpred.kind=perceptron"));
}

static struct digest digest_of(const struct bpred_kind *row, const void *tables)
{
	struct digest d = {0};

	row->digest(tables, &d);
	return d;
}

static bool same_digest(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

/* Trains with branches of 8 addresses, every second of them regular; returns the predictions in one number. */
static uint64_t train_predictor(const struct bpred_kind *row, void *tables, unsigned count, uint64_t state)
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
		const struct bpred_kind *row = predictors[kind].row;
		unsigned differ = 0;
		struct machine m;

		if (!row->create)
			continue;
		machine_make(&m, "bpred.history_bits=4 bpred.tage_bits=4 bpred.tage_base_bits=3 bpred.tage_tag_bits=4 "
				 "bpred.perceptron_bits=2 bpred.perceptron_history=3");
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
			state_block_free(a);
			state_block_free(b);
			state_block_free(c);
		}
		CHECK(differ > 0);
		machine_free(&m);
	}
}

/* ---- replacement policies ---- */

static const struct {
	const char *name;
	const struct replacement_kind *row;
} policies[] = {
#define REPLACEMENT_ROW(id, name) {name, &id##_kind},
	REPLACEMENTS(REPLACEMENT_ROW)
#undef REPLACEMENT_ROW
};
_Static_assert(sizeof(policies) / sizeof(policies[0]) == REPLACEMENT_COUNT, "a row for each policy");

/*
 * Every policy has functions, but for LRU, which the caches have built in; and state, which fits a byte, but for random
 * replacement, whose word is that of all sets.
 */
static void policies_have_state(void)
{
	for (unsigned n = 0; n < REPLACEMENT_COUNT; n++) {
		const struct replacement_kind *row = policies[n].row;
		bool built_in = n == REPLACEMENT_LRU;
		char settings[64];
		struct machine m;

		snprintf(settings, sizeof(settings), "l2.replacement=%s", policies[n].name);
		machine_make(&m, settings);
		CHECK(replacement_kind(&m.cfg.l2) == row);
		CHECK((row->bits(&m.cfg.l2, 12) > 0) == (n != REPLACEMENT_RANDOM));
		CHECK((row->bits(&m.cfg.l2, 24) > row->bits(&m.cfg.l2, 12)) == (n != REPLACEMENT_RANDOM));
		CHECK((row->hit == NULL) == built_in && (row->insert == NULL) == built_in);
		CHECK((row->victim == NULL) == built_in && (row->limit == NULL) == built_in);
		CHECK(built_in || (row->limit(&m.cfg.l2) >= 1) == (n != REPLACEMENT_RANDOM));
		CHECK(built_in || row->limit(&m.cfg.l2) <= UINT8_MAX);
		CHECK((replacement_bits_above_lru(&m.cfg.l2) == 0) == built_in);
		machine_free(&m);
	}
	CHECK(area_of("l2.replacement=srrip l2.rrpv_bits=3") > area_of("l2.replacement=srrip"));
	CHECK(area_of("l2.replacement=srrip l2.rrpv_bits=3") > area_of("")); /* 36 bits a set, above LRU's 29 */
	CHECK(area_of("l2.replacement=srrip") < area_of(""));
	CHECK(area_of("l2.replacement=drrip") == area_of("l2.replacement=srrip"));
	CHECK(area_of("l2.replacement=plru") < area_of("l2.replacement=srrip")); /* 11 bits a set */
	CHECK(area_of("l2.replacement=random") < area_of("l2.replacement=plru"));
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
 * L1D has one line, so each access is one of L2. A B and A B A B leave the same lines in the same order of use; SRRIP
 * and DRRIP have noted that they were used again.
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
		CHECK(same_digest(digest_after(&m.cfg, "AB"), digest_after(&m.cfg, "ABAB")) ==
		      (n != REPLACEMENT_SRRIP && n != REPLACEMENT_DRRIP));
		machine_free(&m);
	}
}

/* ---- prefetchers ---- */

static const char *const prefetchers[] = {PREFETCHERS(CHOICE_NAME)};
_Static_assert(sizeof(prefetchers) / sizeof(prefetchers[0]) == PREFETCHER_COUNT, "a name for each");

static void prefetchers_take_area(void)
{
	double without = area_of("");

	for (unsigned kind = 0; kind < PREFETCHER_COUNT; kind++) {
		struct prefetch_storage s;
		char settings[96];
		struct machine m;

		snprintf(settings, sizeof(settings), "prefetch.enabled=yes prefetch.kind=%s", prefetchers[kind]);
		machine_make(&m, settings);
		CHECK_U64(m.cfg.prefetch.kind, kind);
		prefetcher_storage(&m.cfg.prefetch, &s);
		CHECK(s.entries > 0 && s.bits > 0 && s.search_bits <= s.bits);
		CHECK(area_of(settings) > without);
		m.cfg.prefetch.enabled = false;
		prefetcher_storage(&m.cfg.prefetch, &s);
		CHECK_U64(s.entries, 0);
		machine_free(&m);
	}
	CHECK(area_of("prefetch.enabled=yes prefetch.streams=9") > area_of("prefetch.enabled=yes"));
	CHECK(area_of("prefetch.enabled=yes prefetch.kind=best_offset prefetch.recent_bits=9") >
	      area_of("prefetch.enabled=yes prefetch.kind=best_offset"));
	CHECK(area_of("prefetch.enabled=yes prefetch.kind=best_offset prefetch.score_max=63") >
	      area_of("prefetch.enabled=yes prefetch.kind=best_offset"));
	CHECK(area_of("prefetch.enabled=yes prefetch.kind=ampm prefetch.zones=65") >
	      area_of("prefetch.enabled=yes prefetch.kind=ampm"));
	CHECK(area_of("prefetch.enabled=yes prefetch.kind=stride prefetch.references=257") >
	      area_of("prefetch.enabled=yes prefetch.kind=stride"));
}

/* Accesses and fills of a random stream; returns the lines that were wanted, in one number. */
static uint64_t train_prefetcher(struct prefetcher *p, uint64_t now, unsigned count, uint64_t state)
{
	uint64_t said = 0, line;

	for (unsigned n = 0; n < count; n++) {
		uint64_t r = next_random(&state);

		now += 5;
		line = (r & 3 ? n : r >> 8 & 1023) + (r >> 4 & 1);
		p->pc = 4 + (r >> 24 & 252);
		prefetcher_access(p, now, line, r >> 20 & 7);
		prefetcher_fill(p, now + 12, line, false);
		while (r >> 23 & 3 && prefetcher_take(p, &line)) {
			prefetcher_fill(p, now + 12, line, true);
			said = said * 5 + line;
		}
	}
	return said;
}

/* As predictors_have_digests_of_their_state, of prefetchers. */
static void prefetchers_have_digests_of_their_state(void)
{
	for (unsigned kind = 0; kind < PREFETCHER_COUNT; kind++) {
		char settings[192];
		unsigned differ = 0;
		struct machine m;

		snprintf(settings, sizeof(settings),
			 "prefetch.enabled=yes prefetch.kind=%s prefetch.recent_bits=3 prefetch.score_max=2 "
			 "prefetch.round_max=3 prefetch.bad_score=0 prefetch.zones=3 "
			 "prefetch.references=50",
			 prefetchers[kind]);
		machine_make(&m, settings);
		for (uint64_t seed = 1; seed <= 40; seed++) {
			struct prefetcher p[3];
			struct digest d[3] = {{0}};
			bool same;

			for (unsigned n = 0; n < 3; n++) {
				REQUIRE(prefetcher_init(&p[n], &m.cfg.prefetch, 8192, 64) == 0);
				train_prefetcher(&p[n], 0, 300, n == 1 ? seed + 1000 : seed);
				train_prefetcher(&p[n], 2000, 40, 7);
				prefetcher_digest(&p[n], 2205, &d[n]);
			}
			CHECK(same_digest(d[0], d[2]));
			same = same_digest(d[0], d[1]);
			differ += !same;
			CHECK(!same || train_prefetcher(&p[0], 2205, 500, 9) == train_prefetcher(&p[1], 2205, 500, 9));
			for (unsigned n = 0; n < 3; n++)
				prefetcher_finish(&p[n]);
		}
		CHECK(differ > 0 || kind == PREFETCHER_NEXT_LINE); /* whose eight lines are all that it has */
		machine_free(&m);
	}
}

/* ---- predictors of memory dependences ---- */

static const char *const disambiguations[] = {DISAMBIGUATIONS(CHOICE_NAME)};
_Static_assert(sizeof(disambiguations) / sizeof(disambiguations[0]) == DISAMBIGUATION_COUNT, "a name for each");

static void dependence_predictors_take_area(void)
{
	double without = area_of("");

	for (unsigned kind = 0; kind < DISAMBIGUATION_COUNT; kind++) {
		struct memdep_storage s;
		struct memdep *d = NULL;
		char settings[64];
		struct machine m;

		snprintf(settings, sizeof(settings), "lsu.disambiguation=%s", disambiguations[kind]);
		machine_make(&m, settings);
		REQUIRE(memdep_create(&m.cfg.lsu, &d, NULL) == 0);
		memdep_storage(&m.cfg, &s);
		CHECK((s.set_entries * s.set_bits > 0) == (d != NULL));
		CHECK((area_of(settings) > without) == (d != NULL));
		memdep_destroy(d);
		machine_free(&m);
	}
}

/* ---- energy ---- */

/* In a machine with everything, each stage, array and operation costs something. */
static void each_count_costs_something(void)
{
	struct energy_machine dimensions;
	struct energy_model *model, *banked;
	struct machine m;
	struct err e;

	machine_make(
		&m,
		"simd.pes=16 bpred.kind=tage bpred.targets=ittage prefetch.enabled=yes lsu.disambiguation=store_sets "
		"l3.size=16MiB chip.cores=2");
	core_energy_machine(&m.cfg, &dimensions);
	model = energy_create(&dimensions, &e);
	REQUIRE(model != NULL);
	machine_free(&m);
	machine_make(&m, "memory.kind=dram l1d.victim_lines=4"); /* instead of the memory channel; of one core */
	core_energy_machine(&m.cfg, &dimensions);
	banked = energy_create(&dimensions, &e);
	REQUIRE(banked != NULL);
	for (unsigned n = 0; n < STAGE_COUNT; n++) {
		if (!(model->stage[n].described > 0))
			fprintf(stderr, "latch.def: no latches of stage %s\n", energy_stage_name(n));
		CHECK(model->stage[n].described > 0 && model->stage[n].slots > 0);
	}
	for (unsigned n = 0; n < ARRAY_COUNT; n++) {
		bool other = model->array[n].read_j == 0 && banked->array[n].read_j > 0;

		if (!(other || (model->array[n].read_j > 0 && model->array[n].write_j > 0)))
			fprintf(stderr, "array.def: %s costs nothing\n", array_name(n));
		CHECK(other || (model->array[n].read_j > 0 && model->array[n].write_j > 0));
		CHECK((other ? banked : model)->array[n].mm2 > 0 || model->array[n].off_chip);
	}
	for (unsigned n = 0; n < EOP_COUNT; n++) {
		if (!(model->op[n].j > 0))
			fprintf(stderr, "op.def: %s costs nothing\n", op_name(n));
		CHECK(model->op[n].j > 0);
	}
	energy_destroy(model);
	energy_destroy(banked);
	machine_free(&m);
}

/* ---- wrong paths ---- */

/* A transfer of a random kind at one of 16 addresses; *ret_target is one of 8. */
static struct insn random_transfer(uint64_t *state, uint64_t *ret_pc, uint64_t *ret_target)
{
	static const unsigned kinds[] = {INSN_COND,     INSN_COND, INSN_CALL, INSN_RETURN | INSN_INDIRECT,
					 INSN_INDIRECT, 0};
	uint64_t pc = next_random(state) & 15;

	*ret_pc = 0x10000 + 4 * pc;
	*ret_target = 0x20000 + 8 * (next_random(state) & 7);
	return (struct insn){.flags = INSN_CTI | kinds[pc % 6]};
}

static struct digest bpred_digest_of(struct bpred *b)
{
	struct digest d = {0};

	bpred_digest(b, &d);
	return d;
}

/* Follows a wrong path of some transfers; returns whether each was predicted as taken, and the first one's target. */
static uint64_t follow(struct bpred *b, unsigned count, uint64_t state, uint64_t *ret_first)
{
	uint64_t said = 0;

	bpred_path_begin(b);
	for (unsigned n = 0; n < count; n++) {
		uint64_t pc, other, target;
		struct insn i = random_transfer(&state, &pc, &other);

		target = bpred_path_next(b, pc, &i);
		if (!n)
			*ret_first = target;
		said = said * 2 + (target != 0);
	}
	bpred_path_end(b);
	return said;
}

/*
 * The first transfer of a path is predicted as the same one on the right path would be; and a path leaves the state as
 * it was, so that a second one says the same, and the counts.
 */
static void check_paths(const char *settings)
{
	uint64_t state = 5;
	struct machine m;
	struct bpred *b;

	machine_make(&m, settings);
	REQUIRE((b = bpred_create(&m.cfg.bpred, NULL)) != NULL);
	CHECK_I64(bpred_path_prepare(b, NULL), 0);
	for (unsigned n = 0; n < 400; n++) {
		uint64_t pc, target, first, again, said, seed = state;
		struct bpred_stats before = *bpred_stats(b);
		struct digest d = bpred_digest_of(b);
		struct bpred_answer a;
		struct insn i;
		bool taken;

		said = follow(b, 1 + n % 20, seed, &first);
		CHECK(same_digest(d, bpred_digest_of(b)));
		CHECK_U64(follow(b, 1 + n % 20, seed, &again), said);
		CHECK(!memcmp(&before, bpred_stats(b), sizeof(before)));
		i = random_transfer(&state, &pc, &target);
		taken = !(i.flags & INSN_COND) || next_random(&state) & 1;
		a = bpred_branch(b, pc, &i, taken, target);
		/* 0: not taken; an empty return stack gives 0, too, which the answer has as a target */
		CHECK_U64(first, a.taken ? a.target : 0);
	}
	bpred_destroy(b);
	machine_free(&m);
}

static void wrong_paths_leave_predictors_as_they_were(void)
{
	static const char *const targets[] = {"last", "target_cache", "ittage"};

	for (unsigned kind = 0; kind < BPRED_KIND_COUNT; kind++) {
		char settings[256];

		for (unsigned n = 0; n < 3 && !predictors[kind].row->right; n++) {
			snprintf(settings, sizeof(settings),
				 "bpred.kind=%s bpred.targets=%s bpred.ras_entries=3 bpred.history_bits=5 "
				 "bpred.tage_bits=4 bpred.tage_base_bits=4 bpred.perceptron_bits=3",
				 predictors[kind].name, targets[n]);
			check_paths(settings);
		}
	}
}

static const struct tap_test tests[] = {
	{"wrong paths leave branch predictors as they were", wrong_paths_leave_predictors_as_they_were},
	{"predictors have storage where they have tables", predictors_have_storage},
	{"predictors take area, and parameters are read where they are", predictors_take_area},
	{"digests of predictors have their state", predictors_have_digests_of_their_state},
	{"replacement policies have state, and it takes area", policies_have_state},
	{"digests of replacement policies have their state", policies_have_digests_of_their_state},
	{"prefetchers take area", prefetchers_take_area},
	{"digests of prefetchers have their state", prefetchers_have_digests_of_their_state},
	{"predictors of memory dependences take area", dependence_predictors_take_area},
	{"each stage, array and operation costs something", each_count_costs_something},
};

int main(void)
{
	return tap_main("kinds", tests, TAP_COUNT(tests));
}
