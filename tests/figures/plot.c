#include "plot.h"

#include <math.h>
#include <string.h>

#include "psim/base/report/svg.h"

enum { SHAPES = 6, LEGEND = PLOT_RIGHT + 14, LEGEND_LINE = 22 };

void plot_add(struct plot_series *s, double x, double y)
{
	if (s->count == PLOT_POINTS)
		return;
	s->x[s->count] = x;
	s->y[s->count++] = y;
}

void plot_begin(FILE *out, const char *title, const char *doc)
{
	svg_begin(out, PLOT_WIDTH, PLOT_HEIGHT, title, doc);
	svg_text(out, PLOT_LEFT - 40, 28, "title", "start", title);
	svg_text(out, PLOT_LEFT - 40, 50, "note", "start", doc);
}

/* The marker of curve `n`: square, circle, cross and plus, so that curves on top of each other are both seen. */
static void draw_marker(FILE *out, unsigned n, double x, double y)
{
	static const char *const shapes[] = {"M-4 -4h8v8h-8z",       "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
					     "M-5 -5L5 5M-5 5L5 -5", "M-6 0H6M0 -6V6",
					     "M0 -6L6 5H-6z",        "M0 -6L6 0L0 6L-6 0z"};

	fprintf(out,
		"<path transform=\"translate(%.1f %.1f)\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
		"d=\"%s\"/>\n",
		x, y, svg_category(n), shapes[n % SHAPES]);
}

static void draw_series(FILE *out, const struct plot_series *s, unsigned n, const struct svg_axis *x,
			const struct svg_axis *y)
{
	if (!s->points) {
		fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s d=\"", svg_category(n),
			s->dashed ? " stroke-dasharray=\"5 4\"" : "");
		for (unsigned i = 0; i < s->count; i++)
			fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', svg_axis_at(x, s->x[i]), svg_axis_at(y, s->y[i]));
		fputs("\"/>\n", out);
	}
	for (unsigned i = 0; i < s->count; i++)
		draw_marker(out, n, svg_axis_at(x, s->x[i]), svg_axis_at(y, s->y[i]));
}

static struct svg_axis axis_of(double least, double most, bool logarithmic, double from, double to, const char *unit)
{
	struct svg_axis a = svg_axis_fit(logarithmic ? least : 0, most, from, to, 8);

	if (logarithmic && least > 0) {
		a.logarithmic = true;
		a.first = least / 1.15;
		a.last = most * 1.15;
	}
	if (strcmp(unit, "s")) /* counts, shares and units that have a prefix get none */
		a.scale = 1, a.prefix = "";
	a.decades = a.logarithmic && most > 300 * least;
	return a;
}

void plot_curves(FILE *out, const struct plot *p, const struct plot_series *series, unsigned count)
{
	double x_least = HUGE_VAL, x_most = 0, y_least = HUGE_VAL, y_most = 0, at = PLOT_TOP + 10;
	struct svg_axis x, y;

	for (unsigned n = 0; n < count; n++)
		for (unsigned i = 0; i < series[n].count; i++) {
			x_least = fmin(x_least, series[n].x[i]), x_most = fmax(x_most, series[n].x[i]);
			y_least = fmin(y_least, series[n].y[i]), y_most = fmax(y_most, series[n].y[i]);
		}
	if (x_least > x_most) /* no points */
		x_least = y_least = 0, x_most = y_most = 1;
	x = axis_of(x_least, x_most, p->logarithmic, PLOT_LEFT, PLOT_RIGHT, p->x_unit);
	y = axis_of(y_least, y_most, p->logarithmic, PLOT_BOTTOM, PLOT_TOP, p->y_unit);
	plot_begin(out, p->title, p->doc);
	svg_axis_draw_x(out, &x, &y, p->x_name, p->x_unit);
	svg_axis_draw_y(out, &x, &y, p->y_name, p->y_unit);
	for (unsigned n = 0; n < count; n++) {
		if (!series[n].count)
			continue;
		draw_series(out, &series[n], n, &x, &y);
		draw_marker(out, n, LEGEND + 8, at);
		svg_text(out, LEGEND + 22, at + 4, "tick", "start", series[n].name);
		at += LEGEND_LINE;
	}
	svg_end(out);
}

/* ---- groups of bars ---- */
static void draw_group(FILE *out, const struct plot_group *g, const struct plot_bars *bars, double at, double width,
		       const struct svg_axis *y)
{
	for (unsigned k = 0; k < bars->count; k++)
		fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
			at + k * width, svg_axis_at(y, g->value[k]), width - 1,
			PLOT_BOTTOM - svg_axis_at(y, g->value[k]), svg_category(k));
	svg_text(out, at + bars->count * width / 2, PLOT_BOTTOM + 18, "tick", "middle", g->name);
}

void plot_groups(FILE *out, const struct plot *p, const struct plot_bars *bars, const struct plot_group *groups,
		 unsigned count)
{
	struct svg_axis x = {.last = count ? count : 1, .step = 1, .from = PLOT_LEFT, .to = PLOT_RIGHT, .scale = 1}, y;
	double width = (PLOT_RIGHT - PLOT_LEFT) / x.last / (bars->count + 1), most = 0;

	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < bars->count; k++)
			most = fmax(most, groups[i].value[k]);
	plot_begin(out, p->title, p->doc);
	y = axis_of(0, most, false, PLOT_BOTTOM, PLOT_TOP, p->y_unit);
	svg_axis_draw_y(out, &x, &y, p->y_name, p->y_unit);
	for (unsigned i = 0; i < count; i++)
		draw_group(out, &groups[i], bars, svg_axis_at(&x, i) + width / 2, width, &y);
	for (unsigned k = 0; k < bars->count; k++) {
		fprintf(out, "<rect x=\"%d\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", LEGEND,
			PLOT_TOP + 10 + LEGEND_LINE * k, svg_category(k));
		svg_text(out, LEGEND + 18, PLOT_TOP + 20.0 + LEGEND_LINE * k, "tick", "start", bars->names[k]);
	}
	svg_end(out);
}
