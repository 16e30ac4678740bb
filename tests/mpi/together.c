/*
 * Ranks leave collective operations whose time is that of a table: rank r enters r ms after the last one, and prints
 * how long after that it left, in us.
 */
#include <bsim.h>
#include <lmpi.h>
#include <stdio.h>

static double come(int rank)
{
	LMPI_Barrier(LMPI_COMM_WORLD);
	BSIM_Add_time(rank * 1e-3);
	return LMPI_Wtime();
}

static void tell(const char *what, double came)
{
	int rank;
	double left = LMPI_Wtime();

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	printf("%s rank %d: %.0f us\n", what, rank, (left - came) * 1e6);
}

int LMPI_Main(int argc, char **argv)
{
	int rank;
	double came;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	came = come(rank);
	LMPI_Bcast(NULL, 1000, LMPI_BYTE, 1, LMPI_COMM_WORLD);
	tell("bcast", came);
	came = come(rank);
	LMPI_Gather(NULL, 1000, LMPI_BYTE, NULL, 1000, LMPI_BYTE, 1, LMPI_COMM_WORLD);
	tell("gather", came);
	came = come(rank);
	LMPI_Allreduce(NULL, NULL, 500, LMPI_BYTE, LMPI_BOR, LMPI_COMM_WORLD);
	tell("allreduce", came);
	return 0;
}
