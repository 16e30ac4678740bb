/* Loop periods of a loop, and runs of lines, in one go: memo_loop_period.h, memo_lines.h. */
#include "answer.h"
#include "memo_learn.h"

enum { WAIT_LEAST = 128, WAIT_MOST = 1 << 16 }; /* cycles from one attempt to the next */
enum { WAIT_NO_LOOP = 512 };                    /* the same, in a machine with an array that is in no loop */
enum { LINES_WAIT = 256 };                      /* cycles after an attempt that has found no round of lines */

/*
 * Whole periods of so many cycles and endings that are certain to end in this turn, without a deadlock or a comparison.
 */
static uint64_t periods_most(struct core *c, uint64_t cycles, unsigned endings, uint64_t end)
{
	const struct memo *m = c->memo;
	uint64_t stop = earlier(end, m->turn_end), most, waited;

	if (stop <= c->now)
		return 0;
	most = (stop - 1 - c->now) / cycles;
	if (m->check) /* up to a transition that is compared */
		most = earlier(most, (m->check - 1 - m->unchecked) / endings);
	replay_count(c); /* the last commit is that of the last transition */
	waited = c->now - c->stack.last_commit;
	return waited < c->cfg->core.deadlock_cycles ? earlier(most, (c->cfg->core.deadlock_cycles - waited) / cycles)
						     : 0;
}

/* ---- loop periods ---- */

/* Makes the access of the step in cycle `now`; returns the answer. */
static uint64_t loop_period_access(struct core *c, const struct loop_period_step *s, uint64_t now, uint64_t ea)
{
	const struct access *a = &s->node->access;
	struct mem_answer answer;

	if (s->node->step == STEP_LOAD) {
		answer = memsys_load(c->mem, now, ea, a->size);
		return access_word(&answer, now) << LOAD_ACCESS | answer_match(s->edge->answer);
	}
	switch (s->node->step == STEP_STORE ? REQUEST_STORE : (enum request_kind)s->node->request) {
	case REQUEST_LOAD_RETRY: answer = memsys_load_again(c->mem, now, ea, a->size, a->known); break;
	case REQUEST_STORE_PREFETCH: answer = memsys_store_prefetch(c->mem, now, ea, a->known); break;
	default: answer = memsys_store(c->mem, now, ea, a->size, a->known); break;
	}
	return access_word(&answer, now) << (s->node->step == STEP_STORE ? STORE_ACCESS : 0);
}

/*
 * Makes the accesses of the loop period that begins in cycle `begin`, up to one whose answer, or line, is another:
 * returns its number in loop_period.make.
 */
static unsigned loop_period_make(struct core *c, const struct loop_period *l, uint64_t begin, uint64_t *ret_answer)
{
	const uint64_t now = c->now;
	unsigned n;

	for (n = 0; n < l->made; n++) {
		const struct loop_period_step *s = &l->step[l->make[n]];
		uint64_t ea = s->ea + l->shift, answer;
		struct loop_period_line after;

		if (s->kind == LOOP_PERIOD_STORE_HIT) {
			*cache_quick(&c->mem->l1d.cache, ea ^ c->mem->space) |= LINE_DIRTY;
			continue;
		}
		c->now = begin + s->at;
		answer = loop_period_access(c, s, c->now, ea);
		after = loop_period_line_of(c, ea);
		if (answer == s->edge->answer && loop_period_same_line(&after, &s->after) &&
		    l->invalidated == loop_period_invalidated(c))
			continue;
		*ret_answer = answer;
		break;
	}
	c->now = now;
	return n;
}

static void loop_period_translate(struct core *c, uint64_t ea)
{
	if (!tlb_hit_fast(&c->mem->dtlb, c->now, ea ^ c->mem->space))
		bug("a loop period has lost a page");
}

/* Counts accesses that were not made. */
static void loop_period_count(struct core *c, uint64_t loads, uint64_t merged, uint64_t stores, uint64_t in_time)
{
	struct memsys_stats *s = &c->mem->stats;

	c->memo->in_flight.hits.loads += loads;
	c->memo->in_flight.hits.stores += stores;
	s->l1d_loads += merged;
	s->l1d_load_merged += merged;
	s->l1d_stores_ahead_in_time += in_time;
}

