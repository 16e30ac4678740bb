/* Forces between all pairs of bodies, for psim-cc: divisions and square roots need PEs that divide (-fpsim-units). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

static void forces(long n, const double *x, const double *y, const double *z, const double *mass, double *fx)
{
#pragma omp simd
	for (long i = 0; i < n; i++) {
		double sum = 0;

		for (long j = 0; j < n; j++) {
			double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
			double r = dx * dx + dy * dy + dz * dz + 1e-3;

			sum += mass[j] * dx / (r * __builtin_sqrt(r));
		}
		fx[i] = sum;
	}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 64;
	double *of[5], sum = 0;

	for (int k = 0; k < 5; k++) {
		of[k] = malloc((size_t)n * sizeof(double));
		if (!of[k])
			return 1;
		for (long i = 0; i < n; i++)
			of[k][i] = (double)((i * (k + 3)) % 17 + 1);
	}
	psim_region_begin("nbody");
	forces(n, of[0], of[1], of[2], of[3], of[4]);
	psim_region_end("nbody");
	for (long i = 0; i < n; i++) /* action and reaction cancel */
		sum += of[3][i] * of[4][i];
	printf("nbody %ld: forces cancel to %s\n", n, fabs(sum) < 1e-6 ? "less than 1e-6" : "something");
	return !(fabs(sum) < 1e-6);
}
