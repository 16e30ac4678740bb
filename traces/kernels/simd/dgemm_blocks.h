/*
 * Blocking of the products of real matrices on the SIMD array: rows of A and C are dealt to the
 * PEs; elements of B, which all PEs need, are broadcast from memory.
 *
 * A phase is a block of columns of C, of rows * pes of its rows, and of the steps of k. An SBM
 * holds two blocks of A and two of C.
 */
#ifndef DGEMM_BLOCKS_H
#define DGEMM_BLOCKS_H

#include <stdbool.h>

#include "../dgemm_check.h"
#include "simd_kernel.h"

struct dgemm_phase {
	long i, j, k, rows, width, depth; /* begin and size of its block of C and its steps of k */
};

struct dgemm_plan {
	long n, rows, width, depth; /* of the matrices; largest sizes of a block */
	long down, steps, phases;   /* blocks of rows, of k; total number of phases */
	long c_at, half_a, half_c;  /* doubles in an SBM: begin of C, size of one buffer */
	const double *a, *b;
	double *c;
};

/*
 * Computes all columns of a phase: `a` are the rows of A in each PE, f->depth apart; `c` those
 * of C, f->width apart. Adds to C, except for the first steps of k.
 */
typedef void dgemm_strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c);

/* Order: columns outermost, then rows, then steps of k. */
static struct dgemm_phase dgemm_phase_of(const struct dgemm_plan *p, long number)
{
	struct dgemm_phase f;

	f.k = number % p->steps * p->depth;
	f.i = number / p->steps % p->down * p->rows;
	f.j = number / p->steps / p->down * p->width;
	f.rows = smaller(p->rows, p->n - f.i);
	f.width = smaller(p->width, p->n - f.j);
	f.depth = smaller(p->depth, p->n - f.k);
	return f;
}

static void dgemm_get_a(const struct dgemm_plan *p, long number)
{
	struct dgemm_phase f = dgemm_phase_of(p, number);

	deal_rows(p->a + f.i * p->n + f.k, number % 2 * p->half_a, f.depth, f.rows, p->n);
}

static struct dgemm_plan dgemm_plan_for(long rows, int n, const double *a, const double *b, double *c)
{
	struct array array = array_here();
	struct dgemm_plan p = {.n = n, .rows = rows * array.pes, .a = a, .b = b, .c = c};
	long most = array.room / (4 * rows); /* of k in a block of A, of columns in a block of C */

	p.steps = (n + most - 1) / most;
	p.depth = (n + p.steps - 1) / p.steps;
	p.down = (n + p.rows - 1) / p.rows;
	p.width = smaller(n, most);
	p.phases = p.steps * p.down * ((n + p.width - 1) / p.width);
	p.half_a = rows * p.depth;
	p.half_c = rows * p.width;
	p.c_at = 2 * p.half_a;
	return p;
}

/*
 * Computes the product; a PE has `rows` rows of a block. `ahead`: transfers of the next block
 * of A and of the previous block of C overlap the computation; else each transfer is waited
 * for.
 */
static int dgemm_blocks(long rows, dgemm_strip *strip, bool ahead, int n, const double *a, const double *b, double *c)
{
	struct dgemm_plan p = dgemm_plan_for(rows, n, a, b, c);
	long block = 0;   /* of C: the current buffer */
	bool put = false; /* results of the previous phase are in transfer */

	simd_on();
	dgemm_get_a(&p, 0);
	for (long number = 0; number < p.phases; number++) {
		struct dgemm_phase f = dgemm_phase_of(&p, number);
		long at = p.c_at + block % 2 * p.half_c;

		if (put && ahead)
			simd_wait(1);
		else
			simd_wait(0);
		if (ahead && number + 1 < p.phases)
			dgemm_get_a(&p, number + 1);
		strip(&p, &f, sbm(number % 2 * p.half_a), sbm(at));
		put = f.k + f.depth == n;
		if (put) {
			collect_rows(c + f.i * n + f.j, at, f.width, f.rows, n);
			block++;
		}
		if (!ahead && number + 1 < p.phases)
			dgemm_get_a(&p, number + 1);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

/* Needs no work space in memory. */
static size_t dgemm_no_work(int n)
{
	(void)n;
	return 0;
}

#endif
