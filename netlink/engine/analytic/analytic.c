#include "analytic_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "../net_config.h"

/* ---- messages by number ---- */

static int in_flight_create(struct in_flight_rows *f, uint64_t room, struct err *e)
{
	*f = (struct in_flight_rows){.at = mem_alloc(room, sizeof(*f->at), e), .mask = room - 1};
	return f->at ? 0 : -1;
}

/* Doubles the rows: numbers in different rows stay in different rows. */
int analytic_widen(struct in_flight_rows *f, struct err *e)
{
	struct in_flight_rows wide;

	if (in_flight_create(&wide, 2 * (f->mask + 1), e) < 0)
		return -1;
	for (uint64_t i = 0; i <= f->mask; i++)
		if (f->at[i].used)
			wide.at[f->at[i].number & wide.mask] = f->at[i];
	wide.next = f->next;
	wide.used = f->used;
	free(f->at);
	*f = wide;
	return 0;
}

static inline void give_row(struct in_flight_rows *f, struct in_flight *row)
{
	row->used = false;
	f->used--;
}

/* ---- order of messages of a pair ---- */

/* Finds the row of a pair, or an empty one. */
static struct pair *analytic_find_pair(struct pair *pairs, size_t room, const struct pair *x)
{
	uint64_t nodes = (uint64_t)x->src << 32 | x->dst, ends = (uint64_t)x->from << 32 | x->to;
	size_t i = hash_two(nodes, ends);

	for (;; i++) {
		struct pair *p = &pairs[i & (room - 1)];

		if (!p->last_ps || (p->src == x->src && p->dst == x->dst && p->from == x->from && p->to == x->to))
			return p;
	}
}

/* Grows the table and drops pairs whose latest message has arrived. */
static int more_pairs(struct net_engine *n, struct err *e)
{
	size_t alive = 0, room = 64;
	struct pair *pairs;

	for (size_t i = 0; i < n->pairs_room; i++)
		alive += n->pairs[i].last_ps > n->now_ps;
	while (room < 4 * (alive + 1))
		room *= 2;
	pairs = mem_alloc(room, sizeof(*pairs), e);
	if (!pairs)
		return -1;
	for (size_t i = 0; i < n->pairs_room; i++) {
		const struct pair *p = &n->pairs[i];

		if (p->last_ps > n->now_ps)
			*analytic_find_pair(pairs, room, p) = *p;
	}
	free(n->pairs);
	n->pairs = pairs;
	n->pairs_room = room;
	n->pairs_used = alive;
	return 0;
}

static int analytic_share(struct shared *s, double bandwidth, unsigned lanes, uint32_t nodes, struct err *e)
{
	if (!(bandwidth > 0))
		return 0;
	s->ps_per_byte = 1e12 / bandwidth;
	s->lanes = lanes;
	s->free_ps = mem_alloc((size_t)nodes * lanes, sizeof(*s->free_ps), e);
	return s->free_ps ? 0 : -1;
}

struct analytic_node analytic_node(const struct net_setup *setup)
{
	const struct net_node_params *p = &setup->config->node;

	return (struct analytic_node){.nic = p->injection, .nics = 1, .memory = p->memory};
}

struct net_engine *analytic_create(const struct net_setup *setup, const struct analytic_node *node, delay_fn *delay,
				   void *model, void (*drop)(void *model), struct err *e)
{
	uint32_t nodes = setup->topology->nodes;
	struct net_engine *n = mem_alloc(1, sizeof(*n), e);

	if (!n) {
		drop(model);
		return NULL;
	}
	n->topology = setup->topology;
	n->delay = delay;
	n->model = model;
	n->drop = drop;
	n->ordered = node->ordered;
	n->least_ps = node->least_ps;
	if (calendar_init(&n->events, false, e) == 0 && in_flight_create(&n->waiting, ROWS_FIRST, e) == 0 &&
	    in_flight_create(&n->injected, ROWS_FIRST, e) == 0 &&
	    analytic_share(&n->out, node->nic, node->nics, nodes, e) == 0 &&
	    analytic_share(&n->in, node->nic, node->nics, nodes, e) == 0 &&
	    analytic_share(&n->memory, node->memory, 1, nodes, e) == 0)
		return n;
	analytic_destroy(n);
	return NULL;
}

void analytic_destroy(struct net_engine *n)
{
	if (!n)
		return;
	n->drop(n->model);
	calendar_finish(&n->events);
	free(n->waiting.at);
	free(n->injected.at);
	free(n->pairs);
	free(n->out.free_ps);
	free(n->in.free_ps);
	free(n->memory.free_ps);
	free(n->batch.at);
	free(n->divided);
	free(n);
}

