/* A put and a get of a rank that locks another one's window: their arrows (timeline.t). On 2 ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
	char memory[1000] = {0}, own[1000] = {0};
	MPI_Win win;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	if (!rank) {
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		MPI_Put(own, 700, MPI_CHAR, 1, 0, 700, MPI_CHAR, win);
		MPI_Win_flush(1, win);
		MPI_Get(own, 500, MPI_CHAR, 1, 0, 500, MPI_CHAR, win);
		MPI_Win_unlock(1, win);
	}
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
