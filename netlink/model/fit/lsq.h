/*
 * Linear least squares by QR with column pivoting (LAPACK's dgeqp3): solution, rank, (X'X)^-1,
 * residuals, leverages. Columns are first scaled to length 1, so that 1 and n^3 can be used
 * together.
 */
#ifndef PSIM_NETLINK_LSQ_H
#define PSIM_NETLINK_LSQ_H

#include "../model.h"

/*
 * A column whose diagonal element of R, after scaling, is below this share of the largest counts as
 * a combination of the others: the coefficients would have less than five of double's sixteen
 * digits.
 */
#define LSQ_RANK_LIMIT 1e-11

/* Workspace for successive problems of at most `rows` rows; the arrays are owned. */
struct lsq {
	unsigned rows, columns; /* of the last problem; the caller may set fewer rows than allocated */
	double coefficient[MODEL_TERMS_MAX];
	double inverse[MODEL_TERMS_MAX][MODEL_TERMS_MAX]; /* (X'X)^-1 */
	double rss;                                       /* sum of squared residuals */
	double *residual;                                 /* y - X c, of each row */
	double *leverage;                                 /* diagonal of the hat matrix, of each row */
	unsigned dependent;                               /* after -1: a column in the span of the others */
	double *q;                                        /* rows x columns */
	double scale[MODEL_TERMS_MAX];
};

/* Allocates for problems of `rows` rows. 0, or -1 with `e`; call lsq_finish in any case. */
int lsq_create(struct lsq *s, unsigned rows, struct err *e);
void lsq_finish(struct lsq *s);

/*
 * Solves columns[0 … count - 1] c = y; count is at least 1, and not above the
 * rows. 0; -1 if a column is a combination of the others (`dependent`), or is
 * zero, or anything is not finite.
 */
int lsq_solve(struct lsq *s, const double *const *columns, unsigned count, const double *y);

/*
 * The same with no coefficient below 0, by C. Lawson, R. Hanson, "Solving Least Squares Problems",
 * 1974, chapter 23. Any number of rows is allowed (s->rows, up to the allocated), 0 included.
 * Dependent columns get 0.
 */
void lsq_positive(struct lsq *s, const double *const *columns, unsigned count, const double *y, double *coefficient);

/*
 * Returns the bound t that |T| stays below with probability `confidence` (0 < it < 1) for Student's
 * distribution with `degrees` > 0 degrees of freedom: 12.706 for 0.95 and 1.
 */
double student_bound(double confidence, unsigned degrees);

#endif
