/*
 * Learning of loop periods: which loops have them, what their steps do, and which of these are made in each of them:
 * memo_loop_period.h.
 */
#include "answer.h"
#include "memo_learn.h"

enum { TIMES_MOST = 4, TIMES_MOST_IN_SBM = 16 };

/* ---- which loops have loop periods ---- */
static bool loop_period_has_machine(const struct core *c)
{
	const struct memsys *m = c->mem;

	return memsys_cores(m) == 1 && !m->shares && !m->l1d.perfect && m->l1d.cache.quick_mask && !has_victims(m) &&
	       !m->l1d.way_latency;
}

/* Returns whether the feed is in a loop of one block, and all of it is simulated. */
static bool loop_period_has_loop(const struct core *c)
{
	const struct feed *f = &c->front.feed;

	return f->whole && !f->stop_count && !f->at_end && f->now->block && f->next->block == f->now->block &&
	       !f->now->outside && !f->next->outside && !c->regions.mark_count && trace_repeats(f->reader);
}

/* The stride that all addresses of the loop have, those of the next iteration too; 0: none. */
static uint64_t common_stride(const struct core *c)
{
	const struct feed *f = &c->front.feed;
	const uint64_t *stride = trace_strides(f->reader);

	for (uint32_t n = 0; n < f->now->block->memory_count; n++)
		if (stride[n] != stride[0] || f->next->ea[n] - f->now->ea[n] != stride[n])
			return 0;
	return f->now->block->memory_count ? stride[0] : 0;
}

/* Returns whether all accesses of the loop go to SBM. */
static bool loop_is_in_sbm(const struct core *c)
{
	const struct feed *f = &c->front.feed;

	if (!c->array)
		return false;
	for (uint32_t n = 0; n < f->now->block->memory_count; n++)
		if (!simd_in_window(f->now->ea[n]))
			return false;
	return true;
}

/* Works out the length of a loop period: whole lines, and rows of banks; an iteration of a loop in SBM. */
bool loop_period_measure(const struct core *c, struct loop_period *l)
{
	uint64_t stride, power, unit, page_size;

	if (!loop_period_has_machine(c) || !loop_period_has_loop(c))
		return false;
	stride = common_stride(c);
	power = stride & -stride;
	if (!power)
		return false;
	l->in_sbm = loop_is_in_sbm(c);
	unit = l->in_sbm ? 0 : ~c->mem->l1d.cache.address_mask | c->memo->in_flight.bank_bits;
	page_size = UINT64_C(1) << c->mem->dtlb.shift;
	l->iterations = power > unit ? 1 : (unit + 1) / power;
	l->distance = l->iterations * stride;
	l->times = 1;
	return trace_repeats(c->front.feed.reader) >= LOOP_PERIODS_LEAST * l->iterations &&
	       l->distance + page_size / LOOP_PERIODS_LEAST <= page_size / LOOP_PERIODS_LEAST * 2;
}

/* ---- a step ---- */
/* Returns whether the line of a load is under way, and its miss was no prefetch's. */
static bool loop_period_merges(const struct loop_period_line *l)
{
	return l->fill_pending && (int64_t)l->fill > 0 && fill_cycle(l->fill) && !fill_prefetched(l->fill);
}

static uint64_t loop_period_address(const struct in_flight *f, const struct node *n)
{
	if (n->step == STEP_STORE)
		return f->store[f->written & f->mask].ea;
	if (n->step == STEP_SBM_STORE)
		return f->sbm.store[f->sbm.at.written & f->mask].ea;
	return n->access.place == ACCESS_WINDOW ? f->ea[(f->tail - n->access.index) & f->mask]
						: f->store[(f->written + n->access.index) & f->mask].ea;
}

