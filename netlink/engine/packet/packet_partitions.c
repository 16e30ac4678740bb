/*
 * A partition of the network, where several processes simulate it. Each has all rows, and uses those of its vertices.
 *
 * A packet that starts on a link to another partition leaves this one at once, as a record with all that it needs from
 * then on, and joins its queue there in time, since its head needs the link's delay to be ready. A credit that returns
 * to another partition is a record likewise. It is sent when the packet starts to leave the buffer, and is upstream
 * after that packet's transfer and the cable: the shortest packet in such a buffer bounds the lookahead, unless each
 * link to another partition has more credit than it can use in a window; then a credit may be late. A packet that
 * starts on its way to such a buffer in a window cannot leave it in this window.
 *
 * A message whose destination is elsewhere has a row in its source's partition until it has left, and one in its
 * destination's partition from the first packet on. On the way each packet has a message row of its own.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../log/log.h"
#include "../../topology/kind.h"
#include "arbiter.h"

enum record_kind { RECORD_PACKET, RECORD_CREDIT, RECORD_LOG };
enum {
	ARRIVALS_FIRST = 64,
	AHEAD_NAMED = 8,  /* records between the prefetching of the rows that one names, and of what these name */
	AHEAD_JOINED = 8, /* from then until it is taken */
};

struct credit_record {
	uint32_t kind, row, bytes, unused;
	int64_t time;
};

/* An event for the log of the first process. */
struct event_record {
	uint32_t kind, size; /* of the record, bytes */
	char event[];
};

struct packet_record {
	uint32_t kind, size; /* of the record, bytes */
	uint32_t link, bytes;
	int64_t ready, tail, born;
	/* the message */
	int64_t begin;
	uint64_t message_bytes, mark;
	uint32_t src, dst, from, to, order, id;
	uint32_t row; /* of the message, where source and destination are in one partition */
	int32_t nic;
	uint16_t eject;
	uint8_t vc;
	bool control;
	uint32_t steps;  /* of `path`; 0: `route` */
	uint32_t path[]; /* the steps that are left, and PATH_END; or a struct route */
};

