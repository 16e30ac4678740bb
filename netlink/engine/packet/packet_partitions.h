/* A partition of the network: packet_partitions.c. */
#ifndef PSIM_NETLINK_PACKET_PARTITIONS_H
#define PSIM_NETLINK_PACKET_PARTITIONS_H

#include "packet_state.h"

enum { LENGTHS = 64 }; /* classes of the lengths of packets */

struct packet_partitions {
	struct net_partition partition;
	int64_t forward;             /* ps from the start of a packet to its readiness in another partition, at least */
	int64_t cable;               /* ps of a credit on its way to another partition, at least */
	uint64_t fastest;            /* rate of links, at most: 2^-16 ps a byte */
	int64_t enough;              /* bytes of credit for a window as long as `forward` */
	bool always;                 /* routers compare credit, or it never suffices */
	bool may_be_late;            /* credits of this window may be: there is enough without them */
	uint64_t held[LENGTHS];      /* packets in buffers behind links from other partitions, by length */
	uint32_t shortest;           /* packet without data, bytes */
	uint32_t away_least;         /* the shortest packet to another partition in this window, bytes */
	struct vec_of(uint32_t) low; /* rows of VCs of links to other partitions that had less */
	bool *is_low;                /* [row] */
	uint32_t *arrivals, mask, used; /* hash table of messages from other partitions to nodes of this one */
	uint32_t *links; /* that leave vertices of this partition, `leaving`; then those that enter it from others */
	uint32_t leaving, all; /* their number; of both */
	uint64_t packets_in, packets_out;
	bool gathered; /* counters are those of all partitions */
};

extern const struct net_engine_partitions packet_partitions;

void packet_partitions_destroy(struct packet_partitions *q); /* NULL is allowed */

/* The number of links that this process has: all, or those of its partition; and the `i`-th of them. */
static inline uint32_t packet_links_here(const struct net_engine *n)
{
	return n->divided ? n->divided->all : n->t->links;
}

static inline uint32_t packet_link_here(const struct net_engine *n, uint32_t i)
{
	return n->divided ? n->divided->links[i] : i;
}

/* Packet `p` starts on link `l` to another partition. */
void packet_away(struct net_engine *n, uint32_t l, uint32_t p, unsigned in_vc);
/* Credit returns to partition `to`: `bytes` are in VC `row` at `time`. */
void packet_credit_away(struct net_engine *n, unsigned to, uint32_t row, uint32_t bytes, int64_t time);
/* A packet of message `i`, or its NET_SENT, was the last that this partition has of it, if no other is left. */
void packet_message_left(struct net_engine *n, uint32_t i);
/* Message `m` from another partition has arrived. */
void packet_partitions_forget(struct net_engine *n, const struct packet_message *m);

#endif
