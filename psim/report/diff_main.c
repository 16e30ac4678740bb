/* psim-diff: reports side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/cli/opt.h"
#include "../base/report/out.h"
#include "compare.h"

/* Above this many changed values, numbered rows are summarised by column. */
enum { ROWS_MAX = 24 };

struct settings {
	const char *within, *only;
	bool equal, brief, all_rows;
};

static int diff_read_percent(const char *text, double *out, struct err *e)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || (*end && (*end != '%' || end[1])) || !(*out >= 0) || !isfinite(*out))
		return err_set(e, STATUS_USAGE, "--within '%s': expected percent, 0 or more", text);
	return 0;
}

static int diff_write_report(const struct report *r, const struct opt_file *file, struct err *e)
{
	struct out *out = out_create(file->path, e);

	if (!out)
		return -1;
	if (report_write(r, file->format, out_file(out), e) < 0)
		return out_fail(out, e);
	return out_close(out, e);
}

/* The reports that are compared. */
struct reports {
	struct result x[COMPARE_MAX];
	unsigned count;
	char *const *paths;
};

static int compare_briefly(const struct reports *in, const struct opt_common *common, struct err *e)
{
	struct err why, first = {0};
	struct report *r;

	for (unsigned n = 0; n < in->count; n++)
		if (compare_kind_of(&in->x[n]) == COMPARE_OTHER)
			return err_set(
				e, STATUS_BAD_INPUT,
				"%s: has neither core.seconds nor program.seconds, expected a report of psim, nsim or "
				"bsim",
				in->paths[n]);
	if (compare_kind_of_all(in->x, in->count) == COMPARE_OTHER)
		return err_set(e, STATUS_BAD_INPUT,
			       "--short: runs of processors and of systems, expected reports of one kind");
	r = report_create();
	compare_short(in->x, in->count, in->paths, r);
	compare_spread(in->x, in->count, in->paths, r);
	for (unsigned n = 0; n < common->file_count; n++)
		if (diff_write_report(r, &common->files[n], &why) < 0)
			err_keep_first(&first, &why);
	report_destroy(r);
	return err_of_first(e, &first);
}

static int read_reports(struct reports *in, struct err *e)
{
	unsigned standard = 0;

	for (unsigned n = 0; n < in->count; n++)
		standard += !strcmp(in->paths[n], "-");
	if (standard > 1)
		return err_set(e, STATUS_USAGE, "%u reports are standard input, expected a file for all but one",
			       standard);
	for (unsigned n = 0; n < in->count; n++)
		if (result_read(&in->x[n], in->paths[n], e) < 0)
			return -1;
	return 0;
}

/* Returns whether so many values of numbered rows have changed that they are left out, or summarised by column. */
static bool too_many_rows(const struct reports *in, const struct compare_options *o)
{
	for (unsigned n = 1; n < in->count; n++)
		if (compare_rows(&in->x[0], &in->x[n], o, NULL) > ROWS_MAX)
			return true;
	return false;
}

static bool any_selected(const struct reports *in, const struct compare_options *o)
{
	for (unsigned n = 0; n < in->count; n++)
		if (compare_count(&in->x[n], o))
			return true;
	return false;
}

/* Adds what is compared, and the result: `rows` differences. */
static void report_compared(const struct reports *in, const struct compare_options *o, size_t rows, struct report *r)
{
	char letter[] = "a";

	report_group(r, "compared", "compared reports");
	for (unsigned n = 0; n < in->count; n++, letter[0]++)
		report_text(r, letter, in->paths[n], "");
	report_text(r, "result", rows ? "different" : "equal", "");
	report_u64(r, "values", compare_count(&in->x[0], o), "", "values of a");
	report_u64(r, "differences", rows, "", "values that differ or that not all reports have");
	report_end(r);
}

/* Adds where time and energy of runs of one kind go; for a page also the runs, a line each, and what it draws. */
static void report_runs(const struct reports *in, unsigned format, const struct compare_options *o, struct report *r)
{
	enum compare_kind kind = compare_kind_of_all(in->x, in->count);

	if (o->only || kind == COMPARE_OTHER)
		return;
	if (format == REPORT_HTML)
		compare_short(in->x, in->count, in->paths, r);
	compare_parts_side(in->x, in->count, o->as_text, r);
	if (format == REPORT_HTML && kind == COMPARE_SYSTEM)
		compare_runs_whole(in->x, in->count, in->paths, r);
}

