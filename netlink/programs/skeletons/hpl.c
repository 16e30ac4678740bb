/*
 * Skeleton of HPL (Petitet, Whaley, Dongarra, Cleary: "HPL - A Portable Implementation of the High-Performance Linpack
 * Benchmark", version 2.3): LU factorisation of an N x N matrix with partial pivoting on P x Q ranks, dealt in
 * blocks of NB, and the triangular solve behind it. README.md says what is kept and what is not.
 *
 *     hpl N NB P Q [NAME=VALUE]...
 *
 *     depth=0|1               panels factorised ahead of the update (0)
 *     bcast=1ring|1ringM|2ring|long     how a panel goes along its row (1ring)
 *     swap=binary|long|mix    how rows are exchanged in a column: mix is binary up to 64 columns (mix)
 *     messages=few|all        few: messages that only wait for each other are gathered (few)
 *
 * Defaults are those of the HPL.dat that comes with HPL. Seconds come from the models dgemm(m, n, k),
 * panel(m, w), rows(k, n), or, where the machine has none, from the rates dgemm_rate, panel_rate (operations a
 * second) and memory_rate (bytes a second; 0: free) of its section [skeleton]; `cores` cores share the work of a rank.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "lmpi.h"

enum { TAG_PIVOT = 1, TAG_PANEL, TAG_SWAP, TAG_SOLVE };
enum { MIX_COLUMNS = 64, LEAF_MAX = 64, LEAF_MIN = 4, FEW = 2 };
enum bcast { ONE_RING, ONE_RING_M, TWO_RING, LONG_BCAST };
enum swap { SWAP_BINARY, SWAP_LONG, SWAP_MIX };

struct hpl {
	long n, nb, blocks;
	int P, Q, p, q; /* grid of ranks, and the position of this rank */
	int depth, bcast, swap, all;
	double cores, dgemm_rate, panel_rate, memory_rate;
	int has_dgemm, has_panel, has_rows;
	double exchange, step; /* seconds of one exchange of pivots, of one empty step to a neighbour */
	LMPI_Request sent[2], coming;
};

static int rank_of(const struct hpl *h, int p, int q)
{
	return p * h->Q + q; /* row-major order, as in HPL.dat */
}

/* ---- sizes ---- */

/* Returns the share of place `at` when the first `n` rows (columns) are distributed in blocks over `of` places. */
static long dealt(long n, long nb, int at, int of)
{
	long whole = n / nb, mine = whole / of * nb;

	if (at < whole % of)
		return mine + nb;
	return at == whole % of ? mine + n % nb : mine;
}

static long rows_from(const struct hpl *h, long from)
{
	return from >= h->n ? 0 : dealt(h->n, h->nb, h->p, h->P) - dealt(from, h->nb, h->p, h->P);
}

static long columns_from(const struct hpl *h, long from)
{
	return from >= h->n ? 0 : dealt(h->n, h->nb, h->q, h->Q) - dealt(from, h->nb, h->q, h->Q);
}

static long width(const struct hpl *h, long block)
{
	return block == h->blocks - 1 ? h->n - block * h->nb : h->nb;
}

/* ---- seconds ---- */

/* C -= A B of m x n with inner size k; `cores` divide the columns, or the rows if there are few columns. */
static double dgemm(const struct hpl *h, double m, double n, double k)
{
	if (m <= 0 || n <= 0 || k <= 0)
		return 0;
	if (!h->has_dgemm)
		return 2 * m * n * k / (h->dgemm_rate * h->cores);
	return m > n ? BSIM_Time("dgemm", 3, (double[]){m / h->cores, n, k})
		     : BSIM_Time("dgemm", 3, (double[]){m, n / h->cores, k});
}

/* Unblocked factorisation of m x w; a core has at least the work of a square. */
static double leaf(const struct hpl *h, double m, double w)
{
	if (!h->has_panel)
		return w * w * (m > w / 3 ? m - w / 3 : 0) / (h->panel_rate * h->cores);
	return BSIM_Time("panel", 2, (double[]){m / h->cores > w ? m / h->cores : w, w});
}

/* A triangular solve of order k with n columns: a product of half the operations (diagonal blocks inverted). */
static double dtrsm(const struct hpl *h, double k, double n)
{
	return dgemm(h, k, n, k) / 2;
}

