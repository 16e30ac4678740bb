/*
 * Draws the picture of a run. Upper panel: a bar for each rank, or for groups of ranks where there
 * are many, with computation, calls and waiting, and below it the rank's share of the critical
 * path. Lower panel: activity of a few ranks over time, and the path through them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/report/svg.h"
#include "analysis_state.h"

enum { WIDTH = 1000, LEFT = 90, RIGHT = 975, BARS_TOP = 76, BARS_HEIGHT = 260, BARS_MAX = 256, STEPS_MAX = 2000 };

#define WORK SVG_BLUE
#define CALLS SVG_ORANGE
#define WAIT SVG_GREY
#define PATH SVG_VERMILION

static double analysis_picture_seconds(int64_t ps)
{
	return (double)ps / 1e12;
}

static void box(FILE *out, double x, double y, double width, double height, const char *colour)
{
	if (width > 0 && height > 0)
		fprintf(out,
			"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
			"fill=\"%s\"/>\n",
			x, y, width, height, colour);
}

static void analysis_picture_legend(FILE *out, double y)
{
	static const struct {
		const char *colour, *text;
	} entries[] = {
		{WORK, "computation"},
		{CALLS, "calls"},
		{WAIT, "waiting"},
		{PATH, "critical path"},
	};
	double x = LEFT;

	for (unsigned i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		box(out, x, y - 10, 12, 12, entries[i].colour);
		svg_text(out, x + 18, y, "", "start", entries[i].text);
		x += 40 + svg_label_width(entries[i].text);
	}
}

/* ---- bars ---- */

/* Means over ranks first … first + count - 1 in ps, and least and most computation. */
struct bar {
	uint32_t first, count;
	double work, calls, wait, path;
	double least, most;
};

static struct bar bar_of(const struct analysis *a, const struct vmpi *v, uint32_t first, uint32_t count)
{
	struct bar b = {.first = first, .count = count, .least = 1e300};

	for (uint32_t i = first; i < first + count; i++) {
		const struct record_rank *k = &a->record->ranks[i];
		const struct path_share *p = &a->path.rank[i];
		double work = (double)k->computed, end = (double)vmpi_rank_time(v, i);

		b.work += work / count;
		b.wait += (double)k->waited / count;
		b.calls += (end - work - (double)k->waited) / count;
		b.path += (double)(p->work + p->overhead + p->flight);
		b.least = work < b.least ? work : b.least;
		b.most = work > b.most ? work : b.most;
	}
	return b;
}

/* The left edge of a rank's bar, whose middle is where the axis has the rank. */
static double bar_edge(const struct svg_axis *x, uint32_t rank)
{
	return svg_axis_at(x, rank - 0.5);
}

static void analysis_picture_draw_bar(FILE *out, const struct bar *b, const struct svg_axis *x,
				      const struct svg_axis *y)
{
	double left = bar_edge(x, b->first), right = bar_edge(x, b->first + b->count), at = 0;
	double gap = right - left > 6 ? 1 : 0, middle = (left + right) / 2;
	const struct {
		double ps;
		const char *colour;
	} parts[] = {{b->work, WORK}, {b->calls, CALLS}, {b->wait, WAIT}};

	for (unsigned i = 0; i < 3; i++) {
		double low = svg_axis_at(y, at / 1e12), high = svg_axis_at(y, (at + parts[i].ps) / 1e12);

		box(out, left + gap, high, right - left - 2 * gap, low - high, parts[i].colour);
		at += parts[i].ps;
	}
	if (b->count > 1)
		svg_line(out, middle, svg_axis_at(y, b->least / 1e12), middle, svg_axis_at(y, b->most / 1e12), "line");
}

/* Draws the strip under the bars, darker where more of the path is. */
static void draw_path(FILE *out, const struct bar *b, const struct svg_axis *x, double most)
{
	double left = bar_edge(x, b->first), right = bar_edge(x, b->first + b->count);

	if (b->path > 0)
		fprintf(out,
			"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"10\" fill=\"" PATH "\" opacity=\"%.2f\"/>\n",
			left, BARS_TOP + BARS_HEIGHT + 2, right - left, 0.2 + 0.8 * b->path / most);
}

