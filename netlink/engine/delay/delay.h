/*
 * What engines have in common in which a message takes a time of its own, whatever else is under
 * way in the network: it has left its source at once, and arrives after a delay, but not before those
 * that the same sender (`src`, `from`) sent to the same receiver (`dst`, `to`) earlier: each pair of ranks has a
 * connection of its own, whatever others on their nodes send. NICs and gaps make no difference. Messages of a
 * handshake (`control`) wait for no data, neither for those of their pair nor for those of their node: NICs send them
 * from a queue of their own.
 *
 * What the ranks of a node may share: the NICs that lead into the network and out of it, each for one message at a
 * time in each direction, and the memory that messages within the node pass, for one at a time. Messages take
 * their turns there in the order in which they come, each for its bytes / bandwidth; of several NICs a message
 * takes the one that is free first.
 *
 * At one instant: first what has been sent, then what has arrived, each in the order of sending.
 */
#ifndef PSIM_NETLINK_DELAY_H
#define PSIM_NETLINK_DELAY_H

#include "../engine.h"

extern const struct net_engine_kind net_linear, net_none, net_table;

/* The time from the send of a message to its arrival, 0 or more. */
typedef int64_t delay_fn(const void *model, const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes);

/* Bytes at so many ps each, to the nearest. */
static inline int64_t delay_transfer(uint64_t bytes, double ps_per_byte)
{
	double ps = (double)bytes * ps_per_byte;

	return ps < 0x1p62 ? (int64_t)(ps + 0.5) : INT64_C(1) << 62;
}

/* What a node has: bytes/s, 0 where nothing is shared. */
struct delay_node {
	double nic;    /* of each NIC, each way */
	unsigned nics; /* at least 1 */
	double memory;
	bool ordered; /* messages of a pair never overtake each other: nobody has to watch over it */
};

/* What [node] says. */
struct delay_node delay_node(const struct net_setup *setup);

/* Takes over `model`, which is freed by `drop` (also on failure); NULL and `e` when memory is
 * short. */
struct net_engine *delay_create(const struct net_setup *setup, const struct delay_node *node, delay_fn *delay,
				void *model, void (*drop)(void *model), struct err *e);

/* The functions of net_engine_kind. */
void delay_destroy(struct net_engine *n);
int delay_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
int64_t delay_next_time(const struct net_engine *n);
int delay_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e);
void delay_report(const struct net_engine *n, struct report *r);
int delay_verify(const struct net_engine *n, struct err *e);
#define DELAY_FUNCTIONS \
	.destroy = delay_destroy, .send = delay_send, .next_time = delay_next_time, .advance = delay_advance, \
	.report = delay_report, .verify = delay_verify

#endif
