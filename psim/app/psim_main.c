/* psim, which simulates a processor on a trace: options and main. */
#include "psim_run.h"

static int psim_check_config(const struct config *c, void *user, struct err *e)
{
	return core_config_check(c, user, e);
}

static int make_config(struct run *r, struct err *e)
{
	r->config = config_create();
	if (!r->config)
		return err_set(e, STATUS_FAILED, "out of memory");
	core_config_add(r->config, &r->cfg);
	return 0;
}

static const char examples[] = "psim -c configs/sparc64v.ini traces/samples/dgemm.trace.gz\n"
			       "psim -c configs/sparc64v.ini -p core.rob_entries=128 --json -o big.json x.trace.gz\n"
			       "psim -c configs/sparc64v.ini --pipe x.kanata.gz --window @dgemm:400 x.trace.gz\n"
			       "psim -c configs/sparc64v.ini --stages-svg x.svg x.trace.gz\n"
			       "psim -c configs/sparc64v.ini a.trace.gz b.trace.gz\n"
			       "psim -c configs/sparc64v.ini --expect 'core.ipc=1.5+-2%' x.trace.gz";

/* Reads the options of `rows`, and runs. Returns the exit status. */
static int psim_start(struct run *run, const struct opt *rows, unsigned count, int argc, char *argv[])
{
	struct opt_program p = {
		.name = "psim",
		.operands = "TRACE...",
		.summary = "Runs a recorded program through a cycle-accurate out-of-order processor and reports\n"
			   "time, stalls by cause, energy by stage, and area.",
		.examples = examples,
		.rows = rows,
		.row_count = count,
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN | OPT_FILES,
		.common = &run->common,
		.min_operands = 1,
		.max_operands = CHIP_CORES_MAX,
		.config_check = psim_check_config,
		.config_user = &run->cfg,
	};
	struct err e;
	int status, first;

	if (make_config(run, &e) < 0)
		return opt_fail(&p, &e);
	p.config = run->config;
	first = opt_start(&p, argc, argv, &status);
	if (first >= 0)
		status = psim_run(run, argc, argv, first, &e) < 0 ? opt_fail(&p, &e) : STATUS_DONE;
	psim_release(run);
	return status;
}

static const struct settings defaults = {
	.top = TOP_DEFAULT,
	.memo_mb = MEMO_MB_DEFAULT,
	.memo_check = MEMO_CHECK_NONE,
	.processes = 1,
	.runs = 1,
	.checkpoint = {.minutes = CHECKPOINT_MINUTES_DEFAULT},
};

int main(int argc, char *argv[])
{
	struct run run = {.set = defaults, .stages = {.rows = STAGE_ROWS_DEFAULT}};
	const struct opt rows[] = {
		{"pipe", 0, "FILE", "write the pipeline of a window to FILE", OPT_WRITES, &run.set.pipe_file},
		{"pipe-format", 0, PIPE_TRACE_CHOICES, "format of the pipeline: Kanata log, or text for a terminal",
		 OPT_CHOICE, &run.set.pipe_format},
		{"window", 0, "FROM:COUNT",
		 "window of --pipe: begins at instruction FROM, @FUNCTION, @ADDRESS or @region:NAME", OPT_TEXT,
		 &run.set.window},
		{"energy-csv", 0, "FILE", "write power over time, one row per energy.interval cycles", OPT_WRITES,
		 &run.set.energy_file},
		{"counters-csv", 0, "FILE", "write all counters over time, one row per energy.interval cycles",
		 OPT_WRITES, &run.counters.path},
		{"mcpat", 0, "FILE", "write machine and counts as XML for McPAT 1.3", OPT_WRITES, &run.set.mcpat_file},
		{"accelergy", 0, "FILE", "write energies and areas for Accelergy", OPT_WRITES, &run.set.accelergy_file},
		{"stages-csv", 0, "FILE", "write the use and energy of each structure and pipeline stage over time",
		 OPT_WRITES, &run.stages.csv},
		{"stages-svg", 0, "FILE", "draw the use and energy of structures and stages over time (SVG)",
		 OPT_WRITES, &run.stages.svg},
		{"stages-rows", 0, "N", "at most N equal intervals of the run in --stages-* (1024)", OPT_COUNT,
		 &run.stages.rows},
		{"core", 0, "N", "core of --pipe, --stages-*, --counters-csv and the function and loop tables (0)",
		 OPT_COUNT, &run.set.core},
		{"top", 0, "N", "rows of the function and loop tables (10 in text, else all)", OPT_COUNT, &run.set.top},
		{"annotate", 0, "PLACE",
		 "show a function, a loop (f+0x8c) or a line (f.c:12) by instruction; may be repeated", OPT_LIST,
		 &run.set.annotate},
		{"misses", 0, NULL, "show mispredicted branches and loads that miss, by instruction and line", OPT_FLAG,
		 &run.set.misses},
		{"source", 0, "FOLDER", "take source files from FOLDER", OPT_READS, &run.set.sources},
		{"no-profile", 0, NULL, "omit the function and loop tables", OPT_FLAG, &run.set.no_profile},
		{"skip", 0, "N", "begin at instruction N of the trace", OPT_COUNT, &run.set.skip},
		{"region", 0, "NAME", "simulate this region alone; the rest of the trace only warms up", OPT_TEXT,
		 &run.set.region},
		{"sample", 0, "[=U/W]",
		 "estimate the whole from units of U instructions each W (a plan for the length)", OPT_TEXT,
		 &run.set.sample},
		{"simpoints", 0, "[=LENGTH/PHASES]", "estimate the whole from an interval of each phase of the program",
		 OPT_TEXT, &run.set.phases},
		{"runs", 0, "N", "repeat the run N - 1 times, perturbed: its spread (1)", OPT_COUNT, &run.set.runs},
		{"processes", 'j', "N", "simulate the trace on N processes, with the same results (1)", OPT_COUNT,
		 &run.set.processes},
		CHECKPOINT_ROWS(run.set.checkpoint),
		{"useful-flops", 0, "N", "report N, the operations that the result needs, beside the executed ones",
		 OPT_COUNT, &run.set.useful},
		{"what-if", 0, NULL, "run also with each resource twice or without limit, and report what that saves",
		 OPT_FLAG, &run.set.what_if},
		{"max-cycles", 0, "N", "stop after N cycles (0: no limit)", OPT_COUNT, &run.set.max_cycles},
		{"expect", 0, "NAME=VALUE",
		 "exit with status 5 unless NAME=V, =V+-T, =V+-T%, >=V or <=V holds; may be repeated", OPT_LIST,
		 &run.set.expect},
		{"no-memo", 0, NULL, "simulate known transitions again (same results)", OPT_FLAG, &run.set.no_memo},
		{"memo-memory", 0, "MB", "memory for known transitions (256)", OPT_COUNT, &run.set.memo_mb},
		{"memo-check", 0, "N", "simulate each N-th known transition too, and compare", OPT_COUNT,
		 &run.set.memo_check},
		{"every-cycle", 0, NULL, "simulate each idle cycle (same results, slower)", OPT_FLAG, &run.set.no_skip},
	};

	return psim_start(&run, rows, sizeof(rows) / sizeof(rows[0]), argc, argv);
}
