/*
 * The flow engine: each message is a fluid on its path (fluid.h), from when it
 * starts until its last byte has left; then, or before, the path's latency passes.
 *
 * A message takes one way through the network, or where the routing leaves a choice several at a time, each for an
 * equal part; its links share their bandwidth as [flow] mode says, NICs being links as others. A message within
 * its node shares the node's memory ([nic] memory) with others such. A gap (pacing) limits the message's own rate
 * to what packets of [nic] mtu with such pauses reach. There are no buffers, no packets and no waiting for
 * credits: what packets in front keep from moving is not seen.
 *
 * Latency of a path: the cables' times of flight, and [router] route +
 * vc_allocation + switch_allocation + flit_transfer + switch_delay for each router.
 *
 * At one instant: ends of flows in the order of their slots; then notices, NET_SENT
 * before NET_DELIVERED, each in the order in which the messages were sent; then
 * starts in that order; then the rates that hold from there on. So what is sent at
 * an instant flows from that instant on, and a burst of changes costs one solution.
 */
#ifndef PSIM_NETLINK_FLOW_H
#define PSIM_NETLINK_FLOW_H

#include "../engine.h"
#include "fluid.h"

extern const struct net_engine_kind net_flow;

/* Statistics of the network, for tests and benchmarks. Owned by `n`. */
const struct fluid *net_flow_fluid(const struct net_engine *n);

#endif
