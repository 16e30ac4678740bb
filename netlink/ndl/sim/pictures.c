#include "pictures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/report/svg.h"

/* ---- curves ---- */

/* The largest latency, of the least, from which the axis is logarithmic: svg_axis_fit has the same limit. */
enum { SATURATED = 20 };

void curve_finish(struct curve *c)
{
	free(c->name);
	vec_finish(&c->points);
}

/* Reads "points,NAME,ROW,VALUE,UNIT" of a report; ignores other lines. */
static int read_row(struct curve *c, const char *line, struct err *e)
{
	char name[32];
	unsigned row;
	double value;

	if (sscanf(line, "points,%31[a-z_],%u,%lf", name, &row, &value) != 3 || row > c->points.count)
		return 0;
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
	return 0;
}

int curve_read(struct curve *c, const char *text, struct err *e)
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
	in = input_plain(file);
	if (!in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", file, strerror(errno));
	lines.in = in;
	while (!result && lines_next(&lines, line, sizeof(line)))
		result = read_row(c, line, e);
	fclose(in);
	if (!result && *lines.why)
		result = err_set(e, STATUS_BAD_INPUT, "%s: %s", file, lines.why);
	if (!result && c->points.count < 2)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: no table of points, expected a simulator's report of several loads (-f csv)", file);
	return result;
}

/* The largest accepted throughput of a curve, in bytes a clock and processing unit. */
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

static void draw_curve(FILE *out, const struct curve *c, unsigned number, unsigned count, const struct svg_axis *x,
		       const struct svg_axis *y)
{
	const char *before = "";
	char colour[8], name[NAME_MAX_LENGTH];

	snprintf(colour, sizeof(colour), "%s", svg_category(number));
	fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"", colour);
	for (size_t k = 0; k < c->points.count; k++) {
		const struct curve_point *p = &c->points.at[k];

		if (!(p->latency > 0)) /* no message arrived */
			continue;
		fprintf(out, "%s%.1f,%.1f", before, svg_axis_at(x, 100 * p->accepted), svg_axis_at(y, p->latency));
		before = " ";
	}
	fputs("\"/>\n", out);
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

void curves_draw(FILE *out, const char *title, const struct curve *curves, unsigned count)
{
	double most_x = 0, most_y = 0, least = 0;

	for (unsigned c = 0; c < count; c++) {
		most_x = most_accepted(&curves[c]) > most_x ? most_accepted(&curves[c]) : most_x;
		for (size_t p = 0; p < curves[c].points.count; p++) {
			double latency = curves[c].points.at[p].latency;

			if (!(latency > 0))
				continue;
			most_y = latency > most_y ? latency : most_y;
			least = least > 0 && least < latency ? least : latency;
		}
	}
	if (most_x <= 0)
		most_x = 1;
	if (most_y <= 0)
		most_y = least = 1;
	/* from 0, or logarithmic: saturation has latencies of hundreds of times the least */
	struct svg_axis x = svg_axis_fit(0, 100 * most_x, 70, 580, 6),
			y = svg_axis_fit(most_y < SATURATED * least ? 0 : least, most_y, 370, 80, 6);
	y.scale = 1; /* clocks have no prefix */
	y.prefix = "";
	static const char doc[] = "mean latency of a message's head over the accepted throughput, with 95 % intervals";

	svg_begin(out, curves_width(curves, count), 430, title, doc);
	svg_text(out, 30, 28, "title", "start", title);
	svg_text(out, 30, 50, "note", "start", doc);
	svg_axis_draw_x(out, &x, &y, "accepted, of a byte a clock and processing unit", "%");
	svg_axis_draw_y(out, &x, &y, "latency", "clocks");
	for (unsigned c = 0; c < count; c++)
		draw_curve(out, &curves[c], c, count, &x, &y);
	svg_end(out);
}

/* ---- use ---- */

enum { CELLS_MAX = 256, ROW_HEIGHT = 14, LEFT = 150, WIDTH = 640 };

