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
	struct group_begin *begin;

	while (size < count)
		size *= 2;
	part = realloc(m->part, size * sizeof(*part));
	m->part = part ? part : m->part;
	begin = realloc(m->begin, size * sizeof(*begin));
	m->begin = begin ? begin : m->begin;
	if (!part || !begin) {
		m->failed = true;
		return -1;
	}
	memset(part + m->part_size, 0, (size - m->part_size) * sizeof(*part));
	memset(begin + m->part_size, 0, (size - m->part_size) * sizeof(*begin));
	m->part_size = size;
	return 0;
}

void add_stores_of_windows(struct in_flight *f, const struct part *p, const uint64_t *ea, uint64_t windows)
{
	for (unsigned n = 0; n < p->stores; n++) {
		const struct part_store *s = &p->store[n];
		struct in_flight_store store = in_flight_store_of(ea[s->access], f->tail + s->access, s->size);

		if (windows >> (WINDOW_BITS * s->access) & 3)
			in_flight_add_to_sbm(f, store);
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

/* Adds a plain instruction's access; false: there are too many stores. */
static bool part_add(struct part *p, const struct uop *u)
{
	if (u->flags & UOP_STORE) {
		if (p->stores == PART_STORES)
			return false;
		p->store[p->stores++] = (struct part_store){p->accesses, u->size};
	}
	p->accesses += (uint8_t)uop_accesses(u);
	return true;
}

/* Adds the delay slot behind the transfer, if it ends the block within the group; returns the kind of part. */
static enum part_kind part_add_slot(struct part *p, const struct uop *slot, const struct uop *last, uint64_t end)
{
	if (slot != last || slot->pc >= end || !is_plain(slot) || !part_add(p, slot))
		return PART_TRANSFER;
	return PART_BLOCK;
}

void part_make(const struct core *c, struct part *p)
{
	const struct feed *f = &c->front.feed;
	const struct uop *u = f->uop, *last = f->last;
	uint64_t end = fetch_end(c, u->pc);

	*p = (struct part){.kind = PART_OTHER};
	for (; u < last && u->pc < end && is_plain(u); u++) {
		if (!part_add(p, u))
			return;
		p->plain++;
	}
	p->after = u;
	if (u->pc >= end)
		p->kind = PART_PLAIN;
	else if (u < last && is_transfer(u))
		part_ends_in_transfer(c->bpred, p, u, part_add_slot(p, u + 1, last, end));
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
	enum bpred_quick how = BPRED_UNKNOWN;

	if (p->settles)
		how = bpred_predict_quick(c->bpred, p->entry, u->pc, p->flags, taken, next);
	if (how == BPRED_UNKNOWN)
		return fetch_predict(c, u, true);
	c->front.fetch.target_cycle = c->now + c->cfg->fetch.predict_stage;
	if (how == BPRED_WRONG) {
		c->front.fetch.after_slot = SLOT_BLOCK;
		return fetch_wrong_flags(u);
	}
	c->front.fetch.after_slot = taken ? SLOT_TAKEN : SLOT_GO_ON;
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

/* As take_transfer, with the end of the block. *ret_ends: the group ends with it. */
static inline uint64_t take_end(struct core *c, const struct part *p, bool *ret_ends)
{
	uint64_t outcome = take_transfer(c, p);

	*ret_ends = c->front.fetch.after_slot != SLOT_GO_ON && fetch_follow(c, c->front.block_flags);
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

/* Enters the parts so far into the fetch queue. */
static void enter_parts(struct core *c, const struct memo *m)
{
	const struct group *g = &m->group;
	struct front_end *f = &c->front;
	uint32_t tail = m->before;

	for (unsigned n = 0; n < g->parts; n++) {
		const struct uop *u = (const struct uop *)(uintptr_t)g->word[2 * n];
		const struct part *p = &m->part[u->sid];
		unsigned count = p->plain + (p->kind == PART_PLAIN ? 0u : p->kind == PART_BLOCK ? 2u : 1u);

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

/* Enters the group into the fetch queue, if it is not there. */
static void group_enter(struct core *c)
{
	struct memo *m = c->memo;

	if (!m->group.entered)
		enter_parts(c, m);
	m->group.entered = true;
}

/* Fetches the rest of a group through the fetch queue. */
static void fetch_others(struct core *c, struct memo *m, uint64_t end)
{
	unsigned first;

	group_enter(c);
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
INLINE uint64_t take_part(struct core *c, struct in_flight *f, const struct part *p, bool *ret_ends)
{
	uint64_t windows = c->array ? part_windows(c, p) : 0;

	take_plain(c, f, p, windows);
	windows <<= OUTCOME_WINDOWS;
	if (p->kind == PART_BLOCK || p->kind == PART_ENDS)
		return windows | take_end(c, p, ret_ends);
	if (p->kind == PART_LAST)
		return windows | take_last(c, f, p->accesses, ret_ends);
	if (p->kind == PART_TRANSFER)
		return windows | take_transfer(c, p);
	*ret_ends = true;
	return windows;
}

/* Returns whether the group, which is not to end yet, goes on behind part `p`, which began at `u`. */
static inline bool goes_on(const struct core *c, const struct part *p, const struct uop *u, uint64_t end)
{
	const struct feed *f = &c->front.feed;

	u += p->plain + (p->kind == PART_BLOCK ? 1u : 0u);
	return !f->at_end && fetch_goes_on(u->pc, f->uop->pc, end);
}

/* Fetches the rest of a group, whose parts so far are noted, in parts as far as its shape allows. */
static void fetch_parts(struct core *c, struct memo *m, uint64_t end)
{
	struct feed *f = &c->front.feed;
	struct group *g = &m->group;
	bool ends = false;

	do {
		const struct uop *u = f->uop;
		const struct part *p = part_at(c, m, u);

		if (!can_take(c, p) || g->parts == GROUP_PARTS) {
			fetch_others(c, m, end);
			return;
		}
		note_part(g, u, take_part(c, &m->in_flight, p, &ends));
		ends = ends || !goes_on(c, p, u, end);
	} while (!ends);
}

/* Copies the parts of a new path's group, and notes whether it hits L1I. */
static void note_group(const struct core *c, struct memo *m, struct group *to)
{
	*to = m->group;
	to->quick = m->access.hit && m->access.ready == c->now && to->next;
	to->place = fetch_place_of(c->mem, ((const struct uop *)(uintptr_t)to->word[0])->pc);
	for (unsigned n = 0; n < to->parts && to->quick; n++)
		to->part[n] = m->part[((const struct uop *)(uintptr_t)to->word[2 * n])->sid];
	to->word[2 * to->parts] = (uintptr_t)to->next;
	to->will = FAST_NONE;
	if (to->quick && to->parts == 1)
		to->will = to->part[0].kind == PART_PLAIN ? FAST_PLAIN : FAST_PART;
}

/* ---- trees of groups ---- */
/*
 * What the state has that a group of known parts depends on: the transfer before a delay slot, and the cycle in which
 * its target is known.
 */
static inline uint64_t fetch_context(const struct core *c)
{
	const struct fetch_state *f = &c->front.fetch;

	if (__builtin_expect(f->after_slot == SLOT_GO_ON, 1))
		return SLOT_GO_ON;
	if (f->after_slot == SLOT_BLOCK)
		return SLOT_BLOCK | (uint64_t)c->front.block_flags << 8;
	return f->after_slot | (latest(f->target_cycle, c->now) - c->now) << 8;
}

/* The step among these with this outcome; NULL: none. */
static inline struct group_step *step_with(struct group_step *s, uint64_t outcome, const struct uop *next)
{
	while (s && (s->outcome != outcome || s->next != next))
		s = s->other;
	return s;
}

static inline struct group_tree *tree_with(struct group_tree *t, uint64_t access, uint64_t context)
{
	while (t && (t->access != access || t->context != context))
		t = t->other;
	return t;
}

/* The tree of the group fetched, which may be new; NULL: no memory. */
static struct group_tree *tree_of_group(struct core *c, struct memo *m)
{
	const struct uop *first = (const struct uop *)(uintptr_t)m->group.word[0];
	struct group_begin *b = &m->begin[first->sid];
	uint64_t access = access_word(&m->access, c->now);
	struct group_tree *t = tree_with(b->tree, access, m->context);

	if (t)
		return t;
	t = arena_take(m, &m->hot, sizeof(*t));
	if (!t)
		return NULL;
	*t = (struct group_tree){.access = access, .context = m->context, .other = b->tree};
	b->tree = t;
	b->place = fetch_place_of(c->mem, first->pc);
	return t;
}

/* Adds the group fetched to its tree, with its path. 0, or -1: no memory. */
static int tree_add(struct core *c, struct memo *m, struct path *p)
{
	const struct group *g = &m->group;
	struct group_tree *t = tree_of_group(c, m);
	struct group_step **at = t ? &t->first : NULL, *s = NULL;

	for (unsigned n = 0; n < g->parts && at; n++) {
		bool last = n + 1 == g->parts;
		const struct uop *next = last ? g->next : (const struct uop *)(uintptr_t)g->word[2 * n + 2];

		s = step_with(*at, g->word[2 * n + 1], next);
		if (!s) {
			s = arena_take(m, &m->hot, sizeof(*s));
			if (!s)
				return -1;
			*s = (struct group_step){.outcome = g->word[2 * n + 1], .next = next, .other = *at};
			*at = s;
		}
		at = &s->then;
	}
	if (s)
		s->path = p;
	return s ? 0 : -1;
}

/* The next instruction to fetch; NULL: none. */
static inline const struct uop *next_uop(const struct feed *f)
{
	return f->at_end ? NULL : f->uop;
}

/* The path of the group that was fetched, which may be new. `first`: its place in the fetch queue. */
static struct path *path_of_group(struct core *c, struct memo *m, unsigned first)
{
	uint64_t words[FETCH_WORDS_MAX];
	bool parts = !m->group.entered;
	struct path *p;

	m->group.next = next_uop(&c->front.feed);
	group_enter(c);
	p = graph_path(m, words, fetch_words(c, &m->access, first, words));
	if (!p || !parts)
		return p;
	if (!p->group.parts)
		note_group(c, m, &p->group);
	return tree_add(c, m, p) < 0 ? NULL : p;
}

/*
 * Fetches the rest of a group whose parts so far are noted, which are in no tree; returns its path, as
 * group_fetch_slow. `ends`: there is no rest.
 */
__attribute__((noinline)) static struct path *fetch_more(struct core *c, struct memo *m, bool ends)
{
	const struct uop *u = m->group.parts ? (const struct uop *)(uintptr_t)m->group.word[0] : c->front.feed.uop;
	unsigned first = c->front.fq_tail;

	m->group.entered = false;
	c->front.fq_head = first;
	if (!ends)
		fetch_parts(c, m, fetch_end(c, u->pc));
	fetch_finish(c, &m->access);
	return path_of_group(c, m, first);
}

/* Fetches the group whose access to L1I has this answer, along the tree of its begin, `sid`. */
static inline struct path *fetch_along(struct core *c, struct memo *m, uint32_t sid, uint64_t access)
{
	struct in_flight *f = &m->in_flight;
	struct feed *feed = &c->front.feed;
	uint64_t context = fetch_context(c);
	const struct group_tree *t = tree_with(m->begin[sid].tree, access, context);
	struct group_step *s = t ? t->first : NULL;
	uint64_t pc = feed->uop->pc;

	m->context = context;
	m->before = f->tail;
	m->group.parts = 0;
	while (s) {
		const struct uop *u = feed->uop;
		const struct part *p = &m->part[u->sid];
		bool ends = false;
		uint64_t outcome = take_part(c, f, p, &ends);

		note_part(&m->group, u, outcome);
		s = step_with(s, outcome, next_uop(feed));
		if (!s)
			return fetch_more(c, m, ends || !goes_on(c, p, u, fetch_end(c, pc)));
		if (s->path) {
			c->counters.stats.fetch_groups++;
			return s->path;
		}
		s = s->then;
	}
	return fetch_more(c, m, false);
}

struct path *group_fetch_hit(struct core *c)
{
	struct fetch_state *f = &c->front.fetch;
	struct memo *m = c->memo;

	f->blocked = false;
	f->cause = STALL_taken_branch;
	f->next = c->now + 1;
	m->access = (struct mem_answer){c->now, MEM_L1, MEM_ACCEPTED, true, false};
	return fetch_along(c, m, c->front.feed.uop->sid, hit_word());
}

struct path *group_fetch_slow(struct core *c, uint32_t sid)
{
	struct memo *m = c->memo;

	c->front.fetch.blocked = false;
	m->access = fetch_begin(c, c->front.feed.uop->pc);
	return fetch_along(c, m, sid, access_word(&m->access, c->now));
}
