/* Windows and one-sided operations: mpi_window.h. */
#include "mpi_window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../host/loaded.h"
#include "../vmpi_config.h"

/* ---- windows ---- */

static void op_finish(struct window_op *o)
{
	if (o->type)
		type_drop(o->type);
	if (o->result_type)
		type_drop(o->result_type);
	free(o->data);
	free(o->compare);
	free(o->result);
	*o = (struct window_op){0};
}

static void window_free(struct window *w)
{
	for (uint32_t i = 0; w && w->part && i < w->size; i++) {
		struct window_part *p = &w->part[i];

		if (p->own_memory)
			free(p->base);
		free(p->regions.at);
		free(p->waiting.at);
		free(p->posted);
		free(p->held);
		group_drop(p->exposed);
		group_drop(p->accessed);
	}
	if (w) {
		free(w->part);
		free(w->shared);
	}
	free(w);
}

void windows_destroy(struct windows *w)
{
	if (!w)
		return;
	for (uint32_t i = 1; i < w->ops.made; i++)
		op_finish(pool_at(&w->ops, i));
	for (int i = 0; w->at && i < w->count; i++)
		window_free(w->at[i]);
	pool_finish(&w->ops);
	vec_finish(&w->early);
	free(w->results);
	free(w->at);
	free(w);
}

struct windows *window_table(struct vmpi *v)
{
	struct windows *w = v->msg.windows;

	if (!w) {
		w = mem_alloc(1, sizeof(*w), &v->err);
		if (!w)
			return NULL;
		w->count = 1;
		pool_init(&w->ops, sizeof(struct window_op));
		v->msg.windows = w;
	}
	if (w->count >= w->room) {
		int room = w->room ? 2 * w->room : 8;
		struct window **at = mem_resize(w->at, (size_t)room, sizeof(struct window *), &v->err);

		if (!at)
			return NULL;
		w->at = at;
		w->room = room;
		w->at[0] = NULL;
	}
	return w;
}

int window_of_comm(struct vmpi *v, VMPI_Comm comm)
{
	struct windows *w = window_table(v);
	struct window *new;

	if (!w)
		return 0;
	for (int i = w->count - 1; i > 0; i--)
		if (w->at[i] && w->at[i]->comm == comm)
			return i;
	new = mem_alloc(1, sizeof(*new), &v->err);
	if (!new)
		return 0;
	new->comm = comm;
	new->key = comm_find(&v->comms, comm)->key;
	new->size = comm_find(&v->comms, comm)->group->size;
	new->users = v->divided ? comm_find(&v->comms, comm)->here : new->size;
	new->part = mem_alloc(new->size, sizeof(*new->part), &v->err);
	if (!new->part) {
		free(new);
		return 0;
	}
	w->at[w->count] = new;
	remote_window_made(v, new);
	return w->count++;
}

void window_release(struct vmpi *v, int handle)
{
	struct window *w = window_find(v, handle);

	if (--w->users)
		return;
	v->msg.windows->at[handle] = NULL;
	window_free(w);
}

bool window_contains(const struct window_part *p, const char *address, int64_t first, int64_t end)
{
	uintptr_t from = (uintptr_t)address + (uintptr_t)first, to = (uintptr_t)address + (uintptr_t)end;

	if (p->flavor != VMPI_WIN_FLAVOR_DYNAMIC)
		return from >= (uintptr_t)p->base && to <= (uintptr_t)p->base + (uintptr_t)p->size;
	for (size_t i = 0; i < p->regions.count; i++)
		if (from >= (uintptr_t)p->regions.at[i].base &&
		    to <= (uintptr_t)p->regions.at[i].base + (uintptr_t)p->regions.at[i].size)
			return true;
	return false;
}

bool window_accessible(const struct vmpi *v, const struct window *w, const struct window_part *p, uint32_t rank)
{
	if (p->fenced || p->all_held || (p->held && p->held[rank]))
		return true;
	return p->accessed && group_local(p->accessed, group_world(comm_find(&v->comms, w->comm)->group, rank)) >= 0;
}

/* ---- waiting ---- */

static uint32_t window_world_of(const struct vmpi *v, const struct window *w, uint32_t local)
{
	return group_world(comm_find(&v->comms, w->comm)->group, local);
}

struct window_waiter {
	bool (*until)(const struct vmpi *v, struct window_part *p);
	int64_t target;
	bool sent;
	uint32_t index; /* of the rank or thread, on whose stack this is */
	struct window_waiter *next;
};

