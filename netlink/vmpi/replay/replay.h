/*
 * Traces of communication as plain text (docs/formats/replay-format.md): a trace runs in place of a program, and the
 * run of a program writes one. Program and trace have equal times on the same network.
 *
 * 1. EVENTS. A line is an event of a rank: "3 send 5 1000 0" is a send of rank 3. A row of events.def is a kind of
 *    event. Lines have sizes and partners, no data. Numbers stand for requests, communicators and windows, each rank's
 *    own. The time between two calls is an event too, `compute`.
 *
 * 2. READING. replay_read.c gives each rank its next line, from a file where the ranks' lines are mixed. Lines that
 *    others need first wait in memory. Other formats become such lines on the way: SimGrid's actions
 *    (replay_simgrid.c), events of OTF2 (otf2_archive.c to otf2_lines.c). GOAL and Chakra (chakra.h) have a graph of
 *    operations in place of an order, so replay_goal.c carries it out by itself.
 *
 *      file ──▶ replay_read, otf2_lines ──▶ a line ──▶ struct replay_call ──▶ run_<event> ──▶ vmpi_<NAME>
 *
 * 3. REPLAY. A replayed rank is a rank whose body (replay_body) reads its next event and makes the call. A struct
 *    replay_call (replay_call.h) is the event under way: its words, and what its settings name.
 *
 * 4. RECORDING. The program's table of calls has the functions of record_calls.c. They write a line, and go on to the
 *    call. call_record.c has what they share: the numbers of requests, time since the last call, the files.
 *
 *      program ──▶ record_calls ──▶ calls
 *                      └──▶ lines ──▶ trace, or call_archive ──▶ otf2_write_events ──▶ archive
 *
 * 5. ARCHIVES. An OTF2 archive is written from the same lines, when a call has ended: an archive has the times of both
 *    ends, and what a receive has got. call_archive.c keeps a rank's line until then.
 *
 * 6. SEVERAL PROCESSES. Each process reads the lines of its own ranks. Lines and calls that are recorded go to the
 *    first process, which writes them in the order of turns (../host/world.h, 7).
 */
#ifndef PSIM_VMPI_REPLAY_H
#define PSIM_VMPI_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct vmpi_config;
struct replay;

/*
 * Opens a trace and reads its number of ranks; the events are read during the run, and kept only until their
 * ranks need them. `ranks`: those of the run, if it says; a workload of ASTRA-sim is for any. `cfg` says how execution
 * traces are read. The caller destroys the trace, after the run. NULL with `e`: STATUS_BAD_INPUT with file and line.
 */
struct replay *replay_open(const char *path, uint32_t ranks, const struct vmpi_config *cfg, struct err *e);
void replay_destroy(struct replay *p); /* accepts NULL */

/*
 * Prepares for the ranks of `v` that are in this process, of several. `again`: this process was forked after the trace
 * was opened, and opens it again, since files of several processes have one position. 0, or -1 with `e`.
 */
int replay_divide(struct replay *p, struct vmpi *v, bool again, struct err *e);

/* Returns the ranks of the trace. */
uint32_t replay_ranks(const struct replay *p);

/*
 * How much of the trace ranks have taken, and all of it, in units of replay_unit: for progress. False: that is not
 * known, as of a pipe.
 */
bool replay_taken(const struct replay *p, uint64_t *taken, uint64_t *all);
/* "bytes" of a text, "operations" of a graph, "events" of an archive. */
const char *replay_unit(const struct replay *p);

/*
 * Calls of the recorded run that the trace does not have, most first, as "MPI_Alltoallw (12), MPI_Comm_spawn (1)".
 * Returns how many such calls there were.
 */
uint64_t replay_lacks(const struct replay *p, char *text, size_t size);

/* The body of a rank (vmpi_set_body) that carries out its events; `replay` is the struct replay. */
int replay_body(struct vmpi *v, uint32_t rank, void *replay);

/* Where a recording goes; NULL: not there. */
struct record_outputs {
	FILE *trace;         /* stays the caller's; of several processes the first one writes it */
	bool trace_of_first; /* which has it */
	const char *folder;  /* of an OTF2 archive, which is made; in all processes */
};

/*
 * Begins to write the calls of the program that `v` will load. A call that a trace cannot have fails the run, with its
 * name. 0, or -1 with `e`.
 */
int record_start(struct vmpi *v, const struct record_outputs *to, struct err *e);

/*
 * Writes the time between each rank's last call and its end, and ends the recording; does nothing without one. 0, or -1
 * with `e`.
 */
int record_end(struct vmpi *v, struct err *e);
/* Ends it without an archive: the run is repeated. */
void record_forget(struct vmpi *v);

/*
 * ---- several processes ----
 * A turn has ended: hands over its lines. The first process writes the lines of a turn, and a call for the archive. The
 * end of a rank's last call.
 */
void record_turn(struct vmpi *v);
void record_pass(struct vmpi *v, const char *lines, size_t bytes);
void record_pass_call(struct vmpi *v, const char *call);
int64_t record_last(const struct vmpi *v, uint32_t rank);
void record_set_last(struct vmpi *v, uint32_t rank, int64_t last);

#endif
