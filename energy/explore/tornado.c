#include "tornado.h"

#include <math.h>
#include <string.h>

#include "../../psim/base/report/out.h"
#include "../../psim/base/report/svg.h"

enum {
	WIDTH = 960,
	LEFT = 250,
	RIGHT = 880,
	HEADING = 76, /* title and note above a block's panels */
	PANEL_TOP = 34,
	ROW = 24,
	BAR = 14,
	AXIS_ROOM = 60, /* ticks and name below a panel */
	TICKS = 7,
};

static double panel_height(size_t axes)
{
	return PANEL_TOP + (double)axes * ROW + AXIS_ROOM;
}

static double block_height(const struct sensitivity *x)
{
	return HEADING + CRITERION_COUNT * panel_height(x->count);
}

/* The widest range of all criteria, so that bars of a block can be compared. */
static void find_range(const struct sensitivity *x, double *low, double *high)
{
	*low = *high = 1;
	for (unsigned c = 0; c < CRITERION_COUNT; c++) {
		for (size_t n = 0; n < x->count; n++) {
			*low = fmin(*low, x->effects[c][n].low);
			*high = fmax(*high, x->effects[c][n].high);
		}
	}
}

/* Draws the bar of one axis, with its name and the values at both ends. */
static void draw_bar(const struct study *s, const struct effect *effect, const struct svg_axis *axis, double y,
		     FILE *out)
{
	const struct study_axis *a = &s->axes.at[effect->axis];
	double from = svg_axis_at(axis, effect->low), to = svg_axis_at(axis, effect->high);
	char name[STUDY_LABEL_MAX];

	sensitivity_name(s, effect->axis, name);
	svg_text(out, LEFT - 90, y + BAR - 3, "tick", "end", name);
	if (!effect->lines) {
		svg_text(out, LEFT, y + BAR - 3, "tick", "start", "no designs that differ in this alone");
		return;
	}
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%.4g to %.4g, ratio %.4g"
		"</title></rect>\n",
		from, y, fmax(to - from, 1), BAR, SVG_BLUE, effect->low, effect->high, effect->ratio);
	if (effect->least == effect->most)
		return;
	study_axis_value(a, effect->least, name);
	svg_text(out, from - 5, y + BAR - 3, "label", "end", name);
	study_axis_value(a, effect->most, name);
	svg_text(out, to + 5, y + BAR - 3, "label", "start", name);
}

static void draw_criterion(const struct study *s, const struct sensitivity *x, enum criterion c, double low,
			   double high, FILE *out)
{
	const double bottom = PANEL_TOP + (double)x->count * ROW;
	const struct svg_axis axis = svg_axis_fit(low, high, LEFT, RIGHT, TICKS);
	const struct svg_axis side = {.from = bottom, .to = PANEL_TOP - 6, .last = 1};
	char name[200];

	svg_text(out, LEFT, PANEL_TOP - 14, "", "start", criterion_rows[c].doc);
	snprintf(name, sizeof(name), "%s, 1: mean of the parameter's values", criterion_rows[c].name);
	svg_axis_draw_x(out, &axis, &side, name, "");
	for (size_t n = 0; n < x->count; n++)
		draw_bar(s, &x->effects[c][n], &axis, PANEL_TOP + (double)n * ROW, out);
	svg_line(out, svg_axis_at(&axis, 1), PANEL_TOP - 6, svg_axis_at(&axis, 1), bottom, "line");
}

static void draw_block(const struct study *s, const struct tornado_block *b, FILE *out)
{
	double low, high;

	svg_text(out, 40, 34, "title", "start", s->title ? s->title : s->path);
	svg_text(out, 40, 58, "note", "start", b->over);
	find_range(b->sensitivity, &low, &high);
	for (unsigned c = 0; c < CRITERION_COUNT; c++) {
		fprintf(out, "<g transform=\"translate(0 %g)\">\n", HEADING + c * panel_height(b->sensitivity->count));
		draw_criterion(s, b->sensitivity, c, low, high, out);
		fputs("</g>\n", out);
	}
}

int tornado_write(const struct study *s, const struct tornado_block *blocks, unsigned count, FILE *out, struct err *e)
{
	double height = count ? block_height(blocks[0].sensitivity) : 0;

	svg_begin(
		out, WIDTH, height * count, s->title ? s->title : s->path,
		"Sensitivity of time, energy, area and their product to each parameter: a bar each, the widest first.");
	for (unsigned n = 0; n < count; n++) {
		fprintf(out, "<g transform=\"translate(0 %g)\">\n", n * height);
		draw_block(s, &blocks[n], out);
		fputs("</g>\n", out);
	}
	svg_end(out);
	return ferror(out) ? out_error("picture", e) : 0;
}
