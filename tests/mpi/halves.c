/* Windows of each half of the ranks, and of each rank alone: their numbers in traces are each rank's own (otf2.t). */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, size, memory[4] = {0};
	MPI_Comm half;
	MPI_Win of_half, own;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank >= size / 2, rank, &half);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, half, &of_half);
	MPI_Win_fence(0, of_half);
	MPI_Put(&rank, 1, MPI_INT, 0, rank % 4, 1, MPI_INT, of_half);
	MPI_Win_fence(0, of_half);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &own);
	MPI_Win_free(&own);
	MPI_Win_free(&of_half);
	MPI_Comm_free(&half);
	MPI_Finalize();
	return 0;
}
