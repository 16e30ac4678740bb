/* Functional warming of an L3: its lines change as they do in memsys_l3.c, without time. */
#include "level3.h"

/* L3 has evicted a line: with inclusion all L2s lose it. */
static void warm_evict(struct memsys *m, uint64_t tag)
{
	const struct chip_memory *shared = m->chip->shared;

	for (unsigned k = 0; m->chip->l3->inclusion == INCLUSION_ALL && k < shared->cores; k++) {
		struct chip_memory *chip = shared->core[k]->chip;
		uint64_t removed = tagged_remove(&chip->l2, tag & ~(uint64_t)LINE_FLAGS);

		if (removed)
			memsys_warm_forget(chip, removed);
	}
	l3_directory_leave(m, tag & ~(uint64_t)LINE_FLAGS);
}

static void warm_insert_l3(struct memsys *m, uint64_t line, bool dirty)
{
	uint64_t victim = tagged_insert(&m->chip->l3->cache, line, dirty ? LINE_DIRTY : 0, 0);

	if (victim)
		warm_evict(m, victim);
}

/* Dirty data of a line goes to L3, or memory. */
static void warm_write(struct memsys *m, uint64_t line)
{
	struct level3 *l3 = m->chip->l3;
	size_t i = tagged_find(&l3->cache, line);

	if (i != CACHE_ABSENT)
		l3->cache.tag[i] |= LINE_DIRTY;
	else if (l3->inclusion == INCLUSION_SOME)
		warm_insert_l3(m, line, true);
}

void l3_warm_take(struct memsys *m, uint64_t address, bool write)
{
	const struct chip_memory *shared = m->chip->shared;
	uint64_t line = address & m->chip->l2.address_mask, end = line + m->cfg->l2.line_bytes;

	for (unsigned k = 0; k < shared->cores; k++) {
		struct memsys *other = shared->core[k];
		size_t i = other != m && other->space == m->space ? tagged_find(&other->chip->l2, line) : CACHE_ABSENT;
		bool dirty;

		if (i == CACHE_ABSENT)
			continue;
		dirty = other->chip->l2.tag[i] & LINE_DIRTY;
		other->chip->l2.tag[i] &= ~(uint64_t)LINE_DIRTY;
		for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
			dirty |= cache_clean(&other->l1d.cache, a);
		if (write)
			memsys_warm_forget(other->chip, tagged_remove(&other->chip->l2, line));
		if (dirty && !(write && m->chip->l3->inclusion == INCLUSION_NONE))
			warm_write(m, line);
	}
}

/* Reads a line that L2 lacks; returns whether it is dirty. */
static bool warm_lookup(struct memsys *m, uint64_t line)
{
	struct level3 *l3 = m->chip->l3;

	if (m->shares)
		l3_warm_take(m, line, false);
	if (l3->inclusion == INCLUSION_NONE) {
		uint64_t removed = tagged_remove(&l3->cache, line);

		if (removed)
			return removed & LINE_DIRTY;
	} else if (tagged_use(&l3->cache, line) != CACHE_ABSENT) {
		return false;
	}
	if (m->shares && l3_shared(m, line))
		return false;
	m->warmed.reads++;
	if (l3->inclusion != INCLUSION_NONE)
		warm_insert_l3(m, line, false);
	return false;
}

/* A line whose entry in the directory is displaced leaves all L2s. */
static void warm_displace(struct memsys *m, uint64_t line)
{
	const struct chip_memory *shared = m->chip->shared;
	bool dirty = false;

	for (unsigned k = 0; k < shared->cores; k++) {
		uint64_t removed = tagged_remove(&shared->core[k]->chip->l2, line);

		if (removed)
			dirty |= memsys_warm_forget(shared->core[k]->chip, removed);
	}
	if (m->chip->l3->inclusion == INCLUSION_NONE)
		warm_insert_l3(m, line, dirty);
	else if (dirty)
		warm_write(m, line);
}

bool l3_warm_read(struct memsys *m, uint64_t address)
{
	uint64_t line = address & m->chip->l2.address_mask, displaced;
	bool dirty = warm_lookup(m, line);

	displaced = l3_directory_enter(m, line);
	if (displaced != L3_NO_LINE)
		warm_displace(m, displaced);
	return dirty;
}

void l3_warm_victim(struct memsys *m, uint64_t line, bool dirty)
{
	bool exclusive = m->chip->l3->inclusion == INCLUSION_NONE;

	l3_directory_leave(m, line);
	if (!exclusive && dirty)
		warm_write(m, line);
	if (exclusive && (dirty || !(m->shares && l3_shared(m, line))))
		warm_insert_l3(m, line, dirty);
}

void l3_warm_transfer(struct memsys *m, uint64_t line, bool write)
{
	const struct chip_memory *shared = m->chip->shared;
	uint64_t end = line + m->cfg->l2.line_bytes;
	size_t i;

	if (write) {
		tagged_remove(&m->chip->l3->cache, line);
		for (unsigned k = 0; k < shared->cores; k++)
			if (tagged_remove(&shared->core[k]->chip->l2, line))
				memsys_warm_forget(shared->core[k]->chip, line);
		l3_directory_leave(m, line);
		return;
	}
	i = tagged_find(&m->chip->l2, line);
	if (i == CACHE_ABSENT && m->shares)
		l3_warm_take(m, line, false);
	for (uint64_t a = line; i != CACHE_ABSENT && a != end; a += m->cfg->l1d.line_bytes)
		if (l1d_clean(m, a))
			m->chip->l2.tag[i] |= LINE_DIRTY;
}
