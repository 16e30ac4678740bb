/* One run of psim: what was asked for, what it holds, from its options to its report. Internal to the program. */
#ifndef PSIM_CORE_PSIM_RUN_H
#define PSIM_CORE_PSIM_RUN_H

#include "../base/cli/opt.h"
#include "../base/cli/progress.h"
#include "../base/report/out.h"
#include "chip.h"
#include "pipeview.h"
#include "stage_files.h"

struct settings {
	const char *pipe_file, *window, *energy_file, *region;
	unsigned pipe_format;
	uint64_t top, max_cycles, skip, core, useful;
	bool no_skip, no_profile;
	struct opt_list expect;
};

struct run {
	struct settings set;
	struct opt_common common;
	struct core_config cfg;
	struct config *config;
	unsigned cores;
	const char *path[CHIP_CORES_MAX]; /* of the trace of each core */
	struct trace_reader *trace[CHIP_CORES_MAX];
	struct energy_model *energy, *core_energy; /* of the chip; of one of several cores alone, or NULL */
	struct out *report_out, *pipe_out, *energy_out;
	struct stage_files stages;
	struct pipeview *view;
	char region[TRACE_NAME_MAX]; /* whose beginning opens the view's window */
	struct chip *chip;
	struct progress progress;
	struct activity last; /* at the last row of the energy table */
};

/* ---- psim_run.c ---- */
/*
 * Opens what the options name, simulates, and writes everything; traces are the operands from argv[first] on.
 * 0, or -1 with `e`, also when interrupted or if an expectation was missed.
 */
int psim_run(struct run *run, int argc, char *argv[], int first, struct err *e);
/* Closes and frees all; outputs that are not finished are removed. */
void psim_release(struct run *run);

/* ---- psim_report.c ---- */
/* Makes the report, writes it and verifies the expectations. `complete`: the traces were simulated to their end. */
int psim_report(struct run *run, int argc, char *argv[], bool complete, struct err *e);

#endif
