/* Two runs of a trace, one memoised (psim/replay/memo.h): compares all that they count. */
#ifndef PSIM_TESTS_CORE_COMPARE_H
#define PSIM_TESTS_CORE_COMPARE_H

#include "core_run.h"
#include "psim/replay/memo_graph.h"
#include "psim/app/whole_core.h"

struct core_compare_run {
	struct trace_reader *trace;
	struct config *config;
	struct core_config cfg;
	struct core *core;
	struct err e;
	uint64_t intervals, sum; /* intervals ended; a hash of the counts at each */
};

/* The runs that are compared. */
struct core_compare {
	const char *const *overrides; /* ends with NULL; may be NULL */
	uint64_t memory;              /* bytes for transitions */
	bool rests;                   /* looks up states where that is worth it only */
	uint64_t check;               /* each such known transition is simulated too; 0: none */
	uint64_t interval;            /* cycles after each of which counts are compared; 0: at the end */
	uint32_t step;                /* runs in steps of 1 to `step` cycles, counts compared after each; 0: in one */
	/* what is simulated of the trace: a region, or a sample; neither: all */
	const char *region;
	const struct sample_plan *sample;
	const struct segment_plan *segments; /* records at its sync points */
	uint64_t *loop_periods;              /* loop periods replayed in one go are added here; NULL: nowhere */
	uint64_t *lines;                     /* the same of lines of transfers */
};

/* Starts a run; with memory 0, the detailed one. Owns `trace`. */
void core_compare_start(struct core_compare_run *r, struct trace_reader *trace, const struct core_compare *what,
			uint64_t memory);
void core_compare_finish(struct core_compare_run *r);

/*
 * Runs both to their ends, and compares; owns the traces. Returns the share of replayed cycles, in percent. With
 * CORE_MEMO_SHARES in the environment, it prints it.
 */
double core_compare(struct trace_reader *traces[2], const struct core_compare *what);

/* The same of a sample trace. */
double core_compare_sample(const char *name, const struct core_compare *what);

/* Compares all that two cores count. */
void core_compare_counts(const struct core *a, const struct core *b);

#endif
