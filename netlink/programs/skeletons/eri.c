/*
 * Skeleton of the two-electron integrals of a Hartree-Fock iteration (the ERI kernel of the PSI-SIM paper: K.
 * Inoue et al., section 3.2.3): the quadruple loop over contracted shells with its cut-off, the outer loop over
 * pairs dealt to the ranks beforehand, one Allreduce of the Fock matrix. README.md says what is kept and what is
 * not.
 *
 *     eri [RESIDUES|lysozyme [cyclic|block]]
 *
 * The molecule is a stretched chain of RESIDUES glycines (15) in the basis 6-31G*: 108 atoms, 460 shells, 1009
 * functions for 15, as in the paper; or lysozyme in STO-3G, 1961 atoms, 6005 functions (eri_molecule.h). Rank 0 counts
 * the pairs of all ranks. Costs of a primitive quartet are counted in units, `eri_rate` units a second of the machine's
 * section [skeleton] (1e9).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "eri_molecule.h"
#include "lmpi.h"

static const double threshold = 1e-10; /* cut-off of an integral, the usual value */

struct pair {
	double bound;     /* Schwarz: sqrt((ab|ab)) of its farthest-reaching primitives, taken as s functions */
	int class, place; /* class, and position in it by descending bound */
};

static double bound_of(const struct shell *a, const struct shell *b)
{
	const double bohr = 0.529177, pi = 3.14159265358979323846;
	double p = a->exponent + b->exponent, r2 = 0;

	for (int d = 0; d < 3; d++)
		r2 += (a->at[d] - b->at[d]) * (a->at[d] - b->at[d]) / (bohr * bohr);
	return pow(4 * a->exponent * b->exponent / (pi * pi), 0.75) * sqrt(2 * pow(pi, 2.5) / (p * p * sqrt(2 * p))) *
	       exp(-a->exponent * b->exponent / p * r2);
}

static int class_of(int a, int b)
{
	return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/* Primitive pairs and functions of a class. */
static void class_sizes(double primitives[CLASSES], double functions[CLASSES])
{
	for (int a = 0; a < KINDS; a++)
		for (int b = 0; b <= a; b++) {
			primitives[class_of(a, b)] = kinds[a].primitives * kinds[b].primitives;
			functions[class_of(a, b)] = kinds[a].functions * kinds[b].functions;
		}
}

struct sorted {
	double bound;
	int pair;
};

static int larger_first(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->bound != y->bound)
		return x->bound < y->bound ? 1 : -1;
	return x->pair - y->pair;
}

/* Pairs of one class by bound, with counts of those that the loop has passed: a Fenwick tree. */
struct table {
	struct sorted *by_bound;
	int *passed, count;
};

static void pass(struct table *t, int place)
{
	for (int i = place + 1; i <= t->count; i += i & -i)
		t->passed[i]++;
}

/* Returns the number of passed pairs with at least this bound. */
static int count_passed(const struct table *t, double bound)
{
	int low = 0, high = t->count, sum = 0;

	while (low < high) {
		int middle = (low + high) / 2;

		if (t->by_bound[middle].bound >= bound)
			low = middle + 1;
		else
			high = middle;
	}
	for (int i = low; i > 0; i -= i & -i)
		sum += t->passed[i];
	return sum;
}

struct work {
	struct molecule molecule;
	struct pair *pairs;
	struct table tables[CLASSES];
	int count;
	double quartets, units; /* primitive quartets of this rank, and their units */
};

/* Adds the pair of shells i and j if its bound is at least `least`. Returns 0, or 1 if memory is short. */
static int add_pair(struct work *w, int i, int j, double least)
{
	const struct shell *shells = w->molecule.shells;
	double bound = bound_of(&shells[i], &shells[j]);
	struct pair *p = w->pairs;

	if (bound < least)
		return 0;
	if ((w->count & (w->count - 1)) == 0) {
		p = realloc(w->pairs, (w->count ? 2 * (size_t)w->count : 1) * sizeof(*p));
		if (!p)
			return 1;
		w->pairs = p;
	}
	p += w->count++;
	*p = (struct pair){.bound = bound, .class = class_of(shells[i].kind, shells[j].kind)};
	w->tables[p->class].count++;
	return 0;
}

/* Returns the smallest bound with which a pair can pass the cut-off. */
static double least_bound(const struct molecule *m)
{
	double largest = 0;

	for (int i = 0; i < m->count; i++)
		largest = fmax(largest, bound_of(&m->shells[i], &m->shells[i]));
	return threshold / largest;
}

/* Makes the table of pairs with at least this bound. Returns 0, or 1 if memory is short. */
static int make_pairs(struct work *w, double least)
{
	const struct molecule *m = &w->molecule;

	for (int i = 0; i < m->count; i++)
		for (int j = 0; j <= i; j++)
			if (add_pair(w, i, j, least))
				return 1;
	for (int c = 0; c < CLASSES; c++) {
		struct table *t = &w->tables[c];

		t->by_bound = calloc((size_t)t->count + 1, sizeof(*t->by_bound));
		t->passed = calloc((size_t)t->count + 1, sizeof(*t->passed));
		if (!t->by_bound || !t->passed)
			return 1;
		t->count = 0;
	}
	for (int i = 0; i < w->count; i++) {
		struct table *t = &w->tables[w->pairs[i].class];

		t->by_bound[t->count++] = (struct sorted){w->pairs[i].bound, i};
	}
	for (int c = 0; c < CLASSES; c++) {
		struct table *t = &w->tables[c];

		qsort(t->by_bound, (size_t)t->count, sizeof(*t->by_bound), larger_first);
		for (int i = 0; i < t->count; i++)
			w->pairs[t->by_bound[i].pair].place = i;
	}
	return 0;
}

