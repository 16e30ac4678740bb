/* Detailed cycles that are recorded: their requests and answers, and what they count. */
#include <stdlib.h>

#include "answer.h"
#include "memo_graph.h"

/* ---- requests to steps ---- */
struct reader {
	const struct request_record *at, *end;
	const struct core *c;
	unsigned fetched; /* accesses fetched in it */
	unsigned ports;   /* taken in it so far */
	bool leads;       /* a block begins behind what was fetched in it */
};

static enum request_kind request_of(const struct request_record *a)
{
	return (enum request_kind)(a->word >> ANSWER_BITS);
}

static uint64_t answer_of(const struct request_record *a)
{
	return a->word & ((UINT64_C(1) << ANSWER_BITS) - 1);
}

/* The access of a step: slots become distances from the tail of the accesses in flight. */
static struct access access_in_flight(const struct reader *r, const struct request_record *a)
{
	const struct numbering *n = &r->c->memo->numbering;
	struct access access = a->access;

	if (access.place == ACCESS_WINDOW && request_of(a) != REQUEST_FETCH)
		access.index = (uint16_t)(n->fetched - n->number[access.index]);
	return access;
}

/* The answer to a load at its port, after the search for older stores. */
static uint64_t read_load(struct reader *r)
{
	uint64_t match = answer_of(r->at++), taken;

	if (answer_is_store(match))
		return match;
	taken = answer_of(r->at++);
	if (taken)
		return match | LOAD_NO_PORT;
	r->ports++;
	return match | answer_of(r->at++) << LOAD_ACCESS;
}

static uint64_t read_store(struct reader *r)
{
	uint64_t taken = answer_of(r->at++);

	if (taken)
		return STORE_NO_PORT;
	r->ports++;
	return answer_of(r->at++) << STORE_ACCESS;
}

static uint64_t read_fetch(struct reader *r)
{
	uint64_t words[FETCH_WORDS_MAX];
	unsigned count = 0;
	uint64_t next;

	while (r->at < r->end)
		words[count++] = answer_of(r->at++);
	r->fetched += path_accesses(r->c, words, count);
	next = words[2] & UINT32_MAX; /* its number, plus one */
	r->leads = next && uop_of(r->c, next - 1)->leads;
	return (uintptr_t)graph_path(r->c->memo, words, count);
}

/* The answer to a request with one answer. */
static uint64_t read_single(struct reader *r, enum request_kind q)
{
	uint64_t answer = answer_of(r->at++);

	r->ports += q == REQUEST_PORT && !answer;
	return answer;
}

/* The step of a single request. */
static enum step step_of(enum request_kind q)
{
	switch (q) {
	case REQUEST_PORT: return STEP_PORT;
	case REQUEST_SBM_LOAD:
	case REQUEST_SBM_HELD: return STEP_SBM_LOAD;
	case REQUEST_SBM_STORE: return STEP_SBM_STORE;
	case REQUEST_SET:
	case REQUEST_STORED:
	case REQUEST_EARLY:
	case REQUEST_SQUASH: return STEP_PREDICTOR;
	case REQUEST_LINE: return STEP_LINE;
	case REQUEST_FIRST_LINE: return STEP_FIRST_LINE;
	default: return STEP_ACCESS;
	}
}

/* Reads the next step: its request into *n, and returns the answer. */
static uint64_t read_step(struct reader *r, struct node *n)
{
	enum request_kind q = request_of(r->at);

	*n = (struct node){.access = access_in_flight(r, r->at), .request = (uint8_t)q, .ports = (uint8_t)r->ports};
	if (q == REQUEST_ORDER) {
		n->step = STEP_LOAD;
		return read_load(r);
	}
	if (q == REQUEST_PORT && n->access.place == ACCESS_STORE_BUFFER) {
		n->step = STEP_STORE;
		return read_store(r);
	}
	if (q == REQUEST_FETCH) {
		n->step = STEP_FETCH;
		return read_fetch(r);
	}
	n->step = (uint8_t)step_of(q);
	return read_single(r, q);
}

/* The fast path of this step and access, if it is one. */
static enum fast_path fast_path_of(const struct core *c, const struct node *n)
{
	unsigned size = n->access.size, row = c->cfg->l1d.bank_bytes * c->cfg->l1d.banks;

