/*
 * Calls: collective operations. They check arguments and resolve IN_PLACE; algorithms see struct collective
 * (collectives/collective.h).
 *
 * IN_PLACE remains for the algorithms as `send` of Gather (at root), Allgather, Reduce (at root), Allreduce,
 * Reduce_scatter and Scan, and as `recv` of Scatter (at root). All-to-all gets a copy of its buffer instead.
 *
 * Each operation is written once, in its nonblocking form; without a request it blocks. Both forms come from
 * ../api/collective_calls.def.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../message/message.h"
#include "../message/run_checks.h"
#include "../message/collective_events.h"

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

/* Checks a list of `size` counts, which may be NULL: none is negative. */
static int check_counts(struct vmpi *v, VMPI_Comm comm, const int *counts, int size)
{
	for (int i = 0; counts && i < size; i++)
		if (counts[i] < 0)
			return rank_error(v, comm, VMPI_ERR_COUNT, "count %d: expected 0 or more", counts[i]);
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
	if (!ret)
		ret = check_counts(v, c->comm, c->send_counts, c->size);
	if (!ret)
		ret = check_counts(v, c->comm, c->recv_counts, c->size);
	if (ret) {
		collective_finish(c);
		return ret;
	}
	for (int i = 0; counts && i < c->size; i++)
		most = counts[i] > most ? counts[i] : most;
	t = type_find(&v->types, of_send ? c->send_type : c->recv_type);
	c->bytes = most * t->size;
	if (__builtin_expect(v->checks != NULL, 0)) {
		check_collective(v, c->comm, c->root, c->op, lengths_agree(op, c) ? c->bytes : -1, t);
		collective_check_buffers(op, c);
	}
	return collective_start(op, c);
}

/* ---- gather and scatter ---- */

static void set_sent(struct collective *c, const struct collective_args *a)
{
	c->send = a->in;
	c->send_count = a->in_count;
	c->send_counts = a->in_counts;
	c->send_displs = a->in_places;
	c->send_type = a->in_type;
}

static void set_received(struct collective *c, const struct collective_args *a)
{
	c->recv = a->out;
	c->recv_count = a->out_count;
	c->recv_counts = a->out_counts;
	c->recv_displs = a->out_places;
	c->recv_type = a->out_type;
}

/* Nothing is given, or is got: the buffer stays, as it may be IN_PLACE. */
static void drop_sent(struct collective *c)
{
	c->send_count = 0;
	c->send_counts = NULL;
	c->send_type = VMPI_BYTE;
}

static void drop_received(struct collective *c)
{
	c->recv_count = 0;
	c->recv_counts = NULL;
	c->recv_type = VMPI_BYTE;
}

/* Returns whether the rank is the root; between two groups the root says so. */
static bool is_root(const struct collective *c)
{
	return comm_find(&c->v->comms, c->comm)->remote ? c->root == VMPI_ROOT : c->rank == c->root;
}

static int start_barrier(struct collective *c, const struct collective_args *a)
{
	if (__builtin_expect(c->v->checks != NULL, 0))
		check_collective(c->v, a->comm, 0, 0, -1, NULL);
	return collective_start(COLLECTIVE_BARRIER, c);
}

static int start_bcast(struct collective *c, const struct collective_args *a)
{
	set_received(c, a);
	return run_collective(c->v, COLLECTIVE_BCAST, c, false);
}

static int start_gather(struct collective *c, const struct collective_args *a)
{
	bool root = is_root(c);

	set_sent(c, a);
	set_received(c, a);
	c->uniform = !(a->has & BIT(OUT_COUNTS));
	if (!root)
		drop_received(c);
	if (root && (c->root == VMPI_ROOT || a->in == VMPI_IN_PLACE))
		drop_sent(c);
	return run_collective(c->v, COLLECTIVE_GATHER, c, !root);
}

static int start_scatter(struct collective *c, const struct collective_args *a)
{
	bool root = is_root(c);

	set_sent(c, a);
	set_received(c, a);
	c->uniform = !(a->has & BIT(IN_COUNTS));
	if (!root)
		drop_sent(c);
	if (root && (c->root == VMPI_ROOT || a->out == VMPI_IN_PLACE))
		drop_received(c);
	return run_collective(c->v, COLLECTIVE_SCATTER, c, root);
}

/* ---- all to all ---- */

static void set_both(struct collective *c, const struct collective_args *a)
{
	set_sent(c, a);
	set_received(c, a);
	if (a->in == VMPI_IN_PLACE) {
		c->send_count = 0;
		c->send_type = VMPI_BYTE;
	}
}

static int start_allgather(struct collective *c, const struct collective_args *a)
{
	set_both(c, a);
	return run_collective(c->v, COLLECTIVE_ALLGATHER, c, false);
}

