/* NICs: messages become packets in the order in which they were sent, and packets become messages again. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "state.h"

/* Rounds up to whole flits. */
static uint32_t wire_bytes(const struct net_engine *n, uint64_t bytes)
{
	uint64_t flit = n->config->router.flit;

	return (uint32_t)((bytes + flit - 1) / flit * flit);
}

/* The NIC for a message that names none. */
static unsigned choose_nic(struct net_engine *n, uint32_t node)
{
	const struct packet_nic *nic = &n->nic[(size_t)node * n->nics];
	unsigned best = 0;

	switch (n->config->nic.select) {
	case NIC_SELECT_FIRST: return 0;
	case NIC_SELECT_ROUND_ROBIN:
		best = n->node[node].in_turn;
		n->node[node].in_turn = (best + 1) % n->nics;
		return best;
	default:
		for (unsigned i = 1; i < n->nics; i++)
			if (nic[i].waiting < nic[best].waiting)
				best = i;
		return best;
	}
}

/* Within a node: a copy in memory, read and written at once. */
static void send_local(struct net_engine *n, struct packet_message *m, uint32_t i, int64_t now)
{
	struct packet_node *node = &n->node[m->src];
	int64_t start = now > node->read_free ? now : node->read_free;

	if (start < node->write_free)
		start = node->write_free;
	/* in two parts: a message may be larger than what transfer_ps takes */
	m->end = start + (int64_t)(n->memory_rate * (m->bytes >> 16)) +
	         transfer_ps(n->memory_rate, (uint32_t)(m->bytes & 0xffff));
	node->read_free = node->write_free = m->end;
	n->total.bytes_made += m->bytes;
	n->total.bytes_done += m->bytes;
	m->left = m->packets = 0;
	schedule_push(&n->schedule, m->end, event_key(EVENT_SENT, i));
	schedule_push(&n->schedule, m->end, event_key(EVENT_DELIVERED, i));
}

/* Puts message `i` behind the last of a queue; was it empty? */
static bool append(struct net_engine *n, uint32_t *first, uint32_t *last, uint32_t i)
{
	bool empty = !*first;

	if (empty)
		*first = i;
	else
		MESSAGE(n, *last)->next = i;
	*last = i;
	return empty;
}

void packet_send(struct net_engine *n, uint32_t i, int64_t now)
{
	struct packet_message *m = MESSAGE(n, i);
	struct packet_nic *nic;
	uint32_t row;

	if (m->nic < 0)
		m->nic = m->src == m->dst ? 0 : (int32_t)choose_nic(n, m->src);
	if (n->log)
		net_log_message(n->log, now, m->serial, packet_as_sent(m, &(struct net_message){ 0 }));
	if (m->src == m->dst) {
		send_local(n, m, i, now);
		return;
	}
	row = m->src * n->nics + (uint32_t)m->nic;
	nic = &n->nic[row];
	nic->waiting += m->bytes;
	if (m->control && n->control_own) {
		append(n, &nic->control_first, &nic->control_last, i);
		packet_wake(n, n->t->inject[row], now);
	} else if (append(n, &nic->first, &nic->last, i)) {
		packet_wake(n, n->t->inject[row], nic->ready_at > now ? nic->ready_at : now);
	}
}

