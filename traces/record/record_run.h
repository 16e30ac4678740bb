/*
 * Running a guest and recording what it executes.
 *
 * The guest runs block by block, its threads by turns; while recording, each block is passed to the trace writer with
 * its addresses. Recording begins at the program's start, at a symbol, or in named regions,
 * after `skip` instructions. It ends with the program or after `max` instructions, always
 * between two blocks.
 */
#ifndef PSIM_RECORD_RUN_H
#define PSIM_RECORD_RUN_H

#include "../../psim/base/err.h"
#include "../trace.h"
#include "guest.h"
#include "nest_runs.h"

struct run_options {
	uint64_t from;              /* recording begins at this pc; 0: at once */
	const char *const *regions; /* record only in these regions; region_count of them */
	unsigned region_count;
	bool *entered; /* of each of them: set when the program begins one of that name; NULL: not wanted */
	char *other;   /* TRACE_NAME_MAX bytes, empty: receives the first name that is none of them; NULL: not wanted */
	uint64_t skip; /* instructions omitted after that */
	uint64_t max;  /* maximum of recorded instructions, after which the guest ends; 0: unlimited */
	uint64_t warm_up; /* warm-up instructions before each recorded part */
	FILE *log;        /* receives the pc of each instruction to be recorded; or NULL */
	/*
	 * Opens the trace of the threads at a place, 0 for the first. Called once for each, when recording begins
	 * there, with the number of instructions executed before. NULL: no trace.
	 */
	struct trace_writer *(*open)(void *user, unsigned place, uint64_t first_insn, struct err *e);
	/*
	 * Called every few million instructions with the number executed; false ends the run.
	 * May be NULL.
	 */
	bool (*progress)(void *user, uint64_t insns);
	/*
	 * Called for each run of a compiled loop nest that was checked, with what is wrong or an empty text. May be
	 * NULL. The guest checks if PSIM_NEST_CHECK is in its environment.
	 */
	void (*checked)(void *user, const char *line);
	struct nest_runs *nests; /* receives each run of a nest; or NULL */
	void *user;
};

struct run_result {
	uint64_t executed, recorded; /* instructions */
	uint64_t first_insn;         /* executed before recording began */
	bool reached;                /* recording began */
	/* the results of `open`, to be closed by the caller; or NULL */
	struct trace_writer *writer[GUEST_THREADS];
};

/*
 * Runs the guest to its end (see g->end). Returns 0, or -1 with `e` if the trace could not be
 * opened or written; the caller then aborts all of result->writer.
 */
int guest_run(struct guest *g, const struct run_options *o, struct run_result *result, struct err *e);

#endif
