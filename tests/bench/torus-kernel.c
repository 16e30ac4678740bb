/*
 * A wormhole kernel written by hand for one network: the torus of configs/ndl/torus.ndl with two virtual channels
 * and 1-flit buffers. It takes the place of the general kernel (kernel.h) in a simulator, to measure what
 * generality costs:
 *
 *     inspire configs/ndl/torus.ndl -o by-hand --flag=tests/bench/torus-kernel.c
 *
 * The same rules in the same order, so the same results. Links: PU i's is i, output p of router i is n + 7 i + p (0 +x,
 * 1 -x, 2 +y, 3 -y, 4 +z, 5 -z, 6 the PU); virtual channels 2 link and 2 link + 1; behind them the PUs' queues.
 */
#include <stdlib.h>
#include <string.h>

#include "netlink/wormhole/kernel.h"

#define NONE UINT32_MAX
enum { PORTS = 7 };

struct message {
	struct kernel_delivery d;
	uint32_t flits, sent, next;
};

struct channel {
	uint64_t since, ready, held; /* clocks: of its owner's coming; of its flit's; statistics */
	uint32_t owner, feeder, output;
	uint32_t wait_next, wait_first, wait_last;
	uint32_t flit; /* message of the flit in it, NONE: free */
	bool head, tail, delivers;
};

struct link {
	uint64_t served, flits;
	uint32_t bound;
	bool turn, listed;
};

struct list {
	uint32_t *at, count;
};

struct kernel {
	const struct network *net;
	struct kernel_client client;
	uint64_t now;
	uint32_t n, x, y, z, links, queues; /* PUs, sizes, links, number of the first queue */
	int16_t (*place)[4];                /* of each router: x, y, z, parity */
	struct channel *channel;
	struct link *link;
	uint32_t *first, *last; /* of each queue */
	struct list active, heads, coming, arriving;
	struct message *message;
	uint32_t messages, room, free;
	struct kernel_counts counts;
	uint64_t counted_from;
};

struct kernel *kernel_create(const struct network *n, const struct kernel_params *p, const struct kernel_client *client,
			     struct err *e)
{
	struct kernel *k = calloc(1, sizeof(*k));

	if (n->kind_count != 2 || n->vcs != 2 || p->buffer_flits != 1 || p->credit_clocks)
		return err_set(e, STATUS_USAGE, "expected torus.ndl, 2 virtual channels, 1-flit buffers"), NULL;
	k->net = n;
	k->client = *client;
	k->n = n->node_count;
	k->x = (uint32_t)n->kinds[0].size[0];
	k->y = (uint32_t)n->kinds[0].size[1];
	k->z = (uint32_t)n->kinds[0].size[2];
	k->links = n->output_count;
	k->queues = 2 * k->links;
	k->place = calloc(k->n, sizeof(*k->place));
	k->channel = malloc((k->queues + k->n) * sizeof(*k->channel));
	k->link = calloc(k->links, sizeof(*k->link));
	k->first = malloc(k->n * sizeof(*k->first));
	k->last = malloc(k->n * sizeof(*k->last));
	k->active.at = calloc(k->links, sizeof(uint32_t));
	k->heads.at = calloc(k->queues + k->n, sizeof(uint32_t));
	k->coming.at = calloc(k->queues + k->n, sizeof(uint32_t));
	k->arriving.at = calloc(k->queues, sizeof(uint32_t));
	k->free = NONE;
	for (uint32_t c = 0; c < k->queues + k->n; c++)
		k->channel[c] = (struct channel){
			.owner = NONE, .feeder = NONE, .output = NONE, .wait_first = NONE, .flit = NONE};
	for (uint32_t i = 0; i < k->n; i++) {
		int16_t a = (int16_t)(i % k->x), b = (int16_t)(i / k->x % k->y), c = (int16_t)(i / k->x / k->y);
		memcpy(k->place[i], (int16_t[]){a, b, c, (a + b + c) & 1}, sizeof(k->place[i]));
		k->first[i] = NONE;
	}
	return k;
}

void kernel_destroy(struct kernel *k)
{
	if (!k)
		return;
	free(k->place);
	free(k->channel);
	free(k->link);
	free(k->first);
	free(k->last);
	free(k->active.at);
	free(k->heads.at);
	free(k->coming.at);
	free(k->arriving.at);
	free(k->message);
	free(k);
}

