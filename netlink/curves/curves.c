#include "curves.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/report/svg.h"

/* The largest latency, of the least, from which the axis is logarithmic: svg_axis_fit has the same limit. */
enum { SATURATED = 20 };

void curve_finish(struct curve *c)
{
	free(c->name);
	vec_finish(&c->points);
}

/* Reads "points,NAME,ROW,VALUE,UNIT" of a report; ignores other lines. */
static int curve_read_row(struct curve *c, const char *line, const char *unit, struct err *e)
{
	char name[32], found[32] = "";
	unsigned row;
	double value;

	if (sscanf(line, "points,%31[a-z_0-9],%u,%lf,%31s", name, &row, &value, found) < 3 || row > c->points.count)
		return 0;
	if (!strcmp(name, "latency") && strcmp(found, unit) != 0)
		return err_set(e, STATUS_BAD_INPUT, "latency in %s, expected a report with latency in %s", found, unit);
	if (row == c->points.count) {
		struct curve_point *p = vec_push(&c->points, e);
		if (!p)
			return -1;
		*p = (struct curve_point){0};
	}
	if (!strcmp(name, "accepted"))
		c->points.at[row].accepted = value;
	else if (!strcmp(name, "latency"))
		c->points.at[row].latency = value;
	else if (!strcmp(name, "error"))
		c->points.at[row].error = value;
	else if (!strcmp(name, "latency_p99"))
		c->points.at[row].p99 = value;
	return 0;
}

int curve_read(struct curve *c, const char *text, const char *unit, struct err *e)
{
	const char *file = strchr(text, '=');
	struct lines lines = {0};
	char line[1024];
	int result = 0;
	FILE *in;

	*c = (struct curve){0};
	if (!file || file == text)
		return err_set(e, STATUS_USAGE, "--beside %s: expected NAME=FILE.csv", text);
	c->name = mem_copy_text(text, e);
	if (!c->name)
		return -1;
	c->name[file++ - text] = 0;
	in = input_open(file);
	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", file, strerror(errno));
	lines.in = in;
	while (!result && lines_next(&lines, line, sizeof(line)))
		result = curve_read_row(c, line, unit, e);
	fclose(in);
	if (result && e->status == STATUS_BAD_INPUT)
		return err_prefix(e, "%s", file);
	if (!result && *lines.why)
		result = err_set(e, STATUS_BAD_INPUT, "%s: %s", file, lines.why);
	if (!result && c->points.count < 2)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: no table of points, expected a report of several loads (-f csv)", file);
	return result;
}

/* The largest accepted throughput of a curve. */
static double most_accepted(const struct curve *c)
{
	double most = 0;

	for (size_t p = 0; p < c->points.count; p++)
		most = c->points.at[p].accepted > most ? c->points.at[p].accepted : most;
	return most;
}

/* Draws the mark of a point and its interval, as far as it is inside the axis. */
static void draw_mark(FILE *out, const struct curve_point *p, const char *colour, const struct svg_axis *x,
		      const struct svg_axis *y)
{
	double at = svg_axis_at(x, 100 * p->accepted), low = p->latency - p->error, high = p->latency + p->error;

	fprintf(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", colour, at,
		svg_axis_at(y, p->latency));
	fprintf(out, "<path stroke=\"%s\" d=\"M%.1f %.1fV%.1f\"/>\n", colour, at,
		svg_axis_at(y, low > y->first ? low : y->first), svg_axis_at(y, high < y->last ? high : y->last));
}

/* A line through the latencies, or the 99th percentiles, of the points that have one. */
static void draw_line(FILE *out, const struct curve *c, bool p99, const char *style, const struct svg_axis *x,
		      const struct svg_axis *y)
{
	const char *before = "";

	fprintf(out, "<polyline fill=\"none\" %s points=\"", style);
	for (size_t k = 0; k < c->points.count; k++) {
		const struct curve_point *p = &c->points.at[k];
		double latency = p99 ? p->p99 : p->latency;

		if (!(latency > 0)) /* no message arrived */
			continue;
		fprintf(out, "%s%.1f,%.1f", before, svg_axis_at(x, 100 * p->accepted), svg_axis_at(y, latency));
		before = " ";
	}
	fputs("\"/>\n", out);
}

/* The list of names begins at LIST, each name behind its colour. */
enum { LIST = 630, NAME_MAX_LENGTH = 120 };

static void legend_of(const struct curve *c, char *name)
{
	snprintf(name, NAME_MAX_LENGTH, "%.70s: at most %.3g %%", c->name, 100 * most_accepted(c));
}

