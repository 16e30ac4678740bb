/*
 * Running a guest and recording what it does.
 *
 * The guest runs block by block; while recording, each block goes to the trace
 * writer with the addresses that it used. Recording begins at the program's
 * start, at a symbol, or in named regions, after `skip` instructions, and ends
 * with the program or after `max` instructions, always between two blocks.
 */
#ifndef PSIM_RECORD_RUN_H
#define PSIM_RECORD_RUN_H

#include "../../psim/base/err.h"
#include "../trace.h"
#include "guest.h"

struct run_options {
	uint64_t from;              /* recording begins when control reaches it; 0: at once */
	const char *const *regions; /* record only in these; region_count of them */
	unsigned region_count;
	uint64_t skip;    /* instructions left out after that */
	uint64_t max;     /* instructions recorded at most; 0: all. The guest then ends */
	uint64_t warm_up; /* so many instructions before each part that is recorded warm up for it */
	FILE *log;        /* pc of each instruction that would be recorded; or NULL */
	/*
	 * Called once, when recording begins, with the instructions executed before:
	 * opens the trace. NULL: nothing is written.
	 */
	struct trace_writer *(*open)(void *user, uint64_t first_insn, struct err *e);
	/*
	 * Called every some million instructions with the number executed; false
	 * ends the run. NULL: nothing.
	 */
	bool (*progress)(void *user, uint64_t insns);
	void *user;
};

struct run_result {
	uint64_t executed, recorded; /* instructions */
	uint64_t first_insn;         /* executed before recording began */
	bool reached;                /* recording began */
	struct trace_writer *writer; /* what `open` gave, to be closed by the caller; or NULL */
};

/*
 * Runs the guest to its end (g->end tells which). Returns 0, or -1 with `e`
 * where the trace could not be opened or written; result->writer is then to be
 * aborted.
 */
int guest_run(struct guest *g, const struct run_options *o, struct run_result *result, struct err *e);

#endif
