/*
 * Carries out a GOAL schedule: each rank begins operations as soon as what they require has happened. A rank's turn is
 * at one time, at which it takes what has ended, then begins what can begin; then it waits for the end of a message or
 * of a computation (ready_alarm), whichever comes first.
 */
#include "replay_goal.h"

#include <assert.h>
#include <string.h>

#include "../../../psim/base/heap.h"
#include "../../../psim/base/mem.h"
#include "../host/ready.h"
#include "../host/slices.h"
#include "../message/collective_events.h"
#include "../message/message.h"
#include "../vmpi_config.h"

/* The end of an operation; from GOAL_OPS_MAX on, a CPU that becomes free. */
struct goal_event {
	int64_t time;
	uint32_t op;
};

/*
 * An operation that waits for its CPU. They take turns in the order in which they became ready; at one time, as in
 * LogGOPSim, sends before receives before computation, each in the order of the file.
 */
struct goal_turn {
	int64_t time;
	uint64_t order;
};

static bool goal_event_before(const struct goal_event *a, const struct goal_event *b)
{
	return a->time != b->time ? a->time < b->time : a->op < b->op;
}

static bool goal_turn_before(const struct goal_turn *a, const struct goal_turn *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

HEAP(goal_events, struct goal_event, goal_event_before)
HEAP(goal_turns, struct goal_turn, goal_turn_before)

struct goal_cpu {
	struct vec_of(struct goal_turn) turns;
	int64_t free;       /* from when on */
	bool awaited;       /* an event says so */
	uint32_t under_way; /* sends and collective operations */
};

struct goal_run {
	struct vec_of(struct goal_event) events;
	struct vec_of(VMPI_Request) requests; /* under way */
	struct goal_cpu *cpu;
	uint32_t left;      /* operations that have not ended */
	uint32_t computing; /* of them, computation under way */
	int64_t now;        /* of the present turn */
};

/* A type for messages of so many bytes. */
struct goal_size {
	uint64_t bytes;
	VMPI_Datatype type;
};

/* A rank, for the functions of a turn. */
struct goal_turns {
	struct vmpi *v;
	struct goal *goal;
	struct goal_rank *of;
	struct goal_run *run;
	struct rank *rank;
};

/* ---- memory ---- */

static void run_destroy(struct goal_run *s, unsigned cpus)
{
	if (!s)
		return;
	for (unsigned i = 0; s->cpu && i < cpus; i++)
		vec_finish(&s->cpu[i].turns);
	free(s->cpu);
	vec_finish(&s->events);
	vec_finish(&s->requests);
	free(s);
}

void goal_destroy(struct goal *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; g->rank && i < g->ranks; i++) {
		run_destroy(g->rank[i].run, g->rank[i].cpus);
		free(g->rank[i].ops);
		free(g->rank[i].edges);
	}
	free(g->rank);
	free(g->path);
	vec_finish(&g->op_of_request);
	vec_finish(&g->sizes);
	goal_groups_finish(g);
	free(g);
}

/* ---- collective operations ---- */

/* By kind: the call, and the share of one rank in what it gives. */
static const enum collective_event_id events[] = {
#define GOAL_KIND(name, event, share) COLLECTIVE_EVENT_##event,
	GOAL_COLLECTIVES(GOAL_KIND)
#undef GOAL_KIND
};
static const enum share {
	SHARE_NOTHING,
	SHARE_WHOLE,
	SHARE_EACH,
	SHARE_PART
} shares[] = {
#define GOAL_KIND(name, event, share) SHARE_##share,
	GOAL_COLLECTIVES(GOAL_KIND)
#undef GOAL_KIND
};

/* ---- what becomes ready ---- */

static void add_turn(struct goal_turns *t, uint32_t op)
{
	const struct goal_op *o = &t->of->ops[op];
	struct goal_cpu *c = &t->run->cpu[o->cpu];

	if (vec_reserve(&c->turns, 1, &t->v->err) < 0)
		rank_stop(t->v);
	goal_turns_push(c->turns.at, c->turns.count++,
			t->goal->by_number ? (struct goal_turn){0, op}
					   : (struct goal_turn){t->run->now, (uint64_t)o->type << 32 | op});
}

/* The operation has begun, or has ended: others need not wait for that any more. */
static void release_others(struct goal_turns *t, uint32_t op, bool begun)
{
	const struct goal_rank *of = t->of;

	for (uint32_t i = of->ops[op].edges; i < of->ops[op + 1].edges; i++) {
		uint32_t to = of->edges[i] & ~GOAL_ON_START;

		if (((of->edges[i] & GOAL_ON_START) != 0) != begun)
			continue;
		assert(of->ops[to].left); /* an edge is released once */
		if (--of->ops[to].left == 0)
			add_turn(t, to);
	}
}

