/* Fits models that are the largest of several sums: assigns points to sums and computes the coefficients. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "fit.h"

/* A sum of squares below this share of the values' is rounding. */
#define ROUNDING 1e-12

enum {
	PARTS = 8,             /* points sorted by a ratio of terms are divided at multiples of 1 / PARTS */
	ROUNDS_MAX = 50,       /* from each start */
	STARTS_MAX = 4000,     /* beyond: a sample of them */
	START_POINTS = 200000, /* starts x points */
	SEARCH_MAX = 1000,     /* points used by the search; then all are assigned */
	FOLDS = 10,            /* with more points than this, groups are left out instead of each point */
	ORDERS = 6,
};

/* The sum that gets the first, second, third part of the points; the first two rows are for two sums. */
static const unsigned char order[ORDERS][MODEL_SUMS_MAX] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
							    {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};

/* Outcome of the check that the points determine each sum, with the points at which it is the maximum. */
enum knowledge {
	KNOWN,
	DEPENDENT,  /* the points of some sum do not determine its terms */
	FEW_POINTS, /* or are not more than its terms */
	KNOWLEDGE_COUNT
};

/*
 * Ratio of squared errors at which a less determined trial replaces a better determined one: its
 * error is half as large.
 */
#define MUCH_BETTER 4

struct ranked {
	double ratio;
	unsigned row;
};

/* Coefficients, and the assignment that they give. */
struct trial {
	double coefficient[MODEL_ROWS_MAX];
	double rss;
	unsigned points[MODEL_SUMS_MAX]; /* points at which each sum is the largest */
	unsigned *largest;               /* of each row; owned */
};

struct search {
	const struct problem *problem;
	const struct model *model;            /* sums and their terms */
	double *columns;                      /* owned */
	const double *column[MODEL_ROWS_MAX]; /* weighted terms, all rows; into columns */
	struct lsq lsq;
	double *part, *part_y;                           /* columns and values of the rows of one sum; owned */
	unsigned *assigned;                              /* sum of each row; owned */
	struct ranked *ranked;                           /* owned */
	struct trial now, bests[KNOWLEDGE_COUNT], *best; /* the best of each kind; the selected one */
};

static unsigned terms_of(const struct model *m, unsigned s)
{
	return m->first[s + 1] - m->first[s];
}

static double sum_at(const struct search *s, const double *coefficient, unsigned sum, unsigned row)
{
	double value = 0;

	for (unsigned t = s->model->first[sum]; t < s->model->first[sum + 1]; t++)
		value += coefficient[t] * s->column[t][row];
	return value;
}

/* Returns the value (weighted) of the largest sum of a row; sets which one it is. */
static double largest_at(const struct search *s, const double *coefficient, unsigned row, unsigned *largest)
{
	double most = sum_at(s, coefficient, 0, row);

	*largest = 0;
	for (unsigned sum = 1; sum < s->model->sums; sum++) {
		double value = sum_at(s, coefficient, sum, row);

		if (value > most) {
			most = value;
			*largest = sum;
		}
	}
	return most;
}

/* Returns the number of groups of points that are left out together. */
static unsigned folds(const struct search *s)
{
	return s->problem->rows > SEARCH_MAX ? FOLDS : s->problem->rows;
}

/* Group number that no point has. */
#define NO_FOLD UINT_MAX

/*
 * Copies the rows assigned to a sum, except those of group `left_out`, as a problem of their own;
 * returns their number.
 */
static unsigned fit_largest_take_part(struct search *s, unsigned sum, unsigned left_out, const double **column)
{
	unsigned first = s->model->first[sum], count = terms_of(s->model, sum), rows = 0, groups = folds(s);

	for (unsigned r = 0; r < s->problem->rows; r++) {
		if (s->assigned[r] != sum || r % groups == left_out)
			continue;
		for (unsigned t = 0; t < count; t++)
			s->part[(size_t)t * s->problem->rows + rows] = s->column[first + t][r];
		s->part_y[rows++] = s->problem->y[r];
	}
	for (unsigned t = 0; t < count; t++)
		column[t] = s->part + (size_t)t * s->problem->rows;
	s->lsq.rows = rows;
	return rows;
}

/* Fits each sum to its rows, then finds the largest sum of each row. */
static void fit_parts(struct search *s, unsigned left_out, struct trial *t)
{
	const double *column[MODEL_TERMS_MAX];

	for (unsigned sum = 0; sum < s->model->sums; sum++) {
		double *c = t->coefficient + s->model->first[sum];

		fit_largest_take_part(s, sum, left_out, column);
		lsq_positive(&s->lsq, column, terms_of(s->model, sum), s->part_y, c);
	}
	t->rss = 0;
	memset(t->points, 0, sizeof(t->points));
	for (unsigned r = 0; r < s->problem->rows; r++) {
		double error = s->problem->y[r] - largest_at(s, t->coefficient, r, &t->largest[r]);

		t->points[t->largest[r]]++;
		if (r % folds(s) != left_out)
			t->rss += error * error;
	}
}

