/*
 * C += A B for matrices of any shape, the update of the trailing matrix in an LU factorisation:
 * C is m x n, A is m x k with small k. Rows of A and C are dealt to the PEs; elements of B are
 * broadcast from memory. Rows are outermost: a block of A stays in the SBMs for all of its
 * blocks of C.
 */
#ifndef DGEMM_UPDATE_H
#define DGEMM_UPDATE_H

#include <stdbool.h>

#include "simd_kernel.h"
#include "update_check.h"

struct update_plan {
	struct update of;
	long rows, width; /* of a block of C */
	long down, across;
	long half_a, c_at, half_c; /* doubles in an SBM: size of a buffer of A; begin of C; size of a buffer of C */
};

/* Computes columns j … j+width-1 of a block: `a` and `c` are its rows in each PE, k and width apart. */
typedef void update_strip(const struct update *u, long j, long width, const double *a, double *c);

/* The position of a block in C; blocks of the same rows are consecutive. */
struct update_block {
	long i, j, rows, width;
};

static struct update_block update_block_of(const struct update_plan *p, long number)
{
	struct update_block x = {.i = number / p->across * p->rows, .j = number % p->across * p->width};

	x.rows = smaller(p->rows, p->of.m - x.i);
	x.width = smaller(p->width, p->of.n - x.j);
	return x;
}

static void update_get(const struct update_plan *p, long number)
{
	const struct update *u = &p->of;
	struct update_block x = update_block_of(p, number);

	if (x.j == 0)
		deal_rows(u->a + x.i * u->k, number / p->across % 2 * p->half_a, u->k, x.rows, u->k);
	deal_rows(u->c + x.i * u->n + x.j, p->c_at + number % 2 * p->half_c, x.width, x.rows, u->n);
}

/*
 * A PE has `rows` rows of a block. `ahead`: transfers overlap the computation; else each is
 * waited for.
 */
static int update_blocks(const struct update *u, long rows, update_strip *strip, bool ahead)
{
	struct array array = array_here();
	struct update_plan p = {.of = *u, .rows = rows * array.pes, .half_a = rows * u->k, .c_at = 2 * rows * u->k};
	long blocks;

	if (needs_room(array, p.c_at + 2 * rows * smaller(4, u->n)))
		return 1;
	p.width = smaller(u->n, (array.room - p.c_at) / (2 * rows) / 4 * 4);
	p.down = (u->m + p.rows - 1) / p.rows;
	p.across = (u->n + p.width - 1) / p.width;
	p.half_c = rows * p.width;
	blocks = p.down * p.across;
	simd_on();
	update_get(&p, 0);
	for (long number = 0; number < blocks; number++) {
		struct update_block x = update_block_of(&p, number);
		long at = p.c_at + number % 2 * p.half_c;

		simd_wait(0); /* this block has arrived; the previous one is stored, so its buffer is free */
		if (ahead && number + 1 < blocks)
			update_get(&p, number + 1);
		strip(u, x.j, x.width, sbm(number / p.across % 2 * p.half_a), sbm(at));
		collect_rows(u->c + x.i * u->n + x.j, at, x.width, x.rows, u->n);
		if (!ahead && number + 1 < blocks)
			update_get(&p, number + 1);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

#endif
