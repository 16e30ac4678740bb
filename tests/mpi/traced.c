/*
 * Calls that a trace records: each rank's time at the end, printed by the simulator, is the same when the trace is
 * replayed. Long and short messages, tests, persistent requests, communicators, collective operations of all kinds.
 */
#include "check.h"

enum { SHORT = 100, LONG = 50000, ROUNDS = 3 };

static void take_larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
	int *a = in, *b = inout;

	(void)type;
	for (int i = 0; i < *count; i++)
		b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void messages(struct checks *c, double *data, int length)
{
	int next = (c->rank + 1) % c->size, before = (c->rank + c->size - 1) % c->size, flag = 0, index;
	double *in = data + LONG;
	MPI_Request r[3];
	MPI_Status status;

	MPI_Irecv(in, LONG, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(data, length, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &r[1]);
	r[2] = MPI_REQUEST_NULL;
	MPI_Add_time(1e-7 * (c->rank + 1));
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	MPI_Sendrecv(data, length, MPI_DOUBLE, next, 2, in, LONG, MPI_DOUBLE, before, MPI_ANY_TAG, MPI_COMM_WORLD,
		     &status);
	MPI_Sendrecv_replace(data, length, MPI_DOUBLE, before, 3, next, 3, MPI_COMM_WORLD, &status);
	MPI_Issend(data, length, MPI_DOUBLE, before, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Probe(next, 4, MPI_COMM_WORLD, &status);
	MPI_Recv(in, LONG, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, &status);
	MPI_Wait(&r[0], &status);
	MPI_Irecv(in, LONG, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &r[0]);
	MPI_Ibsend(data, length, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &r[1]);
	MPI_Waitany(2, r, &index, &status);
	MPI_Waitany(2, r, &index, &status);
	MPI_Irecv(in, LONG, MPI_DOUBLE, before, 6, MPI_COMM_WORLD, &r[0]);
	MPI_Send(data, SHORT, MPI_DOUBLE, c->rank == 0 ? MPI_PROC_NULL : next, 7, MPI_COMM_WORLD);
	MPI_Ssend(data, SHORT, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
	MPI_Isend(data, length, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &r[1]);
	for (int tries = 0; !flag; tries++)
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	if (before != 0)
		MPI_Recv(in, LONG, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, &status);
}

static void kept(struct checks *c, double *data, int length)
{
	int next = (c->rank + 1) % c->size, before = (c->rank + c->size - 1) % c->size;
	MPI_Request r[2];

	MPI_Send_init(data, length, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(data + LONG, LONG, MPI_DOUBLE, before, 8, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void together(struct checks *c, MPI_Comm comm, double *data, int length)
{
	int size, rank, *counts, *places, ints[2] = {c->rank, 1};
	double *in = data + LONG;
	MPI_Datatype pair;
	MPI_Request r[2];
	MPI_Op own;

	MPI_Comm_size(comm, &size);
	MPI_Comm_rank(comm, &rank);
	counts = calloc((size_t)size, sizeof(int));
	places = calloc((size_t)size, sizeof(int));
	length /= size;
	for (int i = 0; i < size; i++) {
		counts[i] = length / (i + 1);
		places[i] = i ? places[i - 1] + counts[i - 1] : 0;
	}
	MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(take_larger, 1, &own);
	MPI_Barrier(comm);
	MPI_Bcast(data, length / 2, pair, size - 1, comm);
	MPI_Reduce(data, in, length, MPI_DOUBLE, MPI_SUM, 0, comm);
	MPI_Allreduce(data, in, length, MPI_DOUBLE, MPI_MAX, comm);
	MPI_Allreduce(MPI_IN_PLACE, ints, 2, MPI_INT, own, comm);
	MPI_Scan(data, in, length, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Exscan(data, in, length, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Reduce_scatter(data, in, counts, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Reduce_scatter_block(data, in, length / size, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Gather(data, length, MPI_DOUBLE, in, length, MPI_DOUBLE, 1 % size, comm);
	MPI_Gatherv(data, counts[rank], MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 0, comm);
	MPI_Scatter(data, length, MPI_DOUBLE, in, length, MPI_DOUBLE, 0, comm);
	MPI_Scatterv(data, counts, places, MPI_DOUBLE, in, counts[rank], MPI_DOUBLE, 0, comm);
	MPI_Allgather(data, length, MPI_DOUBLE, in, length, MPI_DOUBLE, comm);
	MPI_Allgatherv(data, counts[rank], MPI_DOUBLE, in, counts, places, MPI_DOUBLE, comm);
	MPI_Alltoall(data, length, MPI_DOUBLE, in, length, MPI_DOUBLE, comm);
	for (int i = 0; i < size; i++)
		places[i] = length / (rank + 1) * i;
	for (int i = 0; i < size; i++)
		counts[i] = length / (rank + 1) / (i + 1);
	MPI_Alltoall(MPI_IN_PLACE, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, comm);
	MPI_Iallreduce(data, in, length, MPI_DOUBLE, MPI_SUM, comm, &r[0]);
	MPI_Ibarrier(comm, &r[1]);
	MPI_Add_time(3e-6);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Type_free(&pair);
	MPI_Op_free(&own);
	free(counts);
	free(places);
}

int main(int argc, char **argv)
{
	double *data = calloc(2 * LONG, sizeof(double));
	int buffer_bytes = LONG * (int)sizeof(double) + MPI_BSEND_OVERHEAD;
	char *buffer = malloc((size_t)buffer_bytes);
	int lengths[] = {SHORT, LONG}, dims[2] = {0, 0}, periods[2] = {1, 0};
	MPI_Comm half, copy, grid;
	struct checks c;

	checks_begin(&c, &argc, &argv);
	MPI_Buffer_attach(buffer, buffer_bytes);
	MPI_Comm_split(MPI_COMM_WORLD, c.rank % 2, -c.rank, &half);
	MPI_Comm_dup(half, &copy);
	MPI_Dims_create(c.size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	for (int k = 0; k < 2; k++) {
		messages(&c, data, lengths[k]);
		kept(&c, data, lengths[k]);
		together(&c, MPI_COMM_WORLD, data, lengths[k]);
		together(&c, copy, data, lengths[k]);
		together(&c, grid, data, lengths[k]);
	}
	MPI_Barrier(MPI_COMM_SELF);
	MPI_Buffer_detach(&buffer, &buffer_bytes);
	free(buffer);
	free(data);
	checks_end(&c, "traced");
	MPI_Add_time(1.5e-6);
	return 0;
}
