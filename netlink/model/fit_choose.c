/* The terms of a model chosen from the normal form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "fit.h"

/*
 * For each number of variables the powers i and j of n^i log2(n)^j: with one, as
 * in the paper, i = 0, 1/2 … 3 and j = 0, 1, 2; fewer with more variables, whose
 * products are many.
 */
static const struct form {
	unsigned halves; /* i goes in steps of 1 / halves, up to 3 */
	unsigned logs;   /* j = 0 … logs */
} forms[MODEL_VARIABLES_MAX + 1] = {{0, 0}, {2, 2}, {2, 1}, {1, 1}, {1, 0}};
enum { LARGEST_POWER = 3, CANDIDATES_MAX = 512, POINTS_MIN = 5 };

/* So many sets of one size are all tried; beyond, the best smaller ones get one term more. */
enum { ALL_MAX = 100000, KEPT_MAX = 32 };

/* What makes less of the value than this at every point is rounding. */
#define ROUNDING 1e-9

struct hypothesis {
	unsigned count, index[MODEL_TERMS_MAX]; /* candidates, ascending */
	struct left_out left_out;
};

struct search {
	struct problem problem;
	struct lsq lsq;
	unsigned variables, candidates;
	struct term candidate[CANDIDATES_MAX];
	double *columns;                                       /* of the candidates */
	struct hypothesis kept[MODEL_TERMS_MAX + 1][KEPT_MAX]; /* by number of terms, best first */
	unsigned kept_count[MODEL_TERMS_MAX + 1];
	double bound[MODEL_TERMS_MAX + 1]; /* Student's, by number of terms */
	uint64_t tried;
};

/* All products; simple ones first, so that they win where there is no difference. */
static void add_products(struct search *s, const struct form *form, unsigned variable,
                         struct term t)
{
	if (variable == s->variables) {
		if (s->candidates < CANDIDATES_MAX &&
		    problem_column(&s->problem, s->variables, &t,
		                   s->columns + (size_t)s->candidates * s->problem.rows) < 0)
			s->candidate[s->candidates++] = t;
		return;
	}
	for (unsigned j = 0; j <= form->logs; j++) {
		for (int i = 0; i <= (int)form->halves * LARGEST_POWER; i++) {
			bool whole = i % (int)form->halves == 0;

			t.factor[variable].power = whole ? (struct power){i / (int)form->halves, 1}
			                                 : (struct power){i, (int)form->halves};
			t.factor[variable].log_power = j;
			add_products(s, form, variable + 1, t);
		}
	}
}

/* No term that nothing outgrows may be negative: the time would be, sooner or later. */
static bool grows(const struct search *s, const struct hypothesis *h)
{
	for (unsigned a = 0; a < h->count; a++) {
		bool outgrown = s->lsq.coefficient[a] >= 0;

		for (unsigned b = 0; b < h->count && !outgrown; b++)
			outgrown = term_dominates(&s->candidate[h->index[b]],
			                          &s->candidate[h->index[a]]);
		if (!outgrown)
			return false;
	}
	return true;
}

/* Does every term count: its coefficient is surely not 0, and it is more than rounding somewhere?
 */
static bool all_count(const struct search *s, const struct hypothesis *h)
{
	double variance = s->lsq.rss / (s->problem.rows - h->count);

	for (unsigned t = 0; t < h->count; t++) {
		const double *column = s->columns + (size_t)h->index[t] * s->problem.rows;
		double c = s->lsq.coefficient[t], share = 0;

		for (unsigned r = 0; r < s->problem.rows; r++)
			share = fmax(share, fabs(c * column[r] / s->problem.y[r]));
		if (!(fabs(c) > s->bound[h->count] * sqrt(variance * s->lsq.inverse[t][t])) ||
		    share < ROUNDING)
			return false;
	}
	return true;
}

static bool same_set(const struct hypothesis *a, const struct hypothesis *b)
{
	return a->count == b->count && !memcmp(a->index, b->index, a->count * sizeof *a->index);
}

/* Keeps the best of each size, in order. */
static void keep(struct search *s, const struct hypothesis *h)
{
	struct hypothesis *kept = s->kept[h->count];
	unsigned *count = &s->kept_count[h->count], at;

	for (at = 0; at < *count && kept[at].left_out.mean <= h->left_out.mean; at++)
		if (same_set(&kept[at], h))
			return;
	if (at == KEPT_MAX)
		return;
	if (*count < KEPT_MAX)
		++*count;
	memmove(&kept[at + 1], &kept[at], (*count - 1 - at) * sizeof *kept);
	kept[at] = *h;
}

static void try(struct search *s, struct hypothesis *h)
{
	const double *column[MODEL_TERMS_MAX];

	for (unsigned t = 0; t < h->count; t++)
		column[t] = s->columns + (size_t)h->index[t] * s->problem.rows;
	s->tried++;
	if (lsq_solve(&s->lsq, column, h->count, s->problem.y) == 0 && all_count(s, h) &&
	    grows(s, h) && problem_left_out(&s->lsq, &h->left_out))
		keep(s, h);
}

