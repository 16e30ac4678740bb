/* kernels WHAT N: each thread of OpenMP computes its part, on the array of its core. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "psim_region.h"

static void dgemm(long rows, long n, const double *a, const double *b, double *c)
{
#pragma omp simd
	for (long i = 0; i < rows; i++)
		for (long j = 0; j < n; j++) {
			double sum = 0;

			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void zgemm(long rows, long n, const double complex *a, const double complex *b, double complex *c)
{
#pragma omp simd
	for (long i = 0; i < rows; i++)
		for (long j = 0; j < n; j++) {
			double complex sum = 0;

			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void triad(long n, const double *a, const double *b, double *c)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		c[i] = a[i] + 3.0 * b[i];
}

enum { POINTS = 256 };

/* `count` transforms, one after the other in `a`. `roots`: exp(-2 pi i k / POINTS). */
static void fft(long count, const double *a, const double *roots, double *c)
{
#pragma omp simd
	for (long t = 0; t < count; t++) {
		const double *from = a + 2 * POINTS * t;
		double *to = c + 2 * POINTS * t;

		for (int i = 0, j = 0; i < POINTS; i++) { /* j: the bits of i in reverse */
			int bit = POINTS / 2;

			to[2 * i] = from[2 * j];
			to[2 * i + 1] = from[2 * j + 1];
			for (; j & bit; bit >>= 1)
				j ^= bit;
			j ^= bit;
		}
		for (int half = 1; half < POINTS; half *= 2)
			for (int group = 0; group < POINTS; group += 2 * half) {
				double *p = to + 2 * group, *q = p + 2 * half;
				const double *w = roots;

				for (int k = 0; k < half; k++, p += 2, q += 2, w += POINTS / half) {
					double re = p[0], im = p[1];
					double turned_re = q[0] * w[0] - q[1] * w[1];
					double turned_im = q[0] * w[1] + q[1] * w[0];

					p[0] = re + turned_re;
					p[1] = im + turned_im;
					q[0] = re - turned_re;
					q[1] = im - turned_im;
				}
			}
	}
}

/* Part `part` of `parts`. `a`, `b`, `c`: n x n, complex for zgemm; n for triad; for fft `a` and `c` n transforms. */
static void work(const char *what, long n, long part, long parts, double *a, double *b, double *c)
{
	long share = n / parts, first = part * share;

	if (!strcmp(what, "dgemm"))
		dgemm(share, n, a + first * n, b, c + first * n);
	else if (!strcmp(what, "zgemm"))
		zgemm(share, n, (double complex *)a + first * n, (double complex *)b, (double complex *)c + first * n);
	else if (!strcmp(what, "fft"))
		fft(share, a + 2 * POINTS * first, b, c + 2 * POINTS * first);
	else
		triad(share, a + first, b + first, c + first);
}

int main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	bool is_fft = !strcmp(argv[1], "fft");
	long n = atol(argv[2]), size = is_fft ? 2 * POINTS * n : strcmp(argv[1], "triad") ? 2 * n * n : n;
	double *a = malloc(8 * size), *b = malloc(8 * size), *c = calloc(size, 8), sum = 0;

	for (long i = 0; i < size; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5 - 2;
	}
	for (long k = 0; is_fft && k < POINTS / 2; k++) {
		b[2 * k] = cos(2 * acos(-1) * k / POINTS);
		b[2 * k + 1] = -sin(2 * acos(-1) * k / POINTS);
	}
	psim_region_begin("work");
#pragma omp parallel
	work(argv[1], n, omp_get_thread_num(), omp_get_num_threads(), a, b, c);
	psim_region_end("work");
	for (long i = 0; i < size; i++)
		sum += c[i] * (is_fft ? (i + 1) % 2 : i % 11);
	printf("%.0f\n", sum);
	return 0;
}
