/*
 * Blocking of the products of complex matrices on the SIMD array. Pairs of PEs work on columns:
 * the even PE has the real parts, the odd one the imaginary parts, so numbers stored as re, im,
 * re, im … are dealt double by double. Elements of A are broadcast from memory.
 *
 * A phase is a block of columns of C (`columns` for each pair), of its rows, and of the steps
 * of k. An SBM holds two blocks of B and one or two of C, `columns` doubles for each step or
 * row. A block of B stays while the next phase uses it too: for all rows of C, if all steps of
 * k are one block.
 */
#ifndef ZGEMM_BLOCKS_H
#define ZGEMM_BLOCKS_H

#include <stdbool.h>

#include "simd_kernel.h"
#include "update_check.h"

/*
 * Inlined, since `way` is then a constant: the code between two rows must be as short as in a
 * specific kernel.
 */
#define ZGEMM_INLINE __attribute__((always_inline))

struct zgemm_phase {
	long i, j, k, width, height, depth; /* begin and size of its block of C and its steps of k */
	long b_at, c_at;                    /* doubles in an SBM: begin of its blocks of B and C */
	bool new_b, new_c;                  /* differs from the previous phase's */
};

/*
 * Computes rows i … of a phase, as many as the kernel takes at a time: `a` are their elements
 * of A, `stride` numbers from row to row, `b` the block of B, `c` the rows of C. Adds to C if
 * `more`. Returns the number of rows.
 */
typedef long zgemm_rows(const struct zgemm_phase *f, long left, const double *a, long stride, const double *b,
			double *c, int more);

/*
 * A pair has `columns` columns of a block. `ahead`: transfers of the next blocks overlap the
 * computation; else they are waited for. `update`: C += A B, with transfers of C into the SBMs;
 * else C = A B.
 */
struct zgemm_way {
	long columns;
	zgemm_rows *multiply;
	bool ahead, update;
};

struct zgemm_plan {
	struct update of;
	struct zgemm_way way;
	long width, height, depth; /* columns, rows, steps of k in a block */
	long down, steps, phases;  /* blocks of rows, of k; total number of phases */
	long c_at, half_b, half_c; /* doubles in an SBM: begin of C, size of a block of B, of C if it has two */
};

/* Order: columns outermost, then rows, then steps of k. */
static struct zgemm_phase zgemm_phase_of(const struct zgemm_plan *p, long number)
{
	struct zgemm_phase f;
	long block = number / p->steps; /* of C */

	f.k = number % p->steps * p->depth;
	f.i = block % p->down * p->height;
	f.j = block / p->down * p->width;
	f.width = smaller(p->width, p->of.n - f.j);
	f.height = smaller(p->height, p->of.m - f.i);
	f.depth = smaller(p->depth, p->of.k - f.k);
	f.new_b = p->steps > 1 || f.i == 0;
	f.new_c = p->way.update && f.k == 0;
	f.b_at = (p->steps > 1 ? number : number / p->down) % 2 * p->half_b;
	f.c_at = p->c_at + block % 2 * p->half_c;
	return f;
}

/* Gets steps from … to - 1 of the phase's block of B: column j goes to pair j mod (pes / 2). */
static void zgemm_get_b(const struct zgemm_plan *p, const struct zgemm_phase *f, long from, long to)
{
	for (long k = from; k < to && k < f->depth; k++) {
		deal_rows(p->of.b + 2 * ((f->k + k) * p->of.n + f->j), f->b_at + p->way.columns * k, 1, 2 * f->width,
			  1);
		if (k % 64 == 63)
			simd_wait(64); /* psim-record tracks 1024, and the array executes fewer at a time */
	}
}

/* Gets rows from … to - 1 of its block of C. */
static void zgemm_get_c(const struct zgemm_plan *p, const struct zgemm_phase *f, long from, long to)
{
	for (long i = from; i < to && i < f->height; i++) {
		deal_rows(p->of.c + 2 * ((f->i + i) * p->of.n + f->j), f->c_at + p->way.columns * i, 1, 2 * f->width,
			  1);
		if (i % 64 == 63)
			simd_wait(64);
	}
}

