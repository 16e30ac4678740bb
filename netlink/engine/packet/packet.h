/*
 * The packet engine: virtual cut-through with credits, one event for each packet and hop.
 *
 * A message is segmented into packets. Each is transmitted, head first, from the memory of its node through the
 * injection FIFO of a NIC, the buffers of the routers and the ejection FIFO to the memory of its destination.
 * docs/models/packet-engine.md describes the model, with a timing diagram; packet_state.h has the rows.
 *
 * Order of events at one instant:
 *   1. heads of packets are ready at the end of a link, by link number;
 *   2. messages that were sent enter their NIC, by message number;
 *   3. links arbitrate, by link number;
 *   4. NET_SENT, by message number; 5. NET_DELIVERED, by message number.
 * A message gets a free number when it is sent, the last freed first. Arbitration within a router is a parameter
 * (router.arbitration); ties go to the lower input port, then to the lower virtual channel.
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