/* ---- messages that arrive from other partitions ---- */
static uint32_t packet_partitions_home_of(const struct packet_partitions *q, uint32_t src, uint32_t order)
{
	return (uint32_t)(((uint64_t)src << 32 | order) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & q->mask;
}

/* The place of the message in the table, or an empty one. */
static uint32_t packet_partitions_find(const struct net_engine *n, uint32_t src, uint32_t order)
{
	const struct packet_partitions *q = n->divided;
	uint32_t i = packet_partitions_home_of(q, src, order);

	while (q->arrivals[i] && (MESSAGE(n, q->arrivals[i])->src != src || MESSAGE(n, q->arrivals[i])->order != order))
		i = (i + 1) & q->mask;
	return i;
}

/* Makes room for one more message. */
static int packet_partitions_reserve(struct net_engine *n, struct err *e)
{
	struct packet_partitions *q = n->divided;
	uint32_t *old = q->arrivals, room = old ? q->mask + 1 : 0;

	if (old && 2 * (q->used + 1) <= room)
		return 0;
	q->arrivals = mem_alloc(room ? 2 * room : ARRIVALS_FIRST, sizeof(*q->arrivals), e);
	if (!q->arrivals) {
		q->arrivals = old;
		return -1;
	}
	q->mask = (room ? 2 * room : ARRIVALS_FIRST) - 1;
	for (uint32_t i = 0; i < room; i++)
		if (old[i])
			q->arrivals[packet_partitions_find(n, MESSAGE(n, old[i])->src, MESSAGE(n, old[i])->order)] =
				old[i];
	free(old);
	return 0;
}

void packet_partitions_forget(struct net_engine *n, const struct packet_message *m)
{
	struct packet_partitions *q = n->divided;
	uint32_t hole = packet_partitions_find(n, m->src, m->order);

	for (uint32_t i = (hole + 1) & q->mask; q->arrivals[i]; i = (i + 1) & q->mask) {
		const struct packet_message *other = MESSAGE(n, q->arrivals[i]);
		uint32_t home = packet_partitions_home_of(q, other->src, other->order);

		if (((i - home) & q->mask) < ((i - hole) & q->mask))
			continue;
		q->arrivals[hole] = q->arrivals[i];
		hole = i;
	}
	q->arrivals[hole] = 0;
	q->used--;
}

/* A new row for the message of a record, of which `packets` will come. 0 if memory is short. */
static uint32_t new_message(struct net_engine *n, const struct packet_record *r, uint32_t packets)
{
	uint32_t i = packet_pool_take(n, &n->messages);

	if (i)
		*MESSAGE(n, i) = (struct packet_message){
			.bytes = r->message_bytes,
			.begin = r->begin,
			.mark = r->mark,
			.src = r->src,
			.dst = r->dst,
			.from = r->from,
			.to = r->to,
			.order = r->order,
			.nic = r->nic,
			.eject = r->eject,
			.control = r->control,
			.packets = packets,
		};
	return i;
}

/* The first packet of a message for a node of this partition: the caller names it. */
static uint32_t new_arrival(struct net_engine *n, const struct packet_record *r, struct err *e)
{
	uint32_t i = new_message(n, r, packet_count(n, r->message_bytes));
	struct net_message m;

	if (!i) {
		mem_short(e);
		return 0;
	}
	if (n->divided->partition.name(n->divided->partition.user, packet_as_sent(MESSAGE(n, i), &m),
				       &MESSAGE(n, i)->id, e) < 0 ||
	    packet_partitions_reserve(n, e) < 0)
		return 0;
	MESSAGE(n, i)->foreign = true;
	n->divided->arrivals[packet_partitions_find(n, r->src, r->order)] = i;
	n->divided->used++;
	return i;
}

/* The row of the message of a packet that has come. 0 with `e`. */
static uint32_t message_of(struct net_engine *n, const struct packet_record *r, struct err *e)
{
	const struct net_partition *partition = &n->divided->partition;
	uint32_t i;

	if (partition->owner[r->dst] != partition->me) {
		i = new_message(n, r, 1);
		if (!i)
			mem_short(e);
		return i;
	}
	if (partition->owner[r->src] == partition->me)
		return r->row;
	if (packet_partitions_reserve(n, e) < 0)
		return 0;
	i = n->divided->arrivals[packet_partitions_find(n, r->src, r->order)];
	return i ? i : new_arrival(n, r, e);
}

/* ---- packets in buffers behind links from other partitions ---- */
static unsigned length_class(const struct net_engine *n, uint32_t bytes)
{
	return (unsigned)((uint64_t)bytes * LENGTHS / (n->mtu_wire + 1));
}

/* A bound on the length of the packets there, and on the way; UINT32_MAX: none. */
static uint32_t shortest(const struct net_engine *n)
{
	const struct packet_partitions *q = n->divided;
	uint32_t bytes = UINT32_MAX;

	for (unsigned i = 0; i < LENGTHS && bytes == UINT32_MAX; i++)
		if (q->held[i])
			bytes = (uint32_t)((i * ((uint64_t)n->mtu_wire + 1) + LENGTHS - 1) / LENGTHS);
	if (bytes < q->shortest)
		bytes = q->shortest;
	return bytes < q->away_least ? bytes : q->away_least;
}

/* ---- leaving ---- */
static void *packet_partitions_put(struct net_engine *n, unsigned to, int64_t time, size_t bytes)
{
	void *at = n->divided->partition.put(n->divided->partition.user, to, time, bytes);

	if (!at)
		n->short_of_memory = true;
	return at;
}

static void *put_event(void *user, size_t bytes)
{
	struct net_engine *n = user;
	size_t size = (sizeof(struct event_record) + bytes + 7) / 8 * 8;
	struct event_record *r = packet_partitions_put(n, 0, NET_TIME_NEVER, size);

	if (!r)
		return NULL;
	*r = (struct event_record){.kind = RECORD_LOG, .size = (uint32_t)size};
	return r->event;
}

void packet_credit_away(struct net_engine *n, unsigned to, uint32_t row, uint32_t bytes, int64_t time)
{
	struct credit_record *r = packet_partitions_put(n, to, time, sizeof(*r));

	n->divided->held[length_class(n, bytes)]--;
	if (r)
		*r = (struct credit_record){.kind = RECORD_CREDIT, .row = row, .bytes = bytes, .time = time};
}

void packet_message_left(struct net_engine *n, uint32_t i)
{
	struct packet_message *m = MESSAGE(n, i);

	if (--m->packets)
		return;
	if (m->path)
		packet_pool_give(&n->paths, m->path);
	packet_pool_give(&n->messages, i);
}

/* Remembers a link to another partition whose credit does not suffice for a whole window. */
static void note_credit(struct net_engine *n, uint32_t row)
{
	struct packet_partitions *q = n->divided;

	if (q->is_low[row] || n->vc[row].credit >= q->enough)
		return;
	if (vec_reserve(&q->low, 1, NULL) < 0) {
		n->short_of_memory = true;
		return;
	}
	q->is_low[row] = true;
	q->low.at[q->low.count++] = row;
}

/* The number of words of the path of `packet` from the step in `then` on, with the end behind the last one. */
static uint32_t steps_left(const struct net_engine *n, const struct packet *packet)
{
	uint32_t steps = 0;

	while (PATH(n, packet->path)[packet->step + steps] != PATH_END)
		steps++;
	return steps + 1;
}

void packet_away(struct net_engine *n, uint32_t l, uint32_t p, unsigned in_vc)
{
	struct packet *packet = PACKET(n, p);
	const struct packet_message *m = MESSAGE(n, packet->message);
	uint32_t steps = n->fixed_routes ? steps_left(n, packet) : 0;
	size_t path = n->fixed_routes ? steps * sizeof(uint32_t) : sizeof(struct route);
	size_t size = (sizeof(struct packet_record) + path + 7) / 8 * 8;
	const struct net_partition *partition = &n->divided->partition;
	struct packet_record *r = packet_partitions_put(n, partition->owner[n->link[l].to], packet->ready, size);

	if (!r)
		return;
	*r = (struct packet_record){
		.kind = RECORD_PACKET,
		.size = (uint32_t)size,
		.link = l,
		.bytes = packet->bytes,
		.ready = packet->ready,
		.tail = packet->tail,
		.born = packet->born,
		.begin = m->begin,
		.message_bytes = m->bytes,
		.mark = m->mark,
		.src = m->src,
		.dst = m->dst,
		.from = m->from,
		.to = m->to,
		.order = m->order,
		.row = partition->owner[m->src] == partition->me ? packet->message : m->home,
		.nic = m->nic,
		.eject = m->eject,
		.vc = (uint8_t)in_vc,
		.control = m->control,
		.steps = steps,
	};
	memcpy(r->path, n->fixed_routes ? (void *)&PATH(n, packet->path)[packet->step] : (void *)ROUTE(n, packet->path),
	       path);
	note_credit(n, l * n->vcs + in_vc);
	n->divided->packets_out++;
	if (packet->bytes < n->divided->away_least)
		n->divided->away_least = packet->bytes;
	packet_drop_route(n, packet);
	if (partition->owner[m->dst] != partition->me) /* otherwise it comes back */
		packet_message_left(n, packet->message);
	packet_pool_give(&n->packets, p);
}

/* ---- arriving ---- */
static bool take_route(struct net_engine *n, struct packet *packet, const struct packet_record *r)
{
	if (!n->fixed_routes) {
		packet->path = packet_pool_take(n, &n->routes);
		if (packet->path)
			memcpy(ROUTE(n, packet->path), r->path, sizeof(struct route));
		return packet->path;
	}
	while (r->steps > n->path_steps)
		if (!packet_widen_routes(n))
			return false;
	packet->path = packet_pool_take(n, &n->paths);
	if (!packet->path)
		return false;
	memcpy(PATH(n, packet->path), r->path, r->steps * sizeof(uint32_t));
	packet->own_path = true;
	packet->then = PATH(n, packet->path)[0];
	return true;
}

static int take_packet(struct net_engine *n, unsigned from, const struct packet_record *r, struct err *e)
{
	uint32_t i = message_of(n, r, e), p;

	if (!i)
		return -1;
	p = packet_pool_take(n, &n->packets);
	if (!p)
		return mem_short(e);
	*PACKET(n, p) = (struct packet){
		.ready = r->ready,
		.tail = r->tail,
		.born = r->born,
		.message = i,
		.bytes = r->bytes,
		.vc = r->vc,
		.abroad = (from + 1) & 0x7f,
	};
	if (!take_route(n, PACKET(n, p), r))
		return mem_short(e);
	if (n->divided->partition.owner[r->dst] != n->divided->partition.me)
		MESSAGE(n, i)->home = r->row;
	n->divided->packets_in++;
	n->divided->held[length_class(n, r->bytes)]++;
	packet_arrives(n, r->link, p);
	return 0;
}

/* Checks that what another partition did has its effect after the present: else the window was too long. */
static int in_time(const struct net_engine *n, unsigned from, const char *what, int64_t time, struct err *e)
{
	if (time > n->present)
		return 0;
	return err_set(e, STATUS_FAILED,
		       "a %s of process %u has an effect at %" PRId64
		       " ps: expected after the window, which ended at %" PRId64 " ps",
		       what, from + 1, time, n->present);
}

/* The record behind the one at `at`. */
static const char *next_record(const char *at)
{
	const struct event_record *r = (const void *)at;

	return at + (r->kind == RECORD_CREDIT ? sizeof(struct credit_record) : r->size);
}

/* Prefetches the rows that a record names. */
INLINE void fetch_named(const struct net_engine *n, const char *at)
{
	const struct packet_record *r = (const void *)at;

	if (r->kind == RECORD_CREDIT) {
		__builtin_prefetch(&n->vc[((const struct credit_record *)r)->row]);
	} else if (r->kind == RECORD_PACKET) {
		__builtin_prefetch(&n->link[r->link]);
		if (r->steps)
			__builtin_prefetch(&n->link[r->path[0] >> VC_BITS]);
		if (n->divided->arrivals)
			__builtin_prefetch(
				&n->divided->arrivals[packet_partitions_home_of(n->divided, r->src, r->order)]);
	}
}

/* Prefetches the queue that a packet joins, and its message. */
INLINE void fetch_joined(const struct net_engine *n, const char *at)
{
	const struct packet_record *r = (const void *)at;

	if (r->kind != RECORD_PACKET)
		return;
	if (r->steps)
		__builtin_prefetch(
			&n->candidate[n->link[r->path[0] >> VC_BITS].candidates + n->link[r->link].in_slot + r->vc]);
	if (n->divided->arrivals)
		__builtin_prefetch(
			MESSAGE(n, n->divided->arrivals[packet_partitions_home_of(n->divided, r->src, r->order)]));
}

static int take_record(struct net_engine *n, unsigned from, const char *at, struct err *e)
{
	const struct credit_record *credit = (const void *)at;
	const struct event_record *event = (const void *)at;
	const struct packet_record *packet = (const void *)at;

	switch ((enum record_kind)event->kind) {
	case RECORD_CREDIT:
		if (!n->divided->may_be_late && in_time(n, from, "credit", credit->time, e) < 0)
			return -1;
		packet_return_credit(n, credit->row / n->vcs, credit->row % n->vcs, credit->bytes, credit->time);
		return 0;
	case RECORD_LOG: return net_log_take(n->log, event->event, event->size - sizeof(*event), e);
	case RECORD_PACKET: break;
	}
	if (in_time(n, from, "packet", packet->ready, e) < 0)
		return -1;
	return take_packet(n, from, packet, e);
}

/* Takes the records; rows are prefetched, since they are all over the network. */
static int packet_partitions_take(struct net_engine *n, unsigned from, const void *records, size_t bytes, struct err *e)
{
	const char *end = (const char *)records + bytes, *named = records, *joined = records, *at = records;

	for (unsigned step = 0; at < end; step++) {
		if (named < end) {
			fetch_named(n, named);
			named = next_record(named);
		}
		if (step >= AHEAD_NAMED && joined < end) {
			fetch_joined(n, joined);
			joined = next_record(joined);
		}
		if (step < AHEAD_NAMED + AHEAD_JOINED)
			continue;
		if (take_record(n, from, at, e) < 0)
			return -1;
		at = next_record(at);
	}
	return 0;
}

static uint64_t events(const struct net_engine *n)
{
	return n->total.events;
}

static int64_t packet_partitions_next_time(const struct net_engine *n)
{
	return calendar_time(&n->calendar);
}

/* ---- lookahead ---- */
/* Returns whether a link to another partition has credit that does not suffice for a whole window. */
static bool has_low(struct net_engine *n)
{
	struct packet_partitions *q = n->divided;

	for (size_t i = 0; i < q->low.count;) {
		uint32_t row = q->low.at[i];

		if (packet_credit_now(n, &n->vc[row], n->present) < q->enough) {
			i++;
			continue;
		}
		q->is_low[row] = false;
		q->low.at[i] = q->low.at[--q->low.count];
	}
	return q->low.count > 0;
}

/* Sets whether credits must be in time, 0 or 1, and how soon one can be in another partition. */
static void offer(struct net_engine *n, int64_t least[2])
{
	struct packet_partitions *q = n->divided;
	uint32_t bytes = shortest(n);

	least[0] = !q->always && !has_low(n);
	least[1] = bytes == UINT32_MAX ? NET_TIME_NEVER : transfer_ps(q->fastest, bytes) + q->cable;
	q->away_least = UINT32_MAX;
}

/* A window ends with the log's next sample, so that all credits up to then have come. */
static int64_t width(struct net_engine *n, int64_t begin, const int64_t least[2])
{
	int64_t width = least[0] || least[1] > n->divided->forward ? n->divided->forward : least[1];

	n->divided->may_be_late = least[0];
	if (!n->log || begin == NET_TIME_NEVER)
		return width;
	net_log_step(n->log);
	while (n->sample_at < begin)
		packet_sample(n);
	return n->sample_at - begin < width ? n->sample_at - begin + 1 : width;
}

static bool crosses(const struct net_engine *n, const uint16_t *owner, uint32_t l)
{
	return owner[n->t->link[l].from] != owner[n->t->link[l].to];
}

/*
 * Bounds over all partitions. A packet is ready elsewhere after its link's delay. Credit is upstream after the packet's
 * transfer and the cable; with enough of it a link can start what it can in a window, and the last packet, without the
 * credit that returns meanwhile, also where a packet waits for its input (one more).
 */
static void find_lookahead(const struct net_engine *n, const uint16_t *owner, struct packet_partitions *q)
{
	uint64_t crossing = UINT64_MAX;

	q->forward = q->cable = NET_TIME_NEVER;
	q->fastest = UINT64_MAX;
	q->away_least = UINT32_MAX;
	q->shortest = packet_wire_bytes(n, n->config->nic.header);
	for (uint32_t l = 0; l < n->t->links; l++) {
		const struct packet_link_kind *kind = &n->kind[n->link[l].kind];

		q->fastest = kind->rate < q->fastest ? kind->rate : q->fastest;
		if (!crosses(n, owner, l))
			continue;
		crossing = kind->rate < crossing ? kind->rate : crossing;
		q->forward = kind->delay < q->forward ? kind->delay : q->forward;
		q->cable = kind->credit_delay < q->cable ? kind->credit_delay : q->cable;
	}
	if (q->forward == NET_TIME_NEVER) { /* nothing crosses */
		q->forward = q->cable = NET_TIME_NEVER / 4;
		return;
	}
	q->enough = (int64_t)(((uint64_t)q->forward << 16) / crossing) + 1 + 2 * (int64_t)n->mtu_wire;
	q->always = n->t->routing->choice || n->buffer < q->enough;
}

/* Lists the links that this partition has. 0, or -1 with `e`. */
static int list_links(const struct net_engine *n, struct packet_partitions *q, struct err *e)
{
	const struct topology *t = n->t;

	q->links = mem_alloc(t->links, sizeof(*q->links), e);
	if (!q->links)
		return -1;
	for (uint32_t l = 0; l < t->links; l++)
		if (q->partition.owner[t->link[l].from] == q->partition.me)
			q->links[q->leaving++] = l;
	q->all = q->leaving;
	for (uint32_t l = 0; l < t->links; l++)
		if (n->link[l].leaves && q->partition.owner[t->link[l].to] == q->partition.me)
			q->links[q->all++] = l;
	return 0;
}

static const char *packet_partitions_whole(const struct net_engine *n, const uint16_t *owner)
{
	struct packet_partitions q;

	if (n->classes > 1)
		return "it has traffic classes";
	if (n->congestion)
		return "NICs have windows";
	if (n->loads)
		return "the loads of links are counted";
	if (n->changes.all)
		return "links fail or are repaired during the run";
	if (n->t->routing->sees_group)
		return "this routing looks at routers elsewhere";
	find_lookahead(n, owner, &q);
	return q.forward && transfer_ps(q.fastest, q.shortest) + q.cable > 0 ? NULL : "links take no time";
}

static int packet_partitions_divide(struct net_engine *n, const struct net_partition *partition, struct err *e)
{
	struct packet_partitions *q = mem_alloc(1, sizeof(*q), e);

	if (!q)
		return -1;
	n->divided = q;
	q->partition = *partition;
	find_lookahead(n, partition->owner, q);
	for (uint32_t l = 0; l < n->t->links; l++)
		n->link[l].leaves = crosses(n, partition->owner, l);
	q->is_low = mem_alloc((size_t)n->t->links * n->vcs, sizeof(*q->is_low), e);
	if (!q->is_low || list_links(n, q, e) < 0)
		return -1;
	packet_layout_divide(n, partition);
	if (n->log)
		net_log_divide(n->log, !partition->me, put_event, n);
	if (n->loop == LOOP_DEFAULT)
		n->loop = LOOP_DEFAULT_DIVIDED;
	else
		n->loop = LOOP_ANY;
	return 0;
}

void packet_partitions_destroy(struct packet_partitions *q)
{
	if (!q)
		return;
	vec_finish(&q->low);
	free(q->is_low);
	free(q->links);
	free(q->arrivals);
	free(q);
}

/* ---- counters ---- */
struct counts {
	struct packet_totals total;
	uint64_t message_latency[LATENCY_CLASSES], packet_latency[LATENCY_CLASSES];
	uint64_t latency_sum[2], packet_latency_sum[2]; /* lower and upper half */
	int64_t latency_most, packet_latency_most, last_delivery;
	struct packet_carried carried[]; /* of the partition's links; then the series of the log */
};

static size_t counts(const struct net_engine *n, void *out)
{
	struct counts *c = out;
	uint32_t links = n->divided->leaving;

	for (uint32_t i = 0; c && i < links; i++)
		c->carried[i] = n->link[n->divided->links[i]].carried;
	if (c) {
		c->total = n->total;
		memcpy(c->message_latency, n->message_latency, sizeof(c->message_latency));
		memcpy(c->packet_latency, n->packet_latency, sizeof(c->packet_latency));
		c->latency_sum[0] = (uint64_t)n->latency_sum;
		c->latency_sum[1] = (uint64_t)(n->latency_sum >> 64);
		c->packet_latency_sum[0] = (uint64_t)n->packet_latency_sum;
		c->packet_latency_sum[1] = (uint64_t)(n->packet_latency_sum >> 64);
		c->latency_most = n->latency_most;
		c->packet_latency_most = n->packet_latency_most;
		c->last_delivery = n->last_delivery;
	}
	return sizeof(*c) + links * sizeof(c->carried[0]) +
	       (n->log ? net_log_results(n->log, c ? &c->carried[links] : NULL) : 0);
}

static void add_totals(struct packet_totals *sum, const struct packet_totals *more)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
		to[i] += from[i];
}

