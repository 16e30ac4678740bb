/*
 * Credits: free space in the buffer at the end of a link. The time of a credit's return is known when it is sent, so
 * returns are no events: each virtual channel keeps pending credits in order of time, and a reader collects those
 * that are due.
 */
#ifndef PSIM_NETLINK_PACKET_CREDIT_H
#define PSIM_NETLINK_PACKET_CREDIT_H

#include <assert.h>

#include "packet_state.h"

/* Slow paths of the functions below. */
void packet_take_later(struct net_engine *n, struct packet_vc *v);
void packet_queue_credit(struct net_engine *n, struct packet_vc *v, uint32_t bytes, int64_t time);

/* Collects the credits that have returned to `v`; at least one has. */
static inline void packet_take_credits(struct net_engine *n, struct packet_vc *v, int64_t now)
{
	int64_t next;

	assert(v->back_at[0] <= now && v->back_at[0] <= v->back_at[1]); /* pending credits are in order of time */
	do {
		next = v->back_at[1];
		v->credit += v->back;
		v->back_at[0] = next;
		if (next == NET_TIME_NEVER)
			return;
		v->back = v->back_next;
		if (__builtin_expect(v->more, 0))
			packet_take_later(n, v);
		else
			v->back_at[1] = NET_TIME_NEVER;
	} while (next <= now);
}

static inline int64_t packet_credit_now(struct net_engine *n, struct packet_vc *v, int64_t now)
{
	if (v->back_at[0] <= now)
		packet_take_credits(n, v, now);
	return v->credit;
}

/* Frees `bytes` in the buffer of VC `vc` of link `l`; the credit is upstream at `time`, not before the present. */
static inline void packet_return_credit(struct net_engine *n, uint32_t l, unsigned vc, uint32_t bytes, int64_t time)
{
	struct packet_vc *row = &n->vc[(size_t)l * n->vcs], *v = row + vc;

	if (v->back_at[0] <= n->present)
		packet_take_credits(n, v, n->present);
	if (v->back_at[0] == NET_TIME_NEVER) {
		v->back_at[0] = time;
		v->back = bytes;
	} else if (v->back_at[1] == NET_TIME_NEVER && time >= v->back_at[0]) {
		v->back_at[1] = time;
		v->back_next = bytes & CREDIT_MOST;
	} else {
		packet_queue_credit(n, v, bytes, time);
	}
	if (row->starved)
		packet_wake(n, l, time);
}

/* Bytes in a buffer of `capacity`, or on the way to it, at time `now`. */
int64_t packet_held(const struct net_engine *n, const struct packet_vc *v, int64_t capacity, int64_t now);

/* Available and pending credit, bytes. */
int64_t packet_credit_in_all(const struct net_engine *n, const struct packet_vc *v);

#endif
