/* Ranks with variables, memory and files, for the test of checkpoints: each is worth keeping in the middle of a run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 100, TABLE = 20000 };
static int table[TABLE];
static double sum;

int main(int argc, char **argv)
{
	int me, n, turns = argc > 1 ? atoi(argv[1]) : 1;
	double *x = malloc(COUNT * sizeof(*x)), y[COUNT];
	char name[32];
	FILE *out;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	snprintf(name, sizeof(name), "rank.%d", me);
	out = fopen(name, "w");
	for (int i = 0; i < COUNT; i++)
		x[i] = me + i;
	for (int k = 0; k < turns; k++) {
		int step = 1 + k % 3, to = (me + step) % n, from = (me + n - step) % n;

		MPI_Sendrecv(x, COUNT, MPI_DOUBLE, to, 0, y, COUNT, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		MPI_Allreduce(x, y, COUNT / 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		sum += y[3] / n;
		table[k % TABLE] += me;
		for (int i = 0; i < COUNT; i++)
			x[i] = 0.5 * x[i] + 0.5 * y[i] / n;
		fprintf(out, "%d %g %d %g\n", k, sum, table[k / 2], MPI_Wtime());
	}
	fclose(out);
	free(x);
	printf("rank %d: %g\n", me, sum);
	MPI_Finalize();
	return 0;
}
