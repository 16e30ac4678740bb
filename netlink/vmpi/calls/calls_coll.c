/*
 * Calls: collective operations. They check arguments and resolve IN_PLACE; algorithms see struct collective
 * (collectives/collective.h).
 *
 * IN_PLACE remains for the algorithms as `send` of Gather (at root), Allgather, Reduce (at root), Allreduce,
 * Reduce_scatter and Scan, and as `recv` of Scatter (at root). All-to-all gets a copy of its buffer instead.
 *
 * Each operation is written once, in its nonblocking form; without a request it blocks. The blocking calls come from
 * ../api/collective_calls.def.
 */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../message/message.h"
#include "../message/run_checks.h"

static int check_type(struct vmpi *v, VMPI_Comm comm, int count, VMPI_Datatype datatype)
{
	const struct type *t = type_find(&v->types, datatype);

	if (!t || !t->committed)
		return rank_error(v, comm, VMPI_ERR_TYPE, "datatype %d %s", datatype,
				  t ? "is not committed" : "is unknown");
	if (count < 0)
		return rank_error(v, comm, VMPI_ERR_COUNT, "count %d: expected 0 or more", count);
	return VMPI_SUCCESS;
}

/* Begins a call, nonblocking if `request` is given. Communicator and root are valid if it returns VMPI_SUCCESS. */
static int begin_collective(struct vmpi *v, enum call_id call, VMPI_Comm comm, int root, VMPI_Request *request,
			    struct collective *c)
{
	const struct comm *co = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, call);
	int ret;

	if ((!r->initialized || r->finalized) && (ret = rank_check_ready(v)))
		return ret;
	if (!co)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	if ((root < 0 || (uint32_t)root >= comm_peers(co)->size) &&
	    !(co->remote && (root == VMPI_ROOT || root == VMPI_PROC_NULL)))
		return rank_error(v, comm, VMPI_ERR_ROOT, "root %d: expected 0 to %u", root, comm_peers(co)->size - 1);
	*c = (struct collective){.v = v,
				 .request = request,
				 .comm = comm,
				 .rank = (int)comm_local(v, comm),
				 .size = (int)comm_peers(co)->size,
				 .root = root,
				 .send_type = VMPI_BYTE,
				 .recv_type = VMPI_BYTE};
	return VMPI_SUCCESS;
}

/* Returns whether all ranks have to give the same length of a part. */
static bool lengths_agree(enum collective_op op, const struct collective *c)
{
	if (c->send_counts || c->recv_counts)
		return false;
	return c->uniform || (op != COLLECTIVE_GATHER && op != COLLECTIVE_SCATTER);
}

/*
 * Sets the bytes of one part (of the largest), which the choice of an algorithm depends on, and runs the operation.
 */
static int run_collective(struct vmpi *v, enum collective_op op, struct collective *c, bool of_send)
{
	const struct type *t;
	const int *counts;
	int most, ret;

	if (c->root == VMPI_PROC_NULL) { /* of the other ranks of a root's group, arguments do not count */
		c->send_counts = c->recv_counts = NULL;
		c->send_count = c->recv_count = 0;
		c->send_type = c->recv_type = VMPI_BYTE;
	}
	counts = of_send ? c->send_counts : c->recv_counts;
	most = of_send ? c->send_count : c->recv_count;
	ret = check_type(v, c->comm, most, of_send ? c->send_type : c->recv_type);
	for (int i = 0; counts && ret == VMPI_SUCCESS && i < c->size; i++) {
		ret = check_type(v, c->comm, counts[i], VMPI_BYTE);
		most = counts[i] > most ? counts[i] : most;
	}
	if (ret) {
		collective_finish(c);
		return ret;
	}
	t = type_find(&v->types, of_send ? c->send_type : c->recv_type);
	c->bytes = most * t->size;
	if (__builtin_expect(v->checks != NULL, 0)) {
		check_collective(v, c->comm, c->root, c->op, lengths_agree(op, c) ? c->bytes : -1, t);
		collective_check_buffers(op, c);
	}
	return collective_start(op, c);
}

int vmpi_Ibarrier(struct vmpi *v, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ibarrier : CALL_Barrier, comm, 0, request, &c);

	if (ret)
		return ret;
	if (__builtin_expect(v->checks != NULL, 0))
		check_collective(v, comm, 0, 0, -1, NULL);
	return collective_start(COLLECTIVE_BARRIER, &c);
}

