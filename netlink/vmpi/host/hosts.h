/*
 * The message library's part of a message, by its size and by where its ends are: the protocol of a file
 * (../../protocol), or that of [mpi] for messages that the file has no table for. Ranks are of the world.
 */
#ifndef PSIM_VMPI_HOSTS_H
#define PSIM_VMPI_HOSTS_H

#include "../../protocol/protocol.h"
#include "../vmpi_config.h"
#include "world.h"

/* Returns whether two ranks are on one node. */
static inline bool hosts_within(const struct vmpi *v, uint32_t src, uint32_t dst)
{
	return v->ranks[src].node == v->ranks[dst].node;
}

/* The segment of a message; NULL: [mpi] has what holds. */
static inline const struct protocol_segment *hosts_segment(const struct vmpi *v, bool within, uint64_t bytes)
{
	return v->protocol ? protocol_find(v->protocol, within ? PROTOCOL_WITHIN : PROTOCOL_BETWEEN, bytes) : NULL;
}

/* How a message is sent. */
static inline enum protocol_sends hosts_way(const struct vmpi *v, bool within, uint64_t bytes)
{
	const struct protocol_segment *s = hosts_segment(v, within, bytes);

	if (s)
		return s->sends;
	if (bytes > v->cfg->mpi.eager)
		return PROTOCOL_RENDEZVOUS;
	return v->cfg->mpi.send_done == SEND_DONE_COPIED ? PROTOCOL_BUFFERED : PROTOCOL_EAGER;
}

/* Time of the sender's processor beyond that of the call, and of the receiver's when it takes the message; ps. */
static inline int64_t hosts_send_ps(const struct vmpi *v, bool within, uint64_t bytes)
{
	const struct protocol_segment *s = hosts_segment(v, within, bytes);

	return s ? protocol_ps(s, &s->send, bytes) : 0;
}

static inline int64_t hosts_receive_ps(const struct vmpi *v, bool within, uint64_t bytes)
{
	const struct protocol_segment *s = hosts_segment(v, within, bytes);

	return s ? protocol_ps(s, &s->receive, bytes) : 0;
}

#endif
