/*
 * Complex transforms of 1024 points, eight of them, tuned: radix 4, each pass from one array to
 * the other in a self-sorting order (Stockham; see Van Loan, Computational Frameworks for the
 * FFT, 1992, 1.7), so without bit reversal; a pass of radix 2 comes first if the number of
 * points is no power of four.
 *
 *     fft_radix4 [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "fft_check.h"

/*
 * One pass: `groups` transforms of 4 m points become 4 groups of m points. Input index j +
 * groups * (k + m * r), r = 0 … 3; output index j + groups * (4 k + r).
 */
static void pass4(int groups, int m, const double *restrict x, double *restrict y, const double *restrict roots)
{
	long step = 2L * groups * m, out = 2L * groups;

	for (int k = 0; k < m; k++) {
		const double *w = roots + 2L * k * groups;
		double w1r = w[0], w1i = w[1];
		double w2r = roots[4L * k * groups], w2i = roots[4L * k * groups + 1];
		double w3r = roots[6L * k * groups], w3i = roots[6L * k * groups + 1];
		const double *p = x + 2L * groups * k;
		double *q = y + 8L * groups * k;

		for (int j = 0; j < groups; j++, p += 2, q += 2) {
			double ar = p[0] + p[2 * step], ai = p[1] + p[2 * step + 1];
			double br = p[0] - p[2 * step], bi = p[1] - p[2 * step + 1];
			double cr = p[step] + p[3 * step], ci = p[step + 1] + p[3 * step + 1];
			double dr = p[step] - p[3 * step], di = p[step + 1] - p[3 * step + 1];
			double er = br + di, ei = bi - dr;
			double fr = ar - cr, fi = ai - ci;
			double gr = br - di, gi = bi + dr;

			q[0] = ar + cr;
			q[1] = ai + ci;
			q[out] = er * w1r - ei * w1i;
			q[out + 1] = er * w1i + ei * w1r;
			q[2 * out] = fr * w2r - fi * w2i;
			q[2 * out + 1] = fr * w2i + fi * w2r;
			q[3 * out] = gr * w3r - gi * w3i;
			q[3 * out + 1] = gr * w3i + gi * w3r;
		}
	}
}

/* The last pass has one root, 1. */
static void pass4_last(int groups, const double *restrict x, double *restrict y)
{
	long step = 2L * groups;

	for (int j = 0; j < groups; j++, x += 2, y += 2) {
		double ar = x[0] + x[2 * step], ai = x[1] + x[2 * step + 1];
		double br = x[0] - x[2 * step], bi = x[1] - x[2 * step + 1];
		double cr = x[step] + x[3 * step], ci = x[step + 1] + x[3 * step + 1];
		double dr = x[step] - x[3 * step], di = x[step + 1] - x[3 * step + 1];

		y[0] = ar + cr;
		y[1] = ai + ci;
		y[step] = br + di;
		y[step + 1] = bi - dr;
		y[2 * step] = ar - cr;
		y[2 * step + 1] = ai - ci;
		y[3 * step] = br - di;
		y[3 * step + 1] = bi + dr;
	}
}

/* The first pass if log2n is odd: one transform becomes two of half the points. */
static void pass2(int m, const double *restrict x, double *restrict y, const double *restrict roots)
{
	for (int k = 0; k < m; k++, x += 2, y += 4, roots += 2) {
		double re = x[0] - x[2 * m], im = x[1] - x[2 * m + 1];

		y[0] = x[0] + x[2 * m];
		y[1] = x[1] + x[2 * m + 1];
		y[2] = re * roots[0] - im * roots[1];
		y[3] = re * roots[1] + im * roots[0];
	}
}

static void transform(int log2n, double *restrict x, const double *restrict roots, double *work)
{
	double *from = x, *to = work, *t;
	int groups = 1, n = 1 << log2n;

	if (log2n & 1) {
		pass2(n / 2, from, to, roots);
		groups = 2;
		t = from, from = to, to = t;
	}
	for (int m = n / groups / 4; m > 1; m /= 4, groups *= 4) {
		pass4(groups, m, from, to, roots);
		t = from, from = to, to = t;
	}
	if (n / groups == 4) {
		pass4_last(groups, from, to);
		from = to;
	}
	if (from != x)
		memcpy(x, from, 2 * sizeof(*x) << log2n);
}

int main(int argc, char *argv[])
{
	return fft_main("fft_radix4", argc, argv, (struct fft_way){.one = transform});
}
