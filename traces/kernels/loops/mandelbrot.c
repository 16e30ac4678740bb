/* Escape times of the Mandelbrot set, for psim-cc -fpsim-units=divide,select: PEs iterate beyond their own end. */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

enum { MOST = 50 };

static void row(long n, double y, double *steps)
{
#pragma omp simd
	for (long i = 0; i < n; i++) {
		double cr = -2 + 3.0 * (double)i / (double)n, re = 0, im = 0;
		int k = 0;

		while (k < MOST && re * re + im * im < 4) {
			double t = re * re - im * im + cr;

			im = 2 * re * im + y;
			re = t;
			k++;
		}
		steps[i] = k;
	}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 60;
	double *steps = malloc((size_t)n * sizeof(*steps));

	if (!steps)
		return 1;
	psim_region_begin("mandelbrot");
	row(n, 0, steps);
	psim_region_end("mandelbrot");
	/* -2 leaves the circle at once, 0 is in the set */
	printf("mandelbrot %ld: %.0f and %.0f steps\n", n, steps[0], steps[2 * n / 3]);
	return steps[0] != 1 || steps[2 * n / 3] != MOST;
}
