/*
 * Operations that a table or the tree can have, of all ranks and of thirds of them, blocking and not: results are
 * checked against closed forms, times are printed. parallel-programs.t
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { COUNT = 300, ROUNDS = 4 };

static int rank, size;

static void expect(const char *what, int value, int expected)
{
	if (value == expected)
		return;
	fprintf(stderr, "rank %d: %s: %d, expected %d\n", rank, what, value, expected);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Ranks come at different times. */
static void come(int round)
{
	MPI_Add_time(1e-7 * ((rank * 7919 + round * 31) % 17));
}

/* Root has 1000 * round + i; rank r adds r: the sum is size * root's + size * (size - 1) / 2. */
static void rooted_and_sum(int round)
{
	int mine[COUNT] = {0}, sum[COUNT], root = round * 5 % size;

	if (rank == root)
		for (int i = 0; i < COUNT; i++)
			mine[i] = 1000 * round + i;
	come(round);
	MPI_Bcast(mine, COUNT, MPI_INT, root, MPI_COMM_WORLD);
	for (int i = 0; i < COUNT; i++)
		mine[i] += rank;
	come(round + 1);
	MPI_Allreduce(mine, sum, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < COUNT; i++)
		expect("sum", sum[i], size * (1000 * round + i) + size * (size - 1) / 2);
	come(round + 2);
	MPI_Reduce(mine, sum, COUNT, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
	if (rank == root)
		expect("largest", sum[COUNT - 1], 1000 * round + COUNT - 1 + size - 1);
	printf("%d: rank %d: %.9f\n", round, rank, MPI_Wtime() * 1e6);
}

/* Each rank gives two numbers to root, which gives back twice of them. */
static void there_and_back(int round)
{
	int root = (round * 3 + 1) % size, mine[2] = {rank, rank + round}, *all = NULL;

	if (rank == root)
		all = malloc(2 * (size_t)size * sizeof(*all));
	come(round + 3);
	MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, root, MPI_COMM_WORLD);
	for (int i = 0; all && i < 2 * size; i++)
		all[i] *= 2;
	MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, MPI_COMM_WORLD);
	expect("first", mine[0], 2 * rank);
	expect("second", mine[1], 2 * (rank + round));
	free(all);
}

/* Those of a third, and at the same time one of all: sums of ranks r, r + 3, ... and of all. */
static void of_thirds(int round)
{
	MPI_Comm third;
	MPI_Request q[3];
	int mine = rank, sum = rank, of_all = 0, of_third = 0, count, from = 0;

	come(round + 4);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &third);
	MPI_Comm_size(third, &count);
	for (int r = rank % 3; r < size; r += 3)
		of_third += r;
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, third);
	expect("third", sum, of_third);
	MPI_Iallreduce(&mine, &of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[0]);
	MPI_Ibarrier(third, &q[1]);
	if (rank + 3 >= size) /* the first of its third, which is in descending order */
		from = rank;
	MPI_Ibcast(&from, 1, MPI_INT, 0, third, &q[2]);
	come(round + 5);
	MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
	expect("all", of_all, size * (size - 1) / 2);
	expect("from", from, rank % 3 + 3 * (count - 1));
	MPI_Barrier(third);
	MPI_Comm_free(&third);
}

/* Data of each to each, which only one process can move; argument "all". */
static void to_all(void)
{
	int *mine = malloc((size_t)size * sizeof(*mine)), *other = malloc((size_t)size * sizeof(*other));

	for (int i = 0; i < size; i++)
		mine[i] = rank * size + i;
	MPI_Alltoall(mine, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		expect("part", other[i], i * size + rank);
	free(mine);
	free(other);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < ROUNDS; round++) {
		rooted_and_sum(round);
		there_and_back(round);
		of_thirds(round);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (argc > 1)
		to_all();
	if (rank == 0)
		printf("end: %.9f\n", MPI_Wtime() * 1e6);
	MPI_Finalize();
	return 0;
}
