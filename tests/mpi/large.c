/*
 * Calls with large counts: each with a small count, which transfers data, and with counts above 2^31 and no data:
 * to nobody, of a type without bytes, as sizes. With an argument, and here alone, messages of that length follow.
 */
#include <limits.h>

#include "check.h"

/* MPICH 4.0 has no Status_set_elements_c, which is of MPI 4.1, and fails at the second start of Scatter_init. */
#ifdef MPI_SIMULATED
enum { STARTS = 2 };
#else
#define MPI_Status_set_elements_c MPI_Status_set_elements_x
enum { STARTS = 1 };
#endif

enum { ROOM = 64 };
static const MPI_Count huge = 3000000000;

/* The data of each part. */
struct large_test {
	struct checks *c;
	int rank, size, left, right;
	MPI_Comm ring;
	int in[ROOM], out[ROOM];
	MPI_Count ones[ROOM];                         /* counts */
	MPI_Aint each[ROOM], twice[ROOM];             /* displacements in elements */
	MPI_Aint each_bytes[ROOM], twice_bytes[ROOM]; /* in bytes */
	MPI_Datatype ints[ROOM];
};

static void begin(struct large_test *t, struct checks *c)
{
	int size = c->size, periodic = 1;

	t->c = c;
	t->rank = c->rank;
	t->size = size;
	t->left = (c->rank + size - 1) % size;
	t->right = (c->rank + 1) % size;
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &t->ring);
	for (int i = 0; i < ROOM; i++) {
		t->in[i] = 1000 * c->rank + i;
		t->ones[i] = 1;
		t->each[i] = i;
		t->twice[i] = 2 * i;
		t->each_bytes[i] = i * (int)sizeof(int);
		t->twice_bytes[i] = 2 * i * (int)sizeof(int);
		t->ints[i] = MPI_INT;
	}
}

static void clear(struct large_test *t)
{
	for (int i = 0; i < ROOM; i++)
		t->out[i] = -1;
}

/* Blocking, nonblocking and persistent, `holds` after each. */
#define EACH(block, start, init, holds, comm, ...) \
	for (int form = 0; form < 3; form++) { \
		MPI_Request request; \
\
		clear(t); \
		if (form == 0) { \
			block(__VA_ARGS__, comm); \
		} else if (form == 1) { \
			start(__VA_ARGS__, comm, &request); \
			MPI_Wait(&request, MPI_STATUS_IGNORE); \
		} else { \
			init(__VA_ARGS__, comm, MPI_INFO_NULL, &request); \
			for (int again = 0; again < STARTS; again++) { \
				MPI_Start(&request); \
				MPI_Wait(&request, MPI_STATUS_IGNORE); \
			} \
			MPI_Request_free(&request); \
		} \
		CHECK(t->c, holds); \
	}

/* Returns whether each rank's part is there, of `count` elements two apart. */
static int parts_hold(const struct large_test *t, int count)
{
	for (int i = 0; i < t->size; i++)
		if (t->out[2 * i] != 1000 * i || t->out[2 * i + 1] != (count > 1 ? 1000 * i + 1 : -1))
			return 0;
	return 1;
}

/* Returns whether the part that each rank has for this one is there. */
static int crossed_hold(const struct large_test *t, int step)
{
	for (int i = 0; i < t->size; i++)
		if (t->out[step * i] != 1000 * i + t->rank)
			return 0;
	return 1;
}

static void rooted(struct large_test *t)
{
	int n = t->size - 1, *from = t->rank == n ? t->in : t->out;

	EACH(MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, from[3] == 1000 * n + 3, MPI_COMM_WORLD, from, 4, MPI_INT, n)
	EACH(MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, t->rank != n || parts_hold(t, 2), MPI_COMM_WORLD, t->in, 2,
	     MPI_INT, t->out, 2, MPI_INT, n)
	EACH(MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, t->rank != n || parts_hold(t, 1), MPI_COMM_WORLD, t->in,
	     1, MPI_INT, t->out, t->rank == n ? t->ones : NULL, t->rank == n ? t->twice : NULL, MPI_INT, n)
	EACH(MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, t->out[1] == 1000 * n + 2 * t->rank + 1, MPI_COMM_WORLD,
	     t->in, 2, MPI_INT, t->out, 2, MPI_INT, n)
	EACH(MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c,
	     t->out[0] == 1000 * n + 2 * t->rank && t->out[1] == -1, MPI_COMM_WORLD, t->in, t->ones, t->twice, MPI_INT,
	     t->out, 1, MPI_INT, n)
}