static bool window_holds(const struct vmpi *v, struct window_part *p, const struct window_waiter *x)
{
	p->wait_target = x->target;
	p->wait_sent = x->sent;
	return x->until(v, p);
}

void window_wait(struct vmpi *v, struct window_part *p, bool (*until)(const struct vmpi *v, struct window_part *p),
		 int64_t target, bool sent)
{
	struct rank *r = v->current;
	struct window_waiter x = {until, target, sent, r->index, p->waiters};
	struct wait w = {.kind = WAIT_WINDOW};

	if (window_holds(v, p, &x))
		return;
	p->waiters = &x;
	r->pending = 1;
	rank_wait(v, r, &w);
}

/* Something happened to the part of local rank `local`: its rank's threads go on if they waited for that. */
static void check_wait(struct vmpi *v, const struct window *w, uint32_t local, uint32_t peer, int64_t began,
		       int64_t time)
{
	struct window_part *p = &w->part[local];

	for (struct window_waiter **at = &p->waiters; *at;) {
		struct window_waiter *x = *at;

		if (!window_holds(v, p, x)) {
			at = &x->next;
			continue;
		}
		*at = x->next;
		rank_wake(v, rank_by_index(v, x->index), time,
			  &(struct vmpi_cause){CAUSE_SENT, window_world_of(v, w, peer), began,
					       v->cfg->mpi.control_bytes});
	}
}

bool window_flushed(const struct vmpi *v, struct window_part *p)
{
	for (uint32_t i = p->first; i; i = window_op_at(v, i)->next) {
		const struct window_op *o = window_op_at(v, i);
		bool reads = o->kind != WINDOW_PUT && o->kind != WINDOW_ACCUMULATE;

		if ((p->wait_target < 0 || o->target == (uint32_t)p->wait_target) &&
		    !(p->wait_sent && o->sent && !reads))
			return false;
	}
	return true;
}

/* ---- sending ---- */

uint32_t window_op_make(struct vmpi *v, int window, enum window_op_kind kind, uint32_t target)
{
	uint32_t i = pool_take(&v->msg.windows->ops, &v->err);

	if (!i)
		rank_stop(v);
	*window_op_at(v, i) = (struct window_op){
		.kind = (uint8_t)kind,
		.window = window,
		.origin = comm_local(v, window_find(v, window)->comm),
		.target = target,
		.mark = (uint32_t)message_origin(v),
		.began = v->current->now,
	};
	return i;
}

static bool is_control(const struct window_op *o)
{
	return o->kind >= WINDOW_LOCK;
}

/*
 * The observer sees the message of an operation, at its origin's call, and that of what it reads, but no control
 * messages. The first has the number among its origin's messages; the others are counted by themselves.
 */
static int show_message(struct vmpi *v, const struct window_op *o, struct message *m, int64_t time)
{
	const struct vmpi_observer *seen = v->setup.observer;

	if (!seen || !seen->message || is_control(o) || (m->late && !o->result_bytes))
		return 0;
	if (m->late && !v->msg.windows->results)
		v->msg.windows->results = mem_alloc(v->size, sizeof(*v->msg.windows->results), &v->err);
	if (m->late && !v->msg.windows->results)
		return run_fail(v);
	m->serial = m->late ? SERIAL_RESULT | ++v->msg.windows->results[m->src] : v->ranks[m->src].messages;
	if (m->late)
		passing_answers(v, m, time);
	else
		passing_sent(v, m);
	return 0;
}

/* Sends a message of the operation to its target, or back from there. 0, or -1: the run has failed. */
static int transmit_part(struct vmpi *v, uint32_t op, bool back, uint64_t bytes, bool control, int64_t time)
{
	const struct window_op *o = window_op_at(v, op);
	const struct window *w = window_find(v, o->window);
	uint32_t src = window_world_of(v, w, back ? o->target : o->origin);
	uint32_t dst = window_world_of(v, w, back ? o->origin : o->target);
	uint32_t i = pool_get(&v->msg.messages, &v->err);
	struct net_message n = {.id = i,
				.src = v->ranks[src].node,
				.dst = v->ranks[dst].node,
				.nic = NET_NIC_ANY,
				.bytes = bytes,
				.control = control,
				.from = src,
				.to = dst,
				.mark = o->mark};

	if (!i)
		return run_fail(v);
	*message_at(v, i) = (struct message){.src = src,
					     .dst = dst,
					     .nic = NET_NIC_ANY,
					     .bytes = bytes,
					     .began = o->began,
					     .recv = op,
					     .late = back,
					     .phase = PHASE_WINDOW};
	if (show_message(v, o, message_at(v, i), time) < 0)
		return -1;
	if (rank_is_away(v, dst)) {
		(back ? remote_window_result : remote_window_op)(v, i, op);
		n.mark = message_at(v, i)->mark;
	}
	return v->setup.kind->send(v->setup.engine, time, &n, &v->err) < 0 ? run_fail(v) : 0;
}

