/*
 * Fetch in replay. A fetch group is a few parts: plain instructions in a row, which the end of the group, a control
 * transfer or the end of the block follows. What a part has is worked out once for each instruction that begins one;
 * replay then copies its addresses, predicts, and recognises the group by its parts. Groups of other shapes go through
 * the fetch queue.
 */
#include "memo_fetch.h"

#include <stdlib.h>

int parts_grow(struct memo *m, uint32_t count)
{
	uint32_t size = m->part_size ? m->part_size : 1024;
	struct part *part;

	while (size < count)
		size *= 2;
	part = realloc(m->part, size * sizeof(*part));
	if (!part)
		return -1;
	memset(part + m->part_size, 0, (size - m->part_size) * sizeof(*part));
	m->part = part;
	m->part_size = size;
	return 0;
}

void add_stores_of_windows(struct in_flight *f, const struct part *p, const uint64_t *ea, uint64_t windows)
{
	for (unsigned n = 0; n < p->stores; n++) {
		const struct part_store *s = &p->store[n];
		struct in_flight_store store = in_flight_store_of(ea[s->access], f->tail + s->access, s->size);

		if (windows >> (WINDOW_BITS * s->access) & 3)
			f->sbm.store[f->sbm.fetched++ & f->mask] = store;
		else
			f->store[f->fetched++ & f->mask] = store;
	}
}

/* Returns whether fetch_plain takes the instruction, and its address, if any, is that of an access. */
static bool is_plain(const struct uop *u)
{
	return !(u->flags & UOP_FETCH_SPECIAL) && !(u->flags & UOP_ADDRESS) == !uop_accesses(u);
}

static bool is_transfer(const struct uop *u)
{
	return u->flags & UOP_CTI && !(u->flags & (UOP_WINDOW | UOP_ADDRESS | UOP_TRAP | UOP_TRANSFER));
}

static void part_ends_in_transfer(const struct bpred *b, struct part *p, const struct uop *u, enum part_kind kind)
{
	p->kind = kind;
	p->flags = u->insn->flags;
	p->settles = !(p->flags & INSN_CALL) && bpred_is_plain(b, p->flags);
	p->entry = bpred_set(b, u->pc);
}

void part_make(const struct core *c, struct part *p)
{
	const struct feed *f = &c->front.feed;
	const struct uop *u = f->uop, *last = f->last;
	uint64_t end = fetch_end(c, u->pc);

	*p = (struct part){.kind = PART_OTHER};
	for (; u < last && u->pc < end && is_plain(u); u++) {
		if (u->flags & UOP_STORE) {
			if (p->stores == PART_STORES)
				return;
			p->store[p->stores++] = (struct part_store){p->accesses, u->size};
		}
		p->accesses += (uint8_t)uop_accesses(u);
		p->plain++;
	}
	p->after = u;
	if (u->pc >= end)
		p->kind = PART_PLAIN;
	else if (u < last && is_transfer(u))
		part_ends_in_transfer(c->bpred, p, u, PART_TRANSFER);
	else if (u == last && is_plain(u))
		p->kind = PART_LAST;
	else if (u == last && is_transfer(u) && u->insn->flags & INSN_ANNUL)
		part_ends_in_transfer(c->bpred, p, u, PART_ENDS);
}

/* Predicts the control transfer behind `p`, `u`, which has a delay slot or annuls it; returns its flags. */
static inline uint32_t predict_transfer(struct core *c, const struct part *p, const struct uop *u)
{
	const struct feed *f = &c->front.feed;
	uint64_t next = f->next->block ? f->next->block->pc : u->pc + 8;
	bool taken = bpred_taken(p->flags, next, u->pc + 8);

	if (!p->settles || !bpred_first_way(c->bpred, p->entry, u->pc, p->flags, taken, next))
		return fetch_predict(c, u, true);
	c->front.fetch.after_slot = taken ? SLOT_TAKEN : SLOT_GO_ON;
	c->front.fetch.target_cycle = c->now + c->cfg->fetch.predict_stage;
	return 0;
}

/* Takes the control transfer behind `p`; returns what identifies the outcome. */
static inline uint64_t take_transfer(struct core *c, const struct part *p)
{
	struct feed *f = &c->front.feed;
	uint32_t flags = predict_transfer(c, p, f->uop);

	if (flags)
		c->front.block_flags = flags;
	f->uop++;
	return (uint64_t)c->front.fetch.after_slot << OUTCOME_AFTER | flags;
}

/* As take_transfer, of the last instruction of a block. *ret_ends: the group ends with it. */
static inline uint64_t take_end(struct core *c, const struct part *p, bool *ret_ends)
{
	uint64_t outcome = take_transfer(c, p);

	*ret_ends = fetch_follow(c, c->front.block_flags);
	feed_advance(c);
	return outcome;
}

/*
 * Takes the last instruction of a block, behind `before` accesses of its part; returns whether it is a delay slot with
 * an effect, and its window.
 */
