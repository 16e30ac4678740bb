/* Four empty messages, which rank 1 receives with one Waitall; it prints the time in ns. */
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES = 4 };

int main(int argc, char *argv[])
{
	MPI_Request requests[MESSAGES];
	double begin;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	begin = MPI_Wtime();
	for (int i = 0; i < MESSAGES; i++)
		if (rank == 0)
			MPI_Isend(NULL, 0, MPI_BYTE, 1, i, MPI_COMM_WORLD, &requests[i]);
		else
			MPI_Irecv(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
	if (rank == 1)
		printf("%.0f\n", (MPI_Wtime() - begin) * 1e9);
	MPI_Finalize();
	return 0;
}
