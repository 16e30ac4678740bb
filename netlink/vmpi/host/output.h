/*
 * Standard output of the ranks: lines are written whole, in the order in which ranks finish them. While ranks run,
 * the C library's stdout is redirected here.
 */
#ifndef PSIM_VMPI_OUTPUT_H
#define PSIM_VMPI_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct output_line {
	char *text; /* of a rank: an unfinished line */
	uint32_t length, room;
};

struct output {
	FILE *to;                 /* where whole lines are written */
	FILE *stream;             /* the ranks' stdout */
	FILE *own;                /* the original stdout */
	struct output_line *line; /* by rank */
	uint32_t ranks, writer;
	int failed; /* errno of a failed write, 0 */
	int closed; /* its reader closed it, which is no failure */
};

/* `to` NULL: the current stdout. */
int output_create(struct output *o, uint32_t ranks, FILE *to, struct err *e);
void output_finish(struct output *o);

/* Redirects stdout to the ranks' stream, and restores it. */
void output_begin(struct output *o);
void output_end(struct output *o);

/* Attributes what was written to the stream since the last call to `rank`. */
void output_by(struct output *o, uint32_t rank);

/* Writes out what is buffered before `to`; -1 if this or an earlier write failed. */
int output_flush(struct output *o);

/* Writes the unfinished line of a rank that has ended. */
void output_rank_ended(struct output *o, uint32_t rank);

#endif
