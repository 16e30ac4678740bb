/* Decides whether a run is cut into segments, and into which: psim -j and --checkpoint. */
#include <inttypes.h>

#include "../base/message_line.h"
#include "../replay/memo.h"
#include "segment_checkpoint.h"
#include "segment_run.h"

/* The plan of the checkpoint's run, or one for this run. 0, or -1 with `e`. */
static int make_plan(struct run *run, uint64_t length, bool details, struct err *e)
{
	/* Rows need the cycles of the run early, so processes take turns. */
	const bool rows = run->set.energy_file || run->counters.path,
		   replays = !run->set.no_memo && !run->set.no_skip && !run->common.check && !details &&
			     core_replay_bar(&run->cfg, MEMO_TRANSFERS_MAX) == REPLAY_BAR_NONE;

	if (run->set.checkpoint.path)
		segment_plan_make_kept(&run->segments, length, run->set.processes);
	else
		segment_plan_make(&run->segments, length, run->set.processes,
				  rows      ? SEGMENT_TURNS
				  : replays ? SEGMENT_RUNS_REPLAYED
					    : SEGMENT_RUNS_DETAILED);
	return segment_checkpoint_read(run, length, e);
}

/* Keeps a run that has no parts as a whole. 0, or -1 with `e`. */
static int keep_whole(struct run *run, int argc, char *const argv[], struct err *e)
{
	const struct settings *s = &run->set;
	const char *beside = s->what_if    ? "--what-if"
			     : s->runs > 1 ? "--runs"
			     : s->sample   ? "--sample"
			     : s->phases   ? "--simpoints"
					   : NULL;

	if (beside)
		return err_set(e, STATUS_USAGE, "--checkpoint and %s: expected one of the two", beside);
	return checkpoint_whole(&run->checkpoint, argc, argv, e) < 0 || segment_checkpoint_facts(run, e) < 0 ||
			       checkpoint_read(&run->checkpoint, e) < 0
		       ? -1
		       : 0;
}

/* An option with which one process simulates the trace, and why. */
struct bar {
	bool given;
	const char *option, *why;
};

/* The first such option that is given; NULL: none is. What a checkpoint keeps as a whole is one, too. */
static const char *bar_of_options(const struct run *run, const char **ret_why)
{
	static const char follows[] = "it follows one process through the trace",
			  whole[] = "such a run is kept as a whole", parts[] = "it simulates parts already";
	const struct settings *s = &run->set;
	const bool kept = s->checkpoint.path;
	const struct bar bars[] = {
		{s->pipe_file, "--pipe", follows},
		{run->stages.csv, "--stages-csv", follows},
		{run->stages.svg, "--stages-svg", follows},
		{psim_run_has_page(run), "--html", follows},
		{s->max_cycles, "--max-cycles", follows},
		{s->sample, "--sample", parts},
		{s->phases, "--simpoints", parts},
		{kept && run->common.check, "--checkpoint with --check", whole},
		{kept && s->region, "--checkpoint with --region", whole},
		{kept && s->energy_file, "--checkpoint with --energy-csv", whole},
		{kept && run->counters.path, "--checkpoint with --counters-csv", whole},
		{kept && s->what_if, "--checkpoint with --what-if", whole},
		{kept && s->annotate.count, "--checkpoint with --annotate", whole},
		{kept && s->misses, "--checkpoint with --misses", whole},
		{kept && s->runs > 1, "--checkpoint with --runs", whole},
	};

	for (unsigned n = 0; n < sizeof(bars) / sizeof(bars[0]); n++)
		if (bars[n].given) {
			*ret_why = bars[n].why;
			return bars[n].option;
		}
	return NULL;
}

/*
 * What bars segments, and why; NULL: nothing does. The state of some machines at the begin of a part follows from the
 * cycles before it, which a copy does not know: it would never be in the true one.
 */
static const char *bar_of(const struct run *run, const char **ret_why)
{
	if (!trace_length(run->trace[0])) {
		*ret_why = "each process opens the trace";
		return "standard input";
	}
	if (run->cores > 1) {
		*ret_why = "how far each is in a part depends on all before the part";
		return "several cores";
	}
	if (run->cfg.memory.kind == MEMORY_DRAM) {
		*ret_why = "it refreshes by the cycle from the begin of the run";
		return "memory.kind = dram";
	}
	return bar_of_options(run, ret_why);
}

int segment_run_plan(struct run *run, struct chip_options *o, int argc, char *const argv[], struct err *e)
{
	struct settings *s = &run->set;
	const uint64_t length = trace_length(run->trace[0]);
	const char *why, *bar = bar_of(run, &why);

	if (s->processes == 0 || s->processes > PROCESSES_MOST)
		return err_set(e, STATUS_USAGE, "-j %" PRIu64 ": expected 1 to %d processes", s->processes,
			       PROCESSES_MOST);
	if (s->processes == 1 && !s->checkpoint.path)
		return 0;
	if (!length && s->checkpoint.path)
		return err_set(e, STATUS_USAGE, "--checkpoint: the length of the trace is unknown, expected a file");
	if (!bar) {
		o->segments = &run->segments;
		return make_plan(run, length - s->skip, o->details, e);
	}
	if (s->processes > 1 && !run->common.quiet)
		message("psim: note: -j and %s: %s: one process simulates the trace", bar, why);
	s->processes = 1;
	return s->checkpoint.path ? keep_whole(run, argc, argv, e) : 0;
}
