/*
 * Products in blocks: C += A B as a sum of products of blocks of at most BLOCKED_SIDE rows,
 * columns and steps of k. Each block takes three steps without overlap: get the blocks that the
 * PEs hold, compute, put the block of C.
 */
#ifndef BLOCKED_H
#define BLOCKED_H

#include "simd_kernel.h"
#include "update_check.h"

enum { BLOCKED_SIDE = 128 };

/* Begin and sizes of a block; `c_at` is the first double of C in the SBMs. */
struct blocked {
	long i, j, k, height, width, depth;
	long c_at;
};

/* Computes one block of C. */
typedef void blocked_product(const struct update *u, const struct blocked *x);

/*
 * The side of blocks: BLOCKED_SIDE, halved until two blocks fit. `lines` rows or columns put
 * four into each SBM.
 */
static long blocked_side(struct array array, long lines)
{
	long side = BLOCKED_SIDE;

	while (side > 4 && 2 * 4 * side * ((side + lines - 1) / lines) > array.room)
		side /= 2;
	return side;
}

/*
 * Order of blocks: columns outermost, steps of k innermost, as in a program that calls a
 * product of blocks.
 */
static inline void blocked_all(const struct update *u, long lines, blocked_product *product)
{
	long side = blocked_side(array_here(), lines);
	struct blocked x = {.c_at = 4 * side * ((side + lines - 1) / lines)};

	for (x.j = 0; x.j < u->n; x.j += side)
		for (x.i = 0; x.i < u->m; x.i += side)
			for (x.k = 0; x.k < u->k; x.k += side) {
				x.height = smaller(side, u->m - x.i);
				x.width = smaller(side, u->n - x.j);
				x.depth = smaller(side, u->k - x.k);
				product(u, &x);
			}
}

#endif
