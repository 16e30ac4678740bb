/* psim: a trace through a processor. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../base/cli/opt.h"
#include "../base/report/out.h"
#include "../base/cli/progress.h"
#include "chip.h"
#include "chip_report.h"
#include "core_report.h"
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

/* The trace of the core that is looked at more closely. */
static struct trace_reader *shown_trace(const struct run *run)
{
	return run->trace[run->set.core];
}

static int check_config(const struct config *c, void *user, struct err *e)
{
	return core_config_check(c, user, e);
}

/* ---- energy over time ---- */
static void energy_row(struct run *run)
{
	struct activity now;

	chip_activity(run->chip, &now);
	/* A failed write shows when the file is closed. */
	energy_csv_row(run->energy, &run->last, &now, out_file(run->energy_out), NULL);
	run->last = now;
}

/* What the machine is beyond: the run goes on. */
static void warn(const struct energy_model *energy)
{
	char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX];
	unsigned count = energy_warnings(energy, text);

	for (unsigned n = 0; n < count; n++)
		fprintf(stderr, "psim: warning: %s\n", text[n]);
}

static int open_energy(struct run *run, struct err *e)
{
	struct energy_machine machine;

	core_energy_machine(&run->cfg, &machine);
	run->energy = energy_create(&machine, e);
	if (!run->energy)
		return -1;
	warn(run->energy);
	if (run->cores > 1)
		run->core_energy = chip_core_energy(&run->cfg, e);
	if (run->cores > 1 && !run->core_energy)
		return -1;
	if (!run->set.energy_file)
		return 0;
	if (!run->cfg.energy.interval)
		return err_set(e, STATUS_USAGE,
			       "--energy-csv: needs an interval, for instance -p energy.interval=10000");
	run->energy_out = out_create_gz(run->set.energy_file, e);
	if (!run->energy_out)
		return -1;
	return energy_csv_header(run->energy, out_file(run->energy_out), e);
}

/* ---- pipeline view ---- */
static int open_view(struct run *run, struct chip_options *o, struct err *e)
{
	const struct trace_info *info = trace_info(shown_trace(run));
	struct view_window window;

	if (!run->set.pipe_file)
		return run->set.window ? err_set(e, STATUS_USAGE, "--window: needs --pipe FILE") : 0;
	if (view_window_parse(run->set.window ? run->set.window : "0:200", info, &window, run->region, e) < 0)
		return err_prefix(e, "--window");
	run->pipe_out = out_create_gz(run->set.pipe_file, e);
	if (!run->pipe_out)
		return -1;
	run->view = pipeview_create(out_file(run->pipe_out), run->set.pipe_format, &run->cfg, info, &window, e);
	o->view = run->view;
	o->view_core = (unsigned)run->set.core;
	return run->view ? 0 : -1;
}

/* ---- the run ---- */

/* Cycles between looks at the clock and at signals. */
enum { STEP_CYCLES = 200000 };

/* Cycles to go in one step from cycle `now`: energy over time has a row at the end of each interval. */
static uint64_t step_cycles(const struct run *run, uint64_t now, uint64_t limit)
{
	uint64_t step = limit - now < STEP_CYCLES ? limit - now : STEP_CYCLES;
	uint64_t interval = run->cfg.energy.interval;

	if (run->energy_out && interval - now % interval < step)
		step = interval - now % interval;
	return stage_files_step(&run->stages, now, step);
}

static uint64_t trace_lengths(const struct run *run)
{
	uint64_t length = 0;

	for (unsigned n = 0; n < run->cores; n++) {
		if (!trace_length(run->trace[n]))
			return 0; /* not known */
		length += trace_length(run->trace[n]);
	}
	return length;
}

/* 1: interrupted or at the limit; 0: the traces are done. */
static int simulate(struct run *run, struct err *e)
{
	uint64_t limit = run->set.max_cycles ? run->set.max_cycles : UINT64_MAX, now = 0;
	int more = 1;

	while (more > 0 && now < limit) {
		uint64_t instructions;
		char note[64];

		more = chip_run(run->chip, step_cycles(run, now, limit), e);
		now = chip_cycles(run->chip);
		instructions = chip_instructions(run->chip);
		if (run->energy_out && now % run->cfg.energy.interval == 0)
			energy_row(run);
		stage_files_sample(&run->stages, run->chip);
		snprintf(note, sizeof(note), "IPC %.3f", now ? (double)instructions / (double)now : 0);
		if (!progress_step(&run->progress, instructions + chip_warmed(run->chip), note))
			break;
	}
	return more;
}