void window_op_append(struct vmpi *v, struct window_part *p, uint32_t op)
{
	struct window_op *o = window_op_at(v, op);

	o->before = p->last;
	o->next = 0;
	if (p->last)
		window_op_at(v, p->last)->next = op;
	else
		p->first = op;
	p->last = op;
}

static void unlink_op(struct vmpi *v, struct window_part *p, const struct window_op *o)
{
	if (o->before)
		window_op_at(v, o->before)->next = o->next;
	else
		p->first = o->next;
	if (o->next)
		window_op_at(v, o->next)->before = o->before;
	else
		p->last = o->before;
}

void window_op_start(struct vmpi *v, uint32_t op)
{
	struct window_op *o = window_op_at(v, op);
	struct rank *r = v->current;

	o->began = r->now;
	if (!is_control(o)) {
		window_op_append(v, &window_find(v, o->window)->part[o->origin], op);
		r->messages++;
		r->bytes += o->bytes;
	}
	transmit_part(v, op, false, o->bytes ? o->bytes : v->cfg->mpi.control_bytes, o->bytes == 0, r->now);
}

/* ---- applying operations at the target ---- */

/* The basic type of all elements, or that of a pair. */
static struct type *element_of(const struct vmpi *v, const struct type *t)
{
	return t->basic ? &v->types.basic[t->basic] : &v->types.basic[BASIC_BYTE];
}

/* Combines packed data with packed data of the target: old = data op old. Pairs have gaps that packed data have not. */
static int combine_bytes(struct vmpi *v, const struct window_op *o, char *old)
{
	struct type *t = element_of(v, o->type);
	int64_t n = t->size ? (int64_t)o->bytes / t->size : 0, extent = t->ub - t->lb;
	char *a, *b;

	if (t->size == extent) {
		op_apply(&v->ops, o->op, t, (int)n, o->data, old);
		return 0;
	}
	a = mem_alloc((size_t)n + 1, (size_t)extent, &v->err);
	b = mem_alloc((size_t)n + 1, (size_t)extent, &v->err);
	if (a && b) {
		type_unpack(t, n, a, o->data, o->bytes);
		type_unpack(t, n, b, old, o->bytes);
		op_apply(&v->ops, o->op, t, (int)n, a, b);
		type_pack(t, n, b, old);
	}
	free(a);
	free(b);
	return a && b ? 0 : run_fail(v);
}

/* Makes the variables of a rank those in memory: a window may be among them. */
static int enter_memory(struct vmpi *v, uint32_t world)
{
	if (globals_enter(&v->loaded->globals, world, &v->err) < 0 ||
	    globals_enter(&v->loaded->thread_locals, world, &v->err) < 0)
		return run_fail(v);
	return 0;
}

/* Returns whether memory of an operation from elsewhere was detached since the origin has looked. */
static bool is_detached(const struct window_part *p, const struct window_op *o)
{
	const struct type *t = o->type;
	int64_t over = (o->count - 1) * (t->ub - t->lb);

	return p->flavor == VMPI_WIN_FLAVOR_DYNAMIC && t->elements &&
	       !window_contains(p, o->address, t->true_lb + (over < 0 ? over : 0), t->true_ub + (over > 0 ? over : 0));
}

