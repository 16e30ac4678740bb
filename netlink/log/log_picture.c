/*
 * Series as a picture: panels with a common time axis. Throughput of links between routers by class, with their
 * mean; injection and ejection; fill of buffers by class and virtual channel; the distribution of buffers over ten
 * classes of fill.
 */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/report/svg.h"
#include "log_parts.h"

enum { WIDTH = 900, LEFT = 78, RIGHT = 735, TOP = 62, PANEL = 205, PLOT = 140, LEGEND_MAX = 13 };

enum curve_kind { CURVE_THROUGHPUT, CURVE_MEAN, CURVE_FILLED };

struct curve {
	enum curve_kind kind;
	unsigned index;     /* class, or class * vcs + vc */
	const char *colour; /* NULL: contrasts with the background */
	const char *dash;   /* NULL: solid */
	char name[TOPOLOGY_NAME_MAX + 16];
};

struct panel {
	const char *title, *axis, *unit;
	struct curve *curve;
	unsigned curves;
	double top, most;
	struct svg_axis x, y;
};

static bool is_of_nics(const struct log_series *s, unsigned class)
{
	return !strcmp(s->t->class[class].name, "inject") || !strcmp(s->t->class[class].name, "eject");
}

/* Mean throughput of links between routers. */
static double mean_throughput(const struct log_series *s, uint32_t row)
{
	double sum = 0, links = 0;

	for (unsigned c = 0; c < s->t->classes; c++) {
		if (is_of_nics(s, c))
			continue;
		sum += log_series_throughput(s, row, c) * s->t->class[c].links;
		links += s->t->class[c].links;
	}
	return links > 0 ? sum / links : 0;
}

static double log_picture_value_of(const struct log_series *s, const struct curve *c, uint32_t row)
{
	switch (c->kind) {
	case CURVE_THROUGHPUT: return log_series_throughput(s, row, c->index);
	case CURVE_MEAN: return mean_throughput(s, row);
	default: return log_series_filled(s, row, c->index);
	}
}

static double log_picture_seconds(const struct log_series *s, double rows)
{
	return rows * (double)s->interval / 1e12;
}

static void log_picture_draw_curve(const struct log_series *s, const struct panel *p, const struct curve *c, FILE *out)
{
	fprintf(out, "<path class=\"%s\" d=\"", c->colour ? "series" : "line");
	for (uint32_t i = 0; i < s->rows; i++)
		fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', svg_axis_at(&p->x, log_picture_seconds(s, i + 0.5)),
			svg_axis_at(&p->y, log_picture_value_of(s, c, i)));
	fputs("\" fill=\"none\" stroke-width=\"1.4\"", out);
	if (c->colour)
		fprintf(out, " stroke=\"%s\"", c->colour);
	if (c->dash)
		fprintf(out, " stroke-dasharray=\"%s\"", c->dash);
	fputs("/>\n", out);
}

static void log_picture_draw_legend(const struct panel *p, FILE *out)
{
	for (unsigned i = 0; i < p->curves && i < LEGEND_MAX; i++) {
		const struct curve *c = &p->curve[i];
		double y = p->top + 6 + 15 * i;
		char more[40];

		if (i == LEGEND_MAX - 1 && p->curves > LEGEND_MAX) {
			snprintf(more, sizeof(more), "and %u more", p->curves - i);
			svg_text(out, RIGHT + 14, y + 4, "tick", "start", more);
			return;
		}
		fprintf(out, "<path class=\"%s\" d=\"M%d %.1fh24\" stroke-width=\"1.8\"%s%s%s%s%s%s/>\n",
			c->colour ? "series" : "line", RIGHT + 14, y, c->colour ? " stroke=\"" : "",
			c->colour ? c->colour : "", c->colour ? "\"" : "", c->dash ? " stroke-dasharray=\"" : "",
			c->dash ? c->dash : "", c->dash ? "\"" : "");
		svg_text(out, RIGHT + 44, y + 4, "tick", "start", c->name);
	}
}

/* Draws a panel's frame: title and axes. */
static void log_picture_draw_axes(const struct log_series *s, struct panel *p, FILE *out)
{
	p->x = svg_axis_fit(0, log_picture_seconds(s, s->rows), LEFT, RIGHT, 9);
	p->x.last = log_picture_seconds(s, s->rows);
	p->y = svg_axis_fit(0, p->most > 0 ? p->most : 1, p->top + PLOT, p->top, 4);
	p->y.last = p->most > 0 ? p->most : 1;
	svg_text(out, LEFT, p->top - 8, "", "start", p->title);
	svg_axis_draw_x(out, &p->x, &p->y, "time", "s");
	svg_axis_draw_y(out, &p->x, &p->y, p->axis, p->unit);
}

static void log_picture_draw_panel(const struct log_series *s, struct panel *p, FILE *out)
{
	log_picture_draw_axes(s, p, out);
	for (unsigned i = 0; i < p->curves; i++)
		log_picture_draw_curve(s, p, &p->curve[i], out);
	log_picture_draw_legend(p, out);
}

