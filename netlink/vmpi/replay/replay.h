/*
 * Traces of communication as plain text (docs/formats/replay-format.md): a trace runs in place of a program, and the
 * run of a program writes one. The same network gives the same times for both.
 */
#ifndef PSIM_VMPI_REPLAY_H
#define PSIM_VMPI_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct replay;

/*
 * Opens a trace and reads its number of ranks; the events are read during the run, and kept only until their
 * ranks need them. The caller destroys it, after the run. NULL with `e`: STATUS_BAD_INPUT with file and line.
 */
struct replay *replay_open(const char *path, struct err *e);
void replay_destroy(struct replay *p); /* accepts NULL */

/*
 * Prepares for the ranks of `v` that are in this process, of several. `again`: this process was forked after the trace
 * was opened, and opens it again, since files of several processes have one position. 0, or -1 with `e`.
 */
int replay_divide(struct replay *p, struct vmpi *v, bool again, struct err *e);

/* Returns the ranks of the trace. */
uint32_t replay_ranks(const struct replay *p);

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
