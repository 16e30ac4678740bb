#include "outliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "lsq.h"

enum { LEAST_DEGREES = 2, COLUMNS_MAX = 1 + 2 * MODEL_VARIABLES_MAX };

/* Logarithms of the remaining points: 1, each size, each size squared; and of the values. */
struct logs {
	unsigned rows, columns;
	size_t *point;               /* of each row; owned */
	double *value;               /* owned */
	double *memory;              /* of the columns; owned */
	double *column[COLUMNS_MAX]; /* into memory */
};

static void logs_finish(struct logs *l)
{
	free(l->point);
	free(l->value);
	free(l->memory);
}

static bool has_logarithms(const struct points *p, const struct point *point)
{
	for (unsigned i = 0; i < p->variables.count; i++)
		if (!(point->values[i] > 0))
			return false;
	return point->result > 0;
}

static int logs_create(struct logs *l, const struct points *p, struct err *e)
{
	size_t count = p->list.count;
	unsigned v = p->variables.count;

	*l = (struct logs){0};
	l->point = mem_alloc(count + 1, sizeof(*l->point), e);
	l->value = mem_alloc(count + 1, sizeof(*l->value), e);
	l->memory = mem_alloc((count + 1) * COLUMNS_MAX, sizeof(*l->memory), e);
	if (!l->point || !l->value || !l->memory)
		return -1;
	l->columns = 1 + 2 * v;
	for (unsigned c = 0; c < l->columns; c++)
		l->column[c] = l->memory + c * (count + 1);
	for (size_t i = 0; i < count; i++) {
		const struct point *point = &p->list.at[i];

		if (point->held_out)
			continue;
		if (!has_logarithms(p, point)) {
			l->rows = 0; /* no statement is possible */
			return 0;
		}
		l->column[0][l->rows] = 1;
		for (unsigned k = 0; k < v; k++) {
			double x = log(point->values[k]);

			l->column[1 + k][l->rows] = x;
			l->column[1 + v + k][l->rows] = x * x;
		}
		l->value[l->rows] = log(point->result);
		l->point[l->rows++] = i;
	}
	return 0;
}

static void drop_column(struct logs *l, unsigned column)
{
	l->columns--;
	memmove(&l->column[column], &l->column[column + 1], (l->columns - column) * sizeof(*l->column));
}

/* Fits a polynomial of as many columns as the points determine; false if they are too few. */
static bool outliers_solve(struct logs *l, struct lsq *s)
{
	while (l->columns > 1 && l->rows < l->columns + 1 + LEAST_DEGREES)
		drop_column(l, l->columns - 1);
	s->rows = l->rows;
	while (l->columns > 1 && l->rows >= l->columns + 1 + LEAST_DEGREES) {
		if (lsq_solve(s, (const double *const *)l->column, l->columns, l->value) == 0)
			return true;
		drop_column(l, s->dependent);
	}
	return false;
}

/*
 * Returns the row that is furthest off; sets its error against the other rows, and their scatter.
 * Returns l->rows if none is off.
 */
static unsigned worst(const struct logs *l, const struct lsq *s, double *error, double *scatter)
{
	unsigned degrees = l->rows - l->columns - 1, at = l->rows;
	double most = student_bound(1 - 0.05 / l->rows, degrees);

	for (unsigned r = 0; r < l->rows; r++) {
		double rest = 1 - s->leverage[r], e = s->residual[r], others, t;

		if (rest < 1e-9)
			continue; /* no other point determines it */
		others = sqrt(fmax(0, s->rss - e * e / rest) / degrees);
		t = fabs(e) / (others * sqrt(rest)); /* infinite where the others are on the curve */
		if (fabs(e / rest) > log(OUTLIER_TIMES) && t > most) {
			most = t;
			at = r;
			*error = e / rest;
			*scatter = others;
		}
	}
	return at;
}

static void drop_row(struct logs *l, unsigned row)
{
	l->rows--;
	l->point[row] = l->point[l->rows];
	l->value[row] = l->value[l->rows];
	for (unsigned c = 0; c < l->columns; c++)
		l->column[c][row] = l->column[c][l->rows];
}

int outliers_find(const struct points *p, struct outlier *list, unsigned room, struct err *e)
{
	struct logs l;
	struct lsq s = {0};
	unsigned count = 0;
	int ret = logs_create(&l, p, e);

	if (ret == 0 && l.rows)
		ret = lsq_create(&s, l.rows, e);
	while (ret == 0 && count < room && l.rows && outliers_solve(&l, &s)) {
		double error = 0, scatter = 0;
		unsigned at = worst(&l, &s, &error, &scatter);

		if (at == l.rows)
			break;
		list[count++] = (struct outlier){l.point[at], p->list.at[l.point[at]].result * exp(-error), scatter};
		drop_row(&l, at);
	}
	lsq_finish(&s);
	logs_finish(&l);
	return ret < 0 ? -1 : (int)count;
}