/* Recursive factorisation of m x w in halves, while that is faster than the unblocked one. */
static double panel_seconds(const struct hpl *h, double m, double w)
{
	double parts, whole;

	if (m <= 0)
		return 0;
	if (!h->has_panel || w < 2 * LEAF_MIN)
		return leaf(h, m, w);
	parts = panel_seconds(h, m, w / 2) + dtrsm(h, w / 2, w / 2) + dgemm(h, m, w / 2, w / 2) +
		panel_seconds(h, m, w / 2);
	if (w > LEAF_MAX)
		return parts;
	whole = leaf(h, m, w);
	return whole < parts ? whole : parts;
}

/* Copies k rows of n columns out of the matrix, or into it. */
static double rows(const struct hpl *h, double k, double n)
{
	if (k <= 0 || n <= 0)
		return 0;
	if (h->has_rows)
		return BSIM_Time("rows", 2, (double[]){k, n / h->cores});
	return h->memory_rate > 0 ? 16 * k * n / h->memory_rate : 0;
}

/* ---- messages ---- */

static void send(long doubles, int to, int tag)
{
	LMPI_Send(NULL, (int)doubles, LMPI_DOUBLE, to, tag, LMPI_COMM_WORLD);
}

static void receive(long doubles, int from, int tag)
{
	LMPI_Recv(NULL, (int)doubles, LMPI_DOUBLE, from, tag, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);
}

static void swap_with(long out, int to, long in, int from, int tag)
{
	LMPI_Sendrecv(NULL, (int)out, LMPI_DOUBLE, to, tag, NULL, (int)in, LMPI_DOUBLE, from, tag, LMPI_COMM_WORLD,
		      LMPI_STATUS_IGNORE);
}

static int power_below(int n)
{
	int power = 1;

	while (2 * power <= n)
		power *= 2;
	return power;
}

/* A row or column of the grid, relative to one of its ranks; member 0 has the data for the others. */
struct line {
	int base, stride, of, first, at;
};

static struct line row_line(const struct hpl *h, long block)
{
	int first = (int)(block % h->Q);

	return (struct line){h->p * h->Q, 1, h->Q, first, (h->q - first + h->Q) % h->Q};
}

static struct line column_line(const struct hpl *h, long block)
{
	int first = (int)(block % h->P);

	return (struct line){h->q, h->Q, h->P, first, (h->p - first + h->P) % h->P};
}

static int member(struct line l, int number)
{
	return l.base + l.stride * ((number + l.first) % l.of);
}

/*
 * HPL_pdmxswp: all ranks of the column agree on a pivot and get its row (jb numbers, and 4 that identify candidates),
 * by exchanges in powers of two; the row that the pivot is to change places with goes along from the rank that has it
 * to those who have not got it yet. Ranks beyond a power of two pass that on among themselves meanwhile: left out.
 */
static void exchange_pivot(const struct hpl *h, long block, long jb)
{
	struct line l = column_line(h, block);
	int power = power_below(l.of), twin = member(l, l.at ^ power);
	bool has_twin = (l.at ^ power) < l.of;
	long candidate = jb + 4, both = jb + candidate;

	if (l.at >= power) {
		send(candidate, twin, TAG_PIVOT);
		if (l.at == power)
			receive(jb, twin, TAG_PIVOT);
		receive(candidate, twin, TAG_PIVOT);
		return;
	}
	if (has_twin && l.at == 0)
		send(jb, twin, TAG_PIVOT);
	if (has_twin)
		receive(candidate, twin, TAG_PIVOT);
	for (int bit = 1; bit < power; bit *= 2) {
		int other = member(l, l.at ^ bit);

		swap_with(l.at < bit ? both : candidate, other, l.at >= bit && l.at < 2 * bit ? both : candidate, other,
			  TAG_PIVOT);
	}
	if (has_twin)
		send(candidate, twin, TAG_PIVOT);
}

/* Measures the times that "few" uses instead of messages. */
static void measure(struct hpl *h)
{
	enum { TIMES = 8 }; /* and as many before, until the ranks keep step */
	double begin;
	int up = rank_of(h, (h->p + 1) % h->P, h->q), down = rank_of(h, (h->p + h->P - 1) % h->P, h->q);

	if (h->P == 1 || h->all)
		return;
	for (int i = 0; i < TIMES; i++)
		exchange_pivot(h, 0, h->nb);
	begin = LMPI_Wtime();
	for (int i = 0; i < TIMES; i++)
		exchange_pivot(h, 0, h->nb);
	h->exchange = (LMPI_Wtime() - begin) / TIMES;
	swap_with(0, up, 0, down, TAG_SWAP);
	begin = LMPI_Wtime();
	for (int i = 0; i < TIMES; i++)
		swap_with(0, up, 0, down, TAG_SWAP);
	h->step = (LMPI_Wtime() - begin) / TIMES;
}

