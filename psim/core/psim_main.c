/* psim: a trace through a processor. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../base/opt.h"
#include "../base/out.h"
#include "../base/progress.h"
#include "core_report.h"
#include "pipeview.h"

struct settings {
	const char *pipe_file, *window, *energy_file;
	unsigned pipe_format;
	uint64_t top, max_cycles, skip;
	bool no_skip, no_profile;
	struct opt_list expect;
};

struct run {
	struct settings set;
	struct opt_common common;
	struct core_config cfg;
	struct config *config;
	struct trace_reader *trace;
	struct energy_model *energy;
	struct out *report_out, *pipe_out, *energy_out;
	struct pipeview *view;
	char region[TRACE_NAME_MAX]; /* whose beginning opens the view's window */
	struct core *core;
	struct activity last; /* at the last row of the energy table */
};

static int check_config(const struct config *c, void *user, struct err *e)
{
	return core_config_check(c, user, e);
}

/* ---- energy over time ---- */
static void energy_row(void *user, const struct core *c)
{
	struct run *run = user;
	struct activity now;

	core_activity(c, &now);
	/* A failed write shows when the file is closed. */
	energy_csv_row(run->energy, &run->last, &now, out_file(run->energy_out), NULL);
	run->last = now;
}

static int open_energy(struct run *run, struct core_options *o, struct err *e)
{
	struct energy_machine machine;

	core_energy_machine(&run->cfg, &machine);
	run->energy = energy_create(&machine, e);
	if (!run->energy)
		return -1;
	if (!run->set.energy_file)
		return 0;
	if (!run->cfg.energy.interval)
		return err_set(
			e, STATUS_USAGE,
			"--energy-csv: needs an interval, for instance -p energy.interval=10000");
	run->energy_out = out_create_gz(run->set.energy_file, e);
	if (!run->energy_out)
		return -1;
	if (energy_csv_header(run->energy, out_file(run->energy_out), e) < 0)
		return -1;
	o->interval = run->cfg.energy.interval;
	o->on_interval = energy_row;
	o->user = run;
	return 0;
}

/* ---- pipeline view ---- */
static int open_view(struct run *run, struct core_options *o, struct err *e)
{
	const struct trace_info *info = trace_info(run->trace);
	struct view_window window;

	if (!run->set.pipe_file)
		return run->set.window ? err_set(e, STATUS_USAGE, "--window: needs --pipe FILE") : 0;
	if (view_window_parse(run->set.window ? run->set.window : "0:200", info, &window, run->region, e) < 0)
		return err_prefix(e, "--window");
	run->pipe_out = out_create_gz(run->set.pipe_file, e);
	if (!run->pipe_out)
		return -1;
	run->view = pipeview_create(out_file(run->pipe_out), run->set.pipe_format, &run->cfg, info,
	                            &window, e);
	o->view = run->view;
	return run->view ? 0 : -1;
}

/* ---- the run ---- */

/* Cycles between looks at the clock and at signals. */
enum { STEP_CYCLES = 200000 };

/* 1: interrupted or at the limit; 0: the trace is done. */
static int simulate(struct run *run, struct err *e)
{
	uint64_t limit = run->set.max_cycles ? run->set.max_cycles : UINT64_MAX;
	struct progress progress;
	int more = 1;

	progress_start(&progress, "psim", "insn", trace_length(run->trace), run->common.quiet);
	while (more > 0 && core_stats(run->core)->cycles < limit) {
		uint64_t left = limit - core_stats(run->core)->cycles;
		const struct core_stats *s = core_stats(run->core);
		char note[64];

		more = core_run(run->core, left < STEP_CYCLES ? left : STEP_CYCLES, e);
		snprintf(note, sizeof(note), "IPC %.3f", s->cycles ? (double)s->instructions / (double)s->cycles : 0);
		if (!progress_step(&progress, s->instructions, note))
			break;
	}
	progress_end(&progress);
	return more;
}

static void trace_group(struct run *run, const char *path, bool complete, struct report *r)
{
	const struct trace_info *info = trace_info(run->trace);
	char text[64];

	report_group(r, "trace", "the input");
	report_text(r, "file", path, "trace file");
	report_text(r, "program", info->program, "program that was recorded");
	snprintf(text, sizeof(text), "%08" PRIx32, trace_checksum(run->trace));
	report_text(r, "checksum", text, "CRC-32 of the trace's content as far as it was read");
	report_u64(r, "length", trace_length(run->trace), "insns", "instructions of the trace, 0: not known");
	report_u64(r, "first", run->set.skip, "", "instruction with which the simulation began");
	report_text(r, "complete", complete ? "yes" : "no", "was the trace simulated to its end");
	report_end(r);
}

/* Everything, in the order of the full report. */
static int fill_report(struct run *run, int argc, char *argv[], const char *path, bool complete,
                       struct report *r, struct err *e)
{
	struct activity activity;

