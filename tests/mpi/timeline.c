/*
 * Two ranks, whose times are worked out by hand in tests/cli/timeline.t: rank 0 computes 10 us, sends 1000 bytes,
 * computes 5 us, and receives 8 bytes; rank 1 receives, computes 3 us, sends them, and computes 20 us.
 */
#include <mpi.h>

static char data[1000];

static void first(void)
{
	MPI_Add_time(10e-6);
	MPI_Send(data, 1000, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
	MPI_Add_time(5e-6);
	MPI_Recv(data, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void second(void)
{
	MPI_Request request;

	MPI_Recv(data, 1000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Add_time(3e-6);
	MPI_Isend(data, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 4; i++)
		MPI_Add_time(5e-6);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char *argv[])
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		first();
	else
		second();
	MPI_Finalize();
	return 0;
}
