/* psim-trace: shows the contents of a trace. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/cli/opt.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/cli/progress.h"
#include "../trace.h"
#include "counts.h"
#include "foreign.h"
#include "list.h"
#include "phase_view.h"
#include "region_table.h"
#include "summary.h"
#include "trace_text.h"
#include "working_set.h"

enum { STEP_INSNS = 1 << 20 }; /* instructions between checks of the clock and of signals */

struct settings {
	bool insns, mix, working_set, functions, verify;
	const char *range, *region, *text, *make, *phases, *vectors;
	uint64_t top;
};

struct run {
	struct settings set;
	struct opt_common common;
	const char *path;
	struct trace_reader *trace;
	struct out *out, *text_out, *vectors_out;
	uint64_t first, end; /* selected instructions: [first, end) */
	bool complete;       /* everything was read */
	bool inside;         /* in the selected region, or no region is selected */
	uint64_t seen;       /* instructions read, without warm-up parts */
	uint64_t warm_up;    /* instructions of warm-up parts */
	bool in_warm_up;     /* the previous run was warm-up */
	bool writes_foreign; /* there are files of run.foreign */
	struct region_table regions;
	struct counts counts;
	struct working_set working_set;
	struct list list;
	struct foreign foreign;
	struct trace_text text;
	struct phase_view phases;
};

/* Parses "FROM:COUNT"; either may be omitted. */
static int parse_range(struct run *run, struct err *e)
{
	const char *text = run->set.range;
	uint64_t count = UINT64_MAX;
	char *stop;
	run->first = 0;
	run->end = UINT64_MAX;
	if (!text)
		return 0;
	run->first = strtoull(text, &stop, 0);
	if (*text == '-' || *stop != ':')
		goto wrong;
	if (stop[1]) {
		const char *from = stop + 1;
		count = strtoull(from, &stop, 0);
		if (*from == '-' || *stop || count == 0)
			goto wrong;
	}
	run->end = count > UINT64_MAX - run->first ? UINT64_MAX : run->first + count;
	return 0;
wrong:
	return err_set(e, STATUS_USAGE, "--range: '%s': expected FROM:COUNT, for instance 1000:50", text);
}

static int trace_check_settings(struct run *run, struct err *e)
{
	const struct settings *s = &run->set;
	if (s->range && s->region)
		return err_set(e, STATUS_USAGE, "--range and --region cannot be used together");
	if (s->verify && (s->range || s->region))
		return err_set(e, STATUS_USAGE, "--verify reads everything, expected no --range or --region");
	if (s->insns && (s->mix || s->working_set || s->functions || run->common.format != REPORT_TEXT))
		return err_set(e, STATUS_USAGE, "--insns writes text, expected no other view or format");
	if (s->text && (s->range || s->region))
		return err_set(e, STATUS_USAGE, "--text writes the whole trace, expected no --range or --region");
	if ((s->phases || s->vectors) && (s->range || s->region || s->insns))
		return err_set(e, STATUS_USAGE,
			       "%s reads the whole trace for a report, expected no --range, --region or --insns",
			       s->phases ? "--phases" : "--bbv");
	return parse_range(run, e);
}

/* Handles the begin or end of a warm-up part. */
__attribute__((noinline)) static void change_warm_up(struct run *run, bool in_warm_up)
{
	if (run->set.insns && !run->set.region)
		list_warm_up(&run->list, in_warm_up);
	run->in_warm_up = in_warm_up;
}

/* Lists a run of a warm-up part; warm-up is excluded from all counts. */
__attribute__((noinline)) static void list_warm_up_run(struct run *run, const struct trace_step *step,
						       uint64_t position)
{
	run->warm_up += step->block->count;
	counts_gap(&run->counts);
	if (!run->set.region)
		foreign_run(&run->foreign, step);
	if (run->set.insns && !run->set.region)
		list_run(&run->list, step, position);
}

