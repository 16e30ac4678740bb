/* Communicators, groups, grids. At least 6 ranks. */
#include "check.h"

static void splits(struct checks *c)
{
	MPI_Comm half, twice, none;
	int rank, size, world = c->rank, result, in = -1;
	MPI_Request request;

	MPI_Comm_split(MPI_COMM_WORLD, c->rank % 2, -c->rank, &half); /* in reverse order */
	MPI_Comm_rank(half, &rank);
	MPI_Comm_size(half, &size);
	CHECK(c, size == (c->size + (c->rank % 2 == 0)) / 2);
	CHECK(c, rank == size - 1 - c->rank / 2);
	MPI_Bcast(&world, 1, MPI_INT, 0, half);
	CHECK(c, world % 2 == c->rank % 2 && world >= c->size - 2);
	MPI_Comm_dup(half, &twice);
	MPI_Comm_compare(half, twice, &result);
	CHECK(c, result == MPI_CONGRUENT);
	MPI_Comm_compare(half, half, &result);
	CHECK(c, result == MPI_IDENT);
	/* the same tag and ranks: messages of one communicator do not come out of the other */
	MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, half, &request);
	world = rank + 100;
	MPI_Sendrecv(&world, 1, MPI_INT, (rank + 1) % size, 5, &in, 1, MPI_INT, (rank + size - 1) % size, 5, twice,
		     MPI_STATUS_IGNORE);
	CHECK(c, in == (rank + size - 1) % size + 100);
	MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 5, half, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, in == (rank + size - 1) % size);
	MPI_Comm_free(&twice);
	CHECK(c, twice == MPI_COMM_NULL);
	MPI_Comm_split(half, rank == 0 ? MPI_UNDEFINED : 1, 0, &none);
	CHECK(c, (none == MPI_COMM_NULL) == (rank == 0));
	if (none != MPI_COMM_NULL)
		MPI_Comm_free(&none);
	MPI_Comm_free(&half);
}

static void groups(struct checks *c)
{
	static const int first[] = {3, 0, 2};
	int ranges[1][3] = {{0, 4, 2}}, rank, size, result, moved[3];
	MPI_Group world, some, rest, both, evens;
	MPI_Comm comm;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 3, first, &some);
	MPI_Group_excl(world, 3, first, &rest);
	MPI_Group_size(rest, &size);
	CHECK(c, size == c->size - 3);
	MPI_Group_union(some, rest, &both);
	MPI_Group_compare(both, world, &result);
	CHECK(c, result == MPI_SIMILAR);
	MPI_Group_range_incl(world, 1, ranges, &evens);
	MPI_Group_translate_ranks(some, 3, (const int[]){0, 1, 2}, evens, moved);
	CHECK(c, moved[0] == MPI_UNDEFINED && moved[1] == 0 && moved[2] == 1);
	MPI_Group_free(&both);
	MPI_Group_intersection(some, evens, &both);
	MPI_Group_size(both, &size);
	CHECK(c, size == 2);
	MPI_Group_free(&both);
	MPI_Group_difference(some, evens, &both);
	MPI_Group_size(both, &size);
	MPI_Group_rank(both, &rank);
	CHECK(c, size == 1 && (rank == 0) == (c->rank == 3));
	MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
	CHECK(c, (comm == MPI_COMM_NULL) == (c->rank == 1 || c->rank > 3));
	if (comm != MPI_COMM_NULL) {
		MPI_Comm_rank(comm, &rank);
		CHECK(c, first[rank] == c->rank);
		MPI_Comm_free(&comm);
	}
	MPI_Group_free(&both);
	MPI_Group_free(&evens);
	MPI_Group_free(&rest);
	MPI_Group_free(&some);
	MPI_Group_free(&world);
	CHECK(c, world == MPI_GROUP_NULL);
}