/*
 * Messages are mostly sent in the order of time and sender: then those of one instant are in order. They are injected
 * in this order too, unless one is sent at an instant whose messages may be on their way already: its sender has waited
 * for a message that took no time. It and those that wait have the next numbers.
 */
static inline void note_order(struct net_engine *n, int64_t time_ps, uint32_t from)
{
	if (time_ps > n->last_ps || (time_ps == n->last_ps && from >= n->last_from)) {
		n->last_ps = time_ps;
		n->last_from = from;
		return;
	}
	n->disordered = true;
	n->disorder_ps = n->last_ps;
	if (time_ps <= n->now_ps)
		n->in_order_from = n->injected.next + n->waiting.used;
}

/* Returns whether the order of numbers is that of events like the one of `key` at `now`. */
static inline bool is_in_order(const struct net_engine *n, int64_t now, uint64_t key)
{
	if (__builtin_expect(!n->disordered, 1))
		return true;
	if (n->divided)
		return false;
	if (key >> NUMBER_BITS == BEGIN)
		return now > n->disorder_ps;
	return (key & ((UINT64_C(1) << NUMBER_BITS) - 1)) >= n->in_order_from;
}

int analytic_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	struct in_flight *f = analytic_take_row(&n->waiting, e);

	if (!f)
		return -1;
	f->sent_ps = time_ps;
	f->bytes = m->bytes;
	f->id = m->id;
	f->src = m->src;
	f->dst = m->dst;
	f->from = m->from;
	f->to = m->to;
	f->control = m->control;
	f->begun_ps = time_ps;
	f->mark_or_order = m->mark;
	analytic_push(n, time_ps, BEGIN, f->number);
	note_order(n, time_ps, m->from);
	n->sent++;
	n->sent_bytes += m->bytes;
	return n->events.short_of_memory ? mem_short(e) : 0;
}

/* ---- shared resources of nodes ---- */

/* The lane of `node` that is free first. */
static inline int64_t *free_lane(const struct shared *s, uint32_t node)
{
	int64_t *lane = &s->free_ps[(size_t)node * s->lanes], *best = lane;

	for (unsigned i = 1; i < s->lanes; i++)
		if (lane[i] < *best)
			best = &lane[i];
	return best;
}

/*
 * Occupies a lane from `time_ps` on; returns the start. Handshakes have a queue of their own in each NIC: they do
 * not wait for data, but data wait for their bytes.
 */
static inline int64_t take_turn(struct shared *s, uint32_t node, int64_t time_ps, const struct in_flight *f,
				int64_t *end_ps)
{
	int64_t start = time_ps, length, *free_ps;

	*end_ps = time_ps;
	if (!s->free_ps)
		return start;
	free_ps = free_lane(s, node);
	length = analytic_transfer(f->bytes, s->ps_per_byte);
	if (f->control && *free_ps > start) {
		*end_ps = start + length;
		*free_ps += length;
		return start;
	}
	if (*free_ps > start)
		start = *free_ps;
	*end_ps = *free_ps = start + length;
	return start;
}

/*
 * Delays the arrival until the previous message of the pair has arrived; handshakes are ordered among themselves. What
 * is ordered `at_node` is the way through the receiver's NIC, beside the way to it.
 */
static int look_up_order(struct net_engine *n, const struct in_flight *f, bool at_node, int64_t *arrival, struct err *e)
{
	struct pair ends = {f->src, f->dst, f->from | (at_node ? AT_NODE : 0), f->to | (f->control ? CONTROL_PAIR : 0),
			    0},
		    *p;

	if (2 * n->pairs_used >= n->pairs_room && more_pairs(n, e))
		return -1;
	p = analytic_find_pair(n->pairs, n->pairs_room, &ends);
	n->pairs_used += !p->last_ps;
	if (*arrival < p->last_ps)
		*arrival = p->last_ps;
	ends.last_ps = *arrival;
	*p = ends;
	return 0;
}

static inline int keep_order(struct net_engine *n, const struct in_flight *f, bool at_node, int64_t *arrival,
			     struct err *e)
{
	return n->ordered || *arrival <= 0 ? 0 : look_up_order(n, f, at_node, arrival, e);
}

/* ---- stations ---- */

/*
 * Returns the time at which the first byte reaches the node, for a message whose last byte would arrive at `arrival`.
 */
static inline int64_t before_node(const struct net_engine *n, const struct in_flight *f, int64_t arrival, int64_t now)
{
	int64_t first = arrival - analytic_transfer(f->bytes, n->in.ps_per_byte);

	return first > now ? first : now;
}

