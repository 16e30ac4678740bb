/* A point of a load curve of nsim. */
#ifndef PSIM_NETLINK_LOAD_POINTS_H
#define PSIM_NETLINK_LOAD_POINTS_H

#include "../../curves/load_search.h"
#include "../../engine/protocol/protocol_engine.h"
#include "../../traffic/steady.h"
#include "program_run.h"

struct load_point {
	struct load_head head;
	struct traffic_measured measured;
	struct protocol_beyond beyond[PROTOCOL_WHERES]; /* its messages that are longer than any of the protocol */
};

/*
 * load_search.run, of a struct run: runs the pattern, longer until its window is steady, or the network falls behind.
 */
int load_point_run(void *user, void *point, struct err *e);
/* load_search.valid: whether the rest of a point from a checkpoint can be one. */
bool load_point_valid(const void *point);

#endif
