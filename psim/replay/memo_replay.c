/* Replay: known transitions, of which only what is outside of the core is simulated. */
#include <stdlib.h>

#include "answer.h"
#include "memo_fetch.h"

/* ---- answers ---- */
/* The edge of `n` with this answer; NULL: none. */
static inline struct edge *edge_of(struct node *n, uint64_t answer)
{
	struct edge *e = &n->first;

	while (e && e->answer != answer)
		e = e->other;
	return e;
}

static inline uint64_t address_of(const struct in_flight *f, struct access a)
{
	return a.place == ACCESS_WINDOW ? f->ea[(f->tail - a.index) & f->mask]
					: f->store[(f->written + a.index) & f->mask].ea;
}

static inline uint64_t perform(struct core *c, enum request_kind q, uint64_t ea, struct access a)
{
	struct mem_answer answer = perform_access(c, q, ea, a);

	return access_word(&answer, c->now);
}

/* The answer to a load that touches no store that it would have to wait for: at the port, and at L1D. */
static inline uint64_t load_at_port(struct core *c, const struct node *n, uint64_t ea, uint64_t match)
{
	struct in_flight *f = &c->memo->in_flight;
	struct mem_answer answer;

	if (in_flight_port(f, c, n->ports, ea, n->access.size))
		return match | LOAD_NO_PORT;
	if (load_hits(c->mem, c->now, ea, n->access.size))
		return match | hit_word() << LOAD_ACCESS;
	answer = memsys_load_slower(c->mem, c->now, ea, n->access.size);
	return match | access_word(&answer, c->now) << LOAD_ACCESS;
}

/* Makes the request of any load; the answer is in *ret. */
__attribute__((noinline)) static struct edge *load(struct core *c, struct node *n, uint64_t *ret)
{
	const struct in_flight *f = &c->memo->in_flight;
	uint64_t ea = f->ea[(f->tail - n->access.index) & f->mask], match = MATCH_FILTERED;
	unsigned size = n->access.size;

	if (lsu_filter_hit(c, ea, size))
		match = lsu_is_marked(c, ea, size) ? in_flight_match(f, n->access.index, ea, size) : MATCH_NONE;
	*ret = answer_is_store(match) ? match : load_at_port(c, n, ea, match);
	return edge_of(n, *ret);
}

/*
 * Makes the fast-path request of a load with a port, not of a line in the first way, after the search for older stores:
 * `match`.
 */
__attribute__((noinline)) static struct edge *load_misses(struct core *c, struct node *n, uint64_t ea, uint64_t match,
							  uint64_t *ret)
{
	struct mem_answer answer = memsys_load_slower(c->mem, c->now, ea, n->access.size);

	*ret = access_word(&answer, c->now) << LOAD_ACCESS | match;
	return edge_of(n, *ret);
}

/* ---- requests with a fast path ---- */
/* Returns whether an access of `n` does not conflict with those that have ports in this cycle. */
static inline bool banks_free(const struct in_flight *f, const struct node *n, uint64_t ea)
{
	for (unsigned k = 0; k < n->ports; k++)
		if (f->port_inside[k] & BANKS_ODD ||
		    banks_conflict(f->bank_bits, ea, n->inside, f->port_ea[k], f->port_inside[k]))
			return false;
	return true;
}

/* Makes the fast-path request of a store with a port, not of a line in the first way. */
__attribute__((noinline)) static struct edge *store_misses(struct core *c, struct node *n, uint64_t ea, uint64_t *ret)
{
	struct mem_answer answer = memsys_store_slower(c->mem, c->now, ea, n->access.size, n->access.known);

	*ret = access_word(&answer, c->now) << STORE_ACCESS;
	return edge_of(n, *ret);
}

/* Makes the fast-path prefetch of a store, not of a line in the first way. */
__attribute__((noinline)) static struct edge *ahead_misses(struct core *c, struct node *n, uint64_t ea, uint64_t *ret)
{
	struct mem_answer answer = memsys_store_prefetch_slower(c->mem, c->now, ea, n->access.known);

	*ret = access_word(&answer, c->now);
	return edge_of(n, *ret);
}

