/* Input, measured region and check of the transforms. */
#ifndef FFT_CHECK_H
#define FFT_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

enum { FFT_LOG2_MAX = 16 };

/* Transforms 2^log2n complex numbers in x; the result is in x; `work` has the same size. */
typedef void fft_transform(int log2n, double *restrict x, const double *restrict roots, double *work);

/*
 * Transforms `count` of them, stored one after the other. Returns 0, or 1 with a message if
 * they do not fit.
 */
typedef int fft_batch(int log2n, int count, double *x, const double *roots, double *work);

/* How a program transforms: one after the other, or all in one call, where they may be interleaved. */
struct fft_way {
	fft_transform *one;
	fft_batch *all;
	int side_by_side; /* interleaved: point i of all transforms, then point i + 1 */
};

static int fft_run(const struct fft_way *way, int log2n, int count, double *x, const double *roots, double *work)
{
	if (way->all)
		return way->all(log2n, count, x, roots, work);
	for (int t = 0; t < count; t++)
		way->one(log2n, x + ((size_t)t * 2 << log2n), roots, work);
	return 0;
}

/*
 * Transposes `rows` x `columns` complex numbers into memory aligned to 128 bytes; NULL if it is
 * exhausted.
 */
static double *fft_turned(int rows, int columns, const double *x)
{
	void *turned = NULL;

	if (posix_memalign(&turned, 128, 2 * sizeof(double) * (size_t)rows * (size_t)columns))
		return NULL;
	for (long i = 0; i < rows; i++)
		for (long j = 0; j < columns; j++)
			memcpy((double *)turned + 2 * (j * rows + i), x + 2 * (i * columns + j), 2 * sizeof(double));
	return turned;
}

static inline double fft_input(int transform, int i)
{
	return (double)((i * 37 + transform * 11) % 101) / 101 - 0.5;
}

/* Largest difference from the definition, at five points. */
static double fft_error(int n, const double *in, const double *out)
{
	static const int points[] = {0, 1, 5, 77, 511};
	double worst = 0;

	for (int p = 0; p < 5; p++) {
		int k = points[p] % n;
		double re = 0, im = 0;

		for (int i = 0; i < n; i++) {
			double angle = -2 * acos(-1.0) * (double)((long)i * k % n) / n;

			re += in[2 * i] * cos(angle) - in[2 * i + 1] * sin(angle);
			im += in[2 * i] * sin(angle) + in[2 * i + 1] * cos(angle);
		}
		worst = fmax(worst, hypot(out[2 * k] - re, out[2 * k + 1] - im));
	}
	return worst;
}

/*
 * Transforms the conjugate of `out`, whose conjugate is n times the input; returns the largest
 * difference.
 */
static double fft_back(int log2n, const struct fft_way *way, const double *roots, double *work, const double *in,
		       double *out)
{
	int n = 1 << log2n;
	double worst = 0;

	for (int i = 0; i < n; i++)
		out[2 * i + 1] = -out[2 * i + 1];
	if (fft_run(way, log2n, 1, out, roots, work))
		return HUGE_VAL;
	for (int i = 0; i < n; i++)
		worst = fmax(worst, hypot(out[2 * i] / n - in[2 * i], -out[2 * i + 1] / n - in[2 * i + 1]));
	return worst;
}

static int fft_main(const char *name, int argc, char *argv[], struct fft_way way)
{
	int log2n = argc > 1 ? atoi(argv[1]) : 10, count = argc > 2 ? atoi(argv[2]) : 8;
	int n = log2n > 0 && log2n <= FFT_LOG2_MAX ? 1 << log2n : 0;
	size_t size = 2 * (size_t)n;
	int failed;
	double *in, *x, *roots, *work, worst = 0, back = 0;

	if (!n || count < 1 || count > 1024) {
		fprintf(stderr, "%s: LOG2 is from 1 to %d, COUNT from 1 to 1024\n", name, FFT_LOG2_MAX);
		return 2;
	}
	in = malloc((size_t)count * size * sizeof(*in));
	x = malloc((size_t)count * size * sizeof(*x));
	roots = malloc(size * sizeof(*roots));
	work = malloc(size * sizeof(*work));
	if (!in || !x || !roots || !work)
		return 1;
	for (int t = 0; t < count; t++)
		for (int i = 0; i < 2 * n; i++)
			in[(size_t)t * size + (size_t)i] = fft_input(t, i);
	memcpy(x, in, (size_t)count * size * sizeof(*x));
	for (int k = 0; k < n; k++) {
		roots[2 * k] = cos(2 * acos(-1.0) * k / n);
		roots[2 * k + 1] = -sin(2 * acos(-1.0) * k / n);
	}
	if (way.side_by_side && !(x = fft_turned(count, n, x)))
		return 1;
	psim_region_begin("fft");
	failed = fft_run(&way, log2n, count, x, roots, work);
	psim_region_end("fft");
	if (failed)
		return 2;
	if (way.side_by_side && !(x = fft_turned(n, count, x)))
		return 1;
	for (int t = 0; t < count; t++) {
		worst = fmax(worst, fft_error(n, in + (size_t)t * size, x + (size_t)t * size));
		back = fmax(back, fft_back(log2n, &way, roots, work, in + (size_t)t * size, x + (size_t)t * size));
	}
	printf("%s %d x %d: largest error %s, back %s\n", name, n, count, worst < 1e-11 * n ? "small" : "LARGE",
	       back < 1e-13 * n ? "small" : "LARGE");
	return worst < 1e-11 * n && back < 1e-13 * n ? 0 : 1;
}

#endif
