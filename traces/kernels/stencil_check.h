/* Input, measured region and check of the stencils. */
#ifndef STENCIL_CHECK_H
#define STENCIL_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

/* Points in each direction with the border, whose values are constant: u[z][y][x]. */
struct stencil_grid {
	int nx, ny, nz;
};

/*
 * v = c0 u + c1 (sum of the six neighbours of u) inside. Returns 0, or 1 with a message if it
 * does not fit.
 */
typedef int stencil_sweep(const struct stencil_grid *g, const double *restrict u, double *restrict v, double c0,
			  double c1);

static inline long stencil_at(const struct stencil_grid *g, int x, int y, int z)
{
	return ((long)z * g->ny + y) * g->nx + x;
}

/* One sweep of integers, the expected `v`. */
static long stencil_wrong(const struct stencil_grid *g, const double *u, const double *v, double c0, double c1)
{
	long plane = (long)g->nx * g->ny, bad = 0;

	for (int z = 1; z < g->nz - 1; z++)
		for (int y = 1; y < g->ny - 1; y++)
			for (int x = 1; x < g->nx - 1; x++) {
				const double *p = u + stencil_at(g, x, y, z);
				long sum = (long)p[-1] + (long)p[1] + (long)p[-g->nx] + (long)p[g->nx] +
					   (long)p[-plane] + (long)p[plane];

				bad += v[p - u] != (double)((long)c0 * (long)p[0] + (long)c1 * sum);
			}
	return bad;
}

/* Runs the program NAME [NX [NY [NZ [SWEEPS]]]]. */
static int stencil_main(const char *name, int argc, char *argv[], stencil_sweep *sweep)
{
	struct stencil_grid g = {argc > 1 ? atoi(argv[1]) : 34, argc > 2 ? atoi(argv[2]) : 18,
				 argc > 3 ? atoi(argv[3]) : 10};
	int sweeps = argc > 4 ? atoi(argv[4]) : 2, failed = 0;
	double *u, *v, *t;
	long bad, size;

	if (g.nx < 3 || g.ny < 3 || g.nz < 3 || g.nx > 4096 || g.ny > 4096 || g.nz > 4096 || sweeps < 1 ||
	    sweeps > 12) {
		fprintf(stderr, "%s: NX, NY and NZ are from 3 to 4096, SWEEPS from 1 to 12\n", name);
		return 2;
	}
	size = stencil_at(&g, 0, 0, g.nz);
	u = calloc((size_t)size, sizeof(*u));
	v = calloc((size_t)size, sizeof(*v));
	if (!u || !v)
		return 1;
	for (long i = 0; i < size; i++) /* small integers: every result is exact */
		u[i] = v[i] = (double)((i * 7 + i / g.nx) % 11 - 5);
	psim_region_begin("stencil");
	for (int s = 0; s < sweeps && !failed; s++) {
		failed = sweep(&g, u, v, -2, 1);
		t = u, u = v, v = t;
	}
	psim_region_end("stencil");
	if (failed)
		return 2;
	bad = stencil_wrong(&g, v, u, -2, 1);
	printf("stencil %d x %d x %d: u[1][1][1] = %.0f, %ld points wrong\n", g.nx, g.ny, g.nz,
	       u[stencil_at(&g, 1, 1, 1)], bad);
	return bad ? 1 : 0;
}

#endif
