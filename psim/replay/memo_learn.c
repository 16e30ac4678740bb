/* Learning of laps: which loops have them, what their steps do, and which of these are made in each lap: memo_lap.h. */
#include "memo_learn.h"

enum { TIMES_MOST = 4 };

/* ---- which loops have laps ---- */
static bool lap_has_machine(const struct core *c)
{
	const struct memsys *m = c->mem;

	return !c->array && m->chip->cores == 1 && !m->shares && !m->l1d.perfect && m->l1d.cache.quick_mask;
}

/* Returns whether the feed is in a loop of one block, and all of it is simulated. */
static bool lap_has_loop(const struct core *c)
{
	const struct feed *f = &c->front.feed;

	return f->whole && !f->stop_count && !f->at_end && f->now->block && f->next->block == f->now->block &&
	       !f->now->outside && !f->next->outside && !c->acct.mark_count && trace_repeats(f->reader);
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

/* Works out the length of a lap: whole lines, and rows of banks. */
bool lap_measure(const struct core *c, struct lap *l)
{
	uint64_t stride, power, unit, page_size;

	if (!lap_has_machine(c) || !lap_has_loop(c))
		return false;
	stride = common_stride(c);
	power = stride & -stride;
	if (!power)
		return false;
	unit = ~c->mem->l1d.cache.address_mask | c->memo->flight.bank_bits;
	page_size = UINT64_C(1) << c->mem->dtlb.shift;
	l->iterations = power > unit ? 1 : (unit + 1) / power;
	l->distance = l->iterations * stride;
	l->times = 1;
	return trace_repeats(c->front.feed.reader) >= LAPS_LEAST * l->iterations &&
	       l->distance + page_size / LAPS_LEAST <= page_size / LAPS_LEAST * 2;
}

/* ---- a step ---- */
/* Returns whether the line of a load is under way, and its miss was no prefetch's. */
static bool lap_merges(const struct lap_line *l)
{
	return l->fill_pending && (int64_t)l->fill > 0 && fill_cycle(l->fill) && !fill_prefetched(l->fill);
}

static uint64_t lap_address(const struct flight *f, const struct node *n)
{
	if (n->step == STEP_STORE)
		return f->store[f->written & f->mask].ea;
	return n->access.place == ACCESS_WINDOW ? f->ea[(f->tail - n->access.index) & f->mask]
						: f->store[(f->written + n->access.index) & f->mask].ea;
}

/* Returns whether the answer to a load or store, or one without a port, is that of the memory system. */
static bool lap_reaches_memory(const struct node *n, uint64_t answer)
{
	if (n->step == STEP_LOAD)
		return (answer & 3) < MATCH_WINDOW && (answer & ~UINT64_C(3)) != 4;
	return n->step == STEP_STORE ? !(answer & 1) : n->step == STEP_ACCESS;
}

/* Returns whether the last instruction of the block comes with this outcome, behind what `after` says. */
static bool lap_last_comes(const struct feed *f, const struct part *p, enum after_slot after, const uint64_t *word)
{
	return !(after != SLOT_GO_ON && p->plain) && after != SLOT_BLOCK &&
	       word[1] == (uint64_t)after << OUTCOME_ACTION && (uintptr_t)f->next->uops == word[2];
}

/* Returns whether fetch will follow these parts, and the predictor stays unchanged. */
static bool lap_parts_come(const struct core *c, const struct group *g)
{
	enum after_slot after = c->front.fetch.after_slot;

	for (uint32_t n = 0; n < g->parts; n++) {
		const struct part *p = &g->part[n];
		const uint64_t *word = &g->word[2 * n];

		if (p->kind == PART_LAST)
			return n + 1 == g->parts && lap_last_comes(&c->front.feed, p, after, word);
		if (after != SLOT_GO_ON || (p->kind == PART_PLAIN ? word[1] != 0 : !transfer_settled(c, p, word[1])))
			return false;
		if (p->kind == PART_TRANSFER)
			after = word[1] >> OUTCOME_AFTER & 255 ? SLOT_TAKEN : SLOT_GO_ON;
	}
	return true;
}

/* Returns whether the group that comes is that of the first edge, and hits. */
static bool lap_fetches(const struct core *c, const struct node *n)
{
	const struct group *g = &((const struct path *)(uintptr_t)n->first.answer)->group;

	return n->first.next && g->quick && g->word[0] == (uintptr_t)c->front.feed.uop && lap_parts_come(c, g) &&
	       *g->place.tag == g->place.hit && g->place.page == c->mem->itlb.last;
}

/* The kind of the step at `n` now; a pure one is known by its answer alone: lap_note. */
static enum lap_kind lap_kind_of(const struct core *c, const struct node *n, uint64_t ea, const struct lap_line *before)
{
	unsigned size = n->access.size;
	bool known = n->step != STEP_LOAD && n->access.known & MEM_TRANSLATED;

	if (n->step == STEP_FETCH)
		return lap_fetches(c, n) ? LAP_FETCH : LAP_OTHER;
	if (n->step == STEP_PREDICTOR)
		return n->request == REQUEST_SET ? LAP_SET : LAP_OTHER;
	if ((size != 4 && size != 8) || ea & (size - 1) || n->step > STEP_ACCESS || n->request == REQUEST_PREFETCH)
		return LAP_OTHER;
	if (n->step == STEP_ACCESS && n->request == REQUEST_LOAD)
		return LAP_OTHER; /* it reads too early */
	if (!known && !tlb_translates(&c->mem->dtlb, c->now, ea ^ c->mem->space))
		return LAP_OTHER; /* a page that is loaded evicts the one that is used least recently */
	if (!before->first)
		return LAP_ACCESS;
	if (n->step == STEP_ACCESS)
		return n->request == REQUEST_STORE_PREFETCH ? LAP_STORE_PREFETCH : LAP_ACCESS;
	if (n->step == STEP_STORE)
		return before->fill_pending ? LAP_ACCESS : LAP_STORE_HIT;
	if (!before->fill_pending)
		return LAP_LOAD_HIT;
	return lap_merges(before) ? LAP_LOAD_MERGED : LAP_ACCESS;
}

/* Replays a step, and notes it. */
static enum replayed lap_note(struct core *c, struct replay_place *at, uint64_t end, uint64_t since, struct lap_step *s)
{
	struct node *n = at->node;
	uint64_t now = c->now;
	struct lap_line before = {0};
	bool accesses = n->step != STEP_FETCH && n->step != STEP_PREDICTOR;
	enum replayed ret;

	*s = (struct lap_step){.node = n, .at = now - since};
	if (accesses) {
		s->ea = lap_address(&c->memo->flight, n);
		before = lap_line_of(c, s->ea);
	}
	s->kind = (uint8_t)lap_kind_of(c, n, s->ea, &before);
	s->edge = replay_answer(c, at);
	if (n->step == STEP_FETCH && s->edge != &n->first)
		s->kind = LAP_OTHER;
	if (accesses)
		s->after = lap_line_of(c, s->ea);
	if (!s->edge)
		return REPLAY_DETAILED;
	ret = replay_edge(c, at, s->edge, end);
	if (s->kind == LAP_OTHER || !accesses)
		return ret;
	if (!lap_reaches_memory(n, s->edge->answer)) {
		s->kind = LAP_PURE;
		s->after = (struct lap_line){0};
	} else {
		s->translates = n->step == STEP_LOAD || !(n->access.known & MEM_TRANSLATED);
	}
	return ret;
}

/* ---- two laps ---- */
static struct lap_moves lap_moves_of(const struct flight *f, const struct lap_moves *since)
{
	return (struct lap_moves){
		f->tail - since->tail,           f->fetched - since->fetched, f->dispatched - since->dispatched,
		f->committed - since->committed, f->written - since->written,
	};
}

/* Where a lap begins. */
struct lap_begin {
	const struct node *node;
	const struct uop *uop;
	uint64_t now, simulated, visits;
	struct lap_moves moves;
};

static struct lap_begin lap_begin_here(const struct core *c, const struct replay_place *at)
{
	static const struct lap_moves none;

	return (struct lap_begin){
		.node = at->node,
		.uop = c->front.feed.uop,
		.now = c->now,
		.simulated = c->front.feed.simulated,
		.visits = c->memo->stats.visits,
		.moves = lap_moves_of(&c->memo->flight, &none),
	};
}

/* Instructions that the feed lacks for a lap. */
static int64_t lap_rest(const struct core *c, const struct lap_begin *b, const struct lap *l)
{
	const struct feed *f = &c->front.feed;

	return (int64_t)(b->simulated + l->iterations * f->now->block->count - f->simulated);
}

/* Returns whether the core is where it was, a lap later. */
static bool lap_is_round(const struct core *c, const struct replay_place *at, const struct lap_begin *b,
			 const struct lap *l)
{
	return at->node == b->node && c->front.feed.uop == b->uop && !lap_rest(c, b, l);
}

/* Returns whether the loop may still close, if need be after several times the iterations. */
static bool lap_may_come(const struct core *c, const struct lap_begin *b, struct lap *l)
{
	if (lap_rest(c, b, l) >= 0)
		return true;
	if (l->times == TIMES_MOST || l->failures < LAP_FAILURES)
		return false;
	l->iterations = l->iterations / l->times * (l->times + 1);
	l->distance = l->distance / l->times * (l->times + 1);
	l->times++;
	return true;
}

/* Notes the steps of one lap. *ret_learned: true if the loop closed. */
static enum replayed lap_first(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct lap *l = &c->memo->lap;
	const struct lap_begin begin = lap_begin_here(c, at);

	for (l->steps = 0; l->steps < LAP_STEPS;) {
		struct lap_step *s = &l->step[l->steps++];
		enum replayed how = lap_note(c, at, end, begin.now, s);

		if (how != REPLAY_GOES_ON)
			return how;
		if (s->kind == LAP_OTHER || c->front.feed.at_end || !lap_may_come(c, &begin, l))
			break;
		if (s->edge->advance && lap_is_round(c, at, &begin, l)) {
			*ret_learned = true;
			break;
		}
	}
	return REPLAY_GOES_ON;
}

/* Goes through another lap, whose steps must be the same; takes over their addresses. */
static enum replayed lap_second(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct lap *l = &c->memo->lap;
	const struct lap_begin begin = lap_begin_here(c, at);

	*ret_learned = false;
	for (unsigned n = 0; n < l->steps; n++) {
		struct lap_step *was = &l->step[n], s;
		enum replayed how = lap_note(c, at, end, begin.now, &s);

		if (how != REPLAY_GOES_ON)
			return how;
		if (s.node != was->node || s.edge != was->edge || s.at != was->at || s.kind != was->kind ||
		    (s.kind != LAP_FETCH && s.kind != LAP_SET && s.ea != was->ea + l->distance) ||
		    !lap_same_line(&s.after, &was->after))
			return REPLAY_GOES_ON;
		was->ea = s.ea;
	}
	*ret_learned = lap_is_round(c, at, &begin, l);
	l->cycles = c->now - begin.now;
	l->visits = (unsigned)(c->memo->stats.visits - begin.visits);
	l->moves = lap_moves_of(&c->memo->flight, &begin.moves);
	return REPLAY_GOES_ON;
}

/* Returns whether the accesses in flight are those of a lap before, moved. */
static bool lap_flight_moves(const struct core *c, const struct lap *l)
{
	const struct memo *m = c->memo;
	const struct flight *f = &m->flight;
	const struct lap_moves *v = &l->moves;
	uint32_t accesses = f->tail - m->start.tail + m->stop.state->accesses, stores = f->fetched - f->written;

	if (v->dispatched != v->fetched || v->committed != v->fetched || v->written != v->fetched ||
	    accesses + 2 * v->tail > f->mask || stores + 2 * v->fetched > f->mask)
		return false;
	for (uint32_t n = f->tail - accesses; n != f->tail; n++)
		if (f->ea[n & f->mask] != f->ea[(n - v->tail) & f->mask] + l->distance)
			return false;
	for (uint32_t n = f->written; n != f->fetched; n++) {
		const struct flight_store *s = &f->store[n & f->mask], *was = &f->store[(n - v->fetched) & f->mask];

		if (s->ea != was->ea + l->distance || s->size != was->size ||
		    ((int32_t)(n - f->committed) >= 0 && s->number != was->number + v->tail))
			return false;
	}
	return true;
}

/* Returns whether the iterations that the feed has continue those in flight. */
static bool lap_feed_continues(const struct core *c, const struct lap *l)
{
	const struct feed *d = &c->front.feed;
	const struct flight *f = &c->memo->flight;
	uint32_t count = d->now->block->memory_count, first = f->tail - (uint32_t)(d->ea - d->now->ea) - count;
	uint64_t stride = common_stride(c);

	if (stride * l->iterations != l->distance || l->moves.tail != l->iterations * count)
		return false;
	for (uint32_t n = 0; n < count; n++)
		if (d->now->ea[n] - f->ea[(first + n) & f->mask] != stride)
			return false;
	return true;
}

static bool lap_accesses(const struct lap_step *s)
{
	return s->kind > LAP_SET;
}

/* Notes which lines the lap accesses. False: too many. */
static bool lap_note_lines(const struct core *c, struct lap *l)
{
	uint64_t mask = c->mem->l1d.cache.address_mask;

	l->lines = 0;
	for (unsigned n = 0; n < l->steps; n++) {
		unsigned k = 0;

		if (!lap_accesses(&l->step[n]))
			continue;
		while (k < l->lines && l->line[k] != (l->step[n].ea & mask))
			k++;
		if (k == LAP_LINES)
			return false;
		l->line[k] = l->step[n].ea & mask;
		l->lines = k == l->lines ? k + 1 : l->lines;
	}
	return true;
}

/* Returns whether an access of this lap or of its neighbours uses the set of step `s` for another line. */
static bool lap_shares_set(const struct core *c, const struct lap *l, const struct lap_step *s)
{
	const struct cache *l1 = &c->mem->l1d.cache;
	uint64_t own = s->ea ^ c->mem->space;
	size_t set = cache_set_number(l1, own);

	for (unsigned n = 0; n < l->lines; n++)
		for (unsigned lap = 0; lap < 3; lap++) {
			uint64_t other = (l->line[n] + lap * l->distance - l->distance) ^ c->mem->space;

			if (cache_set_number(l1, other) == set && (other ^ own) & l1->address_mask)
				return true;
		}
	return false;
}

/* Returns whether an access that is made, in this lap or in the one before, leaves the line in the first way. */
static bool lap_is_covered(const struct core *c, const struct lap *l, unsigned at)
{
	uint64_t mask = c->mem->l1d.cache.address_mask, line = l->step[at].ea & mask;

	for (unsigned n = 0; n < l->steps; n++) {
		const struct lap_step *s = &l->step[n];

		if (s->kind == LAP_ACCESS && s->after.first &&
		    ((n < at && (s->ea & mask) == line) || (s->ea & mask) == ((l->step[at].ea + l->distance) & mask)))
			return true;
	}
	return false;
}

/* Chooses the steps that are made. */
static void lap_choose(const struct core *c, struct lap *l)
{
	l->made = 0;
	for (unsigned n = 0; n < l->steps; n++) {
		struct lap_step *s = &l->step[n];

		if (!lap_accesses(s))
			continue;
		if (s->kind != LAP_ACCESS && (!lap_is_covered(c, l, n) || lap_shares_set(c, l, s)))
			s->kind = LAP_ACCESS;
		if (s->kind == LAP_ACCESS || s->kind == LAP_STORE_HIT)
			l->make[l->made++] = (uint16_t)n;
	}
}

/* Adds the page of the step as the last one in use. */
static void lap_add_page(struct lap *l, uint64_t ea, uint64_t page_size)
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

/* Laps before the address leaves its page. */
static uint64_t lap_room(const struct lap *l, uint64_t ea, uint64_t page_size)
{
	uint64_t inside = ea & (page_size - 1);

	return (int64_t)l->distance > 0 ? (page_size - 1 - inside) / l->distance : inside / -l->distance;
}

static void lap_count_fetch(struct lap *l, const struct lap_step *s)
{
	const struct group *g = &((const struct path *)(uintptr_t)s->edge->answer)->group;

	l->fetches++;
	for (uint32_t n = 0; n < g->parts; n++) {
		if (g->part[n].kind != PART_TRANSFER)
			continue;
		l->transfers++;
		l->transfer_flags = g->part[n].flags;
		l->taken = g->word[2 * n + 1] >> OUTCOME_AFTER & 255;
	}
}

/* Sums up what a lap does. False: it ends no transition. */
static bool lap_sum(const struct core *c, struct lap *l)
{
	uint64_t page_size = UINT64_C(1) << c->mem->dtlb.shift;

	l->fetches = l->merged = l->load_hits = l->store_hits = l->in_time = l->endings = l->pages = l->transfers = 0;
	l->left = trace_repeats(c->front.feed.reader) / l->iterations;
	for (unsigned n = 0; n < l->steps; n++) {
		const struct lap_step *s = &l->step[n];

		if (s->kind == LAP_FETCH)
			lap_count_fetch(l, s);
		if (s->edge->moves & MOVES_ENDING)
			l->ending[l->endings++] = s;
		if (!lap_accesses(s))
			continue;
		l->left = earlier(l->left, lap_room(l, s->ea, page_size));
		l->merged += s->kind == LAP_LOAD_MERGED;
		l->load_hits += s->kind == LAP_LOAD_HIT;
		l->store_hits += s->kind == LAP_STORE_HIT;
		l->in_time += s->kind == LAP_STORE_HIT && s->node->access.known & MEM_REQUESTED;
		if (s->translates)
			lap_add_page(l, s->ea, page_size);
	}
	return l->endings;
}

/* Learns a lap from two in a row. */
enum replayed lap_learn(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned)
{
	struct lap *l = &c->memo->lap;
	enum replayed how;

	*ret_learned = false;
	l->invalidated = lap_invalidated(c);
	how = lap_first(c, at, end, ret_learned);
	if (how != REPLAY_GOES_ON || !*ret_learned)
		return how;
	how = lap_second(c, at, end, ret_learned);
	if (how != REPLAY_GOES_ON || !*ret_learned)
		return how;
	replay_count(c); /* memo.stop.state is that of the last transition */
	*ret_learned = l->invalidated == lap_invalidated(c) && lap_has_loop(c) && lap_flight_moves(c, l) &&
		       lap_feed_continues(c, l) && lap_note_lines(c, l);
	if (!*ret_learned)
		return how;
	lap_choose(c, l);
	*ret_learned = lap_sum(c, l);
	l->shift = 0;
	return how;
}
