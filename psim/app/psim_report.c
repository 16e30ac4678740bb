/* psim's report: the order of its groups, and the selection of a short text report. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "call_tree.h"
#include "chip_report.h"
#include "core_report.h"
#include "psim_run.h"

static void trace_group(const struct run *run, unsigned core, bool complete, struct report *r)
{
	struct trace_reader *trace = run->trace[core];
	const struct trace_info *info = trace_info(trace);
	char text[64];

	report_group(r, "trace", "the input");
	report_text(r, "file", run->path[core], "trace file");
	report_text(r, "program", info->program, "program that was recorded");
	snprintf(text, sizeof(text), "%08" PRIx32, trace_checksum(trace));
	report_text(r, "checksum", text, "CRC-32 of the trace's content, as far as it was read");
	report_u64(r, "length", trace_length(trace), "insns", "instructions of the trace; 0: unknown");
	report_u64(r, "first", run->set.skip, "", "first instruction simulated");
	if (run->set.region)
		report_text(r, "region", run->set.region, "region that was simulated");
	if (run->set.region || psim_run_sampled(run) || info->warm_up)
		report_u64(r, "warmed_up", core_warmed(chip_core(run->chip, core)), "insns",
			   "instructions that were not simulated, but warmed up caches, TLBs and "
			   "branch prediction");
	report_text(r, "complete", complete ? "yes" : "no", "whether the trace was simulated to its end");
	report_end(r);
}

/* Rows of the tables of functions and loops: in text a few, elsewhere all, unless --top says how many. */
static unsigned profile_rows(const struct run *run)
{
	if (run->set.top < UINT_MAX)
		return (unsigned)run->set.top;
	return run->common.format == REPORT_TEXT ? ROWS_OF_TEXT : UINT_MAX;
}