/* Factorisation of panel `block` by the ranks of its column. */
static void factorise(const struct hpl *h, long block)
{
	long jb = width(h, block);
	double seconds = panel_seconds(h, (double)rows_from(h, block * h->nb), (double)jb);

	BSIM_Phase("panel");
	if (h->P == 1 || !h->all) {
		BSIM_Add_time(seconds + (double)(jb - 1) * h->exchange);
		if (h->P > 1)
			exchange_pivot(h, block, jb);
		return;
	}
	for (long k = 0; k < jb; k++) {
		BSIM_Add_time(seconds / (double)jb);
		exchange_pivot(h, block, jb);
	}
}

/* Scatters from member 0 by halves: each member gets its part of `doubles`. */
static void spread(struct line l, long doubles, int tag)
{
	int span = power_below(l.of), held = 0;

	for (; span >= 1; span /= 2) {
		int middle = held + span, end = middle + span < l.of ? middle + span : l.of;

		if (middle < end && l.at == held)
			send(doubles * (end - middle) / l.of, member(l, middle), tag);
		else if (middle < end && l.at == middle)
			receive(doubles * (end - middle) / l.of, member(l, held), tag);
		if (l.at >= middle)
			held = middle;
	}
}

/* Allgather in a ring: each member forwards parts until all have all; "few" combines the steps. */
static void roll(const struct hpl *h, struct line l, long doubles, int tag)
{
	int next = member(l, l.at + 1), previous = member(l, l.at + l.of - 1), steps = l.of - 1;
	int messages = h->all || steps < FEW ? steps : FEW;

	for (int i = 0; i < messages; i++) {
		long from = (long)steps * i / messages, parts = (long)steps * (i + 1) / messages - from;
		long part = doubles * parts / l.of;

		swap_with(part, next, part, previous, tag);
		if (parts > 1)
			BSIM_Add_time((double)(parts - 1) * h->step);
	}
}

/* ---- broadcast of a panel along its row ---- */

static long panel_doubles(const struct hpl *h, long block)
{
	long jb = width(h, block);

	return rows_from(h, block * h->nb + jb) * jb + jb * jb + jb + 1;
}

/* Returns the sender of the panel for the rank at this distance from the panel's column; -1: the rank has it. */
static int source(const struct hpl *h, int d)
{
	if (h->bcast == ONE_RING_M && d == 2)
		return 0;
	if (h->bcast == TWO_RING && d == (h->Q + 1) / 2)
		return 0;
	return d - 1;
}

/* Finds the receivers to which the rank forwards the panel, at most two. */
static int targets(const struct hpl *h, int d, int to[2])
{
	int count = 0;

	for (int e = d + 1; e < h->Q && count < 2; e++)
		if (source(h, e) == d)
			to[count++] = e;
		else if (d > 0)
			break;
	return count;
}

static void expect_panel(struct hpl *h, long block)
{
	struct line l = row_line(h, block);

	if (l.at > 0 && h->bcast != LONG_BCAST)
		LMPI_Irecv(NULL, (int)panel_doubles(h, block), LMPI_DOUBLE, member(l, source(h, l.at)), TAG_PANEL,
			   LMPI_COMM_WORLD, &h->coming);
}

/* Receives the panel, unless this rank has it, and forwards it. Sends complete while the rank computes. */
static void broadcast(struct hpl *h, long block)
{
	struct line l = row_line(h, block);
	int to[2], count;

	if (h->Q == 1)
		return;
	BSIM_Phase("broadcast");
	if (h->bcast == LONG_BCAST) {
		spread(l, panel_doubles(h, block), TAG_PANEL);
		roll(h, l, panel_doubles(h, block), TAG_PANEL);
		return;
	}
	if (l.at > 0)
		LMPI_Wait(&h->coming, LMPI_STATUS_IGNORE);
	LMPI_Waitall(2, h->sent, LMPI_STATUSES_IGNORE);
	count = targets(h, l.at, to);
	for (int i = 0; i < count; i++)
		LMPI_Isend(NULL, (int)panel_doubles(h, block), LMPI_DOUBLE, member(l, to[i]), TAG_PANEL,
			   LMPI_COMM_WORLD, &h->sent[i]);
}

