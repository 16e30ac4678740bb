/*
 * Transforms in pairs of PEs: real parts in the even PE, imaginary parts in the odd one; every
 * pair has its own transform at the same addresses of its SBM. Radix 4, each pass from one
 * array to the other in a self-sorting order (Stockham; see Van Loan, Computational Frameworks
 * for the FFT, 1992, 1.7); roots are broadcast from memory.
 */
#ifndef FFT_PASSES_H
#define FFT_PASSES_H

#include "../psim_simd.h"

/* t w, w = wr + i wi. */
static inline double fft_times(double t, double wr, double wi)
{
	return simd_fxcmaddd(t, wi, t * wr);
}

/* u + i v and u - i v; one: 1, from memory. */
static inline double fft_plus_i(double u, double v, double one)
{
	return simd_fxcmaddd(v, one, u);
}

static inline double fft_minus_i(double u, double v, double one)
{
	return simd_fxjmaddd(v, one, u);
}

struct fft_four {
	double y0, y1, y2, y3;
};

/* The transform of four points. */
static inline struct fft_four fft_butterfly(double x0, double x1, double x2, double x3, double one)
{
	double a = x0 + x2, b = x0 - x2, c = x1 + x3, d = x1 - x3;

	return (struct fft_four){a + c, fft_minus_i(b, d, one), a - c, fft_plus_i(b, d, one)};
}

/* The roots of one group of butterflies. */
struct fft_roots {
	double w1r, w1i, w2r, w2i, w3r, w3i;
};

static inline struct fft_roots fft_roots_of(const double *roots, long k)
{
	return (struct fft_roots){roots[2 * k],     roots[2 * k + 1], roots[4 * k],
				  roots[4 * k + 1], roots[6 * k],     roots[6 * k + 1]};
}

static inline void fft_store(double *y, long out, struct fft_four f, const struct fft_roots *w)
{
	y[0] = f.y0;
	y[out] = fft_times(f.y1, w->w1r, w->w1i);
	y[2 * out] = fft_times(f.y2, w->w2r, w->w2i);
	y[3 * out] = fft_times(f.y3, w->w3r, w->w3i);
}

/* A pass over `groups` (even) that share a root, for m roots: two butterflies at a time. */
SIMD_FUNCTION static void fft_pass4(long groups, long m, const double *restrict x, double *restrict y,
				    const double *restrict roots)
{
	long step = groups * m;
	double one = 1;

	for (long k = 0; k < m; k++, x += groups, y += 4 * groups) {
		struct fft_roots w = fft_roots_of(roots, k * groups);

		for (long j = 0; j < groups; j += 2) {
			const double *p = x + j;
			struct fft_four f = fft_butterfly(p[0], p[step], p[2 * step], p[3 * step], one);
			struct fft_four g = fft_butterfly(p[1], p[step + 1], p[2 * step + 1], p[3 * step + 1], one);

			fft_store(y + j, groups, f, &w);
			fft_store(y + j + 1, groups, g, &w);
		}
	}
}

/* The first pass: each of the m butterflies has its own roots. */
SIMD_FUNCTION static void fft_pass4_first(long m, const double *restrict x, double *restrict y,
					  const double *restrict roots)
{
	double one = 1;

	for (long k = 0; k < m; k++, y += 4) {
		struct fft_roots w = fft_roots_of(roots, k);

		fft_store(y, 1, fft_butterfly(x[k], x[m + k], x[2 * m + k], x[3 * m + k], one), &w);
	}
}

/* The last pass has one root, 1. */
SIMD_FUNCTION static void fft_pass4_last(long groups, const double *restrict x, double *restrict y)
{
	double one = 1;

	for (long j = 0; j < groups; j++) {
		struct fft_four f = fft_butterfly(x[j], x[groups + j], x[2 * groups + j], x[3 * groups + j], one);

		y[j] = f.y0;
		y[groups + j] = f.y1;
		y[2 * groups + j] = f.y2;
		y[3 * groups + j] = f.y3;
	}
}

/* The first pass if log2n is odd: one transform becomes two of half the points. */
SIMD_FUNCTION static void fft_pass2(long m, const double *restrict x, double *restrict y, const double *restrict roots)
{
	for (long k = 0; k < m; k++, y += 2, roots += 2) {
		y[0] = x[k] + x[m + k];
		y[1] = fft_times(x[k] - x[m + k], roots[0], roots[1]);
	}
}

/* Transforms x with y as work space; returns the array with the result. */
static double *fft_passes(int log2n, double *x, double *y, const double *roots)
{
	long n = 1L << log2n, groups = 1;
	double *t;

	if (log2n & 1) {
		fft_pass2(n / 2, x, y, roots);
		groups = 2;
		t = x, x = y, y = t;
	}
	for (long m = n / groups / 4; m > 1; m /= 4, groups *= 4) {
		if (groups == 1)
			fft_pass4_first(m, x, y, roots);
		else
			fft_pass4(groups, m, x, y, roots);
		t = x, x = y, y = t;
	}
	if (n / groups == 4) {
		fft_pass4_last(groups, x, y);
		x = y;
	}
	return x;
}

#endif
