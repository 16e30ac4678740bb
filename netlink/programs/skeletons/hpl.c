/*
 * Skeleton of HPL (Petitet, Whaley, Dongarra, Cleary: "HPL - A Portable Implementation of the High-Performance Linpack
 * Benchmark", version 2.3): LU factorisation of an N x N matrix with partial pivoting on P x Q ranks, dealt in
 * blocks of NB, and the triangular solve behind it. README.md says what is kept and what is not.
 *
 *     hpl N NB P Q [NAME=VALUE]...
 *
 *     depth=0|1               panels factorised ahead of the update (0)
 *     bcast=1ring|1ringM|2ring|2ringM|long|longM     how a panel goes along its row (1ring)
 *     swap=binary|long|mix    how rows are exchanged in a column: mix is binary up to 64 columns (mix)
 *     pass=between|within     a panel is handed on between updates, by sends that do not block; or as HPL does it, by
 *                             MPI_Send, looked for between messages and every NB columns of an update (between)
 *     messages=few|all        few: messages that only wait for each other are gathered (few)
 *     sample=POINTS[:STEPS[:WARM]]     POINTS windows of STEPS steps (Q), each behind WARM others (Q), and the rest
 *                             interpolated: hpl_sample.h
 *
 * Defaults are those of the HPL.dat that comes with HPL. Seconds come from the models dgemm(m, n, k),
 * panel(m, w), rows(k, n), or, where the machine has none, from the rates dgemm_rate, panel_rate (operations a
 * second) and memory_rate (bytes a second; 0: free) of its section [skeleton]; `cores` cores share the work of a rank.
 * pivot_time (0) is what a column's pivot takes beyond its operations and messages, in seconds.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "hpl_sample.h"
#include "lmpi.h"

enum { TAG_PIVOT = 1, TAG_PANEL, TAG_SWAP, TAG_SOLVE };
enum { MIX_COLUMNS = 64, LEAF_MAX = 64, LEAF_MIN = 4, FEW = 2, TARGETS_MAX = 3 };
enum bcast { ONE_RING, ONE_RING_M, TWO_RING, TWO_RING_M, LONG_BCAST, LONG_M };
enum swap { SWAP_BINARY, SWAP_LONG, SWAP_MIX };

struct hpl {
	long n, nb, blocks;
	int P, Q, p, q; /* grid of ranks, and the position of this rank */
	int depth, bcast, swap, within, all;
	double cores, dgemm_rate, panel_rate, memory_rate, pivot_time;
	int has_dgemm, has_panel, has_rows;
	double exchange, hop; /* seconds of one exchange of pivots, of one empty step to a neighbour */
	struct sample sample;
	long simulated; /* steps */
	LMPI_Request sent[TARGETS_MAX], coming;
	long handed;  /* the panel that this rank has factorised and sent ahead */
	long passing; /* the panel that this rank has to get and to hand on; -1: none */
	bool probing; /* ranks of this column look for it, one by one */
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
	int skip; /* members that are left out behind member 0 */
};

static struct line row_line(const struct hpl *h, long block)
{
	int first = (int)(block % h->Q);

	return (struct line){h->p * h->Q, 1, h->Q, first, (h->q - first + h->Q) % h->Q, 0};
}

static struct line column_line(const struct hpl *h, long block)
{
	int first = (int)(block % h->P);

	return (struct line){h->q, h->Q, h->P, first, (h->p - first + h->P) % h->P, 0};
}

static int member(struct line l, int number)
{
	number %= l.of;
	return l.base + l.stride * ((number + (number ? l.skip : 0) + l.first) % (l.of + l.skip));
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
	h->hop = (LMPI_Wtime() - begin) / TIMES;
}

