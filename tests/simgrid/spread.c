/* All-to-all by simple spread, for SimGrid and nsim: prints the time of the last rank. spread sendrecv|isend BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int rank, ranks, bytes;
	MPI_Request *requests;
	double seconds, last;
	char *block;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	bytes = atoi(argv[2]);
	block = calloc(2, (size_t)bytes);
	requests = calloc((size_t)ranks, sizeof(*requests));
	seconds = MPI_Wtime();
	if (strcmp(argv[1], "isend") == 0)
		for (int p = 1; p < ranks; p++)
			MPI_Isend(block, bytes, MPI_BYTE, (rank + p) % ranks, 0, MPI_COMM_WORLD, &requests[p]);
	for (int p = 1; p < ranks; p++) {
		int to = (rank + p) % ranks, from = (rank - p + ranks) % ranks;

		if (strcmp(argv[1], "isend") == 0)
			MPI_Recv(block + bytes, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Sendrecv(block, bytes, MPI_BYTE, to, 0, block + bytes, bytes, MPI_BYTE, from, 0,
				     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (strcmp(argv[1], "isend") == 0)
		MPI_Waitall(ranks - 1, requests + 1, MPI_STATUSES_IGNORE);
	seconds = MPI_Wtime() - seconds;
	MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.12f\n", last);
	MPI_Finalize();
	free(requests);
	free(block);
	return 0;
}
