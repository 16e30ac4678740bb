/* psim's run: inputs and outputs, the simulation in steps, energy over time, the pipe trace. */
#include "psim_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/message_line.h"
#include "../base/mem.h"
#include "chip_report.h"
#include "segment_run.h"
#include "core_report.h"
#include "mcpat_file.h"
#include "../replay/memo.h"
#include "whole_core.h"
#include "profile.h"

/* The trace of the core that --core selects. */
static struct trace_reader *shown_trace(const struct run *run)
{
	return run->trace[run->set.core];
}

/* ---- energy over time ---- */
static void energy_row(struct run *run)
{
	struct activity now;

	chip_activity(run->chip, &now);
	/* Closing the file reports a failed write. */
	energy_csv_row(run->energy, &run->last, &now, out_file(run->energy_out), NULL);
	run->last = now;
}

/* Warns about parameters outside the energy model's range; the run continues. */
static void psim_run_warn(const struct energy_model *energy)
{
	char text[ENERGY_WARNINGS_MAX][ENERGY_WARNING_MAX];
	unsigned count = energy_warnings(energy, text);

	for (unsigned n = 0; n < count; n++)
		message("psim: warning: %s", text[n]);
}

static int open_energy(struct run *run, struct err *e)
{
	struct energy_machine machine;

	core_energy_machine(&run->cfg, &machine);
	run->energy = energy_create(&machine, e);
	if (!run->energy)
		return -1;
	psim_run_warn(run->energy);
	if (run->cores > 1)
		run->core_energy = chip_core_energy(&run->cfg, e);
	if (run->cores > 1 && !run->core_energy)
		return -1;
	if (!run->set.energy_file)
		return 0;
	if (!run->cfg.energy.interval)
		return err_set(e, STATUS_USAGE,
			       "--energy-csv: expected an interval too, for instance -p energy.interval=10000");
	run->energy_out = out_create(run->set.energy_file, e);
	if (!run->energy_out)
		return -1;
	return energy_csv_header(run->energy, out_file(run->energy_out), e);
}

const char *psim_run_sampled(const struct run *run)
{
	return run->set.sample ? "--sample" : run->set.phases ? "--simpoints" : NULL;
}

bool psim_run_has_page(const struct run *run)
{
	for (unsigned n = 0; n < run->common.file_count; n++)
		if (run->common.files[n].format == REPORT_HTML)
			return true;
	return false;
}

bool psim_run_has_rows(const struct run *run)
{
	return run->energy_out || (run->counters.out && !run->counters.sampled);
}

/* ---- pipe trace ---- */
static int open_pipe(struct run *run, struct pipe_trace_window *window, struct err *e)
{
	if (!run->set.pipe_file)
		return run->set.window ? err_set(e, STATUS_USAGE, "--window: expected --pipe FILE too") : 0;
	if (pipe_trace_window_parse(run->set.window ? run->set.window : "0:200", trace_info(shown_trace(run)), window,
				    run->region, e) < 0)
		return err_prefix(e, "--window");
	run->pipe_out = out_create(run->set.pipe_file, e);
	return run->pipe_out ? 0 : -1;
}

/* Opens --pipe's file, and makes the pipe trace that it or a page needs. */
static int open_view(struct run *run, struct chip_options *o, struct err *e)
{
	const bool page = psim_run_has_page(run) && !run->set.no_profile && !psim_run_sampled(run);
	struct pipe_trace_window window = {0};

	if (open_pipe(run, &window, e) < 0)
		return -1;
	if (page)
		run->samples = pipe_trace_samples_create(e);
	if (page && !run->samples)
		return -1;
	if (!page && !run->pipe_out)
		return 0;
	run->pipe_trace = pipe_trace_create(run->pipe_out ? out_file(run->pipe_out) : NULL, run->set.pipe_format,
					    &run->cfg, trace_info(shown_trace(run)), &window, run->samples, e);
	o->pipe_trace = run->pipe_trace;
	o->pipe_trace_core = (unsigned)run->set.core;
	return run->pipe_trace ? 0 : -1;
}

/* ---- the run ---- */

/*
 * Cycles of all cores between checks of the clock and of signals: about half a second in detail. After each step the
 * counts of all transitions that it has replayed are added.
 */
enum { STEP_CYCLES = 6400000 };

