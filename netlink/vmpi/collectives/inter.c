/*
 * Operations between the two groups of an intercommunicator (MPI 3.1, 5.2.2): within a group over its hidden
 * communicator, between the groups over messages of their first ranks, of the root, or of all ranks.
 */

#include "collective.h"

/* The same operation within the caller's group. */
static struct collective within(const struct collective *c)
{
	struct vmpi *v = c->v;
	VMPI_Comm local = comm_find(&v->comms, c->comm)->local_comm;

	return (struct collective){.v = v,
				   .comm = local,
				   .rank = (int)comm_local(v, local),
				   .size = (int)comm_find(&v->comms, local)->group->size,
				   .tag = c->tag,
				   .send_type = c->send_type,
				   .recv_type = c->recv_type,
				   .op = c->op};
}

static void local_bcast(const struct collective *c, void *buf, int count, VMPI_Datatype type)
{
	struct collective l = within(c);

	l.recv = buf;
	l.recv_count = count;
	l.recv_type = l.send_type = type;
	l.bytes = count * type_find(&c->v->types, type)->size;
	collective_run(COLLECTIVE_BCAST, &l);
}

/* Combines the group's data at its first rank. */
static void local_reduce(const struct collective *c, void *result, int count)
{
	struct collective l = within(c);

	l.send = c->send;
	l.recv = result;
	l.recv_count = l.send_count = count;
	l.bytes = count * type_find(&c->v->types, c->recv_type)->size;
	collective_run(COLLECTIVE_REDUCE, &l);
}

static int inter_barrier(struct collective *c)
{
	struct collective l = within(c);

	collective_run(COLLECTIVE_BARRIER, &l);
	if (c->rank == 0)
		collective_sendrecv(c, NULL, 0, VMPI_BYTE, 0, NULL, 0, VMPI_BYTE, 0);
	local_bcast(c, NULL, 0, VMPI_BYTE);
	return VMPI_SUCCESS;
}

static int inter_bcast(struct collective *c)
{
	if (c->root == VMPI_ROOT)
		collective_send(c, c->recv, c->recv_count, c->recv_type, 0);
	if (c->root < 0)
		return VMPI_SUCCESS;
	if (c->rank == 0)
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->root);
	local_bcast(c, c->recv, c->recv_count, c->recv_type);
	return VMPI_SUCCESS;
}

/* Messages with all ranks of the other group, each with its part of the buffers. */
static int with_all(struct collective *c, bool send, bool same, bool receive)
{
	VMPI_Request *requests = scratch_take(c->v, 2 * (size_t)c->size + 1, sizeof(*requests));
	int64_t at = 0;
	int n = 0, count;

	for (int i = 0; receive && i < c->size; i++) {
		count = collective_recv_part(c, i, &at);
		requests[n++] =
			collective_irecv(c, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type, i);
	}
	for (int i = 0; send && i < c->size; i++) {
		count = same ? c->send_count : collective_send_part(c, i, &at);
		requests[n++] = collective_isend(c, same ? c->send : collective_at(c, c->send, at, c->send_type), count,
						 c->send_type, i);
	}
	collective_wait(c, requests, n);
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}

static int inter_gather(struct collective *c)
{
	if (c->root == VMPI_ROOT)
		return with_all(c, false, false, true);
	if (c->root >= 0)
		collective_send(c, c->send, c->send_count, c->send_type, c->root);
	return VMPI_SUCCESS;
}

static int inter_scatter(struct collective *c)
{
	if (c->root == VMPI_ROOT)
		return with_all(c, true, false, false);
	if (c->root >= 0)
		collective_recv(c, c->recv, c->recv_count, c->recv_type, c->root);
	return VMPI_SUCCESS;
}

static int inter_reduce(struct collective *c)
{
	void *part;

	if (c->root == VMPI_ROOT)
		collective_recv(c, c->recv, c->recv_count, c->recv_type, 0);
	if (c->root < 0)
		return VMPI_SUCCESS;
	part = c->rank == 0 ? collective_buffer(c, c->send, c->recv_count, c->recv_type) : NULL;
	local_reduce(c, part, c->recv_count);
	if (c->rank == 0)
		collective_send(c, part, c->recv_count, c->recv_type, c->root);
	collective_free(c, part, c->recv_type);
	return VMPI_SUCCESS;
}

/* The first ranks exchange what their groups have combined. */
static void *exchange_reduced(struct collective *c, int count)
{
	void *own = c->rank == 0 ? collective_buffer(c, c->send, count, c->recv_type) : NULL;
	void *other = c->rank == 0 ? collective_buffer(c, c->send, count, c->recv_type) : NULL;

	local_reduce(c, own, count);
	if (c->rank == 0)
		collective_sendrecv(c, own, count, c->recv_type, 0, other, count, c->recv_type, 0);
	collective_free(c, own, c->recv_type);
	return other;
}

static int inter_allreduce(struct collective *c)
{
	void *other = exchange_reduced(c, c->recv_count);

	if (c->rank == 0)
		collective_copy(c, other, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, other, c->recv_type);
	local_bcast(c, c->recv, c->recv_count, c->recv_type);
	return VMPI_SUCCESS;
}

static int inter_reduce_scatter(struct collective *c)
{
	struct collective l = within(c);
	int total = c->send_counts ? 0 : c->recv_count * l.size;
	void *other;

	for (int i = 0; c->send_counts && i < l.size; i++)
		total += c->send_counts[i];
	other = exchange_reduced(c, total);
	l.send = other;
	l.send_counts = c->rank == 0 ? c->send_counts : NULL;
	l.send_displs = c->rank == 0 ? c->send_displs : NULL;
	l.send_count = c->send_counts ? 0 : c->recv_count;
	l.recv = c->recv;
	l.recv_count = c->recv_count;
	l.bytes = c->bytes;
	collective_run(COLLECTIVE_SCATTER, &l);
	collective_free(c, other, c->recv_type);
	return VMPI_SUCCESS;
}

int inter_run(enum collective_op op, struct collective *c)
{
	switch (op) {
	case COLLECTIVE_BARRIER: return inter_barrier(c);
	case COLLECTIVE_BCAST: return inter_bcast(c);
	case COLLECTIVE_GATHER: return inter_gather(c);
	case COLLECTIVE_SCATTER: return inter_scatter(c);
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV: return with_all(c, true, true, true);
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV: return with_all(c, true, false, true);
	case COLLECTIVE_REDUCE: return inter_reduce(c);
	case COLLECTIVE_ALLREDUCE: return inter_allreduce(c);
	case COLLECTIVE_REDUCE_SCATTER: return inter_reduce_scatter(c);
	default: return rank_error(c->v, c->comm, VMPI_ERR_COMM, "not on an intercommunicator");
	}
}
