#include "delay.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "config.h"

/*
 * The stations of a message, each an event; at one instant in this order. Where nothing is shared BEGIN is
 * also its OUT, and there is no IN.
 */
enum station {
	BEGIN, /* it is given to the node's way out */
	OUT,   /* its last byte has left: NET_SENT */
	IN,    /* its last byte stands before the node */
	DONE,  /* and is in: NET_DELIVERED */
};
struct delay_event {
	int64_t time_ps;
	uint64_t order;  /* the station in the two highest bits, below it the number of the message */
	uint32_t flight;
};

/* A message under way. */
struct flight {
	int64_t sent_ps;
	uint64_t bytes;
	uint32_t id, src, dst, from, to;
	uint32_t next; /* of the rows that are free: 1 + the next one, 0 at the end */
};

/* When the last message of one to another arrives: an open-addressed table, time 0 where it is empty. */
struct pair {
	uint32_t src, dst, from, to;
	int64_t last_ps;
};

/* What the ranks of a node share: since when it is free, by node; NULL: it is not shared. */
struct shared {
	double ps_per_byte;
	int64_t *free_ps;
};

struct net_engine {
	const struct topology *topology;
	delay_fn *delay;
	void *model;
	void (*drop)(void *model);
	struct vec_of(struct delay_event) heap;
	struct vec_of(struct flight) flights;
	uint32_t free_flight;
	struct pair *pairs;
	size_t pairs_used, pairs_room; /* room: 0 or a power of two */
	struct shared out, in, memory;
	int64_t now_ps;
	uint64_t sent, begun, delivered, sent_bytes;
	int64_t delay_sum_ps, delay_max_ps;
};

static bool before(const struct delay_event *a, const struct delay_event *b)
{
	return a->time_ps != b->time_ps ? a->time_ps < b->time_ps : a->order < b->order;
}

