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
/* A trace cannot have the call `name`: there will be none, and the program goes on. */
void call_refused(const char *name);

/* Parts of a line. A count of elements as COUNTxSIZE; `significant`: else it counts at another rank alone, and is 0. */
void put_peer(FILE *out, int peer, int tag);
void put_part(FILE *out, long long count, MPI_Datatype type, bool significant);
void put_parts(FILE *out, const int *counts, MPI_Datatype type, MPI_Comm comm, bool significant);
/* A broadcast goes by basic elements, whatever the type. */
void put_elements(FILE *out, long long count, MPI_Datatype type);
void put_comm(FILE *out, MPI_Comm comm);
void put_root(FILE *out, int root);
void put_op(FILE *out, MPI_Op op);
/* Adds the new request, and its number to the line. */
void put_request(FILE *out, MPI_Request request);

bool is_root(MPI_Comm comm, int root);
uint64_t handle_of(MPI_Request request);
struct traced_requests *tracer_requests(void);
/* The rank's part, while it is written. */
FILE *tracer_part(void);

/* traced_comms.c: begins and ends; 0, or MPI_ERR_OTHER */
int comms_begin(void);
/* The number of a communicator that a split gave; 0: the world, -1: MPI_COMM_SELF, -2: none. */
int comm_number(MPI_Comm comm);

#endif
