/*
 * Prefetching: a large network's rows exceed the cache, so the rows that upcoming events need are prefetched. For
 * packet_events.c.
 */
#ifndef PSIM_NETLINK_PACKET_AHEAD_H
#define PSIM_NETLINK_PACKET_AHEAD_H

#include "arbiter.h"

/* Distances in events at which the rows of a hop are prefetched, in order of dependence. */
enum {
	AHEAD_LINK = 15,
	AHEAD_CANDIDATES = 12,
	AHEAD_PACKET = 9,
	AHEAD_NEXT = 6,
	AHEAD_QUEUE = 3,
	AHEAD_LAST = 1,
	CHUNK_EVENTS = 2, /* events for each prefetched chunk of the calendar */
};

/* The key of the event `ahead` places after the present one; 0, which belongs to no link: it is in another bucket. */
INLINE uint32_t key_ahead(const struct net_engine *n, unsigned ahead)
{
	const struct calendar *c = &n->calendar;

	return c->now_at + ahead <= c->now_count ? (uint32_t)c->now[c->now_at + ahead - 1] : 0;
}

/* The link of that event, if the event is an arbitration. */
INLINE const struct packet_link *link_ahead(const struct net_engine *n, unsigned ahead)
{
	uint32_t key = key_ahead(n, ahead);

	return key >> INDEX_BITS == EVENT_TRY ? &n->link[key & INDEX_MASK] : NULL;
}

/* Prefetches the rows that the event itself names. */
INLINE void fetch_first(const struct net_engine *n, uint32_t key)
{
	uint32_t i = key & INDEX_MASK;

	if (key >> INDEX_BITS == EVENT_TRY) {
		__builtin_prefetch(&n->link[i]);
		__builtin_prefetch(&n->vc[(size_t)i * n->vcs]);
	} else if (key >> INDEX_BITS > EVENT_TRY) {
		__builtin_prefetch(&n->node[i]);
	} else if (key >> INDEX_BITS == EVENT_ARRIVE) {
		__builtin_prefetch(&n->link[i]);
		__builtin_prefetch(&n->rare[i]);
	}
}

INLINE void fetch_candidates(const struct net_engine *n, const struct packet_link *link)
{
	if (link->role == LINK_INJECT) {
		__builtin_prefetch(&n->nic[link->candidates]);
		return;
	}
	for (uint64_t bits = link->mask; bits; bits &= bits - 1)
		__builtin_prefetch(&n->candidate[link->candidates + (unsigned)__builtin_ctzll(bits)]);
}

/* Predicts the packet that `link` will send, and records it for the next steps. */
INLINE void fetch_packet(struct net_engine *n, const struct packet_link *link, struct packet_guess *guess)
{
	guess->link = NULL;
	if (link->role == LINK_INJECT) {
		__builtin_prefetch(MESSAGE(n, n->nic[link->candidates].first));
	} else if (link->mask) {
		const struct packet_candidate *row = &n->candidate[link->candidates];

		guess->packet = row[oldest_of(row, link->mask)].first;
		guess->link = link;
		__builtin_prefetch(PACKET(n, guess->packet));
	}
}

/*
 * Prefetches what the predicted packet will touch: its next link, and the receiver of its credit, or its message; and
 * the packet behind it.
 */
INLINE void fetch_next(const struct net_engine *n, const struct packet_link *link, const struct packet_guess *guess,
		       enum packet_loop loop)
{
	const struct packet *packet;

	if (link->role == LINK_INJECT) {
		const struct packet_message *m = MESSAGE(n, n->nic[link->candidates].first);

		__builtin_prefetch(&n->node[m->src]);
		if (m->path) /* before the first path there are no rows */
			__builtin_prefetch(PATH(n, m->path));
		return;
	}
	if (guess->link != link)
		return;
	packet = PACKET(n, guess->packet);
	__builtin_prefetch(&n->vc[(size_t)packet->from * n->vcs + packet->from_vc]);
	__builtin_prefetch(PACKET(n, packet->next));
	if (link->role == LINK_EJECT) {
		__builtin_prefetch(MESSAGE(n, packet->message));
		__builtin_prefetch(&n->node[link->to]);
	} else if (is_divided(n, loop) && link->leaves) {
		__builtin_prefetch(MESSAGE(n, packet->message));
		__builtin_prefetch((const char *)MESSAGE(n, packet->message) + CACHE_LINE);
	} else {
		__builtin_prefetch(&n->link[packet->then >> VC_BITS]);
		__builtin_prefetch(&PATH(n, packet->path)[packet->step + 1]);
	}
}

