/*
 * Accesses that the memory system has refused: loads and stores that wait for a translation or for
 * a miss buffer, requests of stores for their lines ahead of the write, and software prefetches. They
 * are repeated in the order of age: the store buffer, then the window, then prefetches, as no
 * instruction waits for those. A repeated access needs no port, as it has read L1D's tags.
 */
#include "usual_lsu.h"

/*
 * State of one cycle. After a refusal because no miss buffer is free, no other access is repeated but those that have
 * one, and wait for memory.
 */
struct retry_pass {
	uint64_t now;
	uint64_t full_until; /* 0: a miss buffer is free */
	uint64_t next;       /* first cycle in which an access may be repeated */
};

/* Returns whether this access may be repeated now. If not, updates the next cycle. */
static bool may_retry(struct retry_pass *k, struct retry *a)
{
	if (a->at <= k->now && (!k->full_until || a->why == MEM_QUEUED))
		return true;
	if (a->at <= k->now)
		a->at = k->full_until;
	if (a->at < k->next)
		k->next = a->at;
	return false;
}

static void note_refusal(struct retry *retry, const struct mem_answer *a)
{
	retry->at = a->ready;
	retry->why = a->refused;
	if (a->refused == MEM_NO_PAGE || a->refused == MEM_QUEUED)
		retry->known |= MEM_TRANSLATED; /* valid from retry->at on */
}

/* Records a refusal within lsu_retry. */
static void refused(struct retry_pass *k, struct retry *retry, const struct mem_answer *a)
{
	note_refusal(retry, a);
	if (a->refused == MEM_NO_BUFFER)
		k->full_until = a->ready;
	if (retry->at < k->next)
		k->next = retry->at;
}

static void retry_from(struct core *c, uint64_t at)
{
	if (at < c->ls.retry_next)
		c->ls.retry_next = at;
}

static void add_refused(struct core *c, unsigned slot)
{
	slot_set(c->ls.retrying, slot);
	c->ls.retrying_count++;
	retry_from(c, c->ls.retry[slot].at);
}

static void remove_refused(struct core *c, unsigned slot)
{
	slot_clear(c->ls.retrying, slot);
	c->ls.retrying_count--;
}

/* Requests the line of a store's address; false: refused. */
static bool request_line(struct core *c, uint64_t ea, struct access access, struct retry *retry, struct mem_answer *a)
{
	*a = request_access(c, REQUEST_STORE_PREFETCH, ea, access);
	if (a->refused)
		return false;
	retry->known |= (uint8_t)(MEM_TRANSLATED | (a->hit ? 0 : MEM_REQUESTED));
	retry->why = MEM_ACCEPTED;
	return true;
}

void lsu_request_line(struct core *c, unsigned slot)
{
	struct retry *retry = &c->ls.retry[slot];
	struct mem_answer a;

	/* older refused accesses have been repeated in this cycle, so none of them can use what is free now */
	if (request_line(c, c->win.rob[slot].ea, access_of_slot(c, slot, retry->known), retry, &a))
		return;
	note_refusal(retry, &a);
	add_refused(c, slot);
}

static enum load_note load_note_of(unsigned refused)
{
	return refused == MEM_NO_PAGE ? LOAD_TLB : refused == MEM_QUEUED ? LOAD_MEMORY : LOAD_BUFFER;
}

void lsu_load_refused(struct core *c, unsigned slot, const struct mem_answer *a)
{
	note_refusal(&c->ls.retry[slot], a);
	c->win.rob[slot].note = load_note_of(a->refused);
	c->counters.stats.load_buffer_waits += a->refused == MEM_NO_BUFFER;
	add_refused(c, slot);
}

void lsu_write_refused(struct core *c, struct store_entry *s, const struct mem_answer *a)
{
	note_refusal(&s->retry, a);
	c->ls.sb_wants += s->want == WANT_NOTHING;
	s->want = WANT_WRITE;
	retry_from(c, s->retry.at);
}

/* Returns the number of store buffer entries whose accesses are repeated; at least one, as the oldest has to write. */
static unsigned retry_count(const struct core *c)
{
	unsigned most = c->cfg->lsu.store_buffer_ahead;

	most = most ? most : 1;
	return c->ls.sb_count < most ? c->ls.sb_count : most;
}

void lsu_buffer_shifted(struct core *c)
{
	unsigned count = retry_count(c);

	if (count)
		retry_from(c, c->ls.sb[(c->ls.sb_head + count - 1) & c->ls.sb_mask].retry.at);
}

void lsu_move_request(struct core *c, unsigned slot, struct store_entry *s)
{
	s->retry = c->ls.retry[slot];
	s->want = WANT_NOTHING;
	if (!slot_has(c->ls.retrying, slot))
		return;
	remove_refused(c, slot);
	s->want = WANT_LINE;
	c->ls.sb_wants++;
}

static void retry_write(struct core *c, struct retry_pass *k, unsigned n)
{
	struct store_entry *s = &c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask];
	struct mem_answer a = request_access(c, REQUEST_STORE_RETRY, s->ea, access_of_store(c, n));

	if (a.refused) {
		refused(k, &s->retry, &a);
		return;
	}
	lsu_write_accepted(c, s, &a);
}

/* Repeats the accesses of the store buffer's oldest entries. */
static void retry_store_buffer(struct core *c, struct retry_pass *k)
{
	unsigned count = retry_count(c);

	for (unsigned n = 0; n < count && c->ls.sb_wants; n++) {
		struct store_entry *s = &c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask];
		struct mem_answer a;

		if (s->want == WANT_NOTHING || !may_retry(k, &s->retry))
			continue;
		if (s->want == WANT_WRITE) {
			retry_write(c, k, n);
		} else if (request_line(c, s->ea, access_of_store(c, n), &s->retry, &a)) {
			s->want = WANT_NOTHING;
			c->ls.sb_wants--;
		} else {
			refused(k, &s->retry, &a);
		}
	}
}

