/* Two long sends that wait for each other's receive: safe only where both are buffered. */
#include <mpi.h>

static char data[1 << 20];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Send(data, sizeof(data), MPI_CHAR, rank ^ 1, 0, MPI_COMM_WORLD);
	MPI_Recv(data, sizeof(data), MPI_CHAR, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
