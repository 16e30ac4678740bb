/*
 * Accesses that the memory system has refused: loads and stores that wait for a translation or for
 * a miss buffer, requests of stores for their lines ahead of the write, and software prefetches. They
 * are repeated in the order of age: the store buffer, then the window, then prefetches, as no
 * instruction waits for those. A repeated access needs no port, as it has read L1D's tags.
 */
#include "core_state.h"

/* The state of one cycle. After a refusal for want of a buffer, no other access is repeated. */
struct asking {
	uint64_t now;
	uint64_t full_until; /* 0: a miss buffer is free */
	uint64_t next;       /* first cycle in which an access may be repeated */
};

/* May this access be repeated now? If not, updates the next cycle. */
static bool may_ask(struct asking *k, struct ask *a)
{
	if (a->at <= k->now && !k->full_until)
		return true;
	if (a->at <= k->now)
		a->at = k->full_until;
	if (a->at < k->next)
		k->next = a->at;
	return false;
}

static void note_refusal(struct ask *ask, const struct mem_answer *a)
{
	ask->at = a->ready;
	ask->why = a->refused;
	if (a->refused == MEM_NO_PAGE)
		ask->known |= MEM_TRANSLATED; /* valid from ask->at on */
}

/* Records a refusal within lsu_ask. */
static void refused(struct asking *k, struct ask *ask, const struct mem_answer *a)
{
	note_refusal(ask, a);
	if (a->refused == MEM_NO_BUFFER)
		k->full_until = a->ready;
	if (ask->at < k->next)
		k->next = ask->at;
}

static void ask_not_before(struct core *c, uint64_t at)
{
	if (at < c->ls.ask_next)
		c->ls.ask_next = at;
}

static void join(struct core *c, unsigned slot)
{
	slot_set(c->ls.asking, slot);
	c->ls.asking_count++;
	ask_not_before(c, c->ls.ask[slot].at);
}

static void leave(struct core *c, unsigned slot)
{
	slot_clear(c->ls.asking, slot);
	c->ls.asking_count--;
}

/* Requests the line of a store's address; false: refused. */
static bool ask_line(struct core *c, uint64_t ea, struct ask *ask, struct mem_answer *a)
{
	*a = memsys_store_ahead(c->mem, c->now, ea, ask->known);
	answered_access(c->transcript, ASK_STORE_AHEAD, c->now, a);
	if (a->refused)
		return false;
	ask->known |= (uint8_t)(MEM_TRANSLATED | (a->hit ? 0 : MEM_ASKED));
	ask->why = MEM_ACCEPTED;
	return true;
}

void lsu_ask_line(struct core *c, unsigned slot)
{
	struct ask *ask = &c->ls.ask[slot];
	struct mem_answer a;

	/* older refused accesses have been repeated in this cycle, so none of them can use what is free now */
	if (ask_line(c, c->win.rob[slot].ea, ask, &a))
		return;
	note_refusal(ask, &a);
	join(c, slot);
}

void lsu_load_refused(struct core *c, unsigned slot, const struct mem_answer *a)
{
	note_refusal(&c->ls.ask[slot], a);
	c->win.rob[slot].note = a->refused == MEM_NO_PAGE ? LOAD_TLB : LOAD_BUFFER;
	c->acct.stats.load_buffer_waits += a->refused == MEM_NO_BUFFER;
	join(c, slot);
}

void lsu_write_refused(struct core *c, struct store_entry *s, const struct mem_answer *a)
{
	note_refusal(&s->ask, a);
	c->ls.sb_wants += s->want == WANT_NOTHING;
	s->want = WANT_WRITE;
	ask_not_before(c, s->ask.at);
}

void lsu_write_accepted(struct core *c, struct store_entry *s, const struct mem_answer *a)
{
	s->ready = a->ready;
	s->level = (uint8_t)a->level;
	c->ls.sb_wants -= s->want != WANT_NOTHING;
	s->want = WANT_NOTHING;
}

/* The number of store buffer entries that may ask; at least one, as the oldest has to write. */
static unsigned may_ask_count(const struct core *c)
{
	unsigned most = c->cfg->lsu.store_buffer_ahead;

	most = most ? most : 1;
	return c->ls.sb_count < most ? c->ls.sb_count : most;
}

void lsu_buffer_shifted(struct core *c)
{
	unsigned count = may_ask_count(c);

	if (count)
		ask_not_before(c, c->ls.sb[(c->ls.sb_head + count - 1) & c->ls.sb_mask].ask.at);
}

void lsu_move_request(struct core *c, unsigned slot, struct store_entry *s)
{
	s->ask = c->ls.ask[slot];
	s->want = WANT_NOTHING;
	if (!slot_has(c->ls.asking, slot))
		return;
	leave(c, slot);
	s->want = WANT_LINE;
	c->ls.sb_wants++;
}

static void ask_write(struct core *c, struct asking *k, struct store_entry *s)
{
	struct mem_answer a = memsys_store(c->mem, c->now, s->ea, s->size, s->ask.known);

	answered_access(c->transcript, ASK_STORE, c->now, &a);
	if (a.refused) {
		refused(k, &s->ask, &a);
		return;
	}
	lsu_write_accepted(c, s, &a);
}