struct row {
	const struct network_kind *kind;
	uint32_t port;
	int vc; /* -1: the link itself */
};

static double share(const struct row *r, const struct network *n, const struct kernel *k, uint32_t element,
		    uint64_t clocks)
{
	const struct network_resource *x = &n->resources[r->kind->first + element];
	uint32_t output = x->first_output + r->port;

	if (r->port >= x->outputs || r->vc >= x->vcs || !clocks)
		return 0;
	uint64_t used = r->vc < 0 ? kernel_link_busy(k, output) : kernel_vc_held(k, output, (uint32_t)r->vc);
	return (double)used / (double)clocks;
}

static void draw_row(FILE *out, const struct row *r, unsigned number, const struct network *n, const struct kernel *k,
		     uint64_t clocks)
{
	uint32_t count = r->kind->count, cells = count < CELLS_MAX ? count : CELLS_MAX;
	double width = (double)WIDTH / cells, top = 68.0 + ROW_HEIGHT * number;
	char text[80];

	snprintf(text, sizeof(text), r->vc < 0 ? "%s.o(%u)" : "%s.o(%u)#v(%d)", r->kind->name, r->port, r->vc);
	svg_text(out, LEFT - 8, top + ROW_HEIGHT - 4, "tick", "end", text);
	for (uint32_t c = 0; c < cells; c++) {
		uint32_t first = (uint32_t)((uint64_t)c * count / cells);
		uint32_t end = (uint32_t)((uint64_t)(c + 1) * count / cells);
		double sum = 0;
		char colour[8];
		for (uint32_t e = first; e < end; e++)
			sum += share(r, n, k, e, clocks);
		sum /= end - first;
		svg_colour(sum < 1 ? sum : 1, colour);
		fprintf(out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n",
			LEFT + c * width, top, width, ROW_HEIGHT - 2, colour);
	}
}

/* Counts the rows, and draws them if `out` is not NULL. */
static unsigned rows(FILE *out, const struct network *n, const struct kernel *k, uint64_t clocks)
{
	unsigned number = 0;

	for (uint32_t i = 0; i < n->kind_count; i++) {
		const struct network_resource *x = &n->resources[n->kinds[i].first];
		uint32_t ports = 0;
		for (uint32_t e = 0; e < n->kinds[i].count; e++)
			ports = x[e].outputs > ports ? x[e].outputs : ports;
		for (uint32_t port = 0; port < ports; port++)
			for (int vc = -1; vc < (x->vcs > 1 ? (int)x->vcs : 0); vc++, number++)
				if (out)
					draw_row(out, &(struct row){&n->kinds[i], port, vc}, number, n, k, clocks);
	}
	return number;
}

void use_draw(FILE *out, const char *title, const struct network *n, const struct kernel *k, uint64_t clocks)
{
	unsigned number = rows(NULL, n, k, clocks);
	static const char doc[] =
		"share of clocks in which a link carried a flit (o) or a virtual channel was held (#v), by element";
	double bottom = 84.0 + ROW_HEIGHT * number;
	char colour[8], text[16];

	svg_begin(out, LEFT + WIDTH + 20, bottom + 44, title, doc);
	svg_text(out, 30, 28, "title", "start", title);
	svg_text(out, 30, 50, "note", "start", doc);
	rows(out, n, k, clocks);
	for (unsigned c = 0; c <= 10; c++) {
		svg_colour(c / 10.0, colour);
		fprintf(out, "<rect x=\"%u\" y=\"%.1f\" width=\"28\" height=\"10\" fill=\"%s\"/>\n", LEFT + 30 * c,
			bottom, colour);
		snprintf(text, sizeof(text), "%u %%", 10 * c);
		if (c % 2 == 0)
			svg_text(out, LEFT + 14 + 30.0 * c, bottom + 24, "tick", "middle", text);
	}
	svg_end(out);
}