static void draw_bars(const struct analysis *a, const struct vmpi *v, FILE *out)
{
	uint32_t ranks = a->setup.ranks, group = (ranks + BARS_MAX - 1) / BARS_MAX;
	struct svg_axis x = svg_axis_fit(0, ranks, LEFT, RIGHT, 10);
	struct svg_axis y = svg_axis_fit(0, analysis_picture_seconds(a->end), BARS_TOP + BARS_HEIGHT, BARS_TOP, 6);
	struct svg_axis names = x, strip = y;
	double most = 0;
	char text[80];

	x.first = names.first = -0.5;
	x.last = names.last = ranks - 0.5;
	names.step = names.step < 1 ? 1 : names.step;
	names.scale = 1;
	names.prefix = "";
	strip.from += 14; /* the ranks' numbers are under the strip */
	for (uint32_t i = 0; i < ranks; i += group) {
		struct bar b = bar_of(a, v, i, i + group > ranks ? ranks - i : group);

		most = b.path > most ? b.path : most;
	}
	snprintf(text, sizeof(text), group > 1 ? "rank, %" PRIu32 " to a bar" : "rank", group);
	svg_axis_draw_x(out, &names, &strip, text, "");
	svg_axis_draw_y(out, &x, &y, "time", "s");
	for (uint32_t i = 0; i < ranks; i += group) {
		struct bar b = bar_of(a, v, i, i + group > ranks ? ranks - i : group);

		analysis_picture_draw_bar(out, &b, &x, &y);
		draw_path(out, &b, &x, most);
	}
}

/* ---- over time ---- */

struct rows_area {
	const struct gantt *g;
	struct svg_axis x;
	double top, height; /* of a row */
	int64_t end;        /* of the run or of the window */
};

static double row_top(const struct rows_area *r, uint32_t rank)
{
	return r->top + (rank - r->g->first) * r->height;
}

/* Returns the end of the run of equal columns that begins at column `c` of the rank. */
static uint32_t run_of_cells(const struct gantt *g, uint32_t rank, uint32_t c, uint32_t columns)
{
	uint32_t next = c + 1;

	while (next < columns && gantt_at(g, rank, next, GANTT_WORK) == gantt_at(g, rank, c, GANTT_WORK) &&
	       gantt_at(g, rank, next, GANTT_WAIT) == gantt_at(g, rank, c, GANTT_WAIT))
		next++;
	return next;
}

enum part { PART_WORK, PART_CALLS, PART_WAIT, PARTS };

/*
 * Sets top and bottom, 0 to 1, of one part of an interval; from the row's bottom: computation,
 * calls, waiting.
 */
static void analysis_picture_part_of(const struct gantt *g, uint32_t rank, uint32_t c, int64_t length, enum part part,
				     double *low, double *high)
{
	double work = (double)gantt_at(g, rank, c, GANTT_WORK) / (double)length;
	double wait = (double)gantt_at(g, rank, c, GANTT_WAIT) / (double)length;

	*low = part == PART_WORK ? 0 : part == PART_CALLS ? work : 1 - wait;
	*high = part == PART_WORK ? work : part == PART_CALLS ? 1 - wait : 1;
}

/* Draws all pieces of one part in one SVG path: a run has thousands. */
static void draw_part(FILE *out, const struct rows_area *r, uint32_t rank, int64_t end, enum part part)
{
	static const char *const colours[PARTS] = {WORK, CALLS, WAIT};
	const struct gantt *g = r->g;
	uint32_t columns = (uint32_t)((end - g->from + g->interval - 1) / g->interval);
	double bottom = row_top(r, rank) + r->height - 1, height = r->height - 2;
	bool any = false;

	columns = columns < GANTT_COLUMNS ? columns : GANTT_COLUMNS;
	for (uint32_t c = 0, next; c < columns; c = next) {
		int64_t from = g->from + c * g->interval, to, length;
		double left, right, low, high;

		next = run_of_cells(g, rank, c, columns);
		to = g->from + next * g->interval;
		to = to < end ? to : end;
		length = to - from < g->interval ? to - from : g->interval;
		left = svg_axis_at(&r->x, analysis_picture_seconds(from));
		right = svg_axis_at(&r->x, analysis_picture_seconds(to));
		analysis_picture_part_of(g, rank, c, length, part, &low, &high);
		if (high - low < 0.005)
			continue;
		fprintf(out, "%sM%.1f %.1fV%.1fH%.1fV%.1f", any ? "" : "<path d=\"", left, bottom - height * low,
			bottom - height * high, right, bottom - height * low);
		any = true;
	}
	if (any)
		fprintf(out, "\" fill=\"%s\"/>\n", colours[part]);
}