int vmpi_Ibcast(struct vmpi *v, void *buffer, int count, VMPI_Datatype datatype, int root, VMPI_Comm comm,
		VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ibcast : CALL_Bcast, comm, root, request, &c);

	if (ret)
		return ret;
	c.recv = buffer;
	c.recv_count = count;
	c.recv_type = datatype;
	return run_collective(v, COLLECTIVE_BCAST, &c, false);
}

/* ---- gather and scatter ---- */

/* Returns whether the rank is the root; between two groups the root says so. */
static bool is_root(const struct collective *c)
{
	return comm_find(&c->v->comms, c->comm)->remote ? c->root == VMPI_ROOT : c->rank == c->root;
}

static int gather_blocks(struct vmpi *v, struct collective *c, const void *sendbuf, int sendcount,
			 VMPI_Datatype sendtype, void *recvbuf, VMPI_Datatype recvtype)
{
	bool root = is_root(c);

	c->send = sendbuf;
	c->recv = recvbuf;
	c->send_count = root && c->root == VMPI_ROOT ? 0 : sendcount;
	c->send_type = root && c->root == VMPI_ROOT ? VMPI_BYTE : sendtype;
	if (root)
		c->recv_type = recvtype;
	else
		c->recv_counts = NULL;
	if (root && sendbuf == VMPI_IN_PLACE) {
		c->send_count = 0;
		c->send_type = VMPI_BYTE;
	}
	return run_collective(v, COLLECTIVE_GATHER, c, !root);
}

int vmpi_Igather(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		 int recvcount, VMPI_Datatype recvtype, int root, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Igather : CALL_Gather, comm, root, request, &c);

	if (ret)
		return ret;
	c.recv_count = is_root(&c) ? recvcount : 0;
	c.uniform = true;
	return gather_blocks(v, &c, sendbuf, sendcount, sendtype, recvbuf, recvtype);
}

int vmpi_Igatherv(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		  const int *recvcounts, const int *displs, VMPI_Datatype recvtype, int root, VMPI_Comm comm,
		  VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Igatherv : CALL_Gatherv, comm, root, request, &c);

	if (ret)
		return ret;
	c.recv_counts = recvcounts;
	c.recv_displs = displs;
	return gather_blocks(v, &c, sendbuf, sendcount, sendtype, recvbuf, recvtype);
}

static int scatter(struct vmpi *v, struct collective *c, const void *sendbuf, VMPI_Datatype sendtype, void *recvbuf,
		   int recvcount, VMPI_Datatype recvtype)
{
	bool root = is_root(c);

	c->send = sendbuf;
	c->recv = recvbuf;
	c->recv_count = root && c->root == VMPI_ROOT ? 0 : recvcount;
	c->recv_type = root && c->root == VMPI_ROOT ? VMPI_BYTE : recvtype;
	if (root)
		c->send_type = sendtype;
	else
		c->send_counts = NULL;
	if (root && recvbuf == VMPI_IN_PLACE) {
		c->recv_count = 0;
		c->recv_type = VMPI_BYTE;
	}
	return run_collective(v, COLLECTIVE_SCATTER, c, root);
}

int vmpi_Iscatter(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		  int recvcount, VMPI_Datatype recvtype, int root, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Iscatter : CALL_Scatter, comm, root, request, &c);

	if (ret)
		return ret;
	c.send_count = is_root(&c) ? sendcount : 0;
	c.uniform = true;
	return scatter(v, &c, sendbuf, sendtype, recvbuf, recvcount, recvtype);
}

int vmpi_Iscatterv(struct vmpi *v, const void *sendbuf, const int *sendcounts, const int *displs,
		   VMPI_Datatype sendtype, void *recvbuf, int recvcount, VMPI_Datatype recvtype, int root,
		   VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Iscatterv : CALL_Scatterv, comm, root, request, &c);

	if (ret)
		return ret;
	c.send_counts = sendcounts;
	c.send_displs = displs;
	return scatter(v, &c, sendbuf, sendtype, recvbuf, recvcount, recvtype);
}

/* ---- all to all ---- */

static void all_gets(struct collective *c, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		     VMPI_Datatype recvtype)
{
	c->send = sendbuf;
	c->send_count = sendcount;
	c->send_type = sendtype;
	c->recv = recvbuf;
	c->recv_type = recvtype;
	if (sendbuf == VMPI_IN_PLACE) {
		c->send_count = 0;
		c->send_type = VMPI_BYTE;
	}
}