/* Adds `distance` to the addresses of the accesses in flight, and of those before them. */
static void loop_period_move_in_flight(struct core *c, uint64_t distance)
{
	struct in_flight *f = &c->memo->in_flight;

	if (f->dispatched != f->written)
		in_flight_filter(f, c, f->written, f->dispatched - f->written, -1);
	for (uint32_t n = 0; n <= f->mask; n++) {
		const struct in_flight_store *s = &f->store[n];

		f->ea[n] += distance;
		f->store[n] = in_flight_store_of(s->ea + distance, s->number, s->size);
	}
	if (f->dispatched != f->written)
		in_flight_filter(f, c, f->written, f->dispatched - f->written, 1);
	if (c->array)
		array_in_flight_shift(f, c, distance);
}

static void loop_period_move_feed(struct core *c, const struct loop_period *l, uint64_t loop_periods)
{
	struct feed *f = &c->front.feed;

	trace_skip_repeats(f->reader, loop_periods * l->iterations);
	f->simulated += loop_periods * l->iterations * f->now->block->count;
	if (l->transfers)
		c->front.fetch.target_cycle += loop_periods * l->cycles;
	bpred_count_settled(c->bpred, l->transfer_flags, l->taken, loop_periods * l->transfers);
}

/*
 * Goes on by loop periods whose accesses are made. Numbers of accesses and stores in flight stay as they are: only
 * their differences count.
 */
static void loop_period_take(struct core *c, struct loop_period *l, uint64_t loop_periods)
{
	struct memo *m = c->memo;
	uint64_t last = c->now + (loop_periods - 1) * l->cycles;

	loop_period_move_in_flight(c, loop_periods * l->distance);
	loop_period_move_feed(c, l, loop_periods);
	for (unsigned n = 0; n < l->endings; n++)
		replay_visited(m, l->ending[n]->edge->ending, loop_periods - 1);
	for (unsigned n = 0; n < l->endings; n++)
		replay_arrive(c, l->ending[n]->edge->ending, last + l->ending[n]->at + l->ending[n]->edge->advance);
	c->counters.stats.fetch_groups += loop_periods * l->fetches;
	m->in_flight.hits.fetches += loop_periods * l->fetches;
	loop_period_count(c, loop_periods * l->load_hits, loop_periods * l->merged, loop_periods * l->store_hits,
			  loop_periods * l->in_time);
	m->stats.visits += loop_periods * l->visits;
	m->stats.loop_periods += loop_periods;
	m->stats.lines += loop_periods * l->line_requests;
	m->unchecked += m->check ? loop_periods * l->endings : 0;
	c->now += loop_periods * l->cycles;
	for (unsigned n = 0; n < l->pages; n++) {
		l->page[n] += loop_periods * l->distance;
		loop_period_translate(c, l->page[n]);
	}
	l->left -= loop_periods;
}

/* Fetches the group of a step, which has hit L1I; the access that differs may have evicted it since. */
static void loop_period_fetch(struct core *c, const struct node *n)
{
	if ((uintptr_t)group_fetch_hit(c) != n->first.answer)
		bug("a loop period fetches another group");
	c->memo->in_flight.hits.fetches++;
}

/* Catches up with a step before the one that differs: all but the access, which is made. */
static void loop_period_catch_up(struct core *c, const struct loop_period *l, const struct loop_period_step *s)
{
	struct in_flight *f = &c->memo->in_flight;
	struct node *n = s->node;
	uint64_t ea = s->ea + l->shift;

	if (s->kind == LOOP_PERIOD_FETCH)
		loop_period_fetch(c, n);
	if (!loop_period_at_port(s))
		return;
	if (n->step == STEP_STORE || n->step == STEP_PORT ||
	    (n->step == STEP_LOAD && !answer_is_store(s->edge->answer)))
		in_flight_port(f, c, n->ports, ea, n->access.size);
	if (s->translates)
		loop_period_translate(c, ea);
	loop_period_count(c, s->kind == LOOP_PERIOD_LOAD_HIT, s->kind == LOOP_PERIOD_LOAD_MERGED,
			  s->kind == LOOP_PERIOD_STORE_HIT,
			  s->kind == LOOP_PERIOD_STORE_HIT && n->access.known & MEM_REQUESTED);
}

