/*
 * Calls: collective operations whose messages the program lists: Alltoallw, and those among the neighbours of a
 * topology (MPI 3.1, 7.6). Neighbours of a grid are, for each dimension, the one before and the one after.
 */
#include <string.h>

#include "../collectives/collective.h"
#include "object_calls.h"
#include "../vmpi_config.h"

/* The ranks from which the caller receives, and to which it sends. */
struct neighbors {
	int in, out;
	const int *sources, *destinations;
	int *own; /* these lists: scratch */
	bool grid;
};

static int grid_rank(const struct cart *g, int rank, int dimension, int step)
{
	int below = 1, at, n = g->size[dimension];

	for (int i = dimension + 1; i < g->dimensions; i++)
		below *= g->size[i];
	at = rank / below % n;
	if (!g->periodic[dimension] && (at + step < 0 || at + step >= n))
		return VMPI_PROC_NULL;
	return rank + ((at + step + n) % n - at) * below;
}

/*
 * The place of neighbour `i` in the order of receives. Messages between two ranks match in order. If both neighbours in
 * a dimension are one rank (periodic, of size 1 or 2), what that rank sends first, to the one before it, comes from the
 * one after (MPI 4.1, 8.6: as Sendrecv with the ranks of Cart_shift).
 */
static int receive_place(const struct neighbors *n, int i)
{
	return n->grid && n->sources[i] == n->sources[i ^ 1] ? i ^ 1 : i;
}

/* Fills `n`; VMPI_SUCCESS, or an error after reporting it. */
static int find_neighbors(struct vmpi *v, VMPI_Comm comm, struct neighbors *n)
{
	const struct comm *c = comm_find(&v->comms, comm);
	int own = (int)comm_local(v, comm);

	*n = (struct neighbors){0};
	if (c->graph) {
		const struct graph *g = c->graph;

		n->in = g->in_at[own + 1] - g->in_at[own];
		n->out = g->out_at[own + 1] - g->out_at[own];
		n->sources = g->in + g->in_at[own];
		n->destinations = g->out + g->out_at[own];
		return VMPI_SUCCESS;
	}
	if (!c->cart)
		return rank_error(v, comm, VMPI_ERR_TOPOLOGY, "communicator %d has no topology", comm);
	n->own = scratch_take(v, 2 * (size_t)c->cart->dimensions + 1, sizeof(*n->own));
	for (int i = 0; i < c->cart->dimensions; i++) {
		n->own[2 * i] = grid_rank(c->cart, own, i, -1);
		n->own[2 * i + 1] = grid_rank(c->cart, own, i, 1);
	}
	n->in = n->out = 2 * c->cart->dimensions;
	n->sources = n->destinations = n->own;
	n->grid = true;
	return VMPI_SUCCESS;
}

/* A list of buffers: one count and type for all, or one for each. */
struct buffers {
	const void *buf;
	int count;
	const int *counts, *displs; /* NULL: `count` each, one behind the other */
	VMPI_Datatype type;
	const VMPI_Datatype *types; /* NULL: `type`; displacements are in bytes */
	const VMPI_Aint *bytes;     /* displacements of `types`; NULL: displs */
	bool same;                  /* one buffer for all */
};

static int fill_part(struct vmpi *v, VMPI_Comm comm, const struct buffers *b, int i, int peer,
		     struct collective_part *p)
{
	const struct type *t;
	int64_t at;

	*p = (struct collective_part){
		.count = b->counts ? b->counts[i] : b->count, .peer = peer, .type = b->types ? b->types[i] : b->type};
	t = type_find(&v->types, p->type);
	if (!t || !t->committed)
		return rank_error(v, comm, VMPI_ERR_TYPE, "datatype %d %s", p->type,
				  t ? "is not committed" : "is unknown");
	if (p->count < 0)
		return rank_error(v, comm, VMPI_ERR_COUNT, "count %d: expected 0 or more", p->count);
	if (b->same)
		at = 0;
	else if (b->types)
		at = b->bytes ? b->bytes[i] : b->displs[i];
	else
		at = (b->displs ? b->displs[i] : (int64_t)i * b->count) * (t->ub - t->lb);
	p->buf = b->buf ? (char *)(uintptr_t)b->buf + at : NULL;
	return VMPI_SUCCESS;
}

static int enter_neighbor_call(struct vmpi *v, enum call_id call, VMPI_Comm comm)
{
	struct rank *r = rank_enter(v, call);
	int ret;

	if ((!r->initialized || r->finalized) && (ret = rank_check_ready(v)))
		return ret;
	if (!comm_find(&v->comms, comm))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	return VMPI_SUCCESS;
}

/* Frees the neighbours, and at the end of the operation the copy. */
static int exchange(struct vmpi *v, VMPI_Comm comm, struct neighbors *n, const struct buffers *send,
		    const struct buffers *recv, char *copy, VMPI_Request *request)
{
	struct collective c = {.v = v,
			       .copy = copy,
			       .request = request,
			       .comm = comm,
			       .rank = (int)comm_local(v, comm),
			       .size = (int)comm_peers(comm_find(&v->comms, comm))->size,
			       .send_type = VMPI_BYTE,
			       .recv_type = VMPI_BYTE,
			       .body = exchange_body,
			       .sends = n->out,
			       .receives = n->in};
	int ret = VMPI_SUCCESS;

	c.parts = scratch_take(v, (size_t)n->in + (size_t)n->out + 1, sizeof(*c.parts));
	for (int i = 0; i < n->out && ret == VMPI_SUCCESS; i++)
		ret = fill_part(v, comm, send, i, n->destinations[i], &c.parts[i]);
	for (int i = 0; i < n->in && ret == VMPI_SUCCESS; i++)
		ret = fill_part(v, comm, recv, i, n->sources[i], &c.parts[n->out + receive_place(n, i)]);
	scratch_give(v, n->own);
	if (ret) {
		scratch_give(v, copy);
		scratch_give(v, c.parts);
		return ret;
	}
	return collective_start(COLLECTIVE_ALLTOALLV, &c);
}

