/* Selects the terms of a model: from the theory of kernels, else from the normal form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "fit.h"
#include "outliers.h"

/*
 * The powers i and j of n^i log2(n)^j for each number of variables: with one, as in the paper, i =
 * 0, 1/2 … 3 and j = 0, 1, 2; fewer with more variables, to limit the number of products. Below 0, for work that is
 * divided among processes, i is -1, with one variable -1/2 too (surfaces of parts), and j is 0.
 */
static const struct form {
	int halves;    /* i goes in steps of 1 / halves, up to 3 */
	unsigned logs; /* j = 0 … logs */
	int below;     /* the lowest i is -below / halves; only j = 0 */
} forms[MODEL_VARIABLES_MAX + 1] = {{0, 0, 0}, {2, 2, 2}, {2, 1, 2}, {1, 1, 1}, {1, 0, 1}};
enum { LARGEST_POWER = 3, CANDIDATES_MAX = 768, SIZES_MIN = 5 };

/* Above this many sizes a sample selects the terms; the coefficients are fitted to all. */
enum { SIZES_MAX = 500 };

/* Ratio of squared errors at which the normal form replaces the theory: its error is half as large. */
enum { MUCH_BETTER = 4 };

/*
 * A set of terms rivals the chosen one if its error is at most twice as large (the squares MUCH_BETTER), or if its
 * likelihood, as errors at what is left out give it, is at least a twentieth: of n groups left out, mean squares up to
 * 20^(2/n) times as large (K. Burnham, D. Anderson, "Model selection and multimodel inference", 2002, section 2.6, on
 * ratios of evidence).
 */
#define EVIDENCE 20.0
enum { RIVALS_MAX = 1024 };

/*
 * Up to ALL_MAX sets of one size are tried exhaustively; beyond, the EXTENDED_MAX best smaller ones are
 * extended by a term.
 */
enum { ALL_MAX = 100000, EXTENDED_MAX = 32 };

/*
 * A set that was chosen for its small errors has smaller ones than new runs, also at what is left out: the choice has
 * seen it. So each of PARTS parts of the sizes, or each size, is left out while terms are chosen again: with one
 * variable among all sets, with more, which take longer, among the KEPT_MAX best of each number of terms (T. Hastie,
 * R. Tibshirani, J. Friedman, "The elements of statistical learning", 2009, section 7.10.2; R. Barber et al.,
 * "Predictive inference with the jackknife+", Annals of Statistics 49, 2021: the whole method is repeated without
 * each part).
 */
enum { PARTS = 10, KEPT_MAX = 256 };

/* A term with a smaller share of the value at every point is rounding. */
#define ROUNDING 1e-9

struct hypothesis {
	unsigned count, index[MODEL_TERMS_MAX]; /* candidates, ascending */
	struct left_out left_out;
};

struct search {
	struct problem problem;
	struct lsq lsq;
	bool any_sign, named; /* coefficients; the kernel is known, and so its theory */
	unsigned variables, candidates;
	struct term candidate[CANDIDATES_MAX];
	double *columns;                                       /* of the candidates */
	struct hypothesis kept[MODEL_TERMS_MAX + 1][KEPT_MAX]; /* by number of terms, best first */
	unsigned kept_count[MODEL_TERMS_MAX + 1];
	double bound[MODEL_TERMS_MAX + 1]; /* Student's, by number of terms */
	unsigned max_terms;
	uint64_t tried;
	double twice[MODEL_VARIABLES_MAX]; /* sizes twice as large as the largest */
	struct rival rival[RIVALS_MAX];
	unsigned rivals;
	unsigned parts;       /* of the sizes, each left out once */
	struct search *again; /* for the choice without one of them; of it problem and columns change; owned */
};

/* Result of a search; count 0: nothing fits. */
struct found {
	unsigned count;
	struct term terms[MODEL_TERMS_MAX];
	struct left_out left_out;
	const char *kernel; /* kernel whose theory it is, NULL: the normal form */
};

