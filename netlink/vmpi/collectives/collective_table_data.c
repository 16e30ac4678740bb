/*
 * Data of operations by a table or by the tree, where programs give buffers. A rank packs at its arrival what others
 * need: they unpack it when they leave. A rank cannot read another one's buffer, since variables of a program are each
 * rank's own.
 *
 *     Bcast, Scatter, Gather, Reduce    the root's or for the root
 *     Allgather(v), Allreduce, Scan     one buffer, for all
 *     Alltoall(v), Reduce_scatter       parts, one for each rank
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "collective.h"
#include "collective_table.h"

/* ---- what a rank leaves ---- */

struct table_data *collective_table_data(const struct comm *comm, struct table_collective *t, uint32_t of, bool parts,
					 uint64_t bytes, struct err *e)
{
	struct table_data *d;

	if (!t->data)
		t->data = mem_alloc(comm->group->size, sizeof(*t->data), e);
	if (!t->data)
		return NULL;
	d = &t->data[of];
	d->length = bytes;
	d->packed = mem_alloc(bytes ? bytes : 1, 1, e);
	if (d->packed && parts)
		d->part_at = mem_alloc((size_t)comm->group->size + 1, sizeof(*d->part_at), e);
	return d->packed && (!parts || d->part_at) ? d : NULL;
}

static const struct type *packed_type(const struct collective *c, VMPI_Datatype type)
{
	return type_find(&c->v->types, type);
}

/* Packs a buffer that local rank `reader` will unpack; -1: all. `of`: the key of the data. */
static void leave_data(struct collective *c, struct table_collective *t, int of, int reader, const void *buf, int count,
		       VMPI_Datatype type)
{
	const struct type *ty = packed_type(c, type);
	const struct comm *comm = comm_find(&c->v->comms, c->comm);
	uint64_t bytes = (uint64_t)(count * ty->size);
	struct table_data *d;

	if (!bytes || !p2p_has_buffer(c->v, buf, ty))
		return;
	d = collective_table_data(comm, t, (uint32_t)of, false, bytes, &c->v->err);
	if (!d)
		rank_stop(c->v);
	type_pack(ty, count, buf, d->packed);
	collective_table_send_data(c->v, comm, t, (uint32_t)of, reader);
}

/* Packs a part for each rank. */
static void leave_parts(struct collective *c, struct table_collective *t, const void *buf, VMPI_Datatype type)
{
	const struct type *ty = packed_type(c, type);
	const struct comm *comm = comm_find(&c->v->comms, c->comm);
	struct table_data *d;
	int64_t at, total = 0;

	for (int i = 0; i < c->size; i++)
		total += collective_send_part(c, i, &at);
	if (!p2p_has_buffer(c->v, buf, ty))
		return;
	d = collective_table_data(comm, t, (uint32_t)c->rank, true, (uint64_t)(total * ty->size), &c->v->err);
	if (!d)
		rank_stop(c->v);
	for (int i = 0; i < c->size; i++) {
		int count = collective_send_part(c, i, &at);

		if (count)
			type_pack(ty, count, collective_at(c, buf, at, type), d->packed + d->part_at[i]);
		d->part_at[i + 1] = d->part_at[i] + (uint64_t)(count * ty->size);
	}
	collective_table_send_parts(c->v, comm, t, (uint32_t)c->rank);
}

/* The root of a scatter: each part is data of its own. */
static void leave_scattered(struct collective *c, struct table_collective *t)
{
	int64_t at;

	for (int i = 0; i < c->size; i++) {
		int count = collective_send_part(c, i, &at);

		if (i != c->rank || c->recv != VMPI_IN_PLACE)
			leave_data(c, t, i, i, collective_at(c, c->send, at, c->send_type), count, c->send_type);
	}
}

/* The rank's part of what all get. */
static void leave_for_all(struct collective *c, struct table_collective *t)
{
	int64_t at;
	int count = collective_recv_part(c, c->rank, &at);

	if (c->send == VMPI_IN_PLACE)
		leave_data(c, t, c->rank, -1, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type);
	else
		leave_data(c, t, c->rank, -1, c->send, c->send_count, c->send_type);
}

void collective_table_deposit(enum collective_op op, struct collective *c, struct table_collective *t)
{
	bool root = c->rank == c->root, in_place = c->send == VMPI_IN_PLACE;
	const void *own = in_place ? c->recv : c->send;

	switch (op) {
	case COLLECTIVE_BCAST:
		if (root)
			leave_data(c, t, 0, -1, c->recv, c->recv_count, c->recv_type);
		break;
	case COLLECTIVE_SCATTER:
		if (root)
			leave_scattered(c, t);
		break;
	case COLLECTIVE_GATHER:
		if (!in_place)
			leave_data(c, t, c->rank, c->root, c->send, c->send_count, c->send_type);
		break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV: leave_for_all(c, t); break;
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV: leave_parts(c, t, c->send, c->send_type); break;
	case COLLECTIVE_REDUCE_SCATTER: leave_parts(c, t, own, c->recv_type); break;
	case COLLECTIVE_REDUCE: leave_data(c, t, c->rank, c->root, own, c->recv_count, c->recv_type); break;
	case COLLECTIVE_ALLREDUCE:
	case COLLECTIVE_SCAN: leave_data(c, t, c->rank, -1, own, c->recv_count, c->recv_type); break;
	default: break;
	}
}