/* Applies the operation to the target's memory. 0, or -1: the run has failed. */
static int apply_data(struct vmpi *v, struct window_op *o)
{
	uint64_t bytes = (uint64_t)(o->count * o->type->size);
	const struct window_part *p = &window_find(v, o->window)->part[o->target];
	char *old = NULL;
	int ret = 0;

	if (!bytes || !v->cfg->mpi.payload || (!p->base && p->flavor != VMPI_WIN_FLAVOR_DYNAMIC))
		return 0; /* windows of a replayed trace have no memory */
	if (o->away && is_detached(p, o))
		return run_needs_all(v, "a window whose memory changes");
	if (enter_memory(v, window_world_of(v, window_find(v, o->window), o->target)) < 0)
		return -1;
	if (o->kind != WINDOW_PUT) {
		old = mem_alloc(bytes, 1, &v->err);
		if (!old)
			return run_fail(v);
		type_pack(o->type, o->count, o->address, old);
	}
	if (o->kind == WINDOW_GET_ACCUMULATE || o->kind == WINDOW_COMPARE || o->kind == WINDOW_GET) {
		o->result = mem_alloc(bytes, 1, &v->err);
		if (!o->result) {
			free(old);
			return run_fail(v);
		}
		memcpy(o->result, old, bytes);
	}
	if (o->kind == WINDOW_PUT && o->data) {
		type_unpack(o->type, o->count, o->address, o->data, bytes);
	} else if ((o->kind == WINDOW_ACCUMULATE || o->kind == WINDOW_GET_ACCUMULATE) && o->data) {
		ret = combine_bytes(v, o, old);
		if (ret == 0)
			type_unpack(o->type, o->count, o->address, old, bytes);
	} else if (o->kind == WINDOW_COMPARE && o->data && memcmp(old, o->compare, bytes) == 0) {
		type_unpack(o->type, o->count, o->address, o->data, bytes);
	}
	free(old);
	return ret;
}

/* Sends a control message of the agent at `from`. */
static int send_control(struct vmpi *v, const struct window_op *cause, enum window_op_kind kind, uint32_t from,
			uint32_t to, int64_t time)
{
	uint32_t i = pool_take(&v->msg.windows->ops, &v->err);

	if (!i)
		return run_fail(v);
	*window_op_at(v, i) = (struct window_op){.kind = (uint8_t)kind,
						 .window = cause->window,
						 .origin = from,
						 .target = to,
						 .mark = cause->mark,
						 .cause = cause->origin,
						 .began = time,
						 .cause_began = cause->began};
	return transmit_part(v, i, false, v->cfg->mpi.control_bytes, true, time);
}

/* ---- locks ---- */

static bool can_lock(const struct window_part *p, uint8_t type)
{
	return type == VMPI_LOCK_SHARED ? !p->locked : !p->locked && !p->shared_locks;
}

static void take_lock(struct window_part *p, uint8_t type)
{
	if (type == VMPI_LOCK_SHARED)
		p->shared_locks++;
	else
		p->locked = true;
}

static int lock_arrived(struct vmpi *v, struct window_op *o, int64_t time)
{
	struct window_part *p = &window_find(v, o->window)->part[o->target];
	struct window_lock *l;

	if (!p->waiting.count && can_lock(p, o->lock)) {
		take_lock(p, o->lock);
		return send_control(v, o, WINDOW_GRANT, o->target, o->origin, time);
	}
	l = vec_push(&p->waiting, &v->err);
	if (!l)
		return run_fail(v);
	*l = (struct window_lock){o->origin, o->lock};
	return 0;
}

static int unlock_arrived(struct vmpi *v, struct window_op *o, int64_t time)
{
	struct window_part *p = &window_find(v, o->window)->part[o->target];
	size_t granted = 0;

	assert(o->lock == VMPI_LOCK_SHARED ? p->shared_locks > 0 : p->locked); /* an unlock follows its own lock */
	if (o->lock == VMPI_LOCK_SHARED)
		p->shared_locks--;
	else
		p->locked = false;
	while (granted < p->waiting.count && can_lock(p, p->waiting.at[granted].type)) {
		take_lock(p, p->waiting.at[granted].type);
		if (send_control(v, o, WINDOW_GRANT, o->target, p->waiting.at[granted++].origin, time) < 0)
			return -1;
	}
	if (!granted)
		return 0;
	p->waiting.count -= granted;
	memmove(p->waiting.at, p->waiting.at + granted, p->waiting.count * sizeof(*p->waiting.at));
	return 0;
}

