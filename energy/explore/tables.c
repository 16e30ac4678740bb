#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../psim/base/escape.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/config/value.h"
#include "../../psim/machine/param_costs.h"
#include "front_within.h"
#include "point_kind.h"

enum { NAME_MAX_CHARS = 160 };

static void param_name(const struct study_param *p, char text[NAME_MAX_CHARS])
{
	snprintf(text, NAME_MAX_CHARS, "%s.%s", p->param->section, p->param->key);
}

/* The cost of a parameter, or "free: why". */
static const char *cost_text(const struct param *p, char text[NAME_MAX_CHARS])
{
	const struct param_cost *cost = param_cost_find(p->section, p->key);

	snprintf(text, NAME_MAX_CHARS, "%s%s", cost && cost->better ? "" : "free: ", cost ? cost->text : "no row");
	return text;
}

/* Reports each reason for skipping once, with its number and first combination. */
static void skipped_table(const struct plan *p, struct report *r)
{
	static const struct report_column columns[] = {{"combinations", ""}, {"first", ""}, {"why", ""}};
	char label[STUDY_LABEL_MAX];

	if (!p->skips.count)
		return;
	report_table(r, "skipped_reasons", "combinations that are invalid and therefore not simulated", columns, 3);
	for (size_t n = 0; n < p->skips.count; n++) {
		const struct plan_skip *s = p->skips.at;
		size_t first = 0, same = 0;

		while (strcmp(s[first].why, s[n].why) != 0)
			first++;
		if (first < n)
			continue;
		for (size_t k = n; k < p->skips.count; k++)
			same += !strcmp(s[k].why, s[n].why);
		study_label(p->study, s[n].combination, label);
		report_cell_u64(r, same);
		report_cell_text(r, label);
		report_cell_text(r, s[n].why);
	}
	report_table_end(r);
}

void tables_study(const struct plan *p, struct report *r)
{
	static const struct report_column params[] = {
		{"name", ""},
		{"values", ""},
		{"unit", ""},
		{"cost", ""},
	};
	static const struct report_column traces[] = {
		{"name", ""},
		{"program", ""},
		{"checksum", ""},
		{"length", "insns"}, /* of the trace, its warm-up included */
	};
	const struct study *s = p->study;
	const size_t with_flops = designs_with_flops(p);
	char text[NAME_MAX_CHARS];

	report_group(r, "study", "the study and its points");
	report_text(r, "file", s->path, "study file");
	report_text(r, "title", s->title ? s->title : "", "title of the study");
	report_u64(r, "combinations", s->combinations, "", "of parameter values");
	report_u64(r, "skipped", p->skips.count, "", "of them invalid, listed in table skipped_reasons");
	report_u64(r, "configurations", s->combinations - p->skips.count, "", "valid combinations");
	report_u64(r, "chosen", p->live / s->traces.count, "",
		   "combinations of --sample or --search, otherwise all valid ones");
	report_u64(r, "points", p->live, "", "number of simulations: chosen configurations x traces");
	report_u64(r, "known", plan_known(p), "", "simulations with a result");
	if (with_flops && with_flops < s->traces.count)
		report_u64(r, "with_flops", with_flops, "",
			   "traces with floating point; a geometric mean of gflops is of these");
	if (plan_idle_arrays(p))
		report_u64(r, "idle_arrays", plan_idle_arrays(p), "",
			   "simulations of a SIMD array with a trace that does not use it (docs/guide/simd-loop.md)");
	report_table(r, "parameters", "parameters that vary, and their cost in the model", params, 4);
	for (size_t n = 0; n < study_param_count(s); n++) {
		param_name(study_param(s, n), text);
		report_cell_text(r, text);
		report_cell_u64(r, study_param(s, n)->values.count);
		report_cell_text(r, study_param(s, n)->param->unit);
		report_cell_text(r, s->kind->cost ? "" : cost_text(study_param(s, n)->param, text));
	}
	report_table_end(r);
	skipped_table(p, r);
	report_table(r, "traces", "traced programs", traces, 4);
	for (size_t n = 0; n < p->files.count; n++) {
		const struct plan_file *f = &p->files.at[n];
		const char *name = "";

		for (size_t k = p->count; k-- > 0;)
			if (!p->points[k].skipped && p->points[k].file == n)
				name = s->traces.at[p->points[k].trace].name;
		snprintf(text, sizeof(text), "%08" PRIx32, f->checksum);
		report_cell_text(r, name);
		report_cell_text(r, f->program);
		report_cell_text(r, text);
		report_cell_u64(r, f->length);
	}
	report_table_end(r);
	report_end(r);
}

