/* The figures of a point, one row each in figures.def. */
#ifndef PSIM_ENERGY_EXPLORE_FIGURES_H
#define PSIM_ENERGY_EXPLORE_FIGURES_H

enum figure {
#define F(name, path, unit, doc) FIGURE_##name,
#include "figures.def"
#undef F
	FIGURE_COUNT
};

struct figures {
	double value[FIGURE_COUNT];
};

struct figure_row {
	const char *name, *path, *unit, *doc;
};

/* FIGURE_COUNT rows. */
extern const struct figure_row figure_rows[];

#endif
