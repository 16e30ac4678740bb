/* Nonblocking collectives: results, several at a time, in any order of waiting, beside messages. At least 2 ranks. */
#include "check.h"

enum { BLOCK = 3 };

/* The larger one, as an operation of the program. */
static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
	int *a = in, *b = inout;

	(void)type;
	for (int i = 0; i < *count; i++)
		b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void one_at_a_time(struct checks *c)
{
	int size = c->size, rank = c->rank, root = size / 2, bad = 0, x = rank == root ? 77 : -1, sum = -1;
	int *from = malloc((size_t)size * BLOCK * sizeof(int)), *to = malloc((size_t)size * BLOCK * sizeof(int));
	MPI_Request request;
	MPI_Status status;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	CHECK(c, request == MPI_REQUEST_NULL);
	MPI_Ibcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, x == 77);
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, sum == size * (size - 1) / 2);
	sum = -1;
	MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, sum == (rank == root ? size - 1 : -1));
	MPI_Iscan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, sum == rank * (rank + 1) / 2);
	MPI_Iexscan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, rank == 0 || sum == rank * (rank - 1) / 2);
	for (int i = 0; i < size * BLOCK; i++) {
		from[i] = rank * 1000 + i;
		to[i] = -1;
	}
	MPI_Ialltoall(from, BLOCK, MPI_INT, to, BLOCK, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size * BLOCK; i++)
		bad += to[i] != i / BLOCK * 1000 + rank * BLOCK + i % BLOCK;
	MPI_Ialltoall(MPI_IN_PLACE, BLOCK, MPI_INT, to, BLOCK, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size * BLOCK; i++)
		bad += to[i] != rank * 1000 + i;
	MPI_Iallgather(from, BLOCK, MPI_INT, to, BLOCK, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size * BLOCK; i++)
		bad += to[i] != i / BLOCK * 1000 + i % BLOCK;
	CHECK(c, bad == 0);
	free(from);
	free(to);
}