/* Adds an event, and wakes the rank for it. */
static void add_event(struct vmpi *v, struct goal_run *s, const struct rank *r, int64_t time, uint32_t op)
{
	if (vec_reserve(&s->events, 1, &v->err) < 0 && run_fail(v) < 0)
		return;
	goal_events_push(s->events.at, s->events.count++, (struct goal_event){time, op});
	if (time > s->now && time > v->present)
		ready_alarm(v, r, time);
}

/* ---- messages ---- */

/* A type of more bytes than an int has: of pieces, and of the bytes of the rest. */
static VMPI_Datatype type_of_many(struct goal_turns *t, uint64_t bytes)
{
	enum { PIECE = 1 << 26 };
	struct vmpi *v = t->v;
	VMPI_Datatype parts[2] = {0, VMPI_BYTE};
	const int counts[2] = {(int)(bytes / PIECE), (int)(bytes % PIECE)};
	const VMPI_Aint places[2] = {0, (VMPI_Aint)(bytes - bytes % PIECE)};
	struct goal_size *s;

	for (size_t i = 0; i < t->goal->sizes.count; i++)
		if (t->goal->sizes.at[i].bytes == bytes)
			return t->goal->sizes.at[i].type;
	s = vec_push(&t->goal->sizes, &v->err);
	if (!s)
		rank_stop(v);
	s->bytes = bytes;
	vmpi_Type_contiguous(v, PIECE, VMPI_BYTE, &parts[0]);
	vmpi_Type_create_struct(v, 2, counts, places, parts, &s->type);
	vmpi_Type_commit(v, &s->type);
	v->current->calls -= 3; /* all ranks here share the type */
	return s->type;
}

/* Removes the operation's request from those under way. */
static void drop_request(struct goal *g, const struct goal_rank *of, const struct goal_op *o)
{
	VMPI_Request last = of->run->requests.at[--of->run->requests.count];

	of->run->requests.at[o->place] = last;
	of->ops[g->op_of_request.at[last]].place = o->place;
}

/* A message of an operation has ended at `time`; called by request_complete. */
static void goal_completed(struct vmpi *v, uint32_t request, int64_t time, const struct vmpi_cause *c)
{
	struct goal *g = v->trace.schedule;
	struct rank *r = &v->ranks[request_at(v, request)->rank];
	struct goal_rank *of = &g->rank[r->world];
	uint32_t op = g->op_of_request.at[request];

	drop_request(g, of, &of->ops[op]);
	add_event(v, of->run, r, time, op);
	if (time <= v->present)
		rank_wake(v, r, time, c);
}

/* The operation's request is under way, or complete. */
static void keep_request(struct goal_turns *t, uint32_t op)
{
	struct goal_op *o = &t->of->ops[op];
	VMPI_Request *under_way = vec_push(&t->run->requests, &t->v->err);
	struct vmpi *v = t->v;
	struct request *q;

	if (!under_way)
		rank_stop(v);
	o->place = (uint32_t)t->run->requests.count - 1;
	*under_way = (VMPI_Request)o->request;
	if (t->goal->op_of_request.count <= o->request) {
		size_t more = v->msg.requests.made - t->goal->op_of_request.count;

		if (vec_reserve(&t->goal->op_of_request, more, &v->err) < 0)
			rank_stop(v);
		t->goal->op_of_request.count += more;
	}
	t->goal->op_of_request.at[o->request] = op;
	q = request_at(v, o->request);
	if (q->state == REQUEST_COMPLETE)
		goal_completed(v, o->request, q->done, NULL);
	else
		q->waited_for = q->reported = true;
}

static void begin_message(struct goal_turns *t, uint32_t op)
{
	struct goal_op *o = &t->of->ops[op];
	struct vmpi *v = t->v;
	bool send = o->type == GOAL_SEND, many = o->size > INT32_MAX;
	struct p2p p = {
		.count = many ? 1 : (int32_t)o->size,
		.peer = o->peer == GOAL_ANY ? VMPI_ANY_SOURCE : (int32_t)o->peer,
		.tag = (int32_t)o->tag, /* tags have 32 bits: GOAL_ANY is VMPI_ANY_TAG, others may be negative */
		.comm = VMPI_COMM_WORLD,
		.mode = SEND_STANDARD};

	p.datatype = many ? type_of_many(t, o->size) : VMPI_BYTE;
	rank_enter(v, send ? CALL_Isend : CALL_Irecv);
	t->rank->where = o;
	t->rank->nic = t->goal->nics ? o->nic % (int32_t)v->setup.nics : NET_NIC_ANY;
	o->request = send ? p2p_send(v, &p) : p2p_recv(v, &p);
	t->rank->where = NULL;
	keep_request(t, op);
}