static bool warms_up(void *user, uint64_t instructions)
{
	struct run *run = user;

	return progress_step(&run->progress, instructions, "warming up");
}

/* Makes the chip, which warms it up too, and simulates; as simulate. */
static int make_and_simulate(struct run *run, struct chip_options *o, struct err *e)
{
	int more = -1;

	o->region = run->set.region;
	o->on_warm = warms_up;
	o->warm_user = run;
	progress_start(&run->progress, "psim", "insn", trace_lengths(run), run->common.quiet);
	run->chip = chip_create(&run->cfg, run->trace, o, e);
	if (run->chip)
		more = simulate(run, e);
	progress_end(&run->progress);
	return more;
}

static void trace_group(const struct run *run, unsigned core, bool complete, struct report *r)
{
	struct trace_reader *trace = run->trace[core];
	const struct trace_info *info = trace_info(trace);
	char text[64];

	report_group(r, "trace", "the input");
	report_text(r, "file", run->path[core], "trace file");
	report_text(r, "program", info->program, "program that was recorded");
	snprintf(text, sizeof(text), "%08" PRIx32, trace_checksum(trace));
	report_text(r, "checksum", text, "CRC-32 of the trace's content as far as it was read");
	report_u64(r, "length", trace_length(trace), "insns", "instructions of the trace, 0: not known");
	report_u64(r, "first", run->set.skip, "", "instruction with which the simulation began");
	if (run->set.region)
		report_text(r, "region", run->set.region, "what alone was simulated");
	if (run->set.region || info->warm_up)
		report_u64(r, "warmed_up", core_warmed(chip_core(run->chip, core)), "insns",
			   "before and between that: caches, TLBs and branch prediction saw them");
	report_text(r, "complete", complete ? "yes" : "no", "was the trace simulated to its end");
	report_end(r);
}

/* The groups that tell of one core alone: first those before energy and area, then those behind. */
static int core_groups(const struct run *run, unsigned n, const struct energy_model *energy, struct report *r,
		       struct err *e)
{
	const struct core *core = chip_core(run->chip, n);

	core_report(core, &run->cfg, energy, r);
	if (run->set.no_profile || n != run->set.core)
		return 0;
	return core_report_profile(core, &run->cfg, trace_info(run->trace[n]), (unsigned)run->set.top, r, e);
}

static void counter_groups(const struct run *run, unsigned n, struct report *r)
{
	core_report_counters(chip_core(run->chip, n), &run->cfg, r);
	core_report_host(chip_core(run->chip, n), r);
}

/* A group for each of several cores. */
static int fill_cores(const struct run *run, bool complete, struct report *r, struct err *e)
{
	for (unsigned n = 0; n < run->cores; n++) {
		char name[16];

		snprintf(name, sizeof(name), "core%u", n);
		report_group(r, name, "one core");
		trace_group(run, n, complete, r);
		if (core_groups(run, n, run->core_energy, r, e) < 0)
			return -1;
		counter_groups(run, n, r);
		report_end(r);
	}
	return 0;
}

/* Everything, in the order of the full report. */
static int fill_report(struct run *run, int argc, char *argv[], bool complete, struct report *r, struct err *e)
{
	struct activity activity;
	bool alone = run->cores == 1;

	report_identity(r, "psim", argc, argv);
	if (alone)
		trace_group(run, 0, complete, r);
	else
		chip_report(run->chip, &run->cfg, run->energy, run->core_energy, r);
	if ((alone ? core_groups(run, 0, run->energy, r, e) : fill_cores(run, complete, r, e)) < 0)
		return -1;
	if (run->set.useful && chip_report_useful(run->chip, &run->cfg, run->set.useful, r, e) < 0)
		return -1;
	chip_activity(run->chip, &activity);
	if (run->common.check && energy_check(run->energy, &activity, e) < 0)
		return -1;
	energy_report(run->energy, &activity, r);
	if (alone)
		counter_groups(run, 0, r);
	report_config(r, run->config);
	return 0;
}

