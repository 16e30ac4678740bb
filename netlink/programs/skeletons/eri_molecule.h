/*
 * The molecules of eri.c: a chain of glycines in the basis 6-31G*, and lysozyme in STO-3G. Atoms are shells of
 * functions; of a shell the smallest exponent counts, which reaches farthest.
 */
#ifndef ERI_MOLECULE_H
#define ERI_MOLECULE_H

#include <string.h>

enum { RESIDUES_MAX = 60, SHELLS_MAX = 4000, KINDS = 6, CLASSES = KINDS * (KINDS + 1) / 2 };
/* Shells of one angular momentum and length: functions, primitives. */
static const struct {
	int functions, primitives;
} kinds[KINDS] = {{1, 6}, {1, 3}, {1, 1}, {3, 3}, {3, 1}, {6, 1}};
enum { S6, S3, S1, P3, P1, D1 };

struct shell {
	double at[3], exponent; /* position in angstroms; smallest exponent in 1/bohr^2, which reaches farthest */
	int kind;
};

struct molecule {
	struct shell *shells; /* SHELLS_MAX of them */
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

/* A zigzag of 3.63 A per residue; every second residue is upside down; H at one end, OH at the other. */
static inline void build_chain(struct molecule *m, int residues)
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

/*
 * Lysozyme of hen's egg white, C613 H960 N193 O185 S10: the 1961 atoms of the PSI-SIM paper's Table 7. In STO-3G they
 * have 960 + 5 (613 + 193 + 185) + 9 x 10 = 6005 functions; the paper prints 60005. Where its atoms are the paper does
 * not say. Assumed: 129 residues in straight strands side by side, as dense as proteins (134 cubic angstroms a
 * residue); behind each residue's N, H, C, H, C, O a side chain, to which all other atoms are dealt evenly.
 */
enum { LYSOZYME_RESIDUES = 129, LYSOZYME_STRAND = 12, LYSOZYME_ROW = 3 };

/* STO-3G (Hehre, Stewart, Pople 1969): scales of the shells n = 1, 2, 3. */
static const struct {
	char name;
	int shells; /* values of n */
	double scale[3];
} sto_3g[] = {
	{'H', 1, {1.24}},       {'C', 2, {5.67, 1.72}},        {'N', 2, {6.67, 1.95}},
	{'O', 2, {7.66, 2.25}}, {'S', 3, {15.47, 5.79, 2.05}},
};

static void add_sto_atom(struct molecule *m, char name, const double at[3])
{
	static const double smallest[3] = {0.109818, 0.0751386, 0.0527266}; /* exponents at a scale of 1 */
	int e = 0;

	while (sto_3g[e].name != name)
		e++;
	m->atoms++;
	for (int n = 0; n < sto_3g[e].shells; n++) {
		double exponent = smallest[n] * sto_3g[e].scale[n] * sto_3g[e].scale[n];

		add_shell(m, at, S3, exponent);
		if (n > 0)
			add_shell(m, at, P3, exponent);
	}
}

/* Returns the share of residue r when `all` items are distributed evenly over the residues. */
static int dealt(int all, int r)
{
	return all * (r + 1) / LYSOZYME_RESIDUES - all * r / LYSOZYME_RESIDUES;
}

/* Adds the side chain of residue r: heavy atoms at a distance of 1.25 A across the strand, with their H around them. */
static void add_side_chain(struct molecule *m, int r, double x, double y, double z, double up)
{
	const struct {
		char name;
		int all;
	} heavy[] = {{'C', 613 - 2 * LYSOZYME_RESIDUES},
		     {'N', 193 - LYSOZYME_RESIDUES},
		     {'O', 185 - LYSOZYME_RESIDUES},
		     {'S', 10}};
	int at = 0, hydrogens = dealt(960 - 2 * LYSOZYME_RESIDUES, r);

	for (int e = 0; e < 4; e++)
		for (int k = dealt(heavy[e].all, r); k > 0; k--, at++)
			add_sto_atom(m, heavy[e].name,
				     (double[]){x + (at % 2 ? 0.88 : 0), y + up * (1.53 + 1.25 * at), z});
	for (int h = 0; h < hydrogens; h++)
		add_sto_atom(
			m, 'H',
			(double[]){x + (h % 4 < 2 ? 0.4 : -0.4), y + up * (1.53 + 0.6 * h), z + (h % 2 ? 0.9 : -0.9)});
}

/* Strands along x, ROW of them side by side in z, layers of these in y. */
static inline void build_lysozyme(struct molecule *m)
{
	for (int r = 0; r < LYSOZYME_RESIDUES; r++) {
		int strand = r / LYSOZYME_STRAND, along = r % LYSOZYME_STRAND;
		double x = 3.63 * (strand % 2 ? LYSOZYME_STRAND - 1 - along : along);
		double z = 4.8 * (strand % LYSOZYME_ROW), y = 7.7 * (double)(strand / LYSOZYME_ROW),
		       up = r % 2 ? -1 : 1;

		add_sto_atom(m, 'N', (double[]){x, y + 0.4 * up, z});
		add_sto_atom(m, 'H', (double[]){x, y + 1.4 * up, z});
		add_sto_atom(m, 'C', (double[]){x + 1.21, y - 0.4 * up, z});
		add_sto_atom(m, 'H', (double[]){x + 1.21, y - 1.03 * up, z + 0.89});
		add_sto_atom(m, 'C', (double[]){x + 2.42, y + 0.4 * up, z});
		add_sto_atom(m, 'O', (double[]){x + 2.42, y + 1.63 * up, z});
		add_side_chain(m, r, x + 1.21, y, z, up);
	}
}

#endif
