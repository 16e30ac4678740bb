#include <math.h>

#include "../../psim/base/report/svg.h"
#include "volumes.h"

/* Pixels of the picture, its upper panel (distribution) and its lower one (classes). */
enum { WIDTH = 820, HEIGHT = 660, LEFT = 90, RIGHT = 790, TOP = 80, MIDDLE = 330, LOWER = 420, BOTTOM = 600 };
enum { BINS = 60, CLASSES_MAX = 16 };

/* Colours of both placements, of medium lightness: readable on both backgrounds. */
static const struct series {
	const char *name, *colour;
} series[2] = {{"in order", SVG_ORANGE}, {"placed", SVG_BLUE}};

static double volumes_picture_most_of(const struct volumes *v)
{
	return v->links ? (double)v->sorted[v->links - 1] : 0;
}

static void count_bins(const struct volumes *v, double width, unsigned bins[BINS])
{
	for (unsigned i = 0; i < BINS; i++)
		bins[i] = 0;
	for (uint32_t l = 0; l < v->links; l++) {
		unsigned at = (unsigned)((double)v->sorted[l] / width);

		bins[at < BINS ? at : BINS - 1]++;
	}
}

/* Draws a step for each bin, closed along the base line. */
static void volumes_picture_draw_steps(FILE *out, const unsigned bins[BINS], double width, const struct svg_axis *x,
				       const struct svg_axis *y, const char *colour)
{
	fprintf(out,
		"<path fill=\"%s\" fill-opacity=\"0.25\" stroke=\"%s\" stroke-width=\"1.5\" "
		"d=\"M%.1f %.1f",
		colour, colour, svg_axis_at(x, 0), y->from);
	for (unsigned i = 0; i < BINS; i++)
		fprintf(out, "V%.1fH%.1f", bins[i] ? svg_axis_at(y, bins[i]) : y->from,
			svg_axis_at(x, width * (i + 1)));
	fprintf(out, "V%.1f\"/>\n", y->from);
}

static void draw_distribution(FILE *out, const struct volumes *const both[2])
{
	double most = fmax(volumes_picture_most_of(both[0]), volumes_picture_most_of(both[1]));
	struct svg_axis x = svg_axis_fit(0, most, LEFT, RIGHT, 10), y;
	double width = x.last / BINS;
	unsigned bins[2][BINS], highest = 1;

	for (unsigned k = 0; k < 2; k++) {
		count_bins(both[k], width, bins[k]);
		for (unsigned i = 0; i < BINS; i++)
			highest = bins[k][i] > highest ? bins[k][i] : highest;
	}
	/* the axis starts below one link, so that a single one is visible */
	y = svg_axis_fit(0.6, highest < 12 ? 12 : highest, MIDDLE, TOP, 6);
	y.decades = true; /* whole numbers */
	y.scale = 1;
	y.prefix = "";
	svg_axis_draw_x(out, &x, &y, "on a link between routers", "B");
	svg_axis_draw_y(out, &x, &y, "links", "");
	for (unsigned k = 0; k < 2; k++)
		volumes_picture_draw_steps(out, bins[k], width, &x, &y, series[k].colour);
}

/* Draws one class: the mean as a bar, the maximum as a line with a dash at its end. */
static void volumes_picture_draw_bar(FILE *out, const struct volume_class *c, double at, double width,
				     const struct svg_axis *y, const char *colour)
{
	double mean = c->links ? c->total / c->links : 0, top = svg_axis_at(y, mean),
	       most = svg_axis_at(y, (double)c->most);

	fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", at, top, width,
		svg_axis_at(y, 0) - top, colour);
	fprintf(out,
		"<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"M%.1f %.1fV%.1fM%.1f "
		"%.1fh%.1f\"/>\n",
		colour, at + width / 2, top, most, at, most, width);
}

static void draw_classes(FILE *out, const struct volumes *const both[2])
{
	unsigned classes = both[0]->classes < CLASSES_MAX ? both[0]->classes : CLASSES_MAX;
	struct svg_axis x = {
		.first = 0, .last = classes, .step = classes, .from = LEFT, .to = RIGHT, .scale = 1, .prefix = ""};
	struct svg_axis y = svg_axis_fit(0, fmax(volumes_picture_most_of(both[0]), volumes_picture_most_of(both[1])),
					 BOTTOM, LOWER, 5);
	double room = classes ? (RIGHT - LEFT) / (double)classes : 0, width = fmin(room / 4, 28), v;

	y.logarithmic = false;
	svg_axis_draw_y(out, &x, &y, "on a link", "B");
	svg_line(out, LEFT, BOTTOM, RIGHT, BOTTOM, "frame");
	for (unsigned c = 0; c < classes; c++) {
		v = svg_axis_at(&x, c + 0.5);
		for (unsigned k = 0; k < 2; k++)
			volumes_picture_draw_bar(out, &both[k]->class[c], v + (k ? 2 : -2 - width), width, &y,
						 series[k].colour);
		svg_text(out, v, BOTTOM + 18, "tick", "middle", both[0]->class[c].name);
	}
	svg_text(out, (LEFT + RIGHT) / 2, BOTTOM + 42, "", "middle",
		 "directions: mean of the links (bar) and most (line)");
}

static void volumes_picture_draw_legend(FILE *out)
{
	for (unsigned k = 0; k < 2; k++) {
		double x = RIGHT - 190 + 100 * (double)k;

		fprintf(out, "<rect x=\"%.0f\" y=\"49\" width=\"14\" height=\"14\" fill=\"%s\"/>\n", x,
			series[k].colour);
		svg_text(out, x + 20, 61, "", "start", series[k].name);
	}
}

void volumes_picture(const struct volumes *before, const struct volumes *after, const char *title, FILE *out)
{
	const struct volumes *const both[2] = {before, after};

	svg_begin(out, WIDTH, HEIGHT, title,
		  "How many links between routers carry how many bytes, with ranks in order and with "
		  "the placement; below the mean and the most of each direction.");
	svg_text(out, LEFT, 34, "title", "start", title);
	svg_text(out, LEFT, 61, "note", "start", "links by the bytes that they carry");
	draw_distribution(out, both);
	draw_classes(out, both);
	volumes_picture_draw_legend(out);
	svg_end(out);
}
