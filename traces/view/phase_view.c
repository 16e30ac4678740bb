#include "phase_view.h"

int phase_view_begin(struct phase_view *v, const char *text, uint64_t length, FILE *sparse, struct err *e)
{
	if (phase_plan_parse(&v->plan, text ? "--phases" : "--bbv", text ? text : "", length, e) < 0)
		return -1;
	v->grouped = text != NULL;
	v->vectors = phase_vectors_create(v->plan.interval, sparse, e);
	return v->vectors ? 0 : -1;
}

int phase_view_end(struct phase_view *v, struct err *e)
{
	if (!v->vectors)
		return 0;
	if (phases_choose(&v->phases, v->vectors, v->grouped ? v->plan.most : 1, e) < 0)
		return err_prefix(e, v->grouped ? "--phases" : "--bbv");
	return 0;
}

/* One row for each phase. */
static void report_phases(const struct phases *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"phase", ""},  {"weight", "%"},    {"intervals", ""}, {"instructions", "insns"},
		{"chosen", ""}, {"begin", "insns"},
	};

	report_table(r, "phases", "the interval that stands for each phase", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned n = 0; n < p->count; n++) {
		const struct phase *phase = &p->phase[n];

		report_cell_u64(r, n + 1);
		report_cell_f64(r, 100 * (double)phase->instructions / (double)p->instructions);
		report_cell_u64(r, phase->intervals);
		report_cell_u64(r, phase->instructions);
		report_cell_u64(r, phase->chosen);
		report_cell_u64(r, phase->chosen * p->interval);
	}
	report_table_end(r);
}

/* Phases over time: a row for each change. */
static void report_changes(const struct phases *p, struct report *r)
{
	static const struct report_column columns[] = {{"interval", ""}, {"begin", "insns"}, {"phase", ""}};

	report_table(r, "phase_changes", "the intervals with which another phase begins", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (uint64_t n = 0; n < p->intervals; n++) {
		if (n && p->of[n] == p->of[n - 1])
			continue;
		report_cell_u64(r, n);
		report_cell_u64(r, n * p->interval);
		report_cell_u64(r, p->of[n] + 1);
	}
	report_table_end(r);
}

void phase_view_report(const struct phase_view *v, struct report *r)
{
	const struct phases *p = &v->phases;

	report_group(r, "grouping", "intervals that execute the same code");
	report_u64(r, "interval", p->interval, "insns", "instructions of an interval, rounded to a block");
	report_u64(r, "intervals", p->intervals, "", "in the trace");
	report_u64(r, "phases", p->count, "", "groups of them");
	report_f64(r, "explained", 100 * p->explained, "%",
		   "of the variance between intervals' code is between phases");
	report_end(r);
	report_phases(p, r);
	report_changes(p, r);
}

void phase_view_finish(struct phase_view *v)
{
	phase_vectors_destroy(v->vectors);
	phases_finish(&v->phases);
}
