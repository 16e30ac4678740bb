/* Collective operations on all ranks and on half of them, each after the latest rank came at 1 us: combining-tree.t. */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { COUNT = 1000 };

static int rank, size;
static double mine[COUNT], all[COUNT];

/* Rank r comes at r / size microseconds, the last one at 1. */
static double begin(void)
{
	double now = MPI_Wtime();

	MPI_Add_time(1e-6 * (rank + 1) / size);
	return now;
}

static void end(const char *what, double began)
{
	double took = MPI_Wtime() - began, most;

	MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_SELF);
	if (rank == 0)
		printf("%s %.6f us\n", what, most * 1e6);
}

static void check(double expected, const double *data)
{
	for (int i = 0; i < COUNT; i++)
		if (data[i] != expected + i)
			MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double began;
	MPI_Comm half;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < COUNT; i++)
		mine[i] = rank == 0 ? 7.0 + i : 0;
	began = begin();
	MPI_Barrier(MPI_COMM_WORLD);
	end("barrier", began);
	MPI_Barrier(MPI_COMM_WORLD);
	began = begin();
	MPI_Allreduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	end("allreduce", began);
	check(7, all);
	MPI_Barrier(MPI_COMM_WORLD);
	began = begin();
	MPI_Reduce(mine, all, COUNT, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	end("reduce", began);
	MPI_Barrier(MPI_COMM_WORLD);
	memset(all, 0, sizeof(all));
	if (rank == 0)
		memcpy(all, mine, sizeof(all));
	began = begin();
	MPI_Bcast(all, COUNT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	check(7, all);
	MPI_Barrier(MPI_COMM_WORLD);
	end("bcast and barrier", began);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	began = MPI_Wtime();
	MPI_Barrier(half);
	if (rank == 0)
		printf("half %s\n", MPI_Wtime() - began > 2.5e-6 ? "by messages" : "by the tree");
	MPI_Finalize();
	return 0;
}
