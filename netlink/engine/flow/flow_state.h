/* The flow engine's private state. */
#ifndef PSIM_NETLINK_FLOW_STATE_H
#define PSIM_NETLINK_FLOW_STATE_H

#include "../net_config.h"
#include "../changes.h"
#include "../engine.h"
#include "../link_loads.h"
#include "../../log/log.h"
#include "fluid.h"

#include "../../../psim/base/slots.h"

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
	double weight;      /* on links; of all its routes together */
	double bytes;       /* on links, from the start of its flow on */
	unsigned from, to;  /* NICs */
	uint32_t pace;      /* the link that limits its rate, or UINT32_MAX */
};

/* Capacity of a fat pipe, bytes/s: no number of messages fills it. */
#define FLOW_FAT 1e18

enum {
	FLOW_PATH_MORE = 3,   /* links of a path besides the network's: memory at both ends, and pacing */
	FLOW_ROUTES_MOST = 8, /* routes of a message among which packets choose */
};

/* A route of the message that starts. */
struct flow_route {
	uint32_t first, links; /* in route_links */
	uint32_t seen;         /* links up to the last router that offers several steps */
	uint32_t times;        /* found */
};

/* The paths that the routing leaves to a message. */
enum flow_routes {
	ROUTES_ONE,    /* one path */
	ROUTES_SPREAD, /* drawn for each packet: equal shares of all */
	ROUTES_CHOSEN, /* chosen for each packet by queues */
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
	enum flow_routes routes;
	uint32_t memory;   /* first link that is a node's memory: reads of all nodes, then writes */
	bool share_memory; /* messages between nodes share the memory with those within a node */
	uint32_t *shared;  /* by link: the link whose bandwidth it shares with others, or 0; NULL: none does */
	struct vec_of(uint32_t) media; /* the first link of each such bandwidth */
	bool *local;                   /* by node: its memory has links for all flows; else only where it may be full */
	struct fluid fluid;
	struct vec_of(struct flow_event) events; /* a heap */
	struct slots_of(struct flow_message) messages;
	struct vec_of(uint32_t) pacing; /* free pacing links */
	struct flow_turns *turns;       /* by node */
	uint32_t *path;                 /* of the message that starts; room for the longest */
	double *part;                   /* the share of each of its links */
	uint32_t *place;                /* by link, during a start: its index in `path`, or its routes; else 0 */
	struct flow_route route[FLOW_ROUTES_MOST]; /* of the message that starts: different ones */
	unsigned route_count, seen;
	struct vec_of(uint32_t) route_links;
	double *planned;          /* by link: messages whose packets choose their route, by their shares */
	uint32_t chosen, changes; /* such messages in progress; starts and ends since routes were balanced */
	bool shows, *shown;       /* by link: packets at another router have chosen by its queue; `shows`: any */
	uint32_t ended;           /* of them, since the rates were found */
	bool due;                 /* others have started or ended since: the rates have to be found */
	int64_t begun_ps;         /* the last start */
	int64_t wait_ps;          /* rates are found by then; NET_TIME_NEVER: none has ended */
	struct vec_of(double) cost;
	struct flow_totals totals;
	struct net_run_changes network;
	double *flowing;         /* by link and medium, 0 between samples: bytes of flows under way; NULL: not needed */
	uint64_t *by_link;       /* for samples: bytes of each link; NULL: not wanted */
	struct net_loads *loads; /* NULL: none, as of the log */
	struct net_log *log;
	int64_t sample_at; /* the log's next sample; NET_TIME_NEVER: none */
	struct flow_class {
		double bytes, busy_ps; /* sums over its links */
	} * classes;                   /* for samples: by class of links */
	struct net_log_class *sample;  /* the same for the log */
};

/* flow.c: the message's key in a log; the last byte has left. */
uint64_t flow_log_key(const struct flow_message *x);
int flow_engine_sent(struct net_engine *n, uint32_t slot, struct err *e);