/*
 * Units of a primitive quartet: what is there for any (exponents, roots of the Rys polynomial), and for each of its
 * integrals. README.md: an assumption.
 */
static double quartet_units(double integrals)
{
	return 30 + 4 * integrals;
}

/* The pairs kl that come before ij and pass the cut-off, by class: the two inner loops, counted. */
static void inner_loops(struct work *w, const struct pair *ij)
{
	double primitives[CLASSES], functions[CLASSES];

	class_sizes(primitives, functions);
	for (int c = 0; c < CLASSES; c++) {
		double survivors = count_passed(&w->tables[c], threshold / ij->bound);

		w->quartets += survivors;
		w->units += survivors * primitives[ij->class] * primitives[c] *
			    quartet_units(functions[ij->class] * functions[c]);
	}
}

/* Counts for all ranks at once: adds the units of rank r to share[r]. */
static void outer_loop(struct work *w, int ranks, int block, double *share)
{
	for (int i = 0; i < w->count; i++) {
		double before = w->units;

		pass(&w->tables[w->pairs[i].class], w->pairs[i].place);
		inner_loops(w, &w->pairs[i]);
		share[block ? (long)i * ranks / w->count : i % ranks] += w->units - before;
	}
}

/*
 * Rank 0 counts; each rank receives and computes its share. A table of pairs in each rank would take 4 MB, and the time
 * of all counts. Returns 0, or 1 if memory is short.
 */
static int integrals(struct work *w, int rank, int ranks, double least, int block)
{
	double *share = rank == 0 ? calloc((size_t)ranks, sizeof(*share)) : NULL;

	if (rank == 0) {
		if (!share || make_pairs(w, least))
			return 1;
		outer_loop(w, ranks, block, share);
	}
	LMPI_Scatter(share, 1, LMPI_DOUBLE, &w->units, 1, LMPI_DOUBLE, 0, LMPI_COMM_WORLD);
	free(share);
	BSIM_Add_time(w->units / BSIM_Parameter("eri_rate", 1e9));
	return 0;
}

static void clean(struct work *w)
{
	for (int c = 0; c < CLASSES; c++) {
		free(w->tables[c].by_bound);
		free(w->tables[c].passed);
	}
	free(w->pairs);
	free(w->molecule.shells);
	free(w);
}

/* Parses a whole number; returns -1 if the text is anything else. */
static long whole(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end ? n : -1;
}

/* Prints the sums over all ranks, on rank 0. */
static void report(const struct work *w, int rank, int ranks)
{
	double mine[2] = {w->quartets, w->units}, all[2], most;
	double shells = w->molecule.count, pairs = shells * (shells + 1) / 2;

	LMPI_Reduce(mine, all, 2, LMPI_DOUBLE, LMPI_SUM, 0, LMPI_COMM_WORLD);
	LMPI_Reduce(&w->units, &most, 1, LMPI_DOUBLE, LMPI_MAX, 0, LMPI_COMM_WORLD);
	if (rank != 0)
		return;
	printf("eri: %d atoms, %d shells, %d functions, %d pairs\n", w->molecule.atoms, w->molecule.count,
	       w->molecule.functions, w->count);
	printf("%.0f quartets of %.0f pass the cut-off, %.4g units; the largest share is %.3f of the mean\n", all[0],
	       pairs * (pairs + 1) / 2, all[1], most / all[1] * ranks);
}

/* Makes the molecule; only rank 0 keeps its shells. Returns 0, or 1 if memory is short. */
static int make_molecule(struct molecule *m, int rank, int residues)
{
	m->shells = calloc(SHELLS_MAX, sizeof(*m->shells));
	if (!m->shells)
		return 1;
	if (residues)
		build_chain(m, residues);
	else
		build_lysozyme(m);
	if (rank == 0)
		return 0;
	free(m->shells);
	m->shells = NULL;
	return 0;
}

/* Computes the integrals and the Fock matrix. Returns 0, or 1 if memory is short. */
static int iteration(struct work *w, int rank, int ranks, int residues, int block)
{
	struct molecule *m = &w->molecule;

	if (make_molecule(m, rank, residues))
		return 1;
	BSIM_Phase("integrals");
	if (integrals(w, rank, ranks, residues || rank ? 0 : least_bound(m), block))
		return 1;
	BSIM_Phase("Fock matrix");
	LMPI_Allreduce(NULL, NULL, m->functions * m->functions, LMPI_DOUBLE, LMPI_SUM, LMPI_COMM_WORLD);
	BSIM_Phase("");
	report(w, rank, ranks);
	return 0;
}

int LMPI_Main(int argc, char *argv[])
{
	struct work *w;
	int rank, ranks, residues = argc > 1 ? (int)whole(argv[1]) : 15;
	int block = argc > 2 && strcmp(argv[2], "block") == 0, failed;

	if (argc > 1 && strcmp(argv[1], "lysozyme") == 0)
		residues = 0;
	else if (residues == 0)
		residues = -1;
	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (residues < 0 || residues > RESIDUES_MAX || argc > 3 || (argc > 2 && !block && strcmp(argv[2], "cyclic"))) {
		if (rank == 0)
			fprintf(stderr, "eri: expected RESIDUES, from 1 to %d, or lysozyme, and cyclic or block\n",
				RESIDUES_MAX);
		return 1;
	}
	w = calloc(1, sizeof(*w));
	if (!w)
		return 1;
	failed = iteration(w, rank, ranks, residues, block);
	clean(w);
	return failed;
}