static struct zgemm_plan zgemm_plan_for(struct zgemm_way way, struct array array, const struct update *u)
{
	struct zgemm_plan p = {.of = *u, .way = way, .width = way.columns * array.pes / 2};
	long most = array.room / (4 * way.columns); /* of steps in a block of B */
	long buffers = way.ahead && way.update ? 2 : 1;

	p.steps = (u->k + most - 1) / most;
	p.depth = (u->k + p.steps - 1) / p.steps;
	p.height = smaller(u->m, 2 * most / buffers / 4 * 4);
	p.down = (u->m + p.height - 1) / p.height;
	p.phases = p.steps * p.down * ((u->n + p.width - 1) / p.width);
	p.half_b = way.columns * p.depth;
	p.c_at = 2 * p.half_b;
	p.half_c = buffers == 2 ? way.columns * p.height : 0;
	return p;
}

/* The share of `whole` that is due when `part` of `all` is done. */
static long zgemm_due(long whole, long part, long all)
{
	return (whole * part + all - 1) / all;
}

/*
 * Computes all rows of a phase. Between them it gets the blocks of the next phase, if any, and
 * stores results by row.
 */
ZGEMM_INLINE static inline void zgemm_strip(const struct zgemm_plan *p, struct zgemm_way way,
					    const struct zgemm_phase *f, const struct zgemm_phase *next)
{
	const struct update *u = &p->of;
	const double *b = sbm(f->b_at), *a = u->a + 2 * (f->i * u->k + f->k);
	long columns = way.columns, came_b = 0, came_c = 0, due;
	bool last = f->k + f->depth == u->k;

	for (long i = 0, rows; i < f->height; i += rows) {
		rows = way.multiply(f, f->height - i, a + 2 * i * u->k, u->k, b, sbm(f->c_at + columns * i),
				    way.update || f->k > 0);
		if (next && next->new_b) {
			due = zgemm_due(p->depth, i + rows, f->height);
			zgemm_get_b(p, next, came_b, due);
			came_b = due;
		}
		if (next && next->new_c) {
			due = zgemm_due(p->height, i + rows, f->height);
			zgemm_get_c(p, next, came_c, due);
			came_c = due;
		}
		if (i % 64 == 0)
			simd_wait(64);
		for (long r = i; last && r < i + rows; r++)
			collect_rows(u->c + 2 * ((f->i + r) * u->n + f->j), f->c_at + columns * r, 1, 2 * f->width, 1);
	}
}

static void zgemm_get(const struct zgemm_plan *p, const struct zgemm_phase *f)
{
	if (f->new_b)
		zgemm_get_b(p, f, 0, p->depth);
	if (f->new_c)
		zgemm_get_c(p, f, 0, p->height);
}

/* Computes the product. */
ZGEMM_INLINE static inline int zgemm_blocks(struct zgemm_way way, const struct update *u)
{
	struct array array = array_here();
	struct zgemm_plan p = zgemm_plan_for(way, array, u);
	struct zgemm_phase f = zgemm_phase_of(&p, 0), next;

	if (needs_pairs(array.pes))
		return 1;
	simd_on();
	if (way.ahead)
		zgemm_get(&p, &f);
	for (long number = 0; number < p.phases; number++, f = next) {
		next = zgemm_phase_of(&p, number + 1);
		if (!way.ahead && way.update)
			simd_wait(0); /* stores results of the previous phase: C has one buffer */
		if (!way.ahead)
			zgemm_get(&p, &f);
		simd_wait(0);
		zgemm_strip(&p, way, &f, way.ahead && number + 1 < p.phases ? &next : NULL);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

/* Needs no work space in memory. */
static size_t zgemm_no_work(int n)
{
	(void)n;
	return 0;
}

#endif
