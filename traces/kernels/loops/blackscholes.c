/*
 * Prices of options by the formula of Black and Scholes (1973), for psim-cc -fpsim-units=divide,select. Exponential
 * function and logarithm are written out, as an array calls nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

static inline __attribute__((always_inline)) double exponential(double x)
{
	double y = x / 256, sum = 1;

	for (int k = 10; k > 0; k--) /* Taylor's series of x / 256, to 1e-16 for |x| < 30 */
		sum = 1 + sum * y / k;
	for (int k = 0; k < 8; k++)
		sum *= sum;
	return sum;
}

static inline __attribute__((always_inline)) double logarithm(double x)
{
	double root = __builtin_sqrt(__builtin_sqrt(x)), z = (root - 1) / (root + 1), sum = 0;

	for (int k = 15; k > 0; k -= 2) /* of the area tangent, to 1e-15 for 0.2 < x < 5 */
		sum = sum * z * z + 1.0 / k;
	return 8 * z * sum;
}

/* The cumulative normal distribution, to 7.5e-8: Abramowitz and Stegun (1964), 26.2.17. */
static inline __attribute__((always_inline)) double normal(double d)
{
	double size = __builtin_fabs(d), t = 1 / (1 + 0.2316419 * size);
	double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	double above = 0.39894228040143268 * exponential(-size * size / 2) * sum, below = 1 - above;

	return d < 0 ? above : below;
}

static void prices(long n, const double *price, const double *strike, const double *years, double rate, double spread,
		   double *call, double *put)
{
#pragma omp simd
	for (long i = 0; i < n; i++) {
		double s = price[i], x = strike[i], t = years[i], wide = spread * __builtin_sqrt(t);
		double d1 = (logarithm(s / x) + (rate + spread * spread / 2) * t) / wide, d2 = d1 - wide;
		double in = normal(d1), later = x * exponential(-rate * t), at = normal(d2);

		call[i] = s * in - later * at;
		put[i] = later * (1 - at) - s * (1 - in);
	}
}

/* The distance of a price from that of the C library's functions. */
static double error_of(double s, double x, double t, double rate, double spread, double call)
{
	double d1 = (log(s / x) + (rate + spread * spread / 2) * t) / (spread * sqrt(t)), d2 = d1 - spread * sqrt(t);

	return fabs(call - (s * erfc(-d1 / sqrt(2)) - x * exp(-rate * t) * erfc(-d2 / sqrt(2))) / 2);
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, bad = 0;
	double *of[5];

	for (int k = 0; k < 5; k++) {
		of[k] = malloc((size_t)n * sizeof(double));
		if (!of[k])
			return 1;
	}
	for (long i = 0; i < n; i++) {
		of[0][i] = 50 + (double)(i % 37);
		of[1][i] = 40 + (double)(i % 41);
		of[2][i] = 0.25 + (double)(i % 11) / 4;
	}
	psim_region_begin("blackscholes");
	prices(n, of[0], of[1], of[2], 0.02, 0.3, of[3], of[4]);
	psim_region_end("blackscholes");
	for (long i = 0; i < n; i++) /* 7.5e-8 of a price below 100, twice */
		bad += !(error_of(of[0][i], of[1][i], of[2][i], 0.02, 0.3, of[3][i]) < 2e-5);
	printf("blackscholes %ld: %ld prices wrong\n", n, bad);
	return bad != 0;
}