/* Cycles of the step from cycle `now`, which ends with the interval of the energy table, at the latest. */
static uint64_t step_cycles(const struct run *run, uint64_t now, uint64_t limit)
{
	uint64_t interval = run->cfg.energy.interval, step = STEP_CYCLES / run->cores;

	if (limit - now < step)
		step = limit - now;
	if (psim_run_has_rows(run) && interval - now % interval < step)
		step = interval - now % interval;
	return stage_files_step(&run->stages, now, step);
}

static uint64_t trace_lengths(const struct run *run)
{
	uint64_t length = 0;

	for (unsigned n = 0; n < run->cores; n++) {
		if (!trace_length(run->trace[n]))
			return 0; /* unknown */
		length += trace_length(run->trace[n]);
	}
	return length;
}

static bool psim_run_step(struct run *run, uint64_t done, const char *note)
{
	return checkpoint_step(&run->checkpoint, &run->progress, done, note, NULL);
}

void psim_run_row(struct run *run)
{
	if (run->energy_out)
		energy_row(run);
	if (run->counters.out)
		counter_series_row(&run->counters, chip_core(run->chip, (unsigned)run->set.core), &run->cfg);
}

/* 1: interrupted or at the limit; 0: the traces are done. */
static int psim_run_simulate(struct run *run, struct err *e)
{
	uint64_t limit = run->set.max_cycles ? run->set.max_cycles : UINT64_MAX, now = 0;
	int more = 1;

	while (more > 0 && now < limit) {
		uint64_t instructions;
		char note[64];

		more = chip_run(run->chip, step_cycles(run, now, limit), e);
		now = chip_cycles(run->chip);
		instructions = chip_instructions(run->chip);
		if (psim_run_has_rows(run) && now % run->cfg.energy.interval == 0)
			psim_run_row(run);
		stage_files_sample(&run->stages, run->chip);
		snprintf(note, sizeof(note), "IPC %.3f", now ? (double)instructions / (double)now : 0);
		if (!psim_run_step(run, instructions + chip_warmed(run->chip), note))
			break;
	}
	return more;
}

static bool warms_up(void *user, uint64_t instructions)
{
	struct run *run = user;

	return psim_run_step(run, instructions, "warming up");
}

/* Creates the chip, which also warms up, and simulates. Returns as simulate. */
static int make_and_simulate(struct run *run, struct chip_options *o, struct err *e)
{
	int more = -1;

	o->region = run->set.region;
	o->on_warm = warms_up;
	o->warm_user = run;
	progress_start(&run->progress, "psim", "insn", trace_lengths(run), run->common.quiet);
	run->chip = chip_create(&run->cfg, run->trace, o, e);
	if (run->chip)
		more = o->segments ? segment_run(run, e) : psim_run_simulate(run, e);
	progress_end(&run->progress);
	return more;
}

/* ---- other models of energy ---- */
static int open_models(struct run *run, struct err *e)
{
	char lacks[ENERGY_WARNING_MAX];

	if (run->set.mcpat_file && psim_run_sampled(run))
		return err_set(e, STATUS_USAGE,
			       "--mcpat and %s: a sample has no counts of the whole run, expected one of the two",
			       psim_run_sampled(run));
	if (run->set.mcpat_file && mcpat_lacks(&run->cfg, lacks))
		message("psim: warning: %s", lacks);
	if (run->set.mcpat_file && !(run->mcpat_out = out_create(run->set.mcpat_file, e)))
		return -1;
	if (run->set.accelergy_file && !(run->accelergy_out = out_create(run->set.accelergy_file, e)))
		return -1;
	return 0;
}

/* Closes a file; `written`: below 0 if it has not all. It costs no other file: *first gets the first error. */
static void close_model(struct out *out, int written, struct err *why, struct err *first)
{
	if ((written < 0 ? out_fail(out, why) : out_close(out, why)) < 0)
		err_keep_first(first, why);
}

static void close_models(struct run *run, struct err *first)
{
	struct out *mcpat = run->mcpat_out, *accelergy = run->accelergy_out;
	struct err why;

	run->mcpat_out = run->accelergy_out = NULL;
	if (mcpat)
		close_model(mcpat, mcpat_write(run->chip, &run->cfg, out_file(mcpat), &why), &why, first);
	if (accelergy)
		close_model(accelergy, energy_write_accelergy(run->energy, out_file(accelergy), &why), &why, first);
}

