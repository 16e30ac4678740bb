/* Half a second of computation, by the processor time that ranks.measure counts; prints how much exactly it was. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
	clock_t start, end;

	MPI_Init(&argc, &argv);
	start = clock();
	do
		end = clock();
	while (end - start < CLOCKS_PER_SEC / 2);
	printf("%.6f\n", (double)(end - start - 1) / CLOCKS_PER_SEC); /* both are cut to microseconds */
	MPI_Finalize();
	return 0;
}
