#include "fit_report.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../../psim/base/report/svg.h"

/* Pixels of the picture, its panel of values and its panel of errors. */
enum { WIDTH = 760, HEIGHT = 620, LEFT = 90, RIGHT = 730, TOP = 74, MIDDLE = 400, LOWER = 440, BOTTOM = 560 };
enum { CURVE_POINTS = 200 };

/* Colours of medium lightness, readable on both backgrounds. */
#define MODEL SVG_BLUE
#define HELD SVG_ORANGE

/* The axis of errors shows at least this many percent: below, all is rounding. */
static const double least_error = 0.01;

/* The axes: abscissa, values, errors. */
struct axes {
	struct svg_axis x, y, error;
};

/* Returns the abscissa of a point: the variable, or with several the simulated value. */
static double abscissa(const struct fit *f, const struct point *p)
{
	return f->model.variables.count == 1 ? p->values[0] : p->result;
}

static double fit_picture_percent(const struct fit *f, const struct point *p)
{
	return 100 * (model_largest(&f->model, p->values, NULL) - p->result) / p->result;
}

/* Number that selects the model as a whole instead of one of its sums. */
enum { LARGEST = MODEL_SUMS_MAX };

static double ordinate(const struct fit *f, unsigned sum, double at)
{
	if (f->model.variables.count > 1)
		return at;
	return sum == LARGEST ? model_largest(&f->model, &at, NULL) : model_sum(&f->model, sum, &at);
}

#define STROKE(colour) "stroke=\"" colour "\" stroke-width=\"2\""

/* Draws the curve of the model, or of one of its sums where it is inside the frame, from `from` to `to`. */
static void draw_stretch(FILE *out, const struct fit *f, unsigned sum, const struct axes *a, double from, double to,
			 const char *style)
{
	const char *command = "M";

	if (!(to > from))
		return;
	fprintf(out, "<path fill=\"none\" %s d=\"", style);
	for (unsigned i = 0; i <= CURVE_POINTS; i++) {
		double share = (double)i / CURVE_POINTS;
		double at = a->x.logarithmic ? from * pow(to / from, share) : from + (to - from) * share;
		double value = ordinate(f, sum, at);

		if (!isfinite(value) || (a->y.logarithmic && !(value > 0)))
			continue;
		if (sum != LARGEST && (value < a->y.first || value > a->y.last)) {
			command = "M";
			continue;
		}
		fprintf(out, "%s%.1f %.1f", command, svg_axis_at(&a->x, at), svg_axis_at(&a->y, value));
		command = "L";
	}
	fputs("\"/>\n", out);
}

static void draw_model(FILE *out, const struct fit *f, const struct axes *a, const double range[2])
{
	static const char within[] = STROKE(MODEL), beyond[] = STROKE(MODEL) " stroke-dasharray=\"6 4\"";
	static const char of_sum[] = "class=\"leader\" stroke-dasharray=\"1 3\"";
	double from = f->model.from[0], to = f->model.to[0];

	if (f->model.variables.count > 1) {
		draw_stretch(out, f, LARGEST, a, range[0], range[1], within);
		return;
	}
	for (unsigned s = 0; s < f->model.sums && f->model.sums > 1; s++)
		draw_stretch(out, f, s, a, range[0], range[1], of_sum);
	draw_stretch(out, f, LARGEST, a, range[0], from, beyond);
	draw_stretch(out, f, LARGEST, a, from, to, within);
	draw_stretch(out, f, LARGEST, a, to, range[1], beyond);
}

/* Draws a circle, square or triangle, by the sum that is the largest there. */
static void fit_picture_draw_point(FILE *out, bool held_out, unsigned sum, double x, double y)
{
	const char *style = held_out ? "fill=\"none\" " STROKE(HELD) : "fill=\"" MODEL "\"";
	double r = held_out ? 5 : 4;

	if (sum == 0)
		fprintf(out, "<circle %s cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/>\n", style, x, y, r);
	else if (sum == 1)
		fprintf(out, "<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"/>\n", style, x - r, y - r,
			2 * r, 2 * r);
	else
		fprintf(out, "<path %s d=\"M%.1f %.1fl%.0f %.0fh%.0fz\"/>\n", style, x, y - r, r, 2 * r, -2 * r);
}

static unsigned fit_picture_largest_sum(const struct fit *f, const struct point *p)
{
	unsigned sum = 0;

	model_largest(&f->model, p->values, &sum);
	return sum;
}

