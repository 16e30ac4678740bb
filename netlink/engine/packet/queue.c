/*
 * Injection queues of a NIC, and their order of service.
 *
 * Messages of one rank to another over one NIC form a connection and are sent in order. With nic.service = in_turn a
 * NIC serves its connections round robin, a packet at a time, like NICs with a queue for each (the queue pairs of
 * InfiniBand's channel adapters): no message waits for a long message to another receiver. A NIC's row has the first
 * message of each connection in order of service; the connection's other messages are queued behind it. With fcfs
 * the messages of all connections form one queue.
 *
 * A hash table over all NICs finds the last message of a connection. The only connection of a NIC, the usual case,
 * is not in the table: its first message has the index of the last.
 */
#include <stdlib.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "packet_state.h"

enum { CONNECTIONS_FIRST = 64 };

static bool same_connection(const struct packet_message *a, const struct packet_message *b)
{
	return a->src == b->src && a->nic == b->nic && a->dst == b->dst && a->from == b->from && a->to == b->to;
}

/* The hash slot of the connection of `m`. */
static uint32_t queue_home_of(const struct net_engine *n, const struct packet_message *m)
{
	uint64_t nic = (uint64_t)m->src * n->nics + (uint32_t)m->nic, ends = (uint64_t)m->from << 32 | m->to;

	return hash_two(nic << 32 | m->dst, ends) & n->connections.mask;
}

/* The slot of the connection of `m`, or an empty one. */
static uint32_t queue_find(const struct net_engine *n, const struct packet_message *m)
{
	const struct packet_connections *c = &n->connections;
	uint32_t i = queue_home_of(n, m);

	while (c->at[i] && !same_connection(MESSAGE(n, c->at[i]), m))
		i = (i + 1) & c->mask;
	return i;
}

/* Makes room for one more connection. */
static bool queue_reserve(struct net_engine *n)
{
	struct packet_connections *c = &n->connections, old = *c;
	uint32_t room = old.at ? 2 * (old.mask + 1) : CONNECTIONS_FIRST;

	if (old.at && 2 * (old.used + 1) <= old.mask + 1)
		return true;
	c->at = mem_alloc(room, sizeof(*c->at), NULL);
	if (!c->at) {
		*c = old;
		n->short_of_memory = true;
		return false;
	}
	c->mask = room - 1;
	for (uint32_t i = 0; old.at && i <= old.mask; i++)
		if (old.at[i])
			c->at[queue_find(n, MESSAGE(n, old.at[i]))] = old.at[i];
	free(old.at);
	return true;
}

/* Removes the connection of `m`; later entries of the probe sequence move up, so that none follows an empty slot. */
static void queue_forget(struct net_engine *n, const struct packet_message *m)
{
	struct packet_connections *c = &n->connections;
	uint32_t hole = queue_find(n, m);

	for (uint32_t i = hole;;) {
		uint32_t home;

		i = (i + 1) & c->mask;
		if (!c->at[i])
			break;
		home = queue_home_of(n, MESSAGE(n, c->at[i]));
		if (((i - home) & c->mask) < ((i - hole) & c->mask))
			continue;
		c->at[hole] = c->at[i];
		hole = i;
	}
	c->at[hole] = 0;
	c->used--;
}

/* Message `i` begins a connection, which is served last. Was the NIC idle? */
static bool come_last(struct net_engine *n, struct packet_nic *nic, uint32_t i)
{
	bool idle = !nic->first;

	if (idle)
		nic->first = i;
	else
		MESSAGE(n, nic->last)->next = i;
	nic->last = i;
	return idle;
}

/* Likewise if the NIC had only one connection, which has just been served if it has begun. */
static void come_second(struct net_engine *n, struct packet_nic *nic, uint32_t i)
{
	const struct packet_message *alone = MESSAGE(n, nic->first);

	if (alone->left == alone->bytes) {
		come_last(n, nic, i);
		return;
	}
	MESSAGE(n, i)->next = nic->first;
	nic->first = i;
}

static void put_behind(struct net_engine *n, uint32_t *tail, uint32_t i)
{
	MESSAGE(n, *tail)->behind = i;
	*tail = i;
}

bool packet_queue(struct net_engine *n, struct packet_nic *nic, uint32_t i)
{
	struct packet_message *m = MESSAGE(n, i), *first = MESSAGE(n, nic->first);
	uint32_t *tail;

	if (!n->in_turn)
		return come_last(n, nic, i);
	if (!nic->first) {
		m->tail = i;
		return come_last(n, nic, i);
	}
	if (first->tail && same_connection(first, m)) {
		put_behind(n, &first->tail, i);
		return false;
	}
	if (first->tail) { /* no longer the only connection */
		if (!queue_reserve(n))
			return false;
		n->connections.at[queue_find(n, first)] = first->tail;
		n->connections.used++;
		first->tail = 0;
	}
	if (!queue_reserve(n))
		return false;
	tail = &n->connections.at[queue_find(n, m)];
	if (*tail) {
		put_behind(n, tail, i);
		return false;
	}
	*tail = i;
	n->connections.used++;
	if (nic->first == nic->last)
		come_second(n, nic, i);
	else
		come_last(n, nic, i);
	return false;
}

void packet_served(struct net_engine *n, struct packet_nic *nic)
{
	uint32_t i = nic->first;
	struct packet_message *m = MESSAGE(n, i);

	nic->first = i == nic->last ? 0 : m->next;
	m->next = 0;
	if (m->left) {
		come_last(n, nic, i);
	} else if (m->behind) {
		MESSAGE(n, m->behind)->tail = m->tail;
		come_last(n, nic, m->behind);
	} else if (n->in_turn && !m->tail) {
		queue_forget(n, m);
	}
}
