/*
 * A network's configuration after parsing and checks: lists as numbers, names as rows. The kinds
 * check their own rules on it and build from it.
 */
#ifndef PSIM_NETLINK_PLAN_H
#define PSIM_NETLINK_PLAN_H

#include "topology_config.h"
#include "link_graph.h"
#include "kind.h"

enum { PLAN_LIST_MAX = 32, PLAN_NODES_MAX = 1 << 24 };

struct plan {
	const struct topology_config *cfg;
	const struct topology_kind *kind;
	const struct topology_routing *routing;
	bool over_graph; /* it is one of topology_over_graph */
	unsigned dims;
	uint32_t dim[PLAN_LIST_MAX];
	unsigned cabinets; /* 0, or one for each of dims */
	uint32_t cabinet[PLAN_LIST_MAX];
	double rate[PLAN_LIST_MAX]; /* of each level (kind->levels()), bytes/s */
	int64_t cable_ps[PLAN_LIST_MAX];
	const char *blame_section, *blame_key; /* after a failure: the offending parameter */
	struct err *err;
};

/* Fills `p`; 0, or -1 with `e` and p->blame_* set. */
int plan_make(struct plan *p, const struct topology_config *cfg, struct err *e);

/* Fails a check of a kind: "section.key = …: what is wrong, what was expected"; returns -1. */
__attribute__((format(printf, 4, 5))) int plan_fail(struct plan *p, const char *section, const char *key,
						    const char *format, ...);

/* Attributes the error in p->err to a parameter; returns -1. */
int plan_blame(struct plan *p, const char *section, const char *key);

/*
 * Multiplies sizes, for checks: 0, or -1 and the message about topology.dims if the product exceeds
 * PLAN_NODES_MAX.
 */
int plan_product(struct plan *p, const uint32_t *size, unsigned count, uint64_t *product);

/* Returns the configured NICs, `per_router` nodes on each of the first routers. */
struct graph_nics plan_nics(const struct plan *p, uint32_t per_router);

/* Gives `t` its dimensions of these sizes, for building. 0, or -1 with `e`. */
int plan_dims(struct topology *t, const uint32_t *size, unsigned count, struct err *e);

/*
 * Returns the coordinates of nodes in `count` dimensions of these sizes, [node * count +
 * dimension], or NULL with `e`.
 */
uint16_t *plan_coordinates(uint32_t nodes, const uint32_t *size, unsigned count, struct err *e);

/* Refuses cabinets for kinds that have none: 0, or -1. */
int plan_no_cabinets(struct plan *p);

#endif