/* ---- exchange of rows ---- */

/*
 * HPL_pdlaswp00: the current row's U goes out in steps of powers of two, and what others have for it comes the other
 * way; in a grid with P no power of two the ranks beyond get it at the end.
 */
static void swap_binary(struct line l, long jb, long n)
{
	int power = power_below(l.of), twin = l.at ^ power;
	long u = jb * n, mine = jb * (n + 1) / l.of;

	if (l.at >= power) {
		receive(u, member(l, twin), TAG_SWAP);
		return;
	}
	for (int bit = 1; bit < power; bit *= 2, mine *= 2) {
		int other = member(l, l.at ^ bit);

		swap_with(l.at < bit ? u : mine, other, l.at >= bit && l.at < 2 * bit ? u : mine, other, TAG_SWAP);
	}
	if (twin < l.of)
		send(u, member(l, twin), TAG_SWAP);
}

/* HPL_pdlaswp01: U is scattered over the column in equal parts, which then circulate in a ring. */
static void swap_long(const struct hpl *h, struct line l, long jb, long n)
{
	spread(l, jb * n, TAG_SWAP);
	roll(h, l, jb * n, TAG_SWAP);
}

/* Exchanges rows, solves U, and updates `n` columns of the trailing matrix with panel `block`. */
static void update(const struct hpl *h, long block, long n)
{
	long jb = width(h, block), below = rows_from(h, block * h->nb + jb);
	int row = (int)(block % h->P);
	double own = h->p == row ? (double)jb : (double)jb / h->P;

	if (n <= 0)
		return;
	BSIM_Phase("swap");
	BSIM_Add_time(2 * rows(h, own, (double)n));
	if (h->P > 1) {
		if (h->swap == SWAP_BINARY || (h->swap == SWAP_MIX && n <= MIX_COLUMNS))
			swap_binary(column_line(h, block), jb, n);
		else
			swap_long(h, column_line(h, block), jb, n);
	}
	BSIM_Phase("update");
	BSIM_Add_time(dtrsm(h, (double)jb, (double)n) + dgemm(h, (double)below, (double)n, (double)jb));
}

/* ---- the whole factorisation ---- */

static void factorisation(struct hpl *h)
{
	if (h->depth == 1 && h->q == 0)
		factorise(h, 0);
	expect_panel(h, 0);
	for (long block = 0; block < h->blocks; block++) {
		long from = block * h->nb + width(h, block), n = columns_from(h, from);

		if (h->depth == 0 && h->q == block % h->Q)
			factorise(h, block);
		if (h->depth == 0 && block > 0)
			expect_panel(h, block);
		if (h->depth == 0 || block == 0 || h->q != block % h->Q)
			broadcast(h, block);
		if (h->depth == 1 && block + 1 < h->blocks) {
			if (h->q == (block + 1) % h->Q) {
				long next = width(h, block + 1);

				update(h, block, next);
				n -= next;
				factorise(h, block + 1);
				broadcast(h, block + 1);
			} else {
				expect_panel(h, block + 1);
			}
		}
		update(h, block, n);
	}
	LMPI_Waitall(2, h->sent, LMPI_STATUSES_IGNORE);
}

/*
 * HPL_pdtrsv: blocks of the solution from the last to the first. Each goes up its column rank by rank; the ranks that
 * got it subtract its part from the Q - 1 blocks above and hand these to the column before, then do the rest.
 */
static void solve(const struct hpl *h)
{
	BSIM_Phase("solve");
	for (long block = h->blocks - 1; block >= 0; block--) {
		long jb = width(h, block), ahead = (h->Q > 1 ? h->Q - 1 : 1) * h->nb, from = block * h->nb;
		int row = (int)(block % h->P), column = (int)(block % h->Q), before = (column + h->Q - 1) % h->Q;
		int up = rank_of(h, (h->p + h->P - 1) % h->P, h->q), down = rank_of(h, (h->p + 1) % h->P, h->q);
		long above = dealt(from, h->nb, h->p, h->P);
		long soon = above - dealt(from > ahead ? from - ahead : 0, h->nb, h->p, h->P);

		if (h->q == column) {
			if (h->p == row)
				BSIM_Add_time((double)(jb * jb) / (h->panel_rate * h->cores));
			else
				receive(jb, down, TAG_SOLVE);
			if (h->P > 1 && (h->p + h->P - 1) % h->P != row)
				send(jb, up, TAG_SOLVE);
			BSIM_Add_time(rows(h, (double)jb, (double)soon) / 2);
			if (h->Q > 1 && soon > 0)
				send(soon, rank_of(h, h->p, before), TAG_SOLVE);
			BSIM_Add_time(rows(h, (double)jb, (double)(above - soon)) / 2);
		} else if (h->q == before && soon > 0) {
			receive(soon, rank_of(h, h->p, column), TAG_SOLVE);
		}
	}
}