/* What a text report shows without --verbose. */
static const struct report_pick short_report[] = {
	{"run", "version command"},
	{"trace", "file program checksum region warmed_up complete"},
	{"core", NULL},
	{"useful", NULL},
	{"cycle_parts", "part share cpi meaning"},
	{"cycle_stack", "cause part share cpi meaning"},
	{"regions", "name entries instructions seconds ipc gflops share_of_peak power nj_per_instruction"},
	{"region_parts", "name used prediction fetch serial execution load_store memory array"},
	{"functions", "place passes instructions cycles share ipc"},
	{"loops", "place passes instructions cycles share self ipc"},
	{"energy.units", NULL},
	{"energy.stages", "stage slots_moved slots_stalled power share"},
	{"area.units", NULL},
};

/* Of several cores: the chip, a row a core, and more of the one that is looked at. */
static int write_chip_picks(const struct run *run, const struct report *r, FILE *file, struct err *e)
{
	enum { PATH = 32, SHOWN = 5 };
	static const struct report_pick shown[SHOWN] = {
		{"trace", "file program checksum region warmed_up complete"},
		{"core", NULL},
		{"cycle_parts", "part share cpi meaning"},
		{"functions", "place passes instructions cycles share ipc"},
		{"loops", "place passes instructions cycles share self ipc"},
	};
	struct report_pick picks[4 + SHOWN + 2] = {
		{"run", "version command"},
		{"chip", NULL},
		{"useful", NULL},
		{"cores", NULL},
	};
	char path[SHOWN][PATH];

	for (unsigned n = 0; n < SHOWN; n++) {
		snprintf(path[n], PATH, "core%u.%s", (unsigned)run->set.core, shown[n].path);
		picks[4 + n] = (struct report_pick){path[n], shown[n].names};
	}
	picks[4 + SHOWN] = (struct report_pick){"energy.units", NULL};
	picks[5 + SHOWN] = (struct report_pick){"area.units", NULL};
	return report_write_picks(r, picks, sizeof(picks) / sizeof(picks[0]), file, e);
}

