/* Each rank leaves a file open at its end, or when one aborts; one may fork a process: parallel-ends.t. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	char name[40];
	FILE *own;
	int rank, size, status = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "own.%d", rank);
	own = fopen(name, "w");
	fprintf(own, "rank %d begins\n", rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == size - 1 && strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (rank == size - 1 && strcmp(how, "fork") == 0) {
		if (fork() == 0)
			_exit(5);
		wait(&status);
		fprintf(own, "its process ended with %d\n", WEXITSTATUS(status));
	}
	MPI_Barrier(MPI_COMM_WORLD);
	fprintf(own, "rank %d ends\n", rank);
	return MPI_Finalize();
}