static int handle_run(struct run *run, const struct trace_step *step, struct err *e)
{
	const uint64_t position = trace_position(run->trace) - step->block->count;
	if (run->text_out)
		trace_text_run(&run->text, step);
	if (step->warm_up != run->in_warm_up)
		change_warm_up(run, step->warm_up);
	if (step->warm_up) {
		list_warm_up_run(run, step, position);
		return 0;
	}
	run->seen += step->block->count;
	if (run->phases.vectors && phase_vectors_add(run->phases.vectors, step->block, e) < 0)
		return -1;
	if (!run->inside) {
		counts_gap(&run->counts);
		foreign_flush(&run->foreign);
		return 0;
	}
	if (run->writes_foreign)
		foreign_run(&run->foreign, step);
	if (run->set.insns)
		list_run(&run->list, step, position);
	if (run->set.working_set && working_set_add(&run->working_set, step, e) < 0)
		return -1;
	return run->set.mix || run->set.functions ? counts_add(&run->counts, step->block, e) : 0;
}

static int handle_region(struct run *run, const char *name, bool begin, struct err *e)
{
	if (run->in_warm_up)
		change_warm_up(run, false);
	if (run->text_out)
		trace_text_region(&run->text, name, begin);
	if (region_table_event(&run->regions, name, begin, run->seen, e) < 0)
		return -1;
	if (run->set.insns && run->inside)
		list_region(&run->list, name, begin);
	if (run->set.region)
		run->inside = region_table_inside(&run->regions, run->set.region);
	return 0;
}

/* The listing also needs the run after the last one, which has the outcome of the last branch. */
static bool needs_more(const struct run *run)
{
	return trace_position(run->trace) < run->end ||
	       (run->set.insns && run->list.block && run->list.position < run->end);
}

/* Reads until the end of the range. Returns 0, or -1 with `e`. */
static int read_events(struct run *run, struct progress *progress, struct err *e)
{
	struct trace_step step;
	uint64_t look = trace_position(run->trace) + STEP_INSNS;
	while (needs_more(run)) {
		int event = trace_next(run->trace, &step, e);
		if (event <= 0) {
			run->complete = event == 0 && run->first == 0;
			return event;
		}
		if (event == TRACE_RUN ? handle_run(run, &step, e) < 0
				       : handle_region(run, step.name, event == TRACE_REGION_BEGIN, e) < 0)
			return -1;
		if (trace_position(run->trace) < look)
			continue;
		look = trace_position(run->trace) + STEP_INSNS;
		if (ferror(out_file(run->out))) /* the reader has enough, or the disk is full: out_close knows */
			return 0;
		if (!progress_step(progress, trace_position(run->trace), NULL))
			return err_set(e, STATUS_FAILED, "%s: interrupted after %" PRIu64 " instructions", run->path,
				       trace_position(run->trace));
	}
	return 0;
}

static int check_region(const struct run *run, struct err *e)
{
	const struct region_table *t = &run->regions;
	char names[512] = "";
	size_t n = 0;
	for (size_t i = 0; i < t->rows.count; i++) {
		if (strcmp(t->rows.at[i].name, run->set.region) == 0)
			return 0;
		int length = snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "", t->rows.at[i].name);
		n = n + (size_t)length < sizeof(names) ? n + (size_t)length : sizeof(names) - 1;
	}
	return err_set(e, STATUS_USAGE, "%s: unknown region '%s', expected one of: %s", run->path, run->set.region,
		       n ? names : "(it has none)");
}

static int read_trace(struct run *run, struct err *e)
{
	struct progress progress;
	if (run->first && trace_seek(run->trace, run->first, e) < 0)
		return -1;
	run->inside = !run->set.region;
	run->list = (struct list){
		.out = out_file(run->out), .info = trace_info(run->trace), .first = run->first, .end = run->end};
	progress_start(&progress, "psim-trace", "insn", trace_length(run->trace), run->common.quiet);
	int status = read_events(run, &progress, e);
	progress_end(&progress);
	if (run->set.insns)
		list_flush(&run->list);
	foreign_flush(&run->foreign);
	if (run->text_out)
		trace_text_end(&run->text, run->trace);
	region_table_end(&run->regions, run->seen);
	if (status == 0 && run->set.region)
		return check_region(run, e);
	return status;
}