/* flow_begin.c: starts a message; an empty one is complete at once. -1 with `e` if memory is short. */
int flow_engine_begin(struct net_engine *n, uint32_t slot, struct err *e);

/* Finds the message's first route, or all of a random routing, and its latency. Returns the links in n->path, or -1. */
int flow_find_first(struct net_engine *n, struct flow_message *x, struct err *e);

/* Starts the flow of a message, x->bytes on the ways that begin with those in n->path. -1 with `e`. */
int flow_start(struct net_engine *n, uint32_t slot, unsigned links, struct err *e);

/* flow_changes.c: the network is another one from now on. -1 with `e`: a message has no route, or memory is short. */
int flow_change(struct net_engine *n, struct err *e);

/*
 * flow_routes.c. Finds route `route` of the `routes` of message `x`, in n->path, from NIC 0 to NIC 0. Returns its
 * links, 0 within a node, or -1 with `e`: it is too long.
 */
int flow_find_route(struct net_engine *n, const struct flow_message *x, unsigned route, unsigned routes, struct err *e);

/* All routes that packets of a random routing draw: links in n->path, their shares in n->part, the longest latency. */
int flow_find_spread(struct net_engine *n, const struct flow_message *x, uint64_t packets, int64_t *latency,
		     struct err *e);

/*
 * Adds the route in n->path to those of the message that starts, or counts it once more. -1 with `e`: memory is short.
 */
int flow_keep_route(struct net_engine *n, unsigned links, struct err *e);

/* Removes what is planned for the message of a flow that ends. */
void flow_forget_routes(struct net_engine *n, uint32_t flow);

/* Changes by `share` of a message what is planned on the links of a flow. */
void flow_plan(struct net_engine *n, uint32_t flow, double share);

/* The time of a path's cables and routers. */
int64_t flow_path_latency(const struct net_engine *n, const uint32_t *path, unsigned links);

/* flow_balance.c: a message whose packets choose has ended: rates may wait. */
void flow_wait(struct net_engine *n);

/* Returns whether rates have to be found, after starts or after enough ends. */
bool flow_is_due(const struct net_engine *n);

/* Finds the rates and the shares of routes if they are due. -1 with `e` if memory is short. */
int flow_balance(struct net_engine *n, struct err *e);

/*
 * flow_doubt.c: whether fewer than 90 % of drawn permutations take within 15 % of the packets' time with the routing of
 * `t`. A described network is not measured.
 */
bool flow_doubt(const struct topology *t);

/* Passes the samples of times before `before_ps` to the log; the present rates hold until then. */
void flow_samples(struct net_engine *n, int64_t before_ps);

/* flow_shared.c: makes links of bandwidths that links share. 0, or -1 with `e`: STATUS_USAGE, or memory is short. */
int flow_shared_make(struct net_engine *n, struct err *e);
/*
 * Returns the link whose bandwidth is that of a link of `fluid`: itself, or the first of those that share it.
 * FLOW_NO_LINK: it is a link that shares another one, a memory, or the limit of a message.
 */
#define FLOW_NO_LINK UINT32_MAX
uint32_t flow_link_of(const struct net_engine *n, uint32_t row);
/* Returns the number of links of `fluid` that are the network's, memories or media. */
static inline uint32_t flow_rows(const struct net_engine *n)
{
	return n->memory + 2 * n->topology->nodes + (uint32_t)n->media.count;
}
/* Returns the first link of the medium of `link`, itself if it shares none. */
uint32_t flow_first_of(const struct net_engine *n, uint32_t link);
void flow_media(const struct net_engine *n, uint32_t *first, double *bytes); /* engine.h: media */
/* Adds those of the first `links` links of n->path behind the first `all`. Returns the new number. */
unsigned flow_shared_add(struct net_engine *n, unsigned links, unsigned all);

void flow_report(const struct net_engine *n, struct report *r);

#endif
