/* A machine on which one message, or one collective operation, is simulated at a time. */
#ifndef PSIM_NETLINK_BSIM_MEASURE_H
#define PSIM_NETLINK_BSIM_MEASURE_H

#include <stdbool.h>

#include "../../engine/net_config.h"
#include "../../engine/engine.h"
#include "../../engines/engine_kinds.h"
#include "../run/models.h"
#include "../../topology/topology_config.h"
#include "../../vmpi/vmpi.h"

struct cell;

struct machine {
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	struct topology *topology;
	const struct net_engine_kind *kind;
};

/* Topology and engine (NULL: as the configuration has it); the configurations are filled. -1 with `e`. */
int machine_create(struct machine *m, const char *engine, struct err *e);
void machine_destroy(struct machine *m);

uint64_t machine_ranks(const struct machine *m);    /* at most */
unsigned machine_diameter(const struct machine *m); /* links between routers from node 0 to the furthest */
/* A node that far from node 0; false: there is none. */
bool machine_at_distance(const struct machine *m, unsigned distance, uint32_t *node);

/*
 * Fills c->ps. A message: from its send to its arrival. A collective operation: all ranks, on nodes as [ranks] places
 * them, begin at 0; until the last has left. -1 with `e`.
 */
int measure(const struct machine *m, struct cell *c, struct err *e);

#endif
