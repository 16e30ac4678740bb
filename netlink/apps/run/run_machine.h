/* The simulated machine of a run: configuration, topology, engine, and the node of each rank. */
#ifndef PSIM_NETLINK_RUN_MACHINE_H
#define PSIM_NETLINK_RUN_MACHINE_H

#include "../../engine/changes.h"
#include "../../engine/net_config.h"
#include "../../engines/engine_kinds.h"
#include "../../cost/cost.h"
#include "../../power/power.h"
#include "../../protocol/protocol.h"
#include "../../reliability/reliability.h"
#include "../../times/times.h"
#include "../../topology/topology_config.h"
#include "../../vmpi/vmpi.h"
#include "../../vmpi/vmpi_config.h"
#include "run_inputs.h"

struct run_machine {
	struct config *config;
	struct topology_config topology_config;
	struct net_config net_config;
	struct vmpi_config vmpi_config;
	struct power_config power_config;
	struct cost_config cost_config;
	struct reliability_config reliability_config;
	struct topology *topology;
	struct net_loads *loads;     /* who loads which link; NULL: not counted */
	struct net_changes *changes; /* of it, during the run; NULL: none */
	const struct net_engine_kind *kind;
	struct protocol *protocol; /* NULL: hosts add no time */
	struct net_setup net;      /* kind of `engine` */
	struct net_engine *engine;
	uint16_t *owner;     /* the process of each vertex, which `engine` borrows; NULL: one process */
	struct times *times; /* times of collective operations by table; NULL: none */
	uint32_t ranks, *node_of;
};

/* Keys of the configuration that a run reads, for opt_start. */
extern const struct config_use machine_uses[];

/* Creates the configuration with its tables; a program's own engine becomes the default. 0, or -1 with `e`. */
int machine_config_create(struct run_machine *m, const struct run_program *program, struct err *e);

/* After files and overrides: applies --engine, states the facts of `machine_uses`, checks all values. 0, or -1. */
int machine_config_check(struct run_machine *m, const struct settings *s, bool page, struct err *e);

/* Makes the topology, from --network or the configuration, and finds the engine's kind. 0, or -1 with `e`. */
int machine_make_network(struct run_machine *m, const struct settings *s, struct err *e);

/*
 * ---- run_failures.c: --fail and --repair ----
 * Before the configuration is checked: whether links fail. 0, or -1 with `e`.
 */
int failures_check(struct run_machine *m, const struct settings *s, struct err *e);
/* Makes m->changes, once the network and the engine's kind are known. 0, or -1 with `e`. */
int failures_make(struct run_machine *m, const struct settings *s, struct err *e);
/* --check: proves that each of these networks is free of deadlock, if it is small. 0, or -1 with `e`. */
int failures_prove(const struct net_changes *c, struct err *e);
void failures_destroy(struct net_changes *c); /* NULL is allowed */

/* Sets m->ranks and m->node_of, from -n, the configuration and --mapping. `ranks`: those of a pattern file, or 0. */
int machine_place_ranks(struct run_machine *m, const struct settings *s, uint32_t ranks, struct err *e);

/* Reads the times of collective operations, if any are by table. 0, or -1 with `e`. */
int machine_read_times(struct run_machine *m, struct err *e);

/* Makes the engine, which reports to `log` if that is not NULL. 0, or -1 with `e`. */
int machine_make_engine(struct run_machine *m, const struct run_inputs *in, struct net_log *log, struct err *e);

/* Frees all of it. */
void machine_finish(struct run_machine *m);

#endif