/* Least squares of all terms of a sum over its rows; -1 if the terms are dependent there. */
static int solve_part(struct search *s, unsigned sum)
{
	const double *column[MODEL_TERMS_MAX];

	fit_largest_take_part(s, sum, NO_FOLD, column);
	return lsq_solve(&s->lsq, column, terms_of(s->model, sum), s->part_y);
}

/* Classifies `t`, whose largest sums are `assigned`. */
static enum knowledge how_known(struct search *s, const struct trial *t)
{
	for (unsigned sum = 0; sum < s->model->sums; sum++)
		if (t->points[sum] <= terms_of(s->model, sum))
			return FEW_POINTS;
	for (unsigned sum = 0; sum < s->model->sums; sum++)
		if (solve_part(s, sum) < 0)
			return DEPENDENT;
	return KNOWN;
}

static void copy_trial(struct trial *to, const struct trial *from, unsigned rows)
{
	unsigned *largest = to->largest;

	*to = *from;
	to->largest = largest;
	memcpy(largest, from->largest, rows * sizeof(*largest));
}

/* Keeps `now` if it is the best of its kind, with each point assigned to its largest sum. */
static void keep_best(struct search *s)
{
	struct trial *best;

	if (!(s->now.rss < s->bests[KNOWN].rss))
		return;
	best = &s->bests[how_known(s, &s->now)];
	if (s->now.rss < best->rss)
		copy_trial(best, &s->now, s->problem->rows);
}

/* Alternates fit and assignment, from `assigned`, until nothing changes. */
static void fit_largest_improve(struct search *s)
{
	size_t size = s->problem->rows * sizeof(*s->assigned);

	for (int round = 0; round < ROUNDS_MAX; round++) {
		bool same;

		fit_parts(s, NO_FOLD, &s->now);
		same = !memcmp(s->assigned, s->now.largest, size);
		memcpy(s->assigned, s->now.largest, size);
		keep_best(s);
		if (same)
			break;
	}
}

static int by_ratio(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->ratio < y->ratio || x->ratio > y->ratio)
		return x->ratio < y->ratio ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Returns the number of starts: order, ends of the parts but the last, pair of terms. */
static uint64_t start_count(const struct model *m)
{
	uint64_t count = m->sums == 2 ? 2 : ORDERS;

	for (unsigned s = 1; s < m->sums; s++)
		count *= PARTS - 1;
	return count * m->count * (m->count - 1) / 2;
}

/*
 * Sets the assignment of a start. Where one sum overtakes another, some term of one has outgrown
 * some term of the other: the points, sorted by the ratio of two terms, are divided among the sums.
 * Returns false where the start is not possible, or the two terms are equal.
 */
static bool fit_largest_start(struct search *s, uint64_t number)
{
	const struct model *m = s->model;
	unsigned orders = m->sums == 2 ? 2 : ORDERS, rows = s->problem->rows, end[MODEL_SUMS_MAX], a = 0, b;
	const unsigned char *sums = order[number % orders];

	number /= orders;
	for (unsigned part = 0; part + 1 < m->sums; part++, number /= PARTS - 1) {
		end[part] = (unsigned)((1 + number % (PARTS - 1)) * rows / PARTS);
		if (part > 0 && end[part] <= end[part - 1])
			return false;
	}
	end[m->sums - 1] = rows;
	for (; number >= m->count - 1 - a; a++)
		number -= m->count - 1 - a;
	b = a + 1 + (unsigned)number;
	if (term_equal(&m->terms[a], &m->terms[b]))
		return false;
	for (unsigned r = 0; r < rows; r++) {
		double ratio = s->column[a][r] / s->column[b][r];

		s->ranked[r] = (struct ranked){.ratio = isnan(ratio) ? 0 : ratio, .row = r};
	}
	qsort(s->ranked, rows, sizeof(*s->ranked), by_ratio);
	for (unsigned r = 0, part = 0; r < rows; r++) {
		while (r >= end[part])
			part++;
		s->assigned[s->ranked[r].row] = sums[part];
	}
	return true;
}

/* Returns the sum of squares below which all is rounding. */
static double rounding(const struct search *s)
{
	double squares = 0;

	for (unsigned r = 0; r < s->problem->rows; r++)
		squares += s->problem->y[r] * s->problem->y[r];
	return ROUNDING * ROUNDING * squares;
}

