/*
 * A Gaussian process that predicts a figure of combinations that are not simulated from those that are, with its
 * uncertainty (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, ch. 2, 4 and 5).
 *
 * A combination is its positions on the axes of the study. The covariance is Matern's with 5/2, and each axis has a
 * length of its own. On an axis of numbers the distance is that of the positions, from 0 to 1; values that are no
 * numbers have the distance 1 from each other. The lengths and the noise are those of the largest posterior density
 * that a pattern search finds from two starts, with the prior of Hvarfner, Hellsten and Nardi, "Vanilla Bayesian
 * optimization performs great in high dimensions", ICML 2024. All is done in one order with one thread: equal input
 * has equal bytes.
 */
#ifndef PSIM_ENERGY_EXPLORE_SURROGATE_H
#define PSIM_ENERGY_EXPLORE_SURROGATE_H

#include <stdbool.h>
#include <stddef.h>

#include "../../psim/base/err.h"

enum { SPACE_AXES_MAX = 20 }; /* each has two positions or more, so a grid of STUDY_POINTS_MAX has at most 16 */

/* A grid: a combination is a position on each axis, the last one running fastest. */
struct space {
	unsigned axes;
	size_t length[SPACE_AXES_MAX];
	bool ordered[SPACE_AXES_MAX]; /* its values are numbers */
	size_t combinations;          /* the product of the lengths */
};

/* The position of a combination on an axis. */
size_t space_position(const struct space *s, size_t combination, unsigned axis);

struct surrogate;

/* Makes a model without data. `space` must outlive it. NULL with `e` if memory is exhausted. */
struct surrogate *surrogate_create(const struct space *space, struct err *e);
void surrogate_destroy(struct surrogate *g); /* NULL is allowed */

/*
 * Fits the model to value[count] of the combinations at[count], which are different; count is 1 or more. The lengths
 * begin with those of the last fit. Returns 0, or -1 with `e` if memory is exhausted.
 */
int surrogate_fit(struct surrogate *g, const size_t *at, const double *value, size_t count, struct err *e);

/* Sets the candidates of which the model predicts the value: a mean and a standard deviation. 0, or -1 with `e`. */
int surrogate_candidates(struct surrogate *g, const size_t *at, size_t count, struct err *e);
double surrogate_mean(const struct surrogate *g, size_t candidate);
double surrogate_deviation(const struct surrogate *g, size_t candidate);

/*
 * Takes the mean of a candidate for its value, which lessens the deviations around it: so several are chosen before
 * the first is simulated ("kriging believer": Ginsbourger, Le Riche and Carraro, "Kriging is well-suited to
 * parallelize optimization", 2010). Returns 0, or -1 with `e`.
 */
int surrogate_believe(struct surrogate *g, size_t candidate, struct err *e);

#endif
