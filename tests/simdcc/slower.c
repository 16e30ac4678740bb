/*
 * Loops of many kinds with a directive: slower NAME N TIMES [warm] runs one of them at size N, in the region "loop",
 * and with `warm` once before. With -DSIZE=N the compiler knows the sizes. slower.py compares what is said of each
 * with its cycles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

#define LEAF __attribute__((noipa)) static
#define EACH(i, n) for (long i = 0; i < n; i++)
#ifdef SIZE
#define KNOWN(n) n = SIZE
#else
#define KNOWN(n)
#endif

enum { MOST = 1 << 20 };
static double a[MOST], b[MOST], c[MOST];
static float f[MOST], g[MOST];
struct pair {
	double x, y;
};
struct body {
	double x, y, z, m, u, v, w, t;
};
static struct pair p[MOST / 2];
static struct body q[MOST / 8];

LEAF void copy(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) a[i] = b[i];
}

LEAF void triad(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) a[i] = b[i] + 3 * c[i];
}

LEAF void singles(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) f[i] = f[i] + 3 * g[i];
}

LEAF void dot(long n)
{
	KNOWN(n);
	double s = 0;
#pragma omp simd reduction(+ : s)
	EACH(i, n) s += a[i] * b[i];
	c[0] = s;
}

LEAF void polynomial(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) a[i] = ((((b[i] + 1) * b[i] + 2) * b[i] + 3) * b[i] + 4) * (((b[i] - 1) * b[i] - 2) * b[i] - 3);
}

LEAF void three_points(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) a[i] = 0.25 * b[i] + 0.5 * b[i + 1] + 0.25 * b[i + 2];
}

LEAF void five_points(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n)
	EACH(j, n)
	a[i * n + j] = 0.2 * (b[(i + 1) * (n + 2) + j + 1] + b[(i + 1) * (n + 2) + j] + b[(i + 1) * (n + 2) + j + 2] +
			      b[i * (n + 2) + j + 1] + b[(i + 2) * (n + 2) + j + 1]);
}

LEAF void transposed(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) EACH(j, n) a[i * n + j] = b[j * n + i] + 1;
}

LEAF void transposed_store(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) EACH(j, n) a[j * n + i] = b[i * n + j] + 1;
}

LEAF void strided(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) a[i] = 2 * b[7 * i] + 1;
}

LEAF void triangle(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) for (long j = 0; j <= i; j++) a[i * n + j] = b[i * n + j] * 2 + 1;
}

LEAF void triangle_sums(long n)
{
	KNOWN(n);
	EACH(i, n)
	{
		double s = 0;
#pragma omp simd reduction(+ : s)
		for (long j = 0; j <= i; j++)
			s += b[i * n + j] * c[j];
		a[i] = s;
	}
}

LEAF void rows_to_diagonal(long n)
{
	KNOWN(n);
	EACH(i, n)
	{
#pragma omp simd
		for (long j = i; j < n; j++)
			a[i * n + j] = b[i * n + j] * 2 + c[j];
	}
}

LEAF void pairs(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) p[i].x = 2 * p[i].x + p[i].y;
}

LEAF void bodies(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) q[i].x = 2 * q[i].u + q[i].x;
}

LEAF void bodies_worked(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n)
	{
		double r = q[i].x * q[i].x + q[i].y * q[i].y + q[i].z * q[i].z;
		q[i].u += r * q[i].m * q[i].x;
		q[i].v += r * q[i].m * q[i].y;
		q[i].w += r * q[i].m * q[i].z;
	}
}

LEAF void butterflies(long n)
{
	KNOWN(n);
	for (long half = n / 2; half > 0; half /= 2)
		for (long k = 0; k < n; k += 2 * half) {
#pragma omp simd
			EACH(i, half)
			{
				double x = a[k + i], y = a[k + i + half];
				a[k + i] = x + y;
				a[k + i + half] = x - y;
			}
		}
}

LEAF void product(long n)
{
	KNOWN(n);
#pragma omp simd
	EACH(i, n) EACH(j, n)
	{
		double s = 0;
		EACH(k, n) s += a[i * n + k] * b[k * n + j];
		c[i * n + j] = s;
	}
}

LEAF void inner_product(long n)
{
	KNOWN(n);
	EACH(i, n) EACH(j, n)
	{
		double s = 0;
#pragma omp simd reduction(+ : s)
		EACH(k, n) s += a[i * n + k] * b[k * n + j];
		c[i * n + j] = s;
	}
}

LEAF void columns(long n)
{
	KNOWN(n);
	EACH(i, n)
	{
#pragma omp simd
		EACH(j, n) c[j] += a[i * n + j] * b[i];
	}
}

LEAF void eliminated(long n)
{
	KNOWN(n);
	for (long k = 0; k < n - 1; k++) {
#pragma omp simd
		for (long i = k + 1; i < n; i++)
			for (long j = k + 1; j < n; j++)
				a[i * n + j] -= b[i] * a[k * n + j];
	}
}

static const struct {
	const char *name;
	void (*run)(long n);
} kernels[] = {
#define K(name) \
	{ \
#name, name \
	}
	K(copy),
	K(triad),
	K(singles),
	K(dot),
	K(polynomial),
	K(three_points),
	K(five_points),
	K(transposed),
	K(transposed_store),
	K(strided),
	K(triangle),
	K(triangle_sums),
	K(rows_to_diagonal),
	K(pairs),
	K(bodies),
	K(bodies_worked),
	K(butterflies),
	K(product),
	K(inner_product),
	K(columns),
	K(eliminated),
};

int main(int argc, char *argv[])
{
	long n = atol(argv[2]), times = atol(argv[3]);
	for (long i = 0; i < MOST; i++) {
		a[i] = (double)(i % 7);
		b[i] = (double)(i % 5);
		c[i] = (double)(i % 3);
		f[i] = (float)(i % 7);
		g[i] = (float)(i % 5);
	}
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		if (strcmp(kernels[k].name, argv[1]))
			continue;
		if (argc > 4)
			kernels[k].run(n);
		psim_region_begin("loop");
		for (long t = 0; t < times; t++)
			kernels[k].run(n);
		psim_region_end("loop");
	}
	double s = 0;
	for (long i = 0; i < MOST; i += 97)
		s += a[i] + c[i] + f[i];
	printf("%g\n", s);
	return 0;
}
