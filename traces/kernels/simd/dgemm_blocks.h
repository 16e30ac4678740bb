/*
 * What the products of real matrices on the SIMD array share: rows of A and C are dealt to the
 * PEs, so many to each; elements of B, which all PEs need, are broadcast from memory.
 *
 * The work is cut into phases: a block of columns of C, of rows * pes of its rows, and of the steps of
 * k. An SBM holds two blocks of A and two of C.
 */
#ifndef DGEMM_BLOCKS_H
#define DGEMM_BLOCKS_H

#include <stdbool.h>

#include "../dgemm_check.h"
#include "simd_kernel.h"

struct dgemm_phase {
	long i, j, k, rows, width, depth; /* where its block of C and its steps of k begin; their sizes */
};

struct dgemm_plan {
	long n, rows, width, depth; /* of the matrices; largest sizes of a block */
	long down, steps, phases;   /* blocks of rows, of k; phases in all */
	long c_at, half_a, half_c;  /* doubles in an SBM: where C begins, size of one buffer */
	const double *a, *b;
	double *c;
};

/*
 * All columns of a phase: `a` the rows of A that each PE has, f->depth apart; `c` those of C, f->width
 * apart. Added to what C has, but for the first steps of k.
 */
typedef void dgemm_strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c);

/* Columns outermost, then rows, then steps of k. */
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
	long most = array.room / (4 * rows); /* of k in a block of A, of columns in one of C */

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
 * The product; a PE has `rows` rows of a block. `ahead`: the next block of A comes in, and the last
 * block of C goes out, while one is worked on; else each transfer is waited for.
 */
static int dgemm_blocks(long rows, dgemm_strip *strip, bool ahead, int n, const double *a, const double *b, double *c)
{
	struct dgemm_plan p = dgemm_plan_for(rows, n, a, b, c);
	long block = 0;   /* of C: which buffer */
	bool put = false; /* the phase before has sent results on their way */

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

/* Work space that they need in memory: none. */
static size_t dgemm_no_work(int n)
{
	(void)n;
	return 0;
}

#endif
