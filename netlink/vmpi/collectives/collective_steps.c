/* Steps of algorithms: messages, buffers, and parts of them. */
#include "collective.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"
#include "collective_cost.h"

/* ---- messages ---- */

static struct p2p collective_message(const struct collective *c, const void *buf, int count, VMPI_Datatype type,
				     int peer)
{
	return (struct p2p){.buf = (void *)(uintptr_t)buf,
			    .count = count,
			    .datatype = type,
			    .peer = c->members && peer >= 0 ? c->members[peer] : peer,
			    .tag = c->tag,
			    .comm = c->comm,
			    .collective = true};
}

VMPI_Request collective_isend(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest)
{
	struct p2p p = collective_message(c, buf, count, type, dest);

	return (VMPI_Request)p2p_send(c->v, &p);
}

VMPI_Request collective_irecv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source)
{
	struct p2p p = collective_message(c, buf, count, type, source);

	return (VMPI_Request)p2p_recv(c->v, &p);
}

void collective_share(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest)
{
	struct p2p p = collective_message(c, buf, count, type, dest);

	p2p_share(c->v, &p);
}

void collective_take(struct collective *c, void *buf, int count, VMPI_Datatype type, int source)
{
	struct p2p p = collective_message(c, buf, count, type, source);
	VMPI_Request request = (VMPI_Request)p2p_take(c->v, &p);

	collective_wait(c, &request, 1);
}

void collective_wait(struct collective *c, VMPI_Request *requests, int count)
{
	request_wait_all(c->v, requests, count);
	for (int i = 0; i < count; i++)
		request_finish(c->v, &requests[i], NULL);
}

int collective_wait_any(struct collective *c, VMPI_Request *requests, int count)
{
	int i = request_wait_any(c->v, requests, count);

	request_finish(c->v, &requests[i], NULL);
	return i;
}

void collective_send(struct collective *c, const void *buf, int count, VMPI_Datatype type, int dest)
{
	struct p2p p = collective_message(c, buf, count, type, dest);

	p2p_send_wait(c->v, &p);
}

void collective_recv(struct collective *c, void *buf, int count, VMPI_Datatype type, int source)
{
	VMPI_Request request = collective_irecv(c, buf, count, type, source);

	collective_wait(c, &request, 1);
}

void collective_sendrecv(struct collective *c, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, int dest,
			 void *recvbuf, int recvcount, VMPI_Datatype recvtype, int source)
{
	VMPI_Request both[2];

	both[0] = collective_irecv(c, recvbuf, recvcount, recvtype, source);
	both[1] = collective_isend(c, sendbuf, sendcount, sendtype, dest);
	collective_wait(c, both, 2);
}

/* ---- buffers ---- */

void *collective_buffer(struct collective *c, const void *like, int64_t count, VMPI_Datatype type)
{
	const struct type *t = type_find(&c->v->types, type);
	int64_t extent = t->ub - t->lb, data = t->true_ub - t->true_lb;
	/* The last element has its full extent: operations copy structures with the padding after their members. */
	int64_t span = (count > 0 ? count - 1 : 0) * extent + (extent > data ? extent : data);
	char *memory;

	if (!like || !c->v->cfg->mpi.payload)
		return NULL;
	memory = scratch_take(c->v, span > 0 ? (size_t)span : 1, 1);
	return memory - t->true_lb;
}

void collective_free(struct collective *c, void *buffer, VMPI_Datatype type)
{
	if (buffer)
		scratch_give(c->v, (char *)buffer + type_find(&c->v->types, type)->true_lb);
}

void collective_copy(struct collective *c, const void *from, int from_count, VMPI_Datatype from_type, void *to,
		     int to_count, VMPI_Datatype to_type)
{
	const struct type *f = type_find(&c->v->types, from_type), *t = type_find(&c->v->types, to_type);
	uint64_t bytes = (uint64_t)(from_count * f->size);
	char *packed;

	if (!from || !to || from == to || !bytes || !c->v->cfg->mpi.payload)
		return;
	if (f->dense) {
		type_unpack(t, to_count, to, from, bytes);
		return;
	}
	packed = malloc(bytes);
	if (!packed) {
		mem_short(&c->v->err);
		rank_stop(c->v);
	}
	type_pack(f, from_count, from, packed);
	type_unpack(t, to_count, to, packed, bytes);
	free(packed);
}

void collective_copied(const struct collective *c, int64_t parts, int64_t bytes)
{
	int64_t time = cost_copies(c, parts, bytes);

	if (time)
		rank_busy(c->v, c->v->current, time);
}

/* The processor's time of combining `count` elements. */
static void collective_computes(const struct collective *c, int count)
{
	double rate = c->v->cfg->mpi.combine;

	if (rate > 0 && count > 0)
		rank_busy(c->v, c->v->current, cost_combine(c, count * type_find(&c->v->types, c->recv_type)->size));
}

void collective_apply(struct collective *c, const void *in, void *inout, int count)
{
	if (in && inout && count > 0 && c->v->cfg->mpi.payload)
		op_apply(&c->v->ops, c->op, type_find(&c->v->types, c->recv_type), count, in, inout);
}

void collective_combine(struct collective *c, const void *in, void *inout, int count)
{
	collective_computes(c, count);
	collective_apply(c, in, inout, count);
}

void *collective_at(struct collective *c, const void *buf, int64_t at, VMPI_Datatype type)
{
	const struct type *t = type_find(&c->v->types, type);

	return buf ? (char *)(uintptr_t)buf + at * (t->ub - t->lb) : NULL;
}

int collective_send_part(const struct collective *c, int rank, int64_t *at)
{
	*at = c->send_counts ? c->send_displs[rank] : (int64_t)rank * c->send_count;
	return c->send_counts ? c->send_counts[rank] : c->send_count;
}

int collective_recv_part(const struct collective *c, int rank, int64_t *at)
{
	*at = c->recv_counts ? c->recv_displs[rank] : (int64_t)rank * c->recv_count;
	return c->recv_counts ? c->recv_counts[rank] : c->recv_count;
}
