/*
 * The driver: processes the ranks' queues and sends their messages through an engine.
 *
 * A rank advances until it blocks; it then waits for one condition (completion of a send, a
 * message, a time), and only an event that meets it resumes the rank. Order within an instant: the
 * engine's notices in its order, then pauses that end, by rank.
 */
#include <inttypes.h>
#include <string.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "driver_state.h"

#define INLINE static inline __attribute__((always_inline))

enum { NOTICES = 256, TICK_EVERY = 4096 };

static uint64_t pair_key(uint32_t dst, uint32_t src)
{
	return (uint64_t)dst << 32 | src;
}

/* ---- timers ---- */

static bool driver_sooner(const struct timer *a, const struct timer *b)
{
	return a->time_ps != b->time_ps ? a->time_ps < b->time_ps : a->rank < b->rank;
}

HEAP(timers, struct timer, driver_sooner)

static int set_timer(struct driver *d, int64_t time_ps, uint32_t rank, struct err *e)
{
	if (vec_reserve(&d->timers, 1, e))
		return -1;
	timers_push(d->timers.at, d->timers.count++, (struct timer){time_ps, rank});
	return 0;
}

/* ---- a rank's processor: one message after the other, in the order of sends and arrivals ---- */

/* Returns whether messages take none of its time. */
static bool is_idle(const struct traffic *t)
{
	return !t->overhead && t->copy <= 0;
}

/* Occupies the processor with sending or receiving `bytes`; returns when it is done. */
static int64_t process(struct driver *d, uint32_t rank, uint64_t bytes)
{
	const struct traffic *t = d->traffic;
	struct rank_state *r = &d->rank[rank];
	double copying = t->copy > 0 ? (double)bytes / t->copy * 1e12 : 0;

	if (is_idle(t))
		return d->now_ps;
	if (r->free_ps < d->now_ps)
		r->free_ps = d->now_ps;
	return r->free_ps += t->overhead + (int64_t)(copying + 0.5);
}

/* Resumes the rank with its entry at `time_ps`. */
static int pause_until(struct driver *d, uint32_t rank, int64_t time_ps, struct err *e)
{
	d->rank[rank].wait = WAIT_TIME;
	return set_timer(d, time_ps, rank, e);
}

/* ---- a rank's entries ---- */

/* The batch of a time in an open loop; NULL: it is in none. */
static struct traffic_batch *batch_at(const struct driver *d, int64_t time_ps)
{
	struct traffic_window *w = &d->result->window;
	int64_t after = time_ps - w->begin_ps;

	if (!w->batch_ps || after < 0 || after / w->batch_ps >= TRAFFIC_BATCHES)
		return NULL;
	return &w->batch[after / w->batch_ps];
}

static int driver_send(struct driver *d, uint32_t rank, const struct traffic_entry *x, struct err *e)
{
	struct traffic_batch *batch = batch_at(d, d->now_ps);
	uint32_t id = slots_take(&d->flights, e);
	struct net_message m = {
		.id = id,
		.src = d->s->node_of[rank],
		.dst = d->s->node_of[x->peer],
		.nic = x->nic,
		.bytes = x->bytes,
		.gap_ps = x->ps,
		.from = rank,
		.to = x->peer,
		.mark = (uint64_t)d->now_ps,
	};

	if (id == SLOT_NONE)
		return -1;
	d->flights.at[id] = (struct flight){
		.src = rank,
		.dst = x->peer,
		.sent_ps = d->now_ps,
		.bytes = x->bytes,
		.notices = driver_has(d, x->peer) ? 2 : 1,
	};
	d->rank[rank].active++;
	d->result->rank[rank].sent++;
	d->result->rank[rank].sent_bytes += x->bytes;
	d->result->rank[rank].last_ps = d->now_ps;
	if (batch) {
		batch->sent_bytes += x->bytes;
		d->result->detail->sender[rank].sent[batch - d->result->window.batch]++;
	}
	if (d->s->matrix && comm_matrix_add(d->s->matrix, rank, x->peer, x->bytes, 1, e))
		return -1;
	return d->s->kind->send(d->s->engine, process(d, rank, x->bytes), &m, e);
}

