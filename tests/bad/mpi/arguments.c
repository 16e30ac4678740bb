/* One wrong argument, by number. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	MPI_Datatype pair;
	MPI_Request request = 4711;
	int x[2] = { 0 };

	if (atoi(argv[1]) != 0)
		MPI_Init(&argc, &argv);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	switch (atoi(argv[1])) {
	case 0: MPI_Barrier(MPI_COMM_WORLD); break;
	case 1: MPI_Send(x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD); break;
	case 2: MPI_Send(x, 1, 999, 0, 0, MPI_COMM_WORLD); break;
	case 3: MPI_Send(x, 1, pair, 0, 0, MPI_COMM_WORLD); break;
	case 4: MPI_Send(x, 1, MPI_INT, 0, -5, MPI_COMM_WORLD); break;
	case 5: MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_NULL); break;
	case 6: MPI_Bcast(x, 1, MPI_INT, 77, MPI_COMM_WORLD); break;
	case 7: MPI_Wait(&request, MPI_STATUS_IGNORE); break;
	case 8: MPI_Allreduce(x, x + 1, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD); break;
	case 9: MPI_Allreduce(x, x + 1, 1, MPI_INT, 99, MPI_COMM_WORLD); break;
	case 10: MPI_Finalize(); MPI_Barrier(MPI_COMM_WORLD); break;
	case 11: MPI_Init(&argc, &argv); break;
	case 12: MPI_Abort(MPI_COMM_WORLD, 3); break;
	}
	MPI_Finalize();
	return 0;
}
