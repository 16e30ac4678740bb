/* A message of argv[1] bytes from rank 0 to rank 1, which prints its time in ns. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static char buffer[65536];
int main(int argc, char *argv[])
{
	int rank, bytes = atoi(argv[1]);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double begin = MPI_Wtime();
	if (rank == 0)
		MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 1)
		printf("%.1f\n", (MPI_Wtime() - begin) * 1e9);
	MPI_Finalize();
}