/* There is room for it. */
static void push(struct net_engine *n, struct delay_event x)
{
	struct delay_event *heap = n->heap.at;
	size_t i;

	for (i = n->heap.count++; i && before(&x, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = x;
}

static struct delay_event pop(struct net_engine *n)
{
	struct delay_event *heap = n->heap.at, top = heap[0], x = heap[--n->heap.count];
	size_t i = 0, count = n->heap.count;

	while (2 * i + 1 < count) {
		size_t child = 2 * i + 1;

		if (child + 1 < count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &x))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = x;
	return top;
}

/* The row of those between whom `x` goes, or the empty one for them. */
static struct pair *find_pair(struct pair *pairs, size_t room, const struct pair *x)
{
	uint64_t nodes = (uint64_t)x->src << 32 | x->dst, ends = (uint64_t)x->from << 32 | x->to;
	size_t i = ((nodes * 0x9e3779b97f4a7c15u) ^ (ends * 0xc2b2ae3d27d4eb4fu)) >> 32;

	for (;; i++) {
		struct pair *p = &pairs[i & (room - 1)];

		if (!p->last_ps || (p->src == x->src && p->dst == x->dst && p->from == x->from && p->to == x->to))
			return p;
	}
}

/* A larger table, without the pairs whose last message has arrived. */
static int more_pairs(struct net_engine *n, struct err *e)
{
	size_t alive = 0, room = 64;
	struct pair *pairs;

	for (size_t i = 0; i < n->pairs_room; i++)
		alive += n->pairs[i].last_ps > n->now_ps;
	while (room < 4 * (alive + 1))
		room *= 2;
	pairs = mem_alloc(room, sizeof *pairs, e);
	if (!pairs)
		return -1;
	for (size_t i = 0; i < n->pairs_room; i++) {
		const struct pair *p = &n->pairs[i];

		if (p->last_ps > n->now_ps)
			*find_pair(pairs, room, p) = *p;
	}
	free(n->pairs);
	n->pairs = pairs;
	n->pairs_room = room;
	n->pairs_used = alive;
	return 0;
}

static int share(struct shared *s, double bandwidth, uint32_t nodes, struct err *e)
{
	if (!(bandwidth > 0))
		return 0;
	s->ps_per_byte = 1e12 / bandwidth;
	s->free_ps = mem_alloc(nodes, sizeof *s->free_ps, e);
	return s->free_ps ? 0 : -1;
}

struct net_engine *delay_create(const struct net_setup *setup, delay_fn *delay, void *model,
                                void (*drop)(void *model), struct err *e)
{
	const struct net_node_params *node = &setup->config->node;
	struct net_engine *n = mem_alloc(1, sizeof *n, e);

	if (!n) {
		drop(model);
		return NULL;
	}
	n->topology = setup->topology;
	n->delay = delay;
	n->model = model;
	n->drop = drop;
	if (share(&n->out, node->injection, setup->topology->nodes, e) == 0 &&
	    share(&n->in, node->injection, setup->topology->nodes, e) == 0 &&
	    share(&n->memory, node->memory, setup->topology->nodes, e) == 0)
		return n;
	delay_destroy(n);
	return NULL;
}

void delay_destroy(struct net_engine *n)
{
	if (!n)
		return;
	n->drop(n->model);
	vec_finish(&n->heap);
	vec_finish(&n->flights);
	free(n->pairs);
	free(n->out.free_ps);
	free(n->in.free_ps);
	free(n->memory.free_ps);
	free(n);
}

/* A row for a message; UINT32_MAX with `e` when memory is short. */
static uint32_t take_flight(struct net_engine *n, struct err *e)
{
	uint32_t i = n->free_flight;
	const struct flight *place;

	if (i) {
		n->free_flight = n->flights.at[i - 1].next;
		return i - 1;
	}
	place = vec_push(&n->flights, e);
	return place ? (uint32_t)n->flights.count - 1 : UINT32_MAX;
}

static void give_flight(struct net_engine *n, uint32_t i)
{
	n->flights.at[i].next = n->free_flight;
	n->free_flight = i + 1;
}

static void push_station(struct net_engine *n, int64_t time_ps, enum station s, uint64_t number, uint32_t flight)
{
	push(n, (struct delay_event){time_ps, (uint64_t)s << 62 | number, flight});
}

int delay_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	uint32_t i;

	if (vec_reserve(&n->heap, 1, e) || (i = take_flight(n, e)) == UINT32_MAX)
		return -1;
	n->flights.at[i] = (struct flight){time_ps, m->bytes, m->id, m->src, m->dst, m->from, m->to, 0};
	push_station(n, time_ps, BEGIN, n->sent++, i);
	n->sent_bytes += m->bytes;
	return 0;
}

/* Its turn at what a node shares, from `time_ps` on; returns when it begins. */
static int64_t take_turn(struct shared *s, uint32_t node, int64_t time_ps, uint64_t bytes, int64_t *end_ps)
{
	int64_t start = time_ps;

	*end_ps = time_ps;
	if (!s->free_ps)
		return start;
	if (s->free_ps[node] > start)
		start = s->free_ps[node];
	*end_ps = s->free_ps[node] = start + llrint((double)bytes * s->ps_per_byte);
	return start;
}

/* Not before the one that the same sender sent to the same receiver before it. */
static int keep_order(struct net_engine *n, const struct flight *f, int64_t *arrival, struct err *e)
{
	struct pair ends = {f->src, f->dst, f->from, f->to, 0}, *p;

	if (*arrival <= 0)
		return 0;
	if (2 * n->pairs_used >= n->pairs_room && more_pairs(n, e))
		return -1;
	p = find_pair(n->pairs, n->pairs_room, &ends);
	n->pairs_used += !p->last_ps;
	if (*arrival < p->last_ps)
		*arrival = p->last_ps;
	ends.last_ps = *arrival;
	*p = ends;
	return 0;
}

/* A message sets out. It takes the number in which it does: 1 if it has left at once, 0, < 0 with `e`. */
static int begin(struct net_engine *n, int64_t now, uint32_t i, struct err *e)
{
	const struct flight *f = &n->flights.at[i];
	bool within = f->src == f->dst;
	int64_t delay = n->delay(n->model, n->topology, f->src, f->dst, f->bytes), left, arrival;
	int64_t start = take_turn(within ? &n->memory : &n->out, f->src, now, f->bytes, &left);

	arrival = start > NET_TIME_NEVER - 1 - delay ? NET_TIME_NEVER - 1 : start + delay;
	if (arrival < left)
		arrival = left;
	if (vec_reserve(&n->heap, 2, e) || keep_order(n, f, &arrival, e) < 0)
		return -1;
	if (left > now)
		push_station(n, left, OUT, n->begun, i);
	push_station(n, arrival, n->in.free_ps && !within ? IN : DONE, n->begun, i);
	n->begun++;
	return left == now;
}

/*
 * A message stands before its node: its bytes have come in while they came over the network, if nothing
 * else did at that time.
 */
static int enter(struct net_engine *n, int64_t now, uint64_t number, uint32_t i, struct err *e)
{
	const struct flight *f = &n->flights.at[i];
	int64_t length = llrint((double)f->bytes * n->in.ps_per_byte), end;

	if (vec_reserve(&n->heap, 1, e))
		return -1;
	take_turn(&n->in, f->dst, now - length, f->bytes, &end);
	push_station(n, end, DONE, number, i);
	return 0;
}

/* One event; *out is a notice if the result is 1. 0: none, < 0 with `e`. */
static int handle(struct net_engine *n, struct net_notice *out, struct err *e)
{
	struct delay_event x = pop(n);
	struct flight *f = &n->flights.at[x.flight];
	int told = 1;

	*out = (struct net_notice){x.time_ps, f->id, NET_SENT};
	switch ((enum station)(x.order >> 62)) {
	case BEGIN:
		return begin(n, x.time_ps, x.flight, e);
	case IN:
		told = enter(n, x.time_ps, x.order & (UINT64_MAX >> 2), x.flight, e);
		break;
	case OUT:
		break;
	case DONE:
		out->kind = NET_DELIVERED;
		n->delivered++;
		n->delay_sum_ps += x.time_ps - f->sent_ps;
		if (x.time_ps - f->sent_ps > n->delay_max_ps)
			n->delay_max_ps = x.time_ps - f->sent_ps;
		give_flight(n, x.flight);
		break;
	}
	return told;
}

int64_t delay_next_time(const struct net_engine *n)
{
	return n->heap.count ? n->heap.at[0].time_ps : NET_TIME_NEVER;
}

int delay_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max,
                  struct err *e)
{
	unsigned count = 0;