/* Returns whether the answer to a load or store, or one without a port, is that of the memory system. */
static bool loop_period_reaches_memory(const struct node *n, uint64_t answer)
{
	if (n->step == STEP_LOAD)
		return !answer_is_store(answer) && !answer_lacks_port(answer);
	return n->step == STEP_STORE ? !(answer & STORE_NO_PORT) : n->step == STEP_ACCESS;
}

/*
 * Returns whether the last instruction of the block comes with this outcome, before the block at `next`, behind what
 * `after` says.
 */
static bool loop_period_last_comes(const struct feed *f, const struct part *p, enum after_slot after, uint64_t outcome,
				   uint64_t next)
{
	return !(after != SLOT_GO_ON && p->plain) && after != SLOT_BLOCK &&
	       outcome == (uint64_t)after << OUTCOME_ACTION && (uintptr_t)f->next->uops == next;
}

/*
 * Returns whether fetch will follow these parts, and the predictor stays unchanged. The windows of addresses are those
 * of the first edge, and stay while loop_period_array_room allows.
 */
static bool loop_period_parts_come(const struct core *c, const struct group *g)
{
	enum after_slot after = c->front.fetch.after_slot;

	for (uint32_t n = 0; n < g->parts; n++) {
		const struct part *p = &g->part[n];
		uint64_t outcome = g->word[2 * n + 1] & ((UINT64_C(1) << OUTCOME_WINDOWS) - 1);

		if (p->kind == PART_LAST)
			return n + 1 == g->parts &&
			       loop_period_last_comes(&c->front.feed, p, after, outcome, g->word[2 * n + 2]);
		if (after != SLOT_GO_ON || p->kind == PART_ENDS)
			return false;
		if (p->kind == PART_PLAIN ? outcome != 0 : !transfer_settled(c, p, outcome))
			return false;
		if (p->kind == PART_BLOCK)
			return n + 1 == g->parts && (uintptr_t)c->front.feed.next->uops == g->word[2 * n + 2];
		if (p->kind == PART_TRANSFER)
			after = outcome >> OUTCOME_AFTER & 255 ? SLOT_TAKEN : SLOT_GO_ON;
	}
	return true;
}

/* Returns whether the group that comes is that of the first edge, and hits. */
static bool loop_period_fetches(const struct core *c, const struct node *n)
{
	const struct group *g = &((const struct path *)(uintptr_t)n->first.answer)->group;

	return n->first.next && g->quick && g->word[0] == (uintptr_t)c->front.feed.uop &&
	       loop_period_parts_come(c, g) && *g->place.tag == g->place.hit && g->place.page == c->mem->itlb.last;
}

/* The kind of the step at `n` now; a pure one is known by its answer alone: loop_period_note. */
static enum loop_period_kind loop_period_kind_of(const struct core *c, const struct node *n, uint64_t ea,
						 const struct loop_period_line *before)
{
	unsigned size = n->access.size;
	bool known = n->step != STEP_LOAD && n->access.known & MEM_TRANSLATED;

	if (n->step == STEP_FETCH)
		return loop_period_fetches(c, n) ? LOOP_PERIOD_FETCH : LOOP_PERIOD_OTHER;
	if (n->step == STEP_PREDICTOR)
		return n->request == REQUEST_SET ? LOOP_PERIOD_SET : LOOP_PERIOD_OTHER;
	if (n->step == STEP_SBM_LOAD || n->step == STEP_SBM_STORE)
		return LOOP_PERIOD_SBM;
	if (n->step == STEP_LINE || n->step == STEP_FIRST_LINE)
		return LOOP_PERIOD_LINE;
	if ((size != 4 && size != 8) || ea & (size - 1) || n->step > STEP_ACCESS || n->request == REQUEST_PREFETCH)
		return LOOP_PERIOD_OTHER;
	if (n->step == STEP_ACCESS && n->request == REQUEST_LOAD)
		return LOOP_PERIOD_OTHER; /* it reads too early */
	if (!known && !tlb_translates(&c->mem->dtlb, c->now, ea ^ c->mem->space))
		return LOOP_PERIOD_OTHER; /* a page that is loaded evicts the one that is used least recently */
	if (!before->first)
		return LOOP_PERIOD_ACCESS;
	if (n->step == STEP_ACCESS)
		return n->request == REQUEST_STORE_PREFETCH ? LOOP_PERIOD_STORE_PREFETCH : LOOP_PERIOD_ACCESS;
	if (n->step == STEP_STORE)
		return before->fill_pending ? LOOP_PERIOD_ACCESS : LOOP_PERIOD_STORE_HIT;
	if (!before->fill_pending)
		return LOOP_PERIOD_LOAD_HIT;
	return loop_period_merges(before) ? LOOP_PERIOD_LOAD_MERGED : LOOP_PERIOD_ACCESS;
}