/* Factorisation of panel `block` by the ranks of its column. */
static void factorise(const struct hpl *h, long block)
{
	long jb = width(h, block);
	double seconds = panel_seconds(h, (double)rows_from(h, block * h->nb), (double)jb) + (double)jb * h->pivot_time;

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

static void pass_in(struct hpl *h, const char *phase);

/* Scatters from member 0 by halves: each member gets its part of `doubles`. `h` passes a panel on meanwhile. */
static void spread(struct hpl *h, struct line l, long doubles, int tag)
{
	int span = power_below(l.of), held = 0;

	for (; span >= 1; span /= 2) {
		pass_in(h, "swap");
		int middle = held + span, end = middle + span < l.of ? middle + span : l.of;

		if (middle < end && l.at == held)
			send(doubles * (end - middle) / l.of, member(l, middle), tag);
		else if (middle < end && l.at == middle)
			receive(doubles * (end - middle) / l.of, member(l, held), tag);
		if (l.at >= middle)
			held = middle;
	}
}

/*
 * HPL_rollN, HPL_rollT: in step k, member m exchanges parts with the next one if m + k is even, else with the one
 * before. In a line of odd length a step of the last member is the next step of the first one.
 */
static void roll_exactly(struct hpl *passing, struct line l, long doubles, int tag)
{
	int next = member(l, l.at + 1), previous = member(l, l.at + l.of - 1);

	for (int k = 0; k < l.of - 1; k++) {
		int other = (l.at + k) % 2 ? previous : next;

		swap_with(doubles / l.of, other, doubles / l.of, other, tag);
		pass_in(passing, "swap");
	}
}

/*
 * Allgather: each member forwards parts until all have all; "few" combines the steps to a ring's, unless members look
 * for a panel between them. Then each may stop for a panel's time, and all that is behind it in the line with it.
 */
static void roll(struct hpl *passing, const struct hpl *h, struct line l, long doubles, int tag)
{
	int next = member(l, l.at + 1), previous = member(l, l.at + l.of - 1), steps = l.of - 1;
	int messages = steps < FEW ? steps : FEW;

	if (h->all || (passing && h->probing)) {
		roll_exactly(passing, l, doubles, tag);
		return;
	}
	for (int i = 0; i < messages; i++) {
		long from = (long)steps * i / messages, parts = (long)steps * (i + 1) / messages - from;
		long part = doubles * parts / l.of;

		pass_in(passing, "swap");
		swap_with(part, next, part, previous, tag);
		if (parts > 1)
			BSIM_Add_time((double)(parts - 1) * h->hop);
	}
}

/* ---- broadcast of a panel along its row ---- */

static long panel_doubles(const struct hpl *h, long block)
{
	long jb = width(h, block);

	return rows_from(h, block * h->nb + jb) * jb + jb * jb + jb + 1;
}

/* Returns the sender of the panel for the rank at this distance from the panel's column, above 0. */
static int source(const struct hpl *h, int d)
{
	bool modified = h->bcast == ONE_RING_M || h->bcast == TWO_RING_M, two = h->bcast >= TWO_RING;

	if ((modified && d == 2) || (two && d == (h->Q + 1) / 2))
		return 0;
	return d - 1;
}

/* Sends the panel to all that have it from this rank, nearest first; a send ends as MPI_Send does. */
static void hand_on(const struct hpl *h, struct line l, long doubles)
{
	for (int e = l.at + 1; e < h->Q; e++)
		if (source(h, e) == l.at)
			send(doubles, member(l, e), TAG_PANEL);
		else if (l.at > 0)
			return;
}

/* HPL_bcast_blong and, with the rank behind the panel's column served first and left out, HPL_bcast_blonM. */
static void cast_long(const struct hpl *h, struct line l, long doubles)
{
	if (h->bcast == LONG_M) {
		if (l.at == 0)
			send(doubles, member(l, 1), TAG_PANEL);
		else if (l.at == 1)
			receive(doubles, member(l, 0), TAG_PANEL);
		if (l.at == 1 || l.of == 2)
			return;
		l.at -= l.at > 0;
		l.of--;
		l.skip = 1;
	}
	spread(NULL, l, doubles, TAG_PANEL);
	roll(NULL, h, l, doubles, TAG_PANEL);
}

/* With pass=between: posts the receive of a panel. */
static void expect_panel(struct hpl *h, long block)
{
	struct line l = row_line(h, block);

	if (l.at > 0 && h->bcast < LONG_BCAST)
		LMPI_Irecv(NULL, (int)panel_doubles(h, block), LMPI_DOUBLE, member(l, source(h, l.at)), TAG_PANEL,
			   LMPI_COMM_WORLD, &h->coming);
}

/* With pass=between: gets the panel, unless this rank has it, and hands it on. Sends end while the rank computes. */
static void broadcast(struct hpl *h, long block)
{
	struct line l = row_line(h, block);
	int count = 0;

	if (h->Q == 1)
		return;
	BSIM_Phase("broadcast");
	if (h->bcast >= LONG_BCAST) {
		cast_long(h, l, panel_doubles(h, block));
		return;
	}
	if (l.at > 0)
		LMPI_Wait(&h->coming, LMPI_STATUS_IGNORE);
	LMPI_Waitall(TARGETS_MAX, h->sent, LMPI_STATUSES_IGNORE);
	for (int e = l.at + 1; e < h->Q && count < TARGETS_MAX; e++)
		if (source(h, e) == l.at)
			LMPI_Isend(NULL, (int)panel_doubles(h, block), LMPI_DOUBLE, member(l, e), TAG_PANEL,
				   LMPI_COMM_WORLD, &h->sent[count++]);
		else if (l.at > 0)
			break;
}

/* The rank that sends panel `passing` to this one, which has not got it. */
static int panel_source(const struct hpl *h)
{
	struct line l = row_line(h, h->passing);

	return member(l, source(h, l.at));
}

/*
 * HPL_bcast: gets panel `passing`, if it has arrived or `wait` is set, and hands it on. The long ones always wait: HPL
 * has its probes for them switched off.
 */
static void pass(struct hpl *h, bool wait)
{
	long block = h->passing, doubles;
	struct line l;
	int there = 1, from;

	if (block < 0)
		return;
	l = row_line(h, block);
	doubles = panel_doubles(h, block);
	if (h->Q > 1 && h->bcast < LONG_BCAST && l.at > 0) {
		from = panel_source(h);
		if (!wait)
			LMPI_Iprobe(from, TAG_PANEL, LMPI_COMM_WORLD, &there, LMPI_STATUS_IGNORE);
		if (!there)
			return;
		BSIM_Phase("broadcast");
		receive(doubles, from, TAG_PANEL);
	}
	BSIM_Phase("broadcast");
	if (h->Q > 1 && h->bcast < LONG_BCAST)
		hand_on(h, l, doubles);
	else if (h->Q > 1)
		cast_long(h, l, doubles);
	h->passing = -1;
}

/* Between the messages of an exchange of rows; `h` is NULL: nothing is passed on. */
static void pass_in(struct hpl *h, const char *phase)
{
	if (!h || h->passing < 0)
		return;
	pass(h, false);
	BSIM_Phase(phase);
}

/* ---- exchange of rows ---- */

/*
 * HPL_pdlaswp00: the current row's U goes out in steps of powers of two, and what others have for it comes the other
 * way; in a grid with P no power of two the ranks beyond get it at the end.
 */
static void swap_binary(struct hpl *h, struct line l, long jb, long n)
{
	int power = power_below(l.of), twin = l.at ^ power;
	long u = jb * n, mine = jb * (n + 1) / l.of;

	if (l.at >= power) {
		receive(u, member(l, twin), TAG_SWAP);
		return;
	}
	for (int bit = 1; bit < power; bit *= 2, mine *= 2) {
		int other = member(l, l.at ^ bit);

		pass_in(h, "swap");
		swap_with(l.at < bit ? u : mine, other, l.at >= bit && l.at < 2 * bit ? u : mine, other, TAG_SWAP);
	}
	if (twin < l.of)
		send(u, member(l, twin), TAG_SWAP);
}

/* HPL_pdlaswp01: U is scattered over the column in equal parts, which then circulate in a ring. */
static void swap_long(struct hpl *h, struct line l, long jb, long n)
{
	spread(h, l, jb * n, TAG_SWAP);
	roll(h, h, l, jb * n, TAG_SWAP);
}

/* dtrsm and dgemm of an update of `n` columns. */
static double columns(const struct hpl *h, long block, long n)
{
	long jb = width(h, block), below = rows_from(h, block * h->nb + jb);

	return dtrsm(h, (double)jb, (double)n) + dgemm(h, (double)below, (double)n, (double)jb);
}

/*
 * Updates NB columns at a time until the panel to pass on has come; returns how many of `n` are done. The first ones
 * are computed; the rank waits for the panel and then computes what is left of the NB columns in which it came. That is
 * the same time, for which the run's report has waiting.
 */
static long update_until_panel(struct hpl *h, long block, long n)
{
	double begin = LMPI_Wtime(), seconds = columns(h, block, h->nb), each, late, parts;
	long whole = (n - h->nb) / h->nb;

	BSIM_Add_time(seconds);
	each = LMPI_Wtime() - begin; /* on this node */
	pass_in(h, "update");
	if (h->passing < 0 || whole == 0 || each <= 0)
		return h->nb;
	LMPI_Probe(panel_source(h), TAG_PANEL, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);
	late = LMPI_Wtime() - begin - each;
	parts = ceil(late / each);
	if (parts > (double)whole)
		return n;
	BSIM_Add_time((parts - late / each) * seconds);
	pass_in(h, "update");
	return (1 + (long)parts) * h->nb;
}

/*
 * HPL_pdupdate: exchanges rows, solves U, and updates `n` columns of the trailing matrix with panel `block`. The panel
 * that is passed on meanwhile is looked for between messages, and then behind every NB columns until it has come.
 */
static void update(struct hpl *h, long block, long n)
{
	long jb = width(h, block), done = 0;
	double own = h->p == (int)(block % h->P) ? (double)jb : (double)jb / h->P;

	if (n <= 0) {
		pass(h, true);
		return;
	}
	pass(h, false);
	BSIM_Phase("swap");
	BSIM_Add_time(2 * rows(h, own, (double)n));
	if (h->P > 1 && (h->swap == SWAP_BINARY || (h->swap == SWAP_MIX && n <= MIX_COLUMNS)))
		swap_binary(h, column_line(h, block), jb, n);
	else if (h->P > 1)
		swap_long(h, column_line(h, block), jb, n);
	BSIM_Phase("update");
	if (h->passing >= 0 && n > h->nb)
		done = update_until_panel(h, block, n);
	if (done < n)
		BSIM_Add_time(columns(h, block, n - done));
	pass(h, true);
}

/* ---- the whole factorisation ---- */

/* Begins a series of steps with panel `block`: what HPL does before its loop. */
static void begin_steps(struct hpl *h, long block)
{
	h->handed = -1;
	if (h->depth == 1 && h->q == block % h->Q)
		factorise(h, block);
	h->passing = h->depth == 1 && h->within ? block : -1;
	pass(h, true);
	if (h->depth == 1 && !h->within)
		expect_panel(h, block);
}

/* Gets panel `block` before its update. With look-ahead its owner has it, and with pass=within all have. */
static void get_panel(struct hpl *h, long block)
{
	if (h->depth == 0 && h->q == block % h->Q)
		factorise(h, block);
	if (h->within) {
		h->passing = h->depth == 0 ? block : -1;
		pass(h, true);
		return;
	}
	if (h->depth == 0)
		expect_panel(h, block);
	if (h->depth == 0 || h->q != block % h->Q || h->handed != block)
		broadcast(h, block);
}

/* HPL_pdgesv0, HPL_pdgesvK2: the step of panel `block`, with the factorisation of the next one if that is ahead. */
static void step(struct hpl *h, long block)
{
	long n = columns_from(h, block * h->nb + width(h, block)), next = block + 1;

	get_panel(h, block);
	if (h->depth == 1 && next < h->blocks) {
		if (h->q == next % h->Q) {
			update(h, block, width(h, next));
			n -= width(h, next);
			factorise(h, next);
		}
		h->passing = h->within ? next : -1;
		h->probing = h->within && h->bcast < LONG_BCAST && h->q != next % h->Q;
		if (!h->within && h->q == next % h->Q) {
			broadcast(h, next);
			h->handed = next;
		} else if (!h->within) {
			expect_panel(h, next);
		}
	}
	update(h, block, n);
	h->probing = false;
}

/* Ends a series of steps before panel `block`: what is under way arrives. */
static void end_steps(struct hpl *h, long block)
{
	if (h->within)
		return;
	if (h->depth == 1 && block < h->blocks && h->q != block % h->Q)
		broadcast(h, block);
	LMPI_Waitall(TARGETS_MAX, h->sent, LMPI_STATUSES_IGNORE);
}

/*
 * HPL_pdtrsv, block by block of the solution from the last to the first: each goes up its column rank by rank; ranks
 * that got it subtract its part from the Q - 1 blocks above and hand these to the column before, then do the rest.
 */
static void solve(struct hpl *h, long behind)
{
	long block = h->blocks - 1 - behind, jb = width(h, block), from = block * h->nb;
	long ahead = (h->Q > 1 ? h->Q - 1 : 1) * h->nb;
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

/* ---- all steps, or a sample ---- */

typedef void step_of(struct hpl *h, long i);

/* Runs a window of steps from a barrier on; rank 0 gets its times: means of all ranks' clocks, without a barrier. */
static void run_window(struct hpl *h, step_of *run, struct window *w)
{
	enum { ALL, FIRST, SECOND, TIMES };
	double begin, warm, middle, end, times[TIMES], sums[TIMES];
	double ranks = (double)h->P * h->Q;

	LMPI_Barrier(LMPI_COMM_WORLD);
	begin = warm = middle = LMPI_Wtime();
	if (run == step)
		begin_steps(h, w->from);
	for (long i = w->from; i < w->to; i++) {
		if (i == w->warm)
			warm = LMPI_Wtime();
		if (i == w->middle)
			middle = LMPI_Wtime();
		run(h, i);
	}
	end = LMPI_Wtime();
	if (run == step)
		end_steps(h, w->to);
	times[ALL] = end - begin;
	times[FIRST] = middle - warm;
	times[SECOND] = end - middle;
	LMPI_Reduce(times, sums, TIMES, LMPI_DOUBLE, LMPI_SUM, 0, LMPI_COMM_WORLD);
	LMPI_Reduce(&end, &w->last, 1, LMPI_DOUBLE, LMPI_MAX, 0, LMPI_COMM_WORLD);
	if (h->p || h->q)
		return;
	w->all = sums[ALL] / ranks;
	w->first = sums[FIRST] / ranks;
	w->second = sums[SECOND] / ranks;
	w->last -= begin + w->all;
}

/*
 * Seconds of `steps` steps, all of them or a sample; adds to the estimate of the error. Rank 0 alone reports both, and
 * alone interpolates: a whole machine has more steps between its windows than in them.
 */
static double run_all(struct hpl *h, step_of *run, long steps, double *bound)
{
	struct window w[SAMPLE_POINTS_MAX] = {0};
	int points = sample_windows(&h->sample, steps, w);

	for (int i = 0; i < points; i++) {
		run_window(h, run, &w[i]);
		h->simulated += w[i].to - w[i].from;
	}
	return h->p || h->q ? 0 : sample_total(w, points, bound);
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
	static const char *const bcasts[] = {"1ring", "1ringM", "2ring", "2ringM", "long", "longM", NULL};
	static const char *const swaps[] = {"binary", "long", "mix", NULL};
	static const char *const depths[] = {"0", "1", NULL};
	static const char *const passes[] = {"between", "within", NULL};
	static const char *const amounts[] = {"few", "all", NULL};

	if (strncmp(text, "bcast=", 6) == 0)
		return choice(text + 6, bcasts, &h->bcast);
	if (strncmp(text, "swap=", 5) == 0)
		return choice(text + 5, swaps, &h->swap);
	if (strncmp(text, "depth=", 6) == 0)
		return choice(text + 6, depths, &h->depth);
	if (strncmp(text, "pass=", 5) == 0)
		return choice(text + 5, passes, &h->within);
	if (strncmp(text, "sample=", 7) == 0)
		return sample_read(text + 7, &h->sample);
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
	*h = (struct hpl){.swap = SWAP_MIX, .sample = {.warm = -1}, .passing = -1, .handed = -1};
	for (int i = 0; i < TARGETS_MAX; i++)
		h->sent[i] = LMPI_REQUEST_NULL;
	h->coming = LMPI_REQUEST_NULL;
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
					"hpl: %s: expected depth=0|1, bcast=1ring|1ringM|2ring|2ringM|long|longM, "
					"swap=binary|long|mix, pass=between|within, messages=few|all or "
					"sample=POINTS[:STEPS[:WARM]], "
					"POINTS 4 to %d\n",
					argv[i], SAMPLE_POINTS_MAX);
			return 1;
		}
	h->blocks = (h->n + h->nb - 1) / h->nb;
	if (!h->sample.steps)
		h->sample.steps = h->Q;
	if (h->sample.warm < 0)
		h->sample.warm = h->Q;
	h->p = rank / h->Q;
	h->q = rank % h->Q;
	h->cores = BSIM_Parameter("cores", 1);
	h->dgemm_rate = BSIM_Parameter("dgemm_rate", 1e9);
	h->panel_rate = BSIM_Parameter("panel_rate", h->dgemm_rate);
	h->memory_rate = BSIM_Parameter("memory_rate", 0);
	h->pivot_time = BSIM_Parameter("pivot_time", 0);
	h->has_dgemm = BSIM_Has_model("dgemm");
	h->has_panel = BSIM_Has_model("panel");
	h->has_rows = BSIM_Has_model("rows");
	return 0;
}