/* Draws stacked bands: the share of buffers filled below 10 %, 20 % … */
static void draw_fill(const struct log_series *s, struct panel *p, FILE *out)
{
	log_picture_draw_axes(s, p, out);
	for (unsigned k = 0; k < NET_LOG_FILL_CLASSES; k++) {
		char colour[8], name[24];
		double y = p->top + PLOT - 8 - 13 * k;

		svg_colour(k / (NET_LOG_FILL_CLASSES - 1.0), colour);
		fprintf(out, "<path fill=\"%s\" d=\"", colour);
		for (uint32_t i = 0; i < s->rows; i++)
			fprintf(out, "%c%.1f %.1fH%.1f", i ? 'L' : 'M', svg_axis_at(&p->x, log_picture_seconds(s, i)),
				svg_axis_at(&p->y, log_series_below(s, i, k + 1)),
				svg_axis_at(&p->x, log_picture_seconds(s, i + 1.0)));
		for (uint32_t i = s->rows; i-- > 0;)
			fprintf(out, "L%.1f %.1fH%.1f", svg_axis_at(&p->x, log_picture_seconds(s, i + 1.0)),
				svg_axis_at(&p->y, log_series_below(s, i, k)),
				svg_axis_at(&p->x, log_picture_seconds(s, i)));
		fprintf(out, "Z\"/>\n<rect x=\"%d\" y=\"%.1f\" width=\"24\" height=\"12\" fill=\"%s\"/>\n", RIGHT + 14,
			y - 6, colour);
		snprintf(name, sizeof(name), "%u to %u %%", 10 * k, 10 * (k + 1));
		svg_text(out, RIGHT + 44, y + 4, "tick", "start", name);
	}
}

/* Adds a curve to a panel that has room. */
static void log_picture_add(struct panel *p, enum curve_kind kind, unsigned index, unsigned colour, const char *dash,
			    const char *name)
{
	struct curve *c = &p->curve[p->curves++];

	*c = (struct curve){.kind = kind, .index = index, .dash = dash};
	c->colour = kind == CURVE_MEAN ? NULL : svg_category(colour);
	snprintf(c->name, sizeof(c->name), "%s", name);
}

/* Adds the throughput of NIC links, or of links between routers with their mean. */
static void fill_throughput(const struct log_series *s, bool nics, struct panel *p)
{
	unsigned count = 0;

	*p = (struct panel){.title = nics ? "injection and ejection: mean of a link"
					  : "links between routers: mean of each class",
			    .axis = "throughput",
			    .unit = "B/s",
			    .curve = p->curve};
	for (unsigned c = 0; c < s->t->classes; c++) {
		if (is_of_nics(s, c) != nics)
			continue;
		log_picture_add(p, CURVE_THROUGHPUT, c, count++, NULL, s->t->class[c].name);
		p->most = s->t->class[c].bytes_per_s > p->most ? s->t->class[c].bytes_per_s : p->most;
	}
	if (count > 1 && !nics)
		log_picture_add(p, CURVE_MEAN, 0, 0, NULL, "mean");
}

/* Adds the filled share of the buffers at the end of these links. */
static void fill_buffers(const struct log_series *s, bool nics, struct panel *p)
{
	static const char *const dashes[] = {NULL, "6 3", "2 2", "8 2 2 2"};
	unsigned classes = 0;

	*p = (struct panel){.title = nics ? "FIFOs of NICs: mean fill"
					  : "buffers between routers: mean fill, by virtual channel",
			    .axis = "filled",
			    .unit = "%",
			    .most = 100,
			    .curve = p->curve};
	for (unsigned c = 0; c < s->t->classes; c++) {
		if (is_of_nics(s, c) != nics)
			continue;
		for (unsigned vc = 0; vc < s->t->vcs; vc++) {
			unsigned pair = c * s->t->vcs + vc;
			char name[TOPOLOGY_NAME_MAX + 16];

			if (!log_series_has_buffers(s, pair))
				continue;
			snprintf(name, sizeof(name), "%s VC %u", s->t->class[c].name, vc);
			log_picture_add(p, CURVE_FILLED, pair, classes, dashes[vc % 4], name);
		}
		classes++;
	}
}

static void draw_all(const struct log_series *s, struct panel *p, FILE *out)
{
	double top = TOP + 24;

	for (unsigned i = 0; i < 4; i++) {
		if (i < 2)
			fill_throughput(s, i == 1, p);
		else
			fill_buffers(s, i == 3, p);
		p->top = top;
		if (!p->curves)
			continue;
		log_picture_draw_panel(s, p, out);
		top += PANEL + 10;
	}
	if (!log_series_weighed(s))
		return;
	*p = (struct panel){.curve = p->curve,
			    .title = "buffers between routers, by fill",
			    .axis = "buffers",
			    .unit = "%",
			    .most = 100,
			    .top = top};
	draw_fill(s, p, out);
}

int log_series_picture(const struct log_series *s, const char *title, FILE *out, struct err *e)
{
	struct panel p = {.curve = mem_alloc(s->t->classes * (s->t->vcs + 1) + 1, sizeof(*p.curve), e)};
	unsigned panels = s->rows ? 2 + (log_series_weighed(s) ? 3 : 0) : 0;

	if (!p.curve)
		return -1;
	svg_begin(out, WIDTH, TOP + 24 + (panels ? panels : 1) * (PANEL + 10.0), title,
		  "Throughput of links, injection and ejection, and how full buffers are, over time");
	svg_text(out, LEFT - 40, 30, "title", "start", title);
	if (panels)
		draw_all(s, &p, out);
	else
		svg_text(out, LEFT - 40, 54, "note", "start",
			 "The run is shorter than an interval, or its engine has no series.");
	svg_end(out);
	free(p.curve);
	return 0;
}
