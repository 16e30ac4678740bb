/* Data points made by hand, for tests of fits. */
#ifndef PSIM_TESTS_FIT_DATA_H
#define PSIM_TESTS_FIT_DATA_H

#include "netlink/model/fit/fit.h"

/* Returns an empty list of points of the variables named in `names`, "n" or "n m". */
struct points fit_data_points(const char *names);

/* Adds a point; `m` is ignored with one variable. */
void fit_data_add(struct points *p, double n, double m, double result);

/* Returns the terms of a text, in static storage; their number goes to `count`. */
const struct term *fit_data_terms(const struct points *p, const char *text, unsigned *count);

/* Returns half the interval at `values`. */
double fit_data_half(const struct fit *f, const double *values);

#endif