static int trace_write_report(struct run *run, int argc, char *argv[], struct err *e)
{
	struct report *r = report_create();
	const struct settings *s = &run->set;
	int status = 0;
	report_identity(r, "psim-trace", argc, argv);
	report_group(r, "trace", "trace file");
	summary_report(run->trace, run->path, run->complete, r);
	if (trace_info(run->trace)->warm_up)
		report_u64(r, "warm_up", run->warm_up, "", "warm-up instructions, excluded from all counts");
	region_table_report(&run->regions, r);
	report_end(r);
	if (s->mix)
		status = counts_report_mix(&run->counts, r, e);
	if (s->functions && status == 0)
		status = counts_report_functions(&run->counts, trace_info(run->trace),
						 (unsigned)(s->top < UINT32_MAX ? s->top : 0), r, e);
	if (s->working_set && status == 0)
		working_set_report(&run->working_set, r);
	if (s->phases && status == 0)
		phase_view_report(&run->phases, r);
	if (status == 0)
		status = report_write(r, run->common.format, out_file(run->out), e);
	report_destroy(r);
	return status;
}

static int write_verdict(struct run *run)
{
	const struct trace_totals *t = trace_totals(run->trace);
	if (!run->common.quiet)
		fprintf(out_file(run->out),
			"%s: good: %" PRIu64 " instructions in %" PRIu64 " members, %" PRIu64
			" bytes, checksum 0x%08" PRIx32 "\n",
			run->path, t->insns, t->members, t->bytes, t->checksum);
	return 0;
}

/* Opens the files beside the report. 0, or -1 with `e`. */
static int open_files(struct run *run, struct err *e)
{
	const struct settings *s = &run->set;

	if (foreign_open(&run->foreign, trace_info(run->trace), run->path, e) < 0)
		return -1;
	run->writes_foreign = foreign_option(&run->foreign);
	if (s->text && !(run->text_out = out_create(s->text, e)))
		return -1;
	if (s->vectors && !(run->vectors_out = out_create(s->vectors, e)))
		return -1;
	if ((s->phases || s->vectors) && phase_view_begin(&run->phases, s->phases, trace_length(run->trace),
							  s->vectors ? out_file(run->vectors_out) : NULL, e) < 0)
		return -1;
	if (s->text)
		trace_text_begin(&run->text, trace_info(run->trace), out_file(run->text_out));
	return 0;
}

/* Closes a file; after an error of the trace it leaves none. It costs no other one: *first gets the first error. */
static void close_file(struct out **file, int status, struct err *first)
{
	struct out *out = *file;
	struct err why;

	*file = NULL;
	if (out && status < 0)
		out_abort(out);
	else if (out && out_close(out, &why) < 0)
		err_keep_first(first, &why);
}

/* Makes a trace of its text. 0, or -1 with `e`. */
static int make_trace(const struct run *run, struct err *e)
{
	const struct settings *s = &run->set;

	if (s->insns || s->mix || s->functions || s->working_set || s->verify || s->range || s->region ||
	    foreign_option(&run->foreign) || s->text || s->phases || s->vectors)
		return err_set(e, STATUS_USAGE, "--make reads text and writes a trace, expected no other view");
	return trace_text_read(run->path, s->make, e);
}

static int trace_work(struct run *run, int argc, char *argv[], struct err *e)
{
	struct err first = {0};

	if (trace_check_settings(run, e) < 0)
		return -1;
	if (run->set.make)
		return make_trace(run, e);
	run->trace = trace_open(run->path, e);
	if (!run->trace)
		return -1;
	run->out = out_create(run->common.output, e);
	if (!run->out)
		return -1;
	if (open_files(run, e) < 0 || (run->set.working_set && working_set_init(&run->working_set, e) < 0))
		return -1;
	int status = read_trace(run, e);
	if (status == 0)
		status = phase_view_end(&run->phases, e);
	close_file(&run->vectors_out, status, &first);
	foreign_close(&run->foreign, status, &first);
	close_file(&run->text_out, status, &first);
	if (status == 0 && run->set.verify)
		status = write_verdict(run);
	else if (status == 0 && !run->set.insns)
		status = trace_write_report(run, argc, argv, e);
	struct out *out = run->out;
	run->out = NULL;
	if (status < 0)
		return out_fail(out, e);
	close_file(&out, 0, &first);
	return err_of_first(e, &first);
}

