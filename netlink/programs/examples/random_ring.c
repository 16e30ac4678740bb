/*
 * Random ring (HPC Challenge): ranks in a random order make a ring, the same on all ranks; each sends to both
 * neighbours and receives from both, several times. Messages only.
 *   random_ring.so [BYTES [LOOPS [SEED]]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "mgen.h"

static unsigned next_random(unsigned long *state)
{
	*state = *state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(*state >> 33);
}

/* Shuffles all ranks to find the order; a rank keeps only its neighbours. */
static void find_neighbours(int rank, int size, unsigned long seed, int *left, int *right)
{
	int *order = malloc((size_t)size * sizeof(int));
	unsigned long state = seed;

	for (int i = 0; i < size; i++)
		order[i] = i;
	for (int i = size - 1; i > 0; i--) {
		int k = (int)(next_random(&state) % (unsigned)(i + 1)), swap = order[i];

		order[i] = order[k];
		order[k] = swap;
	}
	for (int i = 0; i < size; i++)
		if (order[i] == rank) {
			*left = order[(i + size - 1) % size];
			*right = order[(i + 1) % size];
		}
	free(order);
}

int MGEN_Main(int argc, char **argv)
{
	int bytes = argc > 1 ? atoi(argv[1]) : 1000000, loops = argc > 2 ? atoi(argv[2]) : 5, rank, size;
	int left = 0, right = 0;
	double start, slowest, time;

	MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
	MGEN_Comm_size(MGEN_COMM_WORLD, &size);
	find_neighbours(rank, size, argc > 3 ? strtoul(argv[3], NULL, 10) : 1, &left, &right);
	start = MGEN_Wtime();
	for (int i = 0; i < loops; i++) {
		MGEN_Request requests[4];

		MGEN_Irecv(NULL, bytes, MGEN_BYTE, left, 0, MGEN_COMM_WORLD, &requests[0]);
		MGEN_Irecv(NULL, bytes, MGEN_BYTE, right, 1, MGEN_COMM_WORLD, &requests[1]);
		MGEN_Isend(NULL, bytes, MGEN_BYTE, right, 0, MGEN_COMM_WORLD, &requests[2]);
		MGEN_Isend(NULL, bytes, MGEN_BYTE, left, 1, MGEN_COMM_WORLD, &requests[3]);
		MGEN_Waitall(4, requests, MGEN_STATUSES_IGNORE);
	}
	time = MGEN_Wtime() - start;
	MGEN_Reduce(&time, &slowest, 1, MGEN_DOUBLE, MGEN_MAX, 0, MGEN_COMM_WORLD);
	if (rank == 0)
		printf("random ring, %d ranks, %d bytes: %.6f ms a loop, %.3f MB/s a rank\n", size, bytes,
		       slowest / loops * 1e3, 2.0 * bytes * loops / slowest * 1e-6);
	return 0;
}
