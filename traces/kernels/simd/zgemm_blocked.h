/*
 * C += A B for matrices of double complex numbers, as a sum of products of blocks of 128
 * (blocked.h), with the 4 x 4 complex sums of zgemm.c. Columns of B and C are dealt to pairs of
 * PEs, four to each in a panel, without overlap.
 */
#ifndef ZGEMM_BLOCKED_H
#define ZGEMM_BLOCKED_H

#include <stdbool.h>

#include "blocked.h"
#include "zgemm_tiles.h"

/* Transfers `columns` complex numbers of a row in one direction. */
typedef void zgemm_move(double *row, long at, long columns);

static inline void zgemm_deal(double *row, long at, long columns)
{
	deal_rows(row, at, 1, 2 * columns, 1);
}

static inline void zgemm_collect(double *row, long at, long columns)
{
	collect_rows(row, at, 1, 2 * columns, 1);
}

/* Moves `rows` of a block, `stride` numbers apart, to or from double `at` on, panel by panel. */
static inline void zgemm_move_block(zgemm_move *move, double *from, long stride, long rows, long at,
				    const struct blocked *x, long lines)
{
	long issued = 0;

	for (long j = 0; j < x->width; j += lines, at += ZGEMM_COLUMNS * rows)
		for (long i = 0; i < rows; i++) {
			move(from + 2 * (i * stride + j), at + ZGEMM_COLUMNS * i, smaller(lines, x->width - j));
			/* psim-record tracks 1024, and the array executes fewer at a time */
			if (++issued % 64 == 0)
				simd_wait(64);
		}
}

/* Computes four columns of each pair for all rows of the block. */
static void zgemm_panel(const struct update *u, const struct blocked *x, const double *b, double *c)
{
	const double *a = u->a + 2 * (x->i * u->k + x->k);
	long i = 0;

	for (; i + ZGEMM_ROWS <= x->height; i += ZGEMM_ROWS)
		zgemm_tile(x->depth, a + 2 * i * u->k, u->k, b, c + ZGEMM_COLUMNS * i, true);
	for (; i < x->height; i++)
		zgemm_edge(x->depth, a + 2 * i * u->k, b, c + ZGEMM_COLUMNS * i, true);
}

static void zgemm_block(const struct update *u, const struct blocked *x)
{
	long lines = ZGEMM_COLUMNS * array_here().pes / 2;
	double *b = (double *)u->b + 2 * (x->k * u->n + x->j), *c = u->c + 2 * (x->i * u->n + x->j);

	zgemm_move_block(zgemm_deal, b, u->n, x->depth, 0, x, lines);
	zgemm_move_block(zgemm_deal, c, u->n, x->height, x->c_at, x, lines);
	simd_wait(0);
	for (long j = 0, p = 0; j < x->width; j += lines, p++)
		zgemm_panel(u, x, sbm(p * ZGEMM_COLUMNS * x->depth), sbm(x->c_at + p * ZGEMM_COLUMNS * x->height));
	zgemm_move_block(zgemm_collect, c, u->n, x->height, x->c_at, x, lines);
	simd_wait(0);
}

/* Computes the product. Returns 0, or 1 with a message if the array has no pairs. */
static int zgemm_blocked(const struct update *u)
{
	long pes = array_here().pes;

	if (needs_pairs(pes))
		return 1;
	simd_on();
	blocked_all(u, ZGEMM_COLUMNS * pes / 2, zgemm_block);
	simd_off();
	return 0;
}

#endif
