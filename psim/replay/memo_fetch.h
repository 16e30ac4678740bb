/* Fetch in replay: memo_fetch.c. */
#ifndef PSIM_REPLAY_MEMO_FETCH_H
#define PSIM_REPLAY_MEMO_FETCH_H

#include "../bpred/bpred_quick.h"
#include "memo_graph.h"

/*
 * Fetches the next group outside, of static instruction `sid`, for which there is room; returns its path, which an edge
 * may have, or NULL: no memory. group_fetch_hit: it is known to hit L1I; the access has to be counted.
 */
struct path *group_fetch_slow(struct core *c, uint32_t sid);
struct path *group_fetch_hit(struct core *c);

/* Works out the part that begins at the feed's position. */
void part_make(const struct core *c, struct part *p);
/* Makes room for `count` static instructions. 0, or -1: no memory. */
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

/* Adds accesses at the tail; TRACE_SLACK more can be read. */
static inline void add_accesses(struct in_flight *f, const uint64_t *ea, uint32_t count)
{
	uint32_t at = f->tail & f->mask;
	uint64_t *to = f->ea + at;

	f->tail += count;
	if (__builtin_expect(at + count > f->mask, 0)) {
		for (uint32_t n = 0; n < count; n++)
			f->ea[(at + n) & f->mask] = ea[n];
		return;
	}
	for (uint32_t n = 0; n < count; n += TRACE_SLACK)
		memcpy(to + n, ea + n, TRACE_SLACK * sizeof(*ea)); /* those that are too many are overwritten later */
}

/* Where the accesses of the part go, two bits each, in a machine with an array: enum access_window. */
enum { WINDOW_BITS = 2 };
static inline uint64_t part_windows(const struct core *c, const struct part *p)
{
	const uint64_t *ea = c->front.feed.ea;
	uint64_t windows = 0;

	for (unsigned n = 0; n < p->accesses; n++)
		windows |= (uint64_t)window_of_address(ea[n]) << (WINDOW_BITS * n);
	return windows;
}

/* The outcome of a part: flags of its transfer, actions behind delay slots, windows. */
enum { OUTCOME_AFTER = 8, OUTCOME_ACTION = 16, OUTCOME_WINDOWS = 24 };

/* Adds the stores of the part, none of which goes to a window. */
static inline void add_stores(struct in_flight *f, const struct part *p, const uint64_t *ea)
{
	const struct part_store *s = p->store, *end = s + p->stores;
	uint32_t at = f->fetched;

	for (; s != end; s++)
		f->store[at++ & f->mask] = in_flight_store_of(ea[s->access], f->tail + s->access, s->size);
	f->fetched = at;
}

/* As add_stores, where stores may go to `windows`. */
void add_stores_of_windows(struct in_flight *f, const struct part *p, const uint64_t *ea, uint64_t windows);

/* Takes the instructions in a row, whose accesses go to `windows`. */
static inline void take_plain(struct core *c, struct in_flight *f, const struct part *p, uint64_t windows)
{
	struct feed *feed = &c->front.feed;
	const uint64_t *ea = feed->ea;

	if (__builtin_expect(windows, 0))
		add_stores_of_windows(f, p, ea, windows);
	else if (p->stores)
		add_stores(f, p, ea);
	add_accesses(f, ea, p->accesses);
	feed->uop = p->after;
	feed->ea += p->accesses;
}

/* Returns whether the transfer behind `p` has this outcome by a prediction that changes no state, and is no call. */
static inline bool transfer_settled(const struct core *c, const struct part *p, uint64_t outcome)
{
	const struct feed *f = &c->front.feed;
	uint64_t pc = p->after->pc, next = f->next->block ? f->next->block->pc : pc + 8;
	bool taken = bpred_taken(p->flags, next, pc + 8);

	return outcome == (uint64_t)(taken ? SLOT_TAKEN : SLOT_GO_ON) << OUTCOME_AFTER && p->settles &&
	       bpred_entry_settles(p->entry, pc, p->flags, taken, next);
}

/* Goes on behind a transfer that is predicted right. */
static inline void follow_prediction(struct core *c, bool taken)
{
	c->front.fetch.after_slot = taken ? SLOT_TAKEN : SLOT_GO_ON;
	c->front.fetch.target_cycle = c->now + c->cfg->fetch.predict_stage;
	c->front.feed.uop++;
}

/* Takes a transfer with this outcome, which is settled. */
static inline void take_settled(struct core *c, const struct part *p, uint64_t outcome)
{
	bool taken = outcome >> OUTCOME_AFTER & 255;

	bpred_count_settled(c->bpred, p->flags, taken, 1);
	follow_prediction(c, taken);
}

/* Returns whether the block that begins at `next` follows. */
static inline bool block_comes(const struct core *c, uint64_t next)
{
	const struct feed *f = &c->front.feed;

	return (uintptr_t)f->next->uops == next && f->next->block && !f->next->outside && !f->stop_count;
}