/* The edge of fast-path `n` with this answer, which is in *ret if there is none. *ret_fast: it is the first. */
static inline struct edge *edge_to(struct node *n, uint64_t answer, uint64_t *ret, bool *ret_fast)
{
	if (__builtin_expect(n->first.answer == answer, 1)) {
		*ret_fast = true;
		return &n->first;
	}
	*ret = answer;
	return edge_of(n, answer);
}

/* Makes the fast-path request of an aligned load after the search for older stores, which it has not to wait for. */
static inline struct edge *load_aligned(struct core *c, struct in_flight *f, struct node *n, uint64_t ea,
					uint64_t match, uint64_t now, uint64_t *ret, bool *ret_fast)
{
	for (unsigned k = 0; k < n->ports; k++) {
		if (f->port_inside[k] & BANKS_ODD)
			return load(c, n, ret);
		if (banks_conflict(f->bank_bits, ea, n->inside, f->port_ea[k], f->port_inside[k]))
			return edge_to(n, match | LOAD_NO_PORT, ret, ret_fast);
	}
	in_flight_take_port(f, n->ports, ea, n->access.size, n->inside | f->bank_inside);
	if (quick_load_word(c->mem, now, ea & ~UINT64_C(3))) {
		f->hits.loads++;
		return edge_to(n, hit_word() << LOAD_ACCESS | match, ret, ret_fast);
	}
	return load_misses(c, n, ea, match, ret);
}

/* Makes the fast-path request of a load. */
static inline struct edge *load_fast(struct core *c, struct in_flight *f, struct node *n, uint64_t now, uint64_t *ret,
				     bool *ret_fast)
{
	uint64_t ea = f->ea[(f->tail - n->access.index) & f->mask], match = MATCH_FILTERED;

	if (ea & n->inside)
		return load(c, n, ret);
	if (lsu_filter_holds(c, ea)) {
		if (lsu_is_marked(c, ea, 1))
			return load(c, n, ret);
		match = MATCH_NONE;
	}
	return load_aligned(c, f, n, ea, match, now, ret, ret_fast);
}

static inline uint64_t store(struct core *c, struct in_flight *f, const struct node *n)
{
	uint64_t ea = f->store[f->written & f->mask].ea;
	unsigned size = n->access.size, known = n->access.known;
	struct mem_answer answer;

	if (in_flight_port(f, c, n->ports, ea, size))
		return STORE_NO_PORT;
	answer = memsys_store_slower(c->mem, c->now, ea, size, known);
	return access_word(&answer, c->now) << STORE_ACCESS;
}

static inline uint64_t access_outside(struct core *c, struct in_flight *f, const struct node *n)
{
	enum request_kind q = (enum request_kind)n->request;
	uint64_t ea = address_of(f, n->access);
	struct mem_answer answer;

	if (q != REQUEST_LOAD_RETRY)
		return perform(c, q, ea, n->access);
	answer = memsys_load_again(c->mem, c->now, ea, n->access.size, n->access.known);
	return access_word(&answer, c->now);
}

/* Makes the request of a store without a fast path. */
__attribute__((noinline)) static struct edge *other_store(struct core *c, struct in_flight *f, struct node *n,
							  uint64_t *ret)
{
	*ret = store(c, f, n);
	return edge_of(n, *ret);
}

/* Makes the fast-path request of a store, and the fast-path prefetch of one. */
static inline struct edge *store_fast(struct core *c, struct in_flight *f, struct node *n, uint64_t now, uint64_t *ret,
				      bool *ret_fast)
{
	uint64_t ea = f->store[f->written & f->mask].ea;

	if (ea & n->inside || !banks_free(f, n, ea))
		return other_store(c, f, n, ret);
	in_flight_take_port(f, n->ports, ea, n->access.size, n->inside | f->bank_inside);
	if (!quick_store_word(c->mem, now, ea & ~UINT64_C(3), n->access.known))
		return store_misses(c, n, ea, ret);
	f->hits.stores++;
	*ret_fast = true;
	return &n->first;
}

static inline struct edge *store_prefetch_fast(struct core *c, struct in_flight *f, struct node *n, uint64_t now,
					       uint64_t *ret, bool *ret_fast)
{
	uint64_t ea = address_of(f, n->access);

	if (!store_prefetch_hits(c->mem, now, ea, n->access.known))
		return ahead_misses(c, n, ea, ret);
	*ret_fast = true;
	return &n->first;
}

