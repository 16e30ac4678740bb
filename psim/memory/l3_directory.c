/*
 * The directory at L3 of lines that L2s have.
 *
 * With coherence.entries = 0 it has copies of the tags of all L2s: a search compares those of each core, and it follows
 * every line. Else it is sparse (Gupta, Weber and Mowry, "Reducing memory and traffic requirements for scalable
 * directory-based cache coherence schemes", ICPP 1990): an entry has a bit for each core, and a line whose entry is
 * displaced leaves all L2s. It learns of each line that an L2 evicts, so an entry ends with its last holder. The bits
 * are not stored here, as the tags of the L2s have them.
 */
#include "level3.h"

int l3_directory_create(struct level3 *l3, const struct core_config *cfg)
{
	const struct coherence_params *p = &cfg->coherence;

	l3->sparse = p->entries && cfg->chip.cores > 1 && cfg->chip.sharing != SHARING_NONE;
	return l3->sparse ? tagged_init(&l3->directory, (uint64_t)p->entries * cfg->l2.line_bytes, p->ways,
					cfg->l2.line_bytes)
			  : 0;
}

/* Returns whether an L2 of the chip has the line. */
static bool held(const struct memsys *m, uint64_t line)
{
	const struct chip_memory *shared = m->chip->shared;

	for (unsigned k = 0; k < shared->cores; k++)
		if (tagged_find(&shared->core[k]->chip->l2, line) != CACHE_ABSENT)
			return true;
	return false;
}

uint64_t l3_directory_enter(struct memsys *m, uint64_t line)
{
	struct level3 *l3 = m->chip->l3;
	uint64_t victim;

	if (!l3->sparse || tagged_use(&l3->directory, line) != CACHE_ABSENT)
		return L3_NO_LINE;
	victim = tagged_insert(&l3->directory, line, 0, 0);
	return victim ? victim & ~(uint64_t)LINE_FLAGS : L3_NO_LINE;
}

void l3_directory_leave(struct memsys *m, uint64_t line)
{
	if (m->chip->l3->sparse && !held(m, line))
		tagged_remove(&m->chip->l3->directory, line);
}

const char *l3_directory_check(const struct memsys *m, uint64_t *ret_line)
{
	const struct level3 *l3 = m->chip->l3;
	const struct cache *l2 = &m->chip->l2, *c = &l3->directory;

	if (!l3->sparse)
		return NULL;
	for (size_t i = 0; i < l2->sets * l2->ways; i++) {
		*ret_line = l2->tag[i] & ~(uint64_t)LINE_FLAGS;
		if (l2->tag[i] && tagged_find(c, *ret_line) == CACHE_ABSENT)
			return "a line without an entry";
	}
	for (size_t i = 0; i < c->sets * c->ways; i++) {
		*ret_line = c->tag[i] & ~(uint64_t)LINE_FLAGS;
		if (c->tag[i] && !held(m, *ret_line))
			return "an entry without a line";
	}
	return NULL;
}
