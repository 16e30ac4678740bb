/*
 * Nonblocking collectives (MPI 3.1, 5.12). Each runs the blocking call's algorithm as a task with a clock and a
 * stack of its own, which the scheduler treats like a rank. So it progresses whatever its rank does, and costs its
 * rank only the call: the best case of a library with a progress thread. Its messages have their own tags: the n-th
 * nonblocking collective of a communicator has tag n on all ranks.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "collective.h"
#include "../vmpi_config.h"

enum { TASK_STACK = 64 << 10 }; /* unless a size is configured: of the program, only operations run on it */

static struct task *task_at(const struct vmpi *v, uint32_t i)
{
	return pool_at(&v->tasks, i);
}

/* ---- objects that a task holds ---- */

/* Holds a type; a type that is not significant in this call need not exist. */
static void hold_type(struct vmpi *v, VMPI_Datatype handle)
{
	struct type *t = type_find(&v->types, handle);

	if (t)
		t->tasks++;
}

static void hold(struct vmpi *v, const struct collective *c)
{
	comm_find(&v->comms, c->comm)->users++;
	hold_type(v, c->send_type);
	hold_type(v, c->recv_type);
	for (int i = 0; i < c->sends + c->receives; i++)
		hold_type(v, c->parts[i].type);
	if (c->op)
		v->ops.at[c->op].tasks++;
}

static void drop_type(struct vmpi *v, VMPI_Datatype handle)
{
	struct type *t = type_find(&v->types, handle);

	if (t && !--t->tasks && t->released)
		type_release(&v->types, handle);
}

static void drop(struct vmpi *v, const struct collective *c)
{
	drop_type(v, c->send_type);
	drop_type(v, c->recv_type);
	for (int i = 0; i < c->sends + c->receives; i++)
		drop_type(v, c->parts[i].type);
	scratch_give(v, c->parts);
	if (c->op && !--v->ops.at[c->op].tasks && v->ops.at[c->op].released)
		op_release(&v->ops, c->op);
	comm_release(&v->comms, c->comm);
}

/* ---- life cycle ---- */

static uint32_t make_request(struct vmpi *v, const struct collective *c)
{
	const struct rank *r = v->current;
	uint32_t i = v->msg.starting ? v->msg.starting : pool_take(&v->msg.requests, &v->err);

	if (v->msg.starting) {
		struct request *q = request_at(v, i);

		q->state = REQUEST_PENDING;
		q->posted = r->now;
		q->where = r->where;
		v->msg.starting = 0;
	} else if (i)
		*request_at(v, i) = (struct request){
			.state = REQUEST_PENDING,
			.kind = REQUEST_COLLECTIVE,
			.rank = r->world,
			.owner = rank_owner(v, r),
			.comm = c->comm,
			.type = type_hold(type_find(&v->types, VMPI_BYTE)),
			.posted = r->now,
			.where = r->where,
		};
	return i;
}

/* The tag of the running rank's next nonblocking collective; 0 with v->err. */
static int next_tag(struct vmpi *v, const struct collective *c)
{
	struct comm *comm = comm_find(&v->comms, c->comm);

	if (!comm->tasks_of) {
		comm->tasks_of = mem_alloc(comm->group->size, sizeof(*comm->tasks_of), &v->err);
		if (!comm->tasks_of)
			return 0;
	}
	return 1 + (int)(comm->tasks_of[c->rank]++ % ((1 << TASK_TAG_BITS) - 1));
}

static int task_start(enum collective_op op, struct collective *c)
{
	struct vmpi *v = c->v;
	struct rank *r = v->current;
	uint32_t i = pool_take(&v->tasks, &v->err);
	struct task *t;

	if (!i || (!c->tag && !(c->tag = next_tag(v, c))))
		return -1;
	rank_busy(v, r, v->overhead);
	t = task_at(v, i);
	t->self.rank = (struct rank){.world = r->world,
				     .index = v->size + i,
				     .now = r->now,
				     .node = r->node,
				     .nic = r->nic,
				     .gap = r->gap,
				     .call = r->call,
				     .where = r->where};
	if (ready_add_task(v, i) < 0)
		return -1;
	t->c = *c;
	t->op = op;
	t->self.origin = (struct origin){r->world, r->now};
	t->self.request = make_request(v, c);
	if (!t->self.request)
		return -1;
	*c->request = (VMPI_Request)t->self.request;
	hold(v, c);
	ready_push(v, &t->self.rank, t->self.rank.now);
	return 0;
}

int collective_start(enum collective_op op, struct collective *c)
{
	int64_t from;
	int ret;

	if (c->request) {
		if (task_start(op, c) < 0)
			rank_stop(c->v);
		return VMPI_SUCCESS;
	}
	from = c->v->current->now;
	ret = collective_run(op, c);
	collective_took(op, c, c->v->current->now - from);
	collective_finish(c);
	scratch_give(c->v, c->parts);
	c->parts = NULL;
	return ret;
}

void collective_finish(struct collective *c)
{
	collective_free(c, c->copy, c->recv_type);
	scratch_give(c->v, c->places);
	c->copy = NULL;
	c->places = NULL;
}

/* Entry point of a task's context. */
static void task_main(void *arg)
{
	struct vmpi *v = arg;
	struct task *t = (struct task *)v->current;

	context_begun(&t->self.rank.context, &v->main);
	collective_run(t->op, &t->c);
	collective_took(t->op, &t->c, t->self.rank.now - t->self.origin.time);
	origin_note(v, &v->msg.of_request, t->self.request);
	request_complete(v, t->self.request, t->self.rank.now,
			 &(struct vmpi_cause){CAUSE_COLLECTIVE, t->self.origin.rank, t->self.origin.time, 0});
	rank_end_task(v, &t->self.rank);
}

int task_begin(struct vmpi *v, struct rank *r)
{
	struct task *t = (struct task *)r;
	size_t bytes = v->cfg->ranks.stack ? stacks_usable(&v->stacks) : TASK_STACK;

	t->stack = mem_alloc(bytes, 1, &v->err);
	if (!t->stack)
		return -1;
	r->begun = true;
	context_init(&r->context, v->main.kind, t->stack, bytes, task_main, v);
	return 0;
}

void task_finish(struct vmpi *v, struct rank *r)
{
	struct task *t = (struct task *)r;

	assert(t->self.request && r->state == RANK_ENDED);
	collective_finish(&t->c);
	drop(v, &t->c); /* which frees the parts, too */
	free(t->stack);
	t->stack = NULL;
	t->self.request = 0;
	ready_drop_task(v, r->index - v->size);
	pool_give(&v->tasks, r->index - v->size);
}

void tasks_finish(struct vmpi *v)
{
	for (uint32_t i = 1; i < v->tasks.made; i++) {
		free(task_at(v, i)->stack);
	}
}
