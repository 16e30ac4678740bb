#include "scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/report/svg.h"

/* ---- lines ---- */

static double ranks_of(const struct scaling *x, size_t combination)
{
	return strtod(study_value(x->study, combination, x->param), NULL);
}

static bool is_ranks(const struct study_param *p)
{
	return !strcmp(p->param->section, "run") && !strcmp(p->param->key, "ranks");
}

int scaling_find(struct scaling *x, const struct study *s, bool weak, struct err *e)
{
	size_t first = 0;

	*x = (struct scaling){.study = s, .weak = weak};
	for (; x->axis < s->axes.count; first += s->axes.at[x->axis++].params.count) {
		const struct study_axis *a = &s->axes.at[x->axis];
		size_t n = 0;

		while (n < a->params.count && !is_ranks(&a->params.at[n]))
			n++;
		if (n == a->params.count)
			continue;
		x->param = first + n;
		for (size_t k = 0; k < a->params.at[n].values.count; k++)
			if (!(strtod(a->params.at[n].values.at[k], NULL) > 0))
				return err_set(e, STATUS_USAGE, "--scaling: %s:%u: run.ranks of 0, expected 1 or more",
					       s->path, a->params.at[n].line);
		for (size_t k = 1; k < a->params.at[n].values.count; k++)
			if (!(strtod(a->params.at[n].values.at[k], NULL) >
			      strtod(a->params.at[n].values.at[k - 1], NULL)))
				return err_set(e, STATUS_USAGE,
					       "--scaling: %s:%u: run.ranks in another order, expected ascending",
					       s->path, a->params.at[n].line);
		return 0;
	}
	return err_set(e, STATUS_USAGE, "--scaling: %s: run.ranks does not vary, expected several values", s->path);
}

/* A point of a line. */
struct scaling_point {
	const struct design *design;
	double ranks, efficiency;
};

const struct design **scaling_designs(const struct scaling *x, const struct designs *d, struct err *e)
{
	const struct design **at = mem_alloc(x->study->combinations, sizeof(*at), e);

	for (size_t n = 0; at && n < d->count; n++)
		at[d->at[n].combination] = &d->at[n];
	return at;
}

/* Finds the points of the line that begins with a combination, at most as many as the axis is long; 0: none begins. */
static size_t points_of(const struct scaling *x, const struct design *const *at, size_t combination,
			struct scaling_point *points)
{
	const size_t step = study_axis_step(x->study, x->axis), length = study_axis_length(&x->study->axes.at[x->axis]);
	size_t count = 0;

	if (combination / step % length)
		return 0;
	for (size_t n = 0; n < length; n++) {
		const struct design *d = at[combination + n * step];
		double time = d ? d->value[CRITERION_time] : 0;

		if (!(time > 0))
			continue;
		points[count] = (struct scaling_point){.design = d, .ranks = ranks_of(x, d->combination)};
		points[count].efficiency = points[0].design->value[CRITERION_time] / time;
		if (!x->weak)
			points[count].efficiency *= points[0].ranks / points[count].ranks;
		count++;
	}
	return count;
}

/* Writes a line's label: values of its parameters; `names`: the names of the parameters instead. */
static void line_label(const struct scaling *x, size_t combination, bool names, size_t but, char text[STUDY_LABEL_MAX])
{
	size_t used = 0, n = 0;

	*text = '\0';
	for (size_t a = 0; a < x->study->axes.count; a++)
		for (size_t k = 0; k < x->study->axes.at[a].params.count; k++, n++) {
			const struct param *p = x->study->axes.at[a].params.at[k].param;

			if (a == x->axis || a == but || !strcmp(p->section, "cost") || used >= STUDY_LABEL_MAX)
				continue;
			used += (size_t)snprintf(text + used, STUDY_LABEL_MAX - used, "%s%s", used ? " \302\267 " : "",
						 names ? p->key : study_value(x->study, combination, n));
		}
}

void scaling_label(const struct scaling *x, size_t combination, size_t but, char text[STUDY_LABEL_MAX])
{
	line_label(x, combination, false, but, text);
}

bool scaling_is_not_weak(const struct scaling *x, const struct designs *d, double *ranks, double *times)
{
	const struct design **at = x->weak ? scaling_designs(x, d, NULL) : NULL;
	struct scaling_point *points = mem_alloc(study_axis_length(&x->study->axes.at[x->axis]), sizeof(*points), NULL);
	bool found = false, falls = true;

	for (size_t n = 0; at && points && n < x->study->combinations; n++) {
		const size_t count = points_of(x, at, n, points);

		if (count < 2)
			continue;
		/* of strong scaling both are equal, of weak scaling the times are 1 */
		*ranks = points[count - 1].ranks / points[0].ranks;
		*times = points[count - 1].efficiency;
		found = true;
		falls &= *times > sqrt(*ranks);
	}
	free(at);
	free(points);
	return found && falls;
}

/* ---- table ---- */

