/*
 * Engines carry messages from node to node and determine when they arrive.
 *
 * All engines (`packet`, `flow`, `linear`, `table` …) have one interface. The caller, virtual MPI ranks or a traffic
 * pattern, sends messages and is notified when each has left its source and when it has arrived. An engine knows
 * nodes, not ranks, and bytes, not their contents.
 *
 * Time is int64 picoseconds and monotonic. The caller may send at any time from the engine's present on. Each engine
 * states in its header how it orders the events of one instant; the order never depends on addresses, threads or
 * logging.
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
	uint32_t id;       /* chosen by the caller; unique among messages in flight */
	uint32_t src, dst; /* nodes; equal: within the node */
	int32_t nic;       /* of the source, or NET_NIC_ANY: the engine chooses */
	uint64_t bytes;    /* payload; may be 0 */
	int64_t gap_ps;    /* pacing: pause after each packet, 0 for none */
	bool control;      /* part of a handshake: NICs may queue it separately */
	uint32_t from, to; /* ranks on these nodes, for engines that order messages of a pair of ranks */
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

struct net_config; /* net_config.h: the parameters of all engines */
struct net_log;    /* log/log.h: records the activity of links and buffers; NULL for none */

struct net_setup {
	const struct topology *topology; /* borrowed, like all pointers here */
	const struct net_config *config;
	struct net_log *log;
	uint64_t seed;
	bool check; /* check conservation and the engine's own invariants during the run */
};

struct net_engine; /* defined by each engine */

struct net_engine_kind {
	const char *name, *doc;
	bool timeless; /* messages take no time, and calls that send them should take none either */
	/* NULL with `e` if the setup is invalid (STATUS_USAGE) or memory is short. */
	struct net_engine *(*create)(const struct net_setup *setup, struct err *e);
	void (*destroy)(struct net_engine *n);
	/* Sends at `time_ps`, not before the present; copies `m`. < 0 with `e` if memory is short. */
	int (*send)(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
	/* A lower bound on the time of the next notice; NET_TIME_NEVER if no message is in flight. */
	int64_t (*next_time)(const struct net_engine *n);
	/*
	 * Advances to `until_ps` (inclusive), or to the first instant with notices. In that case `out` gets at most
	 * `max` notices of that instant in order, and the present is that instant; the next call returns the
	 * remaining ones. Returns the number of notices; 0: the present is `until_ps`; < 0 with `e`: deadlock
	 * (STATUS_STUCK: messages in flight cannot move, with the cycle of waiting) or out of memory.
	 */
	int (*advance)(struct net_engine *n, int64_t until_ps, struct net_notice *out, unsigned max, struct err *e);
	/* Reports the engine's counters as groups and tables; may be called at any time. */
	void (*report)(const struct net_engine *n, struct report *r);
	/* Checks conservation at the end, with no message in flight. 0, or -1 with `e`. */
	int (*verify)(const struct net_engine *n, struct err *e);
};

#endif
