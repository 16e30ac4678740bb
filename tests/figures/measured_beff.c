/*
 * The rings of HPC Challenge's b_eff (bench_lat_bw 1.5.2): each rank sends to both neighbours and receives from both,
 * in the order of the ranks and in random orders. A ring's time is that of one of the two messages, of the slower rank
 * and the faster of two ways, after a round that does not count; of the random rings it is the geometric mean.
 *
 *     measured_beff BYTES ROUNDS RINGS
 *
 * Buffers of NULL: the messages have no data.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TO_RIGHT, TO_LEFT };

struct ring {
	int left, right;
};

static unsigned next_random(unsigned long *state)
{
	*state = *state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(*state >> 33);
}

/* Makes an order of the ranks on the first of them: each in turn has a random place, or the next one that is free. */
static void make_order(int *order, int size, unsigned long *state)
{
	for (int i = 0; i < size; i++)
		order[i] = -1;
	for (int i = 0; i < size; i++) {
		int place = (int)(next_random(state) % (unsigned)size);

		while (order[place] >= 0)
			place = (place + 1) % size;
		order[place] = i;
	}
}

static struct ring random_ring(int rank, int size, unsigned long *state)
{
	int *order = malloc((size_t)size * sizeof(int));
	struct ring ring = {0, 0};

	if (rank == 0)
		make_order(order, size, state);
	MPI_Bcast(order, size, MPI_INT, 0, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		if (order[i] == rank)
			ring = (struct ring){order[(i + size - 1) % size], order[(i + 1) % size]};
	free(order);
	return ring;
}

static void by_sendrecv(struct ring ring, int bytes)
{
	MPI_Sendrecv(NULL, bytes, MPI_BYTE, ring.right, TO_RIGHT, NULL, bytes, MPI_BYTE, ring.left, TO_RIGHT,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(NULL, bytes, MPI_BYTE, ring.left, TO_LEFT, NULL, bytes, MPI_BYTE, ring.right, TO_LEFT,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_requests(struct ring ring, int bytes)
{
	MPI_Request requests[4];

	MPI_Irecv(NULL, bytes, MPI_BYTE, ring.left, TO_RIGHT, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(NULL, bytes, MPI_BYTE, ring.right, TO_LEFT, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(NULL, bytes, MPI_BYTE, ring.right, TO_RIGHT, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(NULL, bytes, MPI_BYTE, ring.left, TO_LEFT, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double rounds_of(void (*exchange)(struct ring, int), struct ring ring, int bytes, int rounds)
{
	double start;

	exchange(ring, bytes);
	start = MPI_Wtime();
	for (int i = 0; i < rounds; i++)
		exchange(ring, bytes);
	return (MPI_Wtime() - start) / (2 * rounds);
}

static double time_of(struct ring ring, int bytes, int rounds)
{
	double one, other, slowest;

	MPI_Barrier(MPI_COMM_WORLD);
	one = rounds_of(by_sendrecv, ring, bytes, rounds);
	other = rounds_of(by_requests, ring, bytes, rounds);
	one = one < other ? one : other;
	MPI_Reduce(&one, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	return slowest;
}

int main(int argc, char **argv)
{
	int bytes = argc > 1 ? atoi(argv[1]) : 8, rounds = argc > 2 ? atoi(argv[2]) : 5;
	int rings = argc > 3 ? atoi(argv[3]) : 10, rank, size;
	unsigned long state = 1;
	double natural, logs = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	natural = time_of((struct ring){(rank + size - 1) % size, (rank + 1) % size}, bytes, rounds);
	for (int i = 0; i < rings; i++) {
		double time = time_of(random_ring(rank, size, &state), bytes, rounds);

		logs += rank == 0 ? log(time) : 0;
	}
	if (rank == 0)
		printf("natural: %.6g us\nrandom: %.6g us\n", natural * 1e6, exp(logs / rings) * 1e6);
	return MPI_Finalize();
}
