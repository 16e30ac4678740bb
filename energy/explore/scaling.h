/*
 * Scaling curves: designs that differ in run.ranks, and in what varies with it in a [pair], as a line each. The first
 * of a line, of the fewest ranks, has an efficiency of 1. Strong scaling: the work is the same, and n times the ranks
 * should take an n-th of the time. Weak scaling: the work grows with the ranks, and should take the same time.
 */
#ifndef PSIM_ENERGY_EXPLORE_SCALING_H
#define PSIM_ENERGY_EXPLORE_SCALING_H

#include <stdio.h>

#include "../../psim/base/report/report.h"
#include "designs.h"

struct scaling {
	const struct study *study;
	bool weak;
	size_t axis, param; /* that of run.ranks, and its number among the study's parameters */
};

/* Finds the axis. 0, or -1 with `e` (STATUS_USAGE): run.ranks does not vary, or not in ascending order. */
int scaling_find(struct scaling *x, const struct study *s, bool weak, struct err *e);

/*
 * Returns whether times of weak scaling fall, in each line, nearer to those of strong scaling: the work does not grow
 * with the ranks. Then sets how many times the ranks, and the first time, the last line's last design has.
 */
bool scaling_is_not_weak(const struct scaling *x, const struct designs *d, double *ranks, double *times);

/* Adds the table "scaling", its name behind `prefix`. 0, or -1 with `e`: memory is short. */
int scaling_report(const struct scaling *x, const struct designs *d, const char *prefix, const char *over,
		   struct report *r, struct err *e);

/* Returns the designs by combination, NULL where one has not run, which the caller frees; or NULL with `e`. */
const struct design **scaling_designs(const struct scaling *x, const struct designs *d, struct err *e);

/* Writes the values of a combination's parameters, without those of the axis of ranks, of axis `but`, and costs. */
void scaling_label(const struct scaling *x, size_t combination, size_t but, char text[STUDY_LABEL_MAX]);

/* Draws efficiency over ranks, a curve for each line, as SVG. 0, or -1 with `e`. */
int scaling_draw(const struct scaling *x, const struct designs *d, const char *over, FILE *out, struct err *e);

#endif