/* Leaves the loop period at step `number`, which has another answer. */
static enum replayed loop_period_leave(struct core *c, struct replay_place *at, unsigned number, uint64_t answer,
				       uint64_t end)
{
	const struct loop_period *l = &c->memo->loop_period;

	for (unsigned n = 0; n < number; n++) {
		loop_period_catch_up(c, l, &l->step[n]);
		if (replay_edge(c, at, l->step[n].edge, end) != REPLAY_GOES_ON)
			bug("a loop period ends behind the turn");
	}
	loop_period_catch_up(c, l, &l->step[number]);
	return replay_answered(c, at, answer, end);
}

/* periods_most, while the loop lasts. */
static uint64_t loop_period_most(struct core *c, const struct loop_period *l, uint64_t end)
{
	uint64_t most = earlier(l->left, periods_most(c, l->cycles, l->endings, end));

	if (c->memdep) /* up to the place where its tables are cleared */
		most = earlier(most, (memdep_clear_in(c->memdep, trace_position(c->front.feed.reader)) - 1) /
					     (l->iterations * c->front.feed.now->block->count));
	return most;
}

/* loop_period_make_all of a loop period whose requests are of lines. */
static uint64_t loop_period_make_lines(struct core *c, struct loop_period *l, uint64_t most, unsigned *ret_number,
				       uint64_t *ret_answer)
{
	uint64_t done = transfers_run(c, c->now + l->first_line, l->line_step, l->line_steps, most, ret_answer);
	uint64_t loop_periods = done / l->line_steps;

	*ret_number = loop_periods < most ? l->line_at[done % l->line_steps] : l->steps;
	l->shift += (loop_periods + (loop_periods < most)) * l->distance;
	return loop_periods;
}

/*
 * Makes the accesses of at most `most` loop periods, and returns the number of those that are whole. *ret_number: the
 * step with another answer; loop_period.steps: none.
 */
static uint64_t loop_period_make_all(struct core *c, struct loop_period *l, uint64_t most, unsigned *ret_number,
				     uint64_t *ret_answer)
{
	uint64_t loop_periods = 0;
	unsigned n;

	if (l->line_steps)
		return loop_period_make_lines(c, l, most, ret_number, ret_answer);
	do {
		l->shift += l->distance;
		n = loop_period_make(c, l, c->now + loop_periods * l->cycles, ret_answer);
	} while (n == l->made && ++loop_periods < most);
	*ret_number = n < l->made ? l->make[n] : l->steps;
	return loop_periods;
}

/* *ret_loop_periods: loop periods in one go. */
static enum replayed loop_period_run(struct core *c, struct replay_place *at, uint64_t end, uint64_t *ret_loop_periods)
{
	struct loop_period *l = &c->memo->loop_period;
	uint64_t answer = 0, most;

	for (*ret_loop_periods = 0; (most = loop_period_most(c, l, end));) {
		unsigned number;
		uint64_t loop_periods = loop_period_make_all(c, l, most, &number, &answer);

		if (loop_periods)
			loop_period_take(c, l, loop_periods);
		*ret_loop_periods += loop_periods;
		if (number < l->steps)
			return loop_period_leave(c, at, number, answer, end);
	}
	return REPLAY_GOES_ON;
}

enum replayed loop_period_replay(struct core *c, struct replay_place *at, uint64_t end)
{
	struct loop_period *l = &c->memo->loop_period;
	bool learned = false;
	uint64_t loop_periods = 0;
	enum replayed how = REPLAY_GOES_ON;

	if (loop_period_measure(c, l)) {
		how = loop_period_learn(c, at, end, &learned);
	} else if (c->array) { /* its loops are short, and come again after waits for transfers */
		l->try_at = c->now + WAIT_NO_LOOP;
		return how;
	}
	if (learned)
		how = loop_period_run(c, at, end, &loop_periods);
	l->failures = loop_periods >= LOOP_PERIODS_LEAST ? 0 : l->failures + 1;
	if (l->failures <= LOOP_PERIOD_FAILURES)
		l->wait = WAIT_LEAST;
	else if (l->wait < WAIT_MOST)
		l->wait *= 2;
	l->try_at = c->now + l->wait;
	return how;
}