static void to_all(struct large_test *t)
{
	EACH(MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c, parts_hold(t, 2), MPI_COMM_WORLD, t->in, 2,
	     MPI_INT, t->out, 2, MPI_INT)
	EACH(MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c, parts_hold(t, 1), MPI_COMM_WORLD, t->in, 1,
	     MPI_INT, t->out, t->ones, t->twice, MPI_INT)
	EACH(MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c, crossed_hold(t, 1), MPI_COMM_WORLD, t->in, 1,
	     MPI_INT, t->out, 1, MPI_INT)
	EACH(MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c, crossed_hold(t, 2), MPI_COMM_WORLD, t->in,
	     t->ones, t->each, MPI_INT, t->out, t->ones, t->twice, MPI_INT)
	EACH(MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c, crossed_hold(t, 2), MPI_COMM_WORLD, t->in,
	     t->ones, t->each_bytes, t->ints, t->out, t->ones, t->twice_bytes, t->ints)
}

static void to_neighbors(struct large_test *t)
{
	int left = 1000 * t->left, right = 1000 * t->right;

	EACH(MPI_Neighbor_allgather_c, MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_init_c,
	     t->out[0] == left && t->out[3] == right + 1, t->ring, t->in, 2, MPI_INT, t->out, 2, MPI_INT)
	EACH(MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_init_c,
	     t->out[0] == left && t->out[2] == right, t->ring, t->in, 1, MPI_INT, t->out, t->ones, t->twice, MPI_INT)
	EACH(MPI_Neighbor_alltoall_c, MPI_Ineighbor_alltoall_c, MPI_Neighbor_alltoall_init_c,
	     t->out[0] == left + 1 && t->out[1] == right, t->ring, t->in, 1, MPI_INT, t->out, 1, MPI_INT)
	EACH(MPI_Neighbor_alltoallv_c, MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_init_c,
	     t->out[0] == left + 1 && t->out[2] == right, t->ring, t->in, t->ones, t->each, MPI_INT, t->out, t->ones,
	     t->twice, MPI_INT)
	EACH(MPI_Neighbor_alltoallw_c, MPI_Ineighbor_alltoallw_c, MPI_Neighbor_alltoallw_init_c,
	     t->out[0] == left + 1 && t->out[2] == right, t->ring, t->in, t->ones, t->each_bytes, t->ints, t->out,
	     t->ones, t->twice_bytes, t->ints)
}

static void reductions(struct large_test *t)
{
	int n = t->size, r = t->rank, below = 500 * r * (r - 1), all = 500 * n * (n - 1);

	EACH(MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, r || t->out[1] == all + n, MPI_COMM_WORLD, t->in, t->out,
	     2, MPI_INT, MPI_SUM, 0)
	EACH(MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c, t->out[1] == all + n, MPI_COMM_WORLD, t->in,
	     t->out, 2, MPI_INT, MPI_SUM)
	EACH(MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c, MPI_Reduce_scatter_init_c, t->out[0] == all + n * r,
	     MPI_COMM_WORLD, t->in, t->out, t->ones, MPI_INT, MPI_SUM)
	EACH(MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c, MPI_Reduce_scatter_block_init_c,
	     t->out[0] == all + n * r, MPI_COMM_WORLD, t->in, t->out, 1, MPI_INT, MPI_SUM)
	EACH(MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, t->out[1] == below + 1000 * r + r + 1, MPI_COMM_WORLD, t->in,
	     t->out, 2, MPI_INT, MPI_SUM)
	EACH(MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, !r || t->out[1] == below + r, MPI_COMM_WORLD, t->in,
	     t->out, 2, MPI_INT, MPI_SUM)
	clear(t);
	MPI_Reduce_local_c(t->in, t->out, 2, MPI_INT, MPI_SUM);
	CHECK(t->c, t->out[1] == 1000 * r && t->out[2] == -1);
}

