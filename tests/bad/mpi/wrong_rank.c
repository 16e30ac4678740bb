/* There is no such rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int size, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
