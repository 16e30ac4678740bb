/* Points of a load curve, each in a process of its own, several at a time. */
#ifndef PSIM_NETLINK_LOAD_POINTS_H
#define PSIM_NETLINK_LOAD_POINTS_H

#include "../../../psim/base/cli/progress.h"
#include "../../engine/protocol/protocol_engine.h"
#include "../../traffic/steady.h"
#include "program_run.h"

enum { LOAD_LONGEST = 8 };

struct load_point {
	double load;
	/* factor on the pattern's length: of the first run, then of the measured one; at most LOAD_LONGEST */
	uint64_t longer;
	struct traffic_measured measured;
	struct protocol_beyond beyond[PROTOCOL_WHERES]; /* its messages that are longer than any of the protocol */
	bool done;
};

/* Returns whether the network accepts less than the point offers. */
bool load_point_falls_behind(const struct load_point *p);

/*
 * Runs `count` points in the order of their loads on run->in.set.processes processes: all, or up to the second one in
 * a row that falls behind. Returns how many are done, from the first on: fewer also if a signal ended the run. -1 with
 * `e`.
 */
int load_points_run(struct run *run, struct load_point *point, unsigned count, struct progress *progress,
		    struct err *e);

#endif
