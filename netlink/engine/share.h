/*
 * One engine for several jobs: each sends through a view, an engine of its own interface whose ids are the job's own.
 *
 * The owner of the share advances the engine, to the first instant with notices or to a time, and the views get their
 * notices. A view never advances by itself: its `advance` returns the notices that wait for it, in the engine's order.
 * A job's view counts its messages, their latency and their bandwidth.
 */
#ifndef PSIM_NETLINK_SHARE_H
#define PSIM_NETLINK_SHARE_H

#include "../../psim/base/quantile.h"
#include "../../psim/base/sum128.h"
#include "engine.h"

/* The job's messages in figures, from the time of sending to the delivery of the last byte. */
struct share_counts {
	uint64_t sent, delivered, bytes; /* bytes: delivered */
	sum128 latency_ps;               /* of the delivered */
	double bandwidth;                /* sum of bytes/s over the delivered messages: bytes by latency */
	uint64_t latency_bin[QUANTILE_BINS], bandwidth_bin[QUANTILE_BINS];
};

struct net_share;

/* Makes a share of `engine` (borrowed, new) with `views` views. NULL with `e` if memory is short. */
struct net_share *net_share_create(const struct net_engine_kind *kind, struct net_engine *engine, unsigned views,
				   struct err *e);
void net_share_destroy(struct net_share *s); /* NULL is allowed */

/* The kind of all views, for those who use them: send, next_time, advance, verify. */
const struct net_engine_kind *net_share_kind(const struct net_share *s);
/*
 * A view, whose messages are of traffic class `class`; `first_rank` is added to their ranks, so that the engine knows
 * the ranks of all jobs apart.
 */
struct net_engine *net_share_view(struct net_share *s, unsigned view, uint32_t first_rank, uint8_t class);
const struct share_counts *net_share_counts(const struct net_share *s, unsigned view);
/* Returns whether notices wait for the view. */
bool net_share_queued(const struct net_share *s, unsigned view);
/* Returns whether notices wait for the view, or messages of it are in flight. */
bool net_share_waits(const struct net_share *s, unsigned view);

/*
 * Advances to `until_ps`, or to the first instant with notices, all of which are then with their views. Returns 1 with
 * `*now` if there are any; 0: the present is `until_ps`; -1 with `e`.
 */
int net_share_advance(struct net_share *s, int64_t until_ps, int64_t *now, struct err *e);

#endif