/* Executes the entry; WAIT_NONE if the rank may advance to the next, -1 with `e`. */
static int do_entry(struct driver *d, uint32_t rank, const struct traffic_entry *x, struct err *e)
{
	struct rank_state *r = &d->rank[rank];
	int64_t begin;

	switch (x->kind) {
	case TRAFFIC_SEND:
		if (driver_send(d, rank, x, e))
			return -1;
		if (r->active < d->outstanding)
			return WAIT_NONE;
		r->entry++; /* completed by the first of them */
		return WAIT_SEND;
	case TRAFFIC_SENDS: return r->active ? WAIT_SENDS : WAIT_NONE;
	case TRAFFIC_RECEIVE:
		r->peer = x->peer;
		if (!tally_take(&d->arrived, pair_key(rank, x->peer)))
			return WAIT_RECEIVE;
		if (r->free_ps <= d->now_ps)
			return WAIT_NONE;
		r->entry++; /* completed by the message */
		return pause_until(d, rank, r->free_ps, e) ? -1 : WAIT_TIME;
	case TRAFFIC_PAUSE:
		if (!x->ps)
			return WAIT_NONE;
		begin = r->free_ps > d->now_ps ? r->free_ps : d->now_ps;
		if (x->ps > NET_TIME_NEVER - 1 - begin)
			return err_set(e, STATUS_USAGE,
				       "traffic: a pause of rank %" PRIu32
				       " ends after the largest time, expected times up to 106 days",
				       rank);
		r->entry++; /* completed when the time has come */
		if (!is_idle(d->traffic))
			r->free_ps = begin + x->ps;
		return pause_until(d, rank, begin + x->ps, e) ? -1 : WAIT_TIME;
	}
	return WAIT_NONE;
}

/* Returns whether a step has nothing to do. */
static bool is_empty_step(const struct traffic_entry *entry, unsigned count)
{
	return count == 1 && entry->kind == TRAFFIC_PAUSE && !entry->ps;
}

/* Advances a rank until it blocks. In a pattern without an end a rank is over after a round of empty steps. */
static int advance_rank(struct driver *d, uint32_t rank, struct err *e)
{
	struct rank_state *r = &d->rank[rank];
	struct traffic_entry entry[TRAFFIC_STEP_MAX];
	unsigned count = traffic_step(d->traffic, rank, r->step, entry);
	uint64_t empty = 0;
	int wait = WAIT_NONE;

	while (wait == WAIT_NONE) {
		if (r->entry >= count) {
			if (!count)
				break;
			if (d->traffic->endless) {
				empty = is_empty_step(entry, count) ? empty + 1 : 0;
				if (empty > d->traffic->steps) {
					count = 0;
					break;
				}
			}
			r->entry = 0;
			count = traffic_step(d->traffic, rank, ++r->step, entry);
			continue;
		}
		wait = do_entry(d, rank, &entry[r->entry], e);
		if (wait < 0)
			return -1;
		r->entry += wait == WAIT_NONE;
	}
	r->wait = count ? (enum wait_kind)wait : WAIT_OVER;
	d->result->rank[rank].end_ps = r->free_ps > d->now_ps ? r->free_ps : d->now_ps;
	return 0;
}

/* ---- events ---- */

static void count_latency(struct driver *d, int64_t took)
{
	struct traffic_result *x = d->result;

	if (!x->messages || took < x->latency_min_ps)
		x->latency_min_ps = took;
	if (took > x->latency_max_ps)
		x->latency_max_ps = took;
	x->latency_sum_ps += (uint64_t)took;
	x->latency[took > 0 ? 63 - __builtin_clzll((unsigned long long)took) : 0]++;
}

