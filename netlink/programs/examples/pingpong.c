/*
 * Half of a round trip between ranks 0 and 1, for messages of each of the sizes that are given.
 *
 *     nsimcc -o pingpong.so pingpong.c; nsim -n 2 pingpong.so 0 1024 1048576
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of a round trip; ranks other than 0 and 1 have no part in it. */
static double round_trip(int rank, char *buffer, int bytes)
{
	double begin = MPI_Wtime();

	if (rank == 0) {
		MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
	}
	return MPI_Wtime() - begin;
}

int main(int argc, char *argv[])
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 1; i < argc; i++) {
		int bytes = atoi(argv[i]);
		char *buffer = calloc((size_t)bytes + 1, 1);
		double seconds = round_trip(rank, buffer, bytes);

		if (rank == 0)
			printf("%d bytes: %.4f us\n", bytes, seconds / 2 * 1e6);
		free(buffer);
	}
	MPI_Finalize();
	return 0;
}
