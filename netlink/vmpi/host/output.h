/*
 * Standard output of the ranks: each rank's lines come out whole, in the order in which the ranks finish
 * them. While ranks run, the C library's stdout leads here.
 */
#ifndef PSIM_VMPI_OUTPUT_H
#define PSIM_VMPI_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct output_line {
	char *text; /* of a rank: the beginning of a line */
	uint32_t length, room;
};

struct output {
	FILE *to;                 /* where whole lines go */
	FILE *stream;             /* what ranks have for stdout */
	FILE *own;                /* what stdout was */
	struct output_line *line; /* by rank */
	uint32_t ranks, writer;
	int failed; /* errno of a failed write, 0 */
	int closed; /* its reader has enough: no failure */
};

/* `to` NULL: the stdout of now. */
int output_create(struct output *o, uint32_t ranks, FILE *to, struct err *e);
void output_finish(struct output *o);

/* Leads stdout to the ranks' stream, and back. */
void output_begin(struct output *o);
void output_end(struct output *o);

/* What came on the stream since the last call was written by `rank`. */
void output_by(struct output *o, uint32_t rank);

/* Writes out what is buffered before `to`; -1 if that, or an earlier write, failed. */
int output_flush(struct output *o);

/* The rank has ended: what is left of its line comes out. */
void output_rank_ended(struct output *o, uint32_t rank);

#endif