	if (n->step == STEP_ACCESS && n->request == REQUEST_STORE_PREFETCH)
		return FAST_STORE_PREFETCH;
	if (!size || size > row || size > 8 || size > lsu_first_bytes(c, size) || size & (size - 1))
		return FAST_NONE;
	return n->step == STEP_LOAD ? FAST_LOAD : n->step == STEP_STORE ? FAST_STORE : FAST_NONE;
}

/* The answer that the access hits. */
static uint64_t fast_answer(enum fast_path path)
{
	switch (path) {
	case FAST_LOAD: return hit_word() << LOAD_ACCESS | MATCH_FILTERED;
	case FAST_STORE: return hit_word() << STORE_ACCESS;
	default: return hit_word();
	}
}

/* Exchanges the edge `e` of a node with the first, and returns where it is then. */
static struct edge *make_first(struct memo *m, struct node *n, struct edge *e)
{
	struct edge was = n->first, *second = n->first.other, *after = e->other;

	if (e == &n->first)
		return e;
	n->first = *e;
	n->first.other = second;
	*e = was;
	e->other = after;
	if (m->wide) {
		uint64_t moves = *edge_array_moves(e);

		*edge_array_moves(e) = *edge_array_moves(&n->first);
		*edge_array_moves(&n->first) = moves;
	}
	if (m->pending == &n->first)
		m->pending = e;
	return &n->first;
}

/* Notes whether a node with the edge `e` has a fast path; an access that hits comes first. Returns the edge. */
static struct edge *note_fast_path(struct core *c, struct node *n, struct edge *e)
{
	enum fast_path path = fast_path_of(c, n);
	bool hits = path && e->answer == fast_answer(path);

	if (hits || path == FAST_LOAD) {
		n->will = (uint8_t)path;
		n->inside = (uint8_t)(n->access.size - 1);
	}
	if (hits)
		e = make_first(c->memo, n, e);
	n->fast_path = n->first.next ? n->will : FAST_NONE;
	return e;
}

static bool same_request(const struct node *a, const struct node *b)
{
	return a->step == b->step && a->request == b->request && a->access.index == b->access.index &&
	       a->access.place == b->access.place && a->access.size == b->access.size &&
	       a->access.known == b->access.known && a->access.strong == b->access.strong;
}

/* ---- cycles ---- */
/* Numbers the accesses of the instructions in the window that have no number yet. */
static void number_slots(struct core *c, struct numbering *n)
{
	const struct window *w = &c->win;
	uint64_t end = w->first_seq + w->rob_count;

	if (n->seq < w->first_seq || n->seq > end) {
		n->seq = w->first_seq;
		n->queued = false;
	}
	for (; n->seq != end; n->seq++) {
		unsigned slot = (unsigned)n->seq & w->rob_mask;

		n->number[slot] = n->dispatched;
		n->dispatched = (uint16_t)(n->dispatched + uop_accesses(w->rob[slot].uop));
	}
}

/* Numbers the accesses in the fetch queue, behind those in the window. */
static void number_queue(const struct core *c, struct numbering *n)
{
	const struct front_end *f = &c->front;

	if (!n->queued || f->fq_tail - n->queue > f->fq_tail - f->fq_head) {
		n->queue = f->fq_head;
		n->fetched = n->dispatched;
		n->queued = true;
	}
	for (; n->queue != f->fq_tail; n->queue++)
		n->fetched = (uint16_t)(n->fetched + uop_accesses(f->fq[n->queue & f->fq_mask].uop));
}

/* Numbers the accesses of window and fetch queue; returns how many they are. */
static uint32_t number_accesses(struct core *c)
{
	struct numbering *n = &c->memo->numbering;

	number_slots(c, n);
	number_queue(c, n);
	n->oldest = c->win.rob_count ? n->number[c->win.rob_head] : n->dispatched;
	return (uint16_t)(n->fetched - n->oldest);
}

/* Simulates the present cycle with the transcript. */
static int detailed_cycle(struct core *c, uint64_t end)
{
	struct memo *m = c->memo;
	unsigned head = c->win.rob_head;
	uint64_t now = c->now;
	int ret;

	c->transcript = &m->transcript;
	ret = core_advance(c, end);
	c->transcript = NULL;
	if (ret < 0)
		return -1;
	m->stats.recorded++;
	counts_profile(c, head, now);
	if (m->transcript.no_memory)
		return err_set(c->error, STATUS_FAILED, "core: out of memory");
	if (m->transcript.failed)
		bug("cycle %llu: a restored core makes another request", (unsigned long long)now);
	return 0;
}