/* Sets the counts of what a rank gives: of bytes or, where an int cannot count these, of a larger basic type. */
static void set_share(struct collective_args *a, unsigned kind, uint64_t bytes, uint32_t size)
{
	static const VMPI_Datatype types[] = {VMPI_INT8_T,  VMPI_INT16_T,     VMPI_INT32_T,
					      VMPI_INT64_T, VMPI_LONG_DOUBLE, VMPI_C_LONG_DOUBLE_COMPLEX};
	enum share share = shares[kind];
	uint64_t part = share == SHARE_PART ? (bytes + size - 1) / size : bytes, all = share == SHARE_WHOLE ? 1 : size;
	unsigned i = 0;

	while (i + 1 < sizeof(types) / sizeof(types[0]) && (((part - 1) >> i) + 1) * all > INT32_MAX)
		i++;
	a->in_count = a->out_count = part ? (int)(((part - 1) >> i) + 1) : 0;
	a->in_type = a->out_type = types[i];
}

/* Begins a collective operation of a group, as a nonblocking call. */
static void begin_group_operation(struct goal_turns *t, uint32_t op)
{
	struct goal_op *o = &t->of->ops[op];
	const struct goal_collective *what = &t->goal->collectives.at[o->peer];
	const struct goal_group *of = &t->goal->groups.at[what->group];
	struct collective_args a = {.root = (int)what->root,
				    .comm = of->comm,
				    .number = (int)what->number + 1,
				    .op = VMPI_SUM,
				    .in_type = VMPI_BYTE,
				    .out_type = VMPI_BYTE};
	VMPI_Request request;

	set_share(&a, what->kind, o->size, of->size);
	t->rank->where = o;
	if (collective_call(t->v, events[what->kind], &a, &request) != VMPI_SUCCESS)
		rank_stop(t->v);
	t->rank->where = NULL;
	o->request = (uint32_t)request;
	keep_request(t, op);
}

/* ---- operations ---- */

static void begin_calc(struct goal_turns *t, uint32_t op)
{
	double slow = rank_slowdown(t->v, t->rank);
	int64_t ps = (int64_t)t->of->ops[op].size * t->goal->unit;

	rank_enter(t->v, CALL_BSIM_Add_time);
	rank_busy(t->v, t->rank, slow == 1 ? ps : (int64_t)((double)ps * slow));
	t->run->computing++;
	add_event(t->v, t->run, t->rank, t->rank->now, op);
}

static bool counts_as_under_way(const struct goal_op *o)
{
	return o->type == GOAL_SEND || o->type == GOAL_COLL;
}

/* Begins an operation on its CPU, which is free. The rank's clock is that of the CPU meanwhile. */
static void begin_op(struct goal_turns *t, uint32_t op)
{
	const struct goal_op *o = &t->of->ops[op];

	t->run->cpu[o->cpu].under_way += counts_as_under_way(o);
	if (o->type == GOAL_CALC)
		begin_calc(t, op);
	else if (o->type == GOAL_COLL)
		begin_group_operation(t, op);
	else
		begin_message(t, op);
	t->run->cpu[o->cpu].free = t->rank->now;
	t->rank->now = t->run->now;
	release_others(t, op, true);
}

static void end_op(struct goal_turns *t, uint32_t op)
{
	struct goal_op *o = &t->of->ops[op];

	if (o->type == GOAL_CALC) {
		t->run->computing--;
	} else {
		VMPI_Request handle = (VMPI_Request)o->request;

		request_finish(t->v, &handle, NULL);
	}
	o->place = 0;
	t->run->cpu[o->cpu].under_way -= counts_as_under_way(o);
	t->run->left--;
	release_others(t, op, false);
}

/* Takes what has ended until now; true if there was something. */
static bool take_events(struct goal_turns *t)
{
	struct goal_run *s = t->run;
	bool some = false;

	while (s->events.count && s->events.at[0].time <= s->now) {
		struct goal_event e = goal_events_pop(s->events.at, s->events.count--);

		some = true;
		if (e.op >= GOAL_OPS_MAX)
			s->cpu[e.op - GOAL_OPS_MAX].awaited = false;
		else
			end_op(t, e.op);
	}
	return some;
}

/* Returns whether the CPU has as many messages under way as it may. */
static bool is_full(const struct goal *g, const struct goal_cpu *c)
{
	return g->at_once && c->under_way >= g->at_once;
}

