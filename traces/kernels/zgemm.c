/*
 * C = A B for n x n matrices of double complex numbers, for a core with two multiply-add pipes
 * of eight cycles and 32 FP registers.
 *
 *     zgemm N     default 48
 *
 * A block of 4 x 3 results is held in registers: 24 sums, so that a sum is used again 12 cycles
 * later at two multiply-adds a cycle, and 14 loads feed 48 multiply-adds. (Fewer loads per
 * multiply-add have a double effect: every load and every sum occupies one of 32 rename buffers
 * until it commits.) A and B are packed beforehand into the order in which the block reads
 * them. Both halves of a product's real part, ar br - ai bi, are multiply-subtracts: r = ai bi
 * - r, then r = ar br - r; so no negation is needed. An operand is reloaded right after its
 * last use: renaming makes the load independent of it. Sums, a row of B and two operands of A
 * fill the 32 registers.
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "zgemm_check.h"

enum { ROWS = 4, COLUMNS = 3, DEPTH = 512 }; /* results of a block; steps of k in one packed block */

/* Computes row i of the sums with t, an imaginary or a real part of A. */
#define ROW_IM(i, t) \
	r##i##0 = t * q0 - r##i##0; \
	s##i##0 += t * b0; \
	r##i##1 = t * q1 - r##i##1; \
	s##i##1 += t * b1; \
	r##i##2 = t * q2 - r##i##2; \
	s##i##2 += t * b2
#define ROW_RE(i, t) \
	r##i##0 = t * b0 - r##i##0; \
	s##i##0 += t * q0; \
	r##i##1 = t * b1 - r##i##1; \
	s##i##1 += t * q1; \
	r##i##2 = t * b2 - r##i##2; \
	s##i##2 += t * q2
#define STORE(i) \
	c[6 * i] = r##i##0; \
	c[6 * i + 1] = s##i##0; \
	c[6 * i + 2] = r##i##1; \
	c[6 * i + 3] = s##i##1; \
	c[6 * i + 4] = r##i##2; \
	c[6 * i + 5] = s##i##2

/* Scheduling before register allocation, and merged variables, would cause spills. */
__attribute__((noinline, optimize("no-schedule-insns,no-tree-coalesce-vars"))) static void
tile(long depth, const double *restrict a, const double *restrict b, double *restrict c)
{
	double r00 = 0, r01 = 0, r02 = 0, r10 = 0, r11 = 0, r12 = 0;
	double r20 = 0, r21 = 0, r22 = 0, r30 = 0, r31 = 0, r32 = 0;
	double s00 = 0, s01 = 0, s02 = 0, s10 = 0, s11 = 0, s12 = 0;
	double s20 = 0, s21 = 0, s22 = 0, s30 = 0, s31 = 0, s32 = 0;
	double b0 = b[0], q0 = b[1], b1 = b[2], q1 = b[3], b2 = b[4], q2 = b[5];
	double t0 = a[0], t1 = a[1];

	do { /* a: four imaginary parts, then four real ones */
		ROW_IM(0, t0);
		t0 = a[2];
		ROW_IM(1, t1);
		t1 = a[3];
		ROW_IM(2, t0);
		t0 = a[4];
		ROW_IM(3, t1);
		t1 = a[5];
		ROW_RE(0, t0);
		t0 = a[6];
		ROW_RE(1, t1);
		t1 = a[7];
		ROW_RE(2, t0);
		t0 = a[8];
		r30 = t1 * b0 - r30;
		s30 += t1 * q0;
		b0 = b[6];
		q0 = b[7];
		r31 = t1 * b1 - r31;
		s31 += t1 * q1;
		b1 = b[8];
		q1 = b[9];
		r32 = t1 * b2 - r32;
		s32 += t1 * q2;
		b2 = b[10];
		q2 = b[11];
		t1 = a[9];
		a += 2 * ROWS;
		b += 2 * COLUMNS;
	} while (--depth);
	STORE(0);
	STORE(1);
	STORE(2);
	STORE(3);
}

/* Packs rows i … i + 3 of A, columns k … k + depth - 1; rows beyond n are zero. */
static void pack_a(int n, int i, int k, int depth, const double *a, double *to)
{
	for (int d = 0; d < depth; d++, to += 2 * ROWS)
		for (int t = 0; t < ROWS; t++) {
			const double *from = a + 2 * ((long)(i + t) * n + k + d);

			to[t] = i + t < n ? from[1] : 0;
			to[ROWS + t] = i + t < n ? from[0] : 0;
		}
}

/* Packs columns j … j + 2 of B, rows k … k + depth - 1; columns beyond n are zero. */
static void pack_b(int n, int j, int k, int depth, const double *b, double *to)
{
	for (int d = 0; d < depth; d++, to += 2 * COLUMNS)
		for (int t = 0; t < COLUMNS; t++) {
			const double *from = b + 2 * ((long)(k + d) * n + j + t);

			to[2 * t] = j + t < n ? from[0] : 0;
			to[2 * t + 1] = j + t < n ? from[1] : 0;
		}
}

static void add_tile(int n, int i, int j, const double *sums, double *c)
{
	for (int t = 0; t < ROWS && i + t < n; t++)
		for (int u = 0; u < COLUMNS && j + u < n; u++) {
			double *to = c + 2 * ((long)(i + t) * n + j + u);

			to[0] += sums[2 * (COLUMNS * t + u)];
			to[1] += sums[2 * (COLUMNS * t + u) + 1];
		}
}

/*
 * `c` is zero initially; `pack` has room for a block of B and a strip of A, and one step more
 * of each.
 */
static int zgemm(int n, const double *a, const double *b, double *c, double *pack)
{
	double sums[2 * ROWS * COLUMNS];
	double *strip = pack + 2L * (n + COLUMNS) * DEPTH + 2 * COLUMNS;

	for (int k = 0; k < n; k += DEPTH) {
		int depth = n - k < DEPTH ? n - k : DEPTH;

		for (int j = 0; j < n; j += COLUMNS)
			pack_b(n, j, k, depth, b, pack + 2L * j * depth);
		for (int i = 0; i < n; i += ROWS) {
			pack_a(n, i, k, depth, a, strip);
			for (int j = 0; j < n; j += COLUMNS) {
				tile(depth, strip, pack + 2L * j * depth, sums);
				add_tile(n, i, j, sums, c);
			}
		}
	}
	return 0;
}

static size_t work(int n)
{
	return 2 * ((size_t)n + COLUMNS + ROWS) * DEPTH + 2 * (COLUMNS + ROWS);
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm", argc, argv, zgemm, work);
}
