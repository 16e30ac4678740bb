/*
 * Rank 0 reads numbers, a line each, and the last rank prints their count and sum. After the first line, rank 0 puts to
 * memory that the last rank has not attached: a run on several processes is repeated there.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void put_outside(int rank, int ranks)
{
	MPI_Win w;
	int x = 0;

	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, w);
	if (rank == 0 && MPI_Put(&x, 1, MPI_INT, ranks - 1, 4096, 1, MPI_INT, w) == MPI_SUCCESS)
		printf("an access to nothing\n");
	MPI_Win_fence(0, w);
	MPI_Win_free(&w);
}

int main(int argc, char **argv)
{
	char line[100];
	long number[2] = {0, 0}, count = 0, sum = 0;
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (;;) {
		number[0] = fgets(line, sizeof(line), stdin) != NULL; /* of the others it is empty */
		number[1] = number[0] ? atol(line) : 0;
		if (rank && number[0])
			printf("rank %d reads %s", rank, line);
		MPI_Bcast(number, 2, MPI_LONG, 0, MPI_COMM_WORLD);
		if (!number[0])
			break;
		sum += number[1];
		if (!count++)
			put_outside(rank, ranks);
	}
	if (rank == ranks - 1)
		printf("%ld numbers, sum %ld\n", count, sum);
	MPI_Finalize();
	return 0;
}
