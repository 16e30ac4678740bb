/* The table of algorithms, the choice among them, and the functions that algorithms use. */
#include "collective.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "algorithms.h"
#include "../vmpi_config.h"

static const struct collective_algorithm *const all[] = {
#define ALGORITHM(name) &name,
#include "../collective_ops.def"
#define COLLECTIVE(NAME, name, calls, measured) &table_##name,
#include "../collective_ops.def"
	NULL,
};

const struct collective_algorithm *const *collective_algorithms(void)
{
	return all;
}

static const char *const op_names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

/* "auto, ring, bruck" */
static void list_names(enum collective_op op, char *text, size_t size)
{
	int n = snprintf(text, size, "auto");

	for (const struct collective_algorithm *const *a = all; *a && n >= 0 && (size_t)n < size; a++)
		if ((*a)->op == op)
			n += snprintf(text + n, size - (size_t)n, ", %s", (*a)->name);
}

static int choose_one(const struct config *config, enum collective_op op, const char *name,
		      const struct collective_algorithm **chosen, struct err *e)
{
	char names[256], key[64];

	*chosen = NULL;
	if (strcmp(name, "auto") == 0)
		return 0;
	for (const struct collective_algorithm *const *a = all; *a; a++)
		if ((*a)->op == op && strcmp((*a)->name, name) == 0) {
			*chosen = *a;
			return 0;
		}
	list_names(op, names, sizeof(names));
	snprintf(key, sizeof(key), "collective_%s", op_names[op]);
	return err_set(e, STATUS_USAGE, "%s: mpi.%s: unknown algorithm '%s', expected %s",
		       config ? config_origin(config, "mpi", key) : "configuration", key, name, names);
}

int collective_choose(const struct config *config, const struct vmpi_config *cfg,
		      const struct collective_algorithm **chosen, struct err *e)
{
#define COLLECTIVE(NAME, name, calls, measured) \
	if (choose_one(config, COLLECTIVE_##NAME, cfg->mpi.collective_##name, &chosen[COLLECTIVE_##NAME], e) < 0) \
		return -1;
#include "../collective_ops.def"
	return 0;
}

/* Returns whether the operation takes its time from a table. */
static bool by_table(enum collective_op op, const struct collective *c)
{
	const struct collective_algorithm *chosen = c->v->chosen[op];

	if (!c->v->times[op] || c->size == 1)
		return false;
	return chosen ? !chosen->run : c->v->cfg->mpi.collectives == COLLECTIVES_TABLE;
}

static bool can_run(const struct collective_algorithm *a, const struct collective *c)
{
	return !a->can || a->can(c);
}

static const struct collective_algorithm *cheapest(enum collective_op op, const struct collective *c)
{
	const struct collective_algorithm *best = NULL;
	int64_t least = 0;

	for (const struct collective_algorithm *const *a = all; *a; a++)
		if ((*a)->op == op && (*a)->cost && can_run(*a, c)) {
			int64_t cost = (*a)->cost(c);

			if (!best || cost < least) {
				best = *a;
				least = cost;
			}
		}
	if (!best)
		bug("no algorithm for %s", op_names[op]);
	return best;
}

/*
 * The algorithm that an MPI library selects, or the cheapest. The choice is kept until the operation has other
 * arguments.
 */
static const struct collective_algorithm *automatic(enum collective_op op, struct collective *c)
{
	struct collective_choice *last = &c->v->choices[op];
	struct collective_choice now = {.bytes = c->bytes,
					.ctx = comm_find(&c->v->comms, c->comm)->ctx,
					.count = c->recv_count,
					.op = c->op,
					.uniform = c->uniform,
					.counts = c->recv_counts || c->send_counts};
	const struct collective_algorithm *selected = collective_selected(op, c);

	if (selected)
		return selected;
	if (last->algorithm && last->bytes == now.bytes && last->ctx == now.ctx && last->count == now.count &&
	    last->op == now.op && last->uniform == now.uniform && last->counts == now.counts)
		return last->algorithm;
	now.algorithm = cheapest(op, c);
	*last = now;
	return now.algorithm;
}

int collective_run(enum collective_op op, struct collective *c)
{
	const struct collective_algorithm *chosen = c->v->chosen[op];

	if (c->body)
		return c->body(c);
	if (comm_find(&c->v->comms, c->comm)->remote)
		return inter_run(op, c);
	if (collective_tree_carries(op, c)) {
		rank_busy(c->v, c->v->current, c->v->overhead);
		collective_by_table(op, c);
		return VMPI_SUCCESS;
	}
	if (by_table(op, c)) {
		collective_by_table(op, c);
		return VMPI_SUCCESS;
	}
	if (chosen && chosen->run && can_run(chosen, c))
		return chosen->run(c);
	return automatic(op, c)->run(c);
}

void collective_barrier(struct vmpi *v, VMPI_Comm comm)
{
	struct collective c = {.v = v,
			       .comm = comm,
			       .rank = (int)comm_local(v, comm),
			       .size = (int)comm_find(&v->comms, comm)->group->size};

	collective_run(COLLECTIVE_BARRIER, &c);
}

/* ---- messages ---- */

static struct p2p collective_message(const struct collective *c, const void *buf, int count, VMPI_Datatype type,
				     int peer)
{
	return (struct p2p){.buf = (void *)(uintptr_t)buf,
			    .count = count,
			    .datatype = type,
			    .peer = peer,
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

void collective_wait(struct collective *c, VMPI_Request *requests, int count)
{
	request_wait_all(c->v, requests, count);
	for (int i = 0; i < count; i++)
		request_finish(c->v, &requests[i], NULL);
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
		rank_fail(c->v);
		return;
	}
	type_pack(f, from_count, from, packed);
	type_unpack(t, to_count, to, packed, bytes);
	free(packed);
}

void collective_combine(struct collective *c, const void *in, void *inout, int count)
{
	if (in && inout && count > 0 && c->v->cfg->mpi.payload)
		op_apply(&c->v->ops, c->op, type_find(&c->v->types, c->recv_type), count, in, inout);
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
