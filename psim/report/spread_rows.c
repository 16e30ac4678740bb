/* The runs' spread (psim --runs): whether reports differ by more than the repetitions of each. */
#include <math.h>
#include <stdio.h>

#include "../base/spread.h"
#include "compare_parts.h"

enum { PATH_BYTES = 64 };

static double spread_number(const struct result *x, const char *figure, const char *name)
{
	const struct result_value *v;
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "spread.%s%s%s", figure, *figure ? "." : "", name);
	v = result_find(x, path);
	return v && !v->text ? v->number : (double)NAN;
}

/* Reads the spread of a figure. False: the report has none, or one of a single run. */
static bool read_spread(const struct result *x, const char *figure, struct spread *out)
{
	const double most = 1e9; /* no report has so many runs */
	double runs = spread_number(x, "", "runs");

	if (!(runs >= 2 && runs <= most))
		return false;
	*out = (struct spread){.runs = (uint64_t)runs,
			       .mean = spread_number(x, figure, "mean"),
			       .deviation = spread_number(x, figure, "deviation")};
	return isfinite(out->mean) && out->mean > 0 && isfinite(out->deviation) && out->deviation >= 0;
}

static bool all_have_spread(const struct result *x, unsigned count, const char *figure)
{
	struct spread ignored;

	for (unsigned n = 0; n < count; n++)
		if (!read_spread(&x[n], figure, &ignored))
			return false;
	return true;
}

void compare_spread(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	static const struct report_column columns[] = {
		{"report", ""},  {"figure", ""}, {"runs", ""},          {"ratio", ""},
		{"change", "%"}, {"error", "%"}, {"beyond_spread", ""},
	};
	static const char *const figures[] = {"cycles", "seconds", "energy_j"};
	struct spread first, other;

	if (!all_have_spread(x, count, figures[0]))
		return;
	report_table(r, "spread",
		     "means of all runs, relative to the first report; error: half the 95 % confidence interval of the "
		     "change (Welch's t test); beyond_spread no: the runs do not show which is less",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned n = 1; n < count; n++)
		for (unsigned k = 0; k < sizeof(figures) / sizeof(figures[0]); k++) {
			struct spread_difference d;

			if (!read_spread(&x[0], figures[k], &first) || !read_spread(&x[n], figures[k], &other))
				continue;
			d = spread_compare(&first, &other);
			report_cell_text(r, files[n]);
			report_cell_text(r, figures[k]);
			report_cell_u64(r, other.runs);
			report_cell_f64(r, other.mean / first.mean);
			report_cell_f64(r, 100 * d.mean / first.mean);
			report_cell_f64(r, 100 * d.half / first.mean);
			report_cell_text(r, d.within ? "no" : "yes");
		}
	report_table_end(r);
}
