/* A sweep of seven points: the three loops of a textbook, for psim-cc. */
#include "../stencil_check.h"

static int sweep(const struct stencil_grid *g, const double *restrict u, double *restrict v, double c0, double c1)
{
	long nx = g->nx, ny = g->ny, nz = g->nz, plane = nx * ny;

#pragma omp simd collapse(2)
	for (long z = 1; z < nz - 1; z++)
		for (long y = 1; y < ny - 1; y++)
			for (long x = 1; x < nx - 1; x++) {
				const double *p = u + z * plane + y * nx + x;
				double sum = ((p[-1] + p[1]) + (p[-nx] + p[nx])) + (p[-plane] + p[plane]);

				v[z * plane + y * nx + x] = c0 * p[0] + c1 * sum;
			}
	return 0;
}

int main(int argc, char *argv[])
{
	return stencil_main("stencil", argc, argv, sweep);
}
