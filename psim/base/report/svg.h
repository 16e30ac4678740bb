/*
 * Pictures as SVG text: a frame that is readable on light and dark backgrounds, axes with round
 * ticks, ordered colours, and labels that do not overlap.
 *
 * Everything writes to a stream; closing it reports errors. Coordinates are pixels, y downwards.
 * Texts are escaped here (escape_xml).
 */
#ifndef PSIM_BASE_SVG_H
#define PSIM_BASE_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "colours.h"

/*
 * Opens a picture of width x height with its title and description (for screen readers). Classes
 * for its elements: title, note, tick, label (text); frame, grid, line, leader, reading (strokes in
 * contrast to the background).
 */
void svg_begin(FILE *out, double width, double height, const char *title, const char *doc);
void svg_end(FILE *out);

/* Text at a point; `anchor` is start, middle or end. */
void svg_text(FILE *out, double x, double y, const char *class, const char *anchor, const char *text);

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class);

/* ---- axes ---- */
struct svg_axis {
	double first, last; /* range shown, in the values' unit */
	double step;        /* between ticks, its multiples; 0: logarithmic, ticks are 1, 2 and 5 times powers of ten */
	double from, to;    /* the pixels of `first` and `last` */
	double scale;       /* values are shown multiplied by this */
	const char *prefix; /* prefix of their unit: "m", "k", or "" */
	bool logarithmic;
	bool decades;     /* logarithmic axis: ticks at powers of ten only */
	bool doubles;     /* logarithmic axis: ticks at powers of two */
	const char *unit; /* unit of each tick, with a prefix of its own ("20 us"), or NULL */
};

/*
 * Makes an axis from pixel `from` to `to` that covers least … most and 4 % at each end, with about
 * `ticks` round ticks. It begins at 0 if that is within these 4 %. It is logarithmic if most is at least
 * twenty times a positive least.
 */
struct svg_axis svg_axis_fit(double least, double most, double from, double to, unsigned ticks);

/* Makes a logarithmic axis for counts that double, such as ranks, from `least`, which is positive. */
struct svg_axis svg_axis_doubles(double least, double most, double from, double to);

/* Returns the pixel of a value. */
double svg_axis_at(const struct svg_axis *a, double value);

/* Sets the n-th tick's value; false behind the last one. */
bool svg_axis_tick(const struct svg_axis *a, unsigned n, double *value);

/* Writes a value as the axis' ticks show it. */
void svg_axis_text(const struct svg_axis *a, double value, char *text, size_t size);

/* Writes a value with a prefix before its unit: "2.941 ms". */
void svg_value_text(double value, const char *unit, char *text, size_t size);

/*
 * Draws ticks, their numbers and grid lines of an axis at the lower (x) or left (y) edge of the
 * area that both axes span, with `name`, "logarithmic" where it is, and the prefixed unit beside it.
 */
void svg_axis_draw_x(FILE *out, const struct svg_axis *x, const struct svg_axis *y, const char *name, const char *unit);
void svg_axis_draw_y(FILE *out, const struct svg_axis *x, const struct svg_axis *y, const char *name, const char *unit);

/* ---- places for labels ---- */
struct svg_box {
	double x, y, width, height; /* upper left corner, width and height */
};

bool svg_boxes_meet(const struct svg_box *a, const struct svg_box *b);

/* Returns whether the line from x1, y1 to x2, y2 enters a box. */
bool svg_box_on_line(const struct svg_box *b, double x1, double y1, double x2, double y2);

/* Estimates the width of a text of class label. */
double svg_label_width(const char *text);
enum { SVG_LABEL_HEIGHT = 14, SVG_LABEL_AWAY = 9 /* from the point that it names, at least */ };

/*
 * Finds a place for a label of `width` near the point x, y: in `inside`, outside every box of
 * `taken`, the nearer the better. False if there is none within a few lines' distance.
 */
bool svg_label_place(double x, double y, double width, const struct svg_box *inside, const struct svg_box *taken,
		     size_t count, struct svg_box *out);

#endif
