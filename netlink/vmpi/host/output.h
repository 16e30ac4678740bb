/*
 * Standard output of the ranks: lines are written whole, in the order in which ranks finish them. While ranks run,
 * the C library's stdout is redirected here.
 */
#ifndef PSIM_VMPI_OUTPUT_H
#define PSIM_VMPI_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../vmpi.h"

struct output_line {
	char *text; /* of a rank: an unfinished line */
	uint32_t length, room;
};

/* Gets what a rank has written to either. */
typedef void output_divert(void *user, bool error, const char *text, size_t bytes);

struct output {
	FILE *to;                 /* where whole lines are written */
	FILE *stream;             /* the ranks' stdout */
	FILE *own;                /* the original stdout */
	struct output_line *line; /* by rank */
	uint32_t ranks, writer;
	struct vmpi_written skip; /* not written any more: an earlier run has written them */
	/* where several processes have the ranks, for standard error too; NULL: lines go to `to` */
	output_divert *divert;
	void *divert_user;
	FILE *error_stream, *own_error; /* the ranks' stderr and the original one; NULL: it is that */
	int failed;                     /* errno of a failed write, 0 */
	int closed;                     /* its reader closed it, which is no failure */
};

/* `to` NULL: the current stdout. */
int output_create(struct output *o, uint32_t ranks, FILE *to, struct err *e);
void output_finish(struct output *o);

/* Redirects stdout to the ranks' stream, and restores it. */
void output_begin(struct output *o);
void output_end(struct output *o);

/* Skips the first bytes of either. 0, or -1 with `e`. */
int output_skip(struct output *o, struct vmpi_written bytes, struct err *e);

/* Gives all, also of standard error, to `divert`. 0, or -1 with `e`. */
int output_divert_to(struct output *o, output_divert *divert, void *user, struct err *e);

/* Writes a text to standard output or error as it is, but for what is to be skipped. */
void output_put(struct output *o, bool error, const char *text, size_t length);

/* Attributes what was written to the stream since the last call to `rank`. */
void output_by(struct output *o, uint32_t rank);

/* As output_by, and writes out whole lines at once, unless other processes have ranks whose lines may precede. */
void output_show(struct output *o, uint32_t rank);

/* Writes out what is buffered before `to`; -1 if this or an earlier write failed. */
int output_flush(struct output *o);

/* Writes the unfinished line of a rank that has ended. */
void output_rank_ended(struct output *o, uint32_t rank);

#endif