void tables_conditions(size_t known, size_t feasible, struct report *r)
{
	report_group(r, "conditions", "limits of the study, and --where");
	report_u64(r, "feasible", feasible, "", "designs that satisfy all of them");
	report_u64(r, "infeasible", known - feasible, "", "designs with results that do not, and are in no table");
	report_end(r);
}

void tables_search(const struct convergence *c, const char *by, struct report *r)
{
	static const struct report_column columns[] = {
		{"simulated", "designs"}, {"feasible", ""}, {"front", ""}, {"hypervolume", "%"}};
	char doc[512];

	snprintf(doc, sizeof(doc),
		 "steps of the search; hypervolume: what the designs so far dominate in %s, up to the worst feasible "
		 "ones, "
		 "of what all do",
		 by);
	report_table(r, "search", doc, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t n = 0; n < c->count; n++) {
		report_cell_u64(r, c->at[n].simulated);
		report_cell_u64(r, c->at[n].feasible);
		report_cell_u64(r, c->at[n].front);
		report_cell_f64(r, 100 * c->at[n].share);
	}
	report_table_end(r);
}

/* ---- columns ---- */
static int columns_begin(const struct study *s, struct tables_columns *c, struct err *e)
{
	*c = (struct tables_columns){.param = mem_alloc(study_param_count(s) + 1, sizeof(*c->param), e)};
	return c->param ? 0 : -1;
}

void tables_columns_finish(struct tables_columns *c)
{
	free(c->param);
	c->param = NULL;
}

int tables_columns_all(const struct study *s, struct tables_columns *c, struct err *e)
{
	if (columns_begin(s, c, e) < 0)
		return -1;
	memset(c->figure, true, sizeof(c->figure));
	memset(c->param, true, study_param_count(s));
	return 0;
}

/* Shows the parameters by which an axis is named. */
static void show_axes(const struct study *s, struct tables_columns *c)
{
	size_t param = 0;

	for (size_t n = 0; n < s->axes.count; n++)
		for (size_t k = 0; k < s->axes.at[n].params.count; k++)
			c->param[param++] = study_axis_shows(&s->axes.at[n], k);
}

int tables_columns_usual(const struct study *s, const struct objectives *front, struct tables_columns *c, struct err *e)
{
	if (columns_begin(s, c, e) < 0)
		return -1;
	show_axes(s, c);
	for (unsigned n = 0; n < CRITERION_COUNT; n++)
		c->figure[n] = true;
	for (unsigned n = 0; n < front->count; n++)
		c->figure[front->column[n]] = true;
	return 0;
}

/* The number of the varying parameter "section.key"; -1: none. */
static int param_find(const struct study *s, const char *name, size_t length)
{
	char text[NAME_MAX_CHARS];

	for (size_t n = 0; n < study_param_count(s); n++) {
		param_name(study_param(s, n), text);
		if (strlen(text) == length && !strncmp(text, name, length))
			return (int)n;
	}
	return -1;
}

static int read_column(const struct study *s, const char *name, size_t length, struct tables_columns *c, bool *param,
		       struct err *e)
{
	const int column = column_find(s->kind, name, length), found = param_find(s, name, length);
	char names[COLUMN_NAMES_MAX];

	if (column >= 0)
		c->figure[column] = true;
	if (found >= 0)
		c->param[found] = *param = true;
	if (column >= 0 || found >= 0)
		return 0;
	column_names(s->kind, name, length, names, sizeof(names));
	return err_set(e, STATUS_USAGE, "'%.*s', expected all, section.key of a parameter that varies, or some of %s",
		       (int)length, name, names);
}

