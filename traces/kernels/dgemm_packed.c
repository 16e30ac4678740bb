/*
 * C = A B for n x n matrices of doubles, tuned for a core with two multiply-add pipes of eight
 * cycles and 32 FP registers; dgemm.c is the plain form.
 *
 *     dgemm_packed N     default 48
 *
 * A block of 4 x 4 results is held in registers: 16 sums, so that a sum is used again 8 cycles
 * later at two multiply-adds a cycle. A and B are packed beforehand into the order in which the
 * block reads them. An operand is reloaded after its last use (renaming makes the load
 * independent of it); the operands of B, which all four rows use, have two sets of registers.
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "dgemm_check.h"

enum { TILE = 4, DEPTH = 512 }; /* results on a side; steps of k in one packed block */

#define ROW(i, b) \
	c##i##0 += a##i * b##0; \
	c##i##1 += a##i * b##1; \
	c##i##2 += a##i * b##2; \
	c##i##3 += a##i * b##3

/* The order of the statements is the order of the instructions. `depth` is even. */
__attribute__((noinline, optimize("no-schedule-insns,no-schedule-insns2"))) static void
tile(long depth, const double *restrict a, const double *restrict b, double *restrict c)
{
	double c00 = 0, c01 = 0, c02 = 0, c03 = 0, c10 = 0, c11 = 0, c12 = 0, c13 = 0;
	double c20 = 0, c21 = 0, c22 = 0, c23 = 0, c30 = 0, c31 = 0, c32 = 0, c33 = 0;
	double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
	double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

	do {
		double d0 = b[4], d1 = b[5], d2 = b[6], d3 = b[7];

		ROW(0, b);
		a0 = a[4];
		ROW(1, b);
		a1 = a[5];
		ROW(2, b);
		a2 = a[6];
		ROW(3, b);
		a3 = a[7];
		b0 = b[8];
		b1 = b[9];
		b2 = b[10];
		b3 = b[11];
		ROW(0, d);
		a0 = a[8];
		ROW(1, d);
		a1 = a[9];
		ROW(2, d);
		a2 = a[10];
		ROW(3, d);
		a3 = a[11];
		a += 2 * TILE;
		b += 2 * TILE;
	} while (depth -= 2);
	c[0] = c00;
	c[1] = c01;
	c[2] = c02;
	c[3] = c03;
	c[4] = c10;
	c[5] = c11;
	c[6] = c12;
	c[7] = c13;
	c[8] = c20;
	c[9] = c21;
	c[10] = c22;
	c[11] = c23;
	c[12] = c30;
	c[13] = c31;
	c[14] = c32;
	c[15] = c33;
}

/*
 * Packs rows i … i + 3 of A, columns k … k + depth - 1, step by step; elements outside of the
 * matrix are zero.
 */
static void pack_a(int n, int i, int k, int depth, const double *a, double *to)
{
	for (int d = 0; d < depth; d++)
		for (int t = 0; t < TILE; t++)
			*to++ = i + t < n && k + d < n ? a[(long)(i + t) * n + k + d] : 0;
}

static void pack_b(int n, int j, int k, int depth, const double *b, double *to)
{
	for (int d = 0; d < depth; d++)
		for (int t = 0; t < TILE; t++)
			*to++ = j + t < n && k + d < n ? b[(long)(k + d) * n + j + t] : 0;
}

static void add_tile(int n, int i, int j, const double *sums, double *c)
{
	for (int t = 0; t < TILE && i + t < n; t++)
		for (int u = 0; u < TILE && j + u < n; u++)
			c[(long)(i + t) * n + j + u] += sums[TILE * t + u];
}

/*
 * `c` is zero initially; `pack` has room for a block of B and a strip of A, and one step more
 * of each.
 */
static int dgemm(int n, const double *a, const double *b, double *c, double *pack)
{
	double sums[TILE * TILE];
	double *strip = pack + (long)(n + TILE) * DEPTH + TILE;

	for (int k = 0; k < n; k += DEPTH) {
		int depth = n - k < DEPTH ? (n - k + 1) & ~1 : DEPTH;

		for (int j = 0; j < n; j += TILE)
			pack_b(n, j, k, depth, b, pack + (long)j * depth);
		for (int i = 0; i < n; i += TILE) {
			pack_a(n, i, k, depth, a, strip);
			for (int j = 0; j < n; j += TILE) {
				tile(depth, strip, pack + (long)j * depth, sums);
				add_tile(n, i, j, sums, c);
			}
		}
	}
	return 0;
}

static size_t work(int n)
{
	return ((size_t)n + 2 * TILE) * DEPTH + 4 * TILE;
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm_packed", argc, argv, dgemm, work);
}
