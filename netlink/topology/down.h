/*
 * What of a network is down: links, routers, nodes. The network keeps all of its links, with their numbers; those that
 * are down are on no path. A link is down if it is named, or an end of it; a node also if its router is. Links that
 * are named by their ends are down both ways.
 *
 * A network that changes during a run is a network for each time between two changes. They have the arrays of the
 * first one, so numbers mean the same in each.
 */
#ifndef PSIM_NETLINK_DOWN_H
#define PSIM_NETLINK_DOWN_H

#include "topology.h"

struct plan;
struct report;

#define DOWN_NONE UINT32_MAX

struct topology_down {
	uint8_t *named_link, *named; /* [link], [vertex]: named by the user */
	uint8_t *link;               /* [link]: is down */
	uint32_t *part;              /* [vertex]: the part of the network that it is in; DOWN_NONE: down */
	uint32_t parts;              /* numbered in the order of their first routers */
};

/* The largest text of an item. */
enum { DOWN_ITEM_MAX = 160 };

/* Checks the form of a list of items. Sets *round if there are others than nodes. 0, or -1 with `e`. */
int down_check(const char *list, bool *round, struct err *e);

/* Copies what is down in `t`, maybe nothing. NULL with `e`. Free with down_destroy. */
struct topology_down *down_copy(const struct topology *t, struct err *e);
void down_destroy(struct topology_down *d); /* NULL is allowed */

/*
 * Takes an item, A-B, router:R, node:N or SHARE[:SEED], down; or with `up` up again. 0, or -1 with `e` (STATUS_USAGE):
 * it does not exist, or is as it should become.
 */
int down_take(struct topology_down *d, const struct topology *t, const char *item, bool up, struct err *e);

/* The same of each item of a list, all down. */
int down_take_list(struct topology_down *d, const struct topology *t, const char *list, struct err *e);

/* Finds what is down with what is named. Call after the last item. 0, or -1 with `e`: memory is short. */
int down_settle(struct topology_down *d, const struct topology *t, struct err *e);

/*
 * Makes the network `t` with `d`, which it takes, in place of what is down there. It borrows arrays from `t`, whose
 * routing has to go round unless only nodes are down. NULL with `e`; `d` is freed then.
 */
struct topology *topology_without(const struct topology *t, struct topology_down *d, struct err *e);

/*
 * For programs that go to all nodes: 0, or -1 with `e` (STATUS_USAGE) if one is down, or if the network has several
 * parts.
 */
int down_expect_whole(const struct topology *t, struct err *e);

/* Counts of links between routers, each way, of routers and of nodes, in all and down. */
struct down_counts {
	uint32_t links, links_down, routers_down, nodes_down;
	double bytes_per_s, bytes_per_s_down; /* of these links */
};
struct down_counts down_count(const struct topology *t, const struct topology_down *d);

/* Adds to the group "topology" what is down, what that costs, and the parts. */
void down_report(const struct topology *t, struct report *r);

#endif
