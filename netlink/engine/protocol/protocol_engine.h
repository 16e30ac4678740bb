/*
 * An engine between the caller and another one: hosts add the times of a protocol (../../protocol/protocol.h) to those
 * of the network.
 *
 * A message enters its node's queue when it is sent. It begins when the gap of the message before it, of its node and
 * its table, is over; the engine below carries it; it is delivered its delay after it has arrived. Messages of a
 * handshake have the delay of an empty message, and no gap. Processor times (`send`, `receive`) are the caller's.
 *
 * At one instant NET_SENT is in the order of the engine below; then NET_DELIVERED, in the order of senders; then
 * messages begin, in the order of their senders, and of a sender in its order. The order is the same in several
 * processes.
 */
#ifndef PSIM_NETLINK_PROTOCOL_ENGINE_H
#define PSIM_NETLINK_PROTOCOL_ENGINE_H

#include "../../protocol/protocol.h"
#include "../engine.h"

/* Makes an engine of kind `below` behind the protocol of `setup`, which is not NULL. NULL with `e` on failure. */
struct net_engine *protocol_engine_create(const struct net_engine_kind *below, const struct net_setup *setup,
					  struct err *e);

/* Messages longer than any of the protocol, and the longest one. */
struct protocol_beyond {
	uint64_t count, longest;
};

/*
 * Returns how many messages were longer than those that the protocol's table was measured with, and the longest one;
 * `n` is an engine made here.
 */
uint64_t protocol_engine_beyond(const struct net_engine *n, enum protocol_where where, uint64_t *ret_longest);

/* The other functions of net_engine_kind. */
extern const struct net_engine_partitions protocol_engine_partitions;
void protocol_engine_destroy(struct net_engine *n);
int protocol_engine_send(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
int64_t protocol_engine_next_time(const struct net_engine *n);
int protocol_engine_advance(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max,
			    struct err *e);
void protocol_engine_report(const struct net_engine *n, struct report *r);
void protocol_engine_carried(const struct net_engine *n, double *bytes); /* of an engine that knows */
int protocol_engine_verify(const struct net_engine *n, struct err *e);

#endif
