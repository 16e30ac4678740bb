/*
 * The flow engine: each message is a fluid on its path (fluid.h) from its start until its last byte has left. The
 * path's latency passes afterwards or before.
 *
 * A message takes one path; or of a random routing all at once, so links carry shares of its rate; or, where packets
 * choose their route by queues, up to eight routes whose shares follow congestion (flow_balance.c). Links share their
 * bandwidth as [flow] mode specifies; NICs are links too. Messages within a node share the node's memory ([nic]
 * memory). A gap (pacing) limits a message's rate to that of packets of [nic] mtu with such gaps. There are no buffers,
 * packets or credits, so head-of-line blocking is not modelled.
 *
 * Latency of a path: the cables' times of flight, and [router] route + vc_allocation + switch_allocation +
 * flit_transfer + switch_delay for each router.
 *
 * Order at one instant: ends of flows by slot; notices, NET_SENT before NET_DELIVERED, each in order of sending; starts
 * in that order; then the new rates. So a message sent at an instant flows from that instant on, and a burst of
 * changes costs one solution.
 */
#ifndef PSIM_NETLINK_FLOW_H
#define PSIM_NETLINK_FLOW_H

#include "../engine.h"
#include "fluid.h"

extern const struct net_engine_kind net_flow;

/* Statistics of the network, for tests and benchmarks. Owned by `n`. */
const struct fluid *net_flow_fluid(const struct net_engine *n);

#endif
