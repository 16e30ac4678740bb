/*
 * Skeleton of an explicit 3-D stencil code: seven points, one layer of halo, a norm every few steps. README.md
 * says what is kept and what is not.
 *
 *     stencil weak|strong NX NY NZ STEPS [NORM [VALUES]]
 *
 * weak: each rank has NX x NY x NZ points; strong: all ranks together. The ranks are a grid as near to a cube as may
 * be, periodic. NORM: steps between two norms (Allreduce of one number), 10; 0: none. VALUES: numbers that each point
 * of a face sends, those of all fields and layers, 1. Seconds of a step come from the model stencil(points), or, where
 * the machine has none, from the rate stencil_rate, operations a second, with 8 for each point, of its section
 * [skeleton].
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsim.h"
#include "lmpi.h"

enum { FLOPS_PER_POINT = 8, DIMENSIONS = 3 };

struct stencil {
	LMPI_Comm grid;
	long points[DIMENSIONS]; /* points of this rank */
	long steps, norm, values;
	double seconds, flops; /* seconds and operations of a step */
};

/* Parses a whole number; returns -1 if the text is anything else. */
static long whole(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end ? n : -1;
}

/*
 * Sets the points of this rank along each dimension: those given if `weak`, else its share; the first ranks have one
 * more.
 */
static int divide(struct stencil *s, const char *kind, char *const sizes[], int ranks)
{
	int dims[DIMENSIONS] = {0}, periods[DIMENSIONS] = {1, 1, 1}, at[DIMENSIONS];

	LMPI_Dims_create(ranks, DIMENSIONS, dims);
	LMPI_Cart_create(LMPI_COMM_WORLD, DIMENSIONS, dims, periods, 0, &s->grid);
	LMPI_Cart_get(s->grid, DIMENSIONS, dims, periods, at);
	for (int d = 0; d < DIMENSIONS; d++) {
		long n = whole(sizes[d]);

		s->points[d] = strcmp(kind, "weak") == 0 ? n : n / dims[d] + (at[d] < n % dims[d]);
		if (n < 1 || s->points[d] < 1)
			return 1;
	}
	return 0;
}

/* Returns whether a face is more than a message can have. */
static int too_large(const struct stencil *s)
{
	int large = 0;

	for (int d = 0; d < DIMENSIONS; d++)
		large |= (double)s->points[d] * (double)s->points[(d + 1) % DIMENSIONS] * (double)s->values > INT_MAX;
	return large;
}

static void exchange(const struct stencil *s)
{
	LMPI_Request requests[4 * DIMENSIONS];
	int count = 0;

	for (int d = 0; d < DIMENSIONS; d++) {
		int down, up;
		int face = (int)(s->points[(d + 1) % DIMENSIONS] * s->points[(d + 2) % DIMENSIONS] * s->values);

		LMPI_Cart_shift(s->grid, d, 1, &down, &up);
		LMPI_Irecv(NULL, face, LMPI_DOUBLE, down, 2 * d, s->grid, &requests[count++]);
		LMPI_Irecv(NULL, face, LMPI_DOUBLE, up, 2 * d + 1, s->grid, &requests[count++]);
		LMPI_Isend(NULL, face, LMPI_DOUBLE, up, 2 * d, s->grid, &requests[count++]);
		LMPI_Isend(NULL, face, LMPI_DOUBLE, down, 2 * d + 1, s->grid, &requests[count++]);
	}
	LMPI_Waitall(count, requests, LMPI_STATUSES_IGNORE);
}

static void run(const struct stencil *s)
{
	for (long step = 1; step <= s->steps; step++) {
		BSIM_Phase("halo");
		exchange(s);
		BSIM_Phase("sweep");
		BSIM_Add_time(s->seconds);
		BSIM_Flops(s->flops);
		if (s->norm > 0 && step % s->norm == 0) {
			BSIM_Phase("norm");
			LMPI_Allreduce(NULL, NULL, 1, LMPI_DOUBLE, LMPI_SUM, s->grid);
		}
	}
}

int LMPI_Main(int argc, char *argv[])
{
	struct stencil s = {.norm = 10, .values = 1};
	int rank, ranks, wrong = 0;
	double points;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &ranks);
	for (int i = 2; argc >= 6 && i < argc; i++)
		wrong |= whole(argv[i]) < (i != 6);
	if (wrong || argc < 6 || argc > 8 || (strcmp(argv[1], "weak") && strcmp(argv[1], "strong"))) {
		if (rank == 0)
			fprintf(stderr, "stencil: expected weak|strong NX NY NZ STEPS [NORM [VALUES]]\n");
		return 1;
	}
	s.steps = whole(argv[5]);
	if (argc > 6)
		s.norm = whole(argv[6]);
	if (argc > 7)
		s.values = whole(argv[7]);
	if (divide(&s, argv[1], argv + 2, ranks)) {
		fprintf(stderr, "stencil: %s x %s x %s points leave none for rank %d of %d\n", argv[2], argv[3],
			argv[4], rank, ranks);
		return 1;
	}
	if (too_large(&s)) {
		fprintf(stderr, "stencil: a face of rank %d has more than %d numbers\n", rank, INT_MAX);
		return 1;
	}
	points = (double)s.points[0] * (double)s.points[1] * (double)s.points[2];
	s.flops = FLOPS_PER_POINT * points;
	s.seconds = BSIM_Has_model("stencil") ? BSIM_Time("stencil", 1, &points)
					      : s.flops / BSIM_Parameter("stencil_rate", 1e9);
	run(&s);
	if (rank == 0)
		printf("stencil %s: %ld steps, %.4g us a step\n", argv[1], s.steps,
		       LMPI_Wtime() / (double)s.steps * 1e6);
	return 0;
}