/* The queue that the next packet of `link` will join, in its next router; NULL: unknown. Reads its next link. */
INLINE const struct packet_candidate *queue_ahead(const struct net_engine *n, const struct packet_link *link,
						  const struct packet_guess *guess)
{
	uint32_t then = PATH_END;
	unsigned slot = link->in_slot;

	if (link->role == LINK_INJECT) {
		const struct packet_message *m = MESSAGE(n, n->nic[link->candidates].first);

		then = m->path ? *PATH(n, m->path) : PATH_END;
	} else if (guess->link == link && link->role == LINK_ROUTERS) {
		const struct packet *packet = PACKET(n, guess->packet);

		if (&n->link[packet->out] == link) { /* it has not left */
			then = packet->then;
			slot += packet->vc;
		}
	}
	return then != PATH_END ? &n->candidate[n->link[then >> VC_BITS].candidates + slot] : NULL;
}

/* Prefetches what the arrival of `packet`, in its last router, will read; `ahead`: one of the distances. */
INLINE void fetch_for_packet(const struct net_engine *n, const struct packet *packet, unsigned ahead)
{
	const struct packet_message *m = MESSAGE(n, packet->message);
	uint32_t eject;

	if (ahead == AHEAD_PACKET) {
		__builtin_prefetch(m);
		if (packet->path)
			__builtin_prefetch(&PATH(n, packet->path)[packet->step]);
		return;
	}
	if (ahead == AHEAD_NEXT) {
		__builtin_prefetch(&n->node[m->dst]);
		return;
	}
	eject = m->eject == NIC_CHOSEN ? n->node[m->dst].receive_in_turn : m->eject;
	__builtin_prefetch(&n->link[n->t->eject[(size_t)m->dst * n->nics + eject]]);
}

/* Prefetches for the event `ahead` places after the present one if it is no arbitration. */
INLINE void fetch_other(const struct net_engine *n, unsigned ahead)
{
	uint32_t key = key_ahead(n, ahead), i = key & INDEX_MASK;

	if (__builtin_expect(key >> INDEX_BITS == EVENT_TRY, 1))
		return;
	if (key && key >> INDEX_BITS == EVENT_ARRIVE) {
		const struct packet *packet = PACKET(n, n->rare[i].first);

		if (ahead == AHEAD_CANDIDATES)
			__builtin_prefetch(packet);
		else
			fetch_for_packet(n, packet, ahead);
	} else if (ahead == AHEAD_CANDIDATES && key >> INDEX_BITS == EVENT_SENT) {
		__builtin_prefetch(MESSAGE(n, n->node[i].endings[NET_SENT].first));
	} else if (ahead == AHEAD_CANDIDATES && key >> INDEX_BITS == EVENT_DELIVERED) {
		__builtin_prefetch(MESSAGE(n, n->node[i].endings[NET_DELIVERED].first));
	}
}

/* The function must be inlined: gcc treats a function that only prefetches as having no effect. */
INLINE void look_ahead(struct net_engine *n, enum packet_loop loop)
{
	const struct packet_candidate *queue;
	const struct packet_link *link;
	uint32_t at = n->calendar.now_at;

	if (at % CHUNK_EVENTS == 0)
		calendar_fetch(&n->calendar);
	fetch_first(n, key_ahead(n, AHEAD_LINK));
	if ((link = link_ahead(n, AHEAD_CANDIDATES)) != NULL)
		fetch_candidates(n, link);
	if (!n->fixed_routes)
		return;
	if ((link = link_ahead(n, AHEAD_PACKET)) != NULL)
		fetch_packet(n, link, &n->guess[(at + AHEAD_PACKET) % GUESSES]);
	if ((link = link_ahead(n, AHEAD_NEXT)) != NULL)
		fetch_next(n, link, &n->guess[(at + AHEAD_NEXT) % GUESSES], loop);
	if ((link = link_ahead(n, AHEAD_QUEUE)) != NULL)
		__builtin_prefetch(queue_ahead(n, link, &n->guess[(at + AHEAD_QUEUE) % GUESSES]));
	if ((link = link_ahead(n, AHEAD_LAST)) != NULL &&
	    (queue = queue_ahead(n, link, &n->guess[(at + AHEAD_LAST) % GUESSES])) != NULL)
		__builtin_prefetch(PACKET(n, queue->last));
	fetch_other(n, AHEAD_CANDIDATES);
	fetch_other(n, AHEAD_PACKET);
	fetch_other(n, AHEAD_NEXT);
	fetch_other(n, AHEAD_QUEUE);
}

#endif
