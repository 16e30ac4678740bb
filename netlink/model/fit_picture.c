#include "fit_report.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Pixels of the picture and of its two panels. */
enum {
	WIDTH = 760,
	HEIGHT = 600,
	LEFT = 90,
	RIGHT = 730,
	TOP = 64,
	MIDDLE = 390,
	LOWER = 430,
	BOTTOM = 540
};
enum { CURVE_POINTS = 200, TICKS_MAX = 40 };

struct axis {
	double from, to; /* logarithms, if `log` */
	bool log;
	double begin, end; /* pixels */
};

/* Errors are shown to this many percent at least: below it all is rounding. */
static const double least_error = 0.01;

static const char head[] =
	"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	"height=\"%d\" "
	"font-family=\"sans-serif\" font-size=\"13\">\n"
	"<style>\n"
	".paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e }\n"
	".frame { fill: none; stroke: #59636e } .grid { stroke: #d1d9e0 }\n"
	".model { fill: none; stroke: #0969da; stroke-width: 2 } .beyond { stroke-dasharray: 6 4 "
	"}\n"
	".sum { fill: none; stroke-dasharray: 1 3 }\n"
	".fit { fill: #0969da } .held { fill: none; stroke: #bc4c00; stroke-width: 2 } .stem { "
	"stroke: #59636e }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper { fill: #0d1117 } .ink { fill: #e6edf3 } .soft { fill: #9198a1 }\n"
	".frame { stroke: #9198a1 } .grid { stroke: #30363d } .stem { stroke: #9198a1 }\n"
	".model { stroke: #58a6ff } .fit { fill: #58a6ff } .held { stroke: #f0883e }\n"
	"}\n"
	"</style>\n"
	"<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n";

static void write_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc(*text, out);
	}
}

/* A range with room at both ends; logarithmic if it spans more than a factor of 4 above 0. */
static struct axis axis_of(double from, double to, double begin, double end)
{
	struct axis a = {.from = from, .to = to, .begin = begin, .end = end};
	double room;

	a.log = from > 0 && to / from > 4;
	if (a.log) {
		a.from = log10(from);
		a.to = log10(to);
	}
	room = 0.05 * (a.to - a.from);
	if (!(room > 0))
		room = fabs(a.from) > 0 ? 0.1 * fabs(a.from) : 1;
	a.from -= room;
	a.to += room;
	return a;
}

static double place(const struct axis *a, double value)
{
	double v = a->log ? log10(value) : value;

	return a->begin + (v - a->from) / (a->to - a->from) * (a->end - a->begin);
}

/* Round numbers along the axis: 1 2 5 of each decade, or equal steps, one in 50 pixels or so. */
static unsigned ticks_of(const struct axis *a, double tick[TICKS_MAX])
{
	static const double steps[] = {1, 2, 5};
	unsigned count = 0;

	if (a->log) {
		bool wide = a->to - a->from > 3;

		for (int d = (int)floor(a->from); d <= (int)ceil(a->to); d++)
			for (unsigned s = 0; s < (wide ? 1 : 3) && count < TICKS_MAX; s++)
				if (log10(steps[s]) + d >= a->from && log10(steps[s]) + d <= a->to)
					tick[count++] = steps[s] * pow(10, d);
		return count;
	}
	double span = (a->to - a->from) / fmax(2, fabs(a->end - a->begin) / 50),
	       step = pow(10, floor(log10(span)));

	step *= span / step >= 5 ? 5 : span / step >= 2 ? 2 : 1;
	for (double at = ceil(a->from / step); at * step <= a->to && count < TICKS_MAX; at++)
		tick[count++] = at * step;
	return count;
}

/* "20 us" for 2e-5 s; other units as they are. */
static void label(double value, const char *unit, char *text, size_t size)
{
	static const struct prefix {
		double scale;
		const char *name;
	} prefixes[] = {{1e-12, "p"}, {1e-9, "n"}, {1e-6, "\xc2\xb5"}, {1e-3, "m"}, {1, ""}};
	unsigned p = 0;

	if (strcmp(unit, "s") != 0 || !(value > 0)) {
		snprintf(text, size, "%.6g", value);
		return;
	}
	while (p < 4 && value >= prefixes[p + 1].scale * 0.9999)
		p++;
	snprintf(text, size, "%.4g %ss", value / prefixes[p].scale, prefixes[p].name);
}