/* All sets of `size`, in lexical order. */
static void try_all(struct search *s, unsigned size)
{
	struct hypothesis h = {.count = size};
	unsigned at;

	for (unsigned t = 0; t < size; t++)
		h.index[t] = t;
	do {
		try(s, &h);
		for (at = size; at > 0 && h.index[at - 1] == s->candidates - size + at - 1; at--)
			;
		if (at) {
			h.index[at - 1]++;
			for (unsigned t = at; t < size; t++)
				h.index[t] = h.index[t - 1] + 1;
		}
	} while (at);
}

/* The best sets of one term less, each with every other candidate. */
static void try_extensions(struct search *s, unsigned size)
{
	for (unsigned k = 0; k < s->kept_count[size - 1]; k++) {
		const struct hypothesis *base = &s->kept[size - 1][k];

		for (unsigned c = 0; c < s->candidates; c++) {
			struct hypothesis h = {.count = size};
			unsigned at = 0;

			while (at < base->count && base->index[at] < c)
				at++;
			if (at < base->count && base->index[at] == c)
				continue;
			memcpy(h.index, base->index, at * sizeof *h.index);
			h.index[at] = c;
			memcpy(h.index + at + 1, base->index + at,
			       (base->count - at) * sizeof *h.index);
			try(s, &h);
		}
	}
}

static double sets(unsigned candidates, unsigned size)
{
	double count = 1;

	for (unsigned t = 0; t < size; t++)
		count *= (double)(candidates - t) / (t + 1);
	return count;
}

static double mean_square(const struct problem *b)
{
	double sum = 0;

	for (unsigned r = 0; r < b->rows; r++)
		sum += b->y[r] * b->y[r];
	return sum / b->rows;
}

/* The smallest within a standard error of the best; NULL if nothing fits. */
static const struct hypothesis *chosen(const struct search *s, unsigned max_terms)
{
	const struct hypothesis *best = NULL;
	double limit;

	for (unsigned size = 1; size <= max_terms; size++)
		if (s->kept_count[size] &&
		    (!best || s->kept[size][0].left_out.mean < best->left_out.mean))
			best = &s->kept[size][0];
	if (!best)
		return NULL;
	limit = fmax(best->left_out.mean + best->left_out.standard_error,
	             ROUNDING * ROUNDING * mean_square(&s->problem));
	for (unsigned size = 1; size <= max_terms; size++)
		if (s->kept_count[size] && s->kept[size][0].left_out.mean <= limit)
			return &s->kept[size][0];
	return best;
}

static int search(struct search *s, const struct points *p, unsigned max_terms, bool relative,
                  struct term *terms, struct err *e)
{
	const struct hypothesis *h;

	if (problem_create(&s->problem, p, relative, e) < 0)
		return -1;
	if (s->problem.rows < POINTS_MIN)
		return err_set(
			e, STATUS_USAGE,
			"too few points to choose terms: %u, expected at least %d, or --terms",
			s->problem.rows, POINTS_MIN);
	s->columns = mem_alloc((size_t)CANDIDATES_MAX * s->problem.rows, sizeof *s->columns, e);
	if (!s->columns || lsq_create(&s->lsq, s->problem.rows, e) < 0)
		return -1;
	s->variables = p->variables.count;
	add_products(s, &forms[s->variables], 0, term_one());
	/* two points more than terms: with one left out there is still one to spare */
	if (max_terms > s->problem.rows - 2)
		max_terms = s->problem.rows - 2;
	for (unsigned size = 1; size <= max_terms && size <= s->candidates; size++) {
		s->bound[size] = student_bound(0.95, s->problem.rows - size);
		if (sets(s->candidates, size) <= ALL_MAX)
			try_all(s, size);
		else
			try_extensions(s, size);
	}
	h = chosen(s, max_terms);
	if (!h)
		return err_set(e, STATUS_USAGE,
		               "no set of terms fits these points, expected --terms");
	for (unsigned t = 0; t < h->count; t++)
		terms[t] = s->candidate[h->index[t]];
	return (int)h->count;
}

int fit_choose(const struct points *p, unsigned max_terms, bool relative, struct fit *f,
               struct err *e)
{
	struct search *s = mem_alloc(1, sizeof *s, e);
	struct term terms[MODEL_TERMS_MAX];
	uint64_t tried;
	int count;

	if (!s)
		return -1;
	count = search(s, p, max_terms, relative, terms, e);
	tried = s->tried;
	problem_finish(&s->problem);
	lsq_finish(&s->lsq);
	free(s->columns);
	free(s);
	if (count < 0 || fit_terms(p, terms, (unsigned)count, relative, f, e) < 0)
		return -1;
	f->hypotheses = tried;
	return 0;
}
