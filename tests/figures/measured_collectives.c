/*
 * Times of an operation of all ranks, as the Intel MPI Benchmarks take them: after a barrier, REPEATS calls in a row.
 * Their mean is that of rank 0, since data do not move (mpi.payload=no: they would need more memory than there is).
 *
 *     measured_collectives sendrecv|alltoall|allgather|allreduce BYTES...
 *
 * sendrecv: each rank sends to the next one and receives from the one before it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 2, SENDRECV_REPEATS = 64 };

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

static void measure(const char *op, int bytes, int rank, int size)
{
	size_t room = (size_t)bytes * (size_t)size;
	void *in = malloc(room), *out = malloc(room);
	double time;
	int repeats = strcmp(op, "sendrecv") ? REPEATS : SENDRECV_REPEATS;

	call(op, in, out, bytes);
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
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 2; i < argc; i++)
		measure(argv[1], atoi(argv[i]), rank, size);
	return MPI_Finalize();
}