int tables_columns_read(const struct study *s, const char *text, struct tables_columns *c, struct err *e)
{
	bool param = false;

	if (!strcmp(text, "all"))
		return tables_columns_all(s, c, e);
	if (columns_begin(s, c, e) < 0)
		return -1;
	for (const char *at = text;;) {
		const size_t length = strcspn(at, ",");

		if (read_column(s, at, length, c, &param, e) < 0)
			return -1;
		if (!at[length])
			break;
		at += length + 1;
	}
	if (!param)
		show_axes(s, c);
	return 0;
}

int tables_columns_check(const struct study *s, const struct tables_columns *c, struct err *e)
{
	unsigned count = 1 + (s->sample != NULL); /* the first column of each table, and `within` */

	for (size_t n = 0; n < study_param_count(s); n++)
		count += c->param[n];
	for (unsigned n = 0; n < COLUMN_COUNT; n++)
		count += c->figure[n] && point_has_column(s->kind, n);
	if (count > REPORT_TEXT_COLUMNS_MAX)
		return err_set(e, STATUS_USAGE,
			       "%u columns of text, expected at most %d: name some by --columns; "
			       "CSV, JSON and the page have all",
			       count, REPORT_TEXT_COLUMNS_MAX);
	return 0;
}

/* ---- designs ---- */
/* The columns of a table of designs, `first` in front; the caller frees them. */
static struct report_column *columns(const struct study *s, const struct tables_columns *shown, const char *first,
				     char (*names)[NAME_MAX_CHARS], unsigned *count)
{
	size_t params = study_param_count(s);
	struct report_column *c = mem_alloc(params + COLUMN_COUNT + 2, sizeof(*c), NULL);

	*count = 0;
	if (!c)
		return NULL;
	if (first)
		c[(*count)++] = (struct report_column){first, ""};
	for (size_t n = 0; n < params; n++) {
		if (!shown->param[n])
			continue;
		param_name(study_param(s, n), names[n]);
		c[(*count)++] = (struct report_column){names[n], ""};
	}
	for (unsigned n = 0; n < COLUMN_COUNT; n++)
		if (shown->figure[n] && point_has_column(s->kind, n))
			c[(*count)++] =
				(struct report_column){point_column_name(s->kind, n), point_column_unit(s->kind, n)};
	if (s->sample)
		c[(*count)++] = (struct report_column){"within", ""};
	return c;
}

/* A table of designs. */
struct table_of {
	const struct study *study;
	const struct tables_columns *shown;
	const char *prefix, *name, *doc, *first;
};

static int open_table(const struct table_of *t, struct report *r, struct err *e)
{
	char(*names)[NAME_MAX_CHARS] = mem_alloc(study_param_count(t->study) + 1, sizeof(*names), e);
	char table[2 * NAME_MAX_CHARS];
	unsigned count;
	struct report_column *c = names ? columns(t->study, t->shown, t->first, names, &count) : NULL;

	if (c) {
		snprintf(table, sizeof(table), "%s%s", t->prefix, t->name);
		report_table(r, table, t->doc, c, count);
	}
	free(c);
	free(names);
	return c ? 0 : mem_short(e);
}

static void design_cells(const struct study *s, const struct tables_columns *shown, const struct design *d,
			 struct report *r)
{
	for (size_t n = 0; n < study_param_count(s); n++)
		if (shown->param[n])
			report_cell_text(r, study_value(s, d->combination, n));
	for (unsigned n = 0; n < COLUMN_COUNT; n++)
		if (shown->figure[n] && point_has_column(s->kind, n))
			report_cell_f64(r, design_column(d, n));
	if (s->sample)
		report_cell_text(r, within_word(d->within));
}

int tables_best(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		const char *over, struct report *r, struct err *e)
{
	char doc[512];

	snprintf(doc, sizeof(doc), "the best design by each criterion, %s", over);
	if (open_table(&(struct table_of){p->study, c, prefix, "best", doc, "least"}, r, e) < 0)
		return -1;
	for (unsigned n = 0; n < CRITERION_COUNT && d->count; n++) {
		report_cell_text(r, point_column_word(p->study->kind, n));
		design_cells(p->study, c, designs_best(d, n), r);
	}
	report_table_end(r);
	return 0;
}