/* ---- point to point ---- */

static void receive_begin(struct large_test *t, MPI_Request *request)
{
	clear(t);
	MPI_Irecv_c(t->out, 3, MPI_INT, t->left, 1, MPI_COMM_WORLD, request);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void receive_end(struct large_test *t, MPI_Request *request)
{
	MPI_Status status;
	MPI_Count count = -1;

	MPI_Wait(request, &status);
	MPI_Get_count_c(&status, MPI_INT, &count);
	CHECK(t->c, count == 2 && t->out[1] == 1000 * t->left + 1 && t->out[2] == -1);
}

#define SENDS(blocking, start, init) \
	for (int form = 0; form < 3; form++) { \
		MPI_Request received, request = MPI_REQUEST_NULL; \
\
		receive_begin(t, &received); \
		if (form == 0) { \
			blocking(t->in, 2, MPI_INT, t->right, 1, MPI_COMM_WORLD); \
		} else if (form == 1) { \
			start(t->in, 2, MPI_INT, t->right, 1, MPI_COMM_WORLD, &request); \
			MPI_Wait(&request, MPI_STATUS_IGNORE); \
		} else { \
			init(t->in, 2, MPI_INT, t->right, 1, MPI_COMM_WORLD, &request); \
			MPI_Start(&request); \
			MPI_Wait(&request, MPI_STATUS_IGNORE); \
			MPI_Request_free(&request); \
		} \
		receive_end(t, &received); \
	}

static void sends(struct large_test *t)
{
	static char room[4096];
	void *back = NULL;
	MPI_Count size = 0;

	SENDS(MPI_Send_c, MPI_Isend_c, MPI_Send_init_c)
	MPI_Buffer_attach_c(room, (MPI_Count)sizeof(room));
	SENDS(MPI_Bsend_c, MPI_Ibsend_c, MPI_Bsend_init_c)
	MPI_Buffer_detach_c(&back, &size);
	CHECK(t->c, back == room && size == (MPI_Count)sizeof(room));
	SENDS(MPI_Ssend_c, MPI_Issend_c, MPI_Ssend_init_c)
	SENDS(MPI_Rsend_c, MPI_Irsend_c, MPI_Rsend_init_c)
}

static void receives(struct large_test *t)
{
	int got = 1000 * t->left + 1;

	for (int form = 0; form < 4; form++) {
		MPI_Request sent, request;
		MPI_Message message;

		clear(t);
		MPI_Isend_c(t->in, 2, MPI_INT, t->right, 2, MPI_COMM_WORLD, &sent);
		if (form >= 2)
			MPI_Mprobe(t->left, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		if (form == 0) {
			MPI_Recv_c(t->out, 2, MPI_INT, t->left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else if (form == 1) {
			MPI_Recv_init_c(t->out, 2, MPI_INT, t->left, 2, MPI_COMM_WORLD, &request);
			MPI_Start(&request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			MPI_Request_free(&request);
		} else if (form == 2) {
			MPI_Mrecv_c(t->out, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
		} else {
			MPI_Imrecv_c(t->out, 2, MPI_INT, &message, &request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
		CHECK(t->c, t->out[1] == got && t->out[2] == -1);
		MPI_Wait(&sent, MPI_STATUS_IGNORE);
	}
}

static void exchanges(struct large_test *t)
{
	MPI_Request request;

	for (int form = 0; form < 4; form++) {
		clear(t);
		t->out[1] = form < 2 ? -1 : t->in[1];
		request = MPI_REQUEST_NULL;
		if (form == 0)
			MPI_Sendrecv_c(t->in, 2, MPI_INT, t->right, 3, t->out, 2, MPI_INT, t->left, 3, MPI_COMM_WORLD,
				       MPI_STATUS_IGNORE);
		else if (form == 1)
			MPI_Isendrecv_c(t->in, 2, MPI_INT, t->right, 3, t->out, 2, MPI_INT, t->left, 3, MPI_COMM_WORLD,
					&request);
		else if (form == 2)
			MPI_Sendrecv_replace_c(t->out, 2, MPI_INT, t->right, 3, t->left, 3, MPI_COMM_WORLD,
					       MPI_STATUS_IGNORE);
		else
			MPI_Isendrecv_replace_c(t->out, 2, MPI_INT, t->right, 3, t->left, 3, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		CHECK(t->c, t->out[1] == 1000 * t->left + 1);
	}
}

/* ---- one-sided ---- */

static void one_sided(struct large_test *t)
{
	MPI_Request r;
	MPI_Win win;
	int *shown = NULL, result[2] = {-1, -1};

	MPI_Alloc_mem(8 * sizeof(int), MPI_INFO_NULL, &shown);
	for (int i = 0; i < 8; i++)
		shown[i] = -1;
	MPI_Win_create_c(shown, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put_c(t->in, 2, MPI_INT, t->right, 0, 2, MPI_INT, win);
	MPI_Win_fence(0, win);
	CHECK(t->c, shown[1] == 1000 * t->left + 1);
	MPI_Win_fence(0, win);
	MPI_Accumulate_c(t->in, 2, MPI_INT, t->right, 0, 2, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	CHECK(t->c, shown[1] == 2000 * t->left + 2);
	MPI_Get_c(result, 2, MPI_INT, t->rank, 0, 2, MPI_INT, win);
	MPI_Win_fence(0, win);
	CHECK(t->c, result[1] == 2000 * t->left + 2);
	MPI_Get_accumulate_c(t->in, 2, MPI_INT, result, 2, MPI_INT, t->right, 2, 2, MPI_INT, MPI_REPLACE, win);
	MPI_Win_fence(0, win);
	CHECK(t->c, result[1] == -1 && shown[3] == 1000 * t->left + 1);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	MPI_Rput_c(t->in, 2, MPI_INT, t->right, 4, 2, MPI_INT, win, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Win_flush_all(win);
	MPI_Raccumulate_c(t->in, 2, MPI_INT, t->right, 4, 2, MPI_INT, MPI_SUM, win, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Win_flush_all(win);
	MPI_Rget_c(result, 2, MPI_INT, t->right, 4, 2, MPI_INT, win, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	CHECK(t->c, result[1] == 2000 * t->rank + 2);
	MPI_Rget_accumulate_c(t->in, 2, MPI_INT, result, 2, MPI_INT, t->right, 4, 2, MPI_INT, MPI_NO_OP, win, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	CHECK(t->c, result[1] == 2000 * t->rank + 2);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	MPI_Free_mem(shown);
}

static void window_memory(struct large_test *t)
{
	MPI_Aint size = 0, unit = 0;
	MPI_Comm node;
	MPI_Win win;
	int *base = NULL, *own = NULL;

	MPI_Win_allocate_c(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
	base[0] = 7;
	CHECK(t->c, base[0] == 7);
	MPI_Win_free(&win);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Win_allocate_shared_c(16, 4, MPI_INFO_NULL, node, &base, &win);
	MPI_Comm_rank(node, &t->in[ROOM - 1]);
	MPI_Win_shared_query_c(win, t->in[ROOM - 1], &size, &unit, &own);
	CHECK(t->c, size == 16 && unit == 4 && own == base);
	MPI_Win_free(&win);
	MPI_Comm_free(&node);
}

/* ---- datatypes ---- */

/* Checks the size and extent of a type of ints, and frees it. */
static void type_is(struct large_test *t, MPI_Datatype *type, MPI_Count size, MPI_Count extent)
{
	MPI_Count is = -1, lb = -1, span = -1;

	MPI_Type_size_c(*type, &is);
	MPI_Type_get_extent_c(*type, &lb, &span);
	CHECK(t->c, is == size && span == extent && lb == 0);
	lb = span = -1;
	MPI_Type_get_true_extent_c(*type, &lb, &span);
	CHECK(t->c, lb == 0 && span > 0 && span <= extent);
	MPI_Type_free(type);
}

static void type_calls(struct large_test *t)
{
	static const MPI_Count two[] = {2, 1}, at[] = {0, 4}, bytes[] = {0, 16}, whole[] = {4, 6}, part[] = {2, 3},
			       from[] = {0, 0};
	const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
	const int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
		  args[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {2, 1};
	MPI_Datatype made;

	MPI_Type_contiguous_c(3, MPI_INT, &made);
	type_is(t, &made, 12, 12);
	MPI_Type_vector_c(2, 1, 3, MPI_INT, &made);
	type_is(t, &made, 8, 16);
	MPI_Type_create_hvector_c(2, 1, 12, MPI_INT, &made);
	type_is(t, &made, 8, 16);
	MPI_Type_indexed_c(2, two, at, MPI_INT, &made);
	type_is(t, &made, 12, 20);
	MPI_Type_create_hindexed_c(2, two, bytes, MPI_INT, &made);
	type_is(t, &made, 12, 20);
	MPI_Type_create_indexed_block_c(2, 1, at, MPI_INT, &made);
	type_is(t, &made, 8, 20);
	MPI_Type_create_hindexed_block_c(2, 1, bytes, MPI_INT, &made);
	type_is(t, &made, 8, 20);
	MPI_Type_create_struct_c(2, two, bytes, ints, &made);
	type_is(t, &made, 12, 20);
	MPI_Type_create_subarray_c(2, whole, part, from, MPI_ORDER_C, MPI_INT, &made);
	type_is(t, &made, 24, 96);
	MPI_Type_create_darray_c(2, 0, 2, whole, block, args, grid, MPI_ORDER_C, MPI_INT, &made);
	type_is(t, &made, 48, 96);
	MPI_Type_create_resized_c(MPI_INT, 0, 40, &made);
	type_is(t, &made, 4, 40);
}

static void packing(struct large_test *t)
{
	char packed[64];
	MPI_Count at = 0, size = 0;

	clear(t);
	MPI_Pack_size_c(2, MPI_INT, MPI_COMM_WORLD, &size);
	CHECK(t->c, size >= 8);
	MPI_Pack_c(t->in, 2, MPI_INT, packed, 64, &at, MPI_COMM_WORLD);
	CHECK(t->c, at == 8);
	at = 0;
	MPI_Unpack_c(packed, 8, &at, t->out, 2, MPI_INT, MPI_COMM_WORLD);
	CHECK(t->c, at == 8 && t->out[1] == t->in[1] && t->out[2] == -1);
	clear(t);
	MPI_Pack_external_size_c("external32", 2, MPI_INT, &size);
	CHECK(t->c, size == 8);
	at = 0;
	MPI_Pack_external_c("external32", t->in, 2, MPI_INT, packed, 64, &at);
	CHECK(t->c, at == 8);
	at = 0;
	MPI_Unpack_external_c("external32", packed, 8, &at, t->out, 2, MPI_INT);
	CHECK(t->c, at == 8 && t->out[1] == t->in[1] && t->out[2] == -1);
}

/* ---- counts above 2^31 ---- */

static void statuses(struct large_test *t)
{
	MPI_Status status = {0};
	MPI_Count count = 0;
	int small = 0;

	MPI_Status_set_elements_c(&status, MPI_BYTE, huge);
	MPI_Get_count_c(&status, MPI_BYTE, &count);
	MPI_Get_count(&status, MPI_BYTE, &small);
	CHECK(t->c, count == huge && small == MPI_UNDEFINED);
	MPI_Get_elements_c(&status, MPI_BYTE, &count);
	MPI_Get_elements(&status, MPI_BYTE, &small);
	CHECK(t->c, count == huge && small == MPI_UNDEFINED);
	MPI_Get_count_c(&status, MPI_INT, &count);
	MPI_Get_count(&status, MPI_INT, &small);
	CHECK(t->c, count == huge / 4 && small == huge / 4);
}

static void huge_counts(struct large_test *t)
{
	MPI_Count size = 0, lb = 0, extent = 0;
	MPI_Datatype none, large;
	MPI_Request request;
	MPI_Status status;
	int small = 0;

	MPI_Type_contiguous_c(huge, MPI_INT, &large);
	MPI_Type_size_c(large, &size);
	MPI_Type_size(large, &small);
	MPI_Type_get_extent_c(large, &lb, &extent);
	CHECK(t->c, size == 4 * huge && small == MPI_UNDEFINED && lb == 0 && extent == 4 * huge);
	MPI_Type_free(&large);
	MPI_Pack_size_c(huge, MPI_INT, MPI_COMM_WORLD, &size);
	CHECK(t->c, size >= 4 * huge);
	MPI_Send_c(t->in, huge, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Recv_c(t->out, huge, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
	MPI_Get_count_c(&status, MPI_INT, &size);
	CHECK(t->c, size == 0);
	MPI_Type_contiguous(0, MPI_INT, &none);
	MPI_Type_commit(&none);
	MPI_Irecv_c(t->out, huge, none, t->left, 4, MPI_COMM_WORLD, &request);
	MPI_Send_c(t->in, huge, none, t->right, 4, MPI_COMM_WORLD);
	MPI_Wait(&request, &status);
	MPI_Get_count_c(&status, MPI_BYTE, &size);
	CHECK(t->c, size == 0);
	MPI_Bcast_c(t->out, huge, none, 0, MPI_COMM_WORLD);
	MPI_Ibcast_c(t->out, huge, none, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_free(&none);
}

#ifdef MPI_SIMULATED
/* Rank 0 sends `bytes` to rank 1, then to all; nothing is allocated. */
static void without_data(struct large_test *t, MPI_Count bytes)
{
	MPI_Status status;
	MPI_Count count = 0;
	int small = 0;

	if (t->rank == 0)
		MPI_Send_c(NULL, bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
	if (t->rank == 1) {
		MPI_Recv_c(NULL, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &status);
		MPI_Get_count_c(&status, MPI_BYTE, &count);
		MPI_Get_count(&status, MPI_BYTE, &small);
		CHECK(t->c, count == bytes && small == MPI_UNDEFINED);
	}
	MPI_Bcast_c(NULL, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
#endif

/* Numbers that this library refuses; others take them. */
static void refused(struct large_test *t)
{
#ifdef MPI_SIMULATED
	MPI_Request request;
	MPI_Datatype made;
	MPI_Count far[] = {huge};

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(t->c, MPI_Allreduce_c(NULL, NULL, huge, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_COUNT);
	CHECK(t->c, MPI_Bcast_init_c(NULL, huge, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request) == MPI_ERR_COUNT);
	CHECK(t->c, MPI_Type_indexed_c(1, far, far, MPI_INT, &made) == MPI_ERR_COUNT);
	CHECK(t->c, MPI_Send_c(NULL, huge << 30, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
	CHECK(t->c, MPI_Send_c(NULL, -huge, MPI_BYTE, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#else
	(void)t;
#endif
}

/* Other calls of MPI 4.0, which OpenMPI 4 does not have either. */
static void hints_of_start(const struct large_test *t)
{
	MPI_Info first, second;
	int keys = -1, again = -2;

	CHECK(t->c, MPI_Info_create_env(0, NULL, &first) == MPI_SUCCESS);
	CHECK(t->c, MPI_Info_create_env(0, NULL, &second) == MPI_SUCCESS && second != first);
	MPI_Info_get_nkeys(first, &keys);
	MPI_Info_get_nkeys(second, &again);
	CHECK(t->c, keys >= 0 && keys == again);
	MPI_Info_free(&first);
	MPI_Info_free(&second);
}

int main(int argc, char *argv[])
{
	static struct large_test t;
	struct checks c;

	checks_begin(&c, &argc, &argv);
	begin(&t, &c);
	rooted(&t);
	to_all(&t);
	to_neighbors(&t);
	reductions(&t);
	sends(&t);
	receives(&t);
	exchanges(&t);
	one_sided(&t);
	window_memory(&t);
	type_calls(&t);
	packing(&t);
	statuses(&t);
	huge_counts(&t);
	refused(&t);
	hints_of_start(&t);
#ifdef MPI_SIMULATED
	if (argc > 1)
		without_data(&t, atoll(argv[1]));
#endif
	MPI_Comm_free(&t.ring);
	return checks_end(&c, "large");
}