/* The part behind the last request of a cycle: an edge's fields, and its array's moves. */
struct tail {
	struct edge edge;
	uint64_t array_moves;
};

/* Sets an edge's end. */
static void set_tail(const struct memo *m, struct edge *e, const struct tail *t)
{
	struct edge edge = t->edge;

	edge.answer = e->answer;
	edge.other = e->other;
	*e = edge;
	if (m->wide)
		*edge_array_moves(e) = t->array_moves;
}

/* Returns whether the edge moves the same as the tail. */
static bool moves_alike(const struct memo *m, struct edge *e, const struct tail *t)
{
	return e->moves == t->edge.moves && (!m->wide || *edge_array_moves(e) == t->array_moves);
}

/* Makes the tail behind the last request of a cycle, from the place `from` to `to`. False: it cannot be stored. */
static bool cycle_tail(const struct memo *m, const struct store_place *from, const struct store_place *to,
		       struct tail *out)
{
	uint64_t advance = to->now - from->now;
	uint32_t written = to->sb_head - from->sb_head;
	uint32_t committed = to->buffered - from->buffered + written;
	uint32_t dispatched = to->stores - from->stores + committed + to->squashed - from->squashed;

	out->edge.advance = (uint32_t)advance;
	out->edge.moves = dispatched << MOVE_DISPATCHED | committed << MOVE_COMMITTED | written << MOVE_WRITTEN;
	if (m->wide && !array_moves(&from->array, &to->array, &out->array_moves))
		return false;
	if (out->array_moves)
		out->edge.moves |= MOVES_ARRAY;
	return advance < QUIET_ALL && !((written | committed | dispatched) >> MOVE_BITS);
}

/* Makes the tail of a transition, from memo.since to memo.here. No ending: it cannot be stored. */
static struct tail transition(struct memo *m, struct state *to)
{
	struct tail t = {.edge = {.next = to->first}};

	if (cycle_tail(m, &m->soft, &m->here->at, &t) && m->here->at.now - m->since->at.now < QUIET_ALL)
		t.edge.ending = ending_at(m, to);
	if (t.edge.ending)
		t.edge.moves |= MOVES_ENDING;
	return t;
}

/* The first difference of two transitions; NULL: none. */
static const char *difference(const struct memo *m, struct edge *a, const struct tail *t)
{
	const struct edge *b = &t->edge;

	if (a->ending->to != b->ending->to)
		return "its next state";
	if (a->advance != b->advance || a->ending->quiet != b->ending->quiet)
		return "its time";
	if (!moves_alike(m, a, t))
		return "what it moves of stores and transfers";
	if (!counts_equal(a->ending, b->ending))
		return "what it counts";
	return NULL;
}

/* Compares a known transition with the detailed one. */
static void compare(struct core *c, struct edge *known, struct state *to)
{
	struct memo *m = c->memo;
	struct arena cold = m->cold;
	uint64_t bytes = m->stats.bytes;
	size_t endings = m->endings;
	struct tail now = transition(m, to);
	const char *what = now.edge.ending ? difference(m, known, &now) : NULL;

	/* what was counted now is not stored */
	cold.chunk = m->cold.chunk;
	cold.chunks = m->cold.chunks;
	cold.room = m->cold.room;
	m->cold = cold;
	m->stats.bytes = bytes;
	m->endings = endings;
	if (!what)
		return;
	c->failed = true;
	err_set(c->error, STATUS_FAILED,
		"core: cycle %llu: %s differs when a known transition is simulated again; it leads to state %016llx, "
		"expected %016llx",
		(unsigned long long)m->since->at.now, what, (unsigned long long)to->hash,
		(unsigned long long)known->ending->to->hash);
}

void record_link(struct core *c, struct state *s)
{
	struct memo *m = c->memo;
	struct edge *e = m->pending;
	struct tail after;

	m->pending = NULL;
	if (!e)
		return;
	if (e->next) {
		compare(c, e, s);
		return;
	}
	after = transition(m, s);
	if (after.edge.ending)
		set_tail(m, e, &after);
}

