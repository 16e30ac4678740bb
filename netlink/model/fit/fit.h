/*
 * Fitting of time models: least squares for given terms, the largest of several sums of given
 * terms, or terms selected from a normal form by leave-one-out cross-validation. Points that are
 * held out take no part.
 *
 * Relative weights (each point by 1 / its value) minimise errors in percent, at every size; equal
 * weights those in seconds, that is, at the largest sizes.
 */
#ifndef PSIM_NETLINK_FIT_H
#define PSIM_NETLINK_FIT_H

#include <stdint.h>

#include "lsq.h"
#include "points.h"

/* Errors below a percent are no reason to doubt, and no promise beyond the range: assumed. */
#define LEAST_ERROR 1.0

/* A set of terms that is nearly as good as the chosen one. */
struct rival {
	unsigned count;
	struct term terms[MODEL_TERMS_MAX];
	double coefficient[MODEL_TERMS_MAX];
	double left_out; /* mean square of its weighted errors at what was left out */
};
enum { FIT_RIVALS = 16 };

struct fit {
	struct model model;
	bool relative;
	bool positive;                        /* no point is below 0 */
	unsigned points, sizes;               /* runs used for the fit, and different sizes among them */
	unsigned values[MODEL_VARIABLES_MAX]; /* different ones of each variable in these runs */
	unsigned degrees;                     /* sizes - terms */
	double bound;                         /* Student's t, 95 %, of these degrees of freedom */
	double variance;                      /* of a weighted residual */
	double scatter; /* the same for runs of one size around their mean; 0: one run of each size */
	double standard_error[MODEL_ROWS_MAX];
	double covariance[MODEL_ROWS_MAX][MODEL_ROWS_MAX]; /* of the coefficients; 0 between sums */
	double r2;                                         /* share of the weighted variance that the model explains */
	double rms_error;                                  /* percent of the value; the largest is model.max_error */
	double cross_validation; /* percent: rms of the errors of points left out one at a time */
	/*
	 * percent: largest error at the third of the sizes with the largest values, fitted without
	 * them; NaN if the others are too few, or there are several sums
	 */
	double beyond;
	double beyond_factor; /* how far these sizes are beyond the range of the others: a factor, 1 or more */
	/*
	 * mean square of the weighted errors of rows left out one at a time, with chosen terms at least that of rows
	 * inside the range of the others whose terms were chosen without them; 0: unknown
	 */
	double left_out_variance;
	/*
	 * percent, at twice the range: the largest of errors at points left out beyond the others, less the interval
	 * that the others give there, in proportion to the logarithm of the distance
	 */
	double excess;
	bool learnt[MODEL_VARIABLES_MAX]; /* points beyond the others in this variable were left out, or are held out */
	double rivals;        /* percent: fit_choose: the largest difference of a rival at twice the range */
	unsigned rival_count; /* of fit_choose; the one that differs most at twice the range first */
	struct rival rival[FIT_RIVALS];
	uint64_t hypotheses; /* sets of terms tried, 0: the user gave them */
	const char *kernel;  /* kernel whose theory has the terms, NULL: none; constant */
};

/*
 * Fits coefficients of terms[0 … count - 1]. 0, or -1 with `e`: STATUS_USAGE if
 * there are too few points or a term is a combination of the others at these
 * points, STATUS_BAD_INPUT if a term or weight has no value at a point.
 */
int fit_terms(const struct points *p, const struct term *terms, unsigned count, bool relative, struct fit *f,
	      struct err *e);

/*
 * Fits the largest of 2 … MODEL_SUMS_MAX sums; sum s has terms[first[s] … first[s + 1] - 1]. Uses
 * the least squares partition algorithm of A. Magnani, S. Boyd, "Convex piecewise-linear fitting",
 * Optimization and Engineering 10, 2009: fits each sum to the points assigned to it, then assigns
 * each point to the sum that is the largest there, until nothing changes; takes the best of many
 * starts. Coefficients are not negative: terms are work that takes time, and points where another
 * sum is larger do not bound this one from below. Cross-validation starts from the assignment
 * found, without the point. 0, or -1 with `e` as fit_terms; STATUS_USAGE too if a sum is the
 * largest at no more points than it has terms, or one sum alone fits as well.
 */
int fit_largest(const struct points *p, const struct term *terms, const unsigned *first, unsigned sums, bool relative,
		struct fit *f, struct err *e);

/* Selection of terms. */
struct fit_choice {
	unsigned max_terms;
	bool relative;
	bool any_sign;      /* a coefficient may be below 0 where a term that grows faster has one above */
	const char *kernel; /* kernel whose theory (theories.def) has the terms; NULL: see fit_choose */
};

/*
 * Chooses terms and fits them. Theory comes first: the terms of choice->kernel, or of a kernel whose name is in
 * that of the value; without such a name those of all kernels, and products, over the variables, of n^i log2(n)^j,
 * the normal form of A. Calotoiu, T. Hoefler, M. Poke, F. Wolf, "Using automated performance modeling to find
 * scalability bugs in complex codes", SC 2013 (i and j: fit_choose.c), which are taken if their error is less than
 * half that of the best theory.
 *
 * A hypothesis is a set of up to max_terms terms, fewer than half the sizes. Of each number of terms the one with
 * the smallest cross-validation error counts; of these, the smallest that is within a standard error of the best
 * (L. Breiman et al., "Classification and regression trees", 1984, the 1 SE rule). Not considered: negative
 * coefficients, sets with a coefficient whose 95 % interval contains 0, and what singles out a point.
 */
