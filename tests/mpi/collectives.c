/* Collective operations, on the world and on parts of it. Any number of ranks. */
#include "check.h"

/* a op b = a followed by b, of intervals [low, high]: does not commute; -1, -1 if they do not meet. */
struct interval {
	int low, high;
};

static void join(void *in, void *inout, int *count, MPI_Datatype *type)
{
	struct interval *a = in, *b = inout;

	(void)type;
	for (int i = 0; i < *count; i++) {
		int meet = a[i].high + 1 == b[i].low;

		b[i].low = meet ? a[i].low : -1;
		b[i].high = meet ? b[i].high : -1;
	}
}

static void rooted(struct checks *c, MPI_Comm comm, int rank, int size)
{
	int *all = malloc((size_t)size * 3 * sizeof(int)), *counts = malloc((size_t)size * sizeof(int));
	int *places = malloc((size_t)size * sizeof(int)), own[3], bad = 0;

	for (int root = 0; root<size; root += size> 4 ? 3 : 1) {
		int x = rank == root ? 42 + root : -1;

		MPI_Bcast(&x, 1, MPI_INT, root, comm);
		CHECK(c, x == 42 + root);
		for (int i = 0; i < 3; i++)
			own[i] = rank * 10 + i;
		memset(all, 0, (size_t)size * 3 * sizeof(int));
		MPI_Gather(own, 3, MPI_INT, all, 3, MPI_INT, root, comm);
		for (int i = 0; i < size * 3 && rank == root; i++)
			bad += all[i] != i / 3 * 10 + i % 3;
		MPI_Scatter(all, 3, MPI_INT, own, 3, MPI_INT, root, comm);
		CHECK(c, own[0] == rank * 10 && own[2] == rank * 10 + 2);
		if (rank == root)
			MPI_Scatter(all, 3, MPI_INT, MPI_IN_PLACE, 3, MPI_INT, root, comm);
		else
			MPI_Scatter(NULL, 0, MPI_INT, own, 3, MPI_INT, root, comm);
		/* rank r gives r % 3 + 1 elements, from the end on */
		for (int i = size, at = 0; i--; at += counts[i]) {
			counts[i] = i % 3 + 1;
			places[i] = at;
		}
		memset(all, 0, (size_t)size * 3 * sizeof(int));
		MPI_Gatherv(own, rank % 3 + 1, MPI_INT, all, counts, places, MPI_INT, root, comm);
		for (int i = 0; i < size && rank == root; i++)
			bad += all[places[i]] != i * 10 || all[places[i] + counts[i] - 1] != i * 10 + i % 3;
		own[0] = own[1] = own[2] = -1;
		MPI_Scatterv(all, counts, places, MPI_INT, own, rank % 3 + 1, MPI_INT, root, comm);
		CHECK(c, own[0] == rank * 10 && own[rank % 3] == rank * 10 + rank % 3);
	}
	CHECK(c, bad == 0);
	free(all);
	free(counts);
	free(places);
}

static void to_all(struct checks *c, MPI_Comm comm, int rank, int size, int n)
{
	size_t room = (size_t)(size * n + 1) * sizeof(int);
	int *out = malloc(room), *in = malloc(room), bad = 0;

	for (int i = 0; i < n; i++)
		out[i] = rank * 1000 + i;
	MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm);
	for (int i = 0; i < size * n; i++)
		bad += in[i] != i / n * 1000 + i % n;
	CHECK(c, bad == 0);
	memset(in, 0, room);
	for (int i = 0; i < n; i++)
		in[rank * n + i] = rank * 1000 + i;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, MPI_INT, comm);
	for (int i = 0; i < size * n; i++)
		bad += in[i] != i / n * 1000 + i % n;
	CHECK(c, bad == 0);
	for (int i = 0; i < size * n; i++)
		out[i] = rank * 1000 + i / n;
	MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm);
	for (int i = 0; i < size * n; i++)
		bad += in[i] != i / n * 1000 + rank;
	CHECK(c, bad == 0);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, MPI_INT, comm);
	for (int i = 0; i < size * n; i++)
		bad += in[i] != rank * 1000 + i / n;
	CHECK(c, bad == 0);
	free(out);
	free(in);
}

