/*
 * MB/s of windows of 64 messages from rank 0 to rank 1, each window answered by 4 bytes, as osu_bw measures them; with
 * `both` in both directions at a time, as osu_bibw.
 *
 *     nsimcc -o bandwidth.so bandwidth.c; nsim -n 2 bandwidth.so one 1024 1048576
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, WINDOWS = 20, SKIPPED = 2, DATA = 100, ANSWER = 101 };

/* A window: rank 0 sends and rank 1 receives, or both do both. */
static void window(int rank, int both, char *out, char *in, int bytes)
{
	MPI_Request requests[2 * WINDOW];
	int count = 0;

	if (rank == 1 || both)
		for (int i = 0; i < WINDOW; i++)
			MPI_Irecv(in, bytes, MPI_BYTE, 1 - rank, DATA, MPI_COMM_WORLD, &requests[count++]);
	if (rank == 0 || both)
		for (int i = 0; i < WINDOW; i++)
			MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, DATA, MPI_COMM_WORLD, &requests[count++]);
	MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
	if (rank == 0)
		MPI_Recv(in, 4, MPI_BYTE, 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Send(out, 4, MPI_BYTE, 0, ANSWER, MPI_COMM_WORLD);
}

static double seconds(int rank, int both, int bytes)
{
	char *out = calloc((size_t)bytes + 4, 1), *in = calloc((size_t)bytes + 4, 1);
	double begin = 0;

	for (int i = 0; i < SKIPPED + WINDOWS; i++) {
		if (i == SKIPPED)
			begin = MPI_Wtime();
		window(rank, both, out, in, bytes);
	}
	free(out);
	free(in);
	return MPI_Wtime() - begin;
}

int main(int argc, char *argv[])
{
	int rank, both = argc > 1 && !strcmp(argv[1], "both");

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 2; i < argc && rank < 2; i++) {
		int bytes = atoi(argv[i]);
		double time = seconds(rank, both, bytes);

		if (rank == 0)
			printf("%d bytes: %.3f MB/s\n", bytes, 1e-6 * bytes * WINDOW * WINDOWS * (1 + both) / time);
	}
	MPI_Finalize();
	return 0;
}