/* Returns whether the answer holds an access to SBM, or the array's transfers move. */
static bool loop_period_transfers_matter(const struct loop_period_step *s)
{
	if (s->kind == LOOP_PERIOD_SBM && s->edge->answer & 1)
		return true;
	return s->edge->moves & MOVES_ARRAY && *edge_array_moves(s->edge) >> TRANSFERS_DISPATCHED;
}

/* Replays a step, and notes it. */
static enum replayed loop_period_note(struct core *c, struct replay_place *at, uint64_t end, uint64_t since,
				      struct loop_period_step *s)
{
	struct node *n = at->node;
	uint64_t now = c->now;
	struct loop_period_line before = {0};
	bool accesses = n->step != STEP_FETCH && n->step != STEP_PREDICTOR && n->step < STEP_SBM_LOAD;
	enum replayed ret;

	*s = (struct loop_period_step){.node = n, .at = now - since};
	if (accesses || n->step == STEP_SBM_LOAD || n->step == STEP_SBM_STORE)
		s->ea = loop_period_address(&c->memo->in_flight, n);
	if (accesses)
		before = loop_period_line_of(c, s->ea);
	s->kind = (uint8_t)loop_period_kind_of(c, n, s->ea, &before);
	s->edge = replay_answer(c, at);
	if (n->step == STEP_FETCH && s->edge != &n->first)
		s->kind = LOOP_PERIOD_OTHER;
	if (accesses)
		s->after = loop_period_line_of(c, s->ea);
	if (!s->edge)
		return REPLAY_DETAILED;
	if (c->array && loop_period_transfers_matter(s))
		s->kind = LOOP_PERIOD_OTHER;
	ret = replay_edge(c, at, s->edge, end);
	if (s->kind == LOOP_PERIOD_OTHER || !accesses)
		return ret;
	if (!loop_period_reaches_memory(n, s->edge->answer)) {
		s->kind = LOOP_PERIOD_PURE;
		s->after = (struct loop_period_line){0};
	} else {
		s->translates = n->step == STEP_LOAD || !(n->access.known & MEM_TRANSLATED);
	}
	return ret;
}

/* ---- two loop periods ---- */
static struct loop_period_moves loop_period_moves_of(const struct in_flight *f, const struct loop_period_moves *since)
{
	return (struct loop_period_moves){
		f->tail - since->tail,
		f->fetched - since->fetched,
		f->dispatched - since->dispatched,
		f->committed - since->committed,
		f->written - since->written,
		f->sbm.fetched - since->sbm_fetched,
		f->sbm.at.dispatched - since->sbm_dispatched,
		f->sbm.at.committed - since->sbm_committed,
		f->sbm.at.written - since->sbm_written,
	};
}

/* Where a loop period begins. */
struct loop_period_begin {
	const struct node *node;
	const struct uop *uop;
	uint64_t now, simulated, visits;
	struct loop_period_moves moves;
};

static struct loop_period_begin loop_period_begin_here(const struct core *c, const struct replay_place *at)
{
	static const struct loop_period_moves none;

