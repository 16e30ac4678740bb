/* Ways to end a rank: return, exit, _exit, _Exit. The first two call what atexit has registered. 4 ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;

static void at_end(void)
{
	printf("rank %d: atexit\n", rank);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	atexit(at_end);
	MPI_Finalize();
	if (rank == 1)
		exit(0);
	if (rank == 2)
		_exit(0);
	if (rank == 3)
		_Exit(0);
	return 0;
}
