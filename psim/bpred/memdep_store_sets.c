/* Store sets, Chrysos and Emer, ISCA 1998: memdep.h. An entry of the SSIT is the number of a set, plus one; 0: none. */
#include "memdep_kind.h"

static uint64_t store_sets_entries(const struct lsu_params *p)
{
	return p->ssit_entries;
}

static uint64_t store_sets_clear_each(const struct lsu_params *p)
{
	return p->ssit_clear;
}

static unsigned store_sets_set(uint16_t entry)
{
	return entry;
}

/*
 * The paper's rules: where neither has a set, both get a new one, of which there are as many as the LFST has entries;
 * where one has, the other gets it; where both have, the one with the larger number gets the smaller one.
 */
static void store_sets_learn(const struct lsu_params *p, uint16_t *load, uint16_t *store, uint64_t *sets)
{
	if (!*load && !*store)
		*load = *store = (uint16_t)((*sets)++ % p->lfst_entries + 1);
	else if (!*load || (*store && *store < *load))
		*load = *store;
	else
		*store = *load;
}

static unsigned bits_of(uint64_t values)
{
	unsigned bits = 0;

	while (UINT64_C(1) << bits < values)
		bits++;
	return bits;
}

/* A valid bit and a set's number; a valid bit and a number of the reorder buffer. */
static void store_sets_storage(const struct core_config *cfg, struct memdep_storage *out)
{
	*out = (struct memdep_storage){
		.set_entries = cfg->lsu.ssit_entries,
		.set_bits = 1 + bits_of(cfg->lsu.lfst_entries),
		.last_entries = cfg->lsu.lfst_entries,
		.last_bits = 1 + bits_of(cfg->core.rob_entries),
		.stores = true,
	};
}

const struct memdep_kind DISAMBIGUATION_STORE_SETS_kind = {
	store_sets_entries, store_sets_clear_each, store_sets_set, store_sets_learn, store_sets_storage,
};