/* ---- the way back ---- */
static void tell_load(struct transcript *t, uint64_t answer)
{
	struct access none = {0};

	if (answer_is_store(answer)) {
		transcript_add(t, REQUEST_ORDER, answer, none);
		return;
	}
	transcript_add(t, REQUEST_ORDER, answer_match(answer), none);
	if (answer_lacks_port(answer)) {
		transcript_add(t, REQUEST_PORT, 1, none);
		return;
	}
	transcript_add(t, REQUEST_PORT, 0, none);
	transcript_add(t, REQUEST_LOAD, answer >> LOAD_ACCESS, none);
}

/* The place in a transition that is added to the transcript. */
struct replay_time {
	uint64_t now;
	uint32_t tail;     /* of the accesses in flight */
	uint64_t transfer; /* the next one to be fetched */
};

/* Adds a fetch group to the transcript. 0, or -1: no memory. */
static int tell_fetch(const struct core *c, const struct path *p, struct replay_time *at)
{
	struct transcript *t = &c->memo->transcript;
	const struct in_flight *f = &c->memo->in_flight;
	const struct replay_time before = *at;

	for (uint32_t n = 0; n < p->count; n++)
		transcript_add(t, REQUEST_FETCH, p->word[n], (struct access){0});
	at->tail += path_accesses(c, p->word, p->count);
	if (c->memo->wide)
		at->transfer += path_transfers(c, p->word, p->count);
	return recorded_fetch_give(c, t, p->word, p->count, at->now,
				   (struct address_queue){f->ea, f->mask, before.tail}, before.transfer);
}

/* Adds a step's requests and answers to the transcript. 0, or -1: no memory. */
static int tell_step(const struct core *c, const struct answered_step *s, struct replay_time *at)
{
	struct transcript *t = &c->memo->transcript;
	struct access none = {0};

	switch ((enum step)s->node->step) {
	case STEP_LOAD: tell_load(t, s->answer); break;
	case STEP_STORE:
		transcript_add(t, REQUEST_PORT, s->answer & STORE_NO_PORT, none);
		if (!(s->answer & STORE_NO_PORT))
			transcript_add(t, REQUEST_STORE, s->answer >> STORE_ACCESS, none);
		break;
	case STEP_PORT: transcript_add(t, REQUEST_PORT, s->answer, none); break;
	case STEP_ACCESS:
	case STEP_PREDICTOR:
	case STEP_SBM_LOAD:
	case STEP_SBM_STORE:
	case STEP_LINE:
	case STEP_FIRST_LINE: transcript_add(t, (enum request_kind)s->node->request, s->answer, none); break;
	case STEP_FETCH: return tell_fetch(c, (const struct path *)(uintptr_t)s->answer, at);
	}
	return 0;
}

/* The steps of the transition that has stopped at `place`, from the end of memo.step; returns their number. */
static unsigned steps_back(struct memo *m, const struct replay_place *place)
{
	struct answered_step *s = &m->step[STEPS_MAX - 1];
	const struct node *n = place->node, *child;

	*s = (struct answered_step){n, place->answer, 0};
	while (child = n, (n = n->parent)) {
		const struct edge *e = &n->first;

		while (e->next != child)
			e = e->other;
		*--s = (struct answered_step){n, e->answer, e->advance};
	}
	return (unsigned)(&m->step[STEPS_MAX] - s);
}

/* Restores the core to state `s`, where the transition began, with its answers so far in the transcript. */
static int back_to(struct core *c, const struct state *s)
{
	struct memo *m = c->memo;
	const struct replay_start *start = &m->start;
	struct replay_time at = {start->now, start->tail, start->transfer};
	struct addresses a;

	transcript_clear(&m->transcript);
	c->front.feed.at_end = false; /* until the last group is taken */
	for (unsigned n = STEPS_MAX - steps_back(m, &m->stop); n < STEPS_MAX; n++) {
		if (tell_step(c, &m->step[n], &at) < 0)
			return err_set(c->error, STATUS_FAILED, "core: out of memory");
		at.now += m->step[n].advance;
	}
	m->transcript.at = 0;
	c->now = start->now;
	in_flight_move_back(&m->in_flight, c, start->written, start->committed, start->dispatched);
	if (m->wide)
		array_in_flight_back(&m->in_flight, c, &start->sbm);
	a = in_flight_addresses(&m->in_flight, s->accesses, start->tail);
	core_restore(c, s->key, &a);
	m->numbering.seq = 0;
	return 0;
}