int kernel_post(struct kernel *k, uint32_t src, uint32_t dst, uint32_t bytes, uint64_t tag, struct err *e)
{
	uint32_t id = k->free;

	(void)e;
	if (id != NONE) {
		k->free = k->message[id].next;
	} else {
		if (k->messages == k->room)
			k->message = realloc(k->message, (k->room = 2 * k->room + 1024) * sizeof(*k->message));
		id = k->messages++;
	}
	k->message[id] = (struct message){{id, src, dst, bytes, k->now, 0, 0, 0, tag}, bytes, 0, NONE};
	k->counts.posted++;
	k->counts.in_flight++;
	k->counts.queued_flits += bytes;
	if (k->first[src] == NONE) {
		k->first[src] = k->last[src] = id;
		k->heads.at[k->heads.count++] = k->queues + src;
		return 0;
	}
	k->message[k->last[src]].next = id;
	k->last[src] = id;
	return 0;
}

/* ---- channels are taken and left ---- */

static void take(struct kernel *k, uint32_t from, uint32_t to, uint64_t since)
{
	struct channel *t = &k->channel[to];
	uint32_t l = to / 2, id = from < k->queues ? k->channel[from].flit : k->first[from - k->queues];

	t->owner = id;
	t->delivers = l >= k->n && (l - k->n) % PORTS == 6; /* the way to a PU is taken only at the end */
	t->feeder = from;
	t->since = since;
	k->channel[from].output = to;
	k->link[l].bound++;
	if (!k->link[l].listed) {
		k->link[l].listed = true;
		k->active.at[k->active.count++] = l;
	}
}

static void leave(struct kernel *k, uint32_t from, uint32_t to)
{
	struct channel *t = &k->channel[to];
	uint32_t next = t->wait_first;

	t->held += k->now + 1 - t->since;
	t->owner = t->feeder = NONE;
	k->channel[from].output = NONE;
	k->link[to / 2].bound--;
	if (next == NONE)
		return;
	t->wait_first = k->channel[next].wait_next;
	take(k, next, to, k->now + 1);
}

/* Output and virtual channel of a head in router `at`, on its way to `dst`. */
static uint32_t way(const struct kernel *k, uint32_t at, uint32_t dst)
{
	const int16_t *here = k->place[at], *there = k->place[dst];
	const int size[3] = {(int)k->x, (int)k->y, (int)k->z};
	uint32_t base = k->n + PORTS * at;

	for (unsigned d = 0; d < 3; d++) {
		int ahead = there[d] - here[d];
		if (!ahead)
			continue;
		ahead = ahead < 0 ? ahead + size[d] : ahead;
		if (2 * ahead < size[d] || (2 * ahead == size[d] && here[3]))
			return 2 * (base + 2 * d) + (here[d] < there[d]);
		return 2 * (base + 2 * d + 1) + (here[d] > there[d]);
	}
	return 2 * (base + 6) + (k->channel[2 * (base + 6)].owner != NONE);
}

static void route_heads(struct kernel *k)
{
	for (uint32_t h = 0; h < k->heads.count; h++) {
		uint32_t c = k->heads.at[h], to;
		if (c >= k->queues) {
			to = 2 * (c - k->queues) + (k->channel[2 * (c - k->queues)].owner != NONE);
		} else {
			uint32_t l = c / 2, at = k->net->inputs[k->net->outputs[l].peer].resource - k->n;
			to = way(k, at, k->message[k->channel[c].flit].d.dst);
		}
		k->counts.routing_calls++;
		k->counts.routed++;
		struct channel *t = &k->channel[to];
		if (t->owner == NONE) {
			take(k, c, to, k->now);
			continue;
		}
		k->channel[c].wait_next = NONE;
		if (t->wait_first == NONE)
			t->wait_first = c;
		else
			k->channel[t->wait_last].wait_next = c;
		t->wait_last = c;
	}
	k->heads.count = 0;
}

/* ---- flits move ---- */