/* ---- files ---- */
/* Opens the outputs before the run, so that a file that cannot be written is reported at once. */
static int psim_run_open_outputs(struct run *run, struct chip_options *o, struct err *e)
{
	if (open_energy(run, e) < 0 || counter_series_open(&run->counters, &run->cfg, e) < 0 ||
	    open_models(run, e) < 0 || open_view(run, o, e) < 0)
		return -1;
	run->stages.in_report = psim_run_has_page(run) && !psim_run_sampled(run);
	if (stage_files_open(&run->stages, &run->cfg, run->core_energy ? run->core_energy : run->energy,
			     (unsigned)run->set.core, e) < 0)
		return -1;
	for (unsigned n = 0; n < run->common.file_count; n++) {
		run->report_out[n] = out_create(run->common.files[n].path, e);
		if (!run->report_out[n])
			return -1;
	}
	return 0;
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

static int close_pipe(struct run *run, struct err *e)
{
	struct pipe_trace *trace = run->pipe_trace;
	struct out *out = run->pipe_out;

	if (!trace)
		return 0;
	run->pipe_trace = NULL;
	if (pipe_trace_finish(trace, e) < 0)
		return -1;
	run->pipe_out = NULL;
	return out ? out_close(out, e) : 0;
}

/* Writes the results so far, whatever ended the run. The first error is reported. */
static int write_results(struct run *run, int argc, char *argv[], bool complete, struct err *e)
{
	struct err why, first = {0};

	if (psim_report(run, argc, argv, complete, &why) < 0)
		err_keep_first(&first, &why);
	if (close_energy(run, &why) < 0)
		err_keep_first(&first, &why);
	if (counter_series_close(&run->counters, chip_core(run->chip, (unsigned)run->set.core), &run->cfg, &why) < 0)
		err_keep_first(&first, &why);
	close_models(run, &first);
	if (stage_files_close(&run->stages, run->chip, trace_info(shown_trace(run))->program, &why) < 0)
		err_keep_first(&first, &why);
	/* An interrupted run may end before the pipe trace's window. */
	if (close_pipe(run, &why) < 0 && !progress_signal())
		err_keep_first(&first, &why);
	return err_of_first(e, &first);
}

/* Assigns a trace to each core, or one to all. Without chip.cores, the number of traces is the number of cores. */
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
		return err_set(e, STATUS_USAGE, "--core: unknown core %" PRIu64 ", expected a number below %u",
			       run->set.core, run->cores);
	for (unsigned n = 0; n < run->cores; n++) {
		run->path[n] = operands[count == 1 ? 0 : n];
		if (run->cores > 1 && strcmp(run->path[n], "-") == 0)
			return err_set(e, STATUS_USAGE,
				       "one of %u traces is standard input, expected files for several cores",
				       run->cores);
	}
	return 0;
}

/* A file that cannot be opened may be a configuration without its -c. */
static int explain_configuration(const char *path, struct err *e)
{
	size_t length = strlen(path);

	if (length > 4 && strcmp(path + length - 4, ".ini") == 0 && access(path, F_OK) != 0)
		return err_set(e, e->status, "%s: is no trace: a configuration follows -c", path);
	return -1;
}

static int open_traces(struct run *run, struct err *e)
{
	for (unsigned n = 0; n < run->cores; n++) {
		run->trace[n] = trace_open(run->path[n], e);
		if (!run->trace[n])
			return explain_configuration(run->path[n], e);
		if (run->set.skip && trace_seek(run->trace[n], run->set.skip, e) < 0)
			return -1;
	}
	return 0;
}

int psim_run_by_parts(const struct run *run, const char *option, const char *why, const struct psim_option *more,
		      unsigned count, struct err *e)
{
	const struct settings *s = &run->set;
	const struct psim_option whole[] = {
		{run->common.check, "--check"},    {s->pipe_file, "--pipe"},        {run->stages.csv, "--stages-csv"},
		{run->stages.svg, "--stages-svg"}, {s->max_cycles, "--max-cycles"},
	};
	const char *given = NULL;

	for (unsigned n = 0; n < sizeof(whole) / sizeof(whole[0]) && !given; n++)
		given = whole[n].given ? whole[n].name : NULL;
	for (unsigned n = 0; n < count && !given; n++)
		given = more[n].given ? more[n].name : NULL;
	if (given)
		return err_set(e, STATUS_USAGE, "%s and %s: %s, expected one of the two", option, given, why);
	if (run->cores > 1)
		return err_set(e, STATUS_USAGE, "%s: a chip of %u cores, expected one", option, run->cores);
	return 0;
}