static void add_counts(struct net_engine *n, unsigned from, const void *counts)
{
	const struct counts *c = counts;
	uint32_t links = 0;

	for (uint32_t l = 0; l < n->t->links; l++)
		if (n->divided->partition.owner[n->t->link[l].from] == from)
			n->link[l].carried = c->carried[links++];
	add_totals(&n->total, &c->total);
	for (unsigned i = 0; i < LATENCY_CLASSES; i++) {
		n->message_latency[i] += c->message_latency[i];
		n->packet_latency[i] += c->packet_latency[i];
	}
	n->latency_sum += (sum128)c->latency_sum[1] << 64 | c->latency_sum[0];
	n->packet_latency_sum += (sum128)c->packet_latency_sum[1] << 64 | c->packet_latency_sum[0];
	if (c->latency_most > n->latency_most)
		n->latency_most = c->latency_most;
	if (c->packet_latency_most > n->packet_latency_most)
		n->packet_latency_most = c->packet_latency_most;
	if (c->last_delivery > n->last_delivery)
		n->last_delivery = c->last_delivery;
	if (n->log)
		net_log_add_results(n->log, &c->carried[links]);
	n->divided->gathered = true;
}

const struct net_engine_partitions packet_partitions = {
	.whole = packet_partitions_whole,
	.divide = packet_partitions_divide,
	.offer = offer,
	.width = width,
	.events = events,
	.next = packet_partitions_next_time,
	.take = packet_partitions_take,
	.counts = counts,
	.add_counts = add_counts,
};
