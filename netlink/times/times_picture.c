/*
 * Tables of times as a picture: a panel for each table, in it a curve for each row (a distance, a communicator) over
 * the bytes; a table of one column has points over its rows. Communicators that are no power of two, whose algorithms
 * differ, are dashed.
 */
#include <math.h>
#include <string.h>

#include "../../psim/base/report/svg.h"
#include "times.h"

enum { COLUMNS = 2, WIDTH = 1040, MARGIN = 20, TOP = 80, PANEL_WIDTH = 500, PANEL_HEIGHT = 270, LEGEND_MAX = 14 };

/* A panel: its table and the axes of its plot. */
struct panel {
	const struct times_table *table;
	unsigned rows, columns;
	double left, top;
	struct svg_axis x, y;
};

static double seconds_of(const struct panel *p, unsigned row, unsigned column)
{
	return (double)times_at(p->table, times_row(p->table, row), times_bytes(p->table, column)) / 1e12;
}

static bool over_rows(const struct panel *p)
{
	return p->columns == 1;
}

/* Fits both axes. Logarithmic ones begin with the least value above 0. */
static void fit_axes(struct panel *p)
{
	double least = HUGE_VAL, most = 0, x_least = HUGE_VAL, x_most = 0;

	for (unsigned i = 0; i < p->rows; i++)
		for (unsigned k = 0; k < p->columns; k++) {
			double s = seconds_of(p, i, k),
			       x = over_rows(p) ? times_row(p->table, i) : times_bytes(p->table, k);

			least = s > 0 ? fmin(least, s) : least;
			most = fmax(most, s);
			x_least = x > 0 ? fmin(x_least, x) : x_least;
			x_most = fmax(x_most, x);
		}
	p->x = svg_axis_fit(x_least < HUGE_VAL ? x_least : 0, x_most, p->left + 62, p->left + 400, 6);
	p->y = svg_axis_fit(least < HUGE_VAL ? least : 0, most, p->top + 200, p->top, 5);
	p->x.decades = p->x.logarithmic && x_most > 1e3 * x_least;
	p->y.decades = p->y.logarithmic && most > 1e3 * least;
	p->y.unit = "s";
	p->y.prefix = "";
	if (!over_rows(p)) {
		p->x.unit = "B";
		p->x.prefix = "";
		return;
	}
	p->x.scale = 1;
	p->x.prefix = "";
}

/* A value of 0 is at the begin of a logarithmic axis. */
static double times_picture_place(const struct svg_axis *a, double v)
{
	return a->logarithmic && v < a->first ? a->from : svg_axis_at(a, v);
}

static bool is_of_distances(const struct panel *p)
{
	return !strcmp(times_name(p->table), "p2p");
}

static const char *dash_of(const struct panel *p, unsigned row)
{
	int exponent;

	return is_of_distances(p) || frexp(times_row(p->table, row), &exponent) <= 0.5 ? ""
										       : " stroke-dasharray=\"4 3\"";
}

static void times_picture_colour_of(const struct panel *p, unsigned row, char colour[8])
{
	svg_colour(p->rows > 1 ? row / (p->rows - 1.0) : 0, colour);
}

static void times_picture_draw_point(const struct panel *p, unsigned row, unsigned column, const char *colour,
				     FILE *out)
{
	double x = over_rows(p) ? times_row(p->table, row) : times_bytes(p->table, column);

	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"%s\"/>\n", times_picture_place(&p->x, x),
		times_picture_place(&p->y, seconds_of(p, row, column)), colour);
}

static void times_picture_draw_row(const struct panel *p, unsigned row, FILE *out)
{
	char colour[8];

	times_picture_colour_of(p, row, colour);
	fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\"%s d=\"", colour, dash_of(p, row));
	for (unsigned k = 0; k < p->columns; k++)
		fprintf(out, "%c%.1f %.1f", k ? 'L' : 'M', times_picture_place(&p->x, times_bytes(p->table, k)),
			times_picture_place(&p->y, seconds_of(p, row, k)));
	fputs("\"/>\n", out);
	for (unsigned k = 0; k < p->columns; k++)
		times_picture_draw_point(p, row, k, colour, out);
}

/* Names of the curves, beside the plot; of many rows the first ones and the last. */
static void times_picture_draw_legend(const struct panel *p, const char *what, FILE *out)
{
	double x = p->left + 412, y = p->top + 4;

	svg_text(out, x, y, "tick", "start", what);
	for (unsigned n = 0; n < p->rows && n < LEGEND_MAX; n++) {
		unsigned row = n + 1 == LEGEND_MAX ? p->rows - 1 : n;
		char colour[8], text[32];

		y += 14;
		times_picture_colour_of(p, row, colour);
		fprintf(out, "<path stroke=\"%s\" stroke-width=\"1.8\"%s d=\"M%.1f %.1fh24\"/>\n", colour,
			dash_of(p, row), x, y - 4);
		snprintf(text, sizeof(text), "%s%.12g", row != n ? "… " : "", times_row(p->table, row));
		svg_text(out, x + 30, y, "tick", "start", text);
	}
}

static void draw_table(struct panel *p, FILE *out)
{
	const char *rows = is_of_distances(p) ? "links" : "ranks";

	fit_axes(p);
	svg_text(out, p->left + 62, p->top - 10, "", "start",
		 is_of_distances(p) ? "p2p: one message" : times_name(p->table));
	svg_axis_draw_x(out, &p->x, &p->y, over_rows(p) ? rows : "bytes", "");
	svg_axis_draw_y(out, &p->x, &p->y, "time", "");
	if (over_rows(p)) {
		for (unsigned i = 0; i < p->rows; i++)
			times_picture_draw_point(p, i, 0, SVG_BLUE, out);
		return;
	}
	for (unsigned i = 0; i < p->rows; i++)
		times_picture_draw_row(p, i, out);
	times_picture_draw_legend(p, rows, out);
}

void times_picture(const struct times *t, const char *title, FILE *out)
{
	unsigned count = times_count(t), lines = (count + COLUMNS - 1) / COLUMNS;

	svg_begin(out, WIDTH, TOP + lines * (double)PANEL_HEIGHT, title,
		  "Time of messages by size and distance, and of collective operations by size and number of ranks");
	svg_text(out, MARGIN, 32, "title", "start", title);
	svg_text(out, MARGIN, 54, "note", "start",
		 "time over the bytes of a message, of a rank's part, or of the buffer; at the left edge: 0 bytes");
	for (unsigned i = 0; i < count; i++) {
		struct panel p = {
			.table = times_at_index(t, i),
			.left = MARGIN + i % COLUMNS * (double)PANEL_WIDTH,
			.top = TOP + 16 + i / COLUMNS * (double)PANEL_HEIGHT,
		};

		times_shape(p.table, &p.rows, &p.columns);
		draw_table(&p, out);
	}
	svg_end(out);
}