/* Rank r sends r + s + 1 elements to rank s, some of them 0. */
static int amount(int from, int to)
{
	return (from * 7 + to * 3) % 4;
}

static void lengths(struct checks *c, MPI_Comm comm, int rank, int size)
{
	size_t room = (size_t)size * sizeof(int);
	int *send = malloc(room), *sat = malloc(room), *recv = malloc(room), *rat = malloc(room);
	int *out = malloc(4 * room), *in = malloc(4 * room), bad = 0, ns = 0, nr = 0;

	for (int i = 0; i < size; i++) {
		send[i] = amount(rank, i);
		recv[i] = amount(i, rank);
		sat[i] = ns;
		rat[i] = nr;
		for (int k = 0; k < send[i]; k++)
			out[ns++] = rank * 1000 + i;
		nr += recv[i];
	}
	memset(in, 0, 4 * room);
	MPI_Alltoallv(out, send, sat, MPI_INT, in, recv, rat, MPI_INT, comm);
	for (int i = 0; i < size; i++)
		for (int k = 0; k < recv[i]; k++)
			bad += in[rat[i] + k] != i * 1000 + rank;
	CHECK(c, bad == 0);
	nr = 0;
	for (int i = 0; i < size; i++) {
		recv[i] = i % 4;
		rat[i] = nr;
		nr += recv[i];
	}
	for (int k = 0; k < 4; k++)
		out[k] = rank;
	MPI_Allgatherv(out, rank % 4, MPI_INT, in, recv, rat, MPI_INT, comm);
	for (int i = 0; i < size; i++)
		for (int k = 0; k < recv[i]; k++)
			bad += in[rat[i] + k] != i;
	CHECK(c, bad == 0);
	free(send);
	free(sat);
	free(recv);
	free(rat);
	free(out);
	free(in);
}

static void reductions(struct checks *c, MPI_Comm comm, int rank, int size, int n)
{
	long *x = malloc((size_t)n * sizeof(long)), *y = malloc((size_t)n * sizeof(long)),
	     sum = (long)size * (size - 1) / 2;
	struct {
		double value;
		int index;
	} here, there;
	int bad = 0, bits = 1 << rank % 20, all = 0;

	for (int i = 0; i < n; i++)
		x[i] = rank + i;
	for (int root = 0; root < size; root += 2) {
		memset(y, 0, (size_t)n * sizeof(long));
		MPI_Reduce(x, y, n, MPI_LONG, MPI_SUM, root, comm);
		for (int i = 0; i < n && rank == root; i++)
			bad += y[i] != sum + (long)i * size;
	}
	CHECK(c, bad == 0);
	MPI_Allreduce(x, y, n, MPI_LONG, MPI_SUM, comm);
	for (int i = 0; i < n; i++)
		bad += y[i] != sum + (long)i * size;
	CHECK(c, bad == 0);
	MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_LONG, MPI_MAX, comm);
	CHECK(c, n == 0 || (x[0] == size - 1 && x[n - 1] == size - 1 + n - 1));
	here.value = (rank * 5) % size;
	here.index = rank;
	MPI_Allreduce(&here, &there, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
	CHECK(c, (there.index * 5) % size == (int)there.value);
	MPI_Allreduce(&bits, &all, 1, MPI_INT, MPI_BOR, comm);
	CHECK(c, all == (size >= 20 ? 0xfffff : (1 << size) - 1));
	free(x);
	free(y);
}

