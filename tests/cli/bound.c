#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* A program whose time is what its argument names. */
int main(int argc, char **argv)
{
	const char *is = argc > 1 ? argv[1] : "";
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!strcmp(is, "work"))
		MPI_Add_time(1e-3);
	if (!strcmp(is, "uneven"))
		MPI_Add_time(rank == 1 ? 3e-3 : 1e-3);
	if (!strcmp(is, "turns")) {
		if (rank)
			MPI_Recv(NULL, 0, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Add_time(1e-3);
		if (rank + 1 < size)
			MPI_Send(NULL, 0, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
	}
	for (int i = 0; !strcmp(is, "clock") && i < 1000; i++)
		MPI_Wtime();
	for (int i = 0; !strcmp(is, "empty") && i < 50; i++) {
		if (rank == i % 2)
			MPI_Send(NULL, 0, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(NULL, 0, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (!strcmp(is, "data")) { /* the lower half sends to the upper one */
		if (rank < size / 2)
			MPI_Send(NULL, 1000000, MPI_BYTE, rank + size / 2, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(NULL, 1000000, MPI_BYTE, rank - size / 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (!strcmp(is, "together"))
		MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