static void analysis_picture_draw_row(FILE *out, const struct rows_area *r, uint32_t rank, int64_t rank_end)
{
	int64_t end = rank_end < r->end ? rank_end : r->end;

	for (unsigned part = 0; end > r->g->from && part < PARTS; part++)
		draw_part(out, r, rank, end, (enum part)part);
}

static bool shown(const struct gantt *g, uint32_t rank)
{
	return rank >= g->first && rank - g->first < g->ranks;
}

/* Draws the critical path along the rows, slanted where it is a message, clipped to the window. */
static void analysis_picture_draw_steps(const struct analysis *a, FILE *out, const struct rows_area *r)
{
	unsigned drawn = 0;

	fputs("<g stroke=\"" PATH "\" stroke-width=\"2\" stroke-linecap=\"round\">\n", out);
	for (size_t i = 0; i < a->path.steps && drawn < STEPS_MAX; i++) {
		const struct path_step *s = &a->path.step[i];
		int64_t from, to;
		double y, slope;

		if (!shown(r->g, s->rank) || !shown(r->g, s->origin) || s->to <= r->g->from || s->from >= r->end)
			continue;
		from = s->from > r->g->from ? s->from : r->g->from;
		to = s->to < r->end ? s->to : r->end;
		y = row_top(r, s->origin) + r->height / 2;
		slope = (row_top(r, s->rank) - row_top(r, s->origin)) / (double)(s->to - s->from);
		fprintf(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
			svg_axis_at(&r->x, analysis_picture_seconds(from)), y + slope * (double)(from - s->from),
			svg_axis_at(&r->x, analysis_picture_seconds(to)), y + slope * (double)(to - s->from));
		drawn++;
	}
	fputs("</g>\n", out);
}

static double row_height(uint32_t ranks)
{
	return ranks <= 16 ? 24 : ranks <= 32 ? 16 : 11;
}

static void draw_gantt(const struct analysis *a, const struct vmpi *v, FILE *out, double top)
{
	const struct gantt *g = &a->gantt;
	struct rows_area r = {.g = g, .top = top, .height = row_height(g->ranks), .end = a->end};
	uint32_t every = g->ranks <= 32 ? 1 : 4;
	double bottom = top + g->ranks * r.height, first = analysis_picture_seconds(g->from);
	struct svg_axis y = {.from = bottom, .to = top};
	char text[32];

	if (g->fixed && a->setup.to_ps < r.end)
		r.end = a->setup.to_ps;
	if (analysis_picture_seconds(r.end) >= 20 * first)
		first = 0; /* keeps the axis linear */
	r.x = svg_axis_fit(first, analysis_picture_seconds(r.end), LEFT, RIGHT, 9);
	svg_axis_draw_x(out, &r.x, &y, "time", "s");
	for (uint32_t i = g->first; i < g->first + g->ranks; i++) {
		analysis_picture_draw_row(out, &r, i, vmpi_rank_time(v, i));
		if ((i - g->first) % every)
			continue;
		snprintf(text, sizeof(text), "rank %" PRIu32, i);
		svg_text(out, LEFT - 8, row_top(&r, i) + r.height / 2 + 4, "tick", "end", text);
	}
	analysis_picture_draw_steps(a, out, &r);
}

void analysis_picture(const struct analysis *a, const struct vmpi *v, FILE *out)
{
	const struct gantt *g = &a->gantt;
	double top = BARS_TOP + BARS_HEIGHT + 100;
	bool rows = g->ranks && a->end > g->from;
	double height = rows ? top + g->ranks * row_height(g->ranks) + 60 : BARS_TOP + BARS_HEIGHT + 70;
	char title[120], time[32];

	svg_value_text(analysis_picture_seconds(a->end), "s", time, sizeof(time));
	snprintf(title, sizeof(title), "%" PRIu32 " rank%s, %s: computation, calls and waiting", a->setup.ranks,
		 a->setup.ranks == 1 ? "" : "s", time);
	svg_begin(out, WIDTH, height, title,
		  "Bars: what each rank's time went into; a thin line shows least and most "
		  "computation where a bar stands "
		  "for several ranks. The strip below: where the critical path lies. Rows: ranks "
		  "over time.");
	svg_text(out, LEFT, 30, "title", "start", title);
	analysis_picture_legend(out, 56);
	draw_bars(a, v, out);
	if (rows)
		draw_gantt(a, v, out, top);
	svg_end(out);
}
