/* Points made by hand, for tests of fits. */
#ifndef PSIM_TESTS_FIT_DATA_H
#define PSIM_TESTS_FIT_DATA_H

#include "netlink/model/fit/points.h"

/* Points without anything, of the variables named in `names`, "n" or "n m". */
struct points fit_data_points(const char *names);

/* Adds a point; `m` is not looked at where there is one variable. */
void fit_data_add(struct points *p, double n, double m, double result);

/* The terms of a text; the number goes to `count`. Static storage. */
const struct term *fit_data_terms(const struct points *p, const char *text, unsigned *count);

#endif
