/* Descriptors 0 to 2 are the rank's standard streams, but in a process that it forks. */
#include <mpi.h>
#include <stdio.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct iovec parts[2] = {{"d", 1}, {"e", 1}};
	char text[8];
	int rank, numbers = 0;
	long got;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("rank %d: a", rank);
	if (write(STDOUT_FILENO, "bc", 2) != 2 || writev(STDOUT_FILENO, parts, 2) != 2)
		printf(" not written ");
	numbers = 100 * fileno(stdin) + 10 * fileno(stdout) + fileno(stderr);
	printf("f, streams %03d\n", numbers);
	got = read(STDIN_FILENO, text, 4);
	printf("rank %d: %ld bytes\n", rank, got);
	if (rank == 1 && !fork())
		_exit(write(STDOUT_FILENO, "forked\n", 7) != 7);
	if (rank == 1)
		wait(NULL);
	MPI_Finalize();
	return 0;
}