/* Injects a message of those that wait, by its number there. 1 if it has left at once, 0, or < 0 with `e`. */
static int analytic_begin(struct net_engine *n, int64_t now, uint64_t number, struct net_notice *out, struct err *e)
{
	struct in_flight *w = &n->waiting.at[number & n->waiting.mask], *f = analytic_take_row(&n->injected, e);
	uint64_t mark = w->mark_or_order;
	int64_t delay, left, start, arrival;
	bool within = w->src == w->dst;
	enum station next = n->in.free_ps && !within ? IN : DONE;

	if (!f)
		return -1;
	number = f->number;
	*f = *w;
	f->number = f->mark_or_order = number;
	f->away = analytic_is_away(n, f->dst);
	give_row(&n->waiting, w);
	delay = n->delay(n->model, n->topology, f->src, f->dst, f->bytes);
	start = take_turn(within ? &n->memory : &n->out, f->src, now, f, &left);
	arrival = start > NET_TIME_NEVER - 1 - delay ? NET_TIME_NEVER - 1 : start + delay;
	if (arrival < left)
		arrival = left;
	if (keep_order(n, f, false, &arrival, e) < 0)
		return -1;
	if (left > now)
		analytic_push(n, left, OUT, number);
	if (next == IN)
		arrival = before_node(n, f, arrival, now);
	if (!f->away)
		analytic_push(n, arrival, next, number);
	else if (analytic_hand_over(n, arrival, next, f, mark, e) < 0)
		return -1;
	*out = (struct net_notice){now, f->id, NET_SENT};
	if (f->away && left == now)
		give_row(&n->injected, f);
	return left == now;
}

static void analytic_arrive(struct net_engine *n, int64_t now, struct in_flight *f)
{
	int64_t took = now - f->sent_ps;

	n->delivered++;
	n->delay_sum_ps += (uint64_t)took;
	if (took > n->delay_max_ps)
		n->delay_max_ps = took;
	give_row(&n->injected, f);
}

/*
 * A message's first byte reaches its node and occupies an ejection lane as soon as one is free. 1 if no bytes
 * remain, so that it has arrived, 0, or < 0 with `e`.
 */
static int analytic_enter(struct net_engine *n, int64_t now, struct in_flight *f, struct err *e)
{
	bool free = *free_lane(&n->in, f->dst) < now;
	int64_t end;

	take_turn(&n->in, f->dst, now, f, &end);
	if (keep_order(n, f, true, &end, e) < 0)
		return -1;
	if (end == now && (free || f->control)) { /* otherwise in the order of this instant's arrivals */
		analytic_arrive(n, now, f);
		return 1;
	}
	analytic_push(n, end, DONE, f->number);
	return 0;
}

/* Handles the event of a key. 1: *out is a notice; 0: no notice; < 0 with `e`. */
static inline int handle(struct net_engine *n, int64_t now, uint64_t key, struct net_notice *out, struct err *e)
{
	enum station station = (enum station)(key >> NUMBER_BITS);
	struct in_flight *f;

	if (station == BEGIN)
		return analytic_begin(n, now, key, out, e);
	f = &n->injected.at[key & n->injected.mask]; /* the mask has fewer bits than a number */
	*out = (struct net_notice){now, f->id, station == OUT ? NET_SENT : NET_DELIVERED};
	if (station == IN)
		return analytic_enter(n, now, f, e);
	if (station == DONE)
		analytic_arrive(n, now, f);
	else if (f->away)
		give_row(&n->injected, f);
	return 1;
}

/* ---- order at one instant ---- */

/* By injection, then by sender, and in the sender's order: whatever process has which message. */
static int by_injection(const void *a, const void *b)
{
	const struct analytic_event *f = a, *g = b;

	if (f->begun_ps != g->begun_ps)
		return f->begun_ps < g->begun_ps ? -1 : 1;
	if (f->from != g->from)
		return f->from < g->from ? -1 : 1;
	return f->order < g->order ? -1 : f->order > g->order;
}

/* Doubles the room of the batch. False: memory is short. */
static bool more_batch(struct net_engine *n)
{
	uint32_t room = 2 * n->batch.room + 64;
	struct analytic_event *at = mem_resize(n->batch.at, room, sizeof(*at), NULL);

	if (!at) {
		n->events.short_of_memory = true;
		return false;
	}
	n->batch.at = at;
	n->batch.room = room;
	return true;
}

/* Appends the event of `key`, of instant `now`, to the batch. *sorted becomes false if it precedes the one before. */
static inline bool batch_add(struct net_engine *n, int64_t now, uint64_t key, bool *sorted)
{
	uint64_t number = key & ((UINT64_C(1) << NUMBER_BITS) - 1);
	struct analytic_event *x;
	const struct in_flight *f;

	if (n->batch.count == n->batch.room && !more_batch(n))
		return false;
	x = &n->batch.at[n->batch.count++];
	if (key >> NUMBER_BITS == BEGIN) {
		f = &n->waiting.at[number & n->waiting.mask];
		*x = (struct analytic_event){now, number, key, f->from};
		*sorted &= x == n->batch.at || x[-1].from <= x->from;
	} else {
		f = &n->injected.at[number & n->injected.mask];
		*x = (struct analytic_event){f->begun_ps, f->mark_or_order, key, f->from};
		*sorted &= x == n->batch.at || by_injection(&x[-1], x) < 0;
	}
	return true;
}

