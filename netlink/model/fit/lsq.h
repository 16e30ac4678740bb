/*
 * Linear least squares by QR with column pivoting (LAPACK's dgeqp3): solution,
 * rank, (X'X)^-1, residuals, leverages. Columns are scaled to length 1 first, so
 * that 1 and n^3 can stand side by side.
 */
#ifndef PSIM_NETLINK_LSQ_H
#define PSIM_NETLINK_LSQ_H

#include "../model.h"

/*
 * Below this share of the largest diagonal element of R, after scaling, a column
 * counts as a combination of the others: the coefficients would have less than
 * five of double's sixteen digits.
 */
#define LSQ_RANK_LIMIT 1e-11

/* One problem after the other of at most `rows` rows; the arrays are owned. */
struct lsq {
	unsigned rows, columns; /* of the last problem; the caller may set fewer rows than it was made for */
	double coefficient[MODEL_TERMS_MAX];
	double inverse[MODEL_TERMS_MAX][MODEL_TERMS_MAX]; /* (X'X)^-1 */
	double rss;                                       /* sum of squared residuals */
	double *residual;                                 /* y - X c, of each row */
	double *leverage;                                 /* diagonal of the hat matrix, of each row */
	unsigned dependent;                               /* after -1: a column that the others span */
	double *q;                                        /* rows x columns */
	double scale[MODEL_TERMS_MAX];
};

/* Room for problems of `rows` rows. 0, or -1 with `e`; lsq_finish in any case. */
int lsq_create(struct lsq *s, unsigned rows, struct err *e);
void lsq_finish(struct lsq *s);

/*
 * Solves columns[0 … count - 1] c = y; count is at least 1, and not above the
 * rows. 0; -1 if a column is a combination of the others (`dependent`), or is
 * zero, or anything is not finite.
 */
int lsq_solve(struct lsq *s, const double *const *columns, unsigned count, const double *y);

/*
 * The same with no coefficient below 0, by C. Lawson, R. Hanson, "Solving Least Squares Problems", 1974, chapter 23;
 * any number of rows (s->rows, up to those it was made for), none too. Columns that depend on others have 0.
 */
void lsq_positive(struct lsq *s, const double *const *columns, unsigned count, const double *y, double *coefficient);

/*
 * The bound t that |T| stays below with probability `confidence` (0 < it < 1) for
 * Student's distribution with `degrees` > 0 degrees of freedom: 12.706 for 0.95
 * and 1.
 */
double student_bound(double confidence, unsigned degrees);

#endif
