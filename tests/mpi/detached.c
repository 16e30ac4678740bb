/*
 * Rank 0 sends 1000 bytes and goes on; rank 1 computes for 5 ms, then receives. Prints when the send and the receive
 * are over: " us" lines are the simulator's own.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char data[1000];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		data[999] = 7;
		MPI_Send(data, 1000, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
		data[999] = 8;
	} else {
		MPI_Add_time(5e-3);
		MPI_Recv(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	printf("rank %d: %.0f us, %d\n", rank, 1e6 * MPI_Wtime(), data[999]);
	MPI_Finalize();
	return 0;
}
