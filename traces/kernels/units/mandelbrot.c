/*
 * The Mandelbrot set on PEs that compare: psim-record --units select. Each PE has a point of its own; the scalar core
 * goes on while a sum over the PEs says that one of them is still inside.
 *
 *     mandelbrot [WIDTH [HEIGHT [STEPS]]]     default 32 x 16 points, at most 256 steps
 *
 * Compares the number of steps of every point with that of the scalar core.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../psim_region.h"
#include "../psim_simd.h"

enum { BLOCK = 8, STATE = 5 }; /* steps between two sums over the PEs; doubles of a point */

/* A point in SBM: c, z, and the number of steps. */
struct point {
	double cr, ci, zr, zi, steps;
};
_Static_assert(sizeof(struct point) == STATE * sizeof(double), "transfers move it whole");

/* BLOCK steps of every PE's point; *inside: the number of PEs whose point is still inside. */
SIMD_FUNCTION static void iterate(struct point *p, double *inside)
{
	double cr = p->cr, ci = p->ci, zr = p->zr, zi = p->zi, steps = p->steps, in = 0;

	for (int n = 0; n < BLOCK; n++) {
		double rr = zr * zr, ii = zi * zi, product = zr * zi;

		in = simd_less_or_equal(rr + ii, 4.0, 1.0, 0.0); /* no more after an overflow: a NaN is not less */
		steps += in;
		zr = rr - ii + cr;
		zi = product + product + ci;
	}
	p->zr = zr;
	p->zi = zi;
	p->steps = steps;
	simd_sum(in, inside);
}

/* The same of one point on the scalar core. */
static double count(double cr, double ci, int most)
{
	double zr = 0, zi = 0, steps = 0;

	for (int n = 0; n < most; n++) {
		double rr = zr * zr, ii = zi * zi, product = zr * zi;

		if (!(rr + ii <= 4))
			return steps;
		steps++;
		zr = rr - ii + cr;
		zi = product + product + ci;
	}
	return steps;
}

static void mandelbrot(struct point *points, long rounds, int most)
{
	long pes = (long)simd_pes();
	double inside;
	uint64_t bits;

	for (long r = 0; r < rounds; r++) {
		struct point *mine = simd_all(0);

		simd_deal(mine, points + r * pes, sizeof(struct point), (uint32_t)pes);
		simd_wait(0);
		simd_on();
		for (int n = 0; n < most; n += BLOCK) {
			iterate(mine, &inside);
			memcpy(&bits, &inside, sizeof(bits));
			if (!bits) /* 0.0, compared as an integer: a double would be one of the PEs' */
				break;
		}
		simd_off();
		simd_collect(mine, points + r * pes, sizeof(struct point), (uint32_t)pes);
		simd_wait(0);
	}
}

int main(int argc, char *argv[])
{
	int width = argc > 1 ? atoi(argv[1]) : 32, height = argc > 2 ? atoi(argv[2]) : 16;
	int most = argc > 3 ? atoi(argv[3]) : 256, wrong = 0;
	long count_of = (long)width * height, pes = (long)simd_pes(), rounds = (count_of + pes - 1) / pes;
	struct point *points;
	double sum = 0;

	if (width < 1 || height < 1 || width > 4096 || height > 4096 || most < BLOCK || most % BLOCK) {
		fprintf(stderr, "mandelbrot: WIDTH and HEIGHT are from 1 to 4096, STEPS a multiple of %d\n", BLOCK);
		return 2;
	}
	points = calloc((size_t)(rounds * pes), sizeof(*points));
	if (!points)
		return 1;
	for (long n = 0; n < count_of; n++) {
		points[n].cr = -2 + 3.0 * (double)(n % width) / width;
		points[n].ci = -1.125 + 2.25 * (double)(n / width) / height;
	}
	psim_region_begin("mandelbrot");
	mandelbrot(points, rounds, most);
	psim_region_end("mandelbrot");
	for (long n = 0; n < count_of; n++) {
		wrong += points[n].steps != count(points[n].cr, points[n].ci, most);
		sum += points[n].steps;
	}
	printf("mandelbrot %d x %d: %.0f steps, %d points wrong\n", width, height, sum, wrong);
	return wrong ? 1 : 0;
}