static int write_report(struct run *run, const struct report *r, struct err *e)
{
	FILE *file = out_file(run->report_out);
	struct out *out = run->report_out;
	int ret;

	if (run->common.format != REPORT_TEXT || run->common.verbose)
		ret = report_write(r, run->common.format, file, e);
	else if (run->cores > 1)
		ret = write_chip_picks(run, r, file, e);
	else
		ret = report_write_picks(r, short_report, sizeof(short_report) / sizeof(short_report[0]), file, e);
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

static int report_run(struct run *run, int argc, char *argv[], bool complete, struct err *e)
{
	struct report *r = report_create();
	int ret;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	ret = fill_report(run, argc, argv, complete, r, e);
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

/* No output may replace a trace or a configuration. */
static int keep_inputs(const struct run *run, struct err *e)
{
	const char *const outputs[] = {run->common.output, run->set.pipe_file, run->set.energy_file, run->stages.csv,
				       run->stages.svg};

	for (unsigned n = 0; n < sizeof(outputs) / sizeof(outputs[0]); n++) {
		for (unsigned c = 0; c < run->cores; c++)
			if (out_is_not(outputs[n], run->path[c], e) < 0)
				return -1;
		for (unsigned c = 0; c < run->common.config_files.count; c++)
			if (out_is_not(outputs[n], run->common.config_files.item[c], e) < 0)
				return -1;
	}
	return 0;
}

/* No two outputs have one name. */
static int keep_outputs(const struct run *run, struct err *e)
{
	const struct {
		const char *file, *option;
	} outputs[] = {
		{run->common.output, "--output"},       {run->set.pipe_file, "--pipe"},
		{run->set.energy_file, "--energy-csv"}, {run->stages.csv, "--stages-csv"},
		{run->stages.svg, "--stages-svg"},
	};
	const size_t count = sizeof(outputs) / sizeof(outputs[0]);

	for (size_t n = 0; n < count; n++)
		for (size_t k = 0; k < n; k++)
			if (same_file(outputs[n].file, outputs[k].file, outputs[n].option, outputs[k].option, e) < 0)
				return -1;
	return 0;
}

/* Before the run, so that a name that cannot be written is told at once. */
static int open_outputs(struct run *run, struct chip_options *o, struct err *e)
{
	if (keep_outputs(run, e) < 0 || open_energy(run, e) < 0 || open_view(run, o, e) < 0)
		return -1;
	if (stage_files_open(&run->stages, &run->cfg, run->core_energy ? run->core_energy : run->energy,
			     (unsigned)run->set.core, e) < 0)
		return -1;
	run->report_out = out_create(run->common.output, e);
	return run->report_out ? 0 : -1;
}

static int close_energy(struct run *run, struct err *e)
{
	struct out *out = run->energy_out;

	if (!out)
		return 0;
	if (chip_cycles(run->chip) > run->last.cycles)
		energy_row(run);
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
static int write_results(struct run *run, int argc, char *argv[], bool complete, struct err *e)
{
	struct err second;
	int ret = report_run(run, argc, argv, complete, e);

	if (close_energy(run, ret < 0 ? &second : e) < 0)
		ret = -1;
	if (stage_files_close(&run->stages, run->chip, trace_info(shown_trace(run))->program, ret < 0 ? &second : e) <
	    0)
		ret = -1;
	/* A window that an interrupted run did not reach is no mistake. */
	if (close_view(run, ret < 0 || progress_signal() ? &second : e) < 0 && !progress_signal())
		ret = -1;
	return ret;
}

/* A trace for each core, or one for all; several traces make as many cores where chip.cores is not given. */
static int name_traces(struct run *run, char *const operands[], unsigned count, struct err *e)
{
	char text[32];

	if (count > 1 && strcmp(config_origin(run->config, "chip", "cores"), "default") == 0) {
		snprintf(text, sizeof(text), "chip.cores=%u", count);
		if (config_override(run->config, text, "the number of traces", e) < 0)
			return -1;
	}
	run->cores = run->cfg.chip.cores;
	if (count != 1 && count != run->cores)
		return err_set(e, STATUS_USAGE,
			       "%s: chip.cores = %u and %u traces, expected one for each core, or one for all",
			       config_origin(run->config, "chip", "cores"), run->cores, count);
	if (run->set.core >= run->cores)
		return err_set(e, STATUS_USAGE, "--core: there is no core %" PRIu64 ", expected one below %u",
			       run->set.core, run->cores);
	for (unsigned n = 0; n < run->cores; n++) {
		run->path[n] = operands[count == 1 ? 0 : n];
		if (run->cores > 1 && strcmp(run->path[n], "-") == 0)
			return err_set(e, STATUS_USAGE,
				       "a trace of %u is standard input, expected files for several cores", run->cores);
	}
	return 0;
}

static int open_traces(struct run *run, struct err *e)
{
	for (unsigned n = 0; n < run->cores; n++) {
		run->trace[n] = trace_open(run->path[n], e);
		if (!run->trace[n])
			return -1;
		if (run->set.skip && trace_seek(run->trace[n], run->set.skip, e) < 0)
			return -1;
	}
	return 0;
}

static int run_traces(struct run *run, int argc, char *argv[], int first, struct err *e)
{
	struct chip_options o = {.check = run->common.check, .no_skip = run->set.no_skip};
	int more;

	for (unsigned n = 0; n < run->set.expect.count; n++)
		if (report_expect_check(run->set.expect.item[n], e) < 0)
			return -1;
	if (name_traces(run, argv + first, (unsigned)(argc - first), e) < 0 || open_traces(run, e) < 0)
		return -1;
	if (keep_inputs(run, e) < 0 || open_outputs(run, &o, e) < 0)
		return -1;
	more = make_and_simulate(run, &o, e);
	if (more < 0 || write_results(run, argc, argv, more == 0, e) < 0)
		return -1;
	if (progress_signal())
		return err_set(e, STATUS_FAILED, "%s: interrupted after %" PRIu64 " cycles; the report covers these",
			       run->path[0], chip_cycles(run->chip));
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
	stage_files_release(&run->stages);
	chip_destroy(run->chip);
	energy_destroy(run->energy);
	energy_destroy(run->core_energy);
	for (unsigned n = 0; n < run->cores; n++)
		trace_close(run->trace[n]);
	config_destroy(run->config);
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
		{"pipe-format", 0, CHOICES(VIEW_FORMATS), "as a Kanata log, or as text for a terminal", OPT_CHOICE,
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
		status = run_traces(&run, argc, argv, first, &e) < 0 ? opt_fail(&p, &e) : STATUS_DONE;
	release(&run);
	return status;
}
