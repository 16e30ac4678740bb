/* The state of protocol_engine.h; private to protocol_engine.c and protocol_partitions.c. */
#ifndef PSIM_NETLINK_PROTOCOL_STATE_H
#define PSIM_NETLINK_PROTOCOL_STATE_H

#include "../../../psim/base/slots.h"
#include "protocol_engine.h"

/* A message in flight; its row's number is its id in the engine below. */
struct protocol_row {
	struct net_message message; /* the caller's; here if it was sent in another process: what `name` got */
	bool used, sent, delivered; /* the caller has, or needs, no notice that its data have left; that it arrived */
};

/* A message that begins or is delivered. */
struct protocol_event {
	int64_t time_ps;
	bool deliver;
	uint32_t from;
	uint64_t order; /* of the caller's sends, or of arrivals */
	uint32_t row;
};

/* Counters of the hosts of this process. */
struct protocol_counts {
	uint64_t messages[PROTOCOL_WHERES], waited[PROTOCOL_WHERES], beyond[PROTOCOL_WHERES];
	int64_t waited_ps[PROTOCOL_WHERES], delayed_ps[PROTOCOL_WHERES];
	uint64_t longest[PROTOCOL_WHERES];
};

struct net_engine {
	const struct net_engine_kind *kind;
	struct net_engine *below;
	const struct protocol *protocol;
	bool divided;
	struct net_partition partition; /* the caller's, if several processes share the network */
	int64_t now_ps;
	int64_t *free_ps[PROTOCOL_WHERES];         /* [node]: when its next message may begin */
	struct slots_of(struct protocol_row) rows; /* 0 is none */
	uint32_t in_flight;
	struct vec_of(struct protocol_event) events;
	uint64_t sends, arrivals;
	struct protocol_counts counts;
};

/* A row for `m`, which is copied; 0 with `e`: memory is short. */
uint32_t protocol_take_row(struct net_engine *n, const struct net_message *m, struct err *e);

#endif