	return (struct loop_period_begin){
		.node = at->node,
		.uop = c->front.feed.uop,
		.now = c->now,
		.simulated = c->front.feed.simulated,
		.visits = c->memo->stats.visits,
		.moves = loop_period_moves_of(&c->memo->in_flight, &none),
	};
}

/* Instructions that the feed lacks for a loop period. */
static int64_t loop_period_rest(const struct core *c, const struct loop_period_begin *b, const struct loop_period *l)
{
	const struct feed *f = &c->front.feed;

	return (int64_t)(b->simulated + l->iterations * f->now->block->count - f->simulated);
}

/* Returns whether the core is where it was, a loop period later. */
static bool loop_period_is_round(const struct core *c, const struct replay_place *at, const struct loop_period_begin *b,
				 const struct loop_period *l)
{
	return at->node == b->node && c->front.feed.uop == b->uop && !loop_period_rest(c, b, l);
}

/* Returns whether the loop may still close, if need be after several times the iterations. */
static bool loop_period_may_come(const struct core *c, const struct loop_period_begin *b, struct loop_period *l)
{
	if (loop_period_rest(c, b, l) >= 0)
		return true;
	if (l->times == (l->in_sbm ? TIMES_MOST_IN_SBM : TIMES_MOST) ||
	    (!l->in_sbm && l->failures < LOOP_PERIOD_FAILURES))
		return false;
	l->iterations = l->iterations / l->times * (l->times + 1);
	l->distance = l->distance / l->times * (l->times + 1);
	l->times++;
	return true;
}

/* Notes the steps of one loop period. *ret_learned: true if the loop closed. */
static enum replayed loop_period_first(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct loop_period *l = &c->memo->loop_period;
	const struct loop_period_begin begin = loop_period_begin_here(c, at);

	for (l->steps = 0; l->steps < LOOP_PERIOD_STEPS;) {
		struct loop_period_step *s = &l->step[l->steps++];
		enum replayed how = loop_period_note(c, at, end, begin.now, s);

		if (how != REPLAY_GOES_ON)
			return how;
		if (s->kind == LOOP_PERIOD_OTHER || c->front.feed.at_end || !loop_period_may_come(c, &begin, l))
			break;
		if (s->edge->advance && loop_period_is_round(c, at, &begin, l)) {
			*ret_learned = true;
			break;
		}
	}
	return REPLAY_GOES_ON;
}

/* Goes through another loop period, whose steps must be the same; takes over their addresses. */
static enum replayed loop_period_second(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct loop_period *l = &c->memo->loop_period;
	const struct loop_period_begin begin = loop_period_begin_here(c, at);

	*ret_learned = false;
	for (unsigned n = 0; n < l->steps; n++) {
		struct loop_period_step *was = &l->step[n], s;
		enum replayed how = loop_period_note(c, at, end, begin.now, &s);

		if (how != REPLAY_GOES_ON)
			return how;
		if (s.node != was->node || s.edge != was->edge || s.at != was->at || s.kind != was->kind ||
		    (loop_period_has_address(&s) && s.ea != was->ea + l->distance) ||
		    !loop_period_same_line(&s.after, &was->after))
			return REPLAY_GOES_ON;
		was->ea = s.ea;
	}
	*ret_learned = loop_period_is_round(c, at, &begin, l);
	l->cycles = c->now - begin.now;
	l->visits = (unsigned)(c->memo->stats.visits - begin.visits);
	l->moves = loop_period_moves_of(&c->memo->in_flight, &begin.moves);
	return REPLAY_GOES_ON;
}

