/*
 * Sweeps over a three-dimensional grid on the SIMD array, each inner point from itself and its
 * six neighbours.
 *
 *     stencil [NX [NY [NZ [SWEEPS]]]]     points with the border; default 34 18 10, 2 sweeps
 *
 * Each PE has some rows of a plane, and one more on either side: one transfer deals them,
 * overlapping in memory. An SBM holds four planes of its rows, three in use and one in
 * transfer, and two of results. Any number of PEs; a row has at most a 14th of an SBM.
 *
 * Compares the last sweep with integer arithmetic.
 */
#include "../stencil_check.h"
#include "simd_kernel.h"

/* Rows y … y + pieces * rows - 1, `rows` to each of `pieces` PEs. */
struct slab {
	long y, rows, pieces;
};

/* Computes one row; p: its points in the plane, lower and upper: in the neighbouring planes. */
SIMD_FUNCTION static void row(long nx, const double *restrict p, const double *restrict lower,
			      const double *restrict upper, double *restrict v, const double *factors)
{
	double c0 = factors[0], c1 = factors[1];

	v[0] = p[0]; /* the border is constant */
	for (long x = 1; x < nx - 1; x++)
		v[x] = c0 * p[x] + c1 * (((p[x - 1] + p[x + 1]) + (p[x - nx] + p[x + nx])) + (lower[x] + upper[x]));
	v[nx - 1] = p[nx - 1];
}

static void get_plane(const struct stencil_grid *g, const struct slab *s, const double *u, long z)
{
	long size = (s->rows + 2) * g->nx;

	if (z < g->nz)
		deal_rows(u + (z * g->ny + s->y - 1) * g->nx, z % 4 * size, size, s->pieces, s->rows * g->nx);
}

static void sweep_slab(const struct stencil_grid *g, const struct slab *s, const double *u, double *v,
		       const double *factors)
{
	long nx = g->nx, size = (s->rows + 2) * nx, share = s->rows * nx;

	for (long z = 0; z < 3; z++)
		get_plane(g, s, u, z);
	for (long z = 1; z < g->nz - 1; z++) {
		long out = 4 * size + z % 2 * share;

		if (z > 1)
			simd_wait(1); /* the previous plane may still be in transfer */
		else
			simd_wait(0);
		get_plane(g, s, u, z + 2);
		for (long r = 0; r < s->rows; r++)
			row(nx, sbm(z % 4 * size + (r + 1) * nx), sbm((z - 1) % 4 * size + (r + 1) * nx),
			    sbm((z + 1) % 4 * size + (r + 1) * nx), sbm(out + r * nx), factors);
		collect_rows(v + (z * g->ny + s->y) * nx, out, share, s->pieces, share);
	}
	simd_wait(0);
}

static int sweep(const struct stencil_grid *g, const double *restrict u, double *restrict v, double c0, double c1)
{
	struct array array = array_here();
	long most = (array.room / g->nx - 8) / 6;   /* rows of a PE */
	const volatile double factors[] = {c0, c1}; /* in memory, from where the array loads them */

	if (needs_room(array, 14L * g->nx))
		return 1;
	simd_on();
	for (long y = 1, left = g->ny - 2; left > 0;) {
		struct slab s = {.y = y, .rows = smaller(most, left / array.pes), .pieces = array.pes};

		if (s.rows == 0)
			s.rows = 1, s.pieces = left;
		sweep_slab(g, &s, u, v, (const double *)factors);
		y += s.rows * s.pieces;
		left -= s.rows * s.pieces;
	}
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return stencil_main("stencil", argc, argv, sweep);
}