static int control_arrived(struct vmpi *v, uint32_t op, int64_t time)
{
	struct window_op *o = window_op_at(v, op);
	struct window *w = window_find(v, o->window);
	struct window_part *p = w ? &w->part[o->target] : NULL;
	int ret = 0;

	if (!w)
		return 0; /* the window's last rank has left: the last unlock is on its way */
	switch (o->kind) {
	case WINDOW_LOCK: ret = lock_arrived(v, o, time); break;
	case WINDOW_UNLOCK: ret = unlock_arrived(v, o, time); break;
	case WINDOW_GRANT:
		p->grants++;
		check_wait(v, w, o->target, o->cause, o->cause_began, time);
		return 0;
	case WINDOW_POST:
		if (!p->posted)
			p->posted = mem_alloc(w->size, 1, &v->err);
		if (!p->posted)
			return run_fail(v);
		p->posted[o->origin]++;
		break;
	default: p->completions++; break;
	}
	check_wait(v, w, o->target, o->origin, o->began, time);
	return ret;
}

/* ---- notices ---- */

/* When the agent of the target has done an operation that it gets at `time`. */
static int64_t agent_done(const struct vmpi *v, struct window_part *p, int64_t time)
{
	if (!v->cfg->mpi.agent)
		return time;
	p->agent = (p->agent > time ? p->agent : time) + v->cfg->mpi.agent;
	return p->agent;
}

/* Applies an operation and those of the same origin that waited for it. */
static int arrived(struct vmpi *v, uint32_t op, int64_t time)
{
	struct window_op *o = window_op_at(v, op);
	struct window *w = window_find(v, o->window);
	uint32_t target = o->target;

	o->here = true;
	for (uint32_t i = w->part[o->origin].first; i; i = window_op_at(v, i)->next) {
		struct window_op *k = window_op_at(v, i);
		bool data;

		if (k->target != target || k->applied)
			continue;
		if (!k->here)
			return 0;
		k->applied = true;
		if (apply_data(v, k) < 0)
			return -1;
		data = k->result_bytes != 0;
		if (transmit_part(v, i, true, data ? k->result_bytes : v->cfg->mpi.control_bytes, !data,
				  agent_done(v, &w->part[target], time)) < 0)
			return -1;
	}
	return 0;
}

static void drop_op(struct vmpi *v, uint32_t op)
{
	op_finish(window_op_at(v, op));
	pool_give(&v->msg.windows->ops, op);
}

static int answered(struct vmpi *v, uint32_t op, int64_t time)
{
	struct window_op *o = window_op_at(v, op);
	struct window *w = window_find(v, o->window);
	struct vmpi_cause c = {CAUSE_SENT, window_world_of(v, w, o->target), o->began, o->result_bytes};

	if (o->result && o->result_address) {
		if (enter_memory(v, window_world_of(v, w, o->origin)) < 0)
			return -1;
		type_unpack(o->result_type, o->result_count, o->result_address, o->result, o->result_bytes);
	}
	if (o->request)
		request_complete(v, o->request, time, &c);
	o->request = 0;
	unlink_op(v, &w->part[o->origin], o);
	o->answered = true;
	check_wait(v, w, o->origin, o->target, o->began, time);
	if (o->sent)
		drop_op(v, op);
	return 0;
}

void window_sent(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message *m = message_at(v, message);
	struct window_op *o = window_op_at(v, m->recv);
	bool reads = o->kind != WINDOW_PUT && o->kind != WINDOW_ACCUMULATE;

	m->sent = true;
	if (!m->late && !is_control(o)) {
		uint32_t request = reads ? 0 : o->request;

		o->sent = true;
		if (request) {
			o->request = 0;
			request_complete(v, request, time,
					 &(struct vmpi_cause){CAUSE_SENDING, m->dst, m->began, m->bytes});
		}
		check_wait(v, window_find(v, o->window), o->origin, o->origin, o->began, time);
		if (o->answered)
			drop_op(v, m->recv);
	}
	if (!m->finished)
		return;
	if (m->late && o->away) {
		unlink_op(v, &window_find(v, o->window)->part[o->origin], o);
		drop_op(v, m->recv);
	} else if (!m->late && is_control(o)) {
		drop_op(v, m->recv);
	}
	pool_give(&v->msg.messages, message);
}

void window_delivered(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message *m = message_at(v, message);
	uint32_t op = m->recv;
	bool back = m->late, control = is_control(window_op_at(v, op));

	m->finished = true;
	if (m->serial)
		passing_received(v, m, time);
	if ((control ? control_arrived : back ? answered : arrived)(v, op, time) < 0)
		return;
	m = message_at(v, message);
	if (m->sent)
		pool_give(&v->msg.messages, message);
	if (control && m->sent)
		drop_op(v, op);
}