/* Random numbers for ways: SplitMix64 of G. Steele et al., OOPSLA 2014, of (seed, message, packet). */
static uint64_t way_key(const struct net_engine *n, const struct packet_message *m)
{
	uint64_t x = n->seed + ((uint64_t)m->serial << 40 ^ m->left) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Doubles the room of ways; false where memory is short. */
static bool widen_ways(struct net_engine *n)
{
	struct packet_pool *pool = &n->ways;
	unsigned steps = n->way_steps * 2;
	uint32_t *wide = mem_alloc((size_t)pool->room * steps, sizeof *wide, NULL);

	if (!wide) {
		n->short_of_memory = true;
		return false;
	}
	for (uint32_t i = 1; i < pool->count; i++)
		memcpy(wide + (size_t)i * steps, WAY(n, i), n->way_steps * sizeof *wide);
	free(pool->at);
	pool->at = wide;
	pool->size = (uint32_t)(steps * sizeof *wide);
	n->way_steps = steps;
	return true;
}

/* The way of all packets of message `m`, where there is but one: from the first router to the ejection. */
static bool plan_way(struct net_engine *n, struct packet_message *m, uint32_t inject)
{
	struct route route;
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t link = inject;
	unsigned vc = 0, count = 0;

	m->way = packet_pool_take(n, &n->ways);
	if (!m->way)
		return false;
	topology_route_start(n->t, m->src, m->dst, 0, &route);
	do {
		uint32_t router = n->link[link].to;

		if (count == n->way_steps && !widen_ways(n))
			return false;
		topology_route_next(n->t, router, link, vc, &route, steps);
		topology_route_take(n->t, router, &steps[0], &route);
		link = steps[0].link;
		vc = steps[0].vc;
		WAY(n, m->way)[count++] = link << VC_BITS | vc;
	} while (n->link[link].role != LINK_EJECT);
	return true;
}

/* Makes the next packet of message `i`: 0 where memory is short. */
static uint32_t make_packet(struct net_engine *n, uint32_t i, uint32_t l, uint32_t bytes, int64_t now)
{
	struct packet_message *m = MESSAGE(n, i);
	uint32_t p = packet_pool_take(n, &n->packets);
	struct packet *packet;

	if (!p)
		return 0;
	packet = PACKET(n, p);
	*packet = (struct packet){ .born = now, .message = i, .bytes = bytes };
	if (n->fixed_ways) {
		if (!m->way && !plan_way(n, m, l))
			return 0;
	} else {
		packet->route = packet_pool_take(n, &n->routes);
		if (!packet->route)
			return 0;
		topology_route_start(n->t, m->src, m->dst, way_key(n, m), ROUTE(n, packet->route));
	}
	n->total.packets_made++;
	n->total.wire_made += bytes;
	return p;
}

/* NIC of link `l` looks again when it may have something to do: for control messages pacing does not count. */
static void look_again(struct net_engine *n, uint32_t l, const struct packet_nic *nic)
{
	int64_t free_at = n->link[l].free_at;

	if (nic->control_first)
		packet_wake(n, l, free_at);
	else if (nic->first)
		packet_wake(n, l, free_at > nic->ready_at ? free_at : nic->ready_at);
}

/*
 * Reads a packet of `bytes` from the memory of link `l`'s node and sends it to the router, from `now` on: until when.
 * Readers of a node's memory are served in the order in which they come.
 */
static int64_t read_packet(struct net_engine *n, uint32_t l, uint32_t p, uint32_t bytes, int64_t now)
{
	struct packet_link *link = &n->link[l];
	struct packet_node *node = &n->node[n->t->link[l].from];
	int64_t start = now > node->read_free ? now : node->read_free, time = transfer_ps(n->memory_rate, bytes);

	node->read_free = start + time;
	if (time < transfer_ps(n->dma_rate, bytes))
		time = transfer_ps(n->dma_rate, bytes);
	if (time < transfer_ps(link->rate, bytes))
		time = transfer_ps(link->rate, bytes);
	packet_depart(n, l, p, start, start + time);
	return start + time;
}

/*
 * NIC of link `l` makes a packet, if it has a message, the link is free, pacing lets it and
 * there is room in the FIFO. The DMA reads it from memory while it goes.
 */
void packet_inject(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	struct packet_nic *nic = &n->nic[n->t->link[l].from * n->nics + link->nic];
	unsigned vc = nic->control_first ? NIC_CONTROL_VC : 0;
	struct packet_vc *fifo = &n->vc[(size_t)l * n->vcs + vc];
	uint32_t room = (uint32_t)(n->config->nic.mtu - n->config->nic.header), p, payload, bytes;
	uint32_t *first = vc ? &nic->control_first : &nic->first, i = *first;
	struct packet_message *m;
	int64_t end;

	if (!i)
		return;
	if (link->free_at > now || (!vc && nic->ready_at > now)) {
		look_again(n, l, nic);
		return;
	}
	m = MESSAGE(n, i);
	payload = m->left < room ? (uint32_t)m->left : room;
	bytes = wire_bytes(n, payload + n->config->nic.header);
	link->starved = false;
	if (packet_credit_now(n, fifo, now) < bytes) {
		link->starved = fifo->back_at == NET_TIME_NEVER;
		if (!link->starved)
			packet_wake(n, l, fifo->back_at);
		return;
	}
	p = make_packet(n, i, l, bytes, now);
	if (!p)
		return;
	PACKET(n, p)->vc = (uint8_t)vc;
	fifo->credit -= bytes;
	end = read_packet(n, l, p, bytes, now);
	if (!vc)
		nic->ready_at = end + m->gap;
	nic->waiting -= payload;
	m->left -= payload;
	n->total.bytes_made += payload;
	if (!m->left) {
		*first = m->next;
		schedule_push(&n->schedule, end, event_key(EVENT_SENT, i));
	}
	look_again(n, l, nic);
}

/* Classes of latencies: four for each doubling. */
unsigned packet_latency_class(int64_t ps)
{
	unsigned bits;

	if (ps < 4)
		return ps < 0 ? 0 : (unsigned)ps;
	bits = 63 - (unsigned)__builtin_clzll((unsigned long long)ps);
	return 4 * (bits - 1) + (unsigned)(ps >> (bits - 2) & 3);
}

static void note_latency(struct net_engine *n, int64_t packet)
{
	n->packet_latency[packet_latency_class(packet)]++;
	n->packet_latency_sum += (double)packet;
	if (packet > n->packet_latency_most)
		n->packet_latency_most = packet;
}

/* The head of packet `p` comes to its node over link `l` at `now`: it goes to memory as it comes. */
void packet_deliver(struct net_engine *n, uint32_t l, uint32_t p, int64_t now)
{
	struct packet_link *link = &n->link[l];
	struct packet_node *node = &n->node[link->to];
	struct packet *packet = PACKET(n, p);
	struct packet_message *m = MESSAGE(n, packet->message);
	uint32_t bytes = packet->bytes;
	int64_t start = now > node->write_free ? now : node->write_free, time = transfer_ps(n->memory_rate, bytes), end;

	node->write_free = start + time;
	if (time < transfer_ps(n->dma_rate, bytes))
		time = transfer_ps(n->dma_rate, bytes);
	end = start + time > packet->tail ? start + time : packet->tail;
	packet_return_credit(n, l, 0, bytes, end);
	note_latency(n, end - packet->born);
	n->nic[link->to * n->nics + link->nic].packets++;
	n->total.packets_done++;
	n->total.wire_done += bytes;
	if (end > m->end)
		m->end = end;
	if (!--m->packets) {
		n->total.bytes_done += m->bytes;
		if (m->way)
			packet_pool_give(&n->ways, m->way);
		schedule_push(&n->schedule, m->end, event_key(EVENT_DELIVERED, packet->message));
	}
	if (packet->route)
		packet_pool_give(&n->routes, packet->route);
	packet_pool_give(&n->packets, p);
}
