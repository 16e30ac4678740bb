#include "svg.h"

#include <math.h>
#include <string.h>

#include "../escape.h"

/* Colours of the two backgrounds: light by default, dark where the reader prefers it. */
static const char style[] =
	"<style>\n"
	"svg { --ground: #ffffff; --ink: #1c2230; --faint: #5a6274; --grid: #d9dde5; background: var(--ground); }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"svg { --ground: #14171f; --ink: #e8eaf0; --faint: #a4acbd; --grid: #343a47; } }\n"
	".ground { fill: #ffffff; fill: var(--ground); }\n"
	"text { font-family: system-ui, 'DejaVu Sans', Helvetica, sans-serif; font-size: 13px; }\n"
	"text { fill: #1c2230; fill: var(--ink); }\n"
	".title { font-size: 18px; font-weight: 600; }\n"
	".note, .tick { fill: #5a6274; fill: var(--faint); font-size: 12px; }\n"
	".label { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke: var(--ground); stroke-width: 3px; }\n"
	".grid { stroke: #d9dde5; stroke: var(--grid); stroke-width: 1; }\n"
	".frame { stroke: #5a6274; stroke: var(--faint); stroke-width: 1; fill: none; }\n"
	".line { stroke: #1c2230; stroke: var(--ink); stroke-width: 1.5; fill: none; }\n"
	".leader { stroke: #5a6274; stroke: var(--faint); stroke-width: 0.75; }\n"
	".reading { stroke: #5a6274; stroke: var(--faint); stroke-width: 1; stroke-opacity: 0.45; }\n"
	".ring { stroke: #1c2230; stroke: var(--ink); }\n"
	"</style>\n";

void svg_begin(FILE *out, double width, double height, const char *title, const char *doc)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
		"role=\"img\">\n<title>",
		width, height, width, height);
	escape_xml(out, title);
	fputs("</title>\n<desc>", out);
	escape_xml(out, doc);
	fprintf(out, "</desc>\n%s<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n", style, width, height);
}