static void retry_load(struct core *c, struct retry_pass *k, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct retry *retry = &c->ls.retry[slot];
	struct mem_answer a =
		c->transcript ? recorded_access(c, REQUEST_LOAD_RETRY, r->ea, access_of_slot(c, slot, retry->known))
			      : memsys_load_again(c->mem, k->now, r->ea, r->uop->size, retry->known);

	if (a.refused) {
		c->win.rob[slot].note = load_note_of(a.refused);
		c->counters.stats.load_buffer_waits += a.refused == MEM_NO_BUFFER && retry->why != MEM_NO_BUFFER;
		refused(k, retry, &a);
		return;
	}
	remove_refused(c, slot);
	lsu_load_accepted(c, slot, &a);
}

/* Repeats the request of a store in the window for its line. */
static void retry_line(struct core *c, struct retry_pass *k, unsigned slot)
{
	struct retry *retry = &c->ls.retry[slot];
	struct mem_answer a;

	if (request_line(c, c->win.rob[slot].ea, access_of_slot(c, slot, retry->known), retry, &a))
		remove_refused(c, slot);
	else
		refused(k, retry, &a);
}

INLINE void retry_window_of(struct core *c, struct retry_pass *k, unsigned words)
{
	uint64_t pending[ROB_WORDS_MAX];
	unsigned slot;

	for (unsigned w = 0; w < words; w++)
		pending[w] = c->ls.retrying[w];
	while ((slot = slot_oldest_in(&c->win, pending, pending, words)) != SLOT_NONE) {
		uint32_t flags = c->win.rob[slot].uop->flags;

		slot_clear_in(pending, slot, words);
		if (flags & UOP_PREFETCH || !may_retry(k, &c->ls.retry[slot]))
			continue;
		if (flags & UOP_LOAD)
			retry_load(c, k, slot);
		else
			retry_line(c, k, slot);
	}
}

/* Repeats the accesses of the window. */
static void retry_window(struct core *c, struct retry_pass *k)
{
	if (c->win.rob_words == 1)
		retry_window_of(c, k, 1);
	else
		retry_window_of(c, k, c->win.rob_words);
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
		.retry = c->ls.retry[slot],
		.strong = prefetch_is_strong(r->uop->insn),
	};
	retry_from(c, c->ls.retry[slot].at);
	prefetch_done(c, slot);
	return true;
}

void lsu_issue_prefetch(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct mem_answer a = request_access(c, REQUEST_PREFETCH, r->ea, access_of_slot(c, slot, 0));

	if (!a.refused) {
		prefetch_done(c, slot);
		return;
	}
	c->ls.retry[slot] = (struct retry){0};
	note_refusal(&c->ls.retry[slot], &a);
	if (enqueue(c, slot))
		return;
	c->win.rob[slot].note = LOAD_BUFFER;
	c->ls.prefetch_waiting++;
	add_refused(c, slot);
}

/* Moves prefetches that wait in their slots to the queue, the oldest first, until it is full. */
static void move_prefetches(struct core *c, struct retry_pass *k)
{
	uint64_t pending[ROB_WORDS_MAX];
	unsigned slot;

	memcpy(pending, c->ls.retrying, c->win.rob_words * sizeof(*pending));
	while (c->ls.prefetch_waiting && (slot = slot_oldest(&c->win, pending, pending)) != SLOT_NONE) {
		slot_clear(pending, slot);
		if (!(c->win.rob[slot].uop->flags & UOP_PREFETCH))
			continue;
		if (c->ls.retry[slot].at < k->now)
			c->ls.retry[slot].at = k->now;
		if (!enqueue(c, slot))
			return; /* the queue is full, and retry_prefetches has set k->next */
		if (c->ls.retry[slot].at < k->next)
			k->next = c->ls.retry[slot].at;
		c->ls.prefetch_waiting--;
		remove_refused(c, slot);
	}
}

/* Repeats prefetches, last and in order; accepted ones leave the queue. */
static void retry_prefetches(struct core *c, struct retry_pass *k)
{
	unsigned kept = 0;

	for (unsigned n = 0; n < c->ls.prefetch_count; n++) {
		struct queued_prefetch *q = &c->ls.prefetch[n];
		struct mem_answer a;

		if (may_retry(k, &q->retry)) {
			a = request_access(c, REQUEST_PREFETCH, q->ea,
					   (struct access){
						   .index = (uint16_t)n,
						   .place = ACCESS_PREFETCH_QUEUE,
						   .known = q->retry.known,
						   .strong = q->strong,
					   });
			if (!a.refused)
				continue;
			refused(k, &q->retry, &a);
		}
		c->ls.prefetch[kept++] = *q;
	}
	c->ls.prefetch_count = kept;
}

void lsu_retry(struct core *c)
{
	struct retry_pass k = {.now = c->now, .next = CYCLE_NEVER};

	if (c->ls.sb_wants)
		retry_store_buffer(c, &k);
	if (c->ls.retrying_count)
		retry_window(c, &k);
	if (c->ls.prefetch_count)
		retry_prefetches(c, &k);
	if (c->ls.prefetch_waiting)
		move_prefetches(c, &k);
	c->ls.retry_next = k.next;
	c->progress = true;
}
