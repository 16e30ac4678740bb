/* Calls: one-sided operations (MPI 3.1, 11.3). Each has a form with a request. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "window_calls.h"

/* A buffer: of the origin, of a result, or at the target. */
struct side {
	const void *buf;
	int count;
	VMPI_Datatype datatype;
};
struct access {
	enum window_op_kind kind;
	struct side origin, result, target; /* .buf of the target is unused */
	const void *compare;
	int rank;
	VMPI_Aint disp;
	VMPI_Op op;
	VMPI_Win win;
	VMPI_Request *request; /* NULL: none */
};

static int check_side(struct vmpi *v, const struct window_part *p, VMPI_Win win, const struct side *s)
{
	const struct type *t = type_find(&v->types, s->datatype);

	if (!t || !t->committed)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_TYPE, "datatype %d %s", s->datatype,
				     t ? "is not committed" : "is unknown");
	if (s->count < 0)
		return rank_error_by(v, p->errhandler, win, VMPI_ERR_COUNT, "count %d: expected 0 or more", s->count);
	return VMPI_SUCCESS;
}

static int check_target_range(struct vmpi *v, const struct window_part *p, const struct window_part *to,
			      const struct access *a, const char *address)
{
	const struct type *t = type_find(&v->types, a->target.datatype);
	int64_t over = (a->target.count - 1) * (t->ub - t->lb);

	if (!a->target.count || !t->elements)
		return VMPI_SUCCESS;
	if (window_contains(to, address, t->true_lb + (over < 0 ? over : 0), t->true_ub + (over > 0 ? over : 0)))
		return VMPI_SUCCESS;
	if (to->flavor == VMPI_WIN_FLAVOR_DYNAMIC &&
	    rank_is_away(v, group_world(comm_find(&v->comms, window_find(v, a->win)->comm)->group, (uint32_t)a->rank)))
		run_needs_all(v, "a window whose memory changes");
	return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_RMA_RANGE,
			     "displacement %ld: outside of the window of rank %d, which has %ld bytes", (long)a->disp,
			     a->rank, (long)to->size);
}

static int check_op(struct vmpi *v, const struct window_part *p, const struct access *a)
{
	const struct type *t = type_find(&v->types, a->target.datatype);
	bool combines = a->kind == WINDOW_ACCUMULATE || a->kind == WINDOW_GET_ACCUMULATE;
	bool plain = a->op == VMPI_REPLACE || a->op == VMPI_NO_OP;

	if (!combines)
		return VMPI_SUCCESS;
	if (a->op <= 0 || a->op >= OP_COUNT)
		return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_OP, "operation %d: expected a predefined one",
				     a->op);
	if (!plain && (!t->basic || !op_allows(&v->ops, a->op, &v->types.basic[t->basic])))
		return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_OP,
				     "operation %d is not defined for datatype %d", a->op, a->target.datatype);
	return VMPI_SUCCESS;
}

static int check_operation(struct vmpi *v, const struct window *w, const struct window_part *p, const struct access *a)
{
	bool uses_origin = a->kind != WINDOW_GET && a->op != VMPI_NO_OP;
	bool has_result = a->kind != WINDOW_PUT && a->kind != WINDOW_ACCUMULATE;
	int64_t bytes, other;
	int ret;

	if (a->rank < 0 || (uint32_t)a->rank >= w->size)
		return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_RANK, "target %d: expected 0 to %u", a->rank,
				     w->size - 1);
	if (!window_accessible(v, w, p, (uint32_t)a->rank))
		return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_RMA_SYNC,
				     "no access to rank %d, expected Win_fence, Win_start or Win_lock before", a->rank);
	ret = check_side(v, p, a->win, &a->target);
	if (ret == VMPI_SUCCESS && uses_origin)
		ret = check_side(v, p, a->win, &a->origin);
	if (ret == VMPI_SUCCESS && has_result)
		ret = check_side(v, p, a->win, &a->result);
	if (ret == VMPI_SUCCESS)
		ret = check_op(v, p, a);
	if (ret)
		return ret;
	bytes = a->target.count * type_find(&v->types, a->target.datatype)->size;
	other = uses_origin ? a->origin.count * type_find(&v->types, a->origin.datatype)->size : bytes;
	if (other == bytes && has_result)
		other = a->result.count * type_find(&v->types, a->result.datatype)->size;
	if (other != bytes)
		return rank_error_by(v, p->errhandler, a->win, VMPI_ERR_SIZE,
				     "%lld bytes at the origin, %lld at the target: expected the same",
				     (long long)other, (long long)bytes);
	return VMPI_SUCCESS;
}

