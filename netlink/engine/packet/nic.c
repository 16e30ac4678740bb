/* NICs: segmentation of messages into packets, in the order of queue.c, and reassembly. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"
#include "arbiter.h"

enum { DUE_AHEAD = 6 }; /* messages for which rows are prefetched before they are sent */

uint32_t packet_count(const struct net_engine *n, uint64_t bytes)
{
	uint64_t room = n->config->nic.mtu - n->config->nic.header;

	return (uint32_t)(bytes ? (bytes + room - 1) / room : 1);
}

static bool nic_sooner(const struct packet_due *a, const struct packet_due *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

HEAP(late, struct packet_due, nic_sooner)

/* Most messages are sent in order of time, and are appended. */
bool packet_send_at(struct net_engine *n, uint32_t i, int64_t time)
{
	const struct packet_message *m = MESSAGE(n, i);
	struct packet_due due = {time, (uint64_t)m->from << 32 | m->order, i};

	if (n->due_next == n->due.count)
		n->due_next = n->due.count = 0;
	if (n->due.count && nic_sooner(&due, &n->due.at[n->due.count - 1])) {
		if (vec_reserve(&n->late, 1, NULL) < 0)
			return false;
		late_push(n->late.at, n->late.count++, due);
	} else {
		if (n->due_next > n->due.count / 2) { /* half of it has been sent */
			n->due.count -= n->due_next;
			memmove(n->due.at, n->due.at + n->due_next, n->due.count * sizeof(*n->due.at));
			n->due_next = 0;
		}
		if (vec_reserve(&n->due, 1, NULL) < 0)
			return false;
		n->due.at[n->due.count++] = due;
	}
	packet_event(n, time, EVENT_SEND, 0);
	return true;
}

/* Removes the next message to be sent. */
static uint32_t take_due(struct net_engine *n)
{
	if (n->late.count && (n->due_next == n->due.count || nic_sooner(&n->late.at[0], &n->due.at[n->due_next])))
		return late_pop(n->late.at, n->late.count--).message;
	return n->due.at[n->due_next++].message;
}

/*
 * Chooses the NIC of a message that names none. Handshakes take turns of their own: otherwise they would make data
 * collide in one NIC.
 */
static unsigned choose_nic(struct net_engine *n, uint32_t node, bool control)
{
	const struct packet_nic *nic = &n->nic[(size_t)node * n->nics];
	unsigned best = 0;

	switch (n->config->nic.select) {
	case NIC_SELECT_FIRST: return 0;
	case NIC_SELECT_ROUND_ROBIN:
		return packet_next_nic(n, control ? &n->node[node].control_in_turn : &n->node[node].in_turn);
	default:
		for (unsigned i = 1; i < n->nics; i++)
			if (nic[i].waiting < nic[best].waiting)
				best = i;
		return best;
	}
}

/* A copy within a node's memory: read and written at the same time. */
static void send_local(struct net_engine *n, struct packet_message *m, uint32_t i, int64_t now)
{
	struct packet_node *node = &n->node[m->src];
	int64_t start = now > node->read_free ? now : node->read_free;

	if (start < node->write_free)
		start = node->write_free;
	/* in two parts: a message may exceed the range of transfer_ps */
	node->read_free = start + (int64_t)(n->memory_rate * (m->bytes >> 16)) +
			  transfer_ps(n->memory_rate, (uint32_t)(m->bytes & 0xffff));
	node->write_free = m->at[NET_SENT] = m->at[NET_DELIVERED] = node->read_free;
	n->total.bytes_made += m->bytes;
	n->total.bytes_done += m->bytes;
	m->left = m->packets = 0;
	packet_will_end(n, i, NET_SENT);
	packet_will_end(n, i, NET_DELIVERED);
}

/* Appends handshake `i` to its NIC's queue. */
static void append_control(struct net_engine *n, struct packet_nic *nic, uint32_t i)
{
	if (nic->control_first)
		MESSAGE(n, nic->control_last)->next = i;
	else
		nic->control_first = i;
	nic->control_last = i;
}

/* Prefetches the rows of messages that will soon be sent. */
INLINE void fetch_due(const struct net_engine *n)
{
	const struct packet_due *due = n->due.at + n->due_next;

	if (n->due.count - n->due_next > DUE_AHEAD) {
		const struct packet_message *m = MESSAGE(n, due[DUE_AHEAD / 2].message);

		__builtin_prefetch(MESSAGE(n, due[DUE_AHEAD].message));
		__builtin_prefetch(&MESSAGE(n, due[DUE_AHEAD].message)->from);
		__builtin_prefetch(&n->node[m->src]);
		__builtin_prefetch(&n->nic[(size_t)m->src * n->nics]);
	}
	for (size_t i = 0; i < 3 && i < n->late.count; i++) { /* the top of the heap */
		const struct packet_message *m = MESSAGE(n, n->late.at[i].message);

		__builtin_prefetch(m);
		__builtin_prefetch(&m->from);
	}
}

void packet_send(struct net_engine *n, int64_t now)
{
	uint32_t i = take_due(n), row;
	struct packet_message *m = MESSAGE(n, i);
	struct packet_nic *nic;

	if (n->big)
		fetch_due(n);
	if (m->nic < 0)
		m->nic = m->src == m->dst ? 0 : (int32_t)choose_nic(n, m->src, m->control);
	if (n->log)
		net_log_message(n->log, now, packet_log_key(m), packet_as_sent(m, &(struct net_message){0}));
	if (m->src == m->dst) {
		send_local(n, m, i, now);
		return;
	}
	m->eject = (uint16_t)m->nic;
	if (n->any_ejection || (n->config->nic.receive == NIC_RECEIVE_IN_TURN && !m->control))
		m->eject = NIC_CHOSEN;
	row = m->src * n->nics + (uint32_t)m->nic;
	nic = &n->nic[row];
	nic->waiting += m->bytes;
	if (m->control && n->control_own) {
		append_control(n, nic, i);
		packet_wake(n, n->t->inject[row], now);
	} else if (packet_queue(n, nic, i)) {
		packet_wake(n, n->t->inject[row], nic->ready_at > now ? nic->ready_at : now);
	}
}

/* Random numbers for paths: SplitMix64 (G. Steele et al., OOPSLA 2014) of (seed, node, its message, packet). */
static uint64_t route_key(const struct net_engine *n, const struct packet_message *m)
{
	uint64_t message = hash_spread((uint64_t)m->src << 32 | m->order);

	return hash_mix(n->seed + message + m->left * UINT64_C(0xd1342543de82ef95));
}

/* Doubles the array of paths; false: memory is short. */
bool packet_widen_routes(struct net_engine *n)
{
	struct packet_pool *pool = &n->paths, old = *pool;
	unsigned steps = n->path_steps;

	n->path_steps *= 2;
	pool->size *= 2;
	pool->at = pool->memory = NULL;
	pool->count /= 2;
	if (!packet_pool_grow(n, pool)) {
		*pool = old;
		n->path_steps = steps;
		return false;
	}
	pool->free = old.free;
	for (uint32_t i = 1; i < old.count; i++)
		memcpy(PATH(n, i), (uint32_t *)old.at + (size_t)i * steps, steps * sizeof(uint32_t));
	free(old.memory);
	return true;
}

bool packet_has_route(struct net_engine *n, const struct packet_message *m, uint32_t from)
{
	if (topology_reaches(n->t, m->src, m->dst) && topology_reaches(n->t, from, m->dst))
		return true;
	if (!n->lost.status)
		net_no_route(n->t, m->src, m->dst, n->present, &n->lost);
	return false;
}

/* Plans the path of all packets of message `m`, if there is only one, from the first router to ejection. */
static bool plan_path(struct net_engine *n, struct packet_message *m, uint32_t inject)
{
	unsigned count, nic = m->eject == NIC_CHOSEN ? 0 : m->eject;

	m->path = packet_pool_take(n, &n->paths);
	if (!m->path)
		return false;
	__builtin_prefetch(PATH(n, n->paths.free)); /* for the next one */
	while (!(count = topology_fixed_route(n->t, inject, m->src, m->dst, VC_BITS, PATH(n, m->path),
					      n->path_steps - 1)))
		if (!packet_widen_routes(n))
			return false;
	if (n->nics > 1) {
		uint32_t eject = n->t->eject[(size_t)m->dst * n->nics + nic];

		PATH(n, m->path)[count - 1] = eject << VC_BITS | (m->eject == NIC_CHOSEN ? VC_CHOSEN : 0);
	}
	for (unsigned i = 0; m->class && i + 1 < count; i++) /* ejection links have one VC */
		PATH(n, m->path)[i] += m->class * n->class_vcs;
	PATH(n, m->path)[count] = PATH_END;
	return true;
}

/* Makes the next packet of message `i`; 0 if memory is short. */
static uint32_t make_packet(struct net_engine *n, uint32_t i, uint32_t l, uint32_t bytes, int64_t now)
{
	struct packet_message *m = MESSAGE(n, i);
	uint32_t p = n->t->down && !packet_has_route(n, m, m->src) ? 0 : packet_pool_take(n, &n->packets);
	struct packet *packet;

	if (!p)
		return 0;
	__builtin_prefetch(PACKET(n, n->packets.free)); /* for the next one */
	packet = PACKET(n, p);
	*packet = (struct packet){.born = now, .message = i, .bytes = bytes};
	if (__builtin_expect(n->classes > 1, 0))
		packet->class = m->class & 7;
	if (n->fixed_routes) {
		if (!m->path && !plan_path(n, m, l))
			return 0;
		packet->path = m->path;
		packet->then = PATH(n, m->path)[0];
	} else {
		packet->path = packet_pool_take(n, &n->routes);
		if (!packet->path)
			return 0;
		topology_route_start(n->t, m->src, m->dst, route_key(n, m), ROUTE(n, packet->path));
	}
	n->total.packets_made++;
	n->total.wire_made += bytes;
	return p;
}

/* Schedules the NIC of link `l`, free at `free_at`, for its next packet; handshakes are exempt from pacing. */
static void look_again(struct net_engine *n, uint32_t l, const struct packet_nic *nic, int64_t free_at)
{
	if (nic->control_first)
		packet_wake(n, l, free_at);
	else if (nic->first)
		packet_wake(n, l, free_at > nic->ready_at ? free_at : nic->ready_at);
}

/*
 * Schedules the read of `bytes` from the memory of `node` and the transfer over `link` from `now` on. A node's reads
 * are served in order of arrival.
 */
static void read_packet(struct net_engine *n, const struct packet_link *link, uint32_t node, uint32_t bytes,
			int64_t now, struct packet_start *made)
{
	int64_t *read_free = &n->node[node].read_free, time = transfer_ps(n->memory_rate, bytes);

	made->start = now > *read_free ? now : *read_free;
	*read_free = made->start + time;
	if (time < transfer_ps(n->dma_rate, bytes))
		time = transfer_ps(n->dma_rate, bytes);
	if (time < transfer_ps(n->kind[link->kind].rate, bytes))
		time = transfer_ps(n->kind[link->kind].rate, bytes);
	made->end = made->start + time;
}

/*
 * The NIC of link `l` makes a packet if it has a message, the link is free, pacing permits it and the FIFO has room.
 * The DMA reads the packet from memory during transmission.
 */
struct packet_start packet_inject(struct net_engine *n, uint32_t l, int64_t now)
{
	struct packet_link *link = &n->link[l];
	struct packet_nic *nic = &n->nic[link->candidates];
	unsigned vc = nic->control_first ? NIC_CONTROL_VC : 0;
	struct packet_vc *row = &n->vc[(size_t)l * n->vcs], *fifo = &row[vc];
	struct packet_start made = {0};
	uint32_t room = (uint32_t)(n->config->nic.mtu - n->config->nic.header), payload, bytes;
	uint32_t i = vc ? nic->control_first : nic->first;
	struct packet_message *m;

	if (!i)
		return made;
	if (link->free_at > now || (!vc && nic->ready_at > now)) {
		look_again(n, l, nic, link->free_at);
		return made;
	}
	if (!vc && __builtin_expect(n->congestion != NULL, 0)) {
		i = packet_window_turn(n, nic);
		if (!i) /* an acknowledgement looks again */
			return made;
	}
	m = MESSAGE(n, i);
	payload = m->left < room ? (uint32_t)m->left : room;
	bytes = payload == room ? n->mtu_wire : packet_wire_bytes(n, payload + n->config->nic.header);
	row->starved = packet_credit_now(n, fifo, now) < bytes && fifo->back_at[0] == NET_TIME_NEVER;
	if (fifo->credit < bytes) {
		if (!row->starved)
			packet_wake(n, l, fifo->back_at[0]);
		return made;
	}
	made.packet = make_packet(n, i, l, bytes, now);
	if (!made.packet)
		return made;
	PACKET(n, made.packet)->vc = (uint16_t)vc;
	fifo->credit -= bytes;
	if (packet_has_window(n, m))
		packet_window_sent(n, m, bytes);
	read_packet(n, link, m->src, bytes, now, &made);
	if (!vc)
		nic->ready_at = made.end + m->gap;
	nic->waiting -= payload;
	m->left -= payload;
	n->total.bytes_made += payload;
	if (!vc && (!m->left || (n->in_turn && i != nic->last)))
		packet_served(n, nic);
	else if (vc && !m->left)
		nic->control_first = m->next;
	if (!m->left) {
		m->at[NET_SENT] = made.end;
		packet_will_end(n, i, NET_SENT);
	}
	look_again(n, l, nic, made.end);
	return made;
}

static void note_latency(struct net_engine *n, int64_t packet)
{
	n->packet_latency[packet_latency_class(packet)]++;
	n->packet_latency_sum += (uint64_t)packet;
	if (packet > n->packet_latency_most)
		n->packet_latency_most = packet;
}

/*
 * The head of packet `p` arrives at its node over link `l` at `now`; the packet is written to memory as it arrives.
 */
void packet_deliver(struct net_engine *n, uint32_t l, uint32_t p, int64_t now)
{
	const struct packet_link *link = &n->link[l];
	struct packet_node *node = &n->node[link->to];
	struct packet *packet = PACKET(n, p);
	struct packet_message *m = MESSAGE(n, packet->message);
	uint32_t bytes = packet->bytes;
	int64_t start = now > node->write_free ? now : node->write_free, time = transfer_ps(n->memory_rate, bytes), end;

	node->write_free = start + time;
	if (time < transfer_ps(n->dma_rate, bytes))
		time = transfer_ps(n->dma_rate, bytes);
	end = start + time > packet->tail ? start + time : packet->tail;
	packet_return_credit(n, l, 0, bytes, end + n->kind[link->kind].credit_delay);
	note_latency(n, end - packet->born);
	if (packet_has_window(n, m))
		packet_acknowledge(n, packet, m, end);
	n->total.packets_done++;
	n->total.wire_done += bytes;
	if (end > m->at[NET_DELIVERED])
		m->at[NET_DELIVERED] = end;
	if (!--m->packets) {
		n->total.bytes_done += m->bytes;
		if (m->path)
			packet_pool_give(&n->paths, m->path);
		packet_will_end(n, packet->message, NET_DELIVERED);
	}
	packet_drop_route(n, packet);
	packet_pool_give(&n->packets, p);
}