int vmpi_Iallgather(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		    int recvcount, VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Iallgather : CALL_Allgather, comm, 0, request, &c);

	if (ret)
		return ret;
	all_gets(&c, sendbuf, sendcount, sendtype, recvbuf, recvtype);
	c.recv_count = recvcount;
	return run_collective(v, COLLECTIVE_ALLGATHER, &c, false);
}

int vmpi_Iallgatherv(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		     const int *recvcounts, const int *displs, VMPI_Datatype recvtype, VMPI_Comm comm,
		     VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Iallgatherv : CALL_Allgatherv, comm, 0, request, &c);

	if (ret)
		return ret;
	all_gets(&c, sendbuf, sendcount, sendtype, recvbuf, recvtype);
	c.recv_counts = recvcounts;
	c.recv_displs = displs;
	return run_collective(v, COLLECTIVE_ALLGATHERV, &c, false);
}

/* Copies the data to be sent from the receive buffer. `end` is beyond its last element. */
static void copy_in_place(struct collective *c, int64_t end)
{
	c->copy = collective_buffer(c, c->recv, end, c->recv_type);
	collective_copy(c, c->recv, (int)end, c->recv_type, c->copy, (int)end, c->recv_type);
	c->send = c->copy;
	c->send_type = c->recv_type;
	c->send_count = c->recv_count;
	c->send_counts = c->recv_counts;
	c->send_displs = c->recv_displs;
}

int vmpi_Ialltoall(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
		   int recvcount, VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ialltoall : CALL_Alltoall, comm, 0, request, &c);

	if (ret || (ret = check_type(v, comm, recvcount, recvtype)))
		return ret;
	all_gets(&c, sendbuf, sendcount, sendtype, recvbuf, recvtype);
	c.recv_count = recvcount;
	if (sendbuf == VMPI_IN_PLACE)
		copy_in_place(&c, (int64_t)recvcount * c.size);
	return run_collective(v, COLLECTIVE_ALLTOALL, &c, true);
}

int vmpi_Ialltoallv(struct vmpi *v, const void *sendbuf, const int *sendcounts, const int *sdispls,
		    VMPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *rdispls,
		    VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ialltoallv : CALL_Alltoallv, comm, 0, request, &c);

	if (ret || (ret = check_type(v, comm, 0, recvtype)))
		return ret;
	all_gets(&c, sendbuf, 0, sendtype, recvbuf, recvtype);
	c.send_counts = sendcounts;
	c.send_displs = sdispls;
	c.recv_counts = recvcounts;
	c.recv_displs = rdispls;
	if (sendbuf == VMPI_IN_PLACE) {
		int64_t end = 0;

		for (int i = 0; i < c.size; i++)
			end = rdispls[i] + (int64_t)recvcounts[i] > end ? rdispls[i] + (int64_t)recvcounts[i] : end;
		copy_in_place(&c, end);
	}
	return run_collective(v, COLLECTIVE_ALLTOALLV, &c, true);
}

/* ---- reductions ---- */

static int reduce(struct vmpi *v, enum collective_op op, struct collective *c, const void *sendbuf, void *recvbuf,
		  int count, VMPI_Datatype datatype, VMPI_Op operation)
{
	int ret = check_type(v, c->comm, count, datatype);

	if (ret)
		return ret;
	if (!op_exists(&v->ops, operation))
		return rank_error(v, c->comm, VMPI_ERR_OP, "unknown operation %d", operation);
	if (!op_allows(&v->ops, operation, type_find(&v->types, datatype)))
		return rank_error(v, c->comm, VMPI_ERR_OP, "operation %d is not defined for datatype %d", operation,
				  datatype);
	c->send = sendbuf;
	c->recv = recvbuf;
	c->recv_count = count;
	c->send_count = count;
	c->recv_type = c->send_type = datatype;
	c->op = operation;
	return run_collective(v, op, c, false);
}

int vmpi_Ireduce(struct vmpi *v, const void *sendbuf, void *recvbuf, int count, VMPI_Datatype datatype, VMPI_Op op,
		 int root, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ireduce : CALL_Reduce, comm, root, request, &c);

	return ret ? ret : reduce(v, COLLECTIVE_REDUCE, &c, sendbuf, recvbuf, count, datatype, op);
}

int vmpi_Iallreduce(struct vmpi *v, const void *sendbuf, void *recvbuf, int count, VMPI_Datatype datatype, VMPI_Op op,
		    VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Iallreduce : CALL_Allreduce, comm, 0, request, &c);

	return ret ? ret : reduce(v, COLLECTIVE_ALLREDUCE, &c, sendbuf, recvbuf, count, datatype, op);
}

