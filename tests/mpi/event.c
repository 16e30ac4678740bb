/* A message of 8 bytes to rank 0, which names the moment when it has it: write-pattern.t. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank;
	double x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank) {
		MPI_Add_time(3e-6);
		MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Event("got it");
		MPI_Add_time(1e-6);
	}
	MPI_Finalize();
	return 0;
}
