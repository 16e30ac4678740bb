/*
 * The packet engine: virtual cut-through with credits, one event a packet and hop.
 *
 * A message is cut into packets; each goes, head first, from the memory of its
 * node through the injection FIFO of a NIC, the buffers of the routers and the
 * ejection FIFO into the memory of its destination. docs/packet-engine.md has the model,
 * with a diagram of the times; state.h has the rows.
 *
 * What happens at one instant happens in this order:
 *   1. heads of packets are ready behind a link, by number of the link;
 *   2. messages that were sent are handed to their NIC, by number of the message;
 *   3. links look for a packet to carry, by number of the link;
 *   4. NET_SENT, by number of the message; 5. NET_DELIVERED, by number of the message.
 * The number of a message is the lowest that was free when it was sent, last freed first.
 * Within a router, who gets an output is a parameter (router.arbitration); where
 * that leaves a tie, the lower input port, then the lower virtual channel wins.
 */
#ifndef PSIM_NETLINK_PACKET_H
#define PSIM_NETLINK_PACKET_H

#include "../engine.h"

extern const struct net_engine_kind net_packet;

/* Statistics for benchmarks and tests. */
struct net_packet_counts {
	uint64_t packets, hops;   /* made; moved over a link, including NIC links */
	uint64_t router_hops;     /* moved over a link between routers */
	double router_links_busy; /* fraction of the time, mean over links between routers: 0 … 1 */
	uint64_t events;          /* events processed */
	uint64_t tries;           /* arbitrations */
	uint64_t bytes_fixed;     /* memory of the network itself */
	uint64_t bytes_packets;   /* peak memory of packets, messages and events */
	uint32_t packets_most;    /* peak number in the network */
	uint32_t messages_most;
};
struct net_packet_counts net_packet_counts(const struct net_engine *n);

#endif
