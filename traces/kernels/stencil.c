/*
 * Sweeps over a three-dimensional grid, each inner point from itself and its six neighbours, as
 * for a heat equation: five rows are read per row written, and caches keep four of them.
 *
 *     stencil [NX [NY [NZ [SWEEPS]]]]     points with the border; default 34 18 10, 2 sweeps
 *
 * Compares the last sweep with integer arithmetic.
 */
#include "stencil_check.h"

static void row(int nx, long y, long z, const double *restrict p, double *restrict v, double c0, double c1)
{
	for (int x = 1; x < nx - 1; x++)
		v[x] = c0 * p[x] + c1 * (((p[x - 1] + p[x + 1]) + (p[x - y] + p[x + y])) + (p[x - z] + p[x + z]));
}

static int sweep(const struct stencil_grid *g, const double *restrict u, double *restrict v, double c0, double c1)
{
	for (int z = 1; z < g->nz - 1; z++)
		for (int y = 1; y < g->ny - 1; y++) {
			long at = stencil_at(g, 0, y, z);

			row(g->nx, g->nx, (long)g->nx * g->ny, u + at, v + at, c0, c1);
		}
	return 0;
}

int main(int argc, char *argv[])
{
	return stencil_main("stencil", argc, argv, sweep);
}