/* Notes that a transition begins here; its cycle is noted elsewhere. */
static inline void start_here(const struct core *c, struct memo *m)
{
	const struct in_flight *f = &m->in_flight;

	m->start.tail = f->tail;
	m->start.written = f->written;
	m->start.committed = f->committed;
	m->start.dispatched = f->dispatched;
	if (m->wide) {
		m->start.sbm = f->sbm.at;
		m->start.transfer = c->array->requests.fetched;
	}
}

/* Notes up to which cycle a transition may end without a check of the last commit, or for memo.check. */
static void expect_commit(const struct core *c, struct memo *m)
{
	uint64_t last = c->stack.last_commit, most = c->cfg->core.deadlock_cycles;

	m->commit_until = m->check ? 0 : most < UINT64_MAX - last ? last + most : UINT64_MAX;
}

/* The cycle of the last commit after the ends of transitions that are noted. */
static uint64_t last_commit(const struct core *c, const struct memo *m)
{
	for (unsigned n = m->arrivals; n--;)
		if (m->arrival[n].ending->quiet != QUIET_ALL)
			return m->arrival[n].now - m->arrival[n].ending->quiet;
	return c->stack.last_commit;
}

/* Counts the ends of transitions that are noted. The present transition began at the last one. */
static void count_arrivals(struct core *c, struct memo *m)
{
	const struct arrival_of *last = &m->arrival[m->arrivals];

	if (!m->arrivals)
		return;
	for (struct arrival_of *a = m->arrival; a != last; a++)
		if (!a->ending->visits++)
			m->touched[m->touched_count++] = a->ending;
	c->stack.last_commit = last_commit(c, m);
	m->start.now = last[-1].now;
	m->stop.state = last[-1].ending->to;
	m->arrivals = 0;
	expect_commit(c, m);
}

void replay_count(struct core *c)
{
	struct memo *m = c->memo;

	count_arrivals(c, m);
	memsys_count_quick(c->mem, m->in_flight.hits);
	m->in_flight.hits = (struct quick_hits){0};
}

/* Notes an end of a transition in cycle `now`. */
static inline void note_arrival(struct core *c, struct memo *m, struct ending *a, uint64_t now)
{
	__builtin_prefetch(a, 1);
	m->arrival[m->arrivals++] = (struct arrival_of){a, now};
	if (__builtin_expect(m->arrivals == ARRIVALS, 0))
		count_arrivals(c, m);
}

void replay_visited(struct memo *m, struct ending *a, uint64_t times)
{
	if (times && !a->visits)
		m->touched[m->touched_count++] = a;
	a->visits += (uint32_t)times;
}

void replay_arrive(struct core *c, struct ending *a, uint64_t now)
{
	note_arrival(c, c->memo, a, now);
}

/* Ends a transition. */
static inline void arrive(struct core *c, struct memo *m, struct ending *a)
{
	note_arrival(c, m, a, c->now);
	start_here(c, m);
}

/* Returns whether a transition that ends in cycle `now` is to be detailed: too long without a commit, or to compare. */
static bool must_stop(struct core *c, struct memo *m, uint64_t now)
{
	count_arrivals(c, m);
	if (now - c->stack.last_commit > c->cfg->core.deadlock_cycles)
		return true;
	if (!m->check)
		return false;
	m->checks = ++m->unchecked >= m->check;
	if (m->checks)
		m->unchecked = 0;
	return m->checks;
}

/* After a fetch: does replay end, because the trace does, a region's mark was read, or something failed? */
static inline bool fetch_ends(const struct core *c, const struct memo *m)
{
	return c->failed || m->failed || c->regions.mark_count || c->front.feed.at_end;
}

