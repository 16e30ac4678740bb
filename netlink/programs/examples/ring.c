/*
 * A token goes round all ranks, several times; each rank adds its number. Checked at the end.
 *   ring.so [ROUNDS [BYTES]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 8;
	long token = 0, expected;
	double start, end;
	char *data;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (bytes < (int)sizeof(token))
		bytes = sizeof(token);
	data = malloc((size_t)bytes);
	if (!data)
		MPI_Abort(MPI_COMM_WORLD, 1);
	start = MPI_Wtime();
	for (int i = 0; i < rounds; i++) {
		if (rank > 0 || i > 0) {
			MPI_Recv(data, bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			token = *(long *)data;
		}
		token += rank;
		*(long *)data = token;
		MPI_Send(data, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD);
	}
	if (rank == 0) {
		MPI_Recv(data, bytes, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		end = MPI_Wtime();
		token = *(long *)data;
		expected = (long)rounds * size * (size - 1) / 2;
		printf("%d ranks, %d rounds: token %ld, %s\n", size, rounds, token,
		       token == expected ? "right" : "WRONG");
#ifdef MPI_SIMULATED
		printf("%.3f us a step\n", (end - start) * 1e6 / rounds / size);
#else
		(void)start;
		(void)end;
#endif
	}
	free(data);
	MPI_Finalize();
	return rank == 0 && token != (long)rounds * size * (size - 1) / 2;
}
