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
	uint8_t class;     /* of traffic, below router.classes; engines without classes ignore it */
	bool control;      /* part of a handshake: NICs may queue it separately */
	uint32_t from, to; /* ranks on these nodes, for engines that order messages of a pair of ranks */
	uint64_t mark;     /* the caller's own: for net_loads; where processes share a run, the destination's gets it */
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

struct net_config;  /* net_config.h: the parameters of all engines */
struct protocol;    /* protocol/protocol.h: the times that hosts add */
struct net_log;     /* log/log.h: records the activity of links and buffers; NULL for none */
struct net_loads;   /* link_loads.h: counts who loads which link; NULL for none */
struct net_changes; /* changes.h: links that fail or are repaired during the run; NULL for none */

struct net_setup {
	const struct topology *topology; /* borrowed, like all pointers here */
	const struct net_config *config;
	const struct protocol *protocol; /* NULL: hosts add no time */
	struct net_log *log;
	struct net_loads *loads;
	const struct net_changes *changes;
	uint64_t seed;
	bool check;       /* check conservation and the engine's own invariants during the run */
	uint64_t shuffle; /* tests: permutes the engine's rows, on which no result may depend; 0: does not */
};

struct net_engine; /* defined by each engine */

/*
 * A partition of a network that several processes simulate (netlink/parallel). Each has an engine for the whole
 * network, of which it uses its partition. What crosses a boundary becomes a record for the other partition.
 */
struct net_partition {
	const uint16_t *owner; /* [nodes + routers]: of each vertex; a node and its routers are in one; borrowed */
	unsigned me, partitions;
	/* Room for a record of `bytes` to partition `to`, with its first effect at `time_ps`; NULL: memory is short. */
	void *(*put)(void *user, unsigned to, int64_t time_ps, size_t bytes);
	/*
	 * Gets from the caller the id of a message from another partition that will be delivered here. 0, or -1 with
	 * `e`.
	 */
	int (*name)(void *user, const struct net_message *m, uint32_t *id, struct err *e);
	void *user;
};

/* Functions of engines that can be divided. */
struct net_engine_partitions {
	/* Why the engine, as configured, cannot be divided among these owners of vertices; NULL: it can. */
	const char *(*whole)(const struct net_engine *n, const uint16_t *owner);
	/* Divides a new engine that can be divided; copies `partition`. 0, or -1 with `e`: memory is short. */
	int (*divide)(struct net_engine *n, const struct net_partition *partition, struct err *e);
	/*
	 * The lookahead of the next window: each partition offers two numbers, and their minima over all partitions
	 * give its width, ps. What happens from now on reaches other partitions this much later, or later still. No
	 * partition has an event before `begin`, where the window begins; NET_TIME_NEVER: none has any event. In a
	 * divided engine `advance` returns 0 at `until_ps` even if messages in flight cannot move.
	 */
	void (*offer)(struct net_engine *n, int64_t least[2]);
	int64_t (*width)(struct net_engine *n, int64_t begin, const int64_t least[2]);
	uint64_t (*events)(const struct net_engine *n); /* processed here so far */
	/* A lower bound on the time of the next event here. */
	int64_t (*next)(const struct net_engine *n);
	/* Takes the records of partition `from`; all are for times after the present. 0, or -1 with `e`. */
	int (*take)(struct net_engine *n, unsigned from, const void *records, size_t bytes, struct err *e);
	/* Writes the counters to `out` (NULL: nothing); returns their bytes. Adds those of partition `from`. */
	size_t (*counts)(const struct net_engine *n, void *out);
	void (*add_counts)(struct net_engine *n, unsigned from, const void *counts);
};

struct net_engine_kind {
	const char *name, *doc;
	bool timeless; /* messages take no time, and calls that send them should take none either */
	bool links;    /* messages take links: it obeys what is down, and net_setup.changes */
	/* NULL with `e` if the setup is invalid (STATUS_USAGE) or memory is short. */
	struct net_engine *(*create)(const struct net_setup *setup, struct err *e);
	void (*destroy)(struct net_engine *n);
	/* Sends at `time_ps`, not before the present; copies `m`. < 0 with `e` if memory is short. */
	int (*send)(struct net_engine *n, int64_t time_ps, const struct net_message *m, struct err *e);
	/*
	 * A lower bound on the time of the next notice; NET_TIME_NEVER if no message is in flight. Of a divided engine
	 * only partitions->next is valid: messages from other partitions are not counted here.
	 */
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
	/* Writes the bytes that each link has carried to bytes[links], with headers if there are any. NULL: unknown. */
	void (*carried)(const struct net_engine *n, double *bytes);
	/*
	 * Links that share a bandwidth are a medium, which carries a message once. Writes to first[links] the first
	 * link of each one's medium, itself if it shares none, and makes bytes[links], which `carried` has written,
	 * those of media: all at the first link. NULL: no links share one.
	 */
	void (*media)(const struct net_engine *n, uint32_t *first, double *bytes);
	/* Returns whether times with the routing of `t` are known to be far from those of packets. NULL: never. */
	bool (*doubt)(const struct topology *t);
	const struct net_engine_partitions *partitions; /* NULL: runs on one process only */
};

#endif