static int among_neighbors(struct vmpi *v, enum call_id call, VMPI_Comm comm, const struct buffers *send,
			   const struct buffers *recv, VMPI_Request *request)
{
	struct neighbors n;
	int ret = enter_neighbor_call(v, call, comm);

	if (ret == VMPI_SUCCESS)
		ret = find_neighbors(v, comm, &n);
	return ret ? ret : exchange(v, comm, &n, send, recv, NULL, request);
}

int vmpi_Ineighbor_allgather(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
			     int recvcount, VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .same = true};
	struct buffers recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};

	return among_neighbors(v, request ? CALL_Ineighbor_allgather : CALL_Neighbor_allgather, comm, &send, &recv,
			       request);
}

int vmpi_Ineighbor_allgatherv(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
			      const int *recvcounts, const int *displs, VMPI_Datatype recvtype, VMPI_Comm comm,
			      VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .count = sendcount, .type = sendtype, .same = true};
	struct buffers recv = {.buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype};

	return among_neighbors(v, request ? CALL_Ineighbor_allgatherv : CALL_Neighbor_allgatherv, comm, &send, &recv,
			       request);
}

int vmpi_Ineighbor_alltoall(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, void *recvbuf,
			    int recvcount, VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .count = sendcount, .type = sendtype};
	struct buffers recv = {.buf = recvbuf, .count = recvcount, .type = recvtype};

	return among_neighbors(v, request ? CALL_Ineighbor_alltoall : CALL_Neighbor_alltoall, comm, &send, &recv,
			       request);
}

int vmpi_Ineighbor_alltoallv(struct vmpi *v, const void *sendbuf, const int *sendcounts, const int *sdispls,
			     VMPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *rdispls,
			     VMPI_Datatype recvtype, VMPI_Comm comm, VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype};
	struct buffers recv = {.buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype};

	return among_neighbors(v, request ? CALL_Ineighbor_alltoallv : CALL_Neighbor_alltoallv, comm, &send, &recv,
			       request);
}

int vmpi_Ineighbor_alltoallw(struct vmpi *v, const void *sendbuf, const int *sendcounts, const VMPI_Aint *sdispls,
			     const VMPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
			     const VMPI_Aint *rdispls, const VMPI_Datatype *recvtypes, VMPI_Comm comm,
			     VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .counts = sendcounts, .bytes = sdispls, .types = sendtypes};
	struct buffers recv = {.buf = recvbuf, .counts = recvcounts, .bytes = rdispls, .types = recvtypes};

	return among_neighbors(v, request ? CALL_Ineighbor_alltoallw : CALL_Neighbor_alltoallw, comm, &send, &recv,
			       request);
}

/* ---- all to all, with types of each rank ---- */

/* A copy of the data to be sent from the receive buffer; `from` then describes it. For scratch_give; NULL: no data. */
static char *copy_to_self(struct vmpi *v, const struct buffers *recv, int size, struct buffers *from)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	char *copy;

	for (int i = 0; i < size; i++) {
		const struct type *t = type_find(&v->types, recv->types[i]);
		int64_t over = t && recv->counts[i] > 0 ? (recv->counts[i] - 1) * (t->ub - t->lb) : -1;

		if (over < 0)
			continue;
		low = recv->displs[i] + t->true_lb < low ? recv->displs[i] + t->true_lb : low;
		high = recv->displs[i] + over + t->true_ub > high ? recv->displs[i] + over + t->true_ub : high;
	}
	*from = *recv;
	if (high <= low || !recv->buf || !v->cfg->mpi.payload)
		return NULL;
	copy = scratch_take(v, (size_t)(high - low), 1);
	memcpy(copy, (const char *)recv->buf + low, (size_t)(high - low));
	from->buf = copy - low;
	return copy;
}

int vmpi_Ialltoallw(struct vmpi *v, const void *sendbuf, const int *sendcounts, const int *sdispls,
		    const VMPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls,
		    const VMPI_Datatype *recvtypes, VMPI_Comm comm, VMPI_Request *request)
{
	struct buffers send = {.buf = sendbuf, .counts = sendcounts, .displs = sdispls, .types = sendtypes};
	struct buffers recv = {.buf = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes};
	int ret = enter_neighbor_call(v, request ? CALL_Ialltoallw : CALL_Alltoallw, comm), size;
	struct neighbors n = {0};
	char *copy = NULL;

	if (ret)
		return ret;
	size = (int)comm_peers(comm_find(&v->comms, comm))->size;
	n.own = scratch_take(v, (size_t)size + 1, sizeof(*n.own));
	for (int i = 0; i < size; i++)
		n.own[i] = i;
	n.in = n.out = size;
	n.sources = n.destinations = n.own;
	if (sendbuf == VMPI_IN_PLACE)
		copy = copy_to_self(v, &recv, size, &send);
	return exchange(v, comm, &n, &send, &recv, copy, request);
}