static void move(struct kernel *k, uint32_t from, uint32_t to)
{
	struct channel *t = &k->channel[to];
	uint32_t id;
	bool head, tail;

	if (from < k->queues) {
		struct channel *c = &k->channel[from];
		id = c->flit, head = c->head, tail = c->tail;
		c->flit = NONE;
	} else {
		struct message *m = &k->message[id = k->first[from - k->queues]];
		head = !m->sent;
		tail = ++m->sent == m->flits;
		k->counts.queued_flits--;
		if (head)
			m->d.injected = k->now;
		if (tail) {
			k->first[from - k->queues] = m->next;
			k->client.sent(k->client.user, from - k->queues, m->d.tag);
		}
	}
	k->link[to / 2].turn = !(to & 1);
	k->link[to / 2].flits++;
	k->counts.flit_hops++;
	if (t->delivers) {
		if (head)
			k->message[id].d.head_at = k->now + 1;
		if (tail)
			k->arriving.at[k->arriving.count++] = id;
	} else {
		t->flit = id, t->head = head, t->tail = tail;
		t->ready = k->now + 1;
		if (head)
			k->coming.at[k->coming.count++] = to;
	}
	if (!tail)
		return;
	leave(k, from, to);
	if (from >= k->queues && k->first[from - k->queues] != NONE)
		k->coming.at[k->coming.count++] = from;
}

static void serve(struct kernel *k, uint32_t number)
{
	struct link *l = &k->link[number];

	if (l->served == k->now + 1)
		return;
	l->served = k->now + 1;
	for (unsigned n = 0; n < 2; n++) {
		uint32_t to = 2 * number + (l->turn ^ n), from = k->channel[to].feeder;
		struct channel *t = &k->channel[to];
		if (from == NONE || t->since > k->now)
			continue;
		if (from < k->queues && (k->channel[from].flit == NONE || k->channel[from].ready > k->now))
			continue;
		if (!t->delivers && t->flit != NONE) {
			if (t->output == NONE)
				continue;
			serve(k, t->output / 2);
			if (t->flit != NONE)
				continue;
		}
		move(k, from, to);
		return;
	}
}

int kernel_step(struct kernel *k, struct err *e)
{
	uint32_t kept = 0, count, start;

	(void)e;
	memcpy(k->heads.at + k->heads.count, k->coming.at, k->coming.count * sizeof(uint32_t));
	k->heads.count += k->coming.count;
	k->coming.count = 0;
	route_heads(k);
	count = k->active.count;
	start = count ? (uint32_t)(k->now % count) : 0;
	for (uint32_t n = 0; n < count; n++)
		serve(k, k->active.at[start + n < count ? start + n : start + n - count]);
	for (uint32_t a = 0; a < k->active.count; a++) {
		uint32_t l = k->active.at[a];
		if (k->link[l].bound)
			k->active.at[kept++] = l;
		else
			k->link[l].listed = false;
	}
	k->active.count = kept;
	k->now++;
	return 0;
}

void kernel_arrivals(struct kernel *k)
{
	uint32_t count = k->arriving.count;

	k->arriving.count = 0;
	for (uint32_t a = 0; a < count; a++) {
		struct message *m = &k->message[k->arriving.at[a]];
		struct kernel_delivery d = m->d;
		d.tail_at = k->now;
		m->next = k->free;
		k->free = d.message;
		k->counts.delivered++;
		k->counts.in_flight--;
		k->client.deliver(k->client.user, &d);
	}
}

/* ---- the rest of the interface ---- */

uint64_t kernel_now(const struct kernel *k)
{
	return k->now;
}

uint64_t kernel_next(const struct kernel *k)
{
	return k->active.count || k->heads.count || k->coming.count || k->arriving.count ? k->now : CLOCK_NEVER;
}

void kernel_skip_to(struct kernel *k, uint64_t clock)
{
	k->now = clock > k->now ? clock : k->now;
}

const struct kernel_counts *kernel_counts(const struct kernel *k)
{
	return &k->counts;
}

uint64_t kernel_vc_held(const struct kernel *k, uint32_t output, uint32_t vc)
{
	const struct channel *c = &k->channel[2 * output + vc];
	uint64_t from = c->since > k->counted_from ? c->since : k->counted_from;

	return c->held + (c->owner != NONE && k->now > from ? k->now - from : 0);
}

void kernel_reset_counts(struct kernel *k)
{
	k->counted_from = k->now;
	for (uint32_t c = 0; c < k->queues; c++) {
		k->channel[c].held = 0;
		if (k->channel[c].owner != NONE && k->channel[c].since < k->now)
			k->channel[c].since = k->now;
	}
	for (uint32_t o = 0; o < k->links; o++)
		k->link[o].flits = 0;
}

int kernel_check(const struct kernel *k, struct err *e)
{
	(void)k, (void)e;
	return 0;
}