int scaling_report(const struct scaling *x, const struct designs *d, const char *prefix, const char *over,
		   struct report *r, struct err *e)
{
	static const struct report_column columns[] = {
		{"design", ""},      {"ranks", ""}, {"seconds", "s"},      {"speed_up", ""},
		{"efficiency", "%"}, {"cost", ""},  {"rank_seconds", "s"}, {"system_j", "J"},
	};
	const struct design **at = scaling_designs(x, d, e);
	struct scaling_point *points = mem_alloc(study_axis_length(&x->study->axes.at[x->axis]), sizeof(*points), e);
	char name[400], doc[400], label[STUDY_LABEL_MAX];

	snprintf(name, sizeof(name), "%sscaling", prefix);
	snprintf(doc, sizeof(doc), "%s scaling, relative to the fewest ranks, %s", x->weak ? "weak" : "strong", over);
	if (at && points)
		report_table(r, name, doc, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t n = 0; at && points && n < x->study->combinations; n++) {
		size_t count = points_of(x, at, n, points);

		for (size_t k = 0; k < count; k++) {
			const struct design *p = points[k].design;
			double time = p->value[CRITERION_time];

			scaling_label(x, p->combination, x->axis, label);
			report_cell_text(r, label);
			report_cell_f64(r, points[k].ranks);
			report_cell_f64(r, time);
			report_cell_f64(r, points[0].design->value[CRITERION_time] / time);
			report_cell_f64(r, 100 * points[k].efficiency);
			report_cell_f64(r, p->value[CRITERION_area]);
			report_cell_f64(r, points[k].ranks * time);
			report_cell_f64(r, p->value[CRITERION_energy]);
		}
	}
	if (at && points)
		report_table_end(r);
	free(at);
	free(points);
	return at && points ? 0 : -1;
}

/* ---- picture ---- */

enum { WIDTH = 960, LEFT = 70, RIGHT = 620, TOP = 80, BOTTOM = 440, HEIGHT = 500, LEGEND = 640, ROW = 18 };

static void draw_line(const struct scaling_point *points, size_t count, const struct svg_axis *x,
		      const struct svg_axis *y, unsigned number, const char *label, FILE *out)
{
	const char *colour = svg_category(number);
	double row = TOP + ROW * (double)number;

	fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
	for (size_t n = 0; n < count; n++)
		fprintf(out, "%.1f,%.1f ", svg_axis_at(x, points[n].ranks), svg_axis_at(y, 100 * points[n].efficiency));
	fputs("\"/>\n", out);
	for (size_t n = 0; n < count; n++)
		fprintf(out,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%.6g ranks: %.4g "
			"%%</title></circle>\n",
			svg_axis_at(x, points[n].ranks), svg_axis_at(y, 100 * points[n].efficiency), colour,
			points[n].ranks, 100 * points[n].efficiency);
	fprintf(out, "<circle cx=\"%d\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", LEGEND, row - 4, colour);
	svg_text(out, LEGEND + 10, row, "tick", "start", *label ? label : "all");
}

static void draw_lines(const struct scaling *x, const struct design *const *at, struct scaling_point *points,
		       double most, FILE *out)
{
	const struct study_axis *a = &x->study->axes.at[x->axis];
	const struct svg_axis ranks = svg_axis_doubles(
				      ranks_of(x, 0),
				      ranks_of(x, (study_axis_length(a) - 1) * study_axis_step(x->study, x->axis)),
				      LEFT, RIGHT),
			      efficiency = svg_axis_fit(0, most, BOTTOM, TOP, 6);
	char label[STUDY_LABEL_MAX];
	unsigned number = 0;

	line_label(x, 0, true, x->axis, label);
	svg_text(out, LEGEND, TOP - 24, "note", "start", label);
	svg_axis_draw_x(out, &ranks, &efficiency, "ranks", "");
	svg_axis_draw_y(out, &ranks, &efficiency,
			x->weak ? "efficiency of weak scaling" : "efficiency of strong scaling", "%");
	for (size_t n = 0; n < x->study->combinations; n++) {
		size_t count = points_of(x, at, n, points);

		if (!count)
			continue;
		scaling_label(x, n, x->axis, label);
		draw_line(points, count, &ranks, &efficiency, number++, label, out);
	}
}

int scaling_draw(const struct scaling *x, const struct designs *d, const char *over, FILE *out, struct err *e)
{
	const struct design **at = scaling_designs(x, d, e);
	struct scaling_point *points = mem_alloc(study_axis_length(&x->study->axes.at[x->axis]), sizeof(*points), e);
	double most = 100;
	size_t lines = 0;

	for (size_t n = 0; at && points && n < x->study->combinations; n++) {
		size_t count = points_of(x, at, n, points);

		lines += count > 0;
		for (size_t k = 0; k < count; k++)
			most = fmax(most, 100 * points[k].efficiency);
	}
	if (at && points) {
		svg_begin(out, WIDTH, fmax(HEIGHT, TOP + 20 + ROW * (double)lines),
			  x->study->title ? x->study->title : x->study->path,
			  "Efficiency over ranks: a curve for each design, relative to its fewest ranks.");
		svg_text(out, 40, 34, "title", "start", x->study->title ? x->study->title : x->study->path);
		svg_text(out, 40, 56, "note", "start", over);
		draw_lines(x, at, points, most, out);
		svg_end(out);
	}
	free(at);
	free(points);
	if (!at || !points)
		return -1;
	return ferror(out) ? out_error("picture", e) : 0;
}