static void draw_x(FILE *out, const struct axis *x, const char *unit)
{
	double tick[TICKS_MAX];
	unsigned count = ticks_of(x, tick);
	char text[64];

	for (unsigned i = 0; i < count; i++) {
		double at = place(x, tick[i]);

		label(tick[i], unit, text, sizeof text);
		fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%d M%.1f %dV%d\"/>\n", at, TOP,
		        MIDDLE, at, LOWER, BOTTOM);
		fprintf(out,
		        "<text class=\"soft\" x=\"%.1f\" y=\"%d\" "
		        "text-anchor=\"middle\">%s</text>\n",
		        at, BOTTOM + 18, text);
	}
}

static void draw_y(FILE *out, const struct axis *y, const char *unit, const char *after)
{
	double tick[TICKS_MAX];
	unsigned count = ticks_of(y, tick);
	char text[64];

	for (unsigned i = 0; i < count; i++) {
		double at = place(y, tick[i]);

		label(tick[i], unit, text, sizeof text);
		fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, at, RIGHT);
		fprintf(out,
		        "<text class=\"soft\" x=\"%d\" y=\"%.1f\" "
		        "text-anchor=\"end\">%s%s</text>\n",
		        LEFT - 8, at + 4, text, after);
	}
}

/* What stands along the abscissa: the variable, or with several the simulated value. */
static double abscissa(const struct fit *f, const struct point *p)
{
	return f->model.variables.count == 1 ? p->values[0] : p->result;
}

static double percent(const struct fit *f, const struct point *p)
{
	return 100 * (model_largest(&f->model, p->values, NULL) - p->result) / p->result;
}

/* What stands along the ordinate, of the model as a whole. */
enum { LARGEST = MODEL_SUMS_MAX };

static double ordinate(const struct fit *f, unsigned sum, double at)
{
	if (f->model.variables.count > 1)
		return at;
	return sum == LARGEST ? model_largest(&f->model, &at, NULL) : model_sum(&f->model, sum, &at);
}

/* One stretch of the line of the model, or of one of its sums where that is in the frame, from `from` to `to`. */
static void draw_stretch(FILE *out, const struct fit *f, unsigned sum, const struct axis *x, const struct axis *y,
                         double from, double to, const char *class)
{
	const char *command = "M";

	if (!(to > from))
		return;
	fprintf(out, "<path class=\"%s\" d=\"", class);
	for (unsigned i = 0; i <= CURVE_POINTS; i++) {
		double share = (double)i / CURVE_POINTS;
		double at = x->log ? from * pow(to / from, share) : from + (to - from) * share;
		double value = ordinate(f, sum, at), top = y->log ? pow(10, y->to) : y->to,
		       bottom = y->log ? pow(10, y->from) : y->from;

		if (!isfinite(value) || (y->log && !(value > 0)))
			continue;
		if (sum != LARGEST && (value < bottom || value > top)) {
			command = "M";
			continue;
		}
		fprintf(out, "%s%.1f %.1f", command, place(x, at), place(y, value));
		command = "L";
	}
	fputs("\"/>\n", out);
}

static void draw_model(FILE *out, const struct fit *f, const struct axis *x, const struct axis *y,
                       const double range[2])
{
	double from = f->model.from[0], to = f->model.to[0];

	if (f->model.variables.count > 1) {
		draw_stretch(out, f, LARGEST, x, y, range[0], range[1], "model");
		return;
	}
	for (unsigned s = 0; s < f->model.sums && f->model.sums > 1; s++)
		draw_stretch(out, f, s, x, y, range[0], range[1], "stem sum");
	draw_stretch(out, f, LARGEST, x, y, range[0], from, "model beyond");
	draw_stretch(out, f, LARGEST, x, y, from, to, "model");
	draw_stretch(out, f, LARGEST, x, y, to, range[1], "model beyond");
}

/* A circle, square or triangle: the sum that is the largest there. */
static void draw_point(FILE *out, bool held_out, unsigned sum, double x, double y)
{
	const char *class = held_out ? "held" : "fit";
	double r = held_out ? 5 : 4;

	if (sum == 0)
		fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/>\n", class, x, y, r);
	else if (sum == 1)
		fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"/>\n", class,
		        x - r, y - r, 2 * r, 2 * r);
	else
		fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fl%.0f %.0fh%.0fz\"/>\n", class, x, y - r, r, 2 * r,
		        -2 * r);
}

static unsigned largest_sum(const struct fit *f, const struct point *p)
{
	unsigned sum = 0;

	model_largest(&f->model, p->values, &sum);
	return sum;
}

/* Is the value of the largest point below that of the smallest? */
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

