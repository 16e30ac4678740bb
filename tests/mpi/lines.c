/* Pieces of lines with waiting between them. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("rank %d: ", rank);
	MPI_Barrier(MPI_COMM_WORLD);
	fputs("one ", stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	puts("two");
	MPI_Barrier(MPI_COMM_WORLD);
	fprintf(stdout, "rank %d without an end of line", rank);
	MPI_Finalize();
	return 0;
}
