/* Lines of a recording, for the functions that record calls (record_calls.c); v->trace.recorder is not NULL. */
#ifndef PSIM_VMPI_CALL_RECORD_H
#define PSIM_VMPI_CALL_RECORD_H

#include <stdio.h>

#include "../host/world.h"
#define LINE_HOST struct vmpi *
#include "../api/trace_line.h"

struct vmpi_calls;

/* Writes the time since the running rank's last call. */
void record_gap(struct vmpi *v);
/* Begins a line of the running rank. */
FILE *record_line(struct vmpi *v, const char *event);
/* Numbers a new request in the line. */
void record_request(struct vmpi *v, VMPI_Request request);
/* The call has ended, its line is written. Returns `ret`. */
int record_done(struct vmpi *v, int ret);

/* Writes the line of a wait for those requests that are under way. */
void record_wait(struct vmpi *v, int count, const VMPI_Request *requests);
/* Notes the requests of a call that finishes some of them; writes a wait for those at `indices`, NULL: the first. */
void record_before(struct vmpi *v, int count, const VMPI_Request *requests);
void record_finished(struct vmpi *v, int count, const int *indices);

/* The number of a window that the running rank has made. */
size_t record_window_made(struct vmpi *v, VMPI_Win win);

/* Puts the functions of record_calls.c into the table; notes calls that a trace cannot have. */
void record_calls(struct vmpi_calls *calls, bool *refused);

#endif