int fit_choose(const struct points *p, const struct fit_choice *choice, struct fit *f, struct err *e);

/*
 * Makes a table of the points, to interpolate between (lookup.h); weights are relative. 0, or -1
 * with `e`: STATUS_BAD_INPUT if the sizes do not form a grid or numbers are not above 0. Free with
 * fit_finish.
 */
int fit_interpolate(const struct points *p, struct fit *f, struct err *e);

void fit_finish(struct fit *f);

/*
 * Sets the model's expected errors: inside the range of the fit, and at twice it. Inside: the largest error of a
 * point fitted, left out or held out. At twice the range: the largest of this one; `beyond` and the errors of points
 * held out beyond the range, each extrapolated in proportion to the logarithm of the factor at which it was seen;
 * and `rivals`.
 */
void fit_expect_errors(struct fit *f, const struct points *p);

/* Returns the number of different functions of a variable, the constant included, in terms[0 … count - 1]. */
unsigned fit_functions(const struct term *terms, unsigned count, unsigned variable);

/* Returns the factor, 1 or more, between a rival and the model; infinite where one has no value above 0. */
double fit_rival_ratio(const struct fit *f, const struct rival *r, const double *values);

/*
 * Sets what to expect of a run at `values`: between `low` and `high`, not below 0 where all points are above. Inside
 * the range of the fit it is the prediction interval that holds 95 of 100 runs. Outside, where nobody can promise a
 * share, it is what was seen of extrapolation: this interval, widened by the largest of the expected error there
 * (model_expected_error) and what the rivals say. Returns whether it is outside; `rival` (may be NULL): the number
 * of the one that makes it as wide as it is, -1: none.
 */
bool fit_interval(const struct fit *f, const double *values, double *low, double *high, int *rival);

/*
 * The weighted rows of a fit, one a size. Several runs of one size become one row with their mean:
 * repeated sizes do not add information on how time grows.
 */
struct problem {
	unsigned rows, runs;
	const struct point **points; /* first run of each row; owned array */
	double *weight, *y;          /* y: weight x value; owned */
	double scatter;              /* variance of weighted runs around the mean of their size */
	unsigned variables;
	unsigned values[MODEL_VARIABLES_MAX]; /* different ones of each variable */
	unsigned *order;                      /* for each variable, the rows in ascending order of its values; owned */
};
int problem_create(struct problem *b, const struct points *p, bool relative, struct err *e);
void problem_finish(struct problem *b);

/*
 * Reduces the rows to at most `most` (2 or more): first, last and one at random of each part of the
 * others. 0, or -1 with `e` where memory is short.
 */
int problem_thin(struct problem *b, unsigned most, struct err *e);

/*
 * Makes the problem of the rows of `b` but each `parts`-th, beginning with row `part`. 0, or -1 with `e` where memory
 * is short; call problem_finish in any case.
 */
int problem_without(struct problem *out, const struct problem *b, unsigned part, unsigned parts, struct err *e);

/* Reports too few rows for `terms` terms (`in` says where the terms are, " in 2 sums"); returns -1. */
int problem_too_few(const struct problem *b, unsigned terms, unsigned least, const char *in, struct err *e);

/* Computes the weighted values of a term; returns the index of a point where it has none, or -1. */
int problem_column(const struct problem *b, unsigned variables, const struct term *t, double *column);

/*
 * Computes the weighted values of all terms into `columns` (terms x rows), and sets where each
 * begins; -1 with `e` if a term has no value.
 */
int problem_columns(const struct problem *b, const struct model *m, double *columns, const double **column,
		    struct err *e);

/* Initialises `f` with the shape of the model, without coefficients. */
void fit_start(struct fit *f, const struct points *p, const struct term *terms, const unsigned *first, unsigned sums,
	       bool relative);

/*
 * Computes points to r2, the error statistics except those of coefficients, and the model's range,
 * from the weighted residuals.
 */
void fit_take_errors(struct fit *f, const struct problem *b, const double *residual);

/* Sets the range of each variable. */
void fit_take_ranges(struct model *m, const struct problem *b);

/* Computes errors at the runs, in percent, from the coefficients. */
void fit_take_run_errors(struct fit *f, const struct points *p);

/*
 * Computes `beyond`, its factor, `excess` and `learnt` of a fit of `count` columns; `positive`: coefficients are not
 * negative. 0, or -1 with `e` where memory is short.
 */
int fit_beyond(struct fit *f, const struct problem *b, const double *const *column, unsigned count, bool positive,
	       struct err *e);

/* Mean square of the weighted errors at what was left out, over so many groups, and its standard error. */
struct left_out {
	double mean, standard_error;
	unsigned groups;
};
/*
 * Computes it from the last solution of `s`. A group is all rows of one value of a variable, so that no row of that
 * value is left to fit; variables of one value have none. False if the rows of a value alone determine a
 * coefficient; `lenient`: variables with such values are no judge then (rows one at a time, if no variable is).
 */
bool problem_left_out(const struct problem *b, const struct lsq *s, bool lenient, struct left_out *l);

/* Computes the mean square with rows left out one at a time; false if a row alone determines a coefficient. */
bool problem_rows_left_out(const struct problem *b, const struct lsq *s, double *mean);

#endif