static bool finds_phases(void *user, uint64_t instructions)
{
	struct run *run = user;

	return progress_step(&run->progress, instructions, "finding phases");
}

/* Finds the phases of the trace, and makes the plan of the intervals that stand for them. */
static int plan_phases(struct run *run, uint64_t length, struct err *e)
{
	struct phase_plan how;
	int ret;

	if (phase_plan_parse(&how, "--simpoints", run->set.phases, length, e) < 0)
		return -1;
	progress_start(&run->progress, "psim", "insn", length, run->common.quiet);
	ret = phase_run_plan(&run->phases, &run->plan, run->path[0], run->set.skip, &how, finds_phases, run, e);
	progress_end(&run->progress);
	return ret;
}

/* Makes the plan of --sample or --simpoints, and refuses what a sample cannot serve. */
static int plan_sample(struct run *run, struct chip_options *o, struct err *e)
{
	const struct settings *s = &run->set;
	const char *option = psim_run_sampled(run);
	const struct psim_option whole[] = {
		{s->region, "--region"},
		{s->energy_file, "--energy-csv"},
		{s->useful, "--useful-flops"},
		{s->sample && s->phases, "--simpoints"},
	};
	uint64_t length = trace_length(run->trace[0]);

	if (!option)
		return 0;
	if (psim_run_by_parts(run, option, "a sample has parts of the trace", whole, sizeof(whole) / sizeof(whole[0]),
			      e) < 0)
		return -1;
	if (trace_info(run->trace[0])->pes)
		return err_set(e, STATUS_USAGE, "%s: %s uses the SIMD array, expected a program of the scalar core",
			       option, run->path[0]);
	o->sample = &run->plan;
	length -= length ? s->skip : 0;
	if ((s->sample ? sample_plan_parse(&run->plan, s->sample, length, e) : plan_phases(run, length, e)) < 0)
		return -1;
	run->counters.sampled = run->plan.each = run->counters.path != NULL;
	return 0;
}

/* Verifies that the trace had enough units behind the head. */
static int check_sample(const struct run *run, struct err *e)
{
	struct core_sample s;

	if (!run->set.sample)
		return 0;
	core_sample(chip_core(run->chip, 0), &s);
	if (s.count > SAMPLE_UNITS_LEAST)
		return 0;
	return err_set(e, STATUS_USAGE,
		       "--sample%s%s: %" PRIu64 " units in %" PRIu64 " instructions, expected at least %d",
		       *run->set.sample ? "=" : "", run->set.sample, s.count ? s.count - 1 : 0, s.whole.instructions,
		       SAMPLE_UNITS_LEAST);
}

static bool count_long(void *user, uint64_t cycles)
{
	struct run *run = user;

	return psim_run_step(run, cycles, "long parts");
}

/* Simulates the long parts of a sample, if the trace was read to its end. 0, or -1 with `e`. */
static int run_long_parts(struct run *run, const struct chip_options *o, bool complete, struct err *e)
{
	struct core_sample s;
	int ret;

	if (!run->set.sample || !complete || strcmp(run->path[0], "-") == 0)
		return 0;
	core_sample(chip_core(run->chip, 0), &s);
	progress_start(&run->progress, "psim", "cycle", 0, run->common.quiet);
	ret = sample_run_long(&run->cfg, run->path[0], run->set.skip, o, &s, count_long, run, &run->longer, e);
	progress_end(&run->progress);
	return progress_signal() ? 0 : ret;
}

