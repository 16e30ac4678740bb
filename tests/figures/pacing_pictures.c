/* The pacing paper's figures with data, drawn from our runs: links and buffers over time, curves, bars. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pacing_pictures.h"
#include "plot.h"
#include "psim/base/report/svg.h"

enum { RIGHT = 620, POINTS_MAX = 4000, NAMES_MAX = 64, GROUPS_MAX = 16 };

struct point {
	unsigned n;
	double bias, ms, use; /* bias NAN: without pacing */
};

struct points {
	struct point at[POINTS_MAX];
	unsigned count;
};

/* Lines "curve n bias ms use" as `pacing … curve` prints them, or "phase n bias ms 0". */
static void read_points(FILE *in, struct points *p)
{
	char line[200], bias[40];

	p->count = 0;
	while (p->count < POINTS_MAX && fgets(line, sizeof(line), in)) {
		struct point *one = &p->at[p->count];

		if (sscanf(line, "%*s %u %39s %lf %lf", &one->n, bias, &one->ms, &one->use) != 4)
			continue;
		one->bias = strcmp(bias, "none") ? strtod(bias, NULL) : (double)NAN;
		p->count++;
	}
}

static double shown(const struct point *p, bool use)
{
	return use ? p->use : p->ms;
}

/* The name of a curve, beside the plot: `y` is where it is written, the others where the curve ends. */
struct name {
	unsigned n;
	double end_x, end_y, y;
};

static int by_height(const void *a, const void *b)
{
	const struct name *one = a, *two = b;

	return one->end_y < two->end_y ? -1 : one->end_y > two->end_y ? 1 : (one->n > two->n) - (one->n < two->n);
}

/* Moves names apart that would cover each other: downwards, and up again from the lower edge. */
static void spread_names(struct name *names, unsigned count)
{
	double lowest = PLOT_BOTTOM;

	qsort(names, count, sizeof(*names), by_height);
	for (unsigned i = 0; i < count; i++) {
		names[i].y = names[i].end_y;
		if (i && names[i].y < names[i - 1].y + SVG_LABEL_HEIGHT)
			names[i].y = names[i - 1].y + SVG_LABEL_HEIGHT;
	}
	for (unsigned i = count; i-- > 0; lowest = names[i].y - SVG_LABEL_HEIGHT)
		names[i].y = fmin(names[i].y, lowest);
}

static void draw_names(FILE *out, struct name *names, unsigned count, const struct curves_kind *kind)
{
	spread_names(names, count);
	for (unsigned i = 0; i < count; i++) {
		char text[40];

		snprintf(text, sizeof(text), kind->square ? "%u x %u" : "phase %u", names[i].n, names[i].n);
		fprintf(out, "<path class=\"leader\" fill=\"none\" d=\"M%.1f %.1fL%d %.1f\"/>\n", names[i].end_x + 3,
			names[i].end_y, RIGHT + 20, names[i].y);
		svg_text(out, RIGHT + 24, names[i].y + 4, "tick", "start", text);
	}
}

/* One curve for each n; their names, up to NAMES_MAX, with where they end. */
static unsigned draw_curves(FILE *out, const struct points *p, bool use, const struct svg_axis *x,
			    const struct svg_axis *y, struct name *names)
{
	unsigned least = UINT32_MAX, most = 0, count = 0;

	for (unsigned i = 0; i < p->count; i++) {
		least = p->at[i].n < least ? p->at[i].n : least;
		most = p->at[i].n > most ? p->at[i].n : most;
	}
	for (unsigned i = 0; i < p->count; i++) {
		const struct point *a = &p->at[i], *b = a + 1;
		double at_x = svg_axis_at(x, a->bias), at_y = svg_axis_at(y, shown(a, use));
		char colour[8];

		if (isnan(a->bias))
			continue;
		svg_colour(most > least ? (a->n - least) / (double)(most - least) : 0, colour);
		if (i + 1 < p->count && b->n == a->n && !isnan(b->bias))
			fprintf(out,
				"<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"/>\n",
				at_x, at_y, svg_axis_at(x, b->bias), svg_axis_at(y, shown(b, use)), colour);
		else if (count < NAMES_MAX)
			names[count++] = (struct name){.n = a->n, .end_x = at_x, .end_y = at_y};
	}
	return count;
}