static int scan(struct vmpi *v, enum call_id call, bool exclusive, const void *sendbuf, void *recvbuf, int count,
		VMPI_Datatype datatype, VMPI_Op op, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, call, comm, 0, request, &c);

	c.exclusive = exclusive;
	return ret ? ret : reduce(v, COLLECTIVE_SCAN, &c, sendbuf, recvbuf, count, datatype, op);
}

int vmpi_Iscan(struct vmpi *v, const void *sendbuf, void *recvbuf, int count, VMPI_Datatype datatype, VMPI_Op op,
	       VMPI_Comm comm, VMPI_Request *request)
{
	return scan(v, request ? CALL_Iscan : CALL_Scan, false, sendbuf, recvbuf, count, datatype, op, comm, request);
}

int vmpi_Iexscan(struct vmpi *v, const void *sendbuf, void *recvbuf, int count, VMPI_Datatype datatype, VMPI_Op op,
		 VMPI_Comm comm, VMPI_Request *request)
{
	return scan(v, request ? CALL_Iexscan : CALL_Exscan, true, sendbuf, recvbuf, count, datatype, op, comm,
		    request);
}

int vmpi_Ireduce_scatter(struct vmpi *v, const void *sendbuf, void *recvbuf, const int *recvcounts,
			 VMPI_Datatype datatype, VMPI_Op op, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ireduce_scatter : CALL_Reduce_scatter, comm, 0, request, &c);
	int *at, size;

	if (ret)
		return ret;
	size = (int)comm_find(&v->comms, comm)->group->size;
	at = c.places = scratch_take(v, (size_t)size, sizeof(*at));
	for (int i = 1; i < size; i++)
		at[i] = at[i - 1] + recvcounts[i - 1];
	c.send_counts = recvcounts;
	c.send_displs = at;
	return reduce(v, COLLECTIVE_REDUCE_SCATTER, &c, sendbuf, recvbuf, recvcounts[c.rank], datatype, op);
}

int vmpi_Ireduce_scatter_block(struct vmpi *v, const void *sendbuf, void *recvbuf, int recvcount,
			       VMPI_Datatype datatype, VMPI_Op op, VMPI_Comm comm, VMPI_Request *request)
{
	struct collective c;
	int ret = begin_collective(v, request ? CALL_Ireduce_scatter_block : CALL_Reduce_scatter_block, comm, 0,
				   request, &c);

	return ret ? ret : reduce(v, COLLECTIVE_REDUCE_SCATTER, &c, sendbuf, recvbuf, recvcount, datatype, op);
}

/* ---- operations ---- */

int vmpi_Reduce_local(struct vmpi *v, const void *inbuf, void *inoutbuf, int count, VMPI_Datatype datatype, VMPI_Op op)
{
	const struct type *t = type_find(&v->types, datatype);
	int ret;

	rank_enter(v, CALL_Reduce_local);
	ret = check_type(v, VMPI_COMM_WORLD, count, datatype);
	if (ret)
		return ret;
	if (!op_exists(&v->ops, op) || !op_allows(&v->ops, op, t))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OP, "operation %d is not defined for datatype %d", op,
				  datatype);
	if (inbuf && inoutbuf)
		op_apply(&v->ops, op, t, count, inbuf, inoutbuf);
	return VMPI_SUCCESS;
}

int vmpi_Op_create(struct vmpi *v, VMPI_User_function *function, int commute, VMPI_Op *op)
{
	rank_enter(v, CALL_Op_create);
	*op = op_create(&v->ops, function, commute, &v->err);
	if (!*op)
		rank_fail(v);
	return VMPI_SUCCESS;
}

int vmpi_Op_free(struct vmpi *v, VMPI_Op *op)
{
	rank_enter(v, CALL_Op_free);
	if (!op_exists(&v->ops, *op) || *op < OP_COUNT)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OP,
				  "operation %d is predefined, expected one of Op_create", *op);
	op_release(&v->ops, *op);
	*op = VMPI_OP_NULL;
	return VMPI_SUCCESS;
}

int vmpi_Op_commutative(struct vmpi *v, VMPI_Op op, int *commute)
{
	rank_enter(v, CALL_Op_commutative);
	if (!op_exists(&v->ops, op))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OP, "unknown operation %d", op);
	*commute = op_commutes(&v->ops, op);
	return VMPI_SUCCESS;
}