int record_nothing(struct core *c, uint64_t end)
{
	struct transcript *t = &c->memo->transcript;
	uint64_t now = c->now;
	int ret;

	c->memo->pending = NULL;
	c->transcript = t;
	do
		ret = core_advance(c, end);
	while (ret == 0 && t->at < t->count);
	c->transcript = NULL;
	c->memo->stats.detailed += c->now - now;
	return ret;
}

/* Returns whether cycles may be simulated in a row, up to one that may make a request. */
static bool is_quiet(const struct core *c, uint64_t end)
{
	return c->now < earlier(end, c->memo->turn_end) && !memo_is_special(c) && !memo_may_request(c);
}

/* record_quiet where no transition goes on. */
static int pass_quiet(struct core *c, uint64_t end)
{
	uint64_t now = c->now;

	do
		if (core_advance(c, end) < 0)
			return -1;
	while (is_quiet(c, end));
	c->memo->stats.detailed += c->now - now;
	return 0;
}

int record_quiet(struct core *c, uint64_t end)
{
	struct memo *m = c->memo;

	if (!m->pending)
		return pass_quiet(c, end);
	transcript_clear(&m->transcript);
	m->here->counted = m->profile_count;
	if (detailed_cycle(c, end) < 0)
		return -1;
	if (m->transcript.count || c->now >= end)
		m->pending = NULL; /* it made a request after all; or its idle time may have been cut */
	return 0;
}

/* ---- transitions ---- */
/* Makes the state that began at memo.here the start of the transition. */
static void begin_transition(struct core *c, struct state *s)
{
	struct memo *m = c->memo;
	struct place *begin = m->here;

	record_link(c, s);
	m->profile_count -= begin->counted;
	if (m->profile_count)
		memmove(m->profile, m->profile + begin->counted, m->profile_count * sizeof(*m->profile));
	m->soft = begin->at;
	m->here = m->since;
	m->since = begin;
	m->since->counted = m->here->counted = 0;
}

/*
 * Returns whether a key is made in the present cycle, which has a request: at the start of a block of the trace, which
 * every loop has, where fetch goes on after a branch for which it waited, or where the transition gets long. What comes
 * behind such a branch is often not known, and all cycles since the key are then repeated. It depends on the
 * transition's start and its answers alone.
 */
static bool closes(const struct core *c, const struct recording *r)
{
	if (r->waits && (!memo_waits(c) || r->cycles >= WAIT_CYCLES_MAX))
		return true;
	return r->leads || r->cycles == CYCLES_MAX || r->fetched >= ACCESSES_MAX ||
	       c->memo->transcript.at >= STEPS_BEFORE;
}

/*
 * Adds a cycle's requests and answers, from number `first` of the transcript on; returns the edge of the last answer,
 * or NULL.
 */
static struct edge *enter_cycle(struct core *c, struct recording *rec, size_t first)
{
	struct memo *m = c->memo;
	struct reader r = {m->transcript.record + first, m->transcript.record + m->transcript.at, c, 0, 0, false};
	struct node **at = rec->at, *parent = rec->last, n;
	struct edge *e = NULL;
	bool fresh;

	rec->known = true;
	while (r.at < r.end) {
		uint64_t answer = read_step(&r, &n), edges = m->stats.transitions;

		if (m->failed)
			return NULL;
		fresh = !*at;
		if (fresh)
			*at = graph_node(m, &n, parent);
		else if (!same_request(*at, &n))
			bug("cycle %llu: a known state makes another request", (unsigned long long)c->now);
		e = *at ? graph_edge(m, *at, answer, fresh) : NULL;
		if (!e)
			return NULL;
		rec->known &= m->stats.transitions == edges;
		e = note_fast_path(c, *at, e);
		parent = *at;
		at = &e->next;
	}
	rec->last = parent;
	rec->fetched += r.fetched;
	rec->leads = r.leads;
	return e;
}