static void prefixes(struct checks *c, MPI_Comm comm, int rank, int size)
{
	int one = rank + 1, sum = -1, *parts = malloc((size_t)size * sizeof(int)),
	    *in = malloc((size_t)size * 2 * sizeof(int));
	int own[2];

	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	CHECK(c, sum == (rank + 1) * (rank + 2) / 2);
	sum = 0;
	MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	CHECK(c, sum == rank * (rank + 1) / 2);
	for (int i = 0; i < size; i++)
		parts[i] = 1 + i % 2;
	for (int i = 0, at = 0; i < size; i++)
		for (int k = 0; k < parts[i]; k++)
			in[at++] = i + rank;
	MPI_Reduce_scatter(in, own, parts, MPI_INT, MPI_SUM, comm);
	for (int k = 0; k < parts[rank]; k++)
		CHECK(c, own[k] == rank * size + size * (size - 1) / 2);
	MPI_Reduce_scatter_block(in, own, 1, MPI_INT, MPI_MIN, comm);
	free(parts);
	free(in);
}

/* An operation that does not commute gets its operands in order of ranks. */
static void in_order(struct checks *c, MPI_Comm comm, int rank, int size)
{
	struct interval own = {rank, rank}, all = {-2, -2};
	MPI_Datatype type;
	MPI_Op op;

	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Op_create(join, 0, &op);
	MPI_Reduce(&own, &all, 1, type, op, size - 1, comm);
	CHECK(c, rank != size - 1 || (all.low == 0 && all.high == size - 1));
	MPI_Allreduce(&own, &all, 1, type, op, comm);
	CHECK(c, all.low == 0 && all.high == size - 1);
	MPI_Scan(&own, &all, 1, type, op, comm);
	CHECK(c, all.low == 0 && all.high == rank);
	MPI_Op_free(&op);
	MPI_Type_free(&type);
}

/* Two buffers of one rank: inoutbuf = inbuf op inoutbuf. */
static void local(struct checks *c)
{
	int a[] = {1, 5, -3}, b[] = {10, 2, -3}, commutes = -1;
	struct interval low = {1, 4}, high = {5, 9};
	struct {
		double value;
		int index;
	} x = {2.5, 7}, y = {2.5, 3};
	MPI_Datatype type;
	MPI_Op op;

	MPI_Reduce_local(a, b, 3, MPI_INT, MPI_SUM);
	CHECK(c, b[0] == 11 && b[1] == 7 && b[2] == -6 && a[0] == 1);
	MPI_Reduce_local(a, b, 2, MPI_INT, MPI_MIN);
	CHECK(c, b[0] == 1 && b[1] == 5 && b[2] == -6);
	MPI_Reduce_local(a, b, 0, MPI_INT, MPI_MAX);
	CHECK(c, b[0] == 1);
	MPI_Reduce_local(&x, &y, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
	CHECK(c, y.value == 2.5 && y.index == 3);
	MPI_Op_commutative(MPI_SUM, &commutes);
	CHECK(c, commutes == 1);
	MPI_Op_commutative(MPI_MINLOC, &commutes);
	CHECK(c, commutes == 1);
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Op_create(join, 0, &op);
	MPI_Op_commutative(op, &commutes);
	CHECK(c, commutes == 0);
	MPI_Reduce_local(&low, &high, 1, type, op);
	CHECK(c, high.low == 1 && high.high == 9);
	MPI_Op_free(&op);
	CHECK(c, op == MPI_OP_NULL);
	MPI_Op_create(join, 1, &op);
	MPI_Op_commutative(op, &commutes);
	CHECK(c, commutes == 1);
	MPI_Op_free(&op);
	MPI_Type_free(&type);
}

static void everything(struct checks *c, MPI_Comm comm)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	MPI_Barrier(comm);
	rooted(c, comm, rank, size);
	for (int n = 1; n < 5000; n *= 17)
		to_all(c, comm, rank, size, n);
	lengths(c, comm, rank, size);
	for (int n = 1; n < 50000; n *= 23)
		reductions(c, comm, rank, size, n);
	prefixes(c, comm, rank, size);
	in_order(c, comm, rank, size);
}

int main(int argc, char **argv)
{
	struct checks c;
	MPI_Comm part;

	checks_begin(&c, &argc, &argv);
	local(&c);
	everything(&c, MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, c.rank % 3 == 1, -c.rank, &part);
	everything(&c, part);
	MPI_Comm_free(&part);
	everything(&c, MPI_COMM_SELF);
	return checks_end(&c, "collectives");
}
