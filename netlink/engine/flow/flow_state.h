/* The flow engine's private state. */
#ifndef PSIM_NETLINK_FLOW_STATE_H
#define PSIM_NETLINK_FLOW_STATE_H

#include "../net_config.h"
#include "../engine.h"
#include "../../log/log.h"
#include "fluid.h"

/* In their order at one instant. */
enum flow_event_kind { EVENT_SENT, EVENT_DELIVERED, EVENT_START };

struct flow_event {
	int64_t time_ps;
	uint64_t order; /* kind << 62 | message number */
	uint32_t slot;  /* of the message */
};

struct flow_message {
	struct net_message m;
	uint64_t number;    /* sequence number of the send */
	int64_t sent_ps;    /* when the caller sent it */
	int64_t latency_ps; /* delay after the last byte has left */
	uint32_t parts;     /* parts that flow, each on a path of its own */
	uint32_t pace;      /* the link that limits its rate, or UINT32_MAX */
	uint32_t next_free;
};

/* Round-robin state of a node's NICs. */
struct flow_turns {
	uint32_t nic[2], receive; /* for messages that name no NIC: data, handshakes; for receiving */
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
	int64_t router_ps; /* stages of one router */
	unsigned spread;   /* parts of a message with adaptive routing; else 1 */
	uint32_t memory;   /* first link that is a node's memory: reads of all nodes, then writes */
	bool share_memory; /* messages between nodes share the memory with those within a node */
	struct fluid fluid;
	struct vec_of(struct flow_event) events; /* a heap */
	struct vec_of(struct flow_message) messages;
	uint32_t free_message;
	struct vec_of(uint32_t) pacing; /* free pacing links */
	struct flow_turns *turns;       /* by node */
	uint32_t *path;
	unsigned path_max;
	struct flow_totals totals;
	struct net_log *log; /* NULL: none */
	int64_t sample_at;   /* the log's next sample; NET_TIME_NEVER: none */
	struct flow_class {
		double bytes, busy_ps; /* sums over its links */
	} * classes;                   /* for samples: by class of links */
	struct net_log_class *sample;  /* the same for the log */
};

/* Passes the samples of times before `before_ps` to the log; the present rates hold until then. */
void flow_samples(struct net_engine *n, int64_t before_ps);

void flow_report(const struct net_engine *n, struct report *r);

#endif
