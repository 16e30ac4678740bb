/* The pacing paper's figures with data, drawn from our runs: links and buffers over time, curves, bars. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pacing_pictures.h"
#include "psim/base/report/svg.h"

enum { WIDTH = 720, HEIGHT = 440, LEFT = 70, RIGHT = 620, TOP = 40, BOTTOM = 380, POINTS_MAX = 4000 };

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

/* One curve for each n, its name at its end. */
static void draw_curves(FILE *out, const struct points *p, bool use, bool square, const struct svg_axis *x,
			const struct svg_axis *y)
{
	unsigned least = UINT32_MAX, most = 0;

	for (unsigned i = 0; i < p->count; i++) {
		least = p->at[i].n < least ? p->at[i].n : least;
		most = p->at[i].n > most ? p->at[i].n : most;
	}
	for (unsigned i = 0; i < p->count; i++) {
		const struct point *a = &p->at[i], *b = a + 1;
		char colour[8], text[40];

		if (isnan(a->bias))
			continue;
		svg_colour(most > least ? (a->n - least) / (double)(most - least) : 0, colour);
		if (i + 1 < p->count && b->n == a->n && !isnan(b->bias)) {
			fprintf(out,
				"<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"/>\n",
				svg_axis_at(x, a->bias), svg_axis_at(y, shown(a, use)), svg_axis_at(x, b->bias),
				svg_axis_at(y, shown(b, use)), colour);
			continue;
		}
		if (square)
			snprintf(text, sizeof(text), "%ux%u", a->n, a->n);
		else
			snprintf(text, sizeof(text), "%u", a->n);
		svg_text(out, svg_axis_at(x, a->bias) + 6, svg_axis_at(y, shown(a, use)) + 4, "label", "start", text);
	}
}

void picture_curves(FILE *in, FILE *out, const struct curves_kind *kind)
{
	static struct points p;
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
	x = svg_axis_fit(first, last, LEFT, RIGHT, 9);
	y = svg_axis_fit(0, most, BOTTOM, TOP, 8);
	svg_begin(out, WIDTH, HEIGHT, kind->title, kind->doc);
	svg_axis_draw_x(out, &x, &y, "gap bias", "packets");
	svg_axis_draw_y(out, &x, &y, kind->use ? "links used" : "run time", kind->use ? "%" : "ms");
	draw_curves(out, &p, kind->use, kind->square, &x, &y);
	svg_end(out);
}

/* ---- bars: not paced, bias 0, the best bias, ideal ---- */
enum { BARS = 4, SIZES_MAX = 16 };
static const char *const bar_names[BARS] = {"not paced", "hops - 1", "best gap", "ideal"};

struct bars {
	unsigned n;
	double ms[BARS];
};

static unsigned bars_of(const struct points *p, struct bars *bars)
{
	unsigned count = 0;

	for (unsigned i = 0; i < p->count; i++) {
		const struct point *a = &p->at[i];
		struct bars *b;

		if (!count || bars[count - 1].n != a->n) {
			if (count == SIZES_MAX)
				break;
			bars[count++] = (struct bars){a->n, {0, 0, HUGE_VAL, 1e3 * a2at_ideal(a->n, MIB)}};
		}
		b = &bars[count - 1];
		if (isnan(a->bias))
			b->ms[0] = a->ms;
		else if (a->bias == 0)
			b->ms[1] = a->ms;
		if (!isnan(a->bias))
			b->ms[2] = fmin(b->ms[2], a->ms);
	}
	return count;
}

void picture_bars(FILE *in, FILE *out)
{
	static const char *const colours[BARS] = {"#d55e00", "#e69f00", "#0072b2", "#8a93a6"};
	static struct points p;
	struct bars bars[SIZES_MAX];
	double most = 0;
	unsigned count;
	struct svg_axis x, y;

	read_points(in, &p);
	count = bars_of(&p, bars);
	for (unsigned i = 0; i < count; i++)
		most = fmax(most, fmax(bars[i].ms[0], bars[i].ms[1]));
	x = (struct svg_axis){.first = 0, .last = count ? count : 1, .step = 1, .from = LEFT, .to = RIGHT, .scale = 1};
	y = svg_axis_fit(0, most, BOTTOM, TOP, 8);
	svg_begin(out, WIDTH, HEIGHT, "Effect of pacing",
		  "Run time without pacing, with the theoretical gap, with the best one, and the ideal time");
	svg_axis_draw_y(out, &x, &y, "run time", "ms");
	for (unsigned i = 0; i < count; i++) {
		double width = (RIGHT - LEFT) / (double)count / (BARS + 1), at = svg_axis_at(&x, i) + width / 2;
		char text[20];

		for (unsigned k = 0; k < BARS; k++)
			fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
				at + k * width, svg_axis_at(&y, bars[i].ms[k]), width - 1,
				BOTTOM - svg_axis_at(&y, bars[i].ms[k]), colours[k]);
		snprintf(text, sizeof(text), "%ux%u", bars[i].n, bars[i].n);
		svg_text(out, at + 2 * width, BOTTOM + 18, "tick", "middle", text);
	}
	for (unsigned k = 0; k < BARS; k++) {
		fprintf(out, "<rect x=\"%d\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", RIGHT + 10,
			50 + 20 * k, colours[k]);
		svg_text(out, RIGHT + 28, 60 + 20 * k, "tick", "start", bar_names[k]);
	}
	svg_end(out);
}

/* ---- over time ---- */
struct a2at_result picture_run(struct study *s, unsigned n, struct a2at_program *p, const char *title, const char *file)
{
	struct variant v = {.n = n, .bytes = MIB};
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