/* Orders by time; ties by energy, by area, and by position in the study. */
static int explore_tables_by_time(const void *a, const void *b)
{
	const struct design *x = a, *y = b;

	for (unsigned n = 0; n <= CRITERION_area; n++)
		if (x->value[n] != y->value[n])
			return x->value[n] < y->value[n] ? -1 : 1;
	return x->combination < y->combination ? -1 : 1;
}

/* How much more of a criterion the second of two designs has, its error, and whether it is beyond that, in percent. */
struct step {
	double more, error;
	bool beyond;
};
static struct step front_step(const struct design *a, const struct design *b, enum criterion c)
{
	const double more = b->value[c] - a->value[c], error = hypot(a->error[c], b->error[c]);

	if (a->value[c] == 0) /* the energy of systems without [power] */
		return (struct step){0, 0, more != 0};
	return (struct step){100 * more / a->value[c], 100 * error / a->value[c], fabs(more) > error};
}

/* Adds whether neighbours of a front, by time, differ by more than their runs. */
static void front_spread(const struct study *s, const struct design *front, size_t count, const char *prefix,
			 struct report *r)
{
	static const struct report_column columns[] = {
		{"design", ""},  {"next", ""},          {"time", "%"},         {"time_error", "%"},
		{"energy", "%"}, {"energy_error", "%"}, {"beyond_spread", ""},
	};
	static const char *const words[2][2] = {{"nothing", "energy"}, {"time", "both"}};
	char name[2 * NAME_MAX_CHARS], label[STUDY_LABEL_MAX];

	snprintf(name, sizeof(name), "%spareto_spread", prefix);
	report_table(
		r, name,
		"how much more of time and energy the next design of the front has; errors: root of the sum of the "
		"squares of both 95 % intervals; beyond_spread: what differs by more than its error",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t n = 0; n + 1 < count; n++) {
		const struct step time = front_step(&front[n], &front[n + 1], CRITERION_time),
				  energy = front_step(&front[n], &front[n + 1], CRITERION_energy);

		study_label(s, front[n].combination, label);
		report_cell_text(r, label);
		study_label(s, front[n + 1].combination, label);
		report_cell_text(r, label);
		report_cell_f64(r, time.more);
		report_cell_f64(r, time.error);
		report_cell_f64(r, energy.more);
		report_cell_f64(r, energy.error);
		report_cell_text(r, words[time.beyond][energy.beyond]);
	}
	report_table_end(r);
}

/* Adds the other designs that may be on the front of the exact figures. 0, or -1 with `e`: memory is short. */
static int within_table(const struct plan *p, const struct designs *d, const struct tables_columns *c,
			const char *prefix, const char *over, struct report *r, struct err *e)
{
	char doc[512];

	snprintf(doc, sizeof(doc), "further designs that may be on the front, within the intervals, %s", over);
	if (open_table(&(struct table_of){p->study, c, prefix, "pareto_within", doc, NULL}, r, e) < 0)
		return -1;
	for (size_t n = 0; n < d->count; n++)
		if (!d->at[n].front && d->at[n].within == WITHIN_MAYBE)
			design_cells(p->study, c, &d->at[n], r);
	report_table_end(r);
	return 0;
}

int tables_pareto(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		  const char *over, const char *by, struct report *r, struct err *e)
{
	struct design *front = mem_alloc(d->count + 1, sizeof(*front), e);
	size_t count = 0;
	char doc[512];

	if (!front)
		return -1;
	for (size_t n = 0; n < d->count; n++)
		if (d->at[n].front)
			front[count++] = d->at[n];
	qsort(front, count, sizeof(*front), explore_tables_by_time);
	snprintf(doc, sizeof(doc), "%zu of %zu designs that are not dominated in %s, %s", count, d->count, by, over);
	if (open_table(&(struct table_of){p->study, c, prefix, "pareto", doc, NULL}, r, e) < 0) {
		free(front);
		return -1;
	}
	for (size_t n = 0; n < count; n++)
		design_cells(p->study, c, &front[n], r);
	report_table_end(r);
	if (p->study->runs > 1)
		front_spread(p->study, front, count, prefix, r);
	free(front);
	return p->study->sample ? within_table(p, d, c, prefix, over, r, e) : 0;
}

