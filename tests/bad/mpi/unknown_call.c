/* Processes that come and go are not there. */
#include <mpi.h>

int MPI_Comm_disconnect(MPI_Comm *comm);

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_NULL;

	MPI_Init(&argc, &argv);
	MPI_Comm_disconnect(&comm);
	MPI_Finalize();
	return 0;
}
