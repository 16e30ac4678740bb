/* Collects the points of a fit, one row a size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "fit.h"

/* The fitted points sorted by size; runs of one size in input order. */
struct sized {
	const struct point *point;
	unsigned variables;
};

static int problem_by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	for (unsigned i = 0; i < x->variables; i++)
		if (x->point->values[i] < y->point->values[i] || x->point->values[i] > y->point->values[i])
			return x->point->values[i] < y->point->values[i] ? -1 : 1;
	return x->point < y->point ? -1 : x->point > y->point;
}

static bool same_size(const struct sized *a, const struct sized *b)
{
	return !memcmp(a->point->values, b->point->values, a->variables * sizeof(*a->point->values));
}

static int check_values(const struct points *p, bool relative, struct err *e)
{
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		if (relative && !point->held_out && !(point->result > 0))
			return err_set(
				e, STATUS_BAD_INPUT,
				"%s: %s is %g, expected more than 0 for relative weights (--weights equal accepts any)",
				point->file, p->value_name, point->result);
	}
	return 0;
}

/* Adds a row with the mean of the runs of one size, if `s` is the first of them. */
static void problem_add_row(struct problem *b, const struct sized *s, size_t runs, bool relative, double *squares)
{
	double mean = 0;

	for (size_t i = 0; i < runs; i++)
		mean += s[i].point->result / (double)runs;
	b->points[b->rows] = s->point;
	b->weight[b->rows] = relative ? 1 / mean : 1;
	b->y[b->rows] = b->weight[b->rows] * mean;
	for (size_t i = 0; i < runs; i++) {
		double distance = b->weight[b->rows] * (s[i].point->result - mean);

		*squares += distance * distance;
	}
	b->rows++;
}

static void problem_add_rows(struct problem *b, struct sized *s, size_t count, bool relative)
{
	double squares = 0;

	qsort(s, count, sizeof(*s), problem_by_size);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && same_size(&s[i], &s[end]); end++)
			;
		problem_add_row(b, s + i, end - i, relative, &squares);
	}
	b->runs = (unsigned)count;
	b->scatter = b->runs > b->rows ? squares / (b->runs - b->rows) : 0;
}

/* A row, and its value of a variable. */
struct valued {
	double value;
	unsigned row;
};

static int problem_by_value(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Orders the rows by the values of each variable, and counts these. */
static int problem_order(struct problem *b, struct err *e)
{
	struct valued *valued = mem_alloc(b->rows + 1, sizeof(*valued), e);

	for (unsigned v = 0; v < b->variables && valued; v++) {
		b->values[v] = b->rows > 0;
		for (unsigned r = 0; r < b->rows; r++)
			valued[r] = (struct valued){b->points[r]->values[v], r};
		qsort(valued, b->rows, sizeof(*valued), problem_by_value);
		for (unsigned r = 0; r < b->rows; r++) {
			b->order[(size_t)v * b->rows + r] = valued[r].row;
			b->values[v] += r && valued[r].value > valued[r - 1].value;
		}
	}
	free(valued);
	return valued ? 0 : -1;
}

int problem_create(struct problem *b, const struct points *p, bool relative, struct err *e)
{
	size_t room = p->list.count + 1, count = 0;
	struct sized *sized;

	*b = (struct problem){0};
	if (check_values(p, relative, e) < 0)
		return -1;
	sized = mem_alloc(room, sizeof(*sized), e);
	b->points = mem_alloc(room, sizeof(const struct point *), e);
	b->weight = mem_alloc(room, sizeof(*b->weight), e);
	b->y = mem_alloc(room, sizeof(*b->y), e);
	b->variables = p->variables.count;
	b->order = mem_alloc(room * b->variables, sizeof(*b->order), e);
	if (!sized || !b->points || !b->weight || !b->y || !b->order) {
		free(sized);
		return -1;
	}
	for (size_t i = 0; i < p->list.count; i++)
		if (!p->list.at[i].held_out)
			sized[count++] = (struct sized){&p->list.at[i], p->variables.count};
	problem_add_rows(b, sized, count, relative);
	free(sized);
	return problem_order(b, e);
}

int problem_thin(struct problem *b, unsigned most, struct err *e)
{
	unsigned rows = b->rows;

	if (rows <= most)
		return 0;
	for (unsigned n = 0; n < most; n++) {
		uint64_t from = (uint64_t)n * rows / most, to = (uint64_t)(n + 1) * rows / most;
		/* at random, so that no pattern of sizes is followed */
		uint64_t r = n == 0 ? 0 : n + 1 == most ? rows - 1 : from + rng_below(0, 0, n, to - from);

		b->points[n] = b->points[r];
		b->weight[n] = b->weight[r];
		b->y[n] = b->y[r];
	}
	b->rows = most;
	return problem_order(b, e);
}

int problem_without(struct problem *out, const struct problem *b, unsigned part, unsigned parts, struct err *e)
{
	*out = (struct problem){.runs = b->runs, .scatter = b->scatter, .variables = b->variables};
	out->points = mem_alloc(b->rows, sizeof(const struct point *), e);
	out->weight = mem_alloc(b->rows, sizeof(*out->weight), e);
	out->y = mem_alloc(b->rows, sizeof(*out->y), e);
	out->order = mem_alloc((size_t)b->rows * b->variables, sizeof(*out->order), e);
	if (!out->points || !out->weight || !out->y || !out->order)
		return -1;
	for (unsigned r = 0; r < b->rows; r++) {
		if (r % parts == part)
			continue;
		out->points[out->rows] = b->points[r];
		out->weight[out->rows] = b->weight[r];
		out->y[out->rows++] = b->y[r];
	}
	return problem_order(out, e);
}

void problem_finish(struct problem *b)
{
	free(b->points);
	free(b->weight);
	free(b->y);
	free(b->order);
	*b = (struct problem){0};
}

int problem_too_few(const struct problem *b, unsigned terms, unsigned least, const char *in, struct err *e)
{
	if (b->rows == b->runs)
		return err_set(e, STATUS_USAGE, "too few points: %u for %u terms%s, expected at least %u", b->rows,
			       terms, in, least);
	return err_set(e, STATUS_USAGE, "too few sizes: %u, of %u points, for %u terms%s, expected at least %u",
		       b->rows, b->runs, terms, in, least);
}

int problem_column(const struct problem *b, unsigned variables, const struct term *t, double *column)
{
	for (unsigned r = 0; r < b->rows; r++) {
		column[r] = b->weight[r] * term_value(t, variables, b->points[r]->values);
		if (!isfinite(column[r]))
			return (int)r;
	}
	return -1;
}

int problem_columns(const struct problem *b, const struct model *m, double *columns, const double **column,
		    struct err *e)
{
	char text[TERM_TEXT_MAX];

	for (unsigned t = 0; t < m->count; t++) {
		int bad = problem_column(b, m->variables.count, &m->terms[t], columns + (size_t)t * b->rows);

		column[t] = columns + (size_t)t * b->rows;
		term_write(&m->terms[t], &m->variables, text);
		if (bad >= 0)
			return err_set(e, STATUS_BAD_INPUT,
				       "%s: term '%s' is undefined there, expected variables above 0 for logarithms "
				       "and fractional or negative powers",
				       b->points[bad]->file, text);
	}
	return 0;
}
