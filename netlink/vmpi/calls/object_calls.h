/* Functions that the files of calls share: attributes, communicators, windows, the rank's own settings. */
#ifndef PSIM_VMPI_OBJECT_CALLS_H
#define PSIM_VMPI_OBJECT_CALLS_H

#include "../message/message.h"
#include "../objects/comm_split.h"

struct comm;

/* ---- calls_attr.c ---- */

/* Deletes or copies the running rank's attributes by the program's functions; VMPI_SUCCESS or an error. */
int attributes_delete_all(struct vmpi *v, enum object_kind kind, int object);
int attributes_copy_all(struct vmpi *v, enum object_kind kind, int from, int to);

/* ---- calls_comm.c ---- */

/*
 * Makes a communicator for each colour among the ranks of `comm`, all of which call it; color < 0: none.
 * VMPI_SUCCESS or an error.
 */
int comm_split_all(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm *newcomm);
/* As comm_split_all, for a communicator that the program never sees: a recorded trace has no line of it. */
int comm_split_ranks(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm *newcomm);
/* Makes a communicator like `c`, which is `comm`, with its topology and attributes. VMPI_SUCCESS or an error. */
int comm_duplicate(struct vmpi *v, VMPI_Comm comm, struct comm *c, VMPI_Comm *newcomm);
/* Makes a communicator of the running rank alone. Returns its handle; 0 with v->err. */
VMPI_Comm comm_of_self(struct vmpi *v);
/* Local rank `local` of `c` deposits colour and key, here and in all other processes. */
void comm_split_put(struct vmpi *v, struct comm *c, struct split_sync *m, uint32_t local, int color, int key);

/* Gives up the running rank's use of a communicator that the program has never seen. */
void comm_drop(struct vmpi *v, VMPI_Comm comm);

/* ---- calls_p2p.c ---- */

/* Begins a probe: checks its arguments, and lets the call take its time. VMPI_SUCCESS or an error. */
int probe_begin(struct vmpi *v, enum call_id call, int source, int tag, VMPI_Comm comm);

/* ---- calls_inter.c ---- */

/* comm_split_all for an intercommunicator. */
int inter_split(struct vmpi *v, VMPI_Comm inter, int color, int key, VMPI_Comm *newcomm);

/* ---- calls_info.c ---- */
/* Adds hints of a window to those that it has, as an info object; *hints is made if it is 0. */
void hints_take(struct vmpi *v, int *hints, VMPI_Info info);

/* ---- calls_window.c ---- */
/* The running rank's hints of a window; NULL: unknown. */
int *window_hints(struct vmpi *v, int win);
bool window_exists(const struct vmpi *v, int win);
/* The running rank's error handler of a window, or of a file (FILE_NULL: of files to be opened); NULL: unknown. */
int *window_errhandler(struct vmpi *v, int win);
int *file_errhandler(struct vmpi *v, int file);
/* Sets *value to a predefined attribute of the running rank's part of a window; false: there is no such attribute. */
bool window_attribute(struct vmpi *v, int win, int keyval, void **value);

#endif
