/*
 * Effects of wrong paths on caches: of each cache, the lines that they brought in and the right path has not found
 * since, and those that they displaced and nobody has brought back. A line that the right path finds was of use; one
 * that it misses after a wrong path displaced it is the harm (Mutlu et al., IEEE Transactions on Computers 54(12),
 * 2005, call these prefetching and pollution).
 *
 * Nothing reads this but the statistics. Each list remembers the last lines, in sets by a hash of the address.
 */
#include "../base/digest.h"
#include "memsys_state.h"

#include <stdlib.h>

enum { WAYS = 8, NO_LINE = 0 };

struct line_list {
	uint64_t *line; /* sets of WAYS, the newest first: line address | LINE_VALID; NO_LINE */
	uint64_t set_mask;
};

struct wrong_lines {
	bool active; /* accesses are on a wrong path */
	struct line_list brought[WRONG_LEVELS], displaced[WRONG_LEVELS];
};

/* A list of the last lines of a cache with `lines` of them. */
static int list_create(struct line_list *l, uint64_t lines)
{
	uint64_t sets = 1;

	while (sets * WAYS < 2 * lines)
		sets *= 2;
	l->set_mask = sets - 1;
	l->line = calloc(sets * WAYS, sizeof(*l->line));
	return l->line ? 0 : -1;
}

static uint64_t *list_set(const struct line_list *l, uint64_t line)
{
	uint64_t hash = (line >> 3) * UINT64_C(0x9e3779b97f4a7c15);

	return &l->line[(hash >> 32 & l->set_mask) * WAYS];
}

/* Makes the line the newest of its set, whose oldest one is forgotten. */
static void list_add(struct line_list *l, uint64_t line)
{
	uint64_t *set = list_set(l, line);
	unsigned n = 0;

	while (n < WAYS - 1 && set[n] != (line | LINE_VALID))
		n++;
	for (; n > 0; n--)
		set[n] = set[n - 1];
	set[0] = line | LINE_VALID;
}

/* Forgets the line; returns whether the list had it. */
static bool list_take(struct line_list *l, uint64_t line)
{
	uint64_t *set = list_set(l, line);
	unsigned n = 0;

	while (n < WAYS && set[n] != (line | LINE_VALID))
		n++;
	if (n == WAYS)
		return false;
	for (; n < WAYS - 1; n++)
		set[n] = set[n + 1];
	set[WAYS - 1] = NO_LINE;
	return true;
}

static uint64_t line_of(const struct memsys *m, enum wrong_level level, uint64_t address)
{
	const struct cache *c = level == WRONG_L1I ? &m->l1i.cache : level == WRONG_L1D ? &m->l1d.cache : &m->chip->l2;

	return address & c->address_mask;
}

int wrong_lines_create(struct memsys *m)
{
	const struct core_config *cfg = m->cfg;
	const uint64_t lines[WRONG_LEVELS] = {
		[WRONG_L1I] = cfg->l1i.size / cfg->l1i.line_bytes,
		[WRONG_L1D] = cfg->l1d.size / cfg->l1d.line_bytes,
		[WRONG_L2] = cfg->l2.size / cfg->l2.line_bytes,
	};

	m->wrong = calloc(1, sizeof(*m->wrong));
	if (!m->wrong)
		return -1;
	for (unsigned n = 0; n < WRONG_LEVELS; n++)
		if (list_create(&m->wrong->brought[n], lines[n]) < 0 ||
		    list_create(&m->wrong->displaced[n], lines[n]) < 0)
			return -1;
	return 0;
}

void wrong_lines_destroy(struct memsys *m)
{
	if (!m->wrong)
		return;
	for (unsigned n = 0; n < WRONG_LEVELS; n++) {
		free(m->wrong->brought[n].line);
		free(m->wrong->displaced[n].line);
	}
	free(m->wrong);
}

void wrong_lines_digest(const struct memsys *m, struct digest *d)
{
	for (unsigned level = 0; m->wrong && level < WRONG_LEVELS; level++) {
		const struct line_list *l[] = {&m->wrong->brought[level], &m->wrong->displaced[level]};

		for (unsigned k = 0; k < 2; k++)
			for (uint64_t n = 0; n < (l[k]->set_mask + 1) * WAYS; n++)
				digest_add(d, l[k]->line[n]);
	}
}

