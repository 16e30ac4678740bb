/*
 * The messages of the scalar pentadiagonal benchmark of the NAS Parallel Benchmarks (NPB 3, MPI), without its
 * arithmetic. p x p ranks share a cube of points in the multi-partition scheme: each has p cells on a diagonal,
 * so that in every stage of a sweep all have one to work on. A time step exchanges faces with six neighbours,
 * then sweeps forth and back along x, y and z.
 *   npb_sp.so [CLASS [ITERATIONS]]      class B, 1 iteration
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE_MAX = 64, FORTH = 22, BACK = 10, FACE = 5 * 2 /* numbers per point: variables, in two layers */ };

struct part {
	int p;                       /* cells of this rank, and ranks along a side */
	int coordinate[3][SIDE_MAX]; /* coordinates of each cell, 0 … p-1 */
	int size[3][SIDE_MAX];       /* points of each cell */
	int inner[3][SIDE_MAX];      /* points of each cell that are not on the cube's surface */
	int slice[3][SIDE_MAX];      /* cell at this coordinate */
	int before[3], behind[3];    /* neighbouring ranks */
	int face[3][2];              /* numbers sent to the rank behind, and to the one before */
};

/* Returns the points along a side; 0: unknown class. */
static int points_of(char class)
{
	switch (class) {
	case 'S': return 12;
	case 'W': return 36;
	case 'A': return 64;
	case 'B': return 102;
	case 'C': return 162;
	case 'D': return 408;
	default: return 0;
	}
}

static void make_cells(struct part *x, int rank, int points)
{
	int p = x->p;

	for (int c = 0; c < p; c++) {
		x->coordinate[0][c] = (rank % p + c) % p;
		x->coordinate[1][c] = (rank / p - c + p) % p;
		x->coordinate[2][c] = c;
		for (int d = 0; d < 3; d++) {
			int at = x->coordinate[d][c];

			x->size[d][c] = points / p + (at < points % p);
			x->inner[d][c] = x->size[d][c] - (at == 0) - (at == p - 1);
			x->slice[d][at] = c;
		}
	}
}

static void find_neighbours(struct part *x, int rank)
{
	int p = x->p, i = rank % p, j = rank / p, left = (i + p - 1) % p, right = (i + 1) % p, up = (j + p - 1) % p,
	    down = (j + 1) % p;

	x->before[0] = left + p * j;
	x->behind[0] = right + p * j;
	x->before[1] = i + p * up;
	x->behind[1] = i + p * down;
	x->before[2] = right + p * up;
	x->behind[2] = left + p * down;
}

/* Computes the sizes of two layers of the cells' faces, except those on the cube's surface. */
static void measure_faces(struct part *x)
{
	for (int c = 0; c < x->p; c++)
		for (int d = 0; d < 3; d++) {
			int face = x->size[(d + 1) % 3][c] * x->size[(d + 2) % 3][c] * FACE;

			x->face[d][0] += x->coordinate[d][c] != x->p - 1 ? face : 0;
			x->face[d][1] += x->coordinate[d][c] != 0 ? face : 0;
		}
}

static void copy_faces(const struct part *x)
{
	MPI_Request r[12];

	for (int d = 0; d < 3; d++) {
		MPI_Irecv(NULL, x->face[d][0], MPI_DOUBLE, x->behind[d], 2 * d, MPI_COMM_WORLD, &r[2 * d]);
		MPI_Irecv(NULL, x->face[d][1], MPI_DOUBLE, x->before[d], 2 * d + 1, MPI_COMM_WORLD, &r[2 * d + 1]);
	}
	for (int d = 0; d < 3; d++) {
		MPI_Isend(NULL, x->face[d][0], MPI_DOUBLE, x->behind[d], 2 * d + 1, MPI_COMM_WORLD, &r[6 + 2 * d]);
		MPI_Isend(NULL, x->face[d][1], MPI_DOUBLE, x->before[d], 2 * d, MPI_COMM_WORLD, &r[7 + 2 * d]);
	}
	MPI_Waitall(12, r, MPI_STATUSES_IGNORE);
}

/* A sweep: every stage waits for the neighbour's previous stage, and feeds its next one. */
static void sweep(const struct part *x, int d, int forth)
{
	int numbers = forth ? FORTH : BACK, from = forth ? x->before[d] : x->behind[d],
	    to = forth ? x->behind[d] : x->before[d];
	MPI_Request request, sent = MPI_REQUEST_NULL;

	for (int stage = 0; stage < x->p; stage++) {
		int c = x->slice[d][forth ? stage : x->p - 1 - stage];
		int face = x->inner[(d + 1) % 3][c] * x->inner[(d + 2) % 3][c] * numbers;

		if (stage) {
			MPI_Irecv(NULL, face, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, &request);
			MPI_Wait(&sent, MPI_STATUS_IGNORE);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
		if (stage + 1 < x->p)
			MPI_Isend(NULL, face, MPI_DOUBLE, to, 7, MPI_COMM_WORLD, &sent);
	}
	MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	char class = argc > 1 ? argv[1][0] : 'B';
	int iterations = argc > 2 ? atoi(argv[2]) : 1, size, rank, points = points_of(class);
	struct part x = {0};

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	while (x.p * x.p < size)
		x.p++;
	if (!points || x.p * x.p != size || x.p > SIDE_MAX || 3 * x.p > points) {
		fprintf(stderr, "npb_sp: class %c on %d ranks: expected S, W, A, B, C or D on a square number\n", class,
			size);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	make_cells(&x, rank, points);
	find_neighbours(&x, rank);
	measure_faces(&x);
	for (int i = 0; i < iterations; i++) {
		if (x.p > 1)
			copy_faces(&x);
		for (int d = 0; d < 3 && x.p > 1; d++) {
			sweep(&x, d, 1);
			sweep(&x, d, 0);
		}
	}
	MPI_Finalize();
	return 0;
}