static void trace_finish(struct run *run)
{
	out_abort(run->out);
	foreign_close(&run->foreign, -1, &(struct err){0});
	out_abort(run->text_out);
	out_abort(run->vectors_out);
	phase_view_finish(&run->phases);
	trace_close(run->trace);
	region_table_finish(&run->regions);
	counts_finish(&run->counts);
	working_set_finish(&run->working_set);
}

int main(int argc, char *argv[])
{
	struct run run = {0};
	struct err e;
	const struct opt rows[] = {
		{"insns", 'i', NULL, "print the instructions, one a line, with addresses and branches", OPT_FLAG,
		 &run.set.insns},
		{"mix", 'm', NULL, "count instructions by class and by opcode", OPT_FLAG, &run.set.mix},
		{"functions", 'F', NULL, "count instructions by function", OPT_FLAG, &run.set.functions},
		{"working-set", 'w', NULL, "report accessed lines and pages, and misses by cache size", OPT_FLAG,
		 &run.set.working_set},
		{"verify", 0, NULL, "check the whole file and report in one line", OPT_FLAG, &run.set.verify},
		{"range", 'r', "FROM:COUNT", "read only the blocks with these instructions (the first is 0)", OPT_TEXT,
		 &run.set.range},
		{"region", 'R', "NAME", "read only the instructions in this region", OPT_TEXT, &run.set.region},
		{"phases", 0, "[=LENGTH/PHASES]",
		 "find phases: intervals of LENGTH instructions that execute the same code", OPT_TEXT, &run.set.phases},
		{"bbv", 0, "FILE", "write the basic-block vectors of the intervals, as SimPoint 3.2 reads them",
		 OPT_WRITES, &run.set.vectors},
		{"champsim", 0, "FILE", "write the instructions as ChampSim reads them", OPT_WRITES,
		 &run.foreign.path[FOREIGN_CHAMPSIM]},
		{"cvp", 0, "FILE", "write the instructions as the kit of CVP-1 reads them", OPT_WRITES,
		 &run.foreign.path[FOREIGN_CVP]},
		{"elastic", 0, "FILE", "write instructions and dependences as gem5's TraceCPU reads them", OPT_WRITES,
		 &run.foreign.path[FOREIGN_ELASTIC]},
		{"elastic-fetch", 0, "FILE", "write the fetches that belong to them", OPT_WRITES,
		 &run.foreign.path[FOREIGN_ELASTIC_FETCH]},
		{"text", 0, "FILE", "write the trace as text", OPT_WRITES, &run.set.text},
		{"make", 0, "FILE", "make a trace of its text: TRACE is such a text", OPT_WRITES, &run.set.make},
		{"top", 't', "N", "list only the N functions with the most instructions", OPT_COUNT, &run.set.top},
		{"quiet", 'q', NULL, "no progress line; with --verify nothing but the status", OPT_FLAG,
		 &run.common.quiet},
	};
	const struct opt_program program = {
		.name = "psim-trace",
		.operands = "TRACE",
		.summary = "Shows the contents of a trace: program and size, instructions as text, "
			   "the mix of\ninstructions, the functions, the working set. - is standard input.",
		.examples = "psim-trace x.trace.gz\n"
			    "psim-trace --insns --range 1000:20 x.trace.gz\n"
			    "psim-trace --mix --functions --top 10 x.trace.gz\n"
			    "psim-trace --working-set --json -o ws.json x.trace.gz\n"
			    "psim-trace --verify x.trace.gz\n",
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_OUTPUT,
		.common = &run.common,
		.min_operands = 1,
		.max_operands = 1,
	};
	int status;
	int first = opt_start(&program, argc, argv, &status);
	if (first < 0)
		return status;
	run.path = argv[first];
	status = trace_work(&run, argc, argv, &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	trace_finish(&run);
	return status;
}
