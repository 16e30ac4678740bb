/* Each rank names phases and numbers of its own, the last one first: 4 of each, or 8 with an argument. */
#include <stdio.h>

#include "bsim.h"
#include "mpi.h"

int main(int argc, char *argv[])
{
	char name[20];
	int rank, none;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	BSIM_Add_time(1e-3 * (100 - rank));
	MPI_Sendrecv(&rank, 1, MPI_INT, rank, 0, &none, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < argc * 4; i++) {
		snprintf(name, sizeof(name), "%d-%d", rank, i);
		BSIM_Phase(name);
		BSIM_Parameter(name, rank);
		BSIM_Add_time(1e-6);
	}
	return MPI_Finalize();
}
