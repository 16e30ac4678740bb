/* A tag that nobody sends with: all others have ended. */
#include <mpi.h>

static void get(void)
{
	int x;

	MPI_Recv(&x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
	if (rank == 0)
		get();
	MPI_Finalize();
	return 0;
}
