/* Errors at what a fit leaves out: the rows of one value of a variable at a time. */
#include <math.h>
#include <string.h>

#include "fit.h"

/* Below this share of its own the rows kept say nothing of a direction of the coefficients. */
#define NOTHING_LEFT 1e-9

/* Sums over the groups of rows left out. */
struct sums {
	double mean, squares, groups;
};

/* I - Q'Q and Q'r of the rows left out: (a) z = b gives what leaving them out does to the fit. */
struct system {
	unsigned n;
	double a[MODEL_TERMS_MAX][MODEL_TERMS_MAX], b[MODEL_TERMS_MAX];
};

/* Solves the system, symmetric and positive, in place; false if the rows kept do not determine all coefficients. */
static bool left_out_solve(struct system *s)
{
	for (unsigned k = 0; k < s->n; k++) {
		if (s->a[k][k] < NOTHING_LEFT)
			return false;
		for (unsigned i = k + 1; i < s->n; i++) {
			double factor = s->a[i][k] / s->a[k][k];

			for (unsigned j = k; j < s->n; j++)
				s->a[i][j] -= factor * s->a[k][j];
			s->b[i] -= factor * s->b[k];
		}
	}
	for (unsigned k = s->n; k-- > 0;) {
		for (unsigned j = k + 1; j < s->n; j++)
			s->b[k] -= s->a[k][j] * s->b[j];
		s->b[k] /= s->a[k][k];
	}
	return true;
}

/*
 * Adds the mean square of the errors at `count` rows of the fit without them: with the rows Q of the orthogonal factor
 * and the residuals r they are (I - Q Q')^-1 r = r + Q (I - Q'Q)^-1 Q'r (for one row the PRESS statistic).
 */
static bool add_group(const struct lsq *s, const unsigned *rows, unsigned count, struct sums *sums)
{
	struct system system = {.n = s->columns};
	double mean = 0;

	for (unsigned i = 0; i < s->columns; i++)
		system.a[i][i] = 1;
	for (unsigned g = 0; g < count; g++)
		for (unsigned i = 0; i < s->columns; i++) {
			double q = s->q[i * s->rows + rows[g]];

			for (unsigned j = 0; j < s->columns; j++)
				system.a[i][j] -= q * s->q[j * s->rows + rows[g]];
			system.b[i] += q * s->residual[rows[g]];
		}
	if (!left_out_solve(&system))
		return false;
	for (unsigned g = 0; g < count; g++) {
		double error = s->residual[rows[g]];

		for (unsigned i = 0; i < s->columns; i++)
			error += s->q[i * s->rows + rows[g]] * system.b[i];
		mean += error * error / count;
	}
	sums->mean += mean;
	sums->squares += mean * mean;
	sums->groups++;
	return true;
}

/* Adds the errors at each value of a variable. */
static bool add_values(const struct problem *b, unsigned variable, const struct lsq *s, struct sums *sums)
{
	const unsigned *order = b->order + (size_t)variable * b->rows;

	for (unsigned i = 0, end; i < b->rows; i = end) {
		double value = b->points[order[i]]->values[variable];

		for (end = i + 1; end < b->rows && !(b->points[order[end]]->values[variable] > value); end++)
			;
		if (!add_group(s, order + i, end - i, sums))
			return false;
	}
	return true;
}

static bool add_rows(const struct problem *b, const struct lsq *s, struct sums *sums)
{
	for (unsigned r = 0; r < b->rows; r++)
		if (!add_group(s, &r, 1, sums))
			return false;
	return true;
}

bool problem_left_out(const struct problem *b, const struct lsq *s, bool lenient, struct left_out *l)
{
	struct sums sums = {0};

	for (unsigned v = 0; v < b->variables; v++) {
		struct sums with = sums;

		if (b->values[v] < 2)
			continue;
		if (add_values(b, v, s, &with))
			sums = with;
		else if (!lenient)
			return false;
	}
	if (!(sums.groups > 0) && !add_rows(b, s, &sums))
		return false;
	l->groups = (unsigned)sums.groups;
	l->mean = sums.mean / sums.groups;
	l->standard_error =
		l->groups > 1 ? sqrt(fmax(0, (sums.squares / sums.groups - l->mean * l->mean) / (sums.groups - 1))) : 0;
	return true;
}

bool problem_rows_left_out(const struct problem *b, const struct lsq *s, double *mean)
{
	struct sums sums = {0};

	if (!add_rows(b, s, &sums))
		return false;
	*mean = sums.mean / sums.groups;
	return true;
}