	report_identity(r, "psim", argc, argv);
	trace_group(run, path, complete, r);
	core_report(run->core, &run->cfg, run->energy, r);
	if (!run->set.no_profile &&
	    core_report_profile(run->core, &run->cfg, trace_info(run->trace), (unsigned)run->set.top, r, e) < 0)
		return -1;
	core_activity(run->core, &activity);
	if (run->common.check && energy_check(run->energy, &activity, e) < 0)
		return -1;
	energy_report(run->energy, &activity, r);
	core_report_counters(run->core, &run->cfg, r);
	core_report_host(run->core, r);
	report_config(r, run->config);
	return 0;
}

/* What a text report shows without --verbose. */
static const struct report_pick short_report[] = {
	{ "run", "version command" },
	{ "trace", "file program checksum complete" },
	{ "core", NULL },
	{ "cycle_parts", "part share cpi meaning" },
	{ "cycle_stack", "cause part share cpi meaning" },
	{ "regions", "name entries instructions seconds ipc gflops share_of_peak power nj_per_instruction" },
	{ "region_parts", "name used prediction fetch serial execution load_store memory" },
	{ "functions", "place passes instructions cycles share ipc" },
	{ "loops", "place passes instructions cycles share self ipc" },
	{ "energy.units", NULL },
	{ "energy.stages", "stage slots_moved slots_stalled power share" },
	{ "area.units", NULL },
};

static int write_report(struct run *run, const struct report *r, struct err *e)
{
	FILE *file = out_file(run->report_out);
	struct out *out = run->report_out;
	int ret;

	if (run->common.format == REPORT_TEXT && !run->common.verbose)
		ret = report_write_picks(r, short_report, sizeof(short_report) / sizeof(short_report[0]), file, e);
	else
		ret = report_write(r, run->common.format, file, e);
	if (ret < 0)
		return -1;
	run->report_out = NULL;
	return out_close(out, e);
}

/* All expectations are looked at; each that is missed but the first is told here. */
static int check_expectations(const struct run *run, const struct report *r, struct err *e)
{
	const struct opt_list *list = &run->set.expect;
	struct err missed;
	int ret = 0;

	for (unsigned n = 0; n < list->count; n++) {
		if (report_expect(r, list->item[n], &missed) == 0)
			continue;
		if (ret < 0)
			fprintf(stderr, "psim: %s\n", e->text);
		*e = missed;
		ret = -1;
	}
	return ret;
}

static int report_run(struct run *run, int argc, char *argv[], const char *path, bool complete,
                      struct err *e)
{
	struct report *r = report_create();
	int ret;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	ret = fill_report(run, argc, argv, path, complete, r, e);
	if (ret == 0)
		ret = write_report(run, r, e);
	if (ret == 0 && !progress_signal())
		ret = check_expectations(run, r, e);
	report_destroy(r);
	return ret;
}

/* ---- files ---- */
static int same_file(const char *a, const char *b, const char *option_a, const char *option_b, struct err *e)
{
	if (!a || !b || strcmp(a, b) != 0)
		return 0;
	return err_set(e, STATUS_USAGE, "%s and %s both write to %s, expected different files", option_a, option_b,
		strcmp(a, "-") ? a : "standard output");
}

/* No output may replace the trace or a configuration. */
static int keep_inputs(const struct run *run, const char *trace, struct err *e)
{
	const char *const outputs[] = {run->common.output, run->set.pipe_file, run->set.energy_file};

	for (unsigned n = 0; n < sizeof(outputs) / sizeof(outputs[0]); n++) {
		if (out_is_not(outputs[n], trace, e) < 0)
			return -1;
		for (unsigned c = 0; c < run->common.config_files.count; c++)
			if (out_is_not(outputs[n], run->common.config_files.item[c], e) < 0)
				return -1;
	}
	return 0;
}

/* Before the run, so that a name that cannot be written is told at once. */
static int open_outputs(struct run *run, struct core_options *o, struct err *e)
{
	const struct settings *s = &run->set;

	if (same_file(s->pipe_file, run->common.output, "--pipe", "--output", e) < 0 ||
	    same_file(s->energy_file, run->common.output, "--energy-csv", "--output", e) < 0 ||
	    same_file(s->energy_file, s->pipe_file, "--energy-csv", "--pipe", e) < 0)
		return -1;
	if (open_energy(run, o, e) < 0 || open_view(run, o, e) < 0)
		return -1;
	run->report_out = out_create(run->common.output, e);
	return run->report_out ? 0 : -1;
}

static int close_energy(struct run *run, struct err *e)
{
	struct out *out = run->energy_out;

	if (!out)
		return 0;
	if (core_stats(run->core)->cycles > run->last.cycles)
		energy_row(run, run->core);
	run->energy_out = NULL;
	return out_close(out, e);
}

static int close_view(struct run *run, struct err *e)
{
	struct pipeview *view = run->view;
	struct out *out = run->pipe_out;

	if (!view)
		return 0;
	run->view = NULL;
	if (pipeview_finish(view, e) < 0)
		return -1;
	run->pipe_out = NULL;
	return out_close(out, e);
}

