/* The text form of a trace: docs/formats/trace-text.md. */
#ifndef PSIM_TRACES_VIEW_TRACE_TEXT_H
#define PSIM_TRACES_VIEW_TRACE_TEXT_H

#include <stdio.h>

#include "../trace.h"

struct trace_text {
	FILE *out;
	uint32_t blocks; /* written so far */
	bool warm_up;    /* the last run was of a warm-up part */
};

/* Begins a text with the description of the recorded program. `out` records errors, here and below. */
void trace_text_begin(struct trace_text *t, const struct trace_info *info, FILE *out);

/* Writes a run, and in front of it its block where that is new. Runs come from the beginning of the trace on. */
void trace_text_run(struct trace_text *t, const struct trace_step *step);

/* Writes the begin or end of a region. */
void trace_text_region(struct trace_text *t, const char *name, bool begin);

/* Writes what a trace states at its end, once it has been read. */
void trace_text_end(struct trace_text *t, const struct trace_reader *trace);

/*
 * Reads the text in `path` ("-": standard input), and writes the trace `out`. 0, or -1 with `e`: "PATH:LINE: what is
 * wrong"; then there is no file.
 */
int trace_text_read(const char *path, const char *out, struct err *e);

#endif