static inline uint64_t take_last(struct core *c, struct in_flight *f, unsigned before, bool *ret_ends)
{
	struct feed *feed = &c->front.feed;
	const struct uop *u = feed->uop;
	enum after_slot action = c->front.fetch.after_slot;
	uint64_t window = 0;

	if (u->flags & UOP_ADDRESS) {
		uint64_t ea = *feed->ea++;

		window = access_window(c, u, ea);
		in_flight_add(f, c, u, ea);
	}
	*ret_ends = action != SLOT_GO_ON && fetch_follow(c, c->front.block_flags);
	feed_advance(c);
	return (uint64_t)action << OUTCOME_ACTION | window << (OUTCOME_WINDOWS + WINDOW_BITS * before);
}

/* Enters the parts so far into the fetch queue, with the addresses from `tail` of the ring on. */
static void enter_parts(struct core *c, const struct memo *m, uint32_t tail)
{
	const struct group *g = &m->group;
	struct front_end *f = &c->front;

	for (unsigned n = 0; n < g->parts; n++) {
		const struct uop *u = (const struct uop *)(uintptr_t)g->word[2 * n];
		const struct part *p = &m->part[u->sid];
		unsigned count = p->plain + (p->kind == PART_PLAIN ? 0u : 1u);

		for (unsigned k = 0; k < count; k++, u++) {
			struct fetched *q = &f->fq[f->fq_tail++ & f->fq_mask];

			*q = (struct fetched){.uop = u};
			if (uop_accesses(u))
				q->ea = m->in_flight.ea[tail++ & m->in_flight.mask];
			if (k == p->plain)
				q->flags = g->word[2 * n + 1] & 255;
		}
		if (p->kind == PART_ENDS && u[-1].pc + 4 < fetch_end(c, u[-1].pc))
			f->fq[f->fq_tail++ & f->fq_mask] =
				(struct fetched){.uop = &f->window_trap[WINDOW_TRAP_ANNULLED]};
	}
}

/* Enters the group into the fetch queue, if it is not there; `tail`: that of the accesses in flight before it. */
static void group_enter(struct core *c, uint32_t tail)
{
	struct memo *m = c->memo;

	if (!m->group.entered)
		enter_parts(c, m, tail);
	m->group.entered = true;
}

/* Fetches the rest of a group through the fetch queue. */
static void fetch_others(struct core *c, struct memo *m, uint64_t end, uint32_t tail)
{
	unsigned first;

	group_enter(c, tail);
	first = c->front.fq_tail;
	fetch_rest(c, end);
	in_flight_fetch(&m->in_flight, c, first);
}

/* Returns whether the part can be taken. A delay slot with an effect is a part of its own. */
static inline bool can_take(const struct core *c, const struct part *p)
{
	if (!p || p->kind == PART_OTHER)
		return false;
	return c->front.fetch.after_slot == SLOT_GO_ON || (p->kind == PART_LAST && !p->plain);
}

/* Notes the next part of the group, which begins at `u`, with the outcome of its transfer. */
static inline void note_part(struct group *g, const struct uop *u, uint64_t outcome)
{
	g->word[2 * g->parts] = (uintptr_t)u;
	g->word[2 * g->parts++ + 1] = outcome;
}

/* Takes part `p`; returns what identifies the outcome. *ret_ends: the group ends with it. */
static inline uint64_t take_part(struct core *c, struct in_flight *f, const struct part *p, bool *ret_ends)
{
	uint64_t windows = c->array ? part_windows(c, p) : 0;

	take_plain(c, f, p, windows);
	windows <<= OUTCOME_WINDOWS;
	if (p->kind == PART_PLAIN)
		*ret_ends = true;
	else if (p->kind == PART_TRANSFER)
		windows |= take_transfer(c, p);
	else if (p->kind == PART_ENDS)
		windows |= take_end(c, p, ret_ends);
	else
		windows |= take_last(c, f, p->accesses, ret_ends);
	return windows;
}

/* Returns whether the group, which is not to end yet, goes on behind part `p`, which began at `u`. */
static inline bool goes_on(const struct core *c, const struct part *p, const struct uop *u, uint64_t end)
{
	const struct feed *f = &c->front.feed;

	return !f->at_end && fetch_goes_on(u[p->plain].pc, f->uop->pc, end);
}

/* Fetches the rest of a group, in parts as far as its shape allows. `tail`: that of the accesses before the group. */
static void fetch_parts(struct core *c, struct memo *m, uint32_t tail, uint64_t end)
{
	struct feed *f = &c->front.feed;
	struct group *g = &m->group;
	bool ends = false;

	do {
		const struct uop *u = f->uop;
		const struct part *p = part_at(c, m, u);

		if (!can_take(c, p) || g->parts == GROUP_PARTS) {
			fetch_others(c, m, end, tail);
			return;
		}
		note_part(g, u, take_part(c, &m->in_flight, p, &ends));
		ends = ends || !goes_on(c, p, u, end);
	} while (!ends);
}

/* Finds the edge of `n` whose group has these words. */
static struct path *path_of_words(struct core *c, struct memo *m, const struct node *n, unsigned first)
{
	uint64_t words[FETCH_WORDS_MAX];
	unsigned count = fetch_words(c, &m->access, first, words);