static int choice(const char *value, const char *const names[], int *chosen)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(value, names[i]) == 0) {
			*chosen = i;
			return 0;
		}
	return 1;
}

static int option(struct hpl *h, const char *text)
{
	static const char *const bcasts[] = {"1ring", "1ringM", "2ring", "long", NULL};
	static const char *const swaps[] = {"binary", "long", "mix", NULL};
	static const char *const depths[] = {"0", "1", NULL};
	static const char *const amounts[] = {"few", "all", NULL};

	if (strncmp(text, "bcast=", 6) == 0)
		return choice(text + 6, bcasts, &h->bcast);
	if (strncmp(text, "swap=", 5) == 0)
		return choice(text + 5, swaps, &h->swap);
	if (strncmp(text, "depth=", 6) == 0)
		return choice(text + 6, depths, &h->depth);
	if (strncmp(text, "messages=", 9) == 0)
		return choice(text + 9, amounts, &h->all);
	return 1;
}

/* Parses a whole number; returns -1 if the text is anything else. */
static long whole(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end ? n : -1;
}

/* Reads the command line and the machine; prints a message and returns 1 if they are invalid. */
static int prepare(struct hpl *h, int argc, char *argv[], int rank, int ranks)
{
	*h = (struct hpl){.swap = SWAP_MIX};
	h->sent[0] = h->sent[1] = h->coming = LMPI_REQUEST_NULL;
	if (argc >= 5) {
		h->n = whole(argv[1]);
		h->nb = whole(argv[2]);
		h->P = (int)whole(argv[3]);
		h->Q = (int)whole(argv[4]);
	}
	if (h->n < 1 || h->nb < 1 || h->nb > h->n || h->P < 1 || h->Q < 1) {
		if (rank == 0)
			fprintf(stderr, "hpl: expected N NB P Q, with 1 <= NB <= N and a grid of P x Q ranks\n");
		return 1;
	}
	if ((long)h->P * h->Q != ranks) {
		if (rank == 0)
			fprintf(stderr, "hpl: a grid of %d x %d is for %ld ranks, but there are %d\n", h->P, h->Q,
				(long)h->P * h->Q, ranks);
		return 1;
	}
	for (int i = 5; i < argc; i++)
		if (option(h, argv[i])) {
			if (rank == 0)
				fprintf(stderr,
					"hpl: %s: expected depth=0|1, bcast=1ring|1ringM|2ring|long, "
					"swap=binary|long|mix or messages=few|all\n",
					argv[i]);
			return 1;
		}
	h->blocks = (h->n + h->nb - 1) / h->nb;
	h->p = rank / h->Q;
	h->q = rank % h->Q;
	h->cores = BSIM_Parameter("cores", 1);
	h->dgemm_rate = BSIM_Parameter("dgemm_rate", 1e9);
	h->panel_rate = BSIM_Parameter("panel_rate", h->dgemm_rate);
	h->memory_rate = BSIM_Parameter("memory_rate", 0);
	h->has_dgemm = BSIM_Has_model("dgemm");
	h->has_panel = BSIM_Has_model("panel");
	h->has_rows = BSIM_Has_model("rows");
	return 0;
}

int LMPI_Main(int argc, char *argv[])
{
	struct hpl h;
	int rank, ranks;
	double begin;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (prepare(&h, argc, argv, rank, ranks))
		return 1;
	measure(&h);
	begin = LMPI_Wtime();
	factorisation(&h);
	solve(&h);
	LMPI_Barrier(LMPI_COMM_WORLD);
	if (rank == 0) {
		double n = (double)h.n, seconds, operations = 2 * n * n * n / 3 + 3 * n * n / 2;

		seconds = LMPI_Wtime() - begin;
		BSIM_Flops(operations);
		printf("hpl N %ld NB %ld P %d Q %d: %.6g s, %.4g GFlop/s\n", h.n, h.nb, h.P, h.Q, seconds,
		       operations / seconds / 1e9);
	}
	return 0;
}
