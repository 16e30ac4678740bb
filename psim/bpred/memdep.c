#include "memdep.h"

#include <stdlib.h>
#include <string.h>

#include "../base/digest.h"
#include "memdep_kind.h"

struct memdep {
	const struct memdep_kind *kind;
	const struct lsu_params *p;
	uint64_t mask;
	uint64_t each;  /* instructions from clear to clear; 0: never */
	uint64_t epoch; /* clears that would have taken place since the begin of the trace */
	uint64_t sets;
	uint16_t entry[];
};

/* Addresses of all older stores are waited for, or known. */
const struct memdep_kind DISAMBIGUATION_CONSERVATIVE_kind = {0};
const struct memdep_kind DISAMBIGUATION_ORACLE_kind = {0};

static const struct memdep_kind *const rows[] = {
#define DISAMBIGUATION_ROW(id, name) [id] = &id##_kind,
	DISAMBIGUATIONS(DISAMBIGUATION_ROW)
#undef DISAMBIGUATION_ROW
};

int memdep_create(const struct lsu_params *p, struct memdep **ret, struct err *e)
{
	const struct memdep_kind *kind = rows[p->disambiguation];
	struct memdep *d;
	uint64_t entries;

	*ret = NULL;
	if (!kind->entries)
		return 0;
	entries = kind->entries(p);
	d = calloc(1, sizeof(*d) + entries * sizeof(*d->entry));
	if (!d)
		return err_set(e, STATUS_FAILED, "core: out of memory for the memory-dependence predictor");
	d->kind = kind;
	d->p = p;
	d->mask = entries - 1;
	d->each = kind->clear_each(p);
	*ret = d;
	return 0;
}

void memdep_destroy(struct memdep *d)
{
	free(d);
}

static uint64_t epoch_of(const struct memdep *d, uint64_t place)
{
	return d->each ? place / d->each : 0;
}

/* The entry of the instruction at `pc`, of the tables as they are at `place`. */
static uint16_t *entry_at(struct memdep *d, uint64_t place, uint64_t pc)
{
	uint64_t epoch = epoch_of(d, place);

	if (epoch != d->epoch) {
		memset(d->entry, 0, (d->mask + 1) * sizeof(*d->entry));
		d->sets = 0;
		d->epoch = epoch;
	}
	return &d->entry[pc >> 2 & d->mask];
}

unsigned memdep_set(struct memdep *d, uint64_t place, uint64_t pc)
{
	return d->kind->set(*entry_at(d, place, pc));
}

void memdep_violation(struct memdep *d, uint64_t place, uint64_t load_pc, uint64_t store_pc)
{
	uint16_t *load = entry_at(d, place, load_pc), *store = entry_at(d, place, store_pc);

	d->kind->learn(d->p, load, store, &d->sets);
}

uint64_t memdep_clear_in(const struct memdep *d, uint64_t place)
{
	return d->each ? d->each - place % d->each : UINT64_MAX;
}

void memdep_digest(const struct memdep *d, uint64_t place, struct digest *g)
{
	bool cleared = epoch_of(d, place) != d->epoch;

	for (uint64_t n = 0; n <= d->mask; n++)
		digest_add(g, cleared ? 0 : d->entry[n]);
	digest_add(g, cleared ? 0 : d->sets);
}

void memdep_storage(const struct core_config *cfg, struct memdep_storage *out)
{
	const struct memdep_kind *kind = rows[cfg->lsu.disambiguation];

	*out = (struct memdep_storage){0};
	if (kind->storage)
		kind->storage(cfg, out);
}
