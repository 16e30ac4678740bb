/* Fetch in replay: memo_fetch.c. */
#ifndef PSIM_CORE_MEMO_FETCH_H
#define PSIM_CORE_MEMO_FETCH_H

#include "memo_graph.h"

/* Fetches the next group outside; returns its path, which an edge of `n` may have, or NULL: no memory. */
struct path *group_fetch_slow(struct core *c, const struct node *n);

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

/* Takes the instructions in a row. */
static inline void take_plain(struct core *c, struct flight *f, const struct part *p)
{
	struct feed *feed = &c->front.feed;
	const uint64_t *ea = &feed->now->ea[feed->ea_index];

	for (unsigned n = 0; n < p->stores; n++)
		f->store[f->fetched++ & f->mask] =
			(struct flight_store){ea[p->store[n].access], f->tail + p->store[n].access, p->store[n].size};
	for (unsigned n = 0; n < p->accesses; n++)
		f->ea[f->tail++ & f->mask] = ea[n];
	feed->index += p->plain;
	feed->ea_index += p->accesses;
}

/* As group_fetch_slow; quick for the group that the first edge of `n` has, if that is one plain part which hits L1I. */
static inline struct path *group_fetch(struct core *c, struct memo *m, const struct node *n)
{
	const struct feed *f = &c->front.feed;
	struct path *p = (struct path *)(uintptr_t)n->first.answer;
	const struct uop *u = &f->now->uops[f->index];

	if (!p->group.plain || p->group.word[0] != (uintptr_t)u || c->front.fetch.after_slot != SLOT_GO_ON ||
	    !fetch_hits(c->mem, c->now, u->pc))
		return group_fetch_slow(c, n);
	take_plain(c, &m->flight, &p->group.part[0]);
	c->acct.stats.fetch_groups++;
	m->fed = false;
	return p;
}

#endif