/* Selects one of the best trials of each kind. */
static void take_better(struct search *s)
{
	s->best = s->bests;
	for (struct trial *t = s->bests + 1; t < s->bests + KNOWLEDGE_COUNT; t++)
		if (t->rss < s->best->rss && (s->best != s->bests || MUCH_BETTER * t->rss + rounding(s) < s->best->rss))
			s->best = t;
}

/* Finds the best of many starts. */
static void fit_largest_search(struct search *s)
{
	uint64_t all = start_count(s->model), most = START_POINTS / s->problem->rows;

	most = most > STARTS_MAX ? STARTS_MAX : most;
	for (uint64_t n = 0; n < all && n < most; n++)
		if (fit_largest_start(s, all <= most ? n : rng_below(0, 0, n, all)))
			fit_largest_improve(s);
	take_better(s);
}

/* Computes the error of points left out, one or a group at a time, from the search's result. */
static double fit_largest_left_out_error(struct search *s)
{
	unsigned rows = s->problem->rows, groups = folds(s);
	double squares = 0, values = 0;

	for (unsigned g = 0; g < groups; g++) {
		memcpy(s->assigned, s->best->largest, rows * sizeof(*s->assigned));
		for (int round = 0; round < ROUNDS_MAX; round++) {
			fit_parts(s, g, &s->now);
			if (!memcmp(s->assigned, s->now.largest, rows * sizeof(*s->assigned)))
				break;
			memcpy(s->assigned, s->now.largest, rows * sizeof(*s->assigned));
		}
		for (unsigned r = g; r < rows; r += groups) {
			double error = s->problem->y[r] - largest_at(s, s->now.coefficient, r, &s->now.largest[r]);

			squares += error * error;
			values += s->problem->y[r] * s->problem->y[r];
		}
	}
	return 100 * sqrt(squares / values);
}

/*
 * Returns a sum that alone fits all points as well as the best model found; the number of sums if
 * none does.
 */
static unsigned enough_alone(struct search *s)
{
	unsigned rows = s->problem->rows;

	for (unsigned sum = 0; sum < s->model->sums; sum++) {
		const double *column[MODEL_TERMS_MAX];
		double *c = s->now.coefficient + s->model->first[sum], rss = 0;

		for (unsigned r = 0; r < rows; r++)
			s->assigned[r] = sum;
		fit_largest_take_part(s, sum, NO_FOLD, column);
		lsq_positive(&s->lsq, column, terms_of(s->model, sum), s->part_y, c);
		for (unsigned r = 0; r < rows; r++) {
			double error = s->problem->y[r] - sum_at(s, s->now.coefficient, sum, r);

			rss += error * error;
		}
		if (rss <= s->best->rss + rounding(s))
			return sum;
	}
	return s->model->sums;
}

/* Writes the terms of a sum as --terms takes them. */
static void list_terms(const struct model *m, unsigned sum, char *text, size_t size)
{
	size_t at = 0;

	for (unsigned t = m->first[sum]; t < m->first[sum + 1] && at < size; t++) {
		char term[TERM_TEXT_MAX];

		term_write(&m->terms[t], &m->variables, term);
		at += (size_t)snprintf(text + at, size - at, "%s%s", t > m->first[sum] ? ", " : "", term);
	}
}

static int not_needed(const struct search *s, unsigned alone, struct err *e)
{
	char text[TERM_TEXT_MAX];

	list_terms(s->model, alone, text, sizeof(text));
	return err_set(
		e, STATUS_USAGE,
		"sum %u, '%s', alone fits these points as well as the maximum of the sums, expected no other sum%s",
		alone + 1, text, s->model->sums > 2 ? "s" : "");
}

static int short_of_points(const struct search *s, struct err *e)
{
	const struct model *m = s->model;
	char text[TERM_TEXT_MAX];
	unsigned sum = 0;

	while (sum + 1 < m->sums && s->best->points[sum] > terms_of(m, sum))
		sum++;
	list_terms(m, sum, text, sizeof(text));
	return err_set(e, STATUS_USAGE,
		       "sum %u, '%s', is the maximum at %u of %u points, expected at least %u: more points there, or "
		       "fewer terms or sums",
		       sum + 1, text, s->best->points[sum], s->problem->rows, terms_of(m, sum) + 1);
}

/* Computes standard errors from each sum's points; -1 if these do not determine its terms. */
static int take_errors(struct search *s, struct fit *f, struct err *e)
{
	const struct model *m = s->model;

	memcpy(s->assigned, s->best->largest, s->problem->rows * sizeof(*s->assigned));
	for (unsigned sum = 0; sum < m->sums; sum++) {
		unsigned first = m->first[sum], count = terms_of(m, sum);
		char text[TERM_TEXT_MAX];

		if (solve_part(s, sum) < 0) {
			term_write(&m->terms[first + s->lsq.dependent], &m->variables, text);
			return err_set(e, STATUS_USAGE,
				       "term '%s' of sum %u is a linear combination of its others at the %u points "
				       "where that sum is the maximum, expected independent terms or other points",
				       text, sum + 1, s->best->points[sum]);
		}
		for (unsigned t = 0; t < count; t++) {
			f->standard_error[first + t] = sqrt(f->variance * s->lsq.inverse[t][t]);
			for (unsigned u = 0; u < count; u++)
				f->covariance[first + t][first + u] = f->variance * s->lsq.inverse[t][u];
		}
	}
	return 0;
}