/* A packed copy of a buffer; NULL: it has no data. */
static char *pack(struct vmpi *v, const struct side *s)
{
	const struct type *t = type_find(&v->types, s->datatype);
	size_t bytes = (size_t)(s->count * t->size);
	char *packed;

	if (!bytes || !p2p_has_buffer(v, s->buf, t))
		return NULL;
	packed = mem_alloc(bytes, 1, &v->err);
	if (!packed)
		rank_stop(v);
	type_pack(t, s->count, s->buf, packed);
	return packed;
}

static void fill_operation(struct vmpi *v, struct window_op *o, const struct access *a)
{
	struct type *t = type_find(&v->types, a->target.datatype);
	uint64_t bytes = (uint64_t)(a->target.count * t->size);

	o->op = a->op;
	o->count = a->target.count;
	o->type = type_hold(t);
	if (a->kind != WINDOW_GET && a->op != VMPI_NO_OP) {
		o->bytes = bytes;
		o->data = pack(v, &a->origin);
	}
	if (a->compare) {
		struct side compare = {a->compare, 1, a->origin.datatype};

		o->compare = pack(v, &compare);
	}
	if (a->kind != WINDOW_PUT && a->kind != WINDOW_ACCUMULATE) {
		struct type *r = type_find(&v->types, a->result.datatype);

		o->result_bytes = bytes;
		o->result_type = type_hold(r);
		o->result_count = a->result.count;
		if (p2p_has_buffer(v, a->result.buf, r))
			o->result_address = (char *)(uintptr_t)a->result.buf;
	}
}

static int begin_operation(struct vmpi *v, enum call_id call, const struct access *a)
{
	int ret;
	struct window_part *p, *to;
	struct window *w = window_enter(v, call, a->win, &p, &ret);
	char *address;
	uint32_t i;

	if (!w)
		return ret;
	rank_busy(v, v->current, v->overhead);
	if (a->rank == VMPI_PROC_NULL) {
		if (a->request) {
			*a->request = (VMPI_Request)request_general(v, NULL);
			request_complete(v, (uint32_t)*a->request, v->current->now, NULL);
		}
		return VMPI_SUCCESS;
	}
	ret = check_operation(v, w, p, a);
	if (ret)
		return ret;
	to = &w->part[a->rank];
	address = (char *)((to->flavor == VMPI_WIN_FLAVOR_DYNAMIC ? 0 : (uintptr_t)to->base) +
			   (uintptr_t)(a->disp * to->disp_unit));
	ret = check_target_range(v, p, to, a, address);
	if (ret)
		return ret;
	i = window_op_make(v, a->win, a->kind, (uint32_t)a->rank);
	window_op_at(v, i)->address = address;
	fill_operation(v, window_op_at(v, i), a);
	if (a->request) {
		window_op_at(v, i)->request = request_general(v, NULL);
		*a->request = (VMPI_Request)window_op_at(v, i)->request;
	}
	window_op_start(v, i);
	return VMPI_SUCCESS;
}

#define ORIGIN \
	{ \
		origin_addr, origin_count, origin_datatype \
	}
#define TARGET \
	{ \
		NULL, target_count, target_datatype \
	}
#define RESULT \
	{ \
		result_addr, result_count, result_datatype \
	}
#define ORIGIN_PARAMS(constant) constant void *origin_addr, int origin_count, VMPI_Datatype origin_datatype
#define RESULT_PARAMS void *result_addr, int result_count, VMPI_Datatype result_datatype
#define TARGET_PARAMS int target_rank, VMPI_Aint target_disp, int target_count, VMPI_Datatype target_datatype
/* The operation of a call at its target; the other arguments are the fields of struct access besides those. */
#define BEGIN_AT_TARGET(name, ...) \
	begin_operation( \
		v, CALL_##name, \
		&(struct access){.target = TARGET, .rank = target_rank, .disp = target_disp, .win = win, __VA_ARGS__})