/* Warns of a sample whose estimate says little, and refuses one that says nothing. 0, or -1 with `e`. */
static int judge_sample(const struct run *run, bool complete, struct err *e)
{
	const char *set = *run->set.sample ? "=" : "";
	struct sample_estimate x = core_sample_estimate(chip_core(run->chip, 0), &run->cfg, &run->longer);
	const double half = x.sampling + x.allowance, part = 100 * SAMPLE_WIDE_PART;
	const enum sample_trust trust = complete ? sample_trust(&x) : SAMPLE_HOLDS;

	if (trust == SAMPLE_WIDE)
		message("psim: warning: --sample%s%s: half the interval is %.0f %% of the estimate, above %.0f %%: "
			"simulate "
			"the trace whole, or a larger part of it with --sample=U/W",
			set, run->set.sample, 100 * half / x.cycles, part);
	if (trust == SAMPLE_NOTHING && half < x.cycles)
		return err_set(e, STATUS_USAGE,
			       "--sample%s%s: units change by %.0f %% of the estimate within the long parts, expected "
			       "at most %.0f %%: simulate the trace whole",
			       set, run->set.sample, 100 * x.drift / x.cycles, part);
	if (trust == SAMPLE_NOTHING)
		return err_set(e, STATUS_USAGE,
			       "--sample%s%s: the interval of %.3g cycles, %.3g up and down, reaches 0: simulate the "
			       "trace whole, or a larger part of it with --sample=U/W",
			       set, run->set.sample, x.cycles, half);
	return 0;
}

/* Warns of an estimate by phases that says little, if all their intervals were simulated. */
static void judge_phases(const struct run *run)
{
	struct core_sample s;

	core_sample(chip_core(run->chip, 0), &s);
	if (s.count == run->phases.units.count)
		phase_run_judge(&run->phases, &s, run->set.phases);
}

/* The machine's parameter because of which nothing is replayed; NULL: none. */
static const char *replay_bar_text(const struct run *run)
{
	switch (core_replay_bar(&run->cfg, MEMO_TRANSFERS_MAX)) {
	case REPLAY_BAR_TRANSFERS: return "simd.transfers above 255";
	case REPLAY_BAR_GATED: return "simd.power = gated";
	case REPLAY_BAR_STRIDE: return "prefetch.kind = stride";
	case REPLAY_BAR_WRONG_PATH: return "fetch.wrong_path";
	case REPLAY_BAR_NONE: break;
	}
	return NULL;
}

/* Refuses options of replay where nothing is replayed. */
static int check_memo(const struct run *run, const struct chip_options *o, struct err *e)
{
	const char *option = run->set.memo_check != MEMO_CHECK_NONE ? "--memo-check"
			     : run->set.memo_mb != MEMO_MB_DEFAULT  ? "--memo-memory"
								    : NULL;
	const char *bar = replay_bar_text(run);
	const char *detailed = run->set.no_memo     ? "--no-memo"
			       : run->common.check  ? "--check"
			       : run->set.no_skip   ? "--every-cycle"
			       : run->set.pipe_file ? "--pipe"
			       : o->details         ? "--annotate, --misses or --html"
						    : bar;

	if (run->set.memo_check == 0)
		return err_set(e, STATUS_USAGE, "--memo-check: 0, expected a number of 1 or more");
	if (option && detailed)
		return err_set(e, STATUS_USAGE, "%s: it has no effect with %s", option, detailed);
	if (bar && detailed == bar && run->common.verbose && !run->common.quiet)
		message("psim: note: all cycles are simulated in detail, without replay: %s", bar);
	return 0;
}

/* Known transitions are replayed where nothing forbids it. */
static void set_memo(const struct run *run, struct chip_options *o)
{
	o->memo_check = run->set.memo_check != MEMO_CHECK_NONE ? run->set.memo_check : 0;
	if (!run->set.no_memo)
		o->memo_bytes = run->set.memo_mb < UINT64_MAX >> 20 ? run->set.memo_mb << 20 : UINT64_MAX;
}

/* Refuses --annotate where the report has no profile, or the program no such place. */
static int check_annotate(const struct run *run, struct err *e)
{
	const char *other = run->set.no_profile ? "--no-profile" : psim_run_sampled(run);

	if ((run->set.annotate.count || run->set.misses) && other)
		return err_set(e, STATUS_USAGE, "%s and %s: a report without a profile, expected one of the two",
			       run->set.annotate.count ? "--annotate" : "--misses", other);
	if (run->set.sources && !run->set.annotate.count && !psim_run_has_page(run))
		return err_set(e, STATUS_USAGE, "--source %s: it has no effect without --annotate or --html",
			       run->set.sources);
	if (run->set.sources && access(run->set.sources, X_OK) != 0)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "--source %s: %s", run->set.sources, strerror(errno));
	for (unsigned n = 0; n < run->set.annotate.count; n++)
		if (place_check(trace_info(shown_trace(run)), run->set.annotate.item[n], e) < 0)
			return -1;
	return 0;
}

