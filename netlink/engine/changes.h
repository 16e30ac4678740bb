/*
 * Links, routers and nodes that fail or are repaired during a run: at each such time another network, which has the
 * arrays of the first one (../topology/down.h).
 *
 * What is under way at that time: see each engine. No message is lost; one between nodes without a route ends the run.
 */
#ifndef PSIM_NETLINK_ENGINE_CHANGES_H
#define PSIM_NETLINK_ENGINE_CHANGES_H

#include "engine.h"

enum { NET_CHANGE_TEXT = 200 };

struct net_change {
	int64_t time_ps;
	const struct topology *topology; /* from then on */
	char what[NET_CHANGE_TEXT];
};
struct net_changes {
	unsigned count;
	struct net_change at[]; /* in order of time, which no two share */
};

/* Effect of a change on messages under way. */
struct net_change_effect {
	uint64_t messages, packets; /* that have got another path; packets: 0 if there are none */
	uint64_t bytes; /* of these: flow: what was left to send; packet: of packets on a failed link, sent again */
};

/* The changes of an engine's run; all zero if there are none. */
struct net_run_changes {
	const struct net_changes *all; /* NULL: none */
	struct net_change_effect *effect;
	unsigned done;
	int64_t next_ps; /* of the next one; NET_TIME_NEVER: none is left */
};

/* 0, or -1 with `e`: memory is short. */
int net_changes_begin(struct net_run_changes *c, const struct net_changes *all, struct err *e);
void net_changes_finish(struct net_run_changes *c);

/* Takes the next change; its effect is in *effect. Returns its network. */
const struct topology *net_changes_take(struct net_run_changes *c, struct net_change_effect **effect);

/* Adds the table "changes" to the engine's group; `first`: the network at the start. */
void net_changes_report(const struct net_run_changes *c, const struct topology *first, bool packets, struct report *r);

/*
 * Adds the busiest link between routers to the engine's group, if any is or was down; bytes(n, link): what it has
 * carried in `ps`.
 */
void net_hottest_report(const struct net_run_changes *c, const struct topology *t, const struct net_engine *n,
			double (*bytes)(const struct net_engine *n, uint32_t link), int64_t ps, struct report *r);

/* Says that a message has no route at `time_ps`. Returns -1. */
int net_no_route(const struct topology *t, uint32_t src, uint32_t dst, int64_t time_ps, struct err *e);

#endif