/* Returns whether a trace can be read a second time: it is a file, and no pipe. */
static bool can_read_again(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Adds the groups of one core: those before energy and area, then those after. */
static int core_groups(const struct run *run, unsigned n, const struct energy_model *energy, struct report *r,
		       struct err *e)
{
	const struct core *core = chip_core(run->chip, n);
	const struct call_part part = {run->path[n], run->set.region, run->set.skip, core_stats(core)->instructions};
	const bool page = run->common.format == REPORT_HTML;
	const struct annotated annotated = {run->set.annotate.item,
					    run->set.annotate.count,
					    run->set.sources,
					    page ? run->samples : NULL,
					    page && can_read_again(run->path[n]) ? &part : NULL,
					    run->set.misses || page};

	core_report(core, &run->cfg, energy, r);
	if (run->set.no_profile || n != run->set.core)
		return 0;
	return core_report_profile(core, &run->cfg, trace_info(run->trace[n]), profile_rows(run), &annotated, r, e);
}

static void counter_groups(const struct run *run, unsigned n, struct report *r)
{
	core_report_counters(chip_core(run->chip, n), &run->cfg, r);
	core_report_host(chip_core(run->chip, n), r);
}

/* Adds a group for each of several cores. */
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

/* Adds notes on what the configuration has and the run did not use. */
static void idle_notes(const struct run *run, struct report *r)
{
	chip_report_idle(run->chip, &run->cfg, run->config, run->cores > 1 && run->path[0] == run->path[1], r);
}

/* Adds the groups of a sampled run. */
static void fill_sample(const struct run *run, bool complete, struct report *r)
{
	trace_group(run, 0, complete, r);
	idle_notes(run, r);
	if (run->set.sample)
		core_report_sample(chip_core(run->chip, 0), &run->cfg, &run->plan, &run->longer, run->energy, r);
	else
		core_report_phases(chip_core(run->chip, 0), &run->cfg, &run->phases.phases, &run->phases.units,
				   run->energy, r);
	report_config(r, run->config);
}

/* Adds the groups of --runs and --what-if. After a signal they have the runs that are done. */
static void fill_beside(const struct run *run, struct report *r)
{
	unsigned done = 0;

	while (run->results && done < run->set.runs && (!done || run->results[done].cycles))
		done++;
	if (done > 1)
		run_spread_report(run->results, done, run->cfg.chip.frequency, r);
	if (run->set.what_if && done == run->set.runs)
		what_if_report(&run->what_if, run->results, r);
}

/* Adds all groups, in the order of the full report. */
static int psim_fill_report(struct run *run, int argc, char *argv[], bool complete, struct report *r, struct err *e)
{
	struct activity activity;
	bool alone = run->cores == 1;

	report_identity(r, "psim", argc, argv);
	if (psim_run_sampled(run)) {
		fill_sample(run, complete, r);
		return 0;
	}
	if (alone)
		trace_group(run, 0, complete, r);
	else
		chip_report(run->chip, &run->cfg, run->energy, run->core_energy, r);
	idle_notes(run, r);
	fill_beside(run, r);
	if ((alone ? core_groups(run, 0, run->energy, r, e) : fill_cores(run, complete, r, e)) < 0)
		return -1;
	if (run->set.useful && chip_report_useful(run->chip, &run->cfg, run->set.useful, r, e) < 0)
		return -1;
	chip_activity(run->chip, &activity);
	if (run->common.check && energy_check(run->energy, &activity, e) < 0)
		return -1;
	energy_report(run->energy, &activity, r);
	if (run->common.format == REPORT_HTML)
		stage_files_report(&run->stages, run->chip, r);
	if (alone)
		counter_groups(run, 0, r);
	report_config(r, run->config);
	return 0;
}

/* The groups of a text report without --verbose. */
static const struct report_pick short_report[] = {
	{"run", "version command"},
	{"trace", "file program checksum region warmed_up complete"},
	{"notes", NULL},
	{"sample", NULL},
	{"estimate", NULL},
	{"phases", NULL},
	{"core", NULL},
	{"useful", NULL},
	{"spread", NULL},
	{"spread.cycles", NULL},
	{"spread.seconds", NULL},
	{"spread.energy_j", NULL},
	{"what_if", NULL},
	{"cycle_parts", "part share cpi meaning"},
	{"cycle_stack", "cause part share cpi meaning"},
	{"top_down", "part category share cpi meaning"},
	{"regions", "name entries instructions seconds ipc gflops share_of_peak power nj_per_instruction"},
	{"region_parts", "name used prediction fetch serial execution load_store memory array"},
	{"region_misses", NULL},
	{"array_runtime", NULL},
	{"functions", "place source passes instructions cycles share ipc"},
	{"loops", "place source passes instructions cycles share self ipc"},
	{"annotate_source", NULL},
	{"annotate", NULL},
	{"branches", NULL},
	{"load_misses", NULL},
	{"line_misses", NULL},
	{"energy.units", NULL},
	{"energy.stages", "stage slots_moved slots_held latches clocked moved held operations energy share"},
	{"area.units", NULL},
};

/* Writes the short report on several cores: the chip, a row for each core, and the groups of the core of --core. */
static int write_chip_picks(const struct run *run, const struct report *r, FILE *file, struct err *e)
{
	enum { PATH = 32, SHOWN = 12 };
	static const struct report_pick shown[SHOWN] = {
		{"trace", "file program checksum region warmed_up complete"},
		{"core", NULL},
		{"cycle_parts", "part share cpi meaning"},
		{"top_down", "part category share cpi meaning"},
		{"array_runtime", NULL},
		{"functions", "place source passes instructions cycles share ipc"},
		{"loops", "place source passes instructions cycles share self ipc"},
		{"annotate_source", NULL},
		{"annotate", NULL},
		{"branches", NULL},
		{"load_misses", NULL},
		{"line_misses", NULL},
	};
	enum { BEFORE = 10 };
	struct report_pick picks[BEFORE + SHOWN + 2] = {
		{"run", "version command"},
		{"chip", NULL},
		{"notes", NULL},
		{"useful", NULL},
		{"spread", NULL},
		{"spread.cycles", NULL},
		{"spread.seconds", NULL},
		{"spread.energy_j", NULL},
		{"what_if", NULL},
		{"cores", NULL},
	};
	char path[SHOWN][PATH];

	for (unsigned n = 0; n < SHOWN; n++) {
		snprintf(path[n], PATH, "core%u.%s", (unsigned)run->set.core, shown[n].path);
		picks[BEFORE + n] = (struct report_pick){path[n], shown[n].names};
	}
	picks[BEFORE + SHOWN] = (struct report_pick){"energy.units", NULL};
	picks[BEFORE + SHOWN + 1] = (struct report_pick){"area.units", NULL};
	return report_write_picks(r, picks, sizeof(picks) / sizeof(picks[0]), file, e);
}

/* Writes the report to file `n` of the options. */
static int psim_write_report(struct run *run, unsigned n, const struct report *r, struct err *e)
{
	struct out *out = run->report_out[n];
	FILE *file = out_file(out);
	int ret;

	if (run->common.format != REPORT_TEXT || run->common.verbose)
		ret = report_write(r, run->common.format, file, e);
	else if (run->cores > 1)
		ret = write_chip_picks(run, r, file, e);
	else
		ret = report_write_picks(r, short_report, sizeof(short_report) / sizeof(short_report[0]), file, e);
	run->report_out[n] = NULL;
	return ret < 0 ? out_fail(out, e) : out_close(out, e);
}

/* Makes the report for file `n`, since some tables depend on the format, and writes it. Verifies expectations once. */
static int report_to(struct run *run, unsigned n, int argc, char *argv[], bool complete, struct err *e)
{
	struct report *r = report_create();
	int ret;

	if (!r)
		return err_set(e, STATUS_FAILED, "out of memory for the report");
	run->common.format = run->common.files[n].format;
	ret = psim_fill_report(run, argc, argv, complete, r, e);
	if (ret == 0)
		ret = psim_write_report(run, n, r, e);
	if (ret == 0 && n + 1 == run->common.file_count && !progress_signal())
		ret = opt_expect("psim", &run->set.expect, r, e);
	report_destroy(r);
	return ret;
}

int psim_report(struct run *run, int argc, char *argv[], bool complete, struct err *e)
{
	struct err why, first = {0};

	/* a file that fails costs no other one */
	for (unsigned n = 0; n < run->common.file_count; n++)
		if (report_to(run, n, argc, argv, complete, &why) < 0)
			err_keep_first(&first, &why);
	return err_of_first(e, &first);
}
