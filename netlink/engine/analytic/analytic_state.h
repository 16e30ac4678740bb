/* The common engine's state; private to analytic.c and analytic_partitions.c. */
#ifndef PSIM_NETLINK_ANALYTIC_STATE_H
#define PSIM_NETLINK_ANALYTIC_STATE_H

#include "../../../psim/base/calendar.h"
#include "../../../psim/base/sum128.h"
#include "analytic.h"

/* A message's events, in their order at one instant. If nothing is shared BEGIN is also OUT, and there is no IN. */
enum station {
	BEGIN, /* it enters the node's injection queue */
	OUT,   /* its last byte has left: NET_SENT */
	IN,    /* its first byte reaches the node */
	DONE,  /* its last byte is in: NET_DELIVERED (empty messages: at IN) */
};
/* An event's key: the station in the two highest bits, the message's number below. */
enum { NUMBER_BITS = CALENDAR_KEY_BITS - 2, ROWS_FIRST = 64 };
/* Added to a pair's `to`: handshakes form pairs of their own. Ranks have at most 31 bits. */
#define CONTROL_PAIR (UINT32_C(1) << 31)
/* Added to a pair's `from`: the order at the receiver's NIC. */
#define AT_NODE (UINT32_C(1) << 31)

/* A message in flight. */
struct in_flight {
	int64_t sent_ps, begun_ps;
	uint64_t number;
	/* before injection the caller's mark; then the order of injection, of the process that has the sender */
	uint64_t mark_or_order;
	uint64_t bytes;
	uint32_t id, src, dst, from, to;
	bool used, control, away; /* away: it arrives in another process */
};

/*
 * Messages by number: number n is in row n & mask. Numbers are given in ascending order; a number whose row is
 * occupied is skipped.
 */
struct in_flight_rows {
	struct in_flight *at;
	uint64_t mask, next;
	uint64_t used;
};

/* Arrival time of the latest message of each pair, an open-addressed table; time 0: empty. */
struct pair {
	uint32_t src, dst, from, to;
	int64_t last_ps;
};

/*
 * A resource that the ranks of a node share, with `lanes` for one message each, and when each lane is free; NULL:
 * not shared.
 */
struct shared {
	double ps_per_byte;
	unsigned lanes;
	int64_t *free_ps; /* [node * lanes + lane] */
};

struct net_engine {
	const struct topology *topology;
	delay_fn *delay;
	void *model;
	void (*drop)(void *model);
	struct calendar events;
	struct in_flight_rows waiting, injected; /* in order of sending; in order of injection */
	struct pair *pairs;
	size_t pairs_used, pairs_room; /* room: 0 or a power of two */
	struct shared out, in, memory;
	bool ordered; /* messages of a pair cannot overtake each other */
	int64_t now_ps;
	uint64_t sent, begun, delivered, sent_bytes;
	sum128 delay_sum_ps;
	int64_t delay_max_ps;
	/* events of one instant and station, in order; those from `done` on remain */
	struct {
		struct analytic_event {
			int64_t begun_ps;
			uint64_t order, key;
			uint32_t from;
		} * at;
		uint32_t count, done, room;
		int64_t time_ps;
	} batch;
	/* the last message by time and sender; up to disorder_ps some were sent before earlier ones */
	int64_t last_ps, disorder_ps;
	uint32_t last_from;
	/* messages from this number on are injected in order of time and sender */
	uint64_t in_order_from;
	bool disordered;                     /* some were not sent in this order, or other processes send too */
	uint64_t handled;                    /* events */
	int64_t least_ps;                    /* delay between different nodes, at least; 0: not known */
	struct analytic_partitions *divided; /* NULL: one process has the network */
};

/* Doubles the rows. 0, or -1 with `e`. */
int analytic_widen(struct in_flight_rows *f, struct err *e);

/* Allocates the row of the next number; NULL with `e`. */
static inline struct in_flight *analytic_take_row(struct in_flight_rows *f, struct err *e)
{
	struct in_flight *row;

	if (__builtin_expect(2 * f->used > f->mask, 0) && analytic_widen(f, e) < 0)
		return NULL;
	while ((row = &f->at[f->next & f->mask])->used)
		f->next++;
	if (__builtin_expect(f->next >> NUMBER_BITS, 0)) {
		err_set(e, STATUS_FAILED, "too many messages: expected at most 2^%d", NUMBER_BITS);
		return NULL;
	}
	f->used++;
	row->used = true;
	row->number = f->next++;
	return row;
}

static inline void analytic_push(struct net_engine *n, int64_t time_ps, enum station s, uint64_t number)
{
	calendar_push(&n->events, time_ps, (uint64_t)s << NUMBER_BITS | number);
}

/* ---- analytic_partitions.c ---- */
struct analytic_partitions {
	struct net_partition partition;
	bool gathered; /* counters are those of all partitions */
};

static inline bool analytic_is_away(const struct net_engine *n, uint32_t node)
{
	return __builtin_expect(n->divided != NULL, 0) && n->divided->partition.owner[node] != n->divided->partition.me;
}

/* Hands message `f`, whose event `s` is at `time_ps`, over to the process of its destination. 0, or -1 with `e`. */
int analytic_hand_over(struct net_engine *n, int64_t time_ps, enum station s, const struct in_flight *f, uint64_t mark,
		       struct err *e);

#endif
