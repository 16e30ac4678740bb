/*
 * Links that fail or are repaired during the run. At that time, before the events of that instant:
 *
 *   - A packet on a failed link, whose tail has not arrived and whose head has not left the router behind it, is lost
 *     there. The router before the link has kept it, and sends it again.
 *   - A packet whose route is gone begins another one in the router where it is. So does each packet under up_down,
 *     whose order of routers may be another one.
 *   - Messages in NICs find routes on the new network for the packets that they have not made.
 *
 * A packet that begins again moves to the memory of its router: the buffer that it held is free, and it waits in a slot
 * of its own, behind no packet that holds a buffer. So no buffer waits for one of another order of channels, and it
 * suffices that each network is free of deadlock. Such memory at routers is that of in-transit buffers (J. Flich et
 * al., ICS 2000).
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "../../topology/down.h"
#include "../../topology/kind.h"
#include "credit.h"
#include "packet_state.h"

/* A packet that begins a new route. */
struct moved {
	uint32_t packet, router; /* where it begins */
	bool again;              /* the link before has lost it */
};
struct change {
	struct net_engine *n;
	const uint8_t *down; /* [link] */
	struct vec_of(struct moved) moved;
	struct vec_of(uint32_t) message; /* of these packets */
	struct err *err;
};

/* Returns whether the link over which a packet came, or comes, loses it. */
static bool loses(const struct change *c, const struct packet *packet)
{
	const struct net_engine *n = c->n;

	return c->down[packet->from] && n->link[packet->from].role == LINK_ROUTERS && !packet->transit &&
	       packet->tail > n->present;
}

/* Returns whether no link of a path from the step in `then` on is down. */
static bool path_is_up(const struct change *c, const struct packet *packet)
{
	const uint32_t *word = &PATH(c->n, packet->path)[packet->step];

	for (; *word != PATH_END; word++)
		if (c->down[*word >> VC_BITS])
			return false;
	return true;
}

/* Returns whether a packet that waits for its next link, or with `in_flight` will choose it, can go on as before. */
static bool packet_may_go_on(const struct change *c, const struct packet *packet, bool in_flight)
{
	const struct net_engine *n = c->n;
	uint32_t router;

	if (!topology_goes_round(n->t))
		return true;
	if (n->fixed_routes)
		return n->t->routing->legs && (in_flight || !c->down[packet->out]) && path_is_up(c, packet);
	if (in_flight)
		return topology_route_continues(n->t, n->link[packet->from].to, ROUTE(n, packet->path));
	router = n->link[packet->out].to;
	return !c->down[packet->out] &&
	       (router < n->t->nodes || topology_route_continues(n->t, router, ROUTE(n, packet->path)));
}

/* Decides on packet `p`, in `router` or on the way there: false, it begins again. -1: memory is short. */
static int keeps(struct change *c, uint32_t p, uint32_t router, bool in_flight)
{
	struct net_engine *n = c->n;
	struct packet *packet = PACKET(n, p);
	bool again = loses(c, packet);
	struct moved *x;

	if (again)
		router = n->t->link[packet->from].from;
	if (!packet_has_route(n, MESSAGE(n, packet->message), router))
		return 1; /* the run ends */
	if (!again && packet_may_go_on(c, packet, in_flight))
		return 1;
	x = vec_push(&c->moved, c->err);
	if (!x)
		return -1;
	*x = (struct moved){p, router, again};
	return 0;
}

/* Removes from a queue the packets that begin again. 0, or -1: memory is short. */
static int sift(struct change *c, uint32_t *first, uint32_t *last, uint32_t router, bool in_flight)
{
	struct net_engine *n = c->n;
	uint32_t next, *at = first;

	for (uint32_t p = *first; p; p = next) {
		const struct packet *packet = PACKET(n, p);
		int keep = keeps(c, p, router, in_flight);

		next = packet->next;
		if (keep < 0)
			return -1;
		if (keep) {
			*at = p;
			*last = p;
			at = &PACKET(n, p)->next;
		} else if (!in_flight) {
			packet_count_waiting(n, packet->out, packet->vc, 0 - packet->bytes);
		}
	}
	*at = 0;
	return 0;
}

/* Packets that wait for link `l`, and those on it whose next link is not known. */
static int sift_link(struct change *c, uint32_t l)
{
	struct net_engine *n = c->n;
	struct packet_link *link = &n->link[l];
	unsigned slots = link->role == LINK_INJECT ? 0 : n->kind[link->kind].slots;

	for (unsigned slot = 0; slot < slots; slot++) {
		struct packet_candidate *row = &n->candidate[link->candidates + slot];

		if (!row->first)
			continue;
		if (sift(c, &row->first, &row->last, n->t->link[l].from, false) < 0)
			return -1;
		packet_renew_candidate(n, l, slot);
	}
	if (link->in_flight && sift(c, &n->rare[l].first, &n->rare[l].last, link->to, true) < 0)
		return -1;
	link->in_flight = link->in_flight && n->rare[l].first;
	return 0;
}

/* ---- a new route ---- */

/* Frees the buffer that a packet holds, or that a failed link has reserved for it. */
static void free_buffer(struct net_engine *n, const struct moved *x)
{
	struct packet *packet = PACKET(n, x->packet);
	int64_t at = x->again || packet->tail < n->present ? n->present : packet->tail;

	if (!packet->transit)
		packet_return_credit(n, packet->from, packet->from_vc, packet->bytes,
				     at + n->kind[packet->from_kind].credit_delay);
	packet->transit = true;
	if (x->again) /* it was there no later than it had left */
		packet->tail -= n->kind[packet->from_kind].delay;
	at = n->present + n->stages;
	packet->ready = x->again || packet->ready < at ? at : packet->ready;
}

