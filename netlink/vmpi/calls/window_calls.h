/* Functions that the calls of windows share. */
#ifndef PSIM_VMPI_WINDOW_CALLS_H
#define PSIM_VMPI_WINDOW_CALLS_H

#include "../message/mpi_window.h"
#include "object_calls.h"

enum { FLUSH_ALL = -100 }; /* as a rank: all of them */

/* Begins a call: the window and the running rank's part; NULL after reporting an unknown handle. */
struct window *window_enter(struct vmpi *v, enum call_id call, VMPI_Win win, struct window_part **p, int *ret);

#endif
