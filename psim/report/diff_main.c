/* psim-diff: two reports side by side. */
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
	bool equal, brief;
};

static int diff_read_percent(const char *text, double *out, struct err *e)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || (*end && (*end != '%' || end[1])) || !(*out >= 0) || !isfinite(*out))
		return err_set(e, STATUS_USAGE, "--within '%s': expected percent, 0 or more", text);
	return 0;
}

static int diff_write_report(const struct report *r, const struct opt_common *common, struct err *e)
{
	struct out *out = out_create(common->output, e);

	if (!out)
		return -1;
	if (report_write(r, common->format, out_file(out), e) < 0) {
		out_abort(out);
		return -1;
	}
	return out_close(out, e);
}

static size_t count_differences(const struct result results[2], const struct compare_options *o)
{
	struct report *r = report_create();
	size_t count = compare_results(&results[0], &results[1], o, r);

	report_destroy(r);
	return count;
}

static int compare_briefly(const struct result results[2], char *const paths[2], const struct opt_common *common,
			   struct err *e)
{
	const char *files[2] = {paths[0], paths[1]};
	struct report *r;
	int ret;

	for (int n = 0; n < 2; n++)
		if (!compare_has_short(&results[n]))
			return err_set(e, STATUS_BAD_INPUT, "%s: has no core.seconds, expected a report of psim",
				       paths[n]);
	r = report_create();
	compare_short(results, files, r);
	ret = diff_write_report(r, common, e);
	report_destroy(r);
	return ret;
}

static int read_both(struct result results[2], char *const paths[2], const struct opt_common *common, struct err *e)
{
	if (!strcmp(paths[0], "-") && !strcmp(paths[1], "-"))
		return err_set(e, STATUS_USAGE, "both reports are standard input, expected a file for one");
	if (out_is_not(common->output, paths[0], e) < 0 || out_is_not(common->output, paths[1], e) < 0)
		return -1;
	return result_read(&results[0], paths[0], e) < 0 || result_read(&results[1], paths[1], e) < 0 ? -1 : 0;
}

static int diff_compare(struct result results[2], char *const paths[2], const struct settings *set,
			const struct opt_common *common, struct err *e)
{
	struct compare_options o = {.only = set->only, .as_text = common->format == REPORT_TEXT};
	struct report *r;
	size_t rows, count;
	int ret;

	if (diff_read_percent(set->within, &o.within_percent, e) < 0 || read_both(results, paths, common, e) < 0)
		return -1;
	if (set->brief)
		return compare_briefly(results, paths, common, e);
	if (o.only && !compare_count(&results[0], &o) && !compare_count(&results[1], &o))
		return err_set(e, STATUS_USAGE,
			       "--only '%s': neither report has a group, table or value "
			       "of that name, expected one such as core or cycle_stack",
			       o.only);
	r = report_create();
	count = compare_count(&results[0], &o);
	rows = count_differences(results, &o);
	o.without_rows = !common->verbose && compare_rows(&results[0], &results[1], &o, NULL) > ROWS_MAX;
	report_group(r, "compared", "compared reports");
	report_text(r, "a", paths[0], "");
	report_text(r, "b", paths[1], "");
	report_text(r, "result", rows ? "different" : "equal", "");
	report_u64(r, "values", count, "", "values of a");
	report_u64(r, "differences", rows, "", "values that differ or that only one report has");
	report_end(r);
	/* without differences people get no table; programs get an empty one */
	if (common->format != REPORT_TEXT || count_differences(results, &o))
		compare_results(&results[0], &results[1], &o, r);
	if (o.without_rows)
		compare_rows(&results[0], &results[1], &o, r);
	ret = diff_write_report(r, common, e);
	report_destroy(r);
	if (ret == 0 && set->equal && rows)
		return err_set(e, STATUS_EXPECT, "%s and %s differ in %zu values, expected none", paths[0], paths[1],
			       rows);
	return ret;
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
		{"short", 0, NULL, "summarise two runs of psim, one line per run", OPT_FLAG, &set.brief},
		{"equal", 0, NULL, "exit with status 5 if there is any difference", OPT_FLAG, &set.equal},
	};
	const struct opt_program program = {
		.name = "psim-diff",
		.operands = "A.json B.json",
		.summary =
			"Compares two JSON reports: prints the values that differ, with ratio and change in percent.\n"
			"Tables with many changed rows (each rank) are summarised by column, unless -v is given.\n"
			"The identification of the runs (command, version, host) is not compared.",
		.examples = "psim -c configs/sparc64v.ini --json -o a.json x.trace.gz\n"
			    "psim -c configs/sparc64v.ini -p core.rob_entries=128 --json -o b.json x.trace.gz\n"
			    "psim-diff --within 1 a.json b.json\n"
			    "psim-diff --short a.json b.json\n"
			    "psim-diff --equal --only energy a.json b.json\n"
			    "psim-diff --only critical_path run1.json run2.json",
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = OPT_OUTPUT,
		.common = &common,
		.min_operands = 2,
		.max_operands = 2,
	};
	struct result results[2] = {{0}};
	int status, first = opt_start(&program, argc, argv, &status);
	struct err e;

	if (first < 0)
		return status;
	status = diff_compare(results, argv + first, &set, &common, &e) < 0 ? opt_fail(&program, &e) : STATUS_DONE;
	result_finish(&results[0]);
	result_finish(&results[1]);
	return status;
}
