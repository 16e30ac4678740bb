/* The load wait table of the Alpha 21264: memdep.h. */
#include "memdep_kind.h"

static uint64_t wait_table_entries(const struct lsu_params *p)
{
	return p->wait_table_entries;
}

static uint64_t wait_table_clear_each(const struct lsu_params *p)
{
	return p->wait_table_clear;
}

static unsigned wait_table_set(uint16_t entry)
{
	return entry ? MEMDEP_ALL : MEMDEP_NONE;
}

static void wait_table_learn(const struct lsu_params *p, uint16_t *load, uint16_t *store, uint64_t *sets)
{
	(void)p;
	(void)store;
	(void)sets;
	*load = 1;
}

static void wait_table_storage(const struct core_config *cfg, struct memdep_storage *out)
{
	*out = (struct memdep_storage){.set_entries = cfg->lsu.wait_table_entries, .set_bits = 1};
}

const struct memdep_kind DISAMBIGUATION_WAIT_TABLE_kind = {
	wait_table_entries, wait_table_clear_each, wait_table_set, wait_table_learn, wait_table_storage,
};