/* ---- runs of lines ---- */
static bool is_begin(const struct line_round *r, const struct node *n, const struct edge *e)
{
	return r->steps && r->node[0] == n && r->edge[0] == e;
}

bool line_run_note_quiet(struct core *c, struct node *n, const struct edge *e)
{
	struct line_run *r = &c->memo->line_run;
	struct line_round *p = &r->past;

	if (c->now >= r->try_at && is_begin(&r->round, n, e))
		return r->ready = true;
	if (p->steps && p->edge[p->steps - 1]->next == n && is_begin(p, n, e)) {
		r->round = *p;
		p->steps = 0;
		return r->ready = true;
	}
	if (p->steps == LINE_STEPS || (p->steps && p->edge[p->steps - 1]->next != n))
		p->steps = 0;
	p->node[p->steps] = n;
	p->edge[p->steps++] = e;
	return false;
}

/* The step of the round at which replay is; its number of steps: none. */
static unsigned step_here(const struct line_round *r, const struct node *n)
{
	unsigned at = 0;

	while (at < r->steps && r->node[at] != n)
		at++;
	return at;
}

/* Writes the steps of the round from number `from` on; returns its cycles. */
static uint64_t steps_from(const struct line_round *r, unsigned from, struct line_step *ret)
{
	uint64_t cycles = 0;

	for (unsigned n = 0, at = from; n < r->steps; n++, at = at + 1 == r->steps ? 0 : at + 1) {
		const struct edge *e = r->edge[at];

		ret[n] = (struct line_step){e->answer, e->advance, r->node[at]->step == STEP_FIRST_LINE};
		cycles += e->advance;
	}
	return cycles;
}

static unsigned endings_of(const struct line_round *r)
{
	unsigned endings = 0;

	for (unsigned n = 0; n < r->steps; n++)
		endings += (r->edge[n]->moves & MOVES_ENDING) != 0;
	return endings;
}

/* Goes on by rounds whose requests are made, from step `from` on. */
static void take_rounds(struct core *c, const struct line_round *r, unsigned from, uint64_t rounds, uint64_t cycles)
{
	struct memo *m = c->memo;
	uint64_t now = c->now + (rounds - 1) * cycles;
	unsigned visits = 0, lines = 0;

	for (unsigned n = 0; n < r->steps; n++)
		if (r->edge[n]->moves & MOVES_ENDING)
			replay_visited(m, r->edge[n]->ending, rounds - 1);
	for (unsigned n = 0, at = from; n < r->steps; n++, at = at + 1 == r->steps ? 0 : at + 1) {
		const struct edge *e = r->edge[at];

		now += e->advance;
		visits += e->advance != 0;
		lines += r->node[at]->step == STEP_LINE;
		if (e->moves & MOVES_ENDING)
			replay_arrive(c, e->ending, now);
	}
	m->stats.visits += rounds * visits;
	m->stats.lines += rounds * lines;
	m->unchecked += m->check ? rounds * endings_of(r) : 0;
	c->now += rounds * cycles;
}

enum replayed line_run_replay(struct core *c, struct replay_place *at, uint64_t end)
{
	struct line_run *r = &c->memo->line_run;
	const struct line_round *l = &r->round;
	struct line_step step[LINE_STEPS];
	unsigned from = step_here(l, at->node), left;
	uint64_t answer = 0, most, done, cycles, rounds = 0;

	r->ready = false;
	if (from == l->steps)
		return REPLAY_GOES_ON;
	cycles = steps_from(l, from, step);
	while ((most = periods_most(c, cycles, endings_of(l), end))) {
		done = transfers_run(c, c->now, step, l->steps, most, &answer);
		rounds += done / l->steps;
		left = (unsigned)(done % l->steps);
		if (done >= l->steps)
			take_rounds(c, l, from, done / l->steps, cycles);
		if (done == most * l->steps)
			continue;
		for (unsigned n = 0; n < left; n++)
			if (replay_edge(c, at, l->edge[(from + n) % l->steps], end) != REPLAY_GOES_ON)
				bug("a run of lines ends behind the turn");
		r->try_at = rounds ? 0 : c->now + LINES_WAIT;
		return replay_answered(c, at, answer, end);
	}
	r->try_at = rounds ? 0 : c->now + LINES_WAIT;
	return REPLAY_GOES_ON;
}