/* Refuses --runs and --what-if where runs cannot be compared or repeated. */
static int check_side_runs(const struct run *run, struct err *e)
{
	const char *option = run->set.what_if ? "--what-if" : "--runs";
	const char *sampled = psim_run_sampled(run), *other = sampled               ? sampled
							      : run->set.max_cycles ? "--max-cycles"
										    : NULL;

	if (run->set.runs == 0 || run->set.runs > RUNS_MOST)
		return err_set(e, STATUS_USAGE, "--runs: %" PRIu64 ", expected 1 to %d", run->set.runs, RUNS_MOST);
	if (!run->set.what_if && run->set.runs == 1)
		return 0;
	if (other)
		return err_set(e, STATUS_USAGE, "%s and %s: expected whole runs", option, other);
	for (unsigned n = 0; n < run->cores; n++)
		if (strcmp(run->path[n], "-") == 0)
			return err_set(e, STATUS_USAGE,
				       "%s: a trace from standard input, expected a file: it is read for each run",
				       option);
	return 0;
}

static bool count_runs(void *user, unsigned done)
{
	struct run *run = user;

	return psim_run_step(run, done, "repeated");
}

/* Simulates this machine's perturbed runs into run->results, behind the one that is done. 0, or -1 with `e`. */
static int repeat_perturbed(struct run *run, const struct side_runs *s, struct err *e)
{
	const unsigned others = (unsigned)run->set.runs - 1;
	struct side_run *side = mem_alloc(run->set.runs, sizeof(*side), e);
	int ret;

	if (!side)
		return -1;
	for (unsigned n = 0; n < others; n++)
		side[n] = (struct side_run){&run->cfg, n + 1, "--runs"};
	ret = side_runs_simulate(s, side, others, run->results + 1, e);
	free(side);
	return ret;
}

/*
 * The junction's temperature, and so the leakage of all figures, follows from the power of the run. If it runs away,
 * the report has the leakage at energy.temperature, and no junction: what a long run made is not lost.
 */
static void settle(struct run *run)
{
	const double seconds = (double)chip_cycles(run->chip) / run->cfg.chip.frequency;
	struct activity activity;
	struct err runaway;

	chip_activity(run->chip, &activity);
	if (energy_settle(run->energy, &activity, &runaway) < 0)
		message("psim: warning: %s; leakage is that at energy.temperature", runaway.text);
	if (run->core_energy)
		energy_set_junction(run->core_energy, energy_junction_k(run->energy));
	if (run->cfg.energy.period > 0 && seconds > run->cfg.energy.period)
		message("psim: warning: energy.period: %g s, expected at least the run's %g s", run->cfg.energy.period,
			seconds);
}

/* Refuses a package where the report has not the power of a whole run, or a file is written before it is known. */
static int check_package(const struct run *run, struct err *e)
{
	const char *sampled = psim_run_sampled(run), *option = sampled                ? sampled
							       : run->set.energy_file ? "--energy-csv"
										      : NULL;

	if (!option || run->cfg.energy.package == 0)
		return 0;
	return err_set(
		e, STATUS_USAGE,
		"%s and energy.package: the temperature follows from the power of the whole run, expected one of "
		"the two",
		option);
}

/* The result of the run that is done. */
static struct side_result plain_result(const struct run *run)
{
	struct activity activity;
	struct energy_result joules;

	chip_activity(run->chip, &activity);
	energy_evaluate(run->energy, &activity, &joules);
	return (struct side_result){chip_cycles(run->chip), 0, joules.total_j};
}