/* The width of a picture in which the list has room. */
static double curves_width(const struct curve *curves, unsigned count)
{
	double width = 800;
	char name[NAME_MAX_LENGTH];

	for (unsigned c = 0; c < count; c++) {
		legend_of(&curves[c], name);
		width = fmax(width, LIST + svg_label_width(name) + 10);
	}
	return count > 1 ? width : 620;
}

static bool has_p99(const struct curve *c)
{
	for (size_t k = 0; k < c->points.count; k++)
		if (c->points.at[k].p99 > 0)
			return true;
	return false;
}

static void draw_curve(FILE *out, const struct curve *c, unsigned number, unsigned count, const struct svg_axis *x,
		       const struct svg_axis *y)
{
	char colour[8], name[NAME_MAX_LENGTH], style[80];

	snprintf(colour, sizeof(colour), "%s", svg_category(number));
	snprintf(style, sizeof(style), "stroke=\"%s\" stroke-width=\"1.6\"", colour);
	draw_line(out, c, false, style, x, y);
	snprintf(style, sizeof(style), "stroke=\"%s\" stroke-dasharray=\"5 4\"", colour);
	if (has_p99(c))
		draw_line(out, c, true, style, x, y);
	for (size_t k = 0; k < c->points.count; k++)
		if (c->points.at[k].latency > 0)
			draw_mark(out, &c->points.at[k], colour, x, y);
	if (count == 1) { /* the title names it */
		snprintf(name, sizeof(name), "at most %.3g %%", 100 * most_accepted(c));
		svg_text(out, 580, 72, "label", "end", name);
		return;
	}
	fprintf(out, "<path stroke=\"%s\" stroke-width=\"3\" d=\"M606 %uh18\"/>\n", colour, 96 + 20 * number);
	legend_of(c, name);
	svg_text(out, LIST, 100 + 20.0 * number, "label", "start", name);
}

/* The ranges of all curves. */
struct extent {
	double accepted, latency, least; /* the largest accepted and latency, the least latency; 0: none */
};

static void curves_extend(struct extent *x, double latency)
{
	if (!(latency > 0))
		return;
	x->latency = latency > x->latency ? latency : x->latency;
	x->least = x->least > 0 && x->least < latency ? x->least : latency;
}

static struct extent curves_extent(const struct curve *curves, unsigned count)
{
	struct extent x = {0};

	for (unsigned c = 0; c < count; c++) {
		x.accepted = most_accepted(&curves[c]) > x.accepted ? most_accepted(&curves[c]) : x.accepted;
		for (size_t p = 0; p < curves[c].points.count; p++) {
			curves_extend(&x, curves[c].points.at[p].latency);
			curves_extend(&x, curves[c].points.at[p].p99);
		}
	}
	if (x.accepted <= 0)
		x.accepted = 1;
	if (x.latency <= 0)
		x.latency = x.least = 1;
	return x;
}

void curves_draw(FILE *out, const char *title, const struct curve_axes *axes, const struct curve *curves,
		 unsigned count)
{
	struct extent r = curves_extent(curves, count);
	/* from 0, or logarithmic: saturation has latencies of hundreds of times the least */
	struct svg_axis x = svg_axis_fit(0, 100 * r.accepted, 70, 580, 6),
			y = svg_axis_fit(r.latency < SATURATED * r.least ? 0 : r.least, r.latency, 370, 80, 6);
	char name[80];

	if (strcmp(axes->unit, "clocks") == 0) { /* they have no prefix */
		y.scale = 1;
		y.prefix = "";
	}
	svg_begin(out, curves_width(curves, count), 430, title, axes->doc);
	svg_text(out, 30, 28, "title", "start", title);
	svg_text(out, 30, 50, "note", "start", axes->doc);
	snprintf(name, sizeof(name), "accepted, of %s", axes->accepted);
	svg_axis_draw_x(out, &x, &y, name, "%");
	svg_axis_draw_y(out, &x, &y, "latency", axes->unit);
	for (unsigned c = 0; c < count; c++)
		draw_curve(out, &curves[c], c, count, &x, &y);
	svg_end(out);
}

int curves_write(FILE *out, const struct curve_axes *axes, const struct curve *own, const char *const *beside,
		 unsigned count, struct err *e)
{
	struct curve *curves = mem_alloc(count + 1, sizeof(*curves), e);
	char title[160];
	int result = curves ? 0 : -1;

	if (curves)
		curves[0] = *own;
	for (unsigned c = 0; c < count && !result; c++)
		result = curve_read(&curves[c + 1], beside[c], axes->unit, e);
	if (!result) {
		snprintf(title, sizeof(title), "%.100s: latency over throughput", count ? "Networks" : own->name);
		curves_draw(out, title, axes, curves, count + 1);
	}
	for (unsigned c = 0; curves && c < count; c++)
		curve_finish(&curves[c + 1]);
	free(curves);
	return result;
}
