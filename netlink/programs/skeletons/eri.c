/*
 * Skeleton of the two-electron integrals of a Hartree-Fock iteration (the ERI kernel of the PSI-SIM paper: K.
 * Inoue et al., section 3.2.3): the quadruple loop over contracted shells with its cut-off, the outer loop over
 * pairs dealt to the ranks beforehand, one Allreduce of the Fock matrix. README.md says what is kept and what is
 * not.
 *
 *     eri [RESIDUES [cyclic|block]]
 *
 * The molecule is a stretched chain of RESIDUES glycines (15) in the basis 6-31G*: 108 atoms, 460 shells, 1009
 * functions for 15, as in the paper. Costs of a primitive quartet are counted in units, `eri_rate` units a second
 * of the machine's section [skeleton] (1e9).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "lmpi.h"

enum { RESIDUES_MAX = 60, KINDS = 6, CLASSES = KINDS * (KINDS + 1) / 2 };
static const double threshold = 1e-10; /* of an integral: the usual cut-off */

/* Shells of one angular momentum and length: functions, primitives. */
static const struct {
	int functions, primitives;
} kinds[KINDS] = {{1, 6}, {1, 3}, {1, 1}, {3, 3}, {3, 1}, {6, 1}};
enum { S6, S3, S1, P3, P1, D1 };

struct shell {
	double at[3], exponent; /* angstroms; the smallest exponent, 1/bohr^2: what reaches farthest */
	int kind;
};

struct molecule {
	struct shell shells[RESIDUES_MAX * 30 + 20];
	int count, functions, atoms;
};

/* Smallest exponents of 6-31G* (Hehre, Ditchfield, Pople 1972; Hariharan, Pople 1973): core, inner, outer, d. */
static const struct {
	char name;
	double core, inner, outer, d;
} elements[] = {
	{'C', 3.1639270, 0.5442793, 0.1687144, 0.8},
	{'N', 4.3904370, 0.7702580, 0.2120310, 0.8},
	{'O', 5.7996350, 1.0137620, 0.2700058, 0.8},
	{'H', 0, 0.6401217, 0.1612778, 0},
};

static void add_shell(struct molecule *m, const double at[3], int kind, double exponent)
{
	struct shell *s = &m->shells[m->count++];

	memcpy(s->at, at, sizeof(s->at));
	s->kind = kind;
	s->exponent = exponent;
	m->functions += kinds[kind].functions;
}

static void add_atom(struct molecule *m, char name, double x, double y, double z)
{
	double at[3] = {x, y, z};
	int e = 0;

	while (elements[e].name != name)
		e++;
	m->atoms++;
	if (name == 'H') {
		add_shell(m, at, S3, elements[e].inner);
		add_shell(m, at, S1, elements[e].outer);
		return;
	}
	add_shell(m, at, S6, elements[e].core);
	add_shell(m, at, S3, elements[e].inner);
	add_shell(m, at, S1, elements[e].outer);
	add_shell(m, at, P3, elements[e].inner);
	add_shell(m, at, P1, elements[e].outer);
	add_shell(m, at, D1, elements[e].d);
}

/* A zigzag of 3.63 A a residue; every second one upside down; H at its one end, OH at the other. */
static void build_chain(struct molecule *m, int residues)
{
	for (int r = 0; r < residues; r++) {
		double x = 3.63 * r, y = r % 2 ? -1 : 1;

		add_atom(m, 'N', x, 0.4 * y, 0);
		add_atom(m, 'H', x, 1.4 * y, 0);
		if (r == 0)
			add_atom(m, 'H', x - 0.9, 0, 0);
		add_atom(m, 'C', x + 1.21, -0.4 * y, 0);
		add_atom(m, 'H', x + 1.21, -1.03 * y, 0.89);
		add_atom(m, 'H', x + 1.21, -1.03 * y, -0.89);
		add_atom(m, 'C', x + 2.42, 0.4 * y, 0);
		add_atom(m, 'O', x + 2.42, 1.63 * y, 0);
		if (r == residues - 1) {
			add_atom(m, 'O', x + 3.6, -0.3 * y, 0);
			add_atom(m, 'H', x + 4.4, 0.3 * y, 0);
		}
	}
}