/* The results with all sizes, and without each part of them. */
struct choices {
	struct found whole, without[PARTS];
};

static const struct theory {
	const char *kernel;
	unsigned variables;
	const char *terms, *sizes;
} theories[] = {
#define THEORY(kernel, variables, terms, sizes) {#kernel, variables, terms, sizes},
#include "theories.def"
};
enum { THEORIES = sizeof(theories) / sizeof(theories[0]) };

/* Adds a candidate if it has a value at all points. */
static void add_candidate(struct search *s, const struct term *t)
{
	if (s->candidates < CANDIDATES_MAX &&
	    problem_column(&s->problem, s->variables, t, s->columns + (size_t)s->candidates * s->problem.rows) < 0)
		s->candidate[s->candidates++] = *t;
}

static void add_products(struct search *s, const struct form *form, unsigned variable, struct term t);

/* Adds the products with n^(halves / form->halves) log2(n)^j. */
static void add_power_of(struct search *s, const struct form *form, unsigned variable, struct term t, int halves,
			 unsigned j)
{
	bool whole = halves % form->halves == 0;

	t.factor[variable].power =
		whole ? (struct power){halves / form->halves, 1} : (struct power){halves, form->halves};
	t.factor[variable].log_power = j;
	add_products(s, form, variable + 1, t);
}

/* Adds all products, simple ones first, so that ties go to them. */
static void add_products(struct search *s, const struct form *form, unsigned variable, struct term t)
{
	if (variable >= s->variables || variable >= MODEL_VARIABLES_MAX) {
		add_candidate(s, &t);
		return;
	}
	for (unsigned j = 0; j <= form->logs; j++)
		for (int i = 0; i <= form->halves * LARGEST_POWER; i++)
			add_power_of(s, form, variable, t, i, j);
	for (int i = form->below; i > 0; i -= s->variables > 1 ? form->halves : 1)
		add_power_of(s, form, variable, t, -i, 0);
}

/*
 * Returns whether the signs of coefficients are plausible. Work and transfers take time, so none is
 * negative; with any_sign a negative term must be dominated by another, or the value would become
 * negative at some size.
 */
static bool signs_make_sense(const struct search *s, const struct hypothesis *h)
{
	for (unsigned a = 0; a < h->count; a++) {
		bool outgrown = s->lsq.coefficient[a] >= 0;

		if (!outgrown && !s->any_sign)
			return false;
		for (unsigned b = 0; b < h->count && !outgrown; b++)
			outgrown = term_dominates(&s->candidate[h->index[b]], &s->candidate[h->index[a]]);
		if (!outgrown)
			return false;
	}
	return true;
}

/*
 * Returns whether every term is significant: its confidence interval excludes 0, and it exceeds
 * rounding at some point.
 */
static bool all_count(const struct search *s, const struct hypothesis *h)
{
	double variance = s->lsq.rss / (s->problem.rows - h->count);

	for (unsigned t = 0; t < h->count; t++) {
		const double *column = s->columns + (size_t)h->index[t] * s->problem.rows;
		double c = s->lsq.coefficient[t], share = 0;

		for (unsigned r = 0; r < s->problem.rows; r++)
			share = fmax(share, fabs(c * column[r] / s->problem.y[r]));
		if (!(fabs(c) > s->bound[h->count] * sqrt(variance * s->lsq.inverse[t][t])) || share < ROUNDING)
			return false;
	}
	return true;
}

static bool same_set(const struct hypothesis *a, const struct hypothesis *b)
{
	return a->count == b->count && !memcmp(a->index, b->index, a->count * sizeof(*a->index));
}

/* Inserts the hypothesis among the best of its size. */
static void fit_choose_keep(struct search *s, const struct hypothesis *h)
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
	memmove(&kept[at + 1], &kept[at], (*count - 1 - at) * sizeof(*kept));
	kept[at] = *h;
}

/*
 * Returns whether the values of each variable determine its functions. As many functions as values go through all of
 * them, whatever they are: one less; but two values are enough where the kernel is known, as two runs then give the
 * two coefficients.
 */
