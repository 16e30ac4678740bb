/*
 * Times of an operation of all ranks, as the Intel MPI Benchmarks take them: after a barrier, REPEATS calls in a row.
 * Their mean is that of rank 0, since data do not move (mpi.payload=no: they would need more memory than there is).
 * `steady`: STEADY_REPEATS calls after STEADY_FIRST others, as benchmarks make so many that the first ones do not
 * count. Calls then take rank 0 a long and a short time in turn where messages wait for NICs.
 *
 *     measured_collectives [steady] sendrecv|alltoall|allgather|allreduce BYTES...
 *
 * sendrecv: each rank sends to the next one and receives from the one before it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 2, SENDRECV_REPEATS = 64, STEADY_FIRST = 2, STEADY_REPEATS = 2 };

static void exchange(void *in, void *out, int bytes)
{
	int rank, size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Sendrecv(in, bytes, MPI_BYTE, (rank + 1) % size, 0, out, bytes, MPI_BYTE, (rank + size - 1) % size, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void call(const char *op, void *in, void *out, int bytes)
{
	if (!strcmp(op, "alltoall"))
		MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
	else if (!strcmp(op, "allgather"))
		MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
	else if (!strcmp(op, "sendrecv"))
		exchange(in, out, bytes);
	else
		MPI_Allreduce(in, out, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void measure(const char *op, int bytes, int rank, int size, int steady)
{
	size_t room = (size_t)bytes * (size_t)size;
	void *in = malloc(room), *out = malloc(room);
	double time;
	int repeats = steady ? STEADY_REPEATS : strcmp(op, "sendrecv") ? REPEATS : SENDRECV_REPEATS;

	for (int i = 0; i < (steady ? STEADY_FIRST : 1); i++)
		call(op, in, out, bytes);
	if (!steady)
		MPI_Barrier(MPI_COMM_WORLD);
	time = MPI_Wtime();
	for (int i = 0; i < repeats; i++)
		call(op, in, out, bytes);
	time = (MPI_Wtime() - time) / repeats;
	if (rank == 0)
		printf("%d bytes: %.2f us\n", bytes, time * 1e6);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	int rank, size, steady = argc > 1 && !strcmp(argv[1], "steady");

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 2 + steady; i < argc; i++)
		measure(argv[1 + steady], atoi(argv[i]), rank, size, steady);
	return MPI_Finalize();
}
