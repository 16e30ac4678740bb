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

/* Rank r gives rank i the number r * size + i, also in place; and all get all numbers of column `rank`. */
static void equal_parts(void)
{
	int *mine = malloc((size_t)size * sizeof(*mine)), *other = malloc((size_t)size * sizeof(*other));
	MPI_Request q;

	for (int i = 0; i < size; i++)
		mine[i] = rank * size + i;
	come(1);
	MPI_Alltoall(mine, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		expect("part", other[i], i * size + rank);
	come(2);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		expect("part back", other[i], mine[i]);
	come(3);
	MPI_Iallgather(&mine[rank], 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	for (int i = 0; i < size; i++)
		expect("diagonal", other[i], i * size + i);
	other[rank] = 7 * rank;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		expect("in place", other[i], 7 * i);
	free(mine);
	free(other);
}

/* The part from rank r for rank i has (r + i) % 3 numbers r * size + i, or is r % 3 numbers r for all. */
static void parts_of_any_length(void)
{
	int *count = calloc(4 * (size_t)size, sizeof(*count)), *at = count + size, *from = at + size,
	    *from_at = from + size, *mine = calloc(3 * (size_t)size, sizeof(*mine)),
	    *other = calloc(3 * (size_t)size, sizeof(*other));

	for (int i = 0; i < size; i++) {
		count[i] = from[i] = (rank + i) % 3;
		at[i] = 2 * i; /* with gaps */
		from_at[i] = 3 * (size - 1 - i);
		for (int k = 0; k < count[i]; k++)
			mine[at[i] + k] = rank * size + i;
	}
	come(4);
	MPI_Alltoallv(mine, count, at, MPI_INT, other, from, from_at, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		for (int k = 0; k < 3; k++)
			expect("any part", other[from_at[i] + k], k < from[i] ? i * size + rank : 0);
	for (int i = 0; i < size; i++) {
		from[i] = i % 3;
		from_at[i] = 3 * i;
	}
	mine[0] = mine[1] = rank;
	come(5);
	MPI_Allgatherv(mine, rank % 3, MPI_INT, other, from, from_at, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		for (int k = 0; k < from[i]; k++)
			expect("any from all", other[from_at[i] + k], i);
	free(count);
	free(mine);
	free(other);
}

/* A mistake, argument "long": the last rank's parts are longer than others expect. */
static void too_long(void)
{
	int *mine = calloc(2 * (size_t)size, sizeof(*mine)), *other = calloc(2 * (size_t)size, sizeof(*other)),
	    count = rank == size - 1 ? 2 : 1;

	MPI_Alltoall(mine, count, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	free(mine);
	free(other);
}

/* x then y of maps n -> a * n + b, modulo 1000: not commutative. */
static void then(void *in, void *inout, int *count, MPI_Datatype *type)
{
	int *x = in, *y = inout;

	(void)type;
	for (int i = 0; i < *count; i++) {
		y[2 * i + 1] = (y[2 * i] * x[2 * i + 1] + y[2 * i + 1]) % 1000;
		y[2 * i] = y[2 * i] * x[2 * i] % 1000;
	}
}

/* The map of rank r is n -> 3 * n + r; the maps of ranks 0 to `last` one after the other, from 0. */
static int mapped(int last)
{
	int n = 0;

	for (int r = 0; r <= last; r++)
		n = (3 * n + r) % 1000;
	return n;
}

static void reductions(void)
{
	int *mine = malloc(2 * (size_t)size * sizeof(*mine)), *count = malloc((size_t)size * sizeof(*count)), total = 0,
	    sum[3] = {-1, -1, -1}, map[2] = {3, rank}, maps[2] = {0, 0};
	MPI_Datatype pair;
	MPI_Request q;
	MPI_Op op;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(then, 0, &op);
	come(6);
	MPI_Scan(map, maps, 1, pair, op, MPI_COMM_WORLD);
	expect("maps", maps[1], mapped(rank));
	come(7);
	MPI_Iexscan(map, maps, 1, pair, op, MPI_COMM_WORLD, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	if (rank)
		expect("maps before", maps[1], mapped(rank - 1));
	MPI_Op_free(&op);
	MPI_Type_free(&pair);
	for (int i = 0; i < size; i++) {
		count[i] = i % 3;
		total += count[i];
	}
	for (int i = 0; i < total; i++)
		mine[i] = rank + i;
	come(8);
	MPI_Reduce_scatter(mine, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0, at = rank / 3 * 3 + (rank % 3 == 2); i < 3; i++)
		expect("sums", sum[i], i < count[rank] ? size * (size - 1) / 2 + size * (at + i) : -1);
	for (int i = 0; i < size; i++)
		mine[i] = rank * i;
	MPI_Reduce_scatter_block(MPI_IN_PLACE, mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect("sum of block", mine[0], rank * size * (size - 1) / 2);
	free(mine);
	free(count);
}

/*
 * Groups make communicators by themselves: those of all ranks, of neighbours beginning at an odd one, which cross the
 * borders of processes, and of each third rank in the opposite order. The others have no part in them.
 */
static void of_groups(int first, int each, int count, int round)
{
	int *ranks = malloc((size_t)count * sizeof(*ranks)), mine = -1, value[2], sums[2], place;
	MPI_Group all, group;
	MPI_Comm comm;

	for (int i = 0; i < count; i++) {
		ranks[i] = first + each * i;
		if (ranks[i] == rank)
			mine = i;
	}
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, count, ranks, &group);
	come(round);
	if (mine >= 0) {
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &comm);
		MPI_Comm_rank(comm, &place);
		expect("place", place, mine);
		value[0] = mine;
		value[1] = 1;
		come(round + mine);
		MPI_Allreduce(value, sums, 2, MPI_INT, MPI_SUM, comm);
		expect("sum of places", sums[0], count * (count - 1) / 2);
		expect("number", sums[1], count);
		come(round + 2 * mine);
		MPI_Bcast(value, 1, MPI_INT, count - 1, comm);
		expect("last", value[0], count - 1);
		MPI_Reduce(&rank, value, 1, MPI_INT, MPI_MAX, 0, comm);
		if (mine == 0)
			expect("largest of group", value[0], each > 0 ? first + each * (count - 1) : first);
		MPI_Comm_free(&comm);
	}
	printf("%d: rank %d, groups: %.9f\n", round, rank, MPI_Wtime() * 1e6);
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	free(ranks);
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
	equal_parts();
	parts_of_any_length();
	reductions();
	for (int round = 0; round < ROUNDS; round++) {
		of_groups(0, 1, size, round);
		of_groups(1 + 2 * round, 1, size / 2, round);
		of_groups(size - 1 - round, -3, size / 3 - 1, round);
	}
	if (argc > 1)
		too_long();
	if (rank == 0)
		printf("end: %.9f\n", MPI_Wtime() * 1e6);
	MPI_Finalize();
	return 0;
}