static bool values_suffice(const struct search *s, const struct hypothesis *h)
{
	struct term terms[MODEL_TERMS_MAX];

	if (s->variables == 1)
		return true; /* terms are fewer than half the sizes */
	for (unsigned t = 0; t < h->count; t++)
		terms[t] = s->candidate[h->index[t]];
	for (unsigned v = 0; v < s->variables; v++) {
		unsigned values = s->problem.values[v],
			 most = values < 2 || (s->named && values == 2) ? values : values - 1;

		if (fit_functions(terms, h->count, v) > most)
			return false;
	}
	return true;
}

static void fit_choose_try(struct search *s, struct hypothesis *h)
{
	const double *column[MODEL_TERMS_MAX];

	if (!values_suffice(s, h))
		return;
	for (unsigned t = 0; t < h->count; t++)
		column[t] = s->columns + (size_t)h->index[t] * s->problem.rows;
	s->tried++;
	if (lsq_solve(&s->lsq, column, h->count, s->problem.y) == 0 && all_count(s, h) && signs_make_sense(s, h) &&
	    problem_left_out(&s->problem, &s->lsq, s->named, &h->left_out))
		fit_choose_keep(s, h);
}

/* Tries all sets of `size`, in lexical order. */
static void try_all(struct search *s, unsigned size)
{
	struct hypothesis h = {.count = size};
	unsigned at;

	for (unsigned t = 0; t < size; t++)
		h.index[t] = t;
	do {
		fit_choose_try(s, &h);
		for (at = size; at > 0 && h.index[at - 1] == s->candidates - size + at - 1; at--)
			;
		if (at) {
			h.index[at - 1]++;
			for (unsigned t = at; t < size; t++)
				h.index[t] = h.index[t - 1] + 1;
		}
	} while (at);
}