	for (const struct edge *e = &n->first; e; e = e->other) {
		struct path *p = (struct path *)(uintptr_t)e->answer;

		if (p->count == count && !memcmp(p->word, words, count * sizeof(*words)))
			return p;
	}
	return graph_path(m, words, count);
}

/* Returns whether the path has the group's parts. Then, from the same state, it has the same words. */
static inline bool has_parts(const struct path *p, const struct group *g)
{
	const uint64_t *a = p->group.word, *b = g->word;

	if (p->group.access != g->access || p->group.parts != g->parts || p->group.next != g->next)
		return false;
	for (unsigned n = 0; n < 2 * g->parts; n++)
		if (a[n] != b[n])
			return false;
	return true;
}

/* Notes whether a group that hits L1I is one part, and copies its parts. */
static void note_quick(const struct core *c, struct memo *m, struct group *g)
{
	g->quick = m->access.hit && m->access.ready == c->now && g->next;
	g->place = fetch_place_of(c->mem, ((const struct uop *)(uintptr_t)g->word[0])->pc);
	for (unsigned n = 0; n < g->parts && g->quick; n++)
		g->part[n] = m->part[((const struct uop *)(uintptr_t)g->word[2 * n])->sid];
	g->word[2 * g->parts] = (uintptr_t)g->next;
	g->single = g->quick && g->parts == 1;
}

/* The next instruction to fetch; NULL: none. */
static inline const struct uop *next_uop(const struct feed *f)
{
	return f->at_end ? NULL : f->uop;
}

/* Notes that the group fetched has the first `parts` parts of group `x`, and no more so far. */
static void note_parts(struct group *g, const struct group *x, uint32_t parts)
{
	memcpy(g->word, x->word, 2 * parts * sizeof(*g->word));
	g->parts = parts;
}

/* The state of fetch before a group that hits L1I, which later parts may change. */
static void begin_fetch(struct core *c)
{
	struct fetch_state *f = &c->front.fetch;

	f->blocked = false;
	f->cause = STALL_taken_branch;
	f->next = c->now + 1;
}

/* The path of the group that was fetched, which may be new. */
static struct path *path_of_group(struct core *c, struct memo *m, const struct node *n, unsigned first, uint32_t tail)
{
	struct group *g = &m->group;
	struct path *p;

	g->access = access_word(&m->access, c->now);
	g->next = next_uop(&c->front.feed);
	if (g->entered)
		return path_of_words(c, m, n, first);
	for (const struct edge *e = &n->first; e; e = e->other)
		if (has_parts((const struct path *)(uintptr_t)e->answer, g))
			return (struct path *)(uintptr_t)e->answer;
	group_enter(c, tail);
	p = path_of_words(c, m, n, first);
	if (p && !p->group.parts) {
		p->group = *g;
		note_quick(c, m, &p->group);
	}
	return p;
}

/* Fetches the rest of a group whose parts so far are noted; returns its path, as group_fetch_slow. */
static struct path *fetch_more(struct core *c, const struct node *n, uint32_t tail, uint64_t end)
{
	struct memo *m = c->memo;
	unsigned first = c->front.fq_tail;

	m->group.entered = false;
	c->front.fq_head = first;
	fetch_parts(c, m, tail, end);
	fetch_finish(c, &m->access);
	return path_of_group(c, m, n, first, tail);
}

/*
 * As group_fetch_quick, from part `first` on, which is not the one that was expected. `tail`: of the accesses in flight
 * before the group.
 */
__attribute__((noinline)) static struct path *group_fetch_on(struct core *c, const struct node *n,
							     const struct group *g, uint32_t first, uint32_t tail)
{
	uint64_t pc = ((const struct uop *)(uintptr_t)g->word[0])->pc;
	struct memo *m = c->memo;

	begin_fetch(c);
	note_parts(&m->group, g, first);
	m->access = (struct mem_answer){c->now, MEM_L1, MEM_ACCEPTED, true, false};
	return fetch_more(c, n, tail, fetch_end(c, pc));
}

struct path *group_fetch_quick(struct core *c, const struct node *n, struct path *p)
{
	const struct group *g = &p->group;
	struct in_flight *f = &c->memo->in_flight;
	uint32_t tail = f->tail;

	for (uint32_t k = 0; k < g->parts; k++) {
		if (!part_comes(c, &g->part[k], g->word[2 * k + 1], g->word[2 * k + 2]))
			return group_fetch_on(c, n, g, k, tail);
		part_take(c, f, &g->part[k], g->word[2 * k + 1]);
	}
	c->counters.stats.fetch_groups++;
	return p;
}

struct path *group_fetch_slow(struct core *c, const struct node *n)
{
	struct memo *m = c->memo;
	uint64_t pc = c->front.feed.uop->pc;

	m->group.parts = 0;
	c->front.fetch.blocked = false;
	m->access = fetch_begin(c, pc);
	return fetch_more(c, n, m->in_flight.tail, fetch_end(c, pc));
}
