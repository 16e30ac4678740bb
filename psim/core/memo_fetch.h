/* Fetch in replay: memo_fetch.c. */
#ifndef PSIM_CORE_MEMO_FETCH_H
#define PSIM_CORE_MEMO_FETCH_H

#include "memo_graph.h"

/* Fetches the next group outside; returns its path, which an edge of `n` may have, or NULL: no memory. */
struct path *group_fetch(struct core *c, const struct node *n);

/* Works out the part that begins at the feed's position. */
void part_make(const struct core *c, struct part *p);
/* Makes room for parts of `count` static instructions. 0, or -1: no memory. */
int parts_grow(struct memo *m, uint32_t count);

/* The part that begins at `u`, the feed's next instruction; NULL: no memory. */
static inline const struct part *part_at(const struct core *c, struct memo *m, const struct uop *u)
{
	if (u->sid >= m->part_size && parts_grow(m, u->sid + 1) < 0)
		return NULL;
	if (m->part[u->sid].kind == PART_UNKNOWN)
		part_make(c, &m->part[u->sid]);
	return &m->part[u->sid];
}

#endif