int vmpi_Put(struct vmpi *v, ORIGIN_PARAMS(const), TARGET_PARAMS, VMPI_Win win)
{
	return BEGIN_AT_TARGET(Put, .kind = WINDOW_PUT, .origin = ORIGIN);
}

int vmpi_Rput(struct vmpi *v, ORIGIN_PARAMS(const), TARGET_PARAMS, VMPI_Win win, VMPI_Request *request)
{
	return BEGIN_AT_TARGET(Rput, .kind = WINDOW_PUT, .origin = ORIGIN, .request = request);
}

int vmpi_Get(struct vmpi *v, ORIGIN_PARAMS(), TARGET_PARAMS, VMPI_Win win)
{
	return BEGIN_AT_TARGET(Get, .kind = WINDOW_GET, .result = ORIGIN);
}

int vmpi_Rget(struct vmpi *v, ORIGIN_PARAMS(), TARGET_PARAMS, VMPI_Win win, VMPI_Request *request)
{
	return BEGIN_AT_TARGET(Rget, .kind = WINDOW_GET, .result = ORIGIN, .request = request);
}

int vmpi_Accumulate(struct vmpi *v, ORIGIN_PARAMS(const), TARGET_PARAMS, VMPI_Op op, VMPI_Win win)
{
	return BEGIN_AT_TARGET(Accumulate, .kind = WINDOW_ACCUMULATE, .origin = ORIGIN, .op = op);
}

int vmpi_Raccumulate(struct vmpi *v, ORIGIN_PARAMS(const), TARGET_PARAMS, VMPI_Op op, VMPI_Win win,
		     VMPI_Request *request)
{
	return BEGIN_AT_TARGET(Raccumulate, .kind = WINDOW_ACCUMULATE, .origin = ORIGIN, .op = op, .request = request);
}

int vmpi_Get_accumulate(struct vmpi *v, ORIGIN_PARAMS(const), RESULT_PARAMS, TARGET_PARAMS, VMPI_Op op, VMPI_Win win)
{
	return BEGIN_AT_TARGET(Get_accumulate, .kind = WINDOW_GET_ACCUMULATE, .origin = ORIGIN, .result = RESULT,
			       .op = op);
}

int vmpi_Rget_accumulate(struct vmpi *v, ORIGIN_PARAMS(const), RESULT_PARAMS, TARGET_PARAMS, VMPI_Op op, VMPI_Win win,
			 VMPI_Request *request)
{
	return BEGIN_AT_TARGET(Rget_accumulate, .kind = WINDOW_GET_ACCUMULATE, .origin = ORIGIN, .result = RESULT,
			       .op = op, .request = request);
}

int vmpi_Fetch_and_op(struct vmpi *v, const void *origin_addr, void *result_addr, VMPI_Datatype datatype,
		      int target_rank, VMPI_Aint target_disp, VMPI_Op op, VMPI_Win win)
{
	return begin_operation(v, CALL_Fetch_and_op,
			       &(struct access){.kind = WINDOW_GET_ACCUMULATE,
						.origin = {origin_addr, 1, datatype},
						.result = {result_addr, 1, datatype},
						.target = {NULL, 1, datatype},
						.rank = target_rank,
						.disp = target_disp,
						.op = op,
						.win = win});
}

int vmpi_Compare_and_swap(struct vmpi *v, const void *origin_addr, const void *compare_addr, void *result_addr,
			  VMPI_Datatype datatype, int target_rank, VMPI_Aint target_disp, VMPI_Win win)
{
	return begin_operation(v, CALL_Compare_and_swap,
			       &(struct access){.kind = WINDOW_COMPARE,
						.origin = {origin_addr, 1, datatype},
						.result = {result_addr, 1, datatype},
						.target = {NULL, 1, datatype},
						.compare = compare_addr,
						.rank = target_rank,
						.disp = target_disp,
						.win = win});
}