/* Begins what can begin now; true if there was something. */
static bool begin_ready(struct goal_turns *t)
{
	bool some = false;

	for (unsigned i = 0; i < t->of->cpus; i++) {
		struct goal_cpu *c = &t->run->cpu[i];

		while (c->turns.count && c->free <= t->run->now && !is_full(t->goal, c)) {
			some = true;
			begin_op(t, (uint32_t)goal_turns_pop(c->turns.at, c->turns.count--).order);
		}
	}
	return some;
}

/* ---- turns ---- */

/* Writes the place of an operation in the file. */
static void goal_place(const void *schedule, const void *where, char *text, size_t size)
{
	static const char *const words[] = {[GOAL_LINES] = "", [GOAL_NUMBERS] = "operation ", [GOAL_NODES] = "node "};
	const struct goal *g = schedule;

	snprintf(text, size, "%s:%s%u", g->path, words[g->places], ((const struct goal_op *)where)->line);
}

/* No operation is under way, but some have not begun. */
__attribute__((noreturn)) static void goal_stuck(struct goal_turns *t)
{
	const struct goal_rank *of = t->of;
	char place[400];
	uint32_t i = 0;

	while (i + 1 < of->count && !of->ops[i].left)
		i++;
	goal_place(t->goal, &of->ops[i], place, sizeof(place));
	err_set(&t->v->err, STATUS_STUCK,
		"%s: rank %u: never begins, with %u more: what they require is a cycle, expected none", place,
		t->rank->world, t->run->left - 1);
	rank_stop(t->v);
}

/* Counts the time of a pause that is over: computation, or waiting from when on all CPUs were idle. */
static void count_pause(struct goal_turns *t, int64_t from)
{
	struct rank *r = t->rank;

	if (t->run->computing) {
		rank_computed(t->v, r, from);
		return;
	}
	for (unsigned i = 0; i < t->of->cpus; i++)
		from = t->run->cpu[i].free > from ? t->run->cpu[i].free : from;
	if (from >= r->now)
		return;
	rank_count_wait(t->v, r, r->now - from);
	rank_waited(t->v, r, from, &r->cause);
}

/* Waits for the next event. */
static void goal_pause(struct goal_turns *t)
{
	struct goal_run *s = t->run;
	struct rank *r = t->rank;
	struct wait w = {.kind = WAIT_ANY_REQUEST,
			 .requests = s->requests.at,
			 .count = (int)s->requests.count,
			 .any_alarm = true};

	for (unsigned i = 0; i < t->of->cpus; i++)
		if (s->cpu[i].turns.count && !s->cpu[i].awaited && !is_full(t->goal, &s->cpu[i])) {
			s->cpu[i].awaited = true;
			add_event(t->v, s, r, s->cpu[i].free, GOAL_OPS_MAX + i);
		}
	if (!s->events.count && !s->requests.count)
		goal_stuck(t);
	r->call = CALL_Waitany;
	/* a deadlock names the first request */
	r->where = s->requests.count ? request_at(t->v, (uint32_t)s->requests.at[0])->where : NULL;
	r->pending = 1;
	r->catching_up = true;
	if (t->v->seen.slices)
		slice_schedule(t->v, r, s->computing > 0);
	rank_pause(t->v, r, &w, s->computing == 0);
	r->where = NULL;
	count_pause(t, s->now);
	s->now = r->now;
}

static struct goal_run *run_create(struct vmpi *v, struct goal_rank *of)
{
	struct goal_run *s = of->run = mem_alloc(1, sizeof(*s), &v->err);

	if (s)
		s->cpu = mem_alloc(of->cpus, sizeof(*s->cpu), &v->err);
	if (!s || !s->cpu)
		rank_stop(v);
	s->left = of->count;
	return s;
}

void goal_taken(const struct goal *g, uint64_t *ended, uint64_t *all)
{
	*ended = *all = 0;
	for (uint32_t i = 0; i < g->ranks; i++) {
		const struct goal_rank *r = &g->rank[i];

		*all += r->count;
		*ended += r->run ? r->count - r->run->left : 0;
	}
}

int goal_body(struct vmpi *v, uint32_t rank, struct goal *g)
{
	struct goal_turns t = {v, g, &g->rank[rank], run_create(v, &g->rank[rank]), v->current};

	v->trace.completed = goal_completed;
	v->trace.place = goal_place;
	v->trace.schedule = g;
	goal_groups_make(g, v);
	t.run->now = v->current->now;
	for (uint32_t i = 0; i < t.of->count; i++)
		if (!t.of->ops[i].left)
			add_turn(&t, i);
	for (;;) {
		bool some = true;

		while (some) {
			some = take_events(&t);
			some = begin_ready(&t) || some;
		}
		if (!t.run->left)
			return 0;
		goal_pause(&t);
	}
}
