/*
 * C += A B for matrices of any shape, as an LU factorisation updates what is left of a matrix: C is m x n, A is m x k
 * with small k. Rows of A and C are dealt to the PEs, so many to each; elements of B are broadcast from
 * memory. Rows are outermost: a block of A stays in the SBMs while all of its blocks of C come and go.
 */
#ifndef DGEMM_UPDATE_H
#define DGEMM_UPDATE_H

#include <stdbool.h>
#include <stdlib.h>

#include "../psim_region.h"
#include "simd_kernel.h"

enum { UPDATE_MAX = 4096, UPDATE_MARGIN = 16 }; /* largest m, n, k; doubles behind A and B that may be read */

struct update {
	long m, n, k;
	long rows, width; /* of a block of C */
	long down, across;
	long half_a, c_at, half_c; /* doubles in an SBM: a buffer of A; where C begins; a buffer of C */
	const double *a, *b;
	double *c;
};

/* Columns j … j+width-1 of a block: `a` and `c` are its rows in each PE, k and width apart. */
typedef void update_strip(const struct update *u, long j, long width, const double *a, double *c);

/* Block number: its place in C; blocks of a row of blocks follow each other. */
struct update_block {
	long i, j, rows, width;
};

static struct update_block update_block_of(const struct update *u, long number)
{
	struct update_block x = {.i = number / u->across * u->rows, .j = number % u->across * u->width};

	x.rows = smaller(u->rows, u->m - x.i);
	x.width = smaller(u->width, u->n - x.j);
	return x;
}

static void update_get(const struct update *u, long number)
{
	struct update_block x = update_block_of(u, number);

	if (x.j == 0)
		deal_rows(u->a + x.i * u->k, number / u->across % 2 * u->half_a, u->k, x.rows, u->k);
	deal_rows(u->c + x.i * u->n + x.j, u->c_at + number % 2 * u->half_c, x.width, x.rows, u->n);
}

/* A PE has `rows` rows of a block. `ahead`: transfers run while blocks are worked on; else each is waited for. */
static int update_blocks(struct update *u, long rows, update_strip *strip, bool ahead)
{
	struct array array = array_here();
	long blocks, part = rows * u->k;

	if (needs_room(array, 2 * part + 2 * rows * smaller(4, u->n)))
		return 1;
	u->rows = rows * array.pes;
	u->width = smaller(u->n, (array.room - 2 * part) / (2 * rows) / 4 * 4);
	u->down = (u->m + u->rows - 1) / u->rows;
	u->across = (u->n + u->width - 1) / u->width;
	u->half_a = part;
	u->c_at = 2 * part;
	u->half_c = rows * u->width;
	blocks = u->down * u->across;
	simd_on();
	update_get(u, 0);
	for (long number = 0; number < blocks; number++) {
		struct update_block x = update_block_of(u, number);
		long at = u->c_at + number % 2 * u->half_c;

		simd_wait(0); /* this block has come; the one before has gone, so its buffer is free */
		if (ahead && number + 1 < blocks)
			update_get(u, number + 1);
		strip(u, x.j, x.width, sbm(number / u->across % 2 * u->half_a), sbm(at));
		collect_rows(u->c + x.i * u->n + x.j, at, x.width, x.rows, u->n);
		if (!ahead && number + 1 < blocks)
			update_get(u, number + 1);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

/* Elements of C that are not the plain sum: exact, as the input is of small integers. */
static long update_wrong(const struct update *u)
{
	long count = 0;

	for (long i = 0; i < u->m; i += 1 + u->m / 128)
		for (long j = 0; j < u->n; j++) {
			double sum = (double)((i * u->n + j) % 11) - 5;

			for (long k = 0; k < u->k; k++)
				sum += u->a[i * u->k + k] * u->b[k * u->n + j];
			count += sum != u->c[i * u->n + j];
		}
	return count;
}

static double *update_matrix(long rows, long columns, long numbers)
{
	double *x = calloc((size_t)(rows * columns + UPDATE_MARGIN), sizeof(*x));

	for (long i = 0; x && i < rows * columns; i++)
		x[i] = (double)(i % numbers) - (double)(numbers / 2);
	return x;
}

/* The program NAME M N K; region dgemm. */
static int update_main(const char *name, int argc, char *argv[], long rows, update_strip *strip, bool ahead)
{
	long size[3] = {48, 48, 48}, bad;
	struct update u;
	double *a, *b;
	int failed;

	for (int i = 0; i < 3; i++) {
		if (argc > 1)
			size[i] = atol(argv[i + 1 < argc ? i + 1 : argc - 1]);
		if (size[i] < 1 || size[i] > UPDATE_MAX) {
			fprintf(stderr, "%s: M, N and K are numbers from 1 to %d\n", name, UPDATE_MAX);
			return 2;
		}
	}
	u = (struct update){.m = size[0], .n = size[1], .k = size[2]};
	u.a = a = update_matrix(u.m, u.k, 7);
	u.b = b = update_matrix(u.k, u.n, 5);
	u.c = update_matrix(u.m, u.n, 11);
	if (!a || !b || !u.c)
		return 1;
	psim_region_begin("dgemm");
	failed = update_blocks(&u, rows, strip, ahead);
	psim_region_end("dgemm");
	if (failed)
		return 2;
	bad = update_wrong(&u);
	printf("update %ld %ld %ld: %ld elements wrong%s\n", u.m, u.n, u.k, bad, bad ? "" : ": right");
	return bad ? 1 : 0;
}

#endif
