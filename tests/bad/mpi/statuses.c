/* Ways in which a program ends with a status: "return N", "exit N", "abort N"; "loop": it computes for ever. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int status = argc > 2 ? atoi(argv[2]) : 0, rank;
	volatile unsigned long turns = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1 && strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, status);
	while (strcmp(how, "loop") == 0)
		turns = turns + 1;
	if (rank == 1 && strcmp(how, "exit") == 0)
		exit(status);
	MPI_Finalize();
	return rank == 1 ? status : 0;
}