/* ---- sensitivity ---- */
static void effect_cells(const struct study *s, const struct effect *effect, struct report *r)
{
	const struct study_axis *a = &s->axes.at[effect->axis];
	char name[STUDY_LABEL_MAX], least[STUDY_LABEL_MAX] = "", most[STUDY_LABEL_MAX] = "";

	sensitivity_name(s, effect->axis, name);
	if (effect->lines) {
		study_axis_value(a, effect->least, least);
		study_axis_value(a, effect->most, most);
	}
	report_cell_text(r, name);
	report_cell_text(r, least);
	report_cell_text(r, most);
	report_cell_f64(r, effect->ratio);
	report_cell_f64(r, effect->elasticity);
	report_cell_u64(r, effect->lines);
}

void tables_sensitivity(const struct study *s, const struct sensitivity *x, const char *prefix, const char *over,
			struct report *r)
{
	static const struct report_column columns[] = {{"criterion", ""}, {"parameter", ""}, {"least_at", ""},
						       {"most_at", ""},   {"ratio", ""},     {"elasticity", ""},
						       {"lines", ""}};
	char doc[256], name[2 * NAME_MAX_CHARS];

	snprintf(name, sizeof(name), "%ssensitivity", prefix);
	snprintf(doc, sizeof(doc), "change of each criterion by one parameter alone, %s", over);
	report_table(r, name, doc, columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned c = 0; c < CRITERION_COUNT; c++) {
		for (size_t n = 0; n < x->count; n++) {
			report_cell_text(r, point_column_word(s->kind, c));
			effect_cells(s, &x->effects[c][n], r);
		}
	}
	report_table_end(r);
}

/* ---- CSV ---- */
/* Writes a value or name as a field, in quotes if it has a comma, quote or line end. */
static void explore_tables_number(double v, FILE *out)
{
	char text[40];

	if (!isfinite(v))
		return;
	value_real(v, text, sizeof(text));
	fputs(text, out);
}

static void csv_point(const struct plan *p, const struct plan_point *point, FILE *out)
{
	const struct study *s = p->study;

	escape_csv(out, s->traces.at[point->trace].name);
	for (size_t n = 0; n < study_param_count(s); n++) {
		fputc(',', out);
		escape_csv(out, study_value(s, point->combination, n));
	}
	for (unsigned n = 0; n < FIGURE_COUNT; n++) {
		if (!point_has_figure(s->kind, n))
			continue;
		fputc(',', out);
		explore_tables_number(point->figures.value[n], out);
	}
	if (s->sample)
		fputs(point->known ? ",whole" : ",units", out);
	fputc('\n', out);
}

int tables_csv(const struct plan *p, FILE *out, struct err *e)
{
	char name[NAME_MAX_CHARS];

	fputs("trace", out);
	for (size_t n = 0; n < study_param_count(p->study); n++) {
		param_name(study_param(p->study, n), name);
		fprintf(out, ",%s", name);
	}
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		if (point_has_figure(p->study->kind, n))
			fprintf(out, ",%s",
				n == FIGURE_area_mm2 && p->study->kind->cost ? p->study->kind->cost
									     : figure_rows[n].name);
	if (p->study->sample)
		fputs(",simulated", out);
	fputc('\n', out);
	for (size_t n = 0; n < p->count; n++)
		if (plan_has(&p->points[n]))
			csv_point(p, &p->points[n], out);
	return ferror(out) ? out_error("points", e) : 0;
}

int tables_designs(const struct plan *p, const struct designs *d, const struct tables_columns *c, const char *prefix,
		   const char *over, const char *by, struct report *r, struct err *e)
{
	char doc[512];

	snprintf(doc, sizeof(doc), "all designs; front: not dominated in %s, %s", by, over);
	if (open_table(&(struct table_of){p->study, c, prefix, "designs", doc, "front"}, r, e) < 0)
		return -1;
	for (size_t n = 0; n < d->count; n++) {
		report_cell_text(r, d->at[n].front ? "yes" : "no");
		design_cells(p->study, c, &d->at[n], r);
	}
	report_table_end(r);
	return 0;
}
