/* A rank writes where nothing is, divides by zero, aborts, or needs a deep stack. */
#include <mpi.h>
#include <stdlib.h>

static int volatile zero;

static void deep(int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	deep(n + 1);
	room[1] = room[0];
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 2)
		switch (atoi(argv[1])) {
		case 0: *(volatile int *)16 = 1; break;
		case 1: return 77 / zero;
		case 2: abort();
		case 3: deep(0); break;
		case 4: MPI_Send((void *)16, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); break;
		}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