void memsys_wrong_path(struct memsys *m, bool wrong)
{
	m->wrong->active = wrong;
}

bool wrong_lines_active(const struct memsys *m)
{
	return m->wrong && m->wrong->active;
}

bool wrong_lines_switch(struct memsys *m, bool wrong)
{
	bool was = wrong_lines_active(m);

	if (m->wrong)
		m->wrong->active = wrong;
	return was;
}

void wrong_lines_completed(struct memsys *m, bool missed)
{
	const uint64_t one = m->wrong->active ? 1 : UINT64_MAX; /* the access counts one for its own path */

	m->stats.wrong_load_misses += one;
	m->stats.wrong_l2_misses += missed ? one : 0;
}

/* The counters of a cache. */
struct wrong_counts {
	uint64_t *lines, *used, *harmful;
};
static struct wrong_counts counts_of(struct memsys_stats *s, enum wrong_level level)
{
	switch (level) {
	case WRONG_L1I: return (struct wrong_counts){&s->wrong_l1i_lines, &s->wrong_l1i_used, &s->wrong_l1i_harmful};
	case WRONG_L1D: return (struct wrong_counts){&s->wrong_l1d_lines, &s->wrong_l1d_used, &s->wrong_l1d_harmful};
	default: return (struct wrong_counts){&s->wrong_l2_lines, &s->wrong_l2_used, &s->wrong_l2_harmful};
	}
}

/* Lines that the hardware prefetcher brings ahead of demand are its own, whoever trained it. */
void wrong_lines_filled(struct memsys *m, enum wrong_level level, uint64_t address, uint64_t victim, bool demand)
{
	struct wrong_lines *w = m->wrong;
	struct wrong_counts count = counts_of(&m->stats, level);
	uint64_t line = line_of(m, level, address);
	bool displaced = list_take(&w->displaced[level], line), ahead = level == WRONG_L2 && !demand;

	list_take(&w->brought[level], line); /* it had gone again */
	if (!w->active) {
		*count.harmful += displaced && demand;
		return;
	}
	if (ahead)
		return;
	++*count.lines;
	list_add(&w->brought[level], line);
	if (victim)
		list_add(&w->displaced[level], victim & ~(uint64_t)LINE_FLAGS);
}

void wrong_lines_found(struct memsys *m, enum wrong_level level, uint64_t address)
{
	if (!m->wrong->active && list_take(&m->wrong->brought[level], line_of(m, level, address)))
		++*counts_of(&m->stats, level).used;
}

static uint64_t l2_misses(const struct memsys_stats *s)
{
	return s->l2_data_misses + s->l2_instruction_misses;
}

void wrong_lines_fetched(struct memsys *m, uint64_t address, const struct memsys_stats *before)
{
	struct memsys_stats *s = &m->stats;

	wrong_lines_found(m, WRONG_L1I, address ^ m->space);
	if (!m->wrong->active)
		return;
	s->wrong_fetches++;
	s->wrong_fetch_misses += s->l1i_misses - before->l1i_misses;
	s->wrong_l2_misses += l2_misses(s) - l2_misses(before);
}

/* An access of these bytes was accepted: a line that it missed has been forgotten when it was filled. */
static void data_found(struct memsys *m, uint64_t address, unsigned size)
{
	uint64_t first = address ^ m->space, end = first + (size ? size : 1);

	for (uint64_t line = line_of(m, WRONG_L1D, first); line < end; line += m->cfg->l1d.line_bytes)
		wrong_lines_found(m, WRONG_L1D, line);
}

void wrong_lines_loaded(struct memsys *m, uint64_t address, unsigned size, const struct mem_answer *a,
			const struct memsys_stats *before)
{
	struct memsys_stats *s = &m->stats;

	if (!a->refused)
		data_found(m, address, size);
	if (!m->wrong->active)
		return;
	s->wrong_loads += s->l1d_loads - before->l1d_loads;
	s->wrong_load_misses += s->l1d_load_misses - before->l1d_load_misses;
	s->wrong_l2_misses += l2_misses(s) - l2_misses(before);
}

void wrong_lines_written(struct memsys *m, uint64_t address, unsigned size, const struct mem_answer *a)
{
	if (!a->refused)
		data_found(m, address, size);
}
