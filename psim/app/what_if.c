#include "what_if.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/spread.h"
#include "run_spread.h"

#define TWICE(field, most) ((field) = 2 * (field) < (most) ? 2 * (field) : (most))
#define HALF(field, least) ((field) = ((field) + 1) / 2 > (least) ? ((field) + 1) / 2 : (least))

static const struct {
	const char *name, *doc;
} changes[WHAT_IF_COUNT] = {
#define W(name, change, doc) {#name, doc},
#include "what_if.def"
#undef W
};

static void apply_change(enum what_if_change n, struct core_config *v)
{
	switch (n) {
#define W(name, change, doc) \
	case WHAT_IF_##name: \
		change; \
		break;
#include "what_if.def"
#undef W
	case WHAT_IF_COUNT: break;
	}
}

/* Returns whether the change is one of this machine, and makes it. */
static bool changed_machine(const struct config *config, const struct core_config *cfg, enum what_if_change n,
			    struct core_config *v)
{
	struct err ignored;

	memcpy(v, cfg, sizeof(*v));
	apply_change(n, v);
	if (!v->simd.pes)
		v->simd = cfg->simd; /* no array, no change of it */
	return memcmp(v, cfg, sizeof(*v)) != 0 && core_config_check(config, v, &ignored) == 0;
}

int what_if_create(struct what_if *w, const struct config *config, const struct core_config *cfg, unsigned runs,
		   struct err *e)
{
	memset(w, 0, sizeof(*w));
	w->runs = runs;
	w->cfg = mem_alloc(WHAT_IF_COUNT, sizeof(*w->cfg), e);
	w->run = w->cfg ? mem_alloc((size_t)WHAT_IF_COUNT * runs, sizeof(*w->run), e) : NULL;
	w->result = w->run ? mem_alloc((size_t)WHAT_IF_COUNT * runs, sizeof(*w->result), e) : NULL;
	if (!w->result)
		return -1;
	for (unsigned n = 0; n < WHAT_IF_COUNT; n++) {
		if (!changed_machine(config, cfg, n, &w->cfg[w->changes]))
			continue;
		snprintf(w->what[w->changes], sizeof(w->what[0]), "--what-if: %s", changes[n].name);
		for (unsigned k = 0; k < runs; k++)
			w->run[w->changes * runs + k] = (struct side_run){&w->cfg[w->changes], k, w->what[w->changes]};
		w->change[w->changes++] = n;
	}
	return 0;
}

void what_if_destroy(struct what_if *w)
{
	free(w->cfg);
	free(w->run);
	free(w->result);
}

int what_if_simulate(struct what_if *w, const struct side_runs *s, struct err *e)
{
	return side_runs_simulate(s, w->run, w->changes * w->runs, w->result, e);
}

/* ---- the report ---- */
struct what_if_row {
	enum what_if_change change;
	struct spread cycles;
};

static int by_cycles(const void *a, const void *b)
{
	const struct what_if_row *x = a, *y = b;

	if (x->cycles.mean != y->cycles.mean)
		return x->cycles.mean < y->cycles.mean ? -1 : 1;
	return x->change < y->change ? -1 : x->change > y->change;
}

/* Makes the rows of the changes whose runs are all done; returns their number. */
static unsigned what_if_rows(const struct what_if *w, struct what_if_row row[WHAT_IF_COUNT])
{
	unsigned count = 0;

	for (unsigned n = 0; n < w->changes; n++) {
		const struct side_result *result = &w->result[n * w->runs];
		unsigned done = 0;

		while (done < w->runs && result[done].cycles)
			done++;
		if (done == w->runs)
			row[count++] = (struct what_if_row){w->change[n], run_spread_cycles(result, done)};
	}
	qsort(row, count, sizeof(row[0]), by_cycles);
	return count;
}

enum { CHANGE, CYCLES, SAVED, SHARE, ERROR, BEYOND, MEANING, WHAT_IF_COLUMNS };

/* The columns; without repetitions not those of the spread. */
static void what_if_cells(const struct what_if_row *row, const struct spread *plain, bool spread, struct report *r)
{
	const struct spread_difference d = spread_compare(&row->cycles, plain);
	const double percent = plain->mean > 0 ? 100 / plain->mean : 0;

	report_cell_text(r, changes[row->change].name);
	if (spread)
		report_cell_f64(r, row->cycles.mean);
	else
		report_cell_u64(r, (uint64_t)row->cycles.mean);
	report_cell_f64(r, d.mean);
	report_cell_f64(r, percent * d.mean);
	if (spread) {
		report_cell_f64(r, percent * d.half);
		report_cell_text(r, d.within ? "no" : "yes");
	}
	report_cell_text(r, changes[row->change].doc);
}

void what_if_report(const struct what_if *w, const struct side_result *plain, struct report *r)
{
	static const struct report_column all[WHAT_IF_COLUMNS] = {
		[CHANGE] = {"change", ""},      [CYCLES] = {"cycles", "cycles"}, [SAVED] = {"saved", "cycles"},
		[SHARE] = {"saved_share", "%"}, [ERROR] = {"error", "%"},        [BEYOND] = {"beyond_spread", ""},
		[MEANING] = {"meaning", ""},
	};
	const struct spread of_plain = run_spread_cycles(plain, w->runs);
	const bool spread = w->runs > 1;
	struct report_column columns[WHAT_IF_COLUMNS];
	struct what_if_row row[WHAT_IF_COUNT];
	unsigned count = what_if_rows(w, row), width = 0;
	char doc[400];

	for (unsigned n = 0; n < WHAT_IF_COLUMNS; n++)
		if (spread || (n != ERROR && n != BEYOND))
			columns[width++] = all[n];
	snprintf(doc, sizeof(doc),
		 "the run on machines with one resource twice or without limit, the most useful first%s%s",
		 count && row[count - 1].cycles.mean > of_plain.mean
			 ? "; below 0: instructions come in another order, and wait longer"
			 : "",
		 spread ? "; means of all runs; error: half the 95 % confidence interval of what is saved (Welch's t "
			  "test); beyond_spread: the interval has no 0"
			: "");
	report_table(r, "what_if", doc, columns, width);
	for (unsigned n = 0; n < count; n++)
		what_if_cells(&row[n], &of_plain, spread, r);
	report_table_end(r);
}
