/* Waits for a message that does not come, by tests. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Request request;
	int x, flag = 0;

	MPI_Init(&argc, &argv);
	MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	while (!flag)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
