/*
 * The interface between the tracer's files that wrap calls of MPI. They are built once for each MPI, and loaded before
 * the program's MPI: a call of the program comes here, is written, and goes on by its PMPI name.
 */
#ifndef PSIM_NETLINK_TRACED_CALLS_H
#define PSIM_NETLINK_TRACED_CALLS_H

/* The calls are all that the module shows of itself. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ARGUMENT_TYPE(name) MPI_##name
#define LINE_HOST const void * /* NULL: there is one rank */
#include "../vmpi/api/trace_line.h"

/* Returns whether the present call of the program is written: it is not one that the MPI makes of its own. */
bool call_begins(void);
/* Writes the time since the last call as computation; call_begins() was true. */
void gap_ends(void);
/* Calls gap_ends, and begins the line of the event `word`. */
FILE *event_begins(const char *word);
/* Ends the line. */
void event_ends(void);
/* The call is over, and returns `ret`. `written`: what call_begins() returned. */
int call_over(bool written, int ret);
/* There will be no trace, since it could not hold what the program does; the program goes on. */
void call_refused(const char *why);

/* ---- traced_unrecorded.c: what a trace cannot have is computation ---- */

/* Why a call is no event that is none of unrecorded.py. */
enum unrecorded {
	UNRECORDED_COMM,    /* a communicator that no event has made */
	UNRECORDED_WINDOW,  /* a window likewise */
	UNRECORDED_START,   /* a persistent request without an event */
	UNRECORDED_MESSAGE, /* a message that no probe has found */
	UNRECORDED_CANCEL,  /* a request that is cancelled later */
	UNRECORDED_WHATS
};
/* Begins a call that is no event: `call` is its number among those of unrecorded.py. */
void call_unrecorded(unsigned call);
/* The present call is no event, for this reason: its line becomes computation, which its time is, too. */
void call_dropped(enum unrecorded what);
void drop_call(void); /* without a count */
/* Returns whether it is none. */
bool call_is_dropped(void);
/* Puts an event that takes no time in place of the one at bytes `from` to `to` of the part. False: errno says why. */
bool erase_event(off_t from, off_t to);
/* Adds the counts of all ranks, which all call it. Returns lines for the first one's trace, to be freed; NULL: none. */
char *unrecorded_lines(void);
/* Writes the note of the first rank. */
void unrecorded_note(const char *file);

/* Made by unrecorded.py. */
extern const char *const unrecorded_names[];
extern const unsigned unrecorded_calls;

/* Adds the new request, and its number to the line, which is returned; -1: the line is no event. */
int64_t put_request(FILE *out, MPI_Request request);
/* The new request is of two events: adds the number of the second one. */
void put_second_request(FILE *out, MPI_Request request);

uint64_t handle_of(MPI_Request request);
struct traced_requests *tracer_requests(void);
/* The rank's part, while it is written. */
FILE *tracer_part(void);

/* ---- traced_p2p.c ---- */

/* Ends the line of a call with a new request; its event begins at byte `from` of the part. */
void request_begins(const char *event, off_t from, MPI_Request request);
/* Begins and ends the event of a persistent request, which its starts write; NULL: memory is short. */
FILE *kept_begins(const char *event);
void kept_ends(MPI_Request request);
/* Notes the requests of a call before it; false: there are none, or memory is short. */
bool note_requests(int count, const MPI_Request *requests);
/* Writes a wait for those of them that are under way: at `indices`, or, with NULL, the first `count`. */
void put_wait(int count, const int *indices);

/* ---- traced_comms.c ---- */

/* Begins and ends; 0, or MPI_ERR_OTHER. */
int comms_begin(void);
/* The present call is no event if the trace does not know its communicator. */
void comm_checked(MPI_Comm comm);
bool comm_is_known(MPI_Comm comm);
/* Writes the split of `parent` that has given the caller `comm`, MPI_COMM_NULL for none. */
void put_split(MPI_Comm parent, MPI_Comm comm);
/* Writes how ranks of the world have made `comm` by themselves. */
void put_group_made(MPI_Comm comm);
/* The rank waits for a request, which may make a communicator; the call that waits is over. */
void comms_request_ends(int64_t request);
void comms_call_over(void);

/* ---- traced_onesided.c ---- */

/* Numbers a window; all of its ranks call it. */
void number_window(MPI_Comm comm, MPI_Win win, int unit, bool dynamic);
/* Writes the event of a window that has been numbered. */
void put_made(MPI_Comm comm, MPI_Win win, MPI_Aint bytes);

#endif
