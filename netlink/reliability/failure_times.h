/* Times at which a machine fails, from a file: docs/formats/failures-format.md. */
#ifndef PSIM_NETLINK_FAILURE_TIMES_H
#define PSIM_NETLINK_FAILURE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/vec.h"

enum { FAILURE_TIMES_MOST = 50000 };

struct failure_times {
	struct vec_of(double) at; /* s, in order, each once */
	double end;               /* s: up to here the file knows all of them */
};

/*
 * Reads the failures of the nodes that are `used`, of `nodes`, and those of the whole machine, into `t`, which is
 * zero. 0, or -1 with `e`. Free with failure_times_finish, also on failure.
 */
int failure_times_read(const char *path, const bool *used, uint32_t nodes, struct failure_times *t, struct err *e);
void failure_times_finish(struct failure_times *t);

#endif
