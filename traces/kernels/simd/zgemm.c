/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array.
 *
 *     zgemm N     at first 48; any N from 1 to 4096, an even number of PEs
 *
 * Pairs of PEs work on columns: the even PE of a pair has the real parts, the odd one
 * the imaginary parts, so numbers as they lie in memory (re, im, re, im …) are dealt out
 * double by double. Elements of A are broadcast from memory. A product takes two
 * instructions: with a's real part each PE's own b is multiplied, with a's imaginary part
 * the partner's, subtracted in the even PE and added in the odd one (a cross operation).
 * A pair holds 4 x 4 complex sums: four loads from the SBM and eight broadcast ones feed
 * 32 multiply-adds. One row of results after the other leaves, and one row of the
 * next block of B after the other comes in, between the blocks of sums.
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "../zgemm_check.h"
#include "simd_kernel.h"

enum { ROWS = 4, COLUMNS = 4 }; /* complex sums of a pair */

/*
 * The work is cut into phases: a block of columns of C (COLUMNS for each pair), of its
 * rows, and of the steps of k. An SBM holds two blocks of B and one of C, COLUMNS doubles
 * for each step or row.
 */
struct plan {
	long n, pes, width, height, depth; /* of the matrices; columns, rows, steps of k in a block */
	long down, steps, phases;          /* blocks of rows, of k; phases in all */
	long c_at, half_b;                 /* doubles in an SBM: where C begins, size of a block of B */
	const double *a, *b;
	double *c;
};

struct phase {
	long i, j, k, width, height, depth;
};

#define ROW(i, row)                                                                          \
	do {                                                                                 \
		double re = (row)[0], im = (row)[1];                                         \
                                                                                             \
		s##i##0 += b0 * re, s##i##1 += b1 * re, s##i##2 += b2 * re, s##i##3 += b3 * re; \
		s##i##0 = simd_fxcmaddd(b0, im, s##i##0);                                    \
		s##i##1 = simd_fxcmaddd(b1, im, s##i##1);                                    \
		s##i##2 = simd_fxcmaddd(b2, im, s##i##2);                                    \
		s##i##3 = simd_fxcmaddd(b3, im, s##i##3);                                    \
	} while (0)
#define MORE(i, c) s##i##0 += (c)[0], s##i##1 += (c)[1], s##i##2 += (c)[2], s##i##3 += (c)[3]
#define STORE(i, c) (c)[0] = s##i##0, (c)[1] = s##i##1, (c)[2] = s##i##2, (c)[3] = s##i##3

/* `depth` steps of k for ROWS rows of A, `n` numbers apart, and COLUMNS columns of B. */
SIMD_FUNCTION static void tile(long depth, const double *restrict a, long n, const double *restrict b,
                                           double *restrict c, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
	double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
		ROW(1, a + 2 * n);
		ROW(2, a + 4 * n);
		ROW(3, a + 6 * n);
	}
	if (more) {
		MORE(0, c);
		MORE(1, c + COLUMNS);
		MORE(2, c + 2 * COLUMNS);
		MORE(3, c + 3 * COLUMNS);
	}
	STORE(0, c);
	STORE(1, c + COLUMNS);
	STORE(2, c + 2 * COLUMNS);
	STORE(3, c + 3 * COLUMNS);
}

/* One row, where their number is no multiple of four. */
SIMD_FUNCTION static void row(long depth, const double *restrict a, const double *restrict b,
                                          double *restrict c, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
	}
	if (more)
		MORE(0, c);
	STORE(0, c);
}

/* Columns outermost, then rows, then steps of k. */
static struct phase phase_of(const struct plan *p, long number)
{
	struct phase f;

	f.k = number % p->steps * p->depth;
	f.i = number / p->steps % p->down * p->height;
	f.j = number / p->steps / p->down * p->width;
	f.width = smaller(p->width, p->n - f.j);
	f.height = smaller(p->height, p->n - f.i);
	f.depth = smaller(p->depth, p->n - f.k);
	return f;
}

/* Steps from … to - 1 of the phase's block of B: column j goes to pair j mod (pes / 2). */
static void get_b(const struct plan *p, long number, long from, long to)
{
	struct phase f = phase_of(p, number);

	for (long k = from; k < to && k < f.depth; k++)
		deal_rows(p->b + 2 * ((f.k + k) * p->n + f.j), number % 2 * p->half_b + COLUMNS * k,
		              1, 2 * f.width, 1);
}

static struct plan plan_for(int n, const double *a, const double *b, double *c)
{
	struct array array = array_here();
	struct plan p = {.n = n, .pes = array.pes, .width = COLUMNS * array.pes / 2, .a = a, .b = b, .c = c};
	long most = array.room / (4 * COLUMNS); /* of steps in a block of B */

	p.steps = (n + most - 1) / most;
	p.depth = (n + p.steps - 1) / p.steps;
	p.height = smaller(n, 2 * most / ROWS * ROWS);
	p.down = (n + p.height - 1) / p.height;
	p.phases = p.steps * p.down * ((n + p.width - 1) / p.width);
	p.half_b = COLUMNS * p.depth;
	p.c_at = 2 * p.half_b;
	return p;
}

/* All rows of a block; between them, the next block of B comes in and results leave. */
static void strip(const struct plan *p, long number)
{
	struct phase f = phase_of(p, number);
	const double *b = sbm(number % 2 * p->half_b), *a = p->a + 2 * (f.i * p->n + f.k);
	long each = (p->depth * ROWS + f.height - 1) / f.height; /* rows of B that come in at a time */
	int more = f.k > 0, last = f.k + f.depth == p->n;

	for (long i = 0, rows, came = 0; i < f.height; i += rows, came += each) {
		double *c = sbm(p->c_at + COLUMNS * i);

		rows = f.height - i < ROWS ? 1 : ROWS;
		if (rows == ROWS)
			tile(f.depth, a + 2 * i * p->n, p->n, b, c, more);
		else
			row(f.depth, a + 2 * i * p->n, b, c, more);
		if (number + 1 < p->phases)
			get_b(p, number + 1, came, came + each);
		for (long r = i; last && r < i + rows; r++)
			collect_rows(p->c + 2 * ((f.i + r) * p->n + f.j), p->c_at + COLUMNS * r, 1, 2 * f.width, 1);
	}
}

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	struct plan p = plan_for(n, a, b, c);

	(void)work;
	if (needs_pairs(p.pes))
		return 1;
	simd_on();
	get_b(&p, 0, 0, p.depth);
	for (long number = 0; number < p.phases; number++) {
		simd_wait(0);
		strip(&p, number);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

static size_t work(int n)
{
	(void)n;
	return 0;
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm", argc, argv, zgemm, work);
}
