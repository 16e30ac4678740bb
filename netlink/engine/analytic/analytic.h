/*
 * Common part of engines in which a message's delay does not depend on other traffic. A message leaves its source at
 * once and arrives after its delay, but not before earlier messages of the same sender (`src`, `from`) to the same
 * receiver (`dst`, `to`): each pair of ranks has a connection of its own. The choice of a NIC and gaps have no
 * effect. Messages of a handshake (`control`) wait for no data of their pair or node, because NICs queue them
 * separately.
 *
 * The ranks of a node may share its NICs, each for one message at a time in each direction, and its memory, for one
 * message within the node at a time. Messages are served in order of arrival, each for bytes / bandwidth, by the NIC
 * that is free first.
 *
 * At one instant NET_SENT precedes NET_DELIVERED, each in order of injection: by time, sender (`from`), and in the
 * sender's order. So the order is the same where several processes have partitions of the network
 * (analytic_partitions.c): the window is the least delay between two nodes.
 */
#ifndef PSIM_NETLINK_ANALYTIC_H
#define PSIM_NETLINK_ANALYTIC_H

#include "../engine.h"

extern const struct net_engine_kind net_linear, net_none, net_table;

/* Delay of a message from send to arrival, 0 or more. */
typedef int64_t delay_fn(const void *model, const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes);

/* Time of `bytes`, rounded to the nearest ps. */
static inline int64_t analytic_transfer(uint64_t bytes, double ps_per_byte)
{
	double ps = (double)bytes * ps_per_byte;

	return ps < 0x1p62 ? (int64_t)(ps + 0.5) : INT64_C(1) << 62;
}

/* Resources of a node: bytes/s, 0: not shared. */
struct analytic_node {
	double nic;    /* of each NIC, each way */
	unsigned nics; /* at least 1 */
	double memory;
	int64_t least_ps; /* delay between nodes of different routers, at least; 0: unknown, and one process has all */
	bool ordered;     /* messages of a pair never overtake each other, so order need not be enforced */
};

/* The resources that [node] configures. */
struct analytic_node analytic_node(const struct net_setup *setup);

/* Makes an engine that owns `model`, which `drop` frees (also on failure); NULL with `e` if memory is short. */
struct net_engine *analytic_create(const struct net_setup *setup, const struct analytic_node *node, delay_fn *delay,
				   void *model, void (*drop)(void *model), struct err *e);

/* The functions of net_engine_kind. */
extern const struct net_engine_partitions analytic_engine_partitions;
void analytic_destroy(struct net_engine *n);
int analytic_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
int64_t analytic_next_time(const struct net_engine *n);
int analytic_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e);
void analytic_report(const struct net_engine *n, struct report *r);
int analytic_verify(const struct net_engine *n, struct err *e);
#define ANALYTIC_FUNCTIONS \
	.destroy = analytic_destroy, .send = analytic_send, .next_time = analytic_next_time, \
	.advance = analytic_advance, .report = analytic_report, .verify = analytic_verify, \
	.partitions = &analytic_engine_partitions

#endif
