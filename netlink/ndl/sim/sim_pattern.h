/* Patterns of traffic on a simulator's processing units, in place of a PU file: docs/formats/traffic.md. */
#ifndef PSIM_NETLINK_NDL_SIM_PATTERN_H
#define PSIM_NETLINK_NDL_SIM_PATTERN_H

#include "../../wormhole/wormhole_run.h"

struct sim_pattern;

/*
 * Makes the pattern `text` (traffic.h) for the nodes of `n` at `load` bytes a clock and PU. A message of 10 bytes is
 * the default. NULL and `e` (STATUS_USAGE) with the legal names, keys and values. Free with sim_pattern_destroy.
 */
struct sim_pattern *sim_pattern_create(const struct network *n, const char *text, uint32_t flit_bytes, double load,
				       struct err *e);
void sim_pattern_destroy(struct sim_pattern *x); /* NULL is allowed */

/* The pattern's keys, for a report of those that it does not read; owned by `x`. NULL with `e` if memory is short. */
struct config *sim_pattern_keys(const struct sim_pattern *x, struct err *e);

/* Sets the PU functions of a run and what they share. */
void sim_pattern_apply(struct sim_pattern *x, struct run_params *p);

#endif