/* Gives a packet a path of its own. */
static bool take_own_path(struct net_engine *n, struct packet *packet)
{
	uint32_t old = packet->path, row;

	if (packet->own_path)
		return true;
	row = packet_pool_take(n, &n->paths);
	if (!row)
		return false;
	for (unsigned i = 0; i < n->path_steps; i++)
		PATH(n, row)[i] = PATH(n, old)[i];
	packet->path = row;
	packet->own_path = true;
	return true;
}

static bool find_route(struct net_engine *n, const struct moved *x)
{
	struct packet *packet = PACKET(n, x->packet);
	const struct packet_message *m = MESSAGE(n, packet->message);
	unsigned count, nic = m->eject == NIC_CHOSEN ? 0 : m->eject;

	if (!take_own_path(n, packet))
		return false;
	while (!(count = topology_fixed_route_from(n->t, x->router, m->src, m->dst, VC_BITS, PATH(n, packet->path),
						   n->path_steps - 1)))
		if (!packet_widen_routes(n))
			return false;
	if (n->nics > 1) {
		uint32_t eject = n->t->eject[(size_t)m->dst * n->nics + nic];

		PATH(n, packet->path)[count - 1] = eject << VC_BITS | (m->eject == NIC_CHOSEN ? VC_CHOSEN : 0);
	}
	PATH(n, packet->path)[count] = PATH_END;
	packet->step = 0;
	packet->then = PATH(n, packet->path)[0];
	return true;
}

static bool packet_begin_again(struct net_engine *n, const struct moved *x)
{
	struct packet *packet = PACKET(n, x->packet);
	const struct packet_message *m = MESSAGE(n, packet->message);
	uint64_t key = rng_u64(n->seed, (uint64_t)m->src << 32 | m->order, (uint64_t)packet->born);

	free_buffer(n, x);
	if (n->fixed_routes && !find_route(n, x))
		return false;
	if (!n->fixed_routes)
		topology_route_restart(n->t, x->router, m->src, m->dst, key, ROUTE(n, packet->path));
	packet_find_step_at(n, packet, x->router, packet->from, n->present);
	packet_join(n, x->packet, packet_transit_slot(n, packet->out));
	return true;
}

/* ---- messages whose packets are to be made ---- */

/* The paths of messages in NICs are found again; packets in the network keep theirs, as their own. */
static void forget_paths(struct net_engine *n, uint32_t first)
{
	for (uint32_t i = first; i; i = MESSAGE(n, i)->next) {
		struct packet_message *m = MESSAGE(n, i);

		if (m->path)
			packet_pool_give(&n->paths, m->path);
		m->path = 0;
	}
}

static bool keep_paths(struct net_engine *n, uint32_t first)
{
	for (uint32_t p = first; p; p = PACKET(n, p)->next)
		if (!take_own_path(n, PACKET(n, p)))
			return false;
	return true;
}

static bool renew_paths(struct net_engine *n)
{
	for (uint32_t l = 0; l < n->t->links; l++) {
		const struct packet_link *link = &n->link[l];
		unsigned slots = link->role == LINK_INJECT ? 0 : n->kind[link->kind].slots;

		for (unsigned slot = 0; slot < slots; slot++)
			if (!keep_paths(n, n->candidate[link->candidates + slot].first))
				return false;
		if (link->in_flight && !keep_paths(n, n->rare[l].first))
			return false;
	}
	for (uint32_t i = 0; i < n->t->nodes * n->nics; i++) {
		forget_paths(n, n->nic[i].first);
		forget_paths(n, n->nic[i].control_first);
	}
	return true;
}

/* ---- the whole ---- */

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int count_effect(struct change *c, struct net_change_effect *effect)
{
	if (vec_reserve(&c->message, c->moved.count, c->err) < 0)
		return -1;
	for (size_t i = 0; i < c->moved.count; i++) {
		const struct packet *packet = PACKET(c->n, c->moved.at[i].packet);

		effect->packets++;
		effect->bytes += c->moved.at[i].again ? packet->bytes : 0;
		c->message.at[c->message.count++] = packet->message;
	}
	if (c->message.count)
		qsort(c->message.at, c->message.count, sizeof(*c->message.at), compare_numbers);
	for (size_t i = 0; i < c->message.count; i++)
		effect->messages += !i || c->message.at[i] != c->message.at[i - 1];
	return 0;
}

static int change_all(struct change *c, struct net_change_effect *effect)
{
	struct net_engine *n = c->n;

	for (uint32_t l = 0; l < n->t->links; l++)
		if (sift_link(c, l) < 0)
			return -1;
	if (n->lost.status)
		return 0;
	if (n->fixed_routes && !renew_paths(n))
		return mem_short(c->err);
	for (size_t i = 0; i < c->moved.count; i++)
		if (!packet_begin_again(n, &c->moved.at[i]))
			return mem_short(c->err);
	return count_effect(c, effect);
}

int packet_change(struct net_engine *n, struct err *e)
{
	struct change c = {.n = n, .err = e};
	struct net_change_effect *effect;
	int result;

	while (n->sample_at < n->present)
		packet_sample(n);
	n->t = net_changes_take(&n->changes, &effect);
	c.down = n->t->down->link;
	result = change_all(&c, effect);
	vec_finish(&c.moved);
	vec_finish(&c.message);
	return result;
}