/* ---- what a rank finds ---- */

/* Unpacks what local rank `of` left, or its part for the running rank. */
static void find_data(struct collective *c, const struct table_collective *t, int of, void *buf, int count,
		      VMPI_Datatype type)
{
	const struct type *ty = packed_type(c, type);
	const struct table_data *d = t->data ? &t->data[of] : NULL;
	uint64_t from = 0, bytes, room = (uint64_t)(count * ty->size);

	if (!d || !d->packed || !p2p_has_buffer(c->v, buf, ty))
		return;
	bytes = d->length;
	if (d->part_at) {
		from = d->part_at[c->rank];
		bytes = d->part_at[c->rank + 1] - from;
	}
	if (bytes > room)
		rank_error(c->v, c->comm, VMPI_ERR_TRUNCATE,
			   "%" PRIu64 " bytes from rank %d of the communicator, expected at most %" PRIu64, bytes, of,
			   room);
	else if (bytes)
		type_unpack(ty, count, buf, d->packed + from, bytes);
}

static void find_parts_of_all(struct collective *c, const struct table_collective *t)
{
	int64_t at;

	for (int i = 0; i < c->size; i++) {
		int count = collective_recv_part(c, i, &at);

		find_data(c, t, i, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type);
	}
}

/* ---- reductions ---- */

/* Keeps a result for other ranks; no longer than that of the first one. */
static void keep_result(struct collective *c, struct table_collective *t, const void *result)
{
	const struct type *ty = packed_type(c, c->recv_type);

	if (!t->result)
		t->result_bytes = (uint64_t)(c->recv_count * ty->size);
	if (!t->result)
		t->result = mem_alloc(t->result_bytes ? t->result_bytes : 1, 1, &c->v->err);
	if (!t->result)
		rank_stop(c->v);
	if (t->result_bytes == (uint64_t)(c->recv_count * ty->size))
		type_pack(ty, c->recv_count, result, t->result);
}

static void drop_table_data(struct table_collective *t, int size)
{
	for (int i = 0; i < size; i++) {
		free(t->data[i].packed);
		t->data[i].packed = NULL;
	}
}

/* Reduces from the last rank to the first: sum = x[i] op sum. The first rank that leaves Allreduce does so for all. */
static void collective_table_reduce(struct collective *c, struct table_collective *t)
{
	const struct type *ty = packed_type(c, c->recv_type);
	void *sum, *other;

	if (!t->data || !p2p_has_buffer(c->v, c->recv, ty))
		return;
	if (t->result) {
		type_unpack(ty, c->recv_count, c->recv, t->result, t->result_bytes);
		return;
	}
	sum = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
	other = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
	find_data(c, t, c->size - 1, sum, c->recv_count, c->recv_type);
	for (int i = c->size - 2; i >= 0; i--) {
		find_data(c, t, i, other, c->recv_count, c->recv_type);
		collective_apply(c, other, sum, c->recv_count);
	}
	collective_copy(c, sum, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
	if (t->op != COLLECTIVE_ALLREDUCE || c->recv_count <= 0)
		return;
	keep_result(c, t, c->recv);
	drop_table_data(t, c->size);
}

/*
 * Reduces from the first rank to the last that counts: sum = sum op x[i]. It begins with the sum of ranks that the one
 * before has kept: ranks leave in their order, as a rule.
 */
static void collective_table_scan(struct collective *c, struct table_collective *t)
{
	const struct type *ty = packed_type(c, c->recv_type);
	int last = c->rank - c->exclusive, next = 1;
	void *sum, *other;

	if (last < 0 || !t->data || !p2p_has_buffer(c->v, c->recv, ty))
		return;
	sum = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
	if (t->result && t->result_of <= last) {
		type_unpack(ty, c->recv_count, sum, t->result, t->result_bytes);
		next = t->result_of + 1;
	} else {
		find_data(c, t, 0, sum, c->recv_count, c->recv_type);
	}
	for (; next <= last; next++) {
		other = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
		find_data(c, t, next, other, c->recv_count, c->recv_type);
		collective_apply(c, sum, other, c->recv_count);
		collective_free(c, sum, c->recv_type);
		sum = other;
	}
	keep_result(c, t, sum);
	t->result_of = last;
	collective_copy(c, sum, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, sum, c->recv_type);
}

void collective_table_collect(enum collective_op op, struct collective *c, struct table_collective *t)
{
	bool root = c->rank == c->root;

	switch (op) {
	case COLLECTIVE_BCAST:
		if (!root)
			find_data(c, t, 0, c->recv, c->recv_count, c->recv_type);
		break;
	case COLLECTIVE_SCATTER:
		if (c->recv != VMPI_IN_PLACE)
			find_data(c, t, c->rank, c->recv, c->recv_count, c->recv_type);
		break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_REDUCE:
		if (root && op == COLLECTIVE_GATHER)
			find_parts_of_all(c, t);
		else if (root)
			collective_table_reduce(c, t);
		break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV: find_parts_of_all(c, t); break;
	case COLLECTIVE_ALLREDUCE:
	case COLLECTIVE_REDUCE_SCATTER: collective_table_reduce(c, t); break;
	case COLLECTIVE_SCAN: collective_table_scan(c, t); break;
	default: break;
	}
}