/* Makes the last request's edge go on to the cycle that begins at `now`. False: it cannot be stored. */
static bool link_cycles(struct core *c, struct recording *r, const struct store_place *now)
{
	struct memo *m = c->memo;
	struct edge *e = r->edge;
	struct tail tail = {.edge = {.next = e->next}};

	if (!cycle_tail(m, &m->soft, now, &tail))
		return false;
	if (e->ending || (e->advance && (e->advance != tail.edge.advance || !moves_alike(m, e, &tail))))
		bug("cycle %llu: a known transition goes on in another way", (unsigned long long)c->now);
	set_tail(m, e, &tail);
	m->soft = *now;
	r->at = &e->next;
	return true;
}

/* Enters the cycle with requests that began at `begin`. False: it cannot be stored. */
static bool enter_requests(struct core *c, struct recording *r, const struct store_place *begin, size_t first,
			   uint32_t accesses)
{
	struct memo *m = c->memo;
	struct edge *e;

	if (!r->state)
		r->state = graph_add(m, m->hash, &m->key, accesses);
	if (!r->state)
		return false;
	if (!r->edge)
		r->at = &r->state->first;
	else if (!link_cycles(c, r, begin))
		return false;
	e = enter_cycle(c, r, first);
	if (e && !r->edge)
		begin_transition(c, r->state);
	r->edge = e;
	return e;
}

/*
 * Simulates cycles without a request, up to one that may have some, or to the end of the turn. 1; 0 where the
 * transition cannot go on; -1.
 */
static int record_idle(struct core *c, const struct recording *r, uint64_t end)
{
	struct memo *m = c->memo;

	while (is_quiet(c, end))
		if (detailed_cycle(c, end) < 0)
			return -1;
	if (c->now < end && !memo_is_special(c) && m->transcript.at == r->idle_at)
		return 1;
	if (m->transcript.at < m->transcript.count)
		bug("cycle %llu: a known transition ends early", (unsigned long long)c->now);
	m->pending = NULL;
	return 0;
}

/* Simulates the rest of a transition that cannot be stored, as far as answers are given in advance. 0, or -1. */
static int record_rest(struct core *c, uint64_t end)
{
	if (c->memo->transcript.at < c->memo->transcript.count)
		return record_nothing(c, end);
	c->memo->pending = NULL;
	return 0;
}

/* Simulates a cycle. 1: the transition goes on; 0: it has ended; -1. */
static int record_cycle(struct core *c, struct recording *r, uint64_t end)
{
	struct memo *m = c->memo;
	uint32_t accesses = number_accesses(c);
	size_t first = m->transcript.at;
	struct store_place begin;

	place_stores(c, &begin);
	if (detailed_cycle(c, end) < 0)
		return -1;
	if (m->transcript.at != first) {
		if (!enter_requests(c, r, &begin, first, accesses))
			return record_rest(c, end);
		if (c->failed)
			return -1;
	} else if (!r->edge) {
		if (c->now >= end)
			m->pending = NULL;
		return 0; /* the transition before goes on */
	}
	r->idles = true;
	r->idle_at = m->transcript.at;
	return 1;
}

/* Simulates the idle cycles after a cycle with requests. Returns as record_cycle. */
static int record_idles(struct core *c, struct recording *r, uint64_t end)
{
	struct memo *m = c->memo;
	int more = record_idle(c, r, end);

	if (more > 0 && c->now >= m->turn_end && !memo_may_request(c))
		return 1; /* more of them may come */
	r->idles = false;
	r->cycles++;
	if (more <= 0 || !closes(c, r))
		return more;
	m->pending = r->edge->next && !m->checks ? NULL : r->edge;
	m->pending_known = r->known;
	m->checks = false;
	return 0;
}

static int record_any_cycle(struct core *c, struct recording *r, uint64_t end)
{
	return r->idles ? record_idles(c, r, end) : record_cycle(c, r, end);
}

int record_on(struct core *c, uint64_t end)
{
	struct memo *m = c->memo;
	struct recording *r = &m->recording;
	int more;

	do
		more = record_any_cycle(c, r, end);
	while (more > 0 && (c->now < m->turn_end || c->now >= end)); /* nothing stays open at `end` */
	m->stopped = more > 0 ? STOPPED_RECORD : STOPPED_NOT;
	return more;
}

int record_transition(struct core *c, struct state *s, uint64_t end)
{
	c->memo->recording = (struct recording){.state = s, .waits = memo_waits(c)};
	place_here(c, c->memo->here);
	return record_on(c, end);
}
