/*
 * Protocols of a message library: the times that hosts add to a network's, piecewise linear in the size of a message.
 *
 *     message-protocol 1
 *     between                     # messages between nodes
 *     # from  sends       send         receive        delay           gap
 *     0       buffered    0.2us        0.3us          0.9us+2GB/s     0.1us
 *     8KiB    eager       0.3us        0.4us+10GB/s   3us             0.1us
 *     64KiB   rendezvous  0.3us        0.3us          2us             0
 *     to 4MiB
 *     within                      # messages between ranks of a node
 *     …
 *
 * A segment holds from its first size to the next segment's. An engine carries a message, in its own time; the host
 * adds: `send`, a time of the sender's processor before the message begins; `gap`, for which no other message of the
 * node begins; `delay`, between arrival and the receiver's notice; `receive`, a time of the receiver's processor.
 * A time is T, or T+RATE: T at the segment's first size, and RATE for each byte beyond it. The model is that of SMPI's
 * segments (P.-N. Clauss et al., "Single node on-line simulation of MPI applications with SMPI", IPDPS 2011) with the
 * overheads and the gap of LogGPS (F. Ino, N. Fujimoto, K. Hagihara, "LogGPS", PPoPP 2001).
 */
#ifndef PSIM_NETLINK_PROTOCOL_H
#define PSIM_NETLINK_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum protocol_sends {
	PROTOCOL_BUFFERED,   /* a send is complete when its processor time has passed */
	PROTOCOL_EAGER,      /* when the last byte has left */
	PROTOCOL_RENDEZVOUS, /* the same, and the data wait for the receive */
	PROTOCOL_FETCHED, /* the data wait for the receive, and the send for their arrival: the receiver fetches them */
};

/* Returns whether data wait for the receive. */
static inline bool protocol_waits(enum protocol_sends sends)
{
	return sends >= PROTOCOL_RENDEZVOUS;
}

/* A time that grows with a message's bytes beyond the segment's first size. */
struct protocol_time {
	int64_t ps;
	double ps_per_byte;
};

struct protocol_segment {
	uint64_t from; /* bytes */
	enum protocol_sends sends;
	struct protocol_time send, receive, delay, gap;
};

enum protocol_where { PROTOCOL_BETWEEN, PROTOCOL_WITHIN, PROTOCOL_WHERES };

struct protocol;

/* NULL and `e`: STATUS_BAD_INPUT with FILE:LINE. */
struct protocol *protocol_read(const char *path, struct err *e);
void protocol_destroy(struct protocol *p); /* NULL is allowed */

/* The segment of messages of `bytes`; NULL: the file has no table for such messages. */
const struct protocol_segment *protocol_find(const struct protocol *p, enum protocol_where where, uint64_t bytes);

/* All segments of a table, in order of size; NULL and 0: there is none. */
const struct protocol_segment *protocol_segments(const struct protocol *p, enum protocol_where where, unsigned *count);

/* The largest size for which a table was measured; 0: the file does not say. */
uint64_t protocol_upto(const struct protocol *p, enum protocol_where where);

/* The least size of a table's segments whose data wait for the receive; UINT64_MAX: none do. */
uint64_t protocol_rendezvous(const struct protocol *p);

/* Returns whether a table has segments that are `fetched`. */
bool protocol_fetches(const struct protocol *p);

/* A segment's time for a message of `bytes`, at least its first size; ps, rounded to the nearest. */
int64_t protocol_ps(const struct protocol_segment *s, const struct protocol_time *t, uint64_t bytes);

/* `between`, `within`. */
const char *protocol_where_name(enum protocol_where where);

#endif
