/* Ways in which ranks fail, end early or wait for ever: the argument. Each rank adds a line to log.txt. 8 ranks. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int r, n, x = 0;
	const char *how = argv[1];
	FILE *f;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	f = fopen("log.txt", "a");
	fprintf(f, "rank %d\n", r);
	fclose(f);
	printf("begins %d\n", r);
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	printf("after %d\n", r);
	if (!strcmp(how, "abort") && r == 5)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (!strcmp(how, "crash") && r == 6)
		*(volatile int *)0 = 1;
	if (!strcmp(how, "stuck"))
		MPI_Recv(&x, 1, MPI_INT, (r + 1) % n, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (!strcmp(how, "stuck2") && r < 3)
		MPI_Recv(&x, 1, MPI_INT, 7, r, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (!strcmp(how, "error") && r == 3)
		MPI_Send(&x, 1, MPI_INT, n + 4, 3, MPI_COMM_WORLD);
	if (!strcmp(how, "unreceived"))
		MPI_Send(&x, 1, MPI_INT, (r + 1) % n, 3, MPI_COMM_WORLD);
	if (!strcmp(how, "exit") && r > 3)
		return r;
	MPI_Barrier(MPI_COMM_WORLD);
	printf("end %d\n", r);
	MPI_Finalize();
	if (!strcmp(how, "status") && r > 3)
		return r;
	if (!strcmp(how, "statuses"))
		return n - r;
	return 0;
}
