/* Hooks of a recording in functions that several calls share, and its parts of lines; v->recorder is not NULL. */
#ifndef PSIM_VMPI_CALL_RECORD_H
#define PSIM_VMPI_CALL_RECORD_H

#include <stdio.h>

#include "../host/world.h"
#define LINE_HOST struct vmpi *
#include "../api/trace_line.h"

struct vmpi_calls;

/* Writes the time since the running rank's last call; the call that begins now is recorded when it has ended. */
void record_gap(struct vmpi *v);
/* The running rank has made its own communicator, as Comm_split does (COMM_NULL: none). */
void record_split_done(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm newcomm);

/* Begins a line of the running rank. */
FILE *record_line(struct vmpi *v, const char *event);
/* The number of the running rank's window: a new one, one that it has made (0: none). */
size_t record_window_made(struct vmpi *v, VMPI_Win win);
size_t record_window_number(const struct vmpi *v, VMPI_Win win);
/* Numbers a new request. */
void record_request(struct vmpi *v, VMPI_Request request);
/* The call has ended, its line is written. Returns `ret`. */
int record_done(struct vmpi *v, int ret);

/* Records the calls of windows (call_record_window.c). */
void record_window_calls(struct vmpi_calls *calls);

#endif
