/* ranks.check: a collective operation's two buffers on a rank share no byte. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../message/areas.h"
#include "collective.h"

typedef int part_of(const struct collective *c, int rank, int64_t *at);

/* Returns whether the buffer has a part for each rank; otherwise one part, or it does not count on this rank. */
static bool sends_parts(enum collective_op op)
{
	return op == COLLECTIVE_SCATTER || op == COLLECTIVE_ALLTOALL || op == COLLECTIVE_ALLTOALLV ||
	       op == COLLECTIVE_REDUCE_SCATTER;
}

static bool receives_parts(enum collective_op op)
{
	return op == COLLECTIVE_GATHER || op == COLLECTIVE_ALLGATHER || op == COLLECTIVE_ALLGATHERV ||
	       op == COLLECTIVE_ALLTOALL || op == COLLECTIVE_ALLTOALLV;
}

/* Returns whether the rank both sends and receives. */
static bool has_both(enum collective_op op, const struct collective *c)
{
	bool rooted = op == COLLECTIVE_GATHER || op == COLLECTIVE_SCATTER || op == COLLECTIVE_REDUCE;

	return op != COLLECTIVE_BCAST && !(rooted && c->rank != c->root) && !c->copy && c->send != VMPI_IN_PLACE &&
	       c->recv != VMPI_IN_PLACE && !comm_find(&c->v->comms, c->comm)->remote;
}

/* Sets the areas of a buffer, one for each rank or one alone, and returns their number. */
static size_t areas_of(const struct collective *c, struct area *a, const void *buf, const struct type *type, bool parts,
		       part_of *part)
{
	size_t n = parts ? (size_t)c->size : 1;

	for (size_t i = 0; i < n; i++) {
		a[i] = (struct area){.buf = buf, .type = type};
		a[i].count = part(c, (int)i, &a[i].at);
	}
	return n;
}

void collective_check_buffers(enum collective_op op, const struct collective *c)
{
	struct vmpi *v = c->v;
	const struct type *send = type_find(&v->types, c->send_type), *recv = type_find(&v->types, c->recv_type);
	struct area *a;
	size_t sends;
	int ret;

	if (!has_both(op, c) || !send || !recv || !p2p_has_buffer(v, c->send, send) ||
	    !p2p_has_buffer(v, c->recv, recv))
		return;
	a = mem_alloc(2 * (size_t)c->size, sizeof(*a), &v->err);
	if (!a)
		rank_stop(v);
	sends = areas_of(c, a, c->send, send, sends_parts(op), collective_send_part);
	ret = areas_meet(a, sends, a + sends,
			 areas_of(c, a + sends, c->recv, recv, receives_parts(op), collective_recv_part), &v->err);
	free(a);
	if (ret < 0)
		rank_stop(v);
	if (ret > 0)
		rank_error(v, 0, VMPI_ERR_BUFFER, "its two buffers overlap, expected separate ones, or MPI_IN_PLACE");
}
