/* The flow engine's state; for its own files. */
#ifndef PSIM_NETLINK_FLOW_STATE_H
#define PSIM_NETLINK_FLOW_STATE_H

#include "../net_config.h"
#include "../engine.h"
#include "../../log/log.h"
#include "fluid.h"

/* In the order in which they happen at one instant. */
enum flow_event_kind { EVENT_SENT, EVENT_DELIVERED, EVENT_START };

struct flow_event {
	int64_t time_ps;
	uint64_t order; /* kind << 62 | number of the message */
	uint32_t slot;  /* of the message */
};

struct flow_message {
	struct net_message m;
	uint64_t number;    /* of its sending */
	int64_t sent_ps;    /* when the caller sent it */
	int64_t latency_ps; /* what passes after the last byte has left */
	uint32_t parts;     /* of it that flow, each on a way of its own */
	uint32_t pace;      /* a link of its own that limits its rate, or UINT32_MAX */
	uint32_t next_free;
};

/* NICs of a node that are next. */
struct flow_turns {
	uint32_t nic[2], receive; /* of a message that names none: data, handshake; that receives */
};

struct flow_totals {
	uint64_t messages, delivered, bytes, delivered_bytes, local;
	int64_t least_ps, most_ps; /* from sending to delivery */
	double sum_ps;
};

struct net_engine {
	const struct topology *topology;
	const struct net_config *config;
	uint64_t seed;
	int64_t now_ps, last_end_ps;
	int64_t router_ps; /* the stages of one */
	unsigned spread;   /* parts of a message, where the routing leaves a choice; 1 where there is one way */
	uint32_t memory;   /* first link of the nodes' memories */
	struct fluid fluid;
	struct vec_of(struct flow_event) events; /* a heap */
	struct vec_of(struct flow_message) messages;
	uint32_t free_message;
	struct vec_of(uint32_t) pacing; /* free links for messages with gaps */
	struct flow_turns *turns;       /* of each node */
	uint32_t *path;
	unsigned path_max;
	struct flow_totals totals;
	struct net_log *log;           /* NULL: none */
	int64_t sample_at;             /* of the log's next sample, NET_TIME_NEVER if there is none */
	struct net_log_class *classes; /* for samples: of each class of links */
};

/* The log's samples of times before `before_ps`, up to which the present rates hold. */
void flow_samples(struct net_engine *n, int64_t before_ps);

void flow_report(const struct net_engine *n, struct report *r);

#endif
