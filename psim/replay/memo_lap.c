/* Laps of a loop in one go: memo_lap.h. */
#include "memo_learn.h"

enum { WAIT_LEAST = 128, WAIT_MOST = 1 << 16 }; /* cycles from one attempt to the next */

/* Makes the access of the step in cycle `now`; returns the answer. */
static uint64_t lap_access(struct core *c, const struct lap_step *s, uint64_t now, uint64_t ea)
{
	const struct access *a = &s->node->access;
	struct mem_answer answer;

	if (s->node->step == STEP_LOAD) {
		answer = memsys_load(c->mem, now, ea, a->size);
		return access_word(&answer, now) << 3 | (s->edge->answer & 3);
	}
	switch (s->node->step == STEP_STORE ? REQUEST_STORE : (enum request_kind)s->node->request) {
	case REQUEST_LOAD_RETRY: answer = memsys_load_again(c->mem, now, ea, a->size, a->known); break;
	case REQUEST_STORE_PREFETCH: answer = memsys_store_prefetch(c->mem, now, ea, a->known); break;
	default: answer = memsys_store(c->mem, now, ea, a->size, a->known); break;
	}
	return access_word(&answer, now) << (s->node->step == STEP_STORE);
}

/*
 * Makes the accesses of the lap that begins in cycle `begin`, up to one whose answer, or line, is another: returns its
 * number in lap.make.
 */
static unsigned lap_make(struct core *c, const struct lap *l, uint64_t begin, uint64_t *ret_answer)
{
	const uint64_t now = c->now;
	unsigned n;

	for (n = 0; n < l->made; n++) {
		const struct lap_step *s = &l->step[l->make[n]];
		uint64_t ea = s->ea + l->shift, answer;
		struct lap_line after;

		if (s->kind == LAP_STORE_HIT) {
			*cache_quick(&c->mem->l1d.cache, ea ^ c->mem->space) |= LINE_DIRTY;
			continue;
		}
		c->now = begin + s->at;
		answer = lap_access(c, s, c->now, ea);
		after = lap_line_of(c, ea);
		if (answer == s->edge->answer && lap_same_line(&after, &s->after) &&
		    l->invalidated == lap_invalidated(c))
			continue;
		*ret_answer = answer;
		break;
	}
	c->now = now;
	return n;
}

static void lap_translate(struct core *c, uint64_t ea)
{
	if (!tlb_hit_fast(&c->mem->dtlb, c->now, ea ^ c->mem->space))
		bug("a lap has lost a page");
}

/* Counts accesses that were not made. */
static void lap_count(struct core *c, uint64_t loads, uint64_t merged, uint64_t stores, uint64_t in_time)
{
	struct memsys_stats *s = &c->mem->stats;

	c->memo->flight.hits.loads += loads;
	c->memo->flight.hits.stores += stores;
	s->l1d_loads += merged;
	s->l1d_load_merged += merged;
	s->l1d_stores_ahead_in_time += in_time;
}

/* Adds `distance` to the addresses of the accesses in flight, and of those before them. */
static void lap_move_flight(struct core *c, uint64_t distance)
{
	struct flight *f = &c->memo->flight;

	if (f->dispatched != f->written)
		flight_filter(f, c, f->written, f->dispatched - f->written, -1);
	for (uint32_t n = 0; n <= f->mask; n++) {
		const struct flight_store *s = &f->store[n];

		f->ea[n] += distance;
		f->store[n] = flight_store_of(s->ea + distance, s->number, s->size);
	}
	if (f->dispatched != f->written)
		flight_filter(f, c, f->written, f->dispatched - f->written, 1);
}

static void lap_move_feed(struct core *c, const struct lap *l, uint64_t laps)
{
	struct feed *f = &c->front.feed;

	trace_skip_repeats(f->reader, laps * l->iterations);
	f->simulated += laps * l->iterations * f->now->block->count;
	if (l->transfers)
		c->front.fetch.target_cycle += laps * l->cycles;
	bpred_count_settled(c->bpred, l->transfer_flags, l->taken, laps * l->transfers);
}

/*
 * Goes on by laps whose accesses are made. Numbers of accesses and stores in flight stay as they are: only their
 * differences count.
 */
static void lap_take(struct core *c, struct lap *l, uint64_t laps)
{
	struct memo *m = c->memo;
	uint64_t last = c->now + (laps - 1) * l->cycles;

	lap_move_flight(c, laps * l->distance);
	lap_move_feed(c, l, laps);
	for (unsigned n = 0; n < l->endings; n++)
		replay_visited(m, l->ending[n]->edge->ending, laps - 1);
	for (unsigned n = 0; n < l->endings; n++)
		replay_arrive(c, l->ending[n]->edge->ending, last + l->ending[n]->at + l->ending[n]->edge->advance);
	c->acct.stats.fetch_groups += laps * l->fetches;
	m->flight.hits.fetches += laps * l->fetches;
	lap_count(c, laps * l->load_hits, laps * l->merged, laps * l->store_hits, laps * l->in_time);
	m->stats.visits += laps * l->visits;
	m->stats.laps += laps;
	m->unchecked += m->check ? laps * l->endings : 0;
	c->now += laps * l->cycles;
	for (unsigned n = 0; n < l->pages; n++) {
		l->page[n] += laps * l->distance;
		lap_translate(c, l->page[n]);
	}
	l->left -= laps;
}

