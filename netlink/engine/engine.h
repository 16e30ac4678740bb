/*
 * Engines: what carries messages from node to node, and when they arrive.
 *
 * One interface, a row an engine (`packet`, `flow`, `linear`, `table` …): the
 * caller, be it virtual MPI ranks or a traffic pattern, sends messages and is
 * told when each has left its source and when it has arrived. An engine knows
 * nodes, not ranks, and bytes, not their contents.
 *
 * Time is int64 picoseconds and never goes back. The caller may send for any
 * time from the engine's present on. What happens at one instant has an order
 * that each engine states in its header; it never depends on addresses, threads
 * or on what is logged.
 */
#ifndef PSIM_NETLINK_ENGINE_H
#define PSIM_NETLINK_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "../../psim/base/report/report.h"
#include "../topology/topology.h"

#define NET_TIME_NEVER INT64_MAX
enum { NET_NIC_ANY = -1 };

struct net_message {
	uint32_t id;       /* the caller's; not in use by another message in flight */
	uint32_t src, dst; /* nodes; equal: within the node */
	int32_t nic;       /* of the source, or NET_NIC_ANY: the engine's rule */
	uint64_t bytes;    /* payload; 0 is a message too */
	int64_t gap_ps;    /* pause that pacing puts after each packet, 0 for none */
	bool control;      /* of a handshake: NICs may have a queue of their own for it */
	uint32_t from, to; /* whose it is on these nodes, where several share one; engines in which order counts ask */
};

enum net_notice_kind {
	NET_SENT,      /* the last byte has left the source's memory: the buffer is free */
	NET_DELIVERED, /* the last byte is in the destination's memory */
};
struct net_notice {
	int64_t time_ps;
	uint32_t id;
	enum net_notice_kind kind;
};

struct net_config; /* config.h here: the parameters of all engines */
struct net_log;    /* log.h here: where engines note what links and buffers do; NULL for none */

struct net_setup {
	const struct topology *topology; /* borrowed, like all of these */
	const struct net_config *config;
	struct net_log *log;
	uint64_t seed;
	bool check; /* verify conservation and the engine's own invariants as it goes */
};

struct net_engine; /* each engine's own */

struct net_engine_kind {
	const char *name, *doc;
	bool timeless; /* messages take no time: nor should the calls that send them */
	/* NULL and `e` if the setup does not fit (STATUS_USAGE) or memory is short. */
	struct net_engine *(*create)(const struct net_setup *setup, struct err *e);
	void (*destroy)(struct net_engine *n);
	/* Sends at `time_ps`, not before the present; `m` is copied. < 0 with `e` when memory is short. */
	int (*send)(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
	/* A time before which no notice can come, NET_TIME_NEVER if nothing is under way. */
	int64_t (*next_time)(const struct net_engine *n);
	/*
	 * Goes on until `until_ps` (included), or until the first instant at which there
	 * are notices: then all of that instant, at most `max`, are in `out` in their
	 * order, and the present is that instant (where there are more than `max`, the
	 * next call gives the rest). Returns their number; 0: the present is
	 * `until_ps`; < 0 with `e`: stuck (STATUS_STUCK: messages under way that cannot move,
	 * with the cycle of waiting) or out of memory.
	 */
	int (*advance)(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e);
	/* Adds what the engine counted: groups and tables; may be called at any time. */
	void (*report)(const struct net_engine *n, struct report *r);
	/* Nothing lost, nothing made: at the end with nothing under way. 0 or -1 with `e`. */
	int (*verify)(const struct net_engine *n, struct err *e);
};

#endif