/* Counts a message in the batches of an open loop: that of now, and that of its sending. */
static void count_batches(struct driver *d, const struct flight *f, int64_t took)
{
	const struct traffic_window *w = &d->result->window;
	struct traffic_batch *now = batch_at(d, d->now_ps), *sent = batch_at(d, f->sent_ps);

	if (now) {
		now->delivered_bytes += f->bytes;
		d->result->detail->sender[f->src].delivered[now - w->batch]++;
	}
	if (!sent)
		return;
	sent->messages++;
	sent->latency_sum_ps += (uint64_t)took;
	if (took > sent->latency_max_ps)
		sent->latency_max_ps = took;
	d->result->detail->latency[sent - w->batch][quantile_bin((uint64_t)took)]++;
}

static int driver_delivered(struct driver *d, const struct flight *f, struct err *e)
{
	struct rank_state *r = &d->rank[f->dst];
	struct traffic_rank *sums = &d->result->rank[f->dst];
	int64_t end_ps = process(d, f->dst, f->bytes);

	count_latency(d, end_ps - f->sent_ps);
	d->result->messages++;
	d->result->bytes += f->bytes;
	count_batches(d, f, end_ps - f->sent_ps);
	sums->received++;
	sums->received_bytes += f->bytes;
	sums->end_ps = end_ps;
	if (!d->waits)
		return 0;
	if (r->wait == WAIT_RECEIVE && r->peer == f->src) {
		r->entry++;
		return end_ps > d->now_ps ? pause_until(d, f->dst, end_ps, e) : advance_rank(d, f->dst, e);
	}
	return tally_add(&d->arrived, pair_key(f->dst, f->src), e);
}

static int done(struct driver *d, uint32_t rank, struct err *e)
{
	struct rank_state *r = &d->rank[rank];

	r->active--;
	if (r->wait == WAIT_SEND || (r->wait == WAIT_SENDS && !r->active) || r->wait == WAIT_OVER)
		return advance_rank(d, rank, e);
	return 0;
}

INLINE int take_notice(struct driver *d, const struct net_notice *x, struct err *e)
{
	struct flight f = d->flights.at[x->id];

	d->now_ps = x->time_ps;
	if (!--d->flights.at[x->id].notices)
		slots_give(&d->flights, x->id);
	return x->kind == NET_SENT ? done(d, f.src, e) : driver_delivered(d, &f, e);
}

int driver_notice(struct driver *d, const struct net_notice *x, struct err *e)
{
	return take_notice(d, x, e);
}

int driver_timers(struct driver *d, int64_t now_ps, struct err *e)
{
	d->now_ps = now_ps;
	while (d->timers.count && d->timers.at[0].time_ps <= now_ps)
		if (advance_rank(d, timers_pop(d->timers.at, d->timers.count--).rank, e))
			return -1;
	return 0;
}

/* ---- the run ---- */

int driver_prepare(struct driver *d, const struct traffic_setup *s, struct err *e)
{
	uint32_t ranks = traffic_ranks(s->traffic);

	for (uint32_t i = 0; i < ranks; i++)
		if (s->node_of[i] >= s->topology->nodes)
			return err_set(e, STATUS_USAGE,
				       "rank %" PRIu32 " on node %" PRIu32 ", expected less than %" PRIu32, i,
				       s->node_of[i], s->topology->nodes);
	d->s = s;
	d->traffic = s->traffic;
	d->outstanding = s->traffic->outstanding;
	d->waits = s->traffic->waits;
	d->rank = mem_alloc(ranks, sizeof(*d->rank), e);
	d->result = mem_alloc(1, sizeof(*d->result), e);
	if (!d->rank || !d->result)
		return -1;
	d->result->ranks = ranks;
	d->result->window = (struct traffic_window){
		.begin_ps = s->traffic->measure_ps,
		.batch_ps = s->traffic->batch_ps,
		.warm = s->traffic->measure_ps > 0,
		.given = s->traffic->kind && s->traffic->keys.pattern.window,
		.bytes_per_ps = s->traffic->bytes_per_s * ranks * 1e-12,
	};
	d->result->rank = mem_alloc(ranks, sizeof(*d->result->rank), e);
	d->result->complete = true;
	if (s->traffic->batch_ps)
		d->result->detail = mem_alloc(1, driver_detail_size(ranks), e);
	return d->result->rank && (d->result->detail || !s->traffic->batch_ps) ? 0 : -1;
}

