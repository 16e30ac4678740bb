/* The driver's state; private to this folder. */
#ifndef PSIM_NETLINK_DRIVER_STATE_H
#define PSIM_NETLINK_DRIVER_STATE_H

#include "../../psim/base/slots.h"
#include "../../psim/base/tally.h"
#include "../../psim/base/vec.h"
#include "../parallel/window.h"
#include "traffic_state.h"

enum wait_kind { WAIT_NONE, WAIT_SEND, WAIT_SENDS, WAIT_RECEIVE, WAIT_TIME, WAIT_OVER };

struct rank_state {
	uint64_t step;
	unsigned entry;  /* of the step */
	unsigned active; /* sends in flight */
	enum wait_kind wait;
	uint32_t peer;   /* WAIT_RECEIVE */
	int64_t free_ps; /* its processor is idle from then on */
};

struct flight {
	uint32_t src, dst; /* ranks */
	int64_t sent_ps;
	uint64_t bytes;
	unsigned notices; /* outstanding here */
};

struct timer {
	int64_t time_ps;
	uint32_t rank;
};

struct driver {
	const struct traffic_setup *s;
	const struct traffic *traffic;
	unsigned outstanding;
	bool waits;
	int64_t now_ps;
	struct rank_state *rank;
	struct traffic_result *result;
	struct slots_of(struct flight) flights;
	struct vec_of(struct timer) timers; /* a heap by (time, rank) */
	struct tally arrived; /* by pair_key: messages that arrived before their receiver waited for them */
	uint64_t ticks, windows;
	struct window_setup *window; /* of several processes; NULL: one */
};

/* Returns whether this process runs the rank. */
static inline bool driver_has(const struct driver *d, uint32_t rank)
{
	return !d->s->exchange || d->s->owner[d->s->node_of[rank]] == exchange_me(d->s->exchange);
}

/* The bytes of the details of an open loop of so many ranks. */
static inline size_t driver_detail_size(uint32_t ranks)
{
	return sizeof(struct traffic_detail) + ranks * sizeof(struct traffic_sender);
}

/* Messages delivered, on several processes up to the last window. */
static inline uint64_t driver_done(const struct driver *d)
{
	return d->result->messages + (d->window ? d->window->others : 0);
}

/* driver.c: makes an empty driver of `s` (borrowed); checks that all ranks have ended; frees what it has. */
int driver_prepare(struct driver *d, const struct traffic_setup *s, struct err *e);
int driver_end(struct driver *d, struct err *e);
void driver_finish(struct driver *d);
/* driver.c: an event of a message; the pauses that end up to `now_ps`. 0, or -1 with `e`. */
int driver_notice(struct driver *d, const struct net_notice *x, struct err *e);
int driver_timers(struct driver *d, int64_t now_ps, struct err *e);
/* driver.c: starts the ranks; runs up to `end_ps` (inclusive), or until nothing is in flight and no rank pauses. */
int driver_start(struct driver *d, struct err *e);
int driver_run(struct driver *d, int64_t end_ps, struct err *e);

/*
 * driver_partitions.c: the whole run on several processes; the first one returns, with everybody's result. 0, or -1
 * with `e`; STATUS_STUCK without a reason if messages are in flight and cannot move.
 */
int driver_together(struct driver *d, struct err *e);

#endif
