/*
 * Calls with large counts (MPI 4.0). Most are stubs that make_large generates of others; here are those that need
 * numbers of 64 bits themselves, and what the stubs need.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/scratch.h"
#include "../objects/comm.h"
#include "object_calls.h"

/* The call that a stub stands for, from its name. */
static void enter_large_call(struct vmpi *v, const char *name)
{
	unsigned id = 0;

	while (id < CALL_COUNT && (strncmp(call_mpi_name((enum call_id)id), "MPI_", 4) != 0 ||
				   strcmp(call_mpi_name((enum call_id)id) + 4, name) != 0))
		id++;
	rank_enter(v, (enum call_id)id);
}

int vmpi_large_count_refuse(struct vmpi *v, const char *name, VMPI_Comm comm, VMPI_Count count)
{
	enter_large_call(v, name);
	return rank_error(v, comm_find(&v->comms, comm) ? comm : VMPI_COMM_WORLD, VMPI_ERR_COUNT,
			  "number %lld: expected %d to %d in this call", count, INT_MIN, INT_MAX);
}

int vmpi_large_count_type(struct vmpi *v, const char *name, VMPI_Comm comm, VMPI_Count count, VMPI_Datatype of,
			  VMPI_Datatype *made)
{
	struct type *t = type_find(&v->types, of);
	struct type_block b = {0, 1, 0, count, t};

	if (!t || !t->committed || type_is_beyond(t, count))
		enter_large_call(v, name);
	if (!comm_find(&v->comms, comm))
		comm = VMPI_COMM_WORLD;
	if (!t || !t->committed)
		return rank_error(v, comm, VMPI_ERR_TYPE, "datatype %d %s", of, t ? "is not committed" : "is unknown");
	if (type_is_beyond(t, count))
		return rank_error(v, comm, VMPI_ERR_COUNT, "%lld elements of %lld bytes are too many", count,
				  (long long)t->size);
	*made = type_create(&v->types, &b, 1, &v->err);
	if (!*made)
		rank_stop(v);
	type_find(&v->types, *made)->committed = true;
	return VMPI_SUCCESS;
}

int *vmpi_large_count_take(struct vmpi *v, VMPI_Count numbers, int kept)
{
	int *memory;

	if (!kept)
		return scratch_take(v, (size_t)numbers, sizeof(int));
	memory = mem_alloc((size_t)numbers, sizeof(int), &v->err);
	if (!memory)
		rank_stop(v);
	return memory;
}

void vmpi_large_count_give(struct vmpi *v, void *memory)
{
	scratch_give(v, memory);
}

void vmpi_large_count_keep(struct vmpi *v, VMPI_Request request, void *memory)
{
	struct request *q;

	if (request == VMPI_REQUEST_NULL) {
		free(memory);
		return;
	}
	q = request_at(v, (uint32_t)request);
	if (q->persistent)
		((struct persistent *)q->buf)->kept = memory;
	else
		q->buf = memory;
}

int vmpi_large_count_parts(struct vmpi *v, VMPI_Comm comm, int root, int which)
{
	const struct comm *c = comm_find(&v->comms, comm);
	uint32_t own;

	if (!c || !rank_process(v)->initialized || rank_process(v)->finalized)
		return 0;
	own = comm_local(v, comm);
	if (which == 1 && !(c->remote ? root == VMPI_ROOT : root >= 0 && own == (uint32_t)root))
		return 0;
	if (which < 2)
		return (int)comm_peers(c)->size;
	if (c->graph)
		return which == 2 ? c->graph->out_at[own + 1] - c->graph->out_at[own]
				  : c->graph->in_at[own + 1] - c->graph->in_at[own];
	return c->cart ? 2 * c->cart->dimensions : 0;
}

/* ---- numbers of 64 bits ---- */

int vmpi_Get_count_c(struct vmpi *v, const VMPI_Status *status, VMPI_Datatype datatype, VMPI_Count *count)
{
	const struct type *t = type_find(&v->types, datatype);

	rank_enter(v, CALL_Get_count_c);
	if (!t)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	if (t->size == 0)
		*count = 0;
	else
		*count = status->bytes_ % t->size ? VMPI_UNDEFINED : status->bytes_ / t->size;
	return VMPI_SUCCESS;
}

/* Checks a call's elements. Their type; NULL with *ret. */
static const struct type *enter_large_pack(struct vmpi *v, enum call_id call, VMPI_Datatype datatype, VMPI_Count count,
					   int *ret)
{
	const struct type *t = type_find(&v->types, datatype);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!t)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	else if (count < 0 || type_is_beyond(t, count))
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COUNT,
				  "count %lld: expected 0 or more, of less than 2^60 bytes", count);
	return *ret ? NULL : t;
}

/* Returns whether a buffer of `size` has `bytes` at `position`, as an error. */
static int check_large_room(struct vmpi *v, int64_t bytes, VMPI_Count position, VMPI_Count size)
{
	if (position < 0 || position > size || bytes > size - position)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TRUNCATE,
				  "%lld bytes at position %lld, expected at most the buffer's %lld", (long long)bytes,
				  position, size);
	return VMPI_SUCCESS;
}

int vmpi_Pack_c(struct vmpi *v, const void *inbuf, VMPI_Count incount, VMPI_Datatype datatype, void *outbuf,
		VMPI_Count outsize, VMPI_Count *position, VMPI_Comm comm)
{
	int ret;
	const struct type *t = enter_large_pack(v, CALL_Pack_c, datatype, incount, &ret);

	(void)comm;
	if (!t || (ret = check_large_room(v, incount * t->size, *position, outsize)))
		return ret;
	type_pack(t, incount, inbuf, (char *)outbuf + *position);
	*position += incount * t->size;
	return VMPI_SUCCESS;
}

int vmpi_Unpack_c(struct vmpi *v, const void *inbuf, VMPI_Count insize, VMPI_Count *position, void *outbuf,
		  VMPI_Count outcount, VMPI_Datatype datatype, VMPI_Comm comm)
{
	int ret;
	const struct type *t = enter_large_pack(v, CALL_Unpack_c, datatype, outcount, &ret);

	(void)comm;
	if (!t || (ret = check_large_room(v, outcount * t->size, *position, insize)))
		return ret;
	type_unpack(t, outcount, outbuf, (const char *)inbuf + *position, (uint64_t)(outcount * t->size));
	*position += outcount * t->size;
	return VMPI_SUCCESS;
}

int vmpi_Pack_size_c(struct vmpi *v, VMPI_Count incount, VMPI_Datatype datatype, VMPI_Comm comm, VMPI_Count *size)
{
	int ret;
	const struct type *t = enter_large_pack(v, CALL_Pack_size_c, datatype, incount, &ret);

	(void)comm;
	if (t)
		*size = incount * t->size;
	return ret;
}