/* Returns whether the last instruction of a block has this outcome, and the block that begins at `next` follows. */
static inline bool last_comes(const struct core *c, const struct part *p, uint64_t outcome, uint64_t next)
{
	enum after_slot action = c->front.fetch.after_slot;

	if (c->array && p->after->flags & UOP_ADDRESS)
		outcome ^= (uint64_t)window_of_address(c->front.feed.ea[p->accesses])
			   << (OUTCOME_WINDOWS + WINDOW_BITS * p->accesses);
	return outcome == (uint64_t)action << OUTCOME_ACTION && action != SLOT_BLOCK && block_comes(c, next);
}

/* Takes it; returns whether the feed continues with the next block that it has read ahead. */
static inline bool take_fast_last(struct core *c, struct in_flight *f, const struct uop *u)
{
	if (u->flags & UOP_ADDRESS && c->array)
		in_flight_add(f, c, u, *c->front.feed.ea++);
	else if (u->flags & UOP_ADDRESS)
		in_flight_add_to_memory(f, u, *c->front.feed.ea++);
	c->front.fetch.after_slot = SLOT_GO_ON;
	return feed_advance(c);
}

/* Returns whether part `p` comes with this outcome, before `next`, and without an effect on the rest of fetch. */
static inline bool part_comes(const struct core *c, const struct part *p, uint64_t outcome, uint64_t next)
{
	bool slot = c->front.fetch.after_slot != SLOT_GO_ON;

	if (c->array)
		outcome ^= part_windows(c, p) << OUTCOME_WINDOWS;
	if (p->kind == PART_LAST)
		return !(slot && p->plain) && last_comes(c, p, outcome, next);
	if (slot)
		return false;
	if (p->kind == PART_PLAIN)
		return !outcome;
	return transfer_settled(c, p, outcome) && (p->kind == PART_TRANSFER || block_comes(c, next));
}

/*
 * Takes a part whose transfer has this outcome. Returns whether the feed continues with the block that it has read
 * ahead.
 */
static inline bool part_take(struct core *c, struct in_flight *f, const struct part *p, uint64_t outcome)
{
	take_plain(c, f, p, outcome >> OUTCOME_WINDOWS);
	if (p->kind == PART_LAST)
		return take_fast_last(c, f, p->after);
	if (p->kind != PART_PLAIN)
		take_settled(c, p, outcome);
	if (p->kind == PART_PLAIN || p->kind == PART_TRANSFER)
		return true;
	c->front.fetch.after_slot = SLOT_GO_ON;
	return feed_advance(c);
}

/* As group_fetch_slow; quick for a group that hits L1I. */
static inline struct path *group_fetch(struct core *c)
{
	struct memo *m = c->memo;
	uint32_t sid = c->front.feed.uop->sid;

	if (sid >= m->part_size && parts_grow(m, sid + 1) < 0)
		return NULL;
	if (!m->begin[sid].place.tag || !quick_fetch_at(c->mem, c->now, &m->begin[sid].place))
		return group_fetch_slow(c, sid);
	m->in_flight.hits.fetches++;
	return group_fetch_hit(c);
}

/* Fetches the plain part that the first edge of `n` has. False: it is another one, or misses; nothing has changed. */
static inline bool fetch_plain_part(struct core *c, struct in_flight *f, const struct node *n)
{
	const struct group *g = &((const struct path *)(uintptr_t)n->first.answer)->group;
	uint64_t windows = g->word[1] >> OUTCOME_WINDOWS;

	if (g->word[0] != (uintptr_t)c->front.feed.uop || c->front.fetch.after_slot != SLOT_GO_ON ||
	    (c->array && part_windows(c, &g->part[0]) != windows) || !quick_fetch_at(c->mem, c->now, &g->place))
		return false;
	f->hits.fetches++;
	take_plain(c, f, &g->part[0], windows);
	c->counters.stats.fetch_groups++;
	return true;
}

/*
 * As fetch_plain_part, for a part with a transfer, or the last one of a block. *ret_goes_on: the feed continues with
 * the block that it has read ahead.
 */
static inline bool fetch_other_part(struct core *c, struct in_flight *f, const struct node *n, bool *ret_goes_on)
{
	const struct group *g = &((const struct path *)(uintptr_t)n->first.answer)->group;

	if (g->word[0] != (uintptr_t)c->front.feed.uop || !part_comes(c, &g->part[0], g->word[1], g->word[2]) ||
	    !quick_fetch_at(c->mem, c->now, &g->place))
		return false;
	f->hits.fetches++;
	*ret_goes_on = part_take(c, f, &g->part[0], g->word[1]);
	c->counters.stats.fetch_groups++;
	return true;
}

#endif
