/*
 * Isoefficiency: how large a problem has to be for its efficiency on so many ranks (A. Grama, A. Gupta, V. Kumar, IEEE
 * Parallel and Distributed Technology 1(3), 1993). A parameter of the study is the size. Efficiency is that of strong
 * scaling: of each size, relative to its fewest ranks.
 *
 * Between two sizes the ratio of overhead to work, 1 / efficiency - 1, is a power of the size.
 */
#ifndef PSIM_ENERGY_EXPLORE_ISOEFFICIENCY_H
#define PSIM_ENERGY_EXPLORE_ISOEFFICIENCY_H

#include "scaling.h"

struct isoefficiency {
	const struct scaling *scaling;
	size_t axis, param; /* of the size, as those of struct scaling */
	double efficiency;  /* 0 … 1 */
};

/*
 * Reads "PARAMETER=PERCENT". 0, or -1 with `e` (STATUS_USAGE): the parameter does not vary, not in an axis of its own,
 * or is not a number that ascends; the percentage is not between 0 and 100.
 */
int isoefficiency_find(struct isoefficiency *x, const struct scaling *scaling, const char *text, struct err *e);

/*
 * Adds the table "isoefficiency", its name behind `prefix`: for each line of designs and ranks the size; NaN if it is
 * not within the study's sizes. `growth`: the exponent of the size over ranks since the row before. 0, or -1 with `e`.
 */
int isoefficiency_report(const struct isoefficiency *x, const struct designs *d, const char *prefix, const char *over,
			 struct report *r, struct err *e);

#endif
