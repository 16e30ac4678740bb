/* A skeleton: times instead of computation, messages without data, through lmpi.h. */
#include <lmpi.h>
#include <stdio.h>

int LMPI_Main(int argc, char **argv)
{
	int rank, size, n = 1000;
	double start;

	(void)argc;
	(void)argv;
	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	LMPI_Comm_size(LMPI_COMM_WORLD, &size);
	start = LMPI_Wtime();
	for (int i = 0; i < 10; i++) {
		LMPI_Add_time(1e-3 * (rank + 1) / size); /* the last rank works longest */
		LMPI_Bcast(NULL, n, LMPI_DOUBLE, 0, LMPI_COMM_WORLD);
		LMPI_Allreduce(NULL, NULL, n, LMPI_DOUBLE, LMPI_SUM, LMPI_COMM_WORLD);
		LMPI_Alltoall(NULL, n / size, LMPI_DOUBLE, NULL, n / size, LMPI_DOUBLE, LMPI_COMM_WORLD);
		LMPI_Gather(NULL, n, LMPI_DOUBLE, NULL, n, LMPI_DOUBLE, 0, LMPI_COMM_WORLD);
		LMPI_Scan(NULL, NULL, n, LMPI_DOUBLE, LMPI_SUM, LMPI_COMM_WORLD);
		LMPI_Reduce(NULL, NULL, n, LMPI_DOUBLE, LMPI_SUM, 0, LMPI_COMM_WORLD);
		LMPI_Allgather(NULL, n, LMPI_DOUBLE, NULL, n, LMPI_DOUBLE, LMPI_COMM_WORLD);
		LMPI_Barrier(LMPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("at least the longest computation: %s\n", LMPI_Wtime() - start > 1e-2 ? "yes" : "no");
	return 0;
}
