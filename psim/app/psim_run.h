/* One run of psim, from its options to its report. Internal to the program. */
#ifndef PSIM_APP_PSIM_RUN_H
#define PSIM_APP_PSIM_RUN_H

#include "../base/cli/checkpoint.h"
#include "../base/cli/opt.h"
#include "../base/cli/progress.h"
#include "../base/report/out.h"
#include "../core/chip.h"
#include "../pipe_trace/pipe_trace.h"
#include "counter_series.h"
#include "phase_run.h"
#include "run_spread.h"
#include "sample_run.h"
#include "stage_files.h"
#include "../pipe_trace/pipe_trace_samples.h"
#include "what_if.h"

#define TOP_DEFAULT UINT64_MAX     /* --top is not given */
#define MEMO_CHECK_NONE UINT64_MAX /* --memo-check is not given */
enum { ROWS_OF_TEXT = 10, PROCESSES_MOST = 1024 };

struct settings {
	const char *pipe_file, *window, *energy_file, *mcpat_file, *accelergy_file, *region, *sample, *phases, *sources;
	unsigned pipe_format;
	uint64_t top, max_cycles, skip, core, useful, memo_mb, memo_check, processes, runs;
	bool no_skip, no_profile, no_memo, what_if, misses;
	struct opt_list expect, annotate;
	struct checkpoint_options checkpoint;
};

struct run {
	struct settings set;
	struct opt_common common;
	struct core_config cfg;
	struct config *config;
	unsigned cores;
	const char *path[CHIP_CORES_MAX]; /* trace file of each core */
	struct trace_reader *trace[CHIP_CORES_MAX];
	struct energy_model *energy, *core_energy; /* of the chip; of one core without L2, NULL with one core */
	struct out *report_out[OPT_FILES_MAX], *pipe_out, *energy_out, *mcpat_out, *accelergy_out;
	struct counter_series counters;
	struct stage_files stages;
	struct sample_plan plan;      /* with --sample or --simpoints */
	struct sample_long longer;    /* with --sample */
	struct phase_run phases;      /* with --simpoints */
	struct segment_plan segments; /* with -j or a checkpoint */
	struct checkpoint checkpoint;
	struct pipe_trace *pipe_trace;
	struct pipe_trace_samples *samples; /* of a page; else NULL */
	char region[TRACE_NAME_MAX];        /* region whose entry opens the pipe trace's window */
	struct chip *chip;
	struct progress progress;
	struct side_result *results; /* with --runs or --what-if: of this machine's runs, the first unperturbed */
	struct what_if what_if;
	struct activity last; /* counts at the last row of the energy table */
};

/* ---- psim_run.c ---- */
/* Returns whether one of the files is a page, which has more tables. */
bool psim_run_has_page(const struct run *run);

/* Returns whether rows end at multiples of energy.interval. */
bool psim_run_has_rows(const struct run *run);

/* Returns the option that makes the run simulate parts as a sample of the whole; NULL: none does. */
const char *psim_run_sampled(const struct run *run);

/* An option, and whether it is given. */
struct psim_option {
	bool given;
	const char *name;
};
/*
 * Refuses what needs the trace simulated from its begin to its end by one process, and `more[count]`, beside `option`,
 * which serves one scalar core only; `why`: the reason in the message. 0, or -1 with `e`.
 */
int psim_run_by_parts(const struct run *run, const char *option, const char *why, const struct psim_option *more,
		      unsigned count, struct err *e);

/* Writes a row of each file over time, which ends at the present cycle. */
void psim_run_row(struct run *run);

/*
 * Opens the inputs and outputs, simulates, and writes all results; traces are the operands from argv[first] on.
 * 0, or -1 with `e`, also if it was interrupted or missed an expectation.
 */
int psim_run(struct run *run, int argc, char *argv[], int first, struct err *e);
/* Closes and frees all; removes unfinished outputs. */
void psim_release(struct run *run);

/* ---- psim_report.c ---- */
/* Writes the report and verifies the expectations. `complete`: the traces were simulated to their end. */
int psim_report(struct run *run, int argc, char *argv[], bool complete, struct err *e);

#endif