/* Simulates the further runs of --runs and --what-if. 0, or -1 with `e`. */
static int run_beside(struct run *run, const struct chip_options *o, struct err *e)
{
	const struct chip_options plain = {
		.hooks = o->hooks, .region = o->region, .memo_bytes = o->memo_bytes, .no_skip = o->no_skip};
	const struct side_runs s = {
		.options = &plain, .paths = run->path, .skip = run->set.skip, .step = count_runs, .user = run};
	const unsigned runs = (unsigned)run->set.runs;
	int ret = 0;

	if (!run->set.what_if && runs == 1)
		return 0;
	run->results = mem_alloc(runs, sizeof(*run->results), e);
	if (!run->results || (run->set.what_if && what_if_create(&run->what_if, run->config, &run->cfg, runs, e) < 0))
		return -1;
	run->results[0] = plain_result(run);
	if (progress_signal())
		return 0;
	progress_start(&run->progress, "psim", "run", (uint64_t)(run->what_if.changes + 1) * runs - 1,
		       run->common.quiet);
	if (runs > 1)
		ret = repeat_perturbed(run, &s, e);
	if (ret == 0 && run->set.what_if)
		ret = what_if_simulate(&run->what_if, &s, e);
	progress_end(&run->progress);
	return progress_signal() ? 0 : ret; /* the report has what was answered before a signal */
}

int psim_run(struct run *run, int argc, char *argv[], int first, struct err *e)
{
	struct chip_options o = {.hooks = &whole_core, .check = run->common.check, .no_skip = run->set.no_skip};
	int more;

	if (checkpoint_begin(&run->checkpoint, &run->set.checkpoint, "psim", e) < 0)
		return -1;
	o.details = run->set.annotate.count || run->set.misses || (psim_run_has_page(run) && !run->set.no_profile);
	set_memo(run, &o);
	if (opt_expect_check(&run->set.expect, e) < 0 ||
	    name_traces(run, argv + first, (unsigned)(argc - first), e) < 0 ||
	    config_fact(run->config, "energy_csv",
			run->set.energy_file || (run->counters.path && !psim_run_sampled(run)),
			"without --energy-csv or --counters-csv", e) < 0 ||
	    opt_unused("psim", run->config, core_config_uses, run->common.strict, e) < 0 || open_traces(run, e) < 0)
		return -1;
	if (check_package(run, e) < 0 || check_memo(run, &o, e) < 0 || check_annotate(run, e) < 0 ||
	    check_side_runs(run, e) < 0 || segment_run_plan(run, &o, argc, argv, e) < 0 ||
	    plan_sample(run, &o, e) < 0 || psim_run_open_outputs(run, &o, e) < 0)
		return -1;
	more = make_and_simulate(run, &o, e);
	if (more < 0 || check_sample(run, e) < 0 || run_long_parts(run, &o, more == 0, e) < 0 ||
	    (run->set.sample && judge_sample(run, more == 0 && !progress_signal(), e) < 0))
		return -1;
	if (run->set.phases)
		judge_phases(run);
	settle(run);
	if (run_beside(run, &o, e) < 0 || write_results(run, argc, argv, more == 0, e) < 0) {
		checkpoint_failed(&run->checkpoint, e);
		return -1;
	}
	if (progress_signal() && (run->set.what_if || run->set.runs > 1) && more == 0)
		return err_set(e, STATUS_FAILED, "%s: interrupted in %s, whose table is not complete", run->path[0],
			       run->set.what_if ? "--what-if" : "--runs");
	if (more == 0)
		checkpoint_done(&run->checkpoint);
	if (progress_signal())
		return err_set(e, STATUS_FAILED,
			       "%s: interrupted after %" PRIu64 " cycles; the report covers these%s%s", run->path[0],
			       chip_cycles(run->chip),
			       run->set.checkpoint.path ? ", and the same command continues from " : "",
			       run->set.checkpoint.path ? run->set.checkpoint.path : "");
	return 0;
}

void psim_release(struct run *run)
{
	struct err ignored;

	if (run->pipe_trace)
		pipe_trace_finish(run->pipe_trace, &ignored);
	pipe_trace_samples_destroy(run->samples);
	for (unsigned n = 0; n < OPT_FILES_MAX; n++)
		out_abort(run->report_out[n]);
	out_abort(run->pipe_out);
	out_abort(run->energy_out);
	out_abort(run->counters.out);
	out_abort(run->mcpat_out);
	out_abort(run->accelergy_out);
	stage_files_release(&run->stages);
	what_if_destroy(&run->what_if);
	phase_run_finish(&run->phases);
	free(run->results);
	checkpoint_finish(&run->checkpoint);
	chip_destroy(run->chip);
	energy_destroy(run->energy);
	energy_destroy(run->core_energy);
	for (unsigned n = 0; n < run->cores; n++)
		trace_close(run->trace[n]);
	config_destroy(run->config);
}