/* What was simulated is written, whatever ended the run; the first error counts. */
static int write_results(struct run *run, int argc, char *argv[], const char *path, bool complete,
                         struct err *e)
{
	struct err second;
	int ret = report_run(run, argc, argv, path, complete, e);

	if (close_energy(run, ret < 0 ? &second : e) < 0)
		ret = -1;
	/* A window that an interrupted run did not reach is no mistake. */
	if (close_view(run, ret < 0 || progress_signal() ? &second : e) < 0 && !progress_signal())
		ret = -1;
	return ret;
}

static int run_trace(struct run *run, const char *path, int argc, char *argv[], struct err *e)
{
	struct core_options o = { .check = run->common.check, .no_skip = run->set.no_skip };
	int more;

	for (unsigned n = 0; n < run->set.expect.count; n++)
		if (report_expect_check(run->set.expect.item[n], e) < 0)
			return -1;
	run->trace = trace_open(path, e);
	if (!run->trace)
		return -1;
	if (run->set.skip && trace_seek(run->trace, run->set.skip, e) < 0)
		return -1;
	if (keep_inputs(run, path, e) < 0 || open_outputs(run, &o, e) < 0)
		return -1;
	run->core = core_create(&run->cfg, run->trace, &o, e);
	if (!run->core)
		return -1;
	more = simulate(run, e);
	if (more < 0 || write_results(run, argc, argv, path, more == 0, e) < 0)
		return -1;
	if (progress_signal())
		return err_set(e, STATUS_FAILED, "%s: interrupted after %" PRIu64 " cycles; the report covers these",
			path, core_stats(run->core)->cycles);
	return 0;
}

static void release(struct run *run)
{
	struct err ignored;

	if (run->view)
		pipeview_finish(run->view, &ignored);
	out_abort(run->report_out);
	out_abort(run->pipe_out);
	out_abort(run->energy_out);
	core_destroy(run->core);
	energy_destroy(run->energy);
	trace_close(run->trace);
	config_destroy(run->config);
}

int main(int argc, char *argv[])
{
	struct run run = { .set = { .top = 10 } };
	const struct opt rows[] = {
		{"pipe", 0, "FILE", "write the pipeline of a window of instructions to FILE",
	         OPT_TEXT, &run.set.pipe_file},
		{"pipe-format", 0, "kanata|text", "as a Kanata log, or as text for a terminal",
	         OPT_CHOICE, &run.set.pipe_format},
		{"window", 0, "FROM:COUNT",
	         "the window of --pipe: from instruction FROM, @FUNCTION, @ADDRESS or @region:NAME",
	         OPT_TEXT, &run.set.window},
		{"energy-csv", 0, "FILE",
	         "write power over time, a row each energy.interval cycles", OPT_TEXT,
	         &run.set.energy_file},
		{"top", 0, "N", "rows of the function and loop tables (10)", OPT_COUNT,
	         &run.set.top},
		{"no-profile", 0, NULL, "no function and loop tables", OPT_FLAG,
	         &run.set.no_profile},
		{"skip", 0, "N", "begin at instruction N of the trace", OPT_COUNT, &run.set.skip},
		{"max-cycles", 0, "N", "stop after N cycles", OPT_COUNT, &run.set.max_cycles},
		{"expect", 0, "NAME=VALUE",
	         "status 5 unless the figure has this value (=V, =V+-T, =V+-T%, >=V, <=V); "
	         "repeatable",
	         OPT_LIST, &run.set.expect},
		{"every-cycle", 0, NULL,
	         "do not skip cycles in which nothing can happen (same results, slower)", OPT_FLAG,
	         &run.set.no_skip},
	};
	const struct opt_program program = {
		.name = "psim", .operands = "TRACE",
		.summary = "Runs a recorded program through a cycle-accurate out-of-order processor and reports\n"
			"time, stalls by cause, energy by stage, and area.",
		.examples = "psim -c configs/sparc64v.ini traces/samples/dgemm.trace.gz\n"
			"psim -c configs/sparc64v.ini -p core.rob_entries=128 --json -o big.json x.trace.gz\n"
			"psim -c configs/sparc64v.ini --pipe x.kanata.gz --window @dgemm:400 x.trace.gz\n"
			"psim -c configs/sparc64v.ini --expect 'core.ipc=1.5+-2%' x.trace.gz",
		.rows = rows, .row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_CONFIG | OPT_OUTPUT | OPT_RUN, .common = &run.common,
		.min_operands = 1, .max_operands = 1,
		.config_check = check_config, .config_user = &run.cfg,
	};
	struct opt_program p = program;
	struct err e;
	int status, first;

	run.config = config_create();
	if (!run.config) {
		err_set(&e, STATUS_FAILED, "out of memory");
		return opt_fail(&p, &e);
	}
	core_config_add(run.config, &run.cfg);
	p.config = run.config;
	first = opt_start(&p, argc, argv, &status);
	if (first >= 0)
		status = run_trace(&run, argv[first], argc, argv, &e) < 0 ? opt_fail(&p, &e) : STATUS_DONE;
	release(&run);
	return status;
}
