/*
 * What the products of complex matrices on the SIMD array share. Pairs of PEs work on columns:
 * the even PE of a pair has the real parts, the odd one the imaginary parts, so numbers as they lie in
 * memory (re, im, re, im …) are dealt out double by double. Elements of A are broadcast from memory.
 *
 * The work is cut into phases: a block of columns of C (`columns` for each pair), of its
 * rows, and of the steps of k. An SBM holds two blocks of B and one of C, `columns` doubles
 * for each step or row.
 */
#ifndef ZGEMM_BLOCKS_H
#define ZGEMM_BLOCKS_H

#include <stdbool.h>

#include "../zgemm_check.h"
#include "simd_kernel.h"

struct zgemm_phase {
	long i, j, k, width, height, depth; /* where its block of C and its steps of k begin; their sizes */
};

struct zgemm_plan {
	long n, columns, width, height, depth; /* of the matrices; of a pair; columns, rows, steps of k in a block */
	long down, steps, phases;              /* blocks of rows, of k; phases in all */
	long c_at, half_b;                     /* doubles in an SBM: where C begins, size of a block of B */
	const double *a, *b;
	double *c;
};

/*
 * Rows i … of a phase, as many as the kernel takes at a time: `a` their elements of A, `n` numbers from row to
 * row, `b` the block of B, `c` the rows of C. Added to what C has if `more`. Returns how many.
 */
typedef long zgemm_rows(const struct zgemm_phase *f, long left, const double *a, long n, const double *b, double *c,
                        int more);

/* Columns outermost, then rows, then steps of k. */
static struct zgemm_phase zgemm_phase_of(const struct zgemm_plan *p, long number)
{
	struct zgemm_phase f;

	f.k = number % p->steps * p->depth;
	f.i = number / p->steps % p->down * p->height;
	f.j = number / p->steps / p->down * p->width;
	f.width = smaller(p->width, p->n - f.j);
	f.height = smaller(p->height, p->n - f.i);
	f.depth = smaller(p->depth, p->n - f.k);
	return f;
}

/* Steps from … to - 1 of the phase's block of B: column j goes to pair j mod (pes / 2). */
static void zgemm_get_b(const struct zgemm_plan *p, long number, long from, long to)
{
	struct zgemm_phase f = zgemm_phase_of(p, number);

	for (long k = from; k < to && k < f.depth; k++) {
		deal_rows(p->b + 2 * ((f.k + k) * p->n + f.j), number % 2 * p->half_b + p->columns * k,
		          1, 2 * f.width, 1);
		if (k % 64 == 63)
			simd_wait(64); /* psim-record keeps 1024 in mind; the array has fewer under way anyhow */
	}
}

static struct zgemm_plan zgemm_plan_for(long columns, struct array array, int n, const double *a, const double *b,
                                        double *c)
{
	struct zgemm_plan p = {.n = n, .columns = columns, .width = columns * array.pes / 2, .a = a, .b = b, .c = c};
	long most = array.room / (4 * columns); /* of steps in a block of B */

	p.steps = (n + most - 1) / most;
	p.depth = (n + p.steps - 1) / p.steps;
	p.height = smaller(n, 2 * most / 4 * 4);
	p.down = (n + p.height - 1) / p.height;
	p.phases = p.steps * p.down * ((n + p.width - 1) / p.width);
	p.half_b = columns * p.depth;
	p.c_at = 2 * p.half_b;
	return p;
}

/* All rows of a phase; `ahead`: between them, the next block of B comes in. Results leave row by row. */
static void zgemm_strip(const struct zgemm_plan *p, zgemm_rows *multiply, bool ahead, long number)
{
	struct zgemm_phase f = zgemm_phase_of(p, number);
	const double *b = sbm(number % 2 * p->half_b), *a = p->a + 2 * (f.i * p->n + f.k);
	long came = 0;

	for (long i = 0, rows; i < f.height; i += rows) {
		rows = multiply(&f, f.height - i, a + 2 * i * p->n, p->n, b, sbm(p->c_at + p->columns * i), f.k > 0);
		if (ahead && number + 1 < p->phases) {
			long to = (p->depth * (i + rows) + f.height - 1) / f.height;

			zgemm_get_b(p, number + 1, came, to);
			came = to;
		}
		if (i % 64 == 0)
			simd_wait(64);
		for (long r = i; f.k + f.depth == p->n && r < i + rows; r++)
			collect_rows(p->c + 2 * ((f.i + r) * p->n + f.j), p->c_at + p->columns * r, 1, 2 * f.width, 1);
	}
}

/* The product; a pair has `columns` columns of a block. Not `ahead`: each block of B is waited for. */
static int zgemm_blocks(long columns, zgemm_rows *multiply, bool ahead, int n, const double *a, const double *b,
                        double *c)
{
	struct array array = array_here();
	struct zgemm_plan p = zgemm_plan_for(columns, array, n, a, b, c);

	if (needs_pairs(array.pes))
		return 1;
	simd_on();
	if (ahead)
		zgemm_get_b(&p, 0, 0, p.depth);
	for (long number = 0; number < p.phases; number++) {
		if (!ahead)
			zgemm_get_b(&p, number, 0, p.depth);
		simd_wait(0);
		zgemm_strip(&p, multiply, ahead, number);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

/* Work space that they need in memory: none. */
static size_t zgemm_no_work(int n)
{
	(void)n;
	return 0;
}

#endif