static void rooted(struct checks *c)
{
	int size = c->size, rank = c->rank, root = size - 1, own[BLOCK] = {rank, rank + 1, rank + 2}, bad = 0;
	int *all = malloc((size_t)size * BLOCK * sizeof(int)), *counts = malloc((size_t)size * sizeof(int));
	int *places = malloc((size_t)size * sizeof(int)), sum = -1;
	MPI_Request request;

	MPI_Igather(own, BLOCK, MPI_INT, all, BLOCK, MPI_INT, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size * BLOCK && rank == root; i++)
		bad += all[i] != i / BLOCK + i % BLOCK;
	own[0] = own[1] = own[2] = -1;
	MPI_Iscatter(all, BLOCK, MPI_INT, own, BLOCK, MPI_INT, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	bad += own[0] != rank || own[2] != rank + 2;
	for (int i = 0, at = 0; i < size; at += counts[i++]) {
		counts[i] = i % BLOCK + 1;
		places[i] = at;
	}
	memset(all, 0, (size_t)size * BLOCK * sizeof(int));
	MPI_Igatherv(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size && rank == root; i++)
		bad += all[places[i]] != i || all[places[i] + counts[i] - 1] != i + counts[i] - 1;
	own[0] = -1;
	MPI_Iscatterv(all, counts, places, MPI_INT, own, counts[rank], MPI_INT, root, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	bad += own[0] != rank;
	memset(all, 0, (size_t)size * BLOCK * sizeof(int));
	MPI_Iallgatherv(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < size; i++)
		bad += all[places[i]] != i;
	for (int i = 0; i < size * BLOCK; i++)
		all[i] = rank + i;
	MPI_Ireduce_scatter_block(all, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	bad += sum != size * (size - 1) / 2 + size * rank;
	MPI_Ireduce_scatter(all, own, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	bad += own[0] != size * (size - 1) / 2 + size * places[rank];
	CHECK(c, bad == 0);
	free(all);
	free(counts);
	free(places);
}

static void alltoallv(struct checks *c)
{
	int size = c->size, rank = c->rank, bad = 0, sent = 0, got = 0;
	int *n = malloc(4 * (size_t)size * sizeof(int)), *at = n + size, *m = at + size, *to_at = m + size;
	int *from, *to;
	MPI_Request request;

	/* rank i sends (i + j) % 3 numbers to rank j */
	for (int j = 0; j < size; j++) {
		n[j] = m[j] = (rank + j) % 3;
		at[j] = to_at[j] = sent;
		sent += n[j];
	}
	got = sent;
	from = malloc(((size_t)sent + 1) * sizeof(int));
	to = malloc(((size_t)got + 1) * sizeof(int));
	for (int j = 0; j < size; j++)
		for (int k = 0; k < n[j]; k++)
			from[at[j] + k] = 100 * rank + j;
	MPI_Ialltoallv(from, n, at, MPI_INT, to, m, to_at, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int j = 0; j < size; j++)
		for (int k = 0; k < m[j]; k++)
			bad += to[to_at[j] + k] != 100 * j + rank;
	CHECK(c, bad == 0);
	free(from);
	free(to);
	free(n);
}

/* Several under way, waited for in different orders, with a blocking one and messages between. */
static void several(struct checks *c)
{
	int size = c->size, rank = c->rank, next = (rank + 1) % size, before = (rank + size - 1) % size;
	int x[4] = {rank, rank, rank, rank}, sum[4] = {0}, got = -1, index, most = -1;
	MPI_Request r[6];
	MPI_Op op;
	MPI_Comm comm;
	MPI_Datatype pair;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	for (int i = 0; i < 4; i++)
		MPI_Iallreduce(&x[i], &sum[i], 1, MPI_INT, i % 2 ? MPI_MAX : MPI_SUM, i < 2 ? comm : MPI_COMM_WORLD,
			       &r[i]);
	MPI_Irecv(&got, 1, MPI_INT, before, 5, comm, &r[4]);
	MPI_Isend(&rank, 1, MPI_INT, next, 5, comm, &r[5]);
	MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	CHECK(c, most == size - 1);
	if (rank % 2) {
		for (int i = 3; i >= 0; i--)
			MPI_Wait(&r[i], MPI_STATUS_IGNORE);
		MPI_Waitall(2, &r[4], MPI_STATUSES_IGNORE);
	} else {
		for (int i = 0; i < 6; i++)
			MPI_Waitany(6, r, &index, MPI_STATUS_IGNORE);
		MPI_Waitany(6, r, &index, MPI_STATUS_IGNORE);
		CHECK(c, index == MPI_UNDEFINED);
	}
	CHECK(c, got == before);
	for (int i = 0; i < 4; i++)
		CHECK(c, sum[i] == (i % 2 ? size - 1 : size * (size - 1) / 2));
	/* its type and operation may be freed before it ends */
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(larger, 1, &op);
	x[0] = rank;
	x[1] = -rank;
	MPI_Iallreduce(x, sum, 2, MPI_INT, op, comm, &r[0]);
	if (rank == 0)
		x[2] = x[3] = 9;
	MPI_Ibcast(&x[2], 1, pair, 0, comm, &r[1]);
	MPI_Op_free(&op);
	MPI_Type_free(&pair);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Comm_free(&comm); /* not before: Open MPI 4.1 crashes then */
	CHECK(c, sum[0] == size - 1 && sum[1] == 0 && x[2] == 9 && x[3] == 9);
}

/* A rank that is in a receive makes progress all the same; Test sees the end. */
static void progress(struct checks *c)
{
	int x = c->rank == 0 ? 5 : 0, y = 0, flag = 0, tests = 0;
	MPI_Request request;

	MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
	if (c->rank == c->size - 1) {
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		for (int i = 0; i < c->size - 1; i++)
			MPI_Send(&x, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&y, 1, MPI_INT, c->size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (; !flag; tests++)
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		CHECK(c, y == 5 && tests >= 1 && request == MPI_REQUEST_NULL);
	}
	CHECK(c, x == 5);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	one_at_a_time(&c);
	rooted(&c);
	alltoallv(&c);
	several(&c);
	progress(&c);
	return checks_end(&c, "nonblocking");
}
