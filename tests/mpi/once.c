/* A rank makes eight calls, each of which counts once: a window and communicators of one rank. */
#include <mpi.h>

int main(int argc, char *argv[])
{
	MPI_Comm copy;
	MPI_Request request;
	MPI_Win window;
	void *base;

	MPI_Init(&argc, &argv);
	MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &window);
	MPI_Win_free(&window);
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &window);
	MPI_Win_free(&window);
	MPI_Comm_idup(MPI_COMM_SELF, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