/* Fetches the lines behind the first two edges of a request of fetch, one of which is mostly taken. */
static inline void fetch_followers(const struct node *n)
{
	const struct edge *e = n->first.other;

	__builtin_prefetch(n->first.next);
	if (e)
		__builtin_prefetch(e->next);
}

/* Makes the request of any fetch, as follow_request. */
static inline struct edge *fetch(struct core *c, struct node *n, uint64_t *ret)
{
	const struct path *p;

	fetch_followers(n);
	p = group_fetch(c);
	*ret = (uintptr_t)p;
	if (fetch_ends(c, c->memo))
		return NULL;
	if (*ret != n->first.answer)
		return edge_of(n, *ret);
	n->will = p->group.will;
	return &n->first;
}

/* Makes the request of a fetch whose first edge's group is one part. */
static inline struct edge *fetch_part(struct core *c, struct in_flight *f, struct node *n, uint64_t *ret,
				      bool *ret_fast)
{
	bool goes_on;

	__builtin_prefetch(n->first.next);
	if (!fetch_other_part(c, f, n, &goes_on))
		return fetch(c, n, ret);
	*ret_fast = true;
	if (__builtin_expect(goes_on, 1) || !fetch_ends(c, c->memo))
		return &n->first;
	*ret_fast = false;
	*ret = n->first.answer;
	return NULL;
}

/* ---- requests without a fast path, each a function, as most need no more than their edge ---- */
__attribute__((noinline)) static struct edge *other_port(struct core *c, struct in_flight *f, struct node *n,
							 uint64_t *ret)
{
	*ret = in_flight_port(f, c, n->ports, address_of(f, n->access), n->access.size);
	return edge_of(n, *ret);
}

__attribute__((noinline)) static struct edge *other_access(struct core *c, struct in_flight *f, struct node *n,
							   uint64_t *ret)
{
	*ret = access_outside(c, f, n);
	return edge_of(n, *ret);
}

__attribute__((noinline)) static struct edge *predictor(struct core *c, struct in_flight *f, struct node *n,
							uint64_t *ret)
{
	uint32_t number = number_of_access(&n->access);

	if (n->request == REQUEST_SQUASH && number)
		in_flight_squash(f, c, number);
	*ret = perform_order(c, (enum request_kind)n->request, number);
	return edge_of(n, *ret);
}

__attribute__((noinline)) static struct edge *other_sbm_load(struct core *c, struct in_flight *f, struct node *n,
							     uint64_t *ret)
{
	*ret = replay_sbm_load(c, f, &n->access, n->request == REQUEST_SBM_HELD);
	return edge_of(n, *ret);
}

__attribute__((noinline)) static struct edge *sbm_load(struct core *c, struct in_flight *f, struct node *n,
						       uint64_t *ret)
{
	if (!replay_sbm_load_quick(c, f, &n->access, n->request == REQUEST_SBM_HELD))
		return other_sbm_load(c, f, n, ret);
	*ret = MATCH_FILTERED;
	return edge_of(n, MATCH_FILTERED);
}

__attribute__((noinline)) static struct edge *other_sbm_store(struct core *c, struct in_flight *f, struct node *n,
							      uint64_t *ret)
{
	*ret = replay_sbm_store(c, f, &n->access);
	return edge_of(n, *ret);
}

__attribute__((noinline)) static struct edge *sbm_store(struct core *c, struct in_flight *f, struct node *n,
							uint64_t *ret)
{
	if (!replay_sbm_store_quick(f, &n->access))
		return other_sbm_store(c, f, n, ret);
	*ret = 0;
	return edge_of(n, 0);
}

/* The edge of `n`, a request of a line, with this answer. Replay stops soon if a run of lines begins. */
static inline struct edge *line_edge(struct core *c, struct node *n, uint64_t answer)
{
	struct edge *e = edge_of(n, answer);

	if (!e || !e->next || e->moves & ~MOVES_ENDING)
		c->memo->line_run.past.steps = 0;
	else if (line_run_note_quiet(c, n, e))
		c->memo->stop_at = 0;
	return e;
}

__attribute__((noinline)) static struct edge *line(struct core *c, struct node *n, uint64_t *ret)
{
	return line_edge(c, n, *ret = transfers_line_word(c));
}

