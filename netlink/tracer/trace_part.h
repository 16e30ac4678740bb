/*
 * A rank's part of a trace of calls, and all parts as one file (docs/formats/replay-format.md).
 *
 * Parts are files FILE.RANK, whose lines begin with the host's time in ns. trace_parts_join merges them by time, so
 * that nsim --replay reads few lines ahead of their ranks.
 */
#ifndef PSIM_NETLINK_TRACE_PART_H
#define PSIM_NETLINK_TRACE_PART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct trace_part {
	FILE *out;       /* NULL: none */
	char name[4096]; /* "": none */
	int rank;
	int64_t last; /* ns: the end of the last call */
};

/* Host time in ns, which begins anywhere. */
int64_t trace_now(void);

/* Begins the part of `rank` of the trace `file`, a path. 0, or -1: it cannot be written, and errno says why. */
int trace_part_begin(struct trace_part *p, const char *file, int rank);
/* Writes the time since the last call as computation. */
void trace_gap(struct trace_part *p);
/* Calls trace_gap, and begins a line with the rank; the caller writes the event. */
void trace_line_begin(struct trace_part *p);
/* Ends the line. */
void trace_line_end(struct trace_part *p);
/* The call is over: time counts as computation from now on. */
void trace_call_over(struct trace_part *p);
/* Ends the part. 0, or -1: not all was written, and errno says why. */
int trace_part_end(struct trace_part *p);
/* Removes the part's file. */
void trace_part_remove(const char *file, int rank);

/*
 * Merges the parts of ranks 0 to ranks - 1 into `file`, behind `lines`, and removes them. 0, or -1 with `e` if one
 * cannot be read or the file cannot be written; then the parts stay, and an older file does.
 */
int trace_parts_join(const char *file, int ranks, const char *lines, struct err *e);

#endif