	while (n->heap.count && n->heap.at[0].time_ps <= until_ps && count < max) {
		int told;

		if (count && n->heap.at[0].time_ps > n->now_ps)
			return (int)count;
		n->now_ps = n->heap.at[0].time_ps;
		told = handle(n, &out[count], e);
		if (told < 0)
			return -1;
		count += (unsigned)told;
	}
	if (!count)
		n->now_ps = until_ps;
	return (int)count;
}

void delay_report(const struct net_engine *n, struct report *r)
{
	report_group(r, "messages", "messages, each with a time of its own");
	report_u64(r, "sent", n->sent, "", "messages sent");
	report_u64(r, "delivered", n->delivered, "", "messages that have arrived");
	report_u64(r, "bytes", n->sent_bytes, "bytes", "sent");
	report_f64(r, "mean_delay", n->sent ? 1e-12 * (double)n->delay_sum_ps / (double)n->sent : 0,
	           "s", "from send to arrival");
	report_f64(r, "max_delay", 1e-12 * (double)n->delay_max_ps, "s", "the longest of them");
	report_end(r);
}

int delay_verify(const struct net_engine *n, struct err *e)
{
	if (!n->heap.count && n->sent == n->delivered)
		return 0;
	return err_set(e, STATUS_FAILED, "%" PRIu64 " messages sent, %" PRIu64 " delivered",
	               n->sent, n->delivered);
}