/* Returns whether the value of the largest point is below that of the smallest. */
static bool falls(const struct fit *f, const struct points *p)
{
	const struct point *least = p->list.at, *most = p->list.at;

	for (size_t i = 1; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		if (abscissa(f, point) < abscissa(f, least))
			least = point;
		if (abscissa(f, point) > abscissa(f, most))
			most = point;
	}
	return p->list.count && most->result < least->result;
}

enum { LEGEND_WIDTH = 330 };

/* Draws the legend in the upper corner that the curve leaves free: the right one where values fall. */
static void fit_picture_draw_legend(FILE *out, const struct fit *f, bool any_held_out, bool falls)
{
	bool one = f->model.variables.count == 1;
	int left = falls ? RIGHT - LEGEND_WIDTH - 2 : LEFT + 2;
	double x = left + 16, text = x + 24;

	fprintf(out, "<rect class=\"ground\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", left, TOP + 4,
		LEGEND_WIDTH, any_held_out ? 66 : 46);
	fit_picture_draw_point(out, false, 0, x, TOP + 20);
	svg_text(out, text, TOP + 24, "", "start", "simulated, fitted to");
	fprintf(out, "<path " STROKE(MODEL) " d=\"M%.0f %dh24\"/>\n", x - 12, TOP + 40);
	svg_text(out, text, TOP + 44, "", "start",
		 one ? "model (dashed: outside the range of the fit)" : "model = simulated");
	if (!any_held_out)
		return;
	fit_picture_draw_point(out, true, 0, x, TOP + 60);
	svg_text(out, text, TOP + 64, "", "start", "simulated, held out");
}

/* Extrema of abscissa, value (the model's included) and error. */
struct extent {
	double x[2], y[2], error[2];
};

static void fit_picture_widen(double range[2], double value)
{
	if (isfinite(value)) {
		range[0] = fmin(range[0], value);
		range[1] = fmax(range[1], value);
	}
}

static struct extent extent_of(const struct fit *f, const struct points *p)
{
	const double far = HUGE_VAL;
	struct extent e = {{far, -far}, {far, -far}, {-least_error, least_error}};

	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		fit_picture_widen(e.x, abscissa(f, point));
		fit_picture_widen(e.y, point->result);
		fit_picture_widen(e.y, model_largest(&f->model, point->values, NULL));
		fit_picture_widen(e.error, fit_picture_percent(f, point));
	}
	return e;
}

/* Returns whether numbers have this unit beside them: one letter with a prefix. Longer units are beside the name. */
static bool has_prefixes(const char *unit)
{
	return unit[0] && !unit[1];
}

/* Formats numbers at the ticks: with a short unit, or plain. */
static void fit_picture_number(struct svg_axis *a, const char *unit)
{
	a->decades = a->last > 1000 * a->first;
	a->prefix = "";
	a->scale = 1;
	a->unit = has_prefixes(unit) ? unit : NULL;
}

/* Names of values that have words; with the unit that their names say. */
static const struct {
	const char *key, *words, *unit;
} known_values[] = {
	{"seconds", "time", "s"},
	{"cycles", "cycles", ""},
	{"energy_j", "energy", "J"},
	{"power_w", "power", "W"},
	{"ipc", "instructions per cycle", ""},
	{"cpi", "cycles per instruction", ""},
	{"energy", "energy", "J"},
	{"power", "power", "W"},
	{"gflops", "floating-point rate", "GFlop/s"},
	{"share_of_peak", "share of the peak", "%"},
	{"nj_per_instruction", "energy per instruction", "nJ"},
	{"instructions", "instructions", ""},
};
enum { KNOWN_VALUES = sizeof(known_values) / sizeof(known_values[0]) };

/* The last part of a name: "seconds" of regions.dgemm.seconds. */
static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* The unit at the numbers of a value: none where its words say it, as "cycles"; of other values the model's own. */
static const char *unit_of(const struct model *m)
{
	for (unsigned i = 0; i < KNOWN_VALUES; i++)
		if (strcmp(last_part(m->value_name), known_values[i].key) == 0)
			return known_values[i].unit;
	return m->unit;
}

/*
 * The name of the value in words, with a capital letter or without: "time of dgemm" for regions.dgemm.seconds. A key
 * without words of its own has blanks for its underscores.
 */
