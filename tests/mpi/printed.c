/*
 * A skeleton made of an MPI program by the prefix of its calls alone, as the PSI-SIM paper says (K. Inoue et al., 2011,
 * 3.2.2): mpi.h is its only header, types and constants are MPI's. Rank 0 computes 1 ms, and the others wait for it.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
	int rank, size, value = 0, sum = 0;
	MPI_Status status;

	LMPI_Init(&argc, &argv);
	LMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	LMPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0) {
		BSIM_Add_time(1e-3);
		for (int i = 1; i < size; i++)
			LMPI_Send(&i, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
	} else {
		LMPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
		value += status.MPI_SOURCE;
	}
	LMPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("sum %d\n", sum);
	return LMPI_Finalize();
}