/* The run in seconds, and an estimate of its error. */
static double run_hpl(struct hpl *h, double *bound)
{
	double begin = LMPI_Wtime(), seconds;

	*bound = 0;
	if (h->sample.points) {
		seconds = run_all(h, step, h->blocks, bound);
		BSIM_Phase("solve");
		return seconds + run_all(h, solve, h->blocks, bound);
	}
	begin_steps(h, 0);
	for (long block = 0; block < h->blocks; block++)
		step(h, block);
	end_steps(h, h->blocks);
	BSIM_Phase("solve");
	for (long i = 0; i < h->blocks; i++)
		solve(h, i);
	LMPI_Barrier(LMPI_COMM_WORLD);
	return LMPI_Wtime() - begin;
}

int LMPI_Main(int argc, char *argv[])
{
	struct hpl h;
	int rank, ranks;
	double n, seconds, operations, bound;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	if (prepare(&h, argc, argv, rank, ranks))
		return 1;
	measure(&h);
	seconds = run_hpl(&h, &bound);
	if (rank)
		return 0;
	n = (double)h.n;
	operations = 2 * n * n * n / 3 + 3 * n * n / 2;
	if (!h.sample.points)
		BSIM_Flops(operations);
	printf("hpl N %ld NB %ld P %d Q %d: %.6g s, %.4g GFlop/s\n", h.n, h.nb, h.P, h.Q, seconds,
	       operations / seconds / 1e9);
	if (h.sample.points)
		printf("sampled: %ld of %ld steps; error about %.2g s, %.2g %%\n", h.simulated, 2 * h.blocks, bound,
		       100 * bound / seconds);
	return 0;
}