int driver_start(struct driver *d, struct err *e)
{
	for (uint32_t i = 0; i < d->result->ranks; i++)
		if (driver_has(d, i) && advance_rank(d, i, e))
			return -1;
	return 0;
}

int driver_run(struct driver *d, int64_t end_ps, struct err *e)
{
	const struct traffic_setup *s = d->s;
	struct net_notice notices[NOTICES];

	for (;;) {
		bool timer = d->timers.count && d->timers.at[0].time_ps <= end_ps;
		int64_t until = timer ? d->timers.at[0].time_ps : end_ps;
		int count;

		if (!s->exchange && !d->timers.count && s->kind->next_time(s->engine) == NET_TIME_NEVER)
			return 0;
		count = s->kind->advance(s->engine, until, notices, NOTICES, e);
		if (count < 0)
			return -1;
		for (int i = 0; i < count; i++)
			if (take_notice(d, &notices[i], e))
				return -1;
		if (!count && !timer)
			return 0;
		if (!count && driver_timers(d, until, e))
			return -1;
		if (s->tick && ++d->ticks % TICK_EVERY == 0 && !s->tick(s->user, driver_done(d), d->now_ps)) {
			d->result->complete = false;
			return 0;
		}
	}
}

/* Checks that all ranks have ended; reports the first one that has not. */
int driver_end(struct driver *d, struct err *e)
{
	for (uint32_t i = 0; d->result->complete && i < d->result->ranks; i++) {
		const struct rank_state *r = &d->rank[i];

		if (r->wait == WAIT_RECEIVE)
			return err_set(e, STATUS_STUCK,
				       "traffic: rank %" PRIu32 " waits for a message from rank %" PRIu32
				       " in its step %" PRIu64 ", and no message is in flight",
				       i, r->peer, r->step + 1);
		if (r->wait != WAIT_OVER || r->active)
			return err_set(e, STATUS_STUCK,
				       "traffic: rank %" PRIu32 " waits for its sends, and no message is in flight", i);
	}
	for (uint32_t i = 0; i < d->result->ranks; i++)
		if (d->result->rank[i].end_ps > d->result->total_ps)
			d->result->total_ps = d->result->rank[i].end_ps;
	return d->result->complete ? d->s->kind->verify(d->s->engine, e) : 0;
}

void driver_finish(struct driver *d)
{
	traffic_result_destroy(d->result);
	slots_finish(&d->flights);
	vec_finish(&d->timers);
	tally_finish(&d->arrived);
	free(d->rank);
}

static int alone(struct driver *d, struct err *e)
{
	return driver_start(d, e) || driver_run(d, NET_TIME_NEVER - 1, e) ? -1 : 0;
}

struct traffic_result *traffic_run(const struct traffic_setup *s, struct err *e)
{
	struct driver d = {0};
	struct traffic_result *result = NULL;

	if (!driver_prepare(&d, s, e) && !(s->exchange ? driver_together(&d, e) : alone(&d, e)) && !driver_end(&d, e)) {
		result = d.result;
		d.result = NULL;
	}
	driver_finish(&d);
	return result;
}

void traffic_result_destroy(struct traffic_result *r)
{
	if (!r)
		return;
	free(r->rank);
	free(r->detail);
	free(r);
}
