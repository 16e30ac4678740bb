/*
 * The spread of a figure over several runs: mean, standard deviation, extremes, and the interval of the mean; whether
 * the means of two sets of runs differ.
 */
#ifndef PSIM_BASE_SPREAD_H
#define PSIM_BASE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

struct spread {
	uint64_t runs;
	double mean;
	double deviation;   /* standard deviation of a run, by runs - 1; 0 of a single one */
	double least, most; /* of all runs */
};

/* The spread of `value[runs]`, runs >= 1. */
struct spread spread_of(const double *value, uint64_t runs);

/* Half the 95 % confidence interval of the mean, by Student's t; infinite for a single run. */
double spread_half(const struct spread *s);

/*
 * The two-sided 95 % quantile of Student's t with `freedom` degrees, at least 1; of parts of a degree, that of the
 * whole ones.
 */
double spread_t95(double freedom);

/*
 * The difference of two means, b - a, and half its 95 % confidence interval: B. Welch, "The generalization of
 * 'Student's' problem when several different population variances are involved", Biometrika 34, 1947. Infinite if one
 * of them is of a single run. `within`: the interval contains 0, so that the runs do not show which is less. That of
 * figures that are the same in all runs does, too.
 */
struct spread_difference {
	double mean, half;
	bool within;
};
struct spread_difference spread_compare(const struct spread *a, const struct spread *b);

#endif