void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void svg_text(FILE *out, double x, double y, const char *class, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", x, y, class, anchor);
	escape_xml(out, text);
	fputs("</text>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class)
{
	fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class);
}

/* ---- axes ---- */
enum { LOGARITHMIC_FROM = 20 };

/* Returns the nearest to `v`, by ratio, of 1, 2 and 5 times powers of ten. */
static double round_step(double v)
{
	double power = pow(10, floor(log10(v))), digit = v / power;

	/* the borders are the square roots of 1 * 2, 2 * 5, 5 * 10 */
	return power * (digit < 1.4142 ? 1 : digit < 3.1623 ? 2 : digit < 7.0711 ? 5 : 10);
}

struct prefix {
	double factor;
	const char *text;
};

/* Returns the prefix of the unit with which a value has one to three digits before the point. */
static struct prefix prefix_of(double value)
{
	static const struct prefix prefixes[] = {
		{1e-12, "p"}, {1e-9, "n"}, {1e-6, "\302\265"}, {1e-3, "m"}, {1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"},
	};
	unsigned n = sizeof(prefixes) / sizeof(prefixes[0]) - 1;

	if (value == 0)
		return (struct prefix){1, ""};
	while (n && fabs(value) < prefixes[n].factor * (1 - 1e-9))
		n--;
	return prefixes[n];
}

/* The ends of a linear axis. */
static void fit_linear(struct svg_axis *a, double least, double most, unsigned ticks)
{
	bool positive = least >= 0;
	double margin;

	if (!(most > least)) {
		margin = least != 0 ? 0.1 * fabs(least) : 1;
		least -= margin;
		most += margin;
	}
	margin = 0.04 * (most - least);
	a->step = round_step((most - least + 2 * margin) / ticks);
	a->first = least - margin;
	a->last = most + margin;
	if (positive && a->first < 0)
		a->first = 0;
}

struct svg_axis svg_axis_fit(double least, double most, double from, double to, unsigned ticks)
{
	struct svg_axis a = {.from = from, .to = to};
	struct prefix p;

	a.logarithmic = least > 0 && most >= LOGARITHMIC_FROM * least;
	if (a.logarithmic) {
		a.first = least / 1.15;
		a.last = most * 1.15;
	} else {
		fit_linear(&a, least, most, ticks);
	}
	p = prefix_of(a.last);
	a.scale = 1 / p.factor;
	a.prefix = p.text;
	return a;
}

struct svg_axis svg_axis_doubles(double least, double most, double from, double to)
{
	return (struct svg_axis){
		.first = least / 1.15,
		.last = most * 1.15,
		.from = from,
		.to = to,
		.scale = 1,
		.prefix = "",
		.logarithmic = true,
		.doubles = true,
	};
}

/* Ticks at powers of two; over more than twelve of them at each second, third … one. */
static bool tick_of_doubles(const struct svg_axis *a, unsigned n, double *value)
{
	const int low = (int)ceil(log2(a->first)), high = (int)floor(log2(a->last)), step = (high - low) / 12 + 1;

	*value = ldexp(1, low + (int)n * step);
	return *value <= a->last;
}

double svg_axis_at(const struct svg_axis *a, double v)
{
	double share =
		a->logarithmic ? log(v / a->first) / log(a->last / a->first) : (v - a->first) / (a->last - a->first);

	return a->from + share * (a->to - a->from);
}

bool svg_axis_tick(const struct svg_axis *a, unsigned n, double *value)
{
	static const double steps[] = {1, 2, 5};
	unsigned all = a->decades ? 1 : 3;
	int power;

	if (!a->logarithmic) {
		*value = (ceil(a->first / a->step - 1e-6) + n) * a->step;
		return *value <= a->last + 1e-6 * a->step;
	}
	if (a->doubles)
		return tick_of_doubles(a, n, value);
	power = (int)floor(log10(a->first));
	for (unsigned k = 0;; k++) {
		*value = steps[k % all] * pow(10, power + (int)(k / all));
		if (*value > a->last)
			return false;
		if (*value >= a->first && !n--)
			return true;
	}
}

void svg_value_text(double value, const char *unit, char *text, size_t size)
{
	struct prefix p = prefix_of(value);

	snprintf(text, size, "%.4g %s%s", value / p.factor, p.text, unit);
}

void svg_axis_text(const struct svg_axis *a, double value, char *text, size_t size)
{
	double shown = value * a->scale, step = a->step * a->scale;
	/* a step of 0.2 needs one digit behind the point, one of 20 none */
	int digits = a->logarithmic ? 0 : (int)ceil(-log10(step) - 1e-9);

	if (a->unit) {
		svg_value_text(value, a->unit, text, size);
		return;
	}
	/* ticks of a logarithmic axis are 1, 2 and 5 times a power of ten: whole up to 500000 */
	if (a->logarithmic)
		snprintf(text, size, "%.*g", fabs(shown) < 1e6 ? 6 : 3, shown);
	else
		snprintf(text, size, "%.*f", digits > 0 ? digits : 0, shown);
}

static void axis_name(const struct svg_axis *a, const char *name, const char *unit, char *text, size_t size)
{
	const char *scale = a->logarithmic ? ", logarithmic" : "";

	if (*name && (*unit || *a->prefix))
		snprintf(text, size, "%s%s (%s%s)", name, scale, a->prefix, unit);
	else
		snprintf(text, size, "%s%s", name, *name ? scale : "");
}

void svg_axis_draw_x(FILE *out, const struct svg_axis *x, const struct svg_axis *y, const char *name, const char *unit)
{
	char text[160];
	double v;

	for (unsigned n = 0; svg_axis_tick(x, n, &v); n++) {
		double at = svg_axis_at(x, v);

		svg_line(out, at, y->from, at, y->to, "grid");
		svg_axis_text(x, v, text, sizeof(text));
		svg_text(out, at, y->from + 18, "tick", "middle", text);
	}
	axis_name(x, name, unit, text, sizeof(text));
	svg_line(out, x->from, y->from, x->to, y->from, "frame");
	svg_text(out, (x->from + x->to) / 2, y->from + 42, "", "middle", text);
}

void svg_axis_draw_y(FILE *out, const struct svg_axis *x, const struct svg_axis *y, const char *name, const char *unit)
{
	double v, middle = (y->from + y->to) / 2, widest = 0, left;
	char text[160];

	for (unsigned n = 0; svg_axis_tick(y, n, &v); n++) {
		double at = svg_axis_at(y, v);

		svg_line(out, x->from, at, x->to, at, "grid");
		svg_axis_text(y, v, text, sizeof(text));
		svg_text(out, x->from - 8, at + 4, "tick", "end", text);
		widest = fmax(widest, svg_label_width(text));
	}
	/* beside the widest tick; a reader's font is up to a quarter wider than the one that svg_label_width knows */
	left = x->from - fmax(54, 8 + 1.25 * widest + 6);
	axis_name(y, name, unit, text, sizeof(text));
	svg_line(out, x->from, y->from, x->from, y->to, "frame");
	if (!*text)
		return;
	fprintf(out, "<g transform=\"rotate(-90 %.1f %.1f)\">", left, middle);
	svg_text(out, left, middle, "", "middle", text);
	fputs("</g>\n", out);
}

/* ---- labels ---- */
bool svg_boxes_meet(const struct svg_box *a, const struct svg_box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Narrows the part of a line, [from, to] of 0 to 1, to where `at` + share * `step` is inside `low` to `high`. */
static void clip(double at, double step, double low, double high, double *from, double *to)
{
	if (fabs(step) < 1e-9) {
		if (at <= low || at >= high)
			*to = -1;
		return;
	}
	*from = fmax(*from, (step > 0 ? low - at : high - at) / step);
	*to = fmin(*to, (step > 0 ? high - at : low - at) / step);
}

bool svg_box_on_line(const struct svg_box *b, double x1, double y1, double x2, double y2)
{
	double from = 0, to = 1; /* Liang and Barsky, ACM Transactions on Graphics 3 (1984) */

	clip(x1, x2 - x1, b->x, b->x + b->width, &from, &to);
	clip(y1, y2 - y1, b->y, b->y + b->height, &from, &to);
	return from < to;
}

double svg_label_width(const char *text)
{
	double width = 0;

	/* 12 pixels; a byte that continues a character takes no room; 0xc2 begins the point between two values */
	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) == 0x80 ? 0 : strchr(" .,:;|il\302", *text) ? 4.5 : 7.3;
	return width;
}

static bool svg_is_free(const struct svg_box *b, const struct svg_box *inside, const struct svg_box *taken,
			size_t count)
{
	if (b->x < inside->x || b->y < inside->y || b->x + b->width > inside->x + inside->width ||
	    b->y + b->height > inside->y + inside->height)
		return false;
	for (size_t n = 0; n < count; n++)
		if (svg_boxes_meet(b, &taken[n]))
			return false;
	return true;
}

bool svg_label_place(double x, double y, double width, const struct svg_box *inside, const struct svg_box *taken,
		     size_t count, struct svg_box *out)
{
	static const double directions[][2] = {
		{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {1, 1}, {0, -1}, {1, -1}, {-1, -1},
	};

	for (double away = SVG_LABEL_AWAY; away <= 100; away += 8) {
		for (unsigned n = 0; n < 8; n++) {
			double dx = directions[n][0], dy = directions[n][1];
			const struct svg_box b = {
				x + dx * away +
					(dx < 0   ? -width
					 : dx > 0 ? 0
						  : -width / 2),
				y + dy * away +
					(dy < 0   ? -SVG_LABEL_HEIGHT
					 : dy > 0 ? 0
						  : -SVG_LABEL_HEIGHT / 2),
				width,
				SVG_LABEL_HEIGHT,
			};

			if (!svg_is_free(&b, inside, taken, count))
				continue;
			*out = b;
			return true;
		}
	}
	return false;
}