__attribute__((noinline)) static struct edge *first_line(struct core *c, struct node *n, uint64_t *ret)
{
	return line_edge(c, n, *ret = replay_first_line(c));
}

__attribute__((noinline)) static struct edge *other_fetch(struct core *c, struct node *n, uint64_t *ret)
{
	return fetch(c, n, ret);
}

static inline struct edge *request_other(struct core *c, struct in_flight *f, struct node *n, uint64_t *ret)
{
	switch ((enum step)n->step) {
	case STEP_LOAD: return load(c, n, ret);
	case STEP_FETCH: break;
	case STEP_STORE: return other_store(c, f, n, ret);
	case STEP_PORT: return other_port(c, f, n, ret);
	case STEP_ACCESS: return other_access(c, f, n, ret);
	case STEP_PREDICTOR: return predictor(c, f, n, ret);
	case STEP_SBM_LOAD: return sbm_load(c, f, n, ret);
	case STEP_SBM_STORE: return sbm_store(c, f, n, ret);
	case STEP_LINE: return line(c, n, ret);
	case STEP_FIRST_LINE: return first_line(c, n, ret);
	}
	return other_fetch(c, n, ret);
}

/*
 * The edge of the answer to the request of `n`, which is made; NULL: none, and the answer is in *ret. *ret_fast: the
 * edge is the first of a fast-path node.
 */
static inline struct edge *follow_request(struct core *c, struct in_flight *f, struct node *n, uint64_t now,
					  uint64_t *ret, bool *ret_fast)
{
	*ret_fast = false;
	if (n->fast_path == FAST_LOAD)
		return load_fast(c, f, n, now, ret, ret_fast);
	if (n->fast_path > FAST_LOAD) {
		if (n->fast_path == FAST_STORE)
			return store_fast(c, f, n, now, ret, ret_fast);
		return store_prefetch_fast(c, f, n, now, ret, ret_fast);
	}
	if (n->fast_path == FAST_PART)
		return fetch_part(c, f, n, ret, ret_fast);
	if (n->fast_path == FAST_NONE)
		return request_other(c, f, n, ret);
	if (!fetch_plain_part(c, f, n))
		return other_fetch(c, n, ret);
	*ret_fast = true;
	return &n->first;
}

/*
 * Returns whether edge `e` of `n`, which may be NULL, leads to a node. If it is the first, `n` may have a fast path
 * from then on.
 */
static inline bool leads_on(struct node *n, const struct edge *e)
{
	if (!e || !e->next)
		return false;
	if (e == &n->first)
		n->fast_path = n->will;
	return true;
}

/* Fetches the lines behind the first node of a transition, where its next nodes are if they were recorded with it. */
static inline void fetch_nodes(const struct node *n)
{
	__builtin_prefetch(n + 1);
	__builtin_prefetch(n + 2);
	__builtin_prefetch(n + 3);
	__builtin_prefetch(n + 4);
}

/* Goes on to cycle `now`, to which the edge leads. False: the transition is to be detailed; nothing has changed. */
static inline bool go_to_cycle(struct core *c, struct memo *m, const struct edge *e, uint64_t now)
{
	uint32_t moves = e->moves;

	if (!moves) {
		c->now = now;
		return true;
	}
	if (moves & MOVES_ENDING && now > m->commit_until && must_stop(c, m, now))
		return false;
	c->now = now;
	in_flight_move(&m->in_flight, c, moves);
	if (moves < MOVES_ARRAY)
		return true;
	if (moves & MOVES_ARRAY)
		array_in_flight_move(&m->in_flight, c, *edge_array_moves(e));
	if (moves & MOVES_ENDING) {
		fetch_nodes(e->next);
		arrive(c, m, e->ending);
	}
	return true;
}

/*
 * As go_to_cycle, where cycle `now` is not before the end of the turn. False also at `end` and later, where no cycle
 * may begin.
 */
__attribute__((noinline)) static bool go_to_turn_end(struct core *c, const struct edge *e, uint64_t now, uint64_t end)
{
	return now < end && go_to_cycle(c, c->memo, e, now);
}

const struct edge *replay_answer(struct core *c, struct replay_place *at)
{
	const struct edge *e = request_other(c, &c->memo->in_flight, at->node, &at->answer);

	if (leads_on(at->node, e))
		return e;
	if (e)
		at->answer = e->answer;
	return NULL;
}

