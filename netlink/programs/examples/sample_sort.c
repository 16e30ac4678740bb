/*
 * Sample sort: each rank sorts its numbers and gives samples; all find the same splitters, exchange what
 * belongs to others, and sort again. Checked: order within and between ranks, number and sum of all.
 *   sample_sort.so [NUMBERS A RANK]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Own random number generator, so that all hosts have the same numbers. */
static unsigned random_number(unsigned long *state)
{
	*state = *state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(*state >> 33);
}

/* Finds size - 1 splitters, which divide the numbers of all ranks into parts of about equal size. */
static unsigned *find_splitters(const unsigned *sorted, int n, int size)
{
	unsigned *samples = malloc((size_t)size * sizeof(unsigned));
	unsigned *all = malloc((size_t)size * (size_t)size * sizeof(unsigned));
	unsigned *splitters = malloc((size_t)size * sizeof(unsigned));

	for (int i = 0; i < size; i++)
		samples[i] = sorted[(long)n * i / size];
	MPI_Allgather(samples, size, MPI_UNSIGNED, all, size, MPI_UNSIGNED, MPI_COMM_WORLD);
	qsort(all, (size_t)size * (size_t)size, sizeof(unsigned), by_value);
	for (int i = 1; i < size; i++)
		splitters[i - 1] = all[i * size];
	free(samples);
	free(all);
	return splitters;
}

/* Exchanges numbers by their destination; returns the received ones, `*got` numbers. */
static unsigned *exchange(const unsigned *sorted, int n, const unsigned *splitters, int size, int *got)
{
	int *send = calloc((size_t)size * 4, sizeof(int)), *sat = send + size, *recv = sat + size, *rat = recv + size;
	unsigned *in;

	for (int i = 0, to = 0; i < n; i++) {
		while (to < size - 1 && sorted[i] >= splitters[to])
			to++;
		send[to]++;
	}
	MPI_Alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, MPI_COMM_WORLD);
	*got = recv[0];
	for (int i = 1; i < size; i++) {
		sat[i] = sat[i - 1] + send[i - 1];
		rat[i] = rat[i - 1] + recv[i - 1];
		*got += recv[i];
	}
	in = malloc((size_t)(*got + 1) * sizeof(unsigned));
	MPI_Alltoallv(sorted, send, sat, MPI_UNSIGNED, in, recv, rat, MPI_UNSIGNED, MPI_COMM_WORLD);
	free(send);
	return in;
}

/* Returns whether the numbers of this rank are in order, and follow those of the previous rank. */
static int in_order(const unsigned *x, int n, int rank, int size)
{
	unsigned before = 0, last;
	int ok = 1;

	for (int i = 1; i < n; i++)
		ok &= x[i - 1] <= x[i];
	if (rank > 0)
		MPI_Recv(&before, 1, MPI_UNSIGNED, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	last = n ? x[n - 1] : before;
	if (rank < size - 1)
		MPI_Send(&last, 1, MPI_UNSIGNED, rank + 1, 0, MPI_COMM_WORLD);
	return ok && (n == 0 || before <= x[0]);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000, rank, size, got, ok, all_ok;
	unsigned *own, *splitters, *result;
	unsigned long state, sums[2] = {0, 0}, before[2], after[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own = malloc((size_t)n * sizeof(unsigned));
	state = (unsigned long)rank + 1;
	for (int i = 0; i < n; i++) {
		own[i] = random_number(&state);
		sums[0] += own[i];
	}
	sums[1] = (unsigned long)n;
	MPI_Reduce(sums, before, 2, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	qsort(own, (size_t)n, sizeof(unsigned), by_value);
	splitters = find_splitters(own, n, size);
	result = exchange(own, n, splitters, size, &got);
	qsort(result, (size_t)got, sizeof(unsigned), by_value);
	ok = in_order(result, got, rank, size);
	sums[0] = 0;
	for (int i = 0; i < got; i++)
		sums[0] += result[i];
	sums[1] = (unsigned long)got;
	MPI_Reduce(sums, after, 2, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(&ok, &all_ok, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
	ok = 1;
	if (rank == 0) {
		ok = all_ok && before[0] == after[0] && before[1] == after[1];
		printf("%lu numbers on %d ranks, sum %lu: %s\n", after[1], size, after[0], ok ? "sorted" : "WRONG");
	}
	free(own);
	free(splitters);
	free(result);
	MPI_Finalize();
	return !ok;
}