static int start_allgatherv(struct collective *c, const struct collective_args *a)
{
	set_both(c, a);
	return run_collective(c->v, COLLECTIVE_ALLGATHERV, c, false);
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

static int start_alltoall(struct collective *c, const struct collective_args *a)
{
	int ret = check_type(c->v, a->comm, a->out_count, a->out_type);

	if (ret)
		return ret;
	set_both(c, a);
	if (a->in == VMPI_IN_PLACE)
		copy_in_place(c, (int64_t)a->out_count * c->size);
	return run_collective(c->v, COLLECTIVE_ALLTOALL, c, true);
}

static int start_alltoallv(struct collective *c, const struct collective_args *a)
{
	int ret = check_type(c->v, a->comm, 0, a->out_type);

	if (!ret)
		ret = check_counts(c->v, a->comm, a->out_counts, c->size);
	if (ret)
		return ret;
	set_both(c, a);
	if (a->in == VMPI_IN_PLACE) {
		int64_t end = 0;

		for (int i = 0; i < c->size; i++)
			end = a->out_places[i] + (int64_t)a->out_counts[i] > end
				      ? a->out_places[i] + (int64_t)a->out_counts[i]
				      : end;
		copy_in_place(c, end);
	}
	return run_collective(c->v, COLLECTIVE_ALLTOALLV, c, true);
}

/* ---- reductions ---- */

static int reduce(enum collective_op op, struct collective *c, const struct collective_args *a, int count)
{
	struct vmpi *v = c->v;
	int ret = check_type(v, c->comm, count, a->out_type);

	if (ret)
		return ret;
	if (!op_exists(&v->ops, a->op))
		return rank_error(v, c->comm, VMPI_ERR_OP, "unknown operation %d", a->op);
	if (!op_allows(&v->ops, a->op, type_find(&v->types, a->out_type)))
		return rank_error(v, c->comm, VMPI_ERR_OP, "operation %d is not defined for datatype %d", a->op,
				  a->out_type);
	c->send = a->in;
	c->recv = a->out;
	c->recv_count = count;
	c->send_count = count;
	c->recv_type = c->send_type = a->out_type;
	c->op = a->op;
	return run_collective(v, op, c, false);
}

static int start_reduce(struct collective *c, const struct collective_args *a)
{
	return reduce(COLLECTIVE_REDUCE, c, a, a->out_count);
}

static int start_allreduce(struct collective *c, const struct collective_args *a)
{
	return reduce(COLLECTIVE_ALLREDUCE, c, a, a->out_count);
}

static int start_scan(struct collective *c, const struct collective_args *a)
{
	return reduce(COLLECTIVE_SCAN, c, a, a->out_count);
}

static int start_exscan(struct collective *c, const struct collective_args *a)
{
	c->exclusive = true;
	return start_scan(c, a);
}

static int start_reduce_scatter(struct collective *c, const struct collective_args *a)
{
	int *at, size = (int)comm_find(&c->v->comms, a->comm)->group->size;
	int ret = check_counts(c->v, a->comm, a->out_counts, size);
	int64_t sum = 0;

	for (int i = 0; i < size && !ret; i++)
		sum += a->out_counts[i];
	if (!ret && sum > INT_MAX)
		ret = rank_error(c->v, a->comm, VMPI_ERR_COUNT, "counts of %" PRId64 " in all: expected at most %d",
				 sum, INT_MAX);
	if (ret)
		return ret;
	at = c->places = scratch_take(c->v, (size_t)size, sizeof(*at));
	for (int i = 1; i < size; i++)
		at[i] = at[i - 1] + a->out_counts[i - 1];
	c->send_counts = a->out_counts;
	c->send_displs = at;
	return reduce(COLLECTIVE_REDUCE_SCATTER, c, a, a->out_counts[c->rank]);
}

static int start_reduce_scatter_block(struct collective *c, const struct collective_args *a)
{
	return reduce(COLLECTIVE_REDUCE_SCATTER, c, a, a->out_count);
}

/* ---- the calls ---- */

static const struct collective_row {
	uint16_t blocking, nonblocking; /* enum call_id */
	int (*start)(struct collective *c, const struct collective_args *a);
} rows[] = {
#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, ...) {CALL_##name, CALL_##begin, start_##start},
#include "../api/collective_calls.def"
};

int collective_call(struct vmpi *v, enum collective_event_id id, const struct collective_args *a, VMPI_Request *request)
{
	struct collective c;
	int ret =
		begin_collective(v, request ? rows[id].nonblocking : rows[id].blocking, a->comm, a->root, request, &c);

	if (ret)
		return ret;
	c.tag = a->number;
	return rows[id].start(&c, a);
}

#define TRACED(name, begin, arguments, doc, start, event, ...) \
	int vmpi_##begin(struct vmpi *v PARAMETERS(arguments), VMPI_Request *request) \
	{ \
		struct collective_args a = GATHERED(arguments); \
\
		return collective_call(v, COLLECTIVE_EVENT_##event, &a, request); \
	}
#include "../api/collective_calls.def"
#undef COLLECTIVE

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
		rank_stop(v);
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
