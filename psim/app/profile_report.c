/* The tables of the profile: functions and loops, instructions of the hottest loops and of --annotate's places. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "annotate.h"
#include "array_runtime.h"
#include "call_tree.h"
#include "core_report.h"
#include "miss_report.h"
#include "pipeline_report.h"

enum { HOT_LOOPS = 5, HOT_SHARE = 5 }; /* loops whose instructions are listed: at most; percent of the run at least */

static void print_place(const struct profile *p, const struct place *l, bool loop, struct report *r)
{
	double cycles = (double)(l->committed + l->lost) / p->width, all = (double)p->cycles;
	char name[PLACE_NAME], source[PLACE_SOURCE], from[20], to[20];

	place_name(l, name);
	snprintf(from, sizeof(from), "0x%" PRIx64, l->from);
	snprintf(to, sizeof(to), "0x%" PRIx64, l->to);
	report_cell_text(r, loop || !l->symbol ? name : l->symbol->name);
	if (p->info->line_count) {
		place_source(p, l, source);
		report_cell_text(r, source);
	}
	report_cell_text(r, from);
	report_cell_text(r, to);
	report_cell_u64(r, l->passes);
	report_cell_u64(r, l->committed);
	report_cell_f64(r, cycles);
	report_cell_f64(r, all > 0 ? 100 * cycles / all : 0);
	if (loop)
		report_cell_f64(r, all > 0 ? 100 * (double)l->self / p->width / all : 0);
	report_cell_f64(r, cycles > 0 ? (double)l->committed / cycles : 0);
}

/*
 * Adds the slots that belong to no function, so that all rows add up to the run: those of trap handlers, and those lost
 * without an instruction at the end.
 */
static void print_rest(const struct profile *p, struct report *r)
{
	double slots = p->width * (double)p->cycles, cycles;

	for (size_t n = 0; n < p->functions.count; n++)
		slots -= (double)(p->functions.at[n].committed + p->functions.at[n].lost);
	cycles = slots / p->width;
	if (slots <= 0)
		return;
	report_cell_text(r, "(traps and end)");
	if (p->info->line_count)
		report_cell_text(r, "");
	report_cell_text(r, "-");
	report_cell_text(r, "-");
	report_cell_u64(r, 0);
	report_cell_u64(r, 0);
	report_cell_f64(r, cycles);
	report_cell_f64(r, 100 * cycles / (double)p->cycles);
	report_cell_f64(r, 0);
}

static void print_places(const struct profile *p, bool loops, unsigned top, struct report *r)
{
	static const struct report_column all[] = {
		{"place", ""},        {"source", ""},
		{"from", ""},         {"to", ""},
		{"passes", "times"},  {"instructions", "insns"},
		{"cycles", "cycles"}, {"share", "%"},
		{"self", "%"},        {"ipc", "insn/cycle"},
	};
	const struct places *places = loops ? &p->loops : &p->functions;
	struct report_column columns[sizeof(all) / sizeof(all[0])];
	unsigned count = 0;

	for (unsigned n = 0; n < sizeof(all) / sizeof(all[0]); n++)
		if ((loops || strcmp(all[n].name, "self") != 0) &&
		    (p->info->line_count || strcmp(all[n].name, "source") != 0))
			columns[count++] = all[n];
	report_table(
		r, loops ? "loops" : "functions",
		loops ? "cycles by loop (up to its last backward branch), sorted by cycles outside inner loops (self)"
		      : "cycles by function: commit slots that it used, or lost while its instruction was oldest",
		columns, count);
	for (size_t n = 0; n < places->count && n < top; n++)
		print_place(p, &places->at[n], loops, r);
	if (!loops && top == UINT_MAX)
		print_rest(p, r);
	report_table_end(r);
}

/* The functions in which at least HOT_SHARE percent of the run are spent. Returns their number. */
static unsigned hot_functions(const struct profile *p, const struct place *hot[HOT_LOOPS])
{
	unsigned count = 0;

	for (size_t n = 0; n < p->functions.count && count < HOT_LOOPS; n++)
		if (100 * (double)p->functions.at[n].self >= HOT_SHARE * p->width * (double)p->cycles)
			hot[count++] = &p->functions.at[n];
	return count;
}

/* Adds what a page has beside the report: calls, source of the hottest functions unless places are named, pipeline. */
static int page_tables(const struct profile *p, const struct annotated *a, const struct place *const *loops,
		       unsigned count, struct report *r, struct err *e)
{
	const struct place *functions[HOT_LOOPS];

	if (a && a->part && call_tree_report(p, a->part, r, e) < 0)
		return -1;
	if (!a || !a->samples)
		return 0;
	pipeline_report(a->samples, loops, count, p->info, r);
	return a->count ? 0 : annotate_source(p, functions, hot_functions(p, functions), a->sources, r, e);
}

/* The hottest loops that do not overlap. Returns their number. */
static unsigned hot_loops(const struct profile *p, const struct place *hot[HOT_LOOPS])
{
	unsigned count = 0;

	for (size_t n = 0; n < p->loops.count && count < HOT_LOOPS; n++) {
		const struct place *l = &p->loops.at[n];
		bool overlaps = false;

		if (count && 100 * (double)l->self < HOT_SHARE * p->width * (double)p->cycles)
			break;
		for (unsigned k = 0; k < count; k++)
			overlaps |= l->from < hot[k]->to && hot[k]->from < l->to;
		if (!overlaps)
			hot[count++] = l;
	}
	return count;
}

/* Adds the tables of --annotate. 0, or -1 with `e`. */
static int annotate(const struct profile *p, const struct annotated *a, struct report *r, struct err *e)
{
	const struct place *places[ANNOTATE_MAX];

	if (!a || !a->count)
		return 0;
	if (a->count > ANNOTATE_MAX)
		return err_set(e, STATUS_USAGE, "--annotate: %u places, expected at most %d", a->count, ANNOTATE_MAX);
	for (unsigned n = 0; n < a->count; n++)
		if (!(places[n] = place_find(p, a->names[n], e)))
			return -1;
	if (annotate_source(p, places, a->count, a->sources, r, e) < 0)
		return -1;
	annotate_insns(p, places, a->count, "annotate", "cycles by instruction of these functions and loops", r);
	return 0;
}

int core_report_profile(const struct core *c, const struct core_config *cfg, const struct trace_info *info,
			unsigned top, const struct annotated *a, struct report *r, struct err *e)
{
	const struct place *hot[HOT_LOOPS];
	struct profile p;
	unsigned count;
	int ret = profile_make(&p, c, cfg, info, e);

	if (ret == 0) {
		if (a && !a->count && !a->samples && !a->misses) /* another file of the run may need them */
			profile_forget_details(&p);
		array_runtime_report(&p, c, cfg, r);
		print_places(&p, false, top, r);
		print_places(&p, true, top, r);
		count = hot_loops(&p, hot);
		annotate_insns(&p, hot, count, "hot_loops", "cycles by instruction of the hottest loops", r);
		ret = a && a->misses && p.count && p.insns[0].detail
			      ? miss_report(&p, core_stats(c)->instructions, top, r, e)
			      : 0;
		if (ret == 0)
			ret = page_tables(&p, a, hot, count, r, e);
	}
	if (ret == 0)
		ret = annotate(&p, a, r, e);
	profile_free(&p);
	return ret;
}