/* Writes what differs to a file. *rows: differences. 0, or -1. */
static int compare_to(const struct reports *in, const struct settings *set, const struct opt_file *file, size_t *rows,
		      struct err *e)
{
	struct compare_options o = {.only = set->only, .as_text = file->format == REPORT_TEXT};
	struct report *r;
	int ret;

	if (diff_read_percent(set->within, &o.within_percent, e) < 0)
		return -1;
	if (o.only && !any_selected(in, &o))
		return err_set(e, STATUS_USAGE,
			       "--only '%s': %s report has a group, table or value "
			       "of that name, expected one such as core or cycle_stack",
			       o.only, in->count == 2 ? "neither" : "no");
	r = report_create();
	*rows = compare_results(in->x, in->count, &o, NULL);
	report_compared(in, &o, *rows, r);
	/* without differences people get no table; programs get an empty one */
	if (file->format != REPORT_TEXT || *rows)
		report_runs(in, file->format, &o, r);
	compare_spread(in->x, in->count, in->paths, r);
	o.without_rows = !set->all_rows && too_many_rows(in, &o);
	if (file->format != REPORT_TEXT || compare_results(in->x, in->count, &o, NULL))
		compare_results(in->x, in->count, &o, r);
	if (o.without_rows && in->count == 2)
		compare_rows(&in->x[0], &in->x[1], &o, r);
	ret = diff_write_report(r, file, e);
	report_destroy(r);
	return ret;
}

static int diff_compare(struct reports *in, const struct settings *set, const struct opt_common *common, struct err *e)
{
	struct err why, first = {0};
	double percent;
	size_t rows = 0;

	if (diff_read_percent(set->within, &percent, e) < 0 || read_reports(in, e) < 0)
		return -1;
	if (set->brief)
		return compare_briefly(in, common, e);
	/* a file that fails costs no other one */
	for (unsigned n = 0; n < common->file_count; n++)
		if (compare_to(in, set, &common->files[n], &rows, &why) < 0)
			err_keep_first(&first, &why);
	if (err_of_first(e, &first) < 0)
		return -1;
	if (set->equal && rows)
		return err_set(e, STATUS_EXPECT, "%s and %s%s differ in %zu values, expected none", in->paths[0],
			       in->paths[1], in->count > 2 ? " and others" : "", rows);
	return 0;
}

int main(int argc, char *argv[])
{
	struct settings set = {.within = "0"};
	struct opt_common common;
	const struct opt rows[] = {
		{"within", 'w', "PERCENT", "treat numbers as equal that differ by at most this (default 0)", OPT_TEXT,
		 &set.within},
		{"only", 0, "NAME", "compare only values of this group or table, for instance core", OPT_TEXT,
		 &set.only},
		{"short", 0, NULL, "summarise runs, one line per run", OPT_FLAG, &set.brief},
		{"verbose", 'v', NULL, "print every changed row of tables with numbered rows", OPT_FLAG, &set.all_rows},
		{"equal", 0, NULL, "exit with status 5 if there is any difference", OPT_FLAG, &set.equal},
	};
	const struct opt_program program = {
		.name = "psim-diff",
		.operands = "A.json B.json...",
		.summary = "Compares reports, JSON or pages: prints the values that differ, configuration first, with "
			   "the change "
			   "in percent.\n"
			   "Tables with many changed rows (each rank) are summarised by column, unless -v is given.\n"
			   "The identification of the runs (command, version, host) is not compared.",
		.examples = "psim -c configs/sparc64v.ini --json -o a.json x.trace.gz\n"
			    "psim -c configs/sparc64v.ini -p core.rob_entries=128 --json -o b.json x.trace.gz\n"
			    "psim-diff --within 1 a.json b.json\n"
			    "psim-diff --short a.json b.json c.json\n"
			    "psim-diff --equal --only energy a.json b.json\n"
			    "psim-diff --only critical_path run1.json run2.json\n"
			    "psim-diff --html both.html torus.html tree.html",
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_OUTPUT | OPT_FILES,
		.common = &common,
		.min_operands = 2,
		.max_operands = COMPARE_MAX,
	};
	struct reports in = {0};
	int status, first = opt_start(&program, argc, argv, &status);
	struct err e;

	if (first < 0)
		return status;
	in.paths = argv + first;
	in.count = (unsigned)(argc - first);
	status = diff_compare(&in, &set, &common, &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	for (unsigned n = 0; n < in.count; n++)
		result_finish(&in.x[n]);
	return status;
}
