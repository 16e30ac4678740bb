#include "delay.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"

struct delay_event {
	int64_t time_ps;
	uint64_t order; /* kind in the highest bit, below it the number of the message */
	uint32_t id;
};

/* When the last message of a pair arrives: an open-addressed table, time 0 where it is empty. */
struct pair {
	uint32_t src, dst;
	int64_t last_ps;
};

struct net_engine {
	const struct topology *topology;
	delay_fn *delay;
	void *model;
	void (*drop)(void *model);
	struct vec_of(struct delay_event) heap;
	struct pair *pairs;
	size_t pairs_used, pairs_room; /* room: 0 or a power of two */
	int64_t now_ps;
	uint64_t sent, delivered, sent_bytes;
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

static struct pair *find_pair(struct pair *pairs, size_t room, uint32_t src, uint32_t dst)
{
	size_t i = (((uint64_t)src << 32 | dst) * 0x9e3779b97f4a7c15u) >> 32;

	for (;; i++) {
		struct pair *p = &pairs[i & (room - 1)];

		if (!p->last_ps || (p->src == src && p->dst == dst))
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
			*find_pair(pairs, room, p->src, p->dst) = *p;
	}
	free(n->pairs);
	n->pairs = pairs;
	n->pairs_room = room;
	n->pairs_used = alive;
	return 0;
}

struct net_engine *delay_create(const struct net_setup *setup, delay_fn *delay, void *model,
                                void (*drop)(void *model), struct err *e)
{
	struct net_engine *n = mem_alloc(1, sizeof *n, e);

	if (!n) {
		drop(model);
		return NULL;
	}
	n->topology = setup->topology;
	n->delay = delay;
	n->model = model;
	n->drop = drop;
	return n;
}

void delay_destroy(struct net_engine *n)
{
	if (!n)
		return;
	n->drop(n->model);
	vec_finish(&n->heap);
	free(n->pairs);
	free(n);
}

int delay_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e)
{
	int64_t delay = n->delay(n->model, n->topology, m->src, m->dst, m->bytes);
	int64_t arrival =
		time_ps > NET_TIME_NEVER - 1 - delay ? NET_TIME_NEVER - 1 : time_ps + delay;
	struct pair *p;

	if (vec_reserve(&n->heap, 2, e) || (2 * n->pairs_used >= n->pairs_room && more_pairs(n, e)))
		return -1;
	p = find_pair(n->pairs, n->pairs_room, m->src, m->dst);
	n->pairs_used += !p->last_ps;
	if (arrival < p->last_ps)
		arrival = p->last_ps;
	if (arrival > 0)
		*p = (struct pair){m->src, m->dst, arrival};
	push(n, (struct delay_event){time_ps, n->sent, m->id});
	push(n, (struct delay_event){arrival, n->sent | UINT64_C(1) << 63, m->id});
	n->sent++;
	n->sent_bytes += m->bytes;
	n->delay_sum_ps += arrival - time_ps;
	if (arrival - time_ps > n->delay_max_ps)
		n->delay_max_ps = arrival - time_ps;
	return 0;
}

int64_t delay_next_time(const struct net_engine *n)
{
	return n->heap.count ? n->heap.at[0].time_ps : NET_TIME_NEVER;
}

int delay_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max,
                  struct err *e)
{
	unsigned count = 0;

	(void)e;
	if (!n->heap.count || n->heap.at[0].time_ps > until_ps) {
		n->now_ps = until_ps;
		return 0;
	}
	n->now_ps = n->heap.at[0].time_ps;
	while (count < max && n->heap.count && n->heap.at[0].time_ps == n->now_ps) {
		struct delay_event x = pop(n);
		bool arrived = x.order >> 63;

		n->delivered += arrived;
		out[count++] =
			(struct net_notice){x.time_ps, x.id, arrived ? NET_DELIVERED : NET_SENT};
	}
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