/* In the upper corner that the curve leaves free: the right one where values fall. */
static void draw_legend(FILE *out, const struct fit *f, bool any_held_out, bool falls)
{
	bool one = f->model.variables.count == 1;
	int left = falls ? RIGHT - LEGEND_WIDTH - 2 : LEFT + 2;
	double x = left + 16;

	fprintf(out, "<rect class=\"paper\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
	        left, TOP + 4, LEGEND_WIDTH, any_held_out ? 66 : 46);
	draw_point(out, false, 0, x, TOP + 20);
	fprintf(out, "<text class=\"ink\" x=\"%.0f\" y=\"%d\">simulated, fitted to</text>\n",
	        x + 24, TOP + 24);
	fprintf(out, "<path class=\"model\" d=\"M%.0f %dh24\"/>\n", x - 12, TOP + 40);
	fprintf(out, "<text class=\"ink\" x=\"%.0f\" y=\"%d\">%s</text>\n", x + 24, TOP + 44,
	        one ? "model (dashed: outside the range of the fit)" : "model = simulated");
	if (!any_held_out)
		return;
	draw_point(out, true, 0, x, TOP + 60);
	fprintf(out, "<text class=\"ink\" x=\"%.0f\" y=\"%d\">simulated, held out</text>\n", x + 24,
	        TOP + 64);
}

/* The formula; of several sums each in a small line behind the points' shape. */
static void draw_formula(FILE *out, const struct fit *f)
{
	char formula[1024];

	for (unsigned s = 0; s < f->model.sums; s++) {
		unsigned y = f->model.sums == 1 ? 48 : 36 + 12 * s;

		if (f->model.sums > 1)
			draw_point(out, false, s, LEFT + 4, y - 4);
		fit_formula_sum(&f->model, s, formula, sizeof formula);
		fprintf(out, "<text class=\"soft\" x=\"%d\" y=\"%u\"%s>", f->model.sums == 1 ? LEFT : LEFT + 14, y,
		        f->model.sums == 1 ? "" : " font-size=\"10\"");
		write_text(out, formula);
		fputs("</text>\n", out);
	}
}

static void draw_titles(FILE *out, const struct fit *f)
{
	bool one = f->model.variables.count == 1;

	fprintf(out, "<text class=\"ink\" x=\"%d\" y=\"%d\" font-size=\"16\">", LEFT, f->model.sums == 1 ? 26 : 20);
	write_text(out, f->model.value_name);
	fprintf(out, "%s</text>\n", f->model.sums == 1 ? "" : ": the largest of");
	draw_formula(out, f);
	fprintf(out, "<text class=\"ink\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
	        (LEFT + RIGHT) / 2, BOTTOM + 42, one ? f->model.variables.name[0] : "simulated");
	fprintf(out, "<text class=\"ink\" x=\"%d\" y=\"%d\">error of the model</text>\n", LEFT,
	        LOWER - 10);
	fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
	        TOP, RIGHT - LEFT, MIDDLE - TOP);
	fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
	        LOWER, RIGHT - LEFT, BOTTOM - LOWER);
}

/* Smallest and largest of abscissa, value (the model's too) and error. */
struct extent {
	double x[2], y[2], error[2];
};

static void widen(double range[2], double value)
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

		widen(e.x, abscissa(f, point));
		widen(e.y, point->result);
		widen(e.y, model_largest(&f->model, point->values, NULL));
		widen(e.error, percent(f, point));
	}
	return e;
}

void fit_picture(const struct fit *f, const struct points *p, FILE *out)
{
	struct extent extent = extent_of(f, p);
	struct axis x = axis_of(extent.x[0], extent.x[1], LEFT, RIGHT);
	struct axis y = axis_of(extent.y[0], extent.y[1], MIDDLE, TOP);
	struct axis error = axis_of(extent.error[0], extent.error[1], BOTTOM, LOWER);
	bool one = f->model.variables.count == 1;

	fprintf(out, head, WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
	draw_x(out, &x, one ? "" : f->model.unit);
	draw_y(out, &y, f->model.unit, "");
	draw_y(out, &error, "", " %");
	draw_titles(out, f);
	draw_legend(out, f, f->points < p->list.count, falls(f, p));
	draw_model(out, f, &x, &y, extent.x);
	fprintf(out, "<path class=\"frame\" d=\"M%d %.1fH%d\"/>\n", LEFT, place(&error, 0), RIGHT);
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double at = place(&x, abscissa(f, point)), wrong = percent(f, point);
		unsigned sum = largest_sum(f, point);

		draw_point(out, point->held_out, sum, at,
		           place(&y, one ? point->result : model_largest(&f->model, point->values, NULL)));
		if (!isfinite(wrong))
			continue; /* no percent of 0 */
		fprintf(out, "<path class=\"stem\" d=\"M%.1f %.1fV%.1f\"/>\n", at, place(&error, 0),
		        place(&error, wrong));
		draw_point(out, point->held_out, sum, at, place(&error, wrong));
	}
	fputs("</svg>\n", out);
}