/* Takes the next event if it is one of instant `now` and `station`. Events of stations before it are done. */
static inline bool another(struct net_engine *n, int64_t now, uint64_t station, uint64_t *key)
{
	return calendar_pop_at(&n->events, now, (station + 1) << NUMBER_BITS, key);
}

/* Makes a batch of events `key` and `next` and all others of their instant and station. False: memory is short. */
static bool take_batch(struct net_engine *n, int64_t now, uint64_t key, uint64_t next)
{
	bool sorted = true;

	n->batch.count = n->batch.done = 0;
	n->batch.time_ps = now;
	if (!batch_add(n, now, key, &sorted))
		return false;
	do {
		if (!batch_add(n, now, next, &sorted))
			return false;
	} while (another(n, now, key >> NUMBER_BITS, &next));
	if (!sorted)
		qsort(n->batch.at, n->batch.count, sizeof(*n->batch.at), by_injection);
	return true;
}

/*
 * Takes the next event up to `until_ps`; returns whether there is one. The calendar has events of one instant and
 * station in the order of their numbers. They must be sorted if that is another one. With several processes all are.
 */
static inline bool analytic_next_event(struct net_engine *n, int64_t until_ps, int64_t *now, uint64_t *key)
{
	uint64_t next;

	if (n->batch.done == n->batch.count) {
		struct event event = calendar_take(&n->events, until_ps);

		if (event.time == INT64_MAX)
			return false;
		*now = event.time;
		*key = event.key;
		if (is_in_order(n, *now, *key) || !another(n, *now, *key >> NUMBER_BITS, &next))
			return true;
		if (!take_batch(n, *now, *key, next))
			return false;
	}
	*now = n->batch.time_ps;
	*key = n->batch.at[n->batch.done++].key;
	return true;
}

/*
 * The caller has no room for more notices, and may send before it takes them: other events of the last one's instant
 * and station precede what it sends.
 */
static void keep_station(struct net_engine *n, uint64_t station)
{
	uint64_t key, next;

	if (n->batch.done < n->batch.count || !another(n, n->now_ps, station, &key))
		return;
	if (another(n, n->now_ps, station, &next)) {
		take_batch(n, n->now_ps, key, next);
	} else {
		bool sorted = true;

		n->batch.count = n->batch.done = 0;
		n->batch.time_ps = n->now_ps;
		batch_add(n, n->now_ps, key, &sorted);
	}
}

int64_t analytic_next_time(const struct net_engine *n)
{
	return n->batch.done < n->batch.count ? n->batch.time_ps : calendar_time(&n->events);
}

int analytic_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e)
{
	unsigned count = 0;
	uint64_t key;
	int64_t now;

	/* a later instant is taken when its turn comes: the caller may send before it */
	while (analytic_next_event(n, count ? n->now_ps : until_ps, &now, &key)) {
		int added;

		n->now_ps = now;
		added = handle(n, now, key, &out[count], e);
		if (added < 0)
			return -1;
		n->handled++;
		count += (unsigned)added;
		if (count == max) {
			keep_station(n, key >> NUMBER_BITS);
			break;
		}
	}
	if (!count)
		n->now_ps = until_ps;
	return n->events.short_of_memory ? mem_short(e) : (int)count;
}

void analytic_report(const struct net_engine *n, struct report *r)
{
	report_group(r, "messages", "messages, whose times are independent");
	report_u64(r, "sent", n->sent, "", "messages sent");
	report_u64(r, "delivered", n->delivered, "", "messages delivered");
	report_u64(r, "bytes", n->sent_bytes, "bytes", "bytes of messages sent");
	report_f64(r, "mean_delay", n->sent ? (double)n->delay_sum_ps / (double)n->sent / 1e12 : 0, "s",
		   "time from send to arrival, mean");
	report_f64(r, "max_delay", (double)n->delay_max_ps / 1e12, "s", "time from send to arrival, maximum");
	report_end(r);
}

int analytic_verify(const struct net_engine *n, struct err *e)
{
	bool all = !n->divided || n->divided->gathered;

	if (!n->waiting.used && !n->injected.used && (!all || n->sent == n->delivered))
		return 0;
	return err_set(e, STATUS_FAILED, "%" PRIu64 " messages sent, %" PRIu64 " delivered", n->sent, n->delivered);
}