/* Returns whether the accesses in flight are those of a loop period before, moved. */
static bool loop_period_in_flight_moves(const struct core *c, const struct loop_period *l)
{
	const struct memo *m = c->memo;
	const struct in_flight *f = &m->in_flight;
	const struct loop_period_moves *v = &l->moves;
	uint32_t accesses = f->tail - m->start.tail + m->stop.state->accesses, stores = f->fetched - f->written;

	if (v->dispatched != v->fetched || v->committed != v->fetched || v->written != v->fetched ||
	    accesses + 2 * v->tail > f->mask || stores + 2 * v->fetched > f->mask)
		return false;
	for (uint32_t n = f->tail - accesses; n != f->tail; n++)
		if (f->ea[n & f->mask] != f->ea[(n - v->tail) & f->mask] + l->distance)
			return false;
	for (uint32_t n = f->written; n != f->fetched; n++) {
		const struct in_flight_store *s = &f->store[n & f->mask], *was = &f->store[(n - v->fetched) & f->mask];

		if (s->ea != was->ea + l->distance || s->size != was->size ||
		    ((int32_t)(n - f->committed) >= 0 && s->number != was->number + v->tail))
			return false;
	}
	return !c->array || loop_period_sbm_moves(c, l);
}

/* Returns whether the iterations that the feed has continue those in flight. */
static bool loop_period_feed_continues(const struct core *c, const struct loop_period *l)
{
	const struct feed *d = &c->front.feed;
	const struct in_flight *f = &c->memo->in_flight;
	uint32_t count = d->now->block->memory_count, first = f->tail - (uint32_t)(d->ea - d->now->ea) - count;
	uint64_t stride = common_stride(c);

	if (stride * l->iterations != l->distance || l->moves.tail != l->iterations * count)
		return false;
	for (uint32_t n = 0; n < count; n++)
		if (d->now->ea[n] - f->ea[(first + n) & f->mask] != stride)
			return false;
	return true;
}

/* Notes which lines the loop period accesses. False: too many. */
static bool loop_period_note_lines(const struct core *c, struct loop_period *l)
{
	uint64_t mask = c->mem->l1d.cache.address_mask;

	l->lines = 0;
	for (unsigned n = 0; n < l->steps; n++) {
		unsigned k = 0;

		if (!loop_period_accesses(&l->step[n]))
			continue;
		while (k < l->lines && l->line[k] != (l->step[n].ea & mask))
			k++;
		if (k == LOOP_PERIOD_LINES)
			return false;
		l->line[k] = l->step[n].ea & mask;
		l->lines = k == l->lines ? k + 1 : l->lines;
	}
	return true;
}

/* Returns whether an access of this loop period or of its neighbours uses the set of step `s` for another line. */
static bool loop_period_shares_set(const struct core *c, const struct loop_period *l, const struct loop_period_step *s)
{
	const struct cache *l1 = &c->mem->l1d.cache;
	uint64_t own = s->ea ^ c->mem->space;
	size_t set = cache_set_number(l1, own);

	for (unsigned n = 0; n < l->lines; n++)
		for (unsigned period = 0; period < 3; period++) {
			uint64_t other = (l->line[n] + period * l->distance - l->distance) ^ c->mem->space;

			if (cache_set_number(l1, other) == set && (other ^ own) & l1->address_mask)
				return true;
		}
	return false;
}

/* Returns whether an access that is made, in this loop period or the one before, leaves the line in the first way. */
static bool loop_period_is_covered(const struct core *c, const struct loop_period *l, unsigned at)
{
	uint64_t mask = c->mem->l1d.cache.address_mask, line = l->step[at].ea & mask;

	for (unsigned n = 0; n < l->steps; n++) {
		const struct loop_period_step *s = &l->step[n];

		if (s->kind == LOOP_PERIOD_ACCESS && s->after.first &&
		    ((n < at && (s->ea & mask) == line) || (s->ea & mask) == ((l->step[at].ea + l->distance) & mask)))
			return true;
	}
	return false;
}

