/* Plots of a figure's numbers as SVG: curves with markers and a legend, groups of bars. */
#ifndef PSIM_TESTS_PLOT_H
#define PSIM_TESTS_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLOT_POINTS = 16, PLOT_BARS = 4, PLOT_WIDTH = 760, PLOT_HEIGHT = 480 };
/* The area of the plot in pixels; the legend is right of it. */
enum { PLOT_LEFT = 70, PLOT_RIGHT = 560, PLOT_TOP = 76, PLOT_BOTTOM = 420 };

/* Contents of a plot. Units: "s", which gets a prefix, or another one as it is, "%", "ms", or "" for a count. */
struct plot {
	const char *title, *doc; /* the line below the title, which is what screen readers say, too */
	const char *x_name, *x_unit, *y_name, *y_unit;
	bool logarithmic; /* both axes; no value is 0 */
};

/* A curve: points in the order in which they are joined; a curve without points is left out. */
struct plot_series {
	const char *name;
	unsigned count;
	double x[PLOT_POINTS], y[PLOT_POINTS];
	bool dashed;
	bool points; /* markers alone */
};

struct plot_group {
	char name[24];
	double value[PLOT_BARS];
};

/* The names of a group's bars, at most PLOT_BARS. */
struct plot_bars {
	unsigned count;
	const char *names[PLOT_BARS];
};

/* Adds a point; one beyond PLOT_POINTS is lost. */
void plot_add(struct plot_series *s, double x, double y);

/* Opens a picture of PLOT_WIDTH x PLOT_HEIGHT with its title and the line below it; svg_end closes it. */
void plot_begin(FILE *out, const char *title, const char *doc);

/* Draws a whole picture of `count` curves. */
void plot_curves(FILE *out, const struct plot *p, const struct plot_series *series, unsigned count);

/* Draws a whole picture of groups of bars, the x axis being their names. */
void plot_groups(FILE *out, const struct plot *p, const struct plot_bars *bars, const struct plot_group *groups,
		 unsigned count);

#endif