/* Ranges, also downwards and several; all ranks taken out leave the empty group. */
static void ranges(struct checks *c)
{
	int some[2][3] = {{4, 0, -2}, {1, 2, 5}}, all[1][3] = {{0, c->size - 1, 1}};
	int size, first, result, zero = 0;
	MPI_Group world, rest, none;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_excl(world, 2, some, &rest); /* without 4, 2, 0, 1: 3, 5 … are left */
	MPI_Group_size(rest, &size);
	MPI_Group_translate_ranks(rest, 1, &zero, world, &first);
	CHECK(c, size == c->size - 4 && first == 3);
	MPI_Group_free(&rest);
	MPI_Group_range_incl(world, 2, some, &rest); /* in the order of the ranges */
	MPI_Group_translate_ranks(rest, 1, &zero, world, &first);
	MPI_Group_size(rest, &size);
	CHECK(c, size == 4 && first == 4);
	MPI_Group_free(&rest);
	MPI_Group_range_excl(world, 1, all, &none);
	MPI_Group_compare(none, MPI_GROUP_EMPTY, &result);
	CHECK(c, result == MPI_IDENT);
	MPI_Group_range_excl(world, 0, NULL, &rest);
	MPI_Group_compare(rest, world, &result);
	CHECK(c, result == MPI_IDENT);
	MPI_Group_free(&rest);
#ifdef MPI_SIMULATED /* a long stride, where MPICH 4.0 crashes: one rank */
	MPI_Group_range_excl(world, 1, (int[1][3]){{c->size - 1, c->size - 1, 2147483647}}, &rest);
	MPI_Group_size(rest, &size);
	CHECK(c, size == c->size - 1);
	MPI_Group_free(&rest);
#endif
	MPI_Group_free(&world);
}

/* A copy of COMM_SELF is another communicator. */
static void alone(struct checks *c)
{
	int out = c->rank, in = -1, flag = 1, rank = -1, size = -1, result = -1;
	MPI_Comm self;
	MPI_Request request;

	MPI_Comm_dup(MPI_COMM_SELF, &self);
	MPI_Comm_rank(self, &rank);
	MPI_Comm_size(self, &size);
	CHECK(c, rank == 0 && size == 1);
	MPI_Comm_compare(self, MPI_COMM_SELF, &result);
	CHECK(c, result == MPI_CONGRUENT);
	MPI_Comm_compare(MPI_COMM_SELF, MPI_COMM_WORLD, &result);
	CHECK(c, result == MPI_UNEQUAL);
	MPI_Isend(&out, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request);
	MPI_Iprobe(0, 3, self, &flag, MPI_STATUS_IGNORE);
	CHECK(c, !flag);
	MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, in == c->rank);
	in = -1;
	MPI_Isend(&out, 1, MPI_INT, 0, 3, self, &request);
	MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, self, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, in == c->rank);
	in = -1;
	MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, self);
	CHECK(c, in == c->rank);
	MPI_Comm_free(&self);
	CHECK(c, self == MPI_COMM_NULL);
}

static void grids(struct checks *c)
{
	int dims[2] = {0, 3}, periods[2] = {1, 0}, coords[2], rank, down, up, left, right, n, status, sizes[2], p[2];
	MPI_Comm grid, row;

	MPI_Dims_create(c->size / 3 * 3, 2, dims);
	CHECK(c, dims[0] == c->size / 3 && dims[1] == 3);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	CHECK(c, (grid == MPI_COMM_NULL) == (c->rank >= dims[0] * 3));
	if (grid == MPI_COMM_NULL)
		return;
	MPI_Topo_test(grid, &status);
	MPI_Cartdim_get(grid, &n);
	CHECK(c, status == MPI_CART && n == 2);
	MPI_Cart_get(grid, 2, sizes, p, coords);
	CHECK(c, sizes[1] == 3 && p[0] && !p[1] && coords[0] == c->rank / 3 && coords[1] == c->rank % 3);
	MPI_Cart_rank(grid, coords, &rank);
	CHECK(c, rank == c->rank);
	MPI_Cart_shift(grid, 0, 1, &up, &down);
	CHECK(c, down == (c->rank + 3) % (dims[0] * 3) && up == (c->rank + dims[0] * 3 - 3) % (dims[0] * 3));
	MPI_Cart_shift(grid, 1, 1, &left, &right);
	CHECK(c, right == (coords[1] == 2 ? MPI_PROC_NULL : c->rank + 1));
	CHECK(c, left == (coords[1] == 0 ? MPI_PROC_NULL : c->rank - 1));
	MPI_Cart_sub(grid, (const int[]){0, 1}, &row);
	MPI_Comm_size(row, &n);
	MPI_Comm_rank(row, &rank);
	CHECK(c, n == 3 && rank == coords[1]);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
}

static void dimensions(struct checks *c)
{
	static const int cases[][4] = {{24, 4, 3, 2}, {64, 4, 4, 4}, {7, 7, 1, 1}, {6, 3, 2, 1}};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int dims[3] = {0, 0, 0};

		MPI_Dims_create(cases[i][0], 3, dims);
		CHECK(c, dims[0] == cases[i][1] && dims[1] == cases[i][2] && dims[2] == cases[i][3]);
	}
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	splits(&c);
	groups(&c);
	ranges(&c);
	alone(&c);
	grids(&c);
	dimensions(&c);
	return checks_end(&c, "communicators");
}