static void value_in_words(const char *name, bool capital, char *text, size_t size)
{
	const char *last = last_part(name), *of = strchr(name, '.');
	int length = of && last > of + 1 ? (int)(last - of) - 2 : 0;

	snprintf(text, size, "%s%s%.*s", last, length ? " of " : "", length, of ? of + 1 : "");
	for (char *c = text; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	for (unsigned i = 0; i < KNOWN_VALUES; i++)
		if (strcmp(last, known_values[i].key) == 0)
			snprintf(text, size, "%s%s%.*s", known_values[i].words, length ? " of " : "", length,
				 of ? of + 1 : "");
	if (capital)
		text[0] = (char)toupper((unsigned char)text[0]);
}

static struct axes axes_of(const struct fit *f, const struct extent *e)
{
	struct axes a = {
		.x = svg_axis_fit(e->x[0], e->x[1], LEFT, RIGHT, 10),
		.y = svg_axis_fit(e->y[0], e->y[1], MIDDLE, TOP, 7),
		.error = svg_axis_fit(e->error[0], e->error[1], BOTTOM, LOWER, 4),
	};

	fit_picture_number(&a.x, f->model.variables.count == 1 ? "" : unit_of(&f->model));
	fit_picture_number(&a.y, unit_of(&f->model));
	fit_picture_number(&a.error, "");
	return a;
}

/* Draws both panels; the numbers of the abscissa are below the lower one. */
static void fit_picture_draw_axes(FILE *out, const struct fit *f, const struct axes *a)
{
	char name[160];
	double v;

	for (unsigned n = 0; svg_axis_tick(&a->x, n, &v); n++)
		svg_line(out, svg_axis_at(&a->x, v), MIDDLE, svg_axis_at(&a->x, v), TOP, "grid");
	svg_line(out, LEFT, MIDDLE, RIGHT, MIDDLE, "frame");
	svg_axis_draw_x(out, &a->x, &a->error, f->model.variables.count == 1 ? f->model.variables.name[0] : "simulated",
			"");
	value_in_words(f->model.value_name, false, name, sizeof(name));
	svg_axis_draw_y(out, &a->x, &a->y, name, has_prefixes(unit_of(&f->model)) ? "" : unit_of(&f->model));
	svg_axis_draw_y(out, &a->x, &a->error, "error of the model", "%");
	svg_line(out, LEFT, svg_axis_at(&a->error, 0), RIGHT, svg_axis_at(&a->error, 0), "frame");
}

/* Draws the value's name and the formula; each of several sums on a line behind its points' shape. */
static void draw_titles(FILE *out, const struct fit *f)
{
	char text[1024], name[160];

	value_in_words(f->model.value_name, true, name, sizeof(name));
	if (f->model.sums == 1) {
		svg_text(out, LEFT, 30, "title", "start", name);
		fit_formula_read(&f->model, 0, unit_of(&f->model), text, sizeof(text));
		svg_text(out, LEFT, 54, "note", "start", text);
		return;
	}
	snprintf(text, sizeof(text), "%s: the largest of", name);
	svg_text(out, LEFT, 22, "title", "start", text);
	for (unsigned s = 0; s < f->model.sums; s++) {
		double y = 39 + 14 * (double)s;

		fit_picture_draw_point(out, false, s, LEFT + 4, y - 4);
		fit_formula_read(&f->model, s, unit_of(&f->model), text, sizeof(text));
		svg_text(out, LEFT + 14, y, "note", "start", text);
	}
}

void fit_picture(const struct fit *f, const struct points *p, FILE *out)
{
	struct extent extent = extent_of(f, p);
	struct axes a = axes_of(f, &extent);
	bool one = f->model.variables.count == 1;
	char name[160];

	value_in_words(f->model.value_name, true, name, sizeof(name));
	svg_begin(out, WIDTH, HEIGHT, name,
		  "Simulated values and those of the model; below the error of the model in percent.");
	draw_titles(out, f);
	fit_picture_draw_axes(out, f, &a);
	fit_picture_draw_legend(out, f, f->points < p->list.count, falls(f, p));
	draw_model(out, f, &a, extent.x);
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double x = svg_axis_at(&a.x, abscissa(f, point)), wrong = fit_picture_percent(f, point);
		double y = one ? point->result : model_largest(&f->model, point->values, NULL);
		unsigned sum = fit_picture_largest_sum(f, point);

		fit_picture_draw_point(out, point->held_out, sum, x, svg_axis_at(&a.y, y));
		if (!isfinite(wrong))
			continue; /* no percent of 0 */
		svg_line(out, x, svg_axis_at(&a.error, 0), x, svg_axis_at(&a.error, wrong), "leader");
		fit_picture_draw_point(out, point->held_out, sum, x, svg_axis_at(&a.error, wrong));
	}
	svg_end(out);
}