/* Fetches the group of a step, which has hit L1I; the access that differs may have evicted it since. */
static void lap_fetch(struct core *c, const struct node *n)
{
	struct path *p = (struct path *)(uintptr_t)n->first.answer;

	if (group_fetch_quick(c, n, p) != p)
		bug("a lap fetches another group");
	c->memo->flight.hits.fetches++;
}

/* Catches up with a step before the one that differs: all but the access, which is made. */
static void lap_catch_up(struct core *c, const struct lap *l, const struct lap_step *s)
{
	struct flight *f = &c->memo->flight;
	struct node *n = s->node;
	uint64_t ea = s->ea + l->shift;

	if (s->kind == LAP_FETCH)
		lap_fetch(c, n);
	if (s->kind == LAP_FETCH || s->kind == LAP_SET)
		return;
	if (n->step == STEP_STORE || n->step == STEP_PORT ||
	    (n->step == STEP_LOAD && (s->edge->answer & 3) < MATCH_WINDOW))
		flight_port(f, c, n->ports, ea, n->access.size);
	if (s->translates)
		lap_translate(c, ea);
	lap_count(c, s->kind == LAP_LOAD_HIT, s->kind == LAP_LOAD_MERGED, s->kind == LAP_STORE_HIT,
		  s->kind == LAP_STORE_HIT && n->access.known & MEM_REQUESTED);
}

/* Leaves the lap at step `number`, which has another answer. */
static enum replayed lap_leave(struct core *c, struct replay_place *at, unsigned number, uint64_t answer, uint64_t end)
{
	const struct lap *l = &c->memo->lap;

	for (unsigned n = 0; n < number; n++) {
		lap_catch_up(c, l, &l->step[n]);
		if (replay_edge(c, at, l->step[n].edge, end) != REPLAY_GOES_ON)
			bug("a lap ends behind the turn");
	}
	lap_catch_up(c, l, &l->step[number]);
	return replay_answered(c, at, answer, end);
}

/* Whole laps that are certain to end in this turn, without a deadlock or a comparison. */
static uint64_t lap_most(struct core *c, const struct lap *l, uint64_t end)
{
	const struct memo *m = c->memo;
	uint64_t stop = earlier(end, m->turn_end), most = l->left, waited;

	if (stop <= c->now)
		return 0;
	most = earlier(most, (stop - 1 - c->now) / l->cycles);
	if (c->memdep) /* up to the place where its tables are cleared */
		most = earlier(most, (memdep_clear_in(c->memdep, trace_position(c->front.feed.reader)) - 1) /
					     (l->iterations * c->front.feed.now->block->count));
	if (m->check) /* up to a transition that is compared */
		most = earlier(most, (m->check - 1 - m->unchecked) / l->endings);
	replay_count(c); /* the last commit is that of the last transition */
	waited = c->now - c->acct.last_commit;
	return waited < c->cfg->core.deadlock_cycles
		       ? earlier(most, (c->cfg->core.deadlock_cycles - waited) / l->cycles)
		       : 0;
}

/* *ret_laps: laps in one go. */
static enum replayed lap_run(struct core *c, struct replay_place *at, uint64_t end, uint64_t *ret_laps)
{
	struct lap *l = &c->memo->lap;
	uint64_t answer = 0, most;

	for (*ret_laps = 0; (most = lap_most(c, l, end));) {
		uint64_t laps = 0;
		unsigned n;

		do {
			l->shift += l->distance;
			n = lap_make(c, l, c->now + laps * l->cycles, &answer);
		} while (n == l->made && ++laps < most);
		if (laps)
			lap_take(c, l, laps);
		*ret_laps += laps;
		if (n < l->made)
			return lap_leave(c, at, l->make[n], answer, end);
	}
	return REPLAY_GOES_ON;
}

enum replayed lap_replay(struct core *c, struct replay_place *at, uint64_t end)
{
	struct lap *l = &c->memo->lap;
	bool learned = false;
	uint64_t laps = 0;
	enum replayed how = REPLAY_GOES_ON;

	if (lap_measure(c, l))
		how = lap_learn(c, at, end, &learned);
	if (learned)
		how = lap_run(c, at, end, &laps);
	l->failures = laps >= LAPS_LEAST ? 0 : l->failures + 1;
	if (l->failures <= LAP_FAILURES)
		l->wait = WAIT_LEAST;
	else if (l->wait < WAIT_MOST)
		l->wait *= 2;
	l->try_at = c->now + l->wait;
	return how;
}
