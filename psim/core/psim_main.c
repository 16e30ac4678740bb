/* psim, which simulates a processor on a trace: options and main. */
#include "psim_run.h"

static int check_config(const struct config *c, void *user, struct err *e)
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

int main(int argc, char *argv[])
{
	struct run run = {.set = {.top = 10}, .stages = {.rows = STAGE_ROWS_DEFAULT}};
	const struct opt rows[] = {
		{"pipe", 0, "FILE", "write the pipeline of a window of instructions to FILE", OPT_TEXT,
		 &run.set.pipe_file},
		{"pipe-format", 0, VIEW_CHOICES, "as a Kanata log, or as text for a terminal", OPT_CHOICE,
		 &run.set.pipe_format},
		{"window", 0, "FROM:COUNT",
		 "the window of --pipe: from instruction FROM, @FUNCTION, @ADDRESS or @region:NAME", OPT_TEXT,
		 &run.set.window},
		{"energy-csv", 0, "FILE", "write power over time, a row each energy.interval cycles", OPT_TEXT,
		 &run.set.energy_file},
		{"stages-csv", 0, "FILE",
		 "write the use of each structure and pipeline stage over time, and their energy", OPT_TEXT,
		 &run.stages.csv},
		{"stages-svg", 0, "FILE", "the same as a picture", OPT_TEXT, &run.stages.svg},
		{"stages-rows", 0, "N", "rows of these at most; the run is cut into equal ones (1024)", OPT_COUNT,
		 &run.stages.rows},
		{"core", 0, "N", "the core that --pipe, --stages-* and the function and loop tables show (0)",
		 OPT_COUNT, &run.set.core},
		{"top", 0, "N", "rows of the function and loop tables (10)", OPT_COUNT, &run.set.top},
		{"no-profile", 0, NULL, "no function and loop tables", OPT_FLAG, &run.set.no_profile},
		{"skip", 0, "N", "begin at instruction N of the trace", OPT_COUNT, &run.set.skip},
		{"region", 0, "NAME", "simulate this region alone; the rest of the trace only warms up", OPT_TEXT,
		 &run.set.region},
		{"useful-flops", 0, "N", "operations that the result needs: report them beside all that are executed",
		 OPT_COUNT, &run.set.useful},
		{"max-cycles", 0, "N", "stop after N cycles", OPT_COUNT, &run.set.max_cycles},
		{"expect", 0, "NAME=VALUE",
		 "status 5 unless the figure has this value (=V, =V+-T, =V+-T%, >=V, <=V); repeatable", OPT_LIST,
		 &run.set.expect},
		{"every-cycle", 0, NULL, "do not skip cycles in which nothing can happen (same results, slower)",
		 OPT_FLAG, &run.set.no_skip},
	};
	struct opt_program p = {
		.name = "psim",
		.operands = "TRACE...",
		.summary = "Runs a recorded program through a cycle-accurate out-of-order processor and reports\n"
			   "time, stalls by cause, energy by stage, and area.",
		.examples = examples,
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN,
		.common = &run.common,
		.min_operands = 1,
		.max_operands = CHIP_CORES_MAX,
		.config_check = check_config,
		.config_user = &run.cfg,
		.uses = core_config_uses,
	};
	struct err e;
	int status, first;

	if (make_config(&run, &e) < 0)
		return opt_fail(&p, &e);
	p.config = run.config;
	first = opt_start(&p, argc, argv, &status);
	if (first >= 0)
		status = psim_run(&run, argc, argv, first, &e) < 0 ? opt_fail(&p, &e) : STATUS_DONE;
	psim_release(&run);
	return status;
}
