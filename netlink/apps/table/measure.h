/* A machine that simulates one message, or one collective operation, at a time. */
#ifndef PSIM_NETLINK_BSIM_MEASURE_H
#define PSIM_NETLINK_BSIM_MEASURE_H

#include <stdbool.h>

#include "../../engine/net_config.h"
#include "../../engine/engine.h"
#include "../../engines/engine_kinds.h"
#include "../../protocol/protocol.h"
#include "../run/models.h"
#include "../../topology/topology_config.h"
#include "../../vmpi/vmpi.h"
#include "../../vmpi/vmpi_config.h"

struct cell;

struct machine {
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	struct topology *topology;
	const struct net_engine_kind *kind;
	struct protocol *protocol; /* of hosts in front of the engine; NULL: none */
};

/* Creates topology and engine (NULL: that of the configuration) from filled configurations. 0, or -1 with `e`. */
int machine_create(struct machine *m, const char *engine, struct err *e);
void machine_destroy(struct machine *m);

uint64_t machine_ranks(const struct machine *m);    /* largest number of ranks */
unsigned machine_diameter(const struct machine *m); /* largest distance from node 0, in links between routers */
/* Finds a node at a distance from node 0; false if there is none. */
bool machine_at_distance(const struct machine *m, unsigned distance, uint32_t *node);

/*
 * Simulates a cell and fills c->ps: for a message the time from its send to its arrival; for a collective operation,
 * which all ranks begin at 0 on their nodes by [ranks], the time until the last rank leaves it. A signal that requests
 * the end leaves c->ps as it was. 0, or -1 with `e`.
 */
int measure(const struct machine *m, struct cell *c, struct err *e);

#endif
