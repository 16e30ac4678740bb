/* One call of each kind that an OTF2 archive has events for, with times that are worked out in tests/cli/otf2.t. */
#include "mpi.h"

int main(int argc, char **argv)
{
	double in[250] = {0}, out[250] = {0};
	int rank;
	MPI_Request request;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Add_time(2e-6);
		MPI_Ssend(out, 125, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(in, 250, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Win_create(in, sizeof(in), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	if (rank == 1)
		MPI_Put(out, 4, MPI_DOUBLE, 0, 10, 4, MPI_DOUBLE, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