enum replayed replay_edge(struct core *c, struct replay_place *at, const struct edge *e, uint64_t end)
{
	struct memo *m = c->memo;
	uint64_t now = c->now + e->advance;

	at->answer = e->answer;
	if (!e->advance) {
		at->node = e->next;
		return REPLAY_GOES_ON;
	}
	if (!go_to_turn_end(c, e, now, end))
		return REPLAY_DETAILED;
	m->stats.visits++;
	at->node = e->next;
	return now < m->turn_end ? REPLAY_GOES_ON : REPLAY_STOPS;
}

enum replayed replay_answered(struct core *c, struct replay_place *at, uint64_t answer, uint64_t end)
{
	const struct edge *e = edge_of(at->node, answer);

	at->answer = answer;
	return leads_on(at->node, e) ? replay_edge(c, at, e, end) : REPLAY_DETAILED;
}

/*
 * Replays from `at` on, to a transition with an unknown answer, or that has to be simulated in detail for another
 * reason, or to the end of the turn, or to a cycle in which loop periods or runs of lines are to be tried: true. `at`
 * is then where it stopped.
 */
static bool follow(struct core *c, struct replay_place *at, uint64_t end)
{
	struct memo *m = c->memo;
	struct in_flight *f = &m->in_flight;
	struct node *n = at->node;
	uint64_t stop = earlier(earlier(end, m->turn_end), m->loop_period.try_at), visits = 0, now = c->now;
	const struct edge *e;
	bool stops = false, fast;

	m->stop_at = stop;
	for (;;) {
		e = follow_request(c, f, n, now, &at->answer, &fast);
		if (!fast && !leads_on(n, e))
			break;
		stop = m->stop_at;
		if (!e->advance) {
			n = e->next;
			continue;
		}
		now += e->advance;
		if (__builtin_expect(now >= stop, 0)) {
			if (e->moves ? !go_to_turn_end(c, e, now, end) : now >= end)
				break;
			c->now = now;
			visits++;
			n = e->next;
			stops = true;
			break;
		}
		if (!go_to_cycle(c, m, e, now))
			break;
		visits++;
		n = e->next;
	}
	at->node = n;
	m->stats.visits += visits;
	if (stops)
		return true;
	if (e)
		at->answer = e->answer;
	replay_count(c);
	return false;
}

/* As follow, with loop periods: true only at the end of the turn. */
static bool follow_with_loop_periods(struct core *c, struct replay_place *at, uint64_t end)
{
	enum replayed how = REPLAY_GOES_ON;

	while (follow(c, at, end)) {
		if (c->now >= c->memo->turn_end)
			return true;
		how = c->memo->line_run.ready ? line_run_replay(c, at, end) : loop_period_replay(c, at, end);
		if (how != REPLAY_GOES_ON)
			break;
	}
	replay_count(c);
	return how == REPLAY_STOPS;
}

int replay_on(struct core *c, uint64_t end)
{
	struct memo *m = c->memo;
	uint64_t since = c->now;
	bool special, stops = follow_with_loop_periods(c, &m->stop, end);

	if (stops) {
		m->stopped = STOPPED_REPLAY;
		m->stats.replayed += c->now - since;
		return 1;
	}
	m->stopped = STOPPED_NOT;
	if (m->failed)
		return err_set(c->error, STATUS_FAILED, "core: out of memory");
	special = c->regions.mark_count || c->front.feed.at_end;
	if (c->failed || back_to(c, m->stop.state) < 0)
		return -1;
	m->stats.replayed += c->now - since;
	if (!special)
		return record_transition(c, m->stop.state, end);
	memo_sum(c); /* marks of regions depend on the number of instructions */
	return record_nothing(c, end);
}

int replay(struct core *c, struct state *s, uint64_t end)
{
	struct memo *m = c->memo;

	m->profile_count = 0;
	m->checks = false;
	in_flight_from_core(&m->in_flight, c);
	start_here(c, m);
	expect_commit(c, m);
	m->start.now = c->now;
	m->stop = (struct replay_place){.state = s, .node = s->first};
	return replay_on(c, end);
}