struct pair {
	double bound;     /* Schwarz: sqrt((ab|ab)) of its farthest-reaching primitives, taken as s functions */
	int class, place; /* place by bound among those of its class, from the largest on */
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

/* Pairs of one class by bound, and how many of them the loop has passed: a Fenwick tree. */
struct table {
	struct sorted *by_bound;
	int *passed, count;
};

static void pass(struct table *t, int place)
{
	for (int i = place + 1; i <= t->count; i += i & -i)
		t->passed[i]++;
}

/* Of the pairs passed: how many have at least this bound? */
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
	double quartets, units; /* of this rank */
};

/* 0, or 1 without memory. */
static int make_pairs(struct work *w)
{
	const struct molecule *m = &w->molecule;
	int count = 0;

	w->count = m->count * (m->count + 1) / 2;
	w->pairs = calloc((size_t)w->count, sizeof(*w->pairs));
	if (!w->pairs)
		return 1;
	for (int i = 0; i < m->count; i++)
		for (int j = 0; j <= i; j++, count++) {
			struct pair *p = &w->pairs[count];

			p->bound = bound_of(&m->shells[i], &m->shells[j]);
			p->class = class_of(m->shells[i].kind, m->shells[j].kind);
			w->tables[p->class].count++;
		}
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

static void outer_loop(struct work *w, int rank, int ranks, int block)
{
	double rate = BSIM_Parameter("eri_rate", 1e9);
	long from = (long)w->count * rank / ranks, to = (long)w->count * (rank + 1) / ranks;

	for (int i = 0; i < w->count; i++) {
		double before = w->units;

		pass(&w->tables[w->pairs[i].class], w->pairs[i].place);
		if (block ? i < from || i >= to : i % ranks != rank)
			continue;
		inner_loops(w, &w->pairs[i]);
		BSIM_Add_time((w->units - before) / rate);
	}
}

static void clean(struct work *w)
{
	for (int c = 0; c < CLASSES; c++) {
		free(w->tables[c].by_bound);
		free(w->tables[c].passed);
	}
	free(w->pairs);
	free(w);
}

/* A whole number; -1 if there is something else in the text. */
static long whole(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end ? n : -1;
}

int LMPI_Main(int argc, char *argv[])
{
	struct work *w;
	int rank, ranks, residues = argc > 1 ? (int)whole(argv[1]) : 15;
	int block = argc > 2 && strcmp(argv[2], "block") == 0;
	double mine[2], all[2], most;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (residues < 1 || residues > RESIDUES_MAX || argc > 3 || (argc > 2 && !block && strcmp(argv[2], "cyclic"))) {
		if (rank == 0)
			fprintf(stderr, "eri: expected RESIDUES, from 1 to %d, and cyclic or block\n", RESIDUES_MAX);
		return 1;
	}
	w = calloc(1, sizeof(*w));
	if (!w)
		return 1;
	build_chain(&w->molecule, residues);
	if (make_pairs(w))
		return 1;
	BSIM_Phase("integrals");
	outer_loop(w, rank, ranks, block);
	BSIM_Phase("Fock matrix");
	LMPI_Allreduce(NULL, NULL, w->molecule.functions * w->molecule.functions, LMPI_DOUBLE, LMPI_SUM,
		       LMPI_COMM_WORLD);
	BSIM_Phase("");
	mine[0] = w->quartets;
	mine[1] = w->units;
	LMPI_Reduce(mine, all, 2, LMPI_DOUBLE, LMPI_SUM, 0, LMPI_COMM_WORLD);
	LMPI_Reduce(&w->units, &most, 1, LMPI_DOUBLE, LMPI_MAX, 0, LMPI_COMM_WORLD);
	if (rank == 0) {
		double pairs = w->count;

		printf("eri: %d atoms, %d shells, %d functions, %d pairs\n", w->molecule.atoms, w->molecule.count,
		       w->molecule.functions, w->count);
		printf("%.0f quartets of %.0f pass the cut-off, %.4g units; the largest share is %.3f of the mean\n",
		       all[0], pairs * (pairs + 1) / 2, all[1], most / all[1] * ranks);
	}
	clean(w);
	return 0;
}