/* Extends the best sets of one term less by every other candidate. */
static void try_extensions(struct search *s, unsigned size)
{
	for (unsigned k = 0; k < s->kept_count[size - 1] && k < EXTENDED_MAX; k++) {
		const struct hypothesis *base = &s->kept[size - 1][k];

		for (unsigned c = 0; c < s->candidates; c++) {
			struct hypothesis h = {.count = size};
			unsigned at = 0;

			while (at < base->count && base->index[at] < c)
				at++;
			if (at < base->count && base->index[at] == c)
				continue;
			memcpy(h.index, base->index, at * sizeof(*h.index));
			h.index[at] = c;
			memcpy(h.index + at + 1, base->index + at, (base->count - at) * sizeof(*h.index));
			fit_choose_try(s, &h);
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

/* Returns the smallest hypothesis within a standard error of the best; NULL if nothing fits. */
static const struct hypothesis *chosen(const struct search *s)
{
	const struct hypothesis *best = NULL;
	double limit;

	for (unsigned size = 1; size <= s->max_terms; size++)
		if (s->kept_count[size] && (!best || s->kept[size][0].left_out.mean < best->left_out.mean))
			best = &s->kept[size][0];
	if (!best)
		return NULL;
	limit = fmax(best->left_out.mean + best->left_out.standard_error,
		     ROUNDING * ROUNDING * mean_square(&s->problem));
	for (unsigned size = 1; size <= s->max_terms; size++)
		if (s->kept_count[size] && s->kept[size][0].left_out.mean <= limit)
			return &s->kept[size][0];
	return best;
}

/* Notes the best sets of each number of terms, with their coefficients. */
static void note_rivals(struct search *s)
{
	const double *column[MODEL_TERMS_MAX];

	for (unsigned size = 1; size <= s->max_terms; size++) {
		for (unsigned k = 0; k < s->kept_count[size] && k < EXTENDED_MAX && s->rivals < RIVALS_MAX; k++) {
			const struct hypothesis *h = &s->kept[size][k];
			struct rival *r = &s->rival[s->rivals];

			*r = (struct rival){.count = size, .left_out = h->left_out.mean};
			for (unsigned t = 0; t < size; t++)
				column[t] = s->columns + (size_t)h->index[t] * s->problem.rows;
			if (lsq_solve(&s->lsq, column, size, s->problem.y) < 0)
				continue;
			for (unsigned t = 0; t < size; t++) {
				r->terms[t] = s->candidate[h->index[t]];
				r->coefficient[t] = s->lsq.coefficient[t];
			}
			s->rivals++;
		}
	}
}

/* Inserts a rival among those of the fit, the one that differs most at twice the range first. */
static void insert_rival(struct fit *f, const struct rival *r, double at[FIT_RIVALS], double ratio)
{
	unsigned i = 0;

	while (i < f->rival_count && at[i] >= ratio)
		i++;
	if (i == FIT_RIVALS)
		return;
	f->rival_count += f->rival_count < FIT_RIVALS;
	memmove(&f->rival[i + 1], &f->rival[i], (f->rival_count - 1 - i) * sizeof(*r));
	memmove(&at[i + 1], &at[i], (f->rival_count - 1 - i) * sizeof(*at));
	f->rival[i] = *r;
	at[i] = ratio;
}

/* Sets the rivals of the fit. */
static void take_rivals(const struct search *s, const struct found *found, struct fit *f)
{
	double rounding = ROUNDING * ROUNDING * mean_square(&s->problem), at[FIT_RIVALS] = {0};
	double times = fmax(MUCH_BETTER, pow(EVIDENCE, 2. / found->left_out.groups));
	double limit = times * found->left_out.mean + rounding;

	for (unsigned n = 0; n < s->rivals; n++)
		if (s->rival[n].left_out <= limit)
			insert_rival(f, &s->rival[n], at, fit_rival_ratio(f, &s->rival[n], s->twice));
	f->rivals = f->rival_count ? 100 * (at[0] - 1) : 0;
}

/* Returns the chosen one of the sets that are kept. */
static struct found take_chosen(const struct search *s, const char *kernel)
{
	const struct hypothesis *h = chosen(s);
	struct found f = {.kernel = kernel};

	if (!h)
		return f;
	f.count = h->count;
	f.left_out = h->left_out;
	for (unsigned t = 0; t < h->count; t++)
		f.terms[t] = s->candidate[h->index[t]];
	return f;
}

/* Copies the candidates and their values at the rows that `part` leaves. */
static void take_candidates(const struct search *s, unsigned part, struct search *again)
{
	again->candidates = s->candidates;
	memcpy(again->candidate, s->candidate, s->candidates * sizeof(*s->candidate));
	for (unsigned c = 0; c < s->candidates; c++) {
		double *to = again->columns + (size_t)c * again->problem.rows;

		for (unsigned r = 0; r < s->problem.rows; r++)
			if (r % s->parts != part)
				*to++ = s->columns[(size_t)c * s->problem.rows + r];
	}
}

/* Tries sets of up to max_terms candidates: all, or extensions of the best smaller ones. */
static void try_sets(struct search *s)
{
	memset(s->kept_count, 0, sizeof(s->kept_count));
	for (unsigned size = 1; size <= s->max_terms && size <= s->candidates; size++) {
		s->bound[size] = student_bound(0.95, s->problem.rows - size);
		if (sets(s->candidates, size) <= ALL_MAX)
			try_all(s, size);
		else
			try_extensions(s, size);
	}
}

/* Tries the sets that `of` has kept. */
static void try_kept(struct search *s, const struct search *of)
{
	memset(s->kept_count, 0, sizeof(s->kept_count));
	for (unsigned size = 1; size <= s->max_terms; size++) {
		s->bound[size] = student_bound(0.95, s->problem.rows - size);
		for (unsigned k = 0; k < of->kept_count[size]; k++) {
			struct hypothesis h = of->kept[size][k];

			fit_choose_try(s, &h);
		}
	}
}

/* Chooses again without a part of the sizes. 0, or -1 where memory is short. */
static int choose_without(struct search *s, unsigned part, const char *kernel, struct found *found, struct err *e)
{
	struct search *again = s->again;
	int ret = problem_without(&again->problem, &s->problem, part, s->parts, e);

	if (ret == 0) {
		again->lsq.rows = again->problem.rows;
		take_candidates(s, part, again);
		if (s->variables == 1)
			try_sets(again);
		else
			try_kept(again, s);
		*found = take_chosen(again, kernel);
	}
	problem_finish(&again->problem);
	return ret;
}

/* Finds the best set of the candidates, with all sizes and without each part. 0, or -1 where memory is short. */
static int fit_choose_search(struct search *s, const char *kernel, struct choices *found, struct err *e)
{
	int ret = 0;

	*found = (struct choices){.whole = {.count = 0}};
	try_sets(s);
	note_rivals(s);
	found->whole = take_chosen(s, kernel);
	for (unsigned p = 0; p < s->parts && ret == 0; p++)
		ret = choose_without(s, p, kernel, &found->without[p], e);
	return ret;
}

static int search_theory(struct search *s, const struct theory *t, struct choices *found, struct err *e)
{
	static const struct variables sizes = {4, {"a", "b", "c", "d"}};
	struct term terms[MODEL_TERMS_MAX];
	struct err wrong;
	int count = terms_read(terms, t->terms, &sizes, &wrong);

	if (count < 0)
		bug("theory of %s: %s", t->kernel, wrong.text);
	s->candidates = 0;
	for (int i = 0; i < count; i++)
		add_candidate(s, &terms[i]);
	return fit_choose_search(s, t->kernel, found, e);
}

/* Returns whether `a`, found later, is better than `b`. */
static bool fit_choose_better(const struct search *s, const struct found *a, const struct found *b)
{
	double rounding = ROUNDING * ROUNDING * mean_square(&s->problem);

	return a->count && (!b->count || a->left_out.mean + rounding < b->left_out.mean);
}

/* Replaces what `a`, found later, is better than by so many times; with all sizes and without each part. */
static void take_better_choices(const struct search *s, const struct choices *a, double times, struct choices *best)
{
	for (unsigned p = 0; p <= s->parts; p++) {
		const struct found *later = p ? &a->without[p - 1] : &a->whole;
		struct found *first = p ? &best->without[p - 1] : &best->whole, handicapped = *later;

		handicapped.left_out.mean *= times;
		if (fit_choose_better(s, &handicapped, first))
			*first = *later;
	}
}

/* Finds the best theory of this kernel; NULL: of any kernel. 0, or -1 where memory is short. */
static int search_theories(struct search *s, const char *kernel, struct choices *best, struct err *e)
{
	*best = (struct choices){.whole = {.count = 0}};
	for (const struct theory *t = theories; t < theories + THEORIES; t++) {
		struct choices c;

		if (t->variables != s->variables || (kernel && strcmp(t->kernel, kernel) != 0))
			continue;
		if (search_theory(s, t, &c, e) < 0)
			return -1;
		take_better_choices(s, &c, 1, best);
	}
	return 0;
}

/* Finds a theory if one fits, else the best of the normal form. 0, or -1 where memory is short. */
static int search_all(struct search *s, const char *kernel, struct choices *found, struct err *e)
{
	struct choices normal_form;

	if (search_theories(s, kernel, found, e) < 0)
		return -1;
	if (kernel)
		return 0;
	s->candidates = 0;
	add_products(s, &forms[s->variables], 0, term_one());
	if (fit_choose_search(s, NULL, &normal_form, e) < 0)
		return -1;
	take_better_choices(s, &normal_form, MUCH_BETTER, found);
	return 0;
}

/* Returns whether a point is in the range of the rows in each variable. */
static bool among(const struct problem *b, const struct point *p)
{
	for (unsigned v = 0; v < b->variables; v++) {
		const unsigned *order = b->order + (size_t)v * b->rows;

		if (p->values[v] < b->points[order[0]]->values[v] ||
		    p->values[v] > b->points[order[b->rows - 1]]->values[v])
			return false;
	}
	return true;
}

/*
 * Adds the squared weighted errors of the terms found without a part, at its rows that are inside the range of the
 * others.
 */
static void add_again(const struct search *s, const struct found *found, unsigned part, double *squares, unsigned *rows)
{
	struct search *again = s->again;
	const struct problem *kept = &again->problem, *all = &s->problem;
	const double *column[MODEL_TERMS_MAX];
	bool values = found->count > 0;

	for (unsigned t = 0; t < found->count; t++) {
		column[t] = again->columns + (size_t)t * kept->rows;
		values &= problem_column(kept, s->variables, &found->terms[t],
					 again->columns + (size_t)t * kept->rows) < 0;
	}
	again->lsq.rows = kept->rows;
	if (!values || lsq_solve(&again->lsq, column, found->count, kept->y) < 0)
		return;
	for (unsigned r = part; r < all->rows; r += s->parts) {
		double sum = 0;

		if (!among(kept, all->points[r]))
			continue;
		for (unsigned t = 0; t < found->count; t++)
			sum += again->lsq.coefficient[t] *
			       term_value(&found->terms[t], s->variables, all->points[r]->values);
		*squares += pow(all->y[r] - all->weight[r] * sum, 2);
		++*rows;
	}
}

/* Takes the errors of terms that were chosen again without each part. 0, or -1 where memory is short. */
static int take_again(struct search *s, const struct choices *found, struct fit *f, struct err *e)
{
	double squares = 0;
	unsigned rows = 0;

	for (unsigned p = 0; p < s->parts; p++) {
		int ret = problem_without(&s->again->problem, &s->problem, p, s->parts, e);

		if (ret == 0)
			add_again(s, &found->without[p], p, &squares, &rows);
		problem_finish(&s->again->problem);
		if (ret < 0)
			return -1;
	}
	if (rows && squares / rows > f->left_out_variance)
		f->left_out_variance = squares / rows;
	return 0;
}

/* Reports that the kernel has no theory for this number of variables, or is unknown. */
static int no_theory(const char *kernel, unsigned variables, struct err *e)
{
	struct near near = near_start(kernel);
	bool known = false;

	for (const struct theory *t = theories; t < theories + THEORIES; t++) {
		near_offer(&near, t->kernel);
		known |= !strcmp(t->kernel, kernel);
	}
	if (known)
		return err_set(e, STATUS_USAGE, "--kernel %s: no theory of %u variables, expected --terms", kernel,
			       variables);
	return err_set(e, STATUS_USAGE,
		       "--kernel: unknown kernel '%s', expected one of gemm, fft, stencil, stream, spmv%s%s%s", kernel,
		       near.best ? ": did you mean " : "", near.best ? near.best : "", near.best ? "?" : "");
}

/*
 * Sets the kernel: the wanted one, else the one whose name is in that of the value
 * ("regions.dgemm.seconds"), else NULL.
 */
static int find_kernel(const struct points *p, const char *wanted, const char **kernel, struct err *e)
{
	*kernel = NULL;
	for (const struct theory *t = theories; t < theories + THEORIES; t++)
		if (t->variables == p->variables.count &&
		    (wanted ? !strcmp(t->kernel, wanted) : strstr(p->value_name, t->kernel) != NULL))
			*kernel = t->kernel;
	return wanted && !*kernel ? no_theory(wanted, p->variables.count, e) : 0;
}

/* Makes the search without parts of the sizes. 0, or -1 where memory is short. */
static int again_create(struct search *s, struct err *e)
{
	struct search *again = mem_alloc(1, sizeof(*again), e);
	unsigned rows = s->problem.rows, left, most;

	s->again = again;
	if (!again)
		return -1;
	s->parts = rows < PARTS ? rows : PARTS;
	left = rows - (rows + s->parts - 1) / s->parts;
	again->variables = s->variables;
	again->any_sign = s->any_sign;
	most = left > 2 ? (left - 1) / 2 : 1; /* as with all sizes */
	again->max_terms = s->max_terms < most ? s->max_terms : most;
	again->columns = mem_alloc((size_t)CANDIDATES_MAX * rows, sizeof(*again->columns), e);
	return again->columns ? lsq_create(&again->lsq, rows, e) : -1;
}

static int fit_choose_search_create(struct search *s, const struct points *p, const struct fit_choice *choice,
				    struct err *e)
{
	unsigned most;

	if (problem_create(&s->problem, p, choice->relative, e) < 0)
		return -1;
	if (s->problem.rows < SIZES_MIN)
		return err_set(e, STATUS_USAGE, "too few %s to choose terms: %u, expected at least %d, or --terms",
			       s->problem.rows < s->problem.runs ? "sizes" : "points", s->problem.rows, SIZES_MIN);
	if (problem_thin(&s->problem, SIZES_MAX, e) < 0)
		return -1;
	s->columns = mem_alloc((size_t)CANDIDATES_MAX * s->problem.rows, sizeof(*s->columns), e);
	if (!s->columns || lsq_create(&s->lsq, s->problem.rows, e) < 0)
		return -1;
	s->variables = p->variables.count;
	s->any_sign = choice->any_sign;
	for (unsigned i = 0; i < s->variables; i++) {
		for (unsigned r = 0; r < s->problem.rows; r++)
			s->twice[i] = fmax(s->twice[i], s->problem.points[r]->values[i]);
		s->twice[i] *= 2;
	}
	/* fewer terms than half the sizes, so that more than one size determines each */
	most = (s->problem.rows - 1) / 2;
	s->max_terms = choice->max_terms < most ? choice->max_terms : most;
	return again_create(s, e);
}

/* Reports that nothing fits; an outlier may be the reason. */
static int nothing_fits(const struct points *p, const char *kernel, struct err *e)
{
	const char *of = kernel ? " of kernel " : "", *name = kernel ? kernel : "";
	struct outlier worst;
	struct err none;

	if (outliers_find(p, &worst, 1, &none) == 1)
		return err_set(e, STATUS_USAGE,
			       "no set of terms%s%s fits these points: %s is %g, the other points predict %.2g; "
			       "expected --hold-out for it, or --terms",
			       of, name, p->list.at[worst.point].file, p->list.at[worst.point].result, worst.expected);
	return err_set(e, STATUS_USAGE, "no set of terms%s%s fits these points, expected --terms, or --interpolate", of,
		       name);
}

/* Chooses terms and fits them; the caller frees what `s` has. */
static int choose_and_fit(struct search *s, const struct points *p, const struct fit_choice *choice, struct fit *f,
			  struct err *e)
{
	const char *kernel = NULL;
	struct choices found;

	if (find_kernel(p, choice->kernel, &kernel, e) < 0 || fit_choose_search_create(s, p, choice, e) < 0)
		return -1;
	s->named = s->again->named = kernel != NULL;
	if (search_all(s, kernel, &found, e) < 0)
		return -1;
	if (!found.whole.count)
		return nothing_fits(p, kernel, e);
	if (fit_terms(p, found.whole.terms, found.whole.count, choice->relative, f, e) < 0)
		return -1;
	f->hypotheses = s->tried;
	f->kernel = found.whole.kernel;
	take_rivals(s, &found.whole, f);
	return take_again(s, &found, f, e);
}

static void fit_choose_search_finish(struct search *s)
{
	if (!s)
		return;
	problem_finish(&s->problem);
	lsq_finish(&s->lsq);
	free(s->columns);
	fit_choose_search_finish(s->again);
	free(s);
}

int fit_choose(const struct points *p, const struct fit_choice *choice, struct fit *f, struct err *e)
{
	struct search *s = mem_alloc(1, sizeof(*s), e);
	int ret;

	if (!s)
		return -1;
	ret = choose_and_fit(s, p, choice, f, e);
	fit_choose_search_finish(s);
	return ret;
}
