/* The line table of a program, from its debugging information through libdw, for the trace's header. */
#ifndef PSIM_RECORD_LINE_TABLE_H
#define PSIM_RECORD_LINE_TABLE_H

#include "../../psim/base/vec.h"
#include "../trace.h"

struct line_table {
	struct vec_of(char *) files;            /* paths, as the compiler recorded them */
	struct vec_of(struct trace_line) lines; /* ascending by address; each differs from the one before it */
};

/*
 * Reads the lines of all code in the ELF file at `path`. The table is empty if the file has no debugging
 * information, if that is larger than a trace takes, and in a build without libdw; damaged units are left out.
 * 0, or -1 with `e` without memory. The caller calls line_table_finish, also on failure.
 */
int line_table_read(struct line_table *t, const char *path, struct err *e);
void line_table_finish(struct line_table *t);

#endif