/* Repeats the accesses of the store buffer's oldest entries. */
static void ask_buffer(struct core *c, struct asking *k)
{
	unsigned count = may_ask_count(c);

	for (unsigned n = 0; n < count && c->ls.sb_wants; n++) {
		struct store_entry *s = &c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask];
		struct mem_answer a;

		if (s->want == WANT_NOTHING || !may_ask(k, &s->ask))
			continue;
		if (s->want == WANT_WRITE) {
			ask_write(c, k, s);
		} else if (ask_line(c, s->ea, &s->ask, &a)) {
			s->want = WANT_NOTHING;
			c->ls.sb_wants--;
		} else {
			refused(k, &s->ask, &a);
		}
	}
}

static void ask_load(struct core *c, struct asking *k, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct ask *ask = &c->ls.ask[slot];
	struct mem_answer a = memsys_load_again(c->mem, c->now, r->ea, r->uop->size, ask->known);

	answered_access(c->transcript, ASK_LOAD_AGAIN, c->now, &a);
	if (a.refused) {
		c->win.rob[slot].note = a.refused == MEM_NO_PAGE ? LOAD_TLB : LOAD_BUFFER;
		c->acct.stats.load_buffer_waits += a.refused == MEM_NO_BUFFER && ask->why != MEM_NO_BUFFER;
		refused(k, ask, &a);
		return;
	}
	leave(c, slot);
	lsu_load_accepted(c, slot, &a);
}

static void ask_window(struct core *c, struct asking *k)
{
	uint64_t todo[ROB_WORDS_MAX];
	unsigned slot;

	memcpy(todo, c->ls.asking, c->win.rob_words * sizeof(*todo));
	while ((slot = slot_oldest(&c->win, todo, todo)) != SLOT_NONE) {
		struct ask *ask = &c->ls.ask[slot];
		struct mem_answer a;

		slot_clear(todo, slot);
		if (c->win.rob[slot].uop->flags & UOP_PREFETCH || !may_ask(k, ask))
			continue;
		if (c->win.rob[slot].uop->flags & UOP_LOAD)
			ask_load(c, k, slot);
		else if (ask_line(c, c->win.rob[slot].ea, ask, &a))
			leave(c, slot);
		else
			refused(k, ask, &a);
	}
}

static void prefetch_done(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	r->state = SLOT_DONE;
	r->done = c->now + c->cfg->core.commit_stages;
}

/* Moves the refused prefetch in `slot` to the queue; false if that is full. */
static bool enqueue(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];

	if (c->ls.prefetch_count == c->cfg->lsu.prefetch_queue)
		return false;
	c->ls.prefetch[c->ls.prefetch_count++] = (struct queued_prefetch){
		.ea = r->ea,
		.ask = c->ls.ask[slot],
		.strong = prefetch_is_strong(r->uop->insn),
	};
	ask_not_before(c, c->ls.ask[slot].at);
	prefetch_done(c, slot);
	return true;
}

void lsu_ask_prefetch(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct mem_answer a = memsys_prefetch(c->mem, c->now, r->ea, prefetch_is_strong(r->uop->insn), 0);

	answered_access(c->transcript, ASK_PREFETCH, c->now, &a);
	if (!a.refused) {
		prefetch_done(c, slot);
		return;
	}
	c->ls.ask[slot] = (struct ask){0};
	note_refusal(&c->ls.ask[slot], &a);
	if (enqueue(c, slot))
		return;
	c->win.rob[slot].note = LOAD_BUFFER;
	c->ls.prefetch_waiting++;
	join(c, slot);
}

/* Moves prefetches that wait in their slots to the queue, the oldest first, until it is full. */
static void move_prefetches(struct core *c, struct asking *k)
{
	uint64_t todo[ROB_WORDS_MAX];
	unsigned slot;

	memcpy(todo, c->ls.asking, c->win.rob_words * sizeof(*todo));
	while (c->ls.prefetch_waiting && (slot = slot_oldest(&c->win, todo, todo)) != SLOT_NONE) {
		slot_clear(todo, slot);
		if (!(c->win.rob[slot].uop->flags & UOP_PREFETCH))
			continue;
		if (c->ls.ask[slot].at < k->now)
			c->ls.ask[slot].at = k->now;
		if (!enqueue(c, slot))
			return; /* the queue is full, and ask_prefetches has set k->next */
		if (c->ls.ask[slot].at < k->next)
			k->next = c->ls.ask[slot].at;
		c->ls.prefetch_waiting--;
		leave(c, slot);
	}
}

/* Repeats prefetches, last and in order; accepted ones leave the queue. */
static void ask_prefetches(struct core *c, struct asking *k)
{
	unsigned kept = 0;

	for (unsigned n = 0; n < c->ls.prefetch_count; n++) {
		struct queued_prefetch *q = &c->ls.prefetch[n];
		struct mem_answer a;

		if (may_ask(k, &q->ask)) {
			a = memsys_prefetch(c->mem, c->now, q->ea, q->strong, q->ask.known);
			answered_access(c->transcript, ASK_PREFETCH, c->now, &a);
			if (!a.refused)
				continue;
			refused(k, &q->ask, &a);
		}
		c->ls.prefetch[kept++] = *q;
	}
	c->ls.prefetch_count = kept;
}

void lsu_ask(struct core *c)
{
	struct asking k = {.now = c->now, .next = CYCLE_NEVER};

	if (c->ls.sb_wants)
		ask_buffer(c, &k);
	if (c->ls.asking_count)
		ask_window(c, &k);
	if (c->ls.prefetch_count)
		ask_prefetches(c, &k);
	if (c->ls.prefetch_waiting)
		move_prefetches(c, &k);
	c->ls.ask_next = k.next;
	c->progress = true;
}
