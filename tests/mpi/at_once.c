/* At 1 us rank 9 sends to rank 15, and so does rank 2 when a message from its node has come: parallel-ends.t. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char data[1000];
	MPI_Status status;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef MPI_SIMULATED
	if (rank == 3 || rank == 9)
		MPI_Add_time(1e-6);
#endif
	if (rank == 3)
		MPI_Send(data, 0, MPI_BYTE, 2, 0, MPI_COMM_WORLD);
	if (rank == 2)
		MPI_Recv(data, 0, MPI_BYTE, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 2 || rank == 9)
		MPI_Send(data, 1000, MPI_BYTE, 15, 0, MPI_COMM_WORLD);
	for (int i = 0; rank == 15 && i < 2; i++) {
		MPI_Recv(data, 1000, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
		printf("from %d after %.9g us\n", status.MPI_SOURCE, 1e6 * MPI_Wtime());
	}
	return MPI_Finalize();
}
