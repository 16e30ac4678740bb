/*
 * SimGrid's time-independent traces (SimGrid's manual, "Trace Replay and Offline Simulation"): a line of one becomes an
 * event of ours (replay.c), and perhaps computation behind it.
 */
#ifndef PSIM_VMPI_REPLAY_SIMGRID_H
#define PSIM_VMPI_REPLAY_SIMGRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/vec.h"

/* A nonblocking operation under way, by its number. */
struct simgrid_request {
	bool used;
	int src, dst, tag;
	uint64_t order; /* of its begin */
};
struct simgrid_rank {
	struct vec_of(struct simgrid_request) requests;
	uint64_t begun;
};

/* Returns whether the text behind a rank is the first action of such a trace. */
bool simgrid_begins(const char *text);

/*
 * Writes the event of a line of `rank` to `out`, "" if it has none, and sets *flops to the computation behind it.
 * `ranks` is their number, `element` the bytes of elements without a type. 0, or -1 with `e`, without a place.
 */
int simgrid_event(struct simgrid_rank *s, uint32_t rank, uint32_t ranks, int element, char *line, char *out,
		  size_t size, double *flops, struct err *e);

#endif
