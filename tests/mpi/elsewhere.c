/*
 * Ranks that change the state of the process, which is the simulator's too. The variable DOES selects what:
 *   folder    go to the folder ELSEWHERE, rank 0 at once, the others later; `early`: in a constructor
 *   mask      a umask that gives nobody anything
 *   close     rank 0 closes its standard output; `raw`: behind the C library's back
 *   redirect  rank 0 sends it to the file redirected, and back
 * All send messages before and after.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int does(const char *what)
{
	const char *chosen = getenv("DOES");

	return chosen && strcmp(chosen, what) == 0;
}

static void leave(void)
{
	const char *folder = getenv("ELSEWHERE");

	if (folder && chdir(folder) < 0)
		perror(folder);
}

__attribute__((constructor)) static void early(void)
{
	if (does("early"))
		leave();
}

static void exchange(int rank, int size, int times)
{
	for (int i = 0; i < times; i++) {
		int got;

		MPI_Add_time(1e-6);
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, i, &got, 1, MPI_INT, (rank + size - 1) % size, i,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0 && does("folder"))
		leave();
	if (does("mask"))
		umask(0777);
	exchange(rank, size, 20);
	printf("rank %d before\n", rank);
	fflush(stdout);
	if (rank == 0 && does("close"))
		close(STDOUT_FILENO);
	if (rank == 0 && does("raw"))
		syscall(SYS_close, STDOUT_FILENO);
	if (rank == 0 && does("redirect")) {
		int saved = dup(STDOUT_FILENO), file = open("redirected", O_WRONLY | O_CREAT | O_TRUNC, 0666);

		dup2(file, STDOUT_FILENO);
		printf("rank 0 in the file\n");
		fflush(stdout);
		dup2(saved, STDOUT_FILENO);
	}
	if (!does("raw"))
		printf("rank %d after\n", rank);
	exchange(rank, size, 3000);
	return MPI_Finalize();
}