void picture_curves(FILE *in, FILE *out, const struct curves_kind *kind)
{
	static struct points p;
	struct name names[NAMES_MAX];
	double most = 0, first = 0, last = 0;
	struct svg_axis x, y;

	read_points(in, &p);
	for (unsigned i = 0; i < p.count; i++) {
		if (isnan(p.at[i].bias))
			continue;
		most = fmax(most, shown(&p.at[i], kind->use));
		first = fmin(first, p.at[i].bias);
		last = fmax(last, p.at[i].bias);
	}
	x = svg_axis_fit(first, last, PLOT_LEFT, RIGHT, 9);
	y = svg_axis_fit(0, most, PLOT_BOTTOM, PLOT_TOP, 8);
	plot_begin(out, kind->title, kind->doc);
	svg_axis_draw_x(out, &x, &y, "gap bias", "packets");
	svg_axis_draw_y(out, &x, &y, kind->use ? "links used" : "run time", kind->use ? "%" : "ms");
	draw_names(out, names, draw_curves(out, &p, kind->use, &x, &y, names), kind);
	svg_end(out);
}

/* ---- groups of bars ---- */
/* A group for each size: not paced, bias 0, the best bias, ideal. */
static unsigned sizes_of(const struct points *p, struct plot_group *groups)
{
	unsigned count = 0, n = 0;

	for (unsigned i = 0; i < p->count; i++) {
		const struct point *a = &p->at[i];
		struct plot_group *g;

		if (!count || a->n != n) {
			if (count == GROUPS_MAX)
				break;
			n = a->n;
			groups[count] = (struct plot_group){.value = {0, 0, HUGE_VAL, 1e3 * a2at_ideal(n, MIB)}};
			snprintf(groups[count++].name, sizeof(g->name), "%u x %u", n, n);
		}
		g = &groups[count - 1];
		if (isnan(a->bias))
			g->value[0] = a->ms;
		else if (a->bias == 0)
			g->value[1] = a->ms;
		if (!isnan(a->bias))
			g->value[2] = fmin(g->value[2], a->ms);
	}
	return count;
}

void picture_bars(FILE *in, FILE *out)
{
	static const struct plot_bars bars = {4, {"not paced", "gap: hops - 1", "best gap", "ideal"}};
	static const struct plot shown_as = {
		"All-to-all of 1 MiB: what pacing gains",
		"run time without pacing, with a gap of hops - 1 packets, with the best gap, and the ideal time",
		"",
		"",
		"run time",
		"ms",
		false};
	static struct points p;
	struct plot_group groups[GROUPS_MAX];

	read_points(in, &p);
	plot_groups(out, &shown_as, &bars, groups, sizes_of(&p, groups));
}

void picture_algorithms(FILE *in, FILE *out, bool use)
{
	static const struct plot_bars bars = {3, {"A2AT", "pairwise", "ring"}};
	static const char doc[] = "without pacing, 64 MiB in all from each node";
	static const struct plot time = {"All-to-all algorithms: run time", doc, "", "", "run time", "ms", false},
				 links = {"All-to-all algorithms: links used", doc, "", "", "links used", "%", false};
	struct plot_group groups[GROUPS_MAX];
	unsigned count = 0, nodes;
	char line[300];
	double v[6];

	while (count < GROUPS_MAX && fgets(line, sizeof(line), in)) {
		struct plot_group *g = &groups[count];

		if (sscanf(line, "%u %*u %lf %lf %lf %lf %lf %lf", &nodes, v, v + 1, v + 2, v + 3, v + 4, v + 5) != 7)
			continue;
		*g = (struct plot_group){.value = {v[3 * use], v[3 * use + 1], v[3 * use + 2]}};
		snprintf(g->name, sizeof(g->name), "%u nodes", nodes);
		count++;
	}
	plot_groups(out, use ? &links : &time, &bars, groups, count);
}

/* ---- over time ---- */
struct a2at_result picture_run(struct study *s, unsigned n, struct a2at_program *p, const char *title, const char *file)
{
	struct variant v = {.n = n, .bytes = s->bytes};
	struct a2at_result r;
	FILE *out = fopen(file, "w");

	if (!out) {
		fprintf(stderr, "pacing: %s: %s\n", file, strerror(errno));
		exit(STATUS_FAILED);
	}
	r = study_draw(s, &v, p, title, out);
	if (fclose(out)) {
		fprintf(stderr, "pacing: %s: %s\n", file, strerror(errno));
		exit(STATUS_FAILED);
	}
	return r;
}