/* Chooses the steps that are made. */
static void loop_period_choose(const struct core *c, struct loop_period *l)
{
	l->made = 0;
	for (unsigned n = 0; n < l->steps; n++) {
		struct loop_period_step *s = &l->step[n];

		if (!loop_period_accesses(s))
			continue;
		if (s->kind != LOOP_PERIOD_ACCESS &&
		    (!loop_period_is_covered(c, l, n) || loop_period_shares_set(c, l, s)))
			s->kind = LOOP_PERIOD_ACCESS;
		if (s->kind == LOOP_PERIOD_ACCESS || s->kind == LOOP_PERIOD_STORE_HIT)
			l->make[l->made++] = (uint16_t)n;
	}
}

/* Adds the page of the step as the last one in use. */
static void loop_period_add_page(struct loop_period *l, uint64_t ea, uint64_t page_size)
{
	unsigned n = 0;

	while (n < l->pages && ((l->page[n] ^ ea) & ~(page_size - 1)))
		n++;
	if (n < l->pages)
		memmove(&l->page[n], &l->page[n + 1], (l->pages - n - 1) * sizeof(*l->page));
	else
		l->pages++;
	l->page[l->pages - 1] = ea;
}

static void loop_period_count_fetch(struct loop_period *l, const struct loop_period_step *s)
{
	const struct group *g = &((const struct path *)(uintptr_t)s->edge->answer)->group;

	l->fetches++;
	for (uint32_t n = 0; n < g->parts; n++) {
		if (g->part[n].kind != PART_TRANSFER && g->part[n].kind != PART_BLOCK)
			continue;
		l->transfers++;
		l->transfer_flags = g->part[n].flags;
		l->taken = g->word[2 * n + 1] >> OUTCOME_AFTER & 255;
	}
}

/* Sums up what a loop period does. False: it ends no transition. */
static bool loop_period_sum(const struct core *c, struct loop_period *l)
{
	uint64_t page_size = UINT64_C(1) << c->mem->dtlb.shift;

	l->fetches = l->merged = l->load_hits = l->store_hits = l->in_time = l->endings = l->pages = l->transfers = 0;
	l->left = trace_repeats(c->front.feed.reader) / l->iterations;
	for (unsigned n = 0; n < l->steps; n++) {
		const struct loop_period_step *s = &l->step[n];

		if (s->kind == LOOP_PERIOD_FETCH)
			loop_period_count_fetch(l, s);
		if (s->edge->moves & MOVES_ENDING)
			l->ending[l->endings++] = s;
		if (!loop_period_accesses(s))
			continue;
		l->left = earlier(l->left, loop_period_room(l, s->ea, page_size));
		l->merged += s->kind == LOOP_PERIOD_LOAD_MERGED;
		l->load_hits += s->kind == LOOP_PERIOD_LOAD_HIT;
		l->store_hits += s->kind == LOOP_PERIOD_STORE_HIT;
		l->in_time += s->kind == LOOP_PERIOD_STORE_HIT && s->node->access.known & MEM_REQUESTED;
		if (s->translates)
			loop_period_add_page(l, s->ea, page_size);
	}
	if (c->array)
		l->left = loop_period_array_room(c, l, l->left);
	return l->endings;
}

/* Learns a loop period from two in a row. */
enum replayed loop_period_learn(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct loop_period *l = &c->memo->loop_period;
	enum replayed how;

	*ret_learned = false;
	l->invalidated = loop_period_invalidated(c);
	how = loop_period_first(c, at, end, ret_learned);
	if (how != REPLAY_GOES_ON || !*ret_learned)
		return how;
	how = loop_period_second(c, at, end, ret_learned);
	if (how != REPLAY_GOES_ON || !*ret_learned)
		return how;
	replay_count(c); /* memo.stop.state is that of the last transition */
	*ret_learned = l->invalidated == loop_period_invalidated(c) && loop_period_has_loop(c) &&
		       loop_period_in_flight_moves(c, l) && loop_period_feed_continues(c, l) &&
		       loop_period_note_lines(c, l) && loop_period_note_transfers(l);
	if (!*ret_learned)
		return how;
	loop_period_choose(c, l);
	*ret_learned = loop_period_sum(c, l);
	l->shift = 0;
	return how;
}