static int take_best(struct search *s, struct fit *f, struct err *e)
{
	double *residual = s->part; /* reused: no longer needed as columns */
	unsigned alone = enough_alone(s);

	if (alone < s->model->sums)
		return not_needed(s, alone, e);
	if (s->best == &s->bests[FEW_POINTS])
		return short_of_points(s, e);
	memcpy(f->model.coefficient, s->best->coefficient, sizeof(f->model.coefficient));
	f->cross_validation = fit_largest_left_out_error(s);
	for (unsigned r = 0; r < s->problem->rows; r++)
		residual[r] = s->problem->y[r] - largest_at(s, s->best->coefficient, r, &s->best->largest[r]);
	fit_take_errors(f, s->problem, residual);
	return take_errors(s, f, e);
}

static int fit_largest_search_create(struct search *s, const struct problem *b, const struct model *m, struct err *e)
{
	*s = (struct search){.problem = b, .model = m};
	s->columns = mem_alloc((size_t)b->rows * m->count, sizeof(*s->columns), e);
	s->part = mem_alloc((size_t)b->rows * MODEL_TERMS_MAX, sizeof(*s->part), e);
	s->part_y = mem_alloc(b->rows, sizeof(*s->part_y), e);
	s->assigned = mem_alloc(b->rows, sizeof(*s->assigned), e);
	s->ranked = mem_alloc(b->rows, sizeof(*s->ranked), e);
	s->now.largest = mem_alloc(b->rows, sizeof(*s->now.largest), e);
	if (!s->columns || !s->part || !s->part_y || !s->assigned || !s->ranked || !s->now.largest)
		return -1;
	for (unsigned k = 0; k < KNOWLEDGE_COUNT; k++) {
		s->bests[k].rss = HUGE_VAL;
		s->bests[k].largest = mem_alloc(b->rows, sizeof(*s->bests[k].largest), e);
		if (!s->bests[k].largest)
			return -1;
	}
	if (problem_columns(b, m, s->columns, s->column, e) < 0)
		return -1;
	return lsq_create(&s->lsq, b->rows, e);
}

static void search_finish(struct search *s)
{
	free(s->columns);
	free(s->part);
	free(s->part_y);
	free(s->assigned);
	free(s->ranked);
	free(s->now.largest);
	for (unsigned k = 0; k < KNOWLEDGE_COUNT; k++)
		free(s->bests[k].largest);
	lsq_finish(&s->lsq);
}

/*
 * Finds the best model for the points of `s`: searches a sample where they are many, then improves
 * with all.
 */
static int find_best(struct search *s, const struct points *p, bool relative, struct err *e)
{
	struct problem few;
	struct search sample = {0};
	int ret;

	if (s->problem->rows <= SEARCH_MAX) {
		fit_largest_search(s);
		return 0;
	}
	ret = problem_create(&few, p, relative, e);
	if (ret == 0)
		ret = problem_thin(&few, SEARCH_MAX, e);
	if (ret == 0)
		ret = fit_largest_search_create(&sample, &few, s->model, e);
	if (ret == 0) {
		fit_largest_search(&sample);
		for (unsigned r = 0; r < s->problem->rows; r++)
			largest_at(s, sample.best->coefficient, r, &s->assigned[r]);
		fit_largest_improve(s);
		take_better(s);
	}
	search_finish(&sample);
	problem_finish(&few);
	return ret;
}

int fit_largest(const struct points *p, const struct term *terms, const unsigned *first, unsigned sums, bool relative,
		struct fit *f, struct err *e)
{
	struct problem b;
	struct search s = {0};
	char in[32];
	int ret;

	fit_start(f, p, terms, first, sums, relative);
	ret = problem_create(&b, p, relative, e);
	snprintf(in, sizeof(in), " in %u sums", sums);
	if (ret == 0 && b.rows < f->model.count + sums)
		ret = problem_too_few(&b, f->model.count, f->model.count + sums, in, e);
	if (ret == 0)
		ret = fit_largest_search_create(&s, &b, &f->model, e);
	if (ret == 0)
		ret = find_best(&s, p, relative, e);
	if (ret == 0)
		ret = take_best(&s, f, e);
	if (ret == 0)
		fit_take_run_errors(f, p);
	search_finish(&s);
	problem_finish(&b);
	return ret;
}
