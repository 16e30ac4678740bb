#include "wormhole_run.h"

#include <math.h>
#include <stdlib.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/quantile.h"
#include "../../psim/base/rng.h"
#include "../../psim/base/slots.h"
#include "../../psim/base/vec.h"
#include "pu.h"
#include "guard.h"

#define NONE NETWORK_NONE
enum { TICK_CLOCKS = 4096 };
enum pu_what { PU_COMPUTE, PU_SEND, PU_RECEIVE, PU_END, PU_BROKEN };

struct inbox {
	struct pu_message m;
	uint32_t next;
};

struct pu {
	struct run *run;
	void *variables;
	uint32_t number;
	uint64_t draws; /* random numbers drawn so far */
	uint32_t inbox_first, inbox_last;
	bool waiting, ended;
	bool scheduled; /* it has a turn */
};

struct posted { /* content of a message; the kernel's tag is its number here */
	void *data;
	int type;
	bool blocking;
};

struct turn { /* of a PU: the clock of its next pu_exec */
	uint64_t clock;
	uint32_t pu;
};

struct run {
	const struct network *net;
	const struct run_params *p;
	struct kernel *kernel;
	struct pu *pu;
	struct turn *agenda; /* a heap */
	uint32_t timed;      /* turns in it */
	uint32_t ended;      /* PUs that have ended */
	struct slots_of(struct inbox) inboxes;
	struct slots_of(struct posted) posted;
	uint64_t from, to; /* the measured part */
	struct run_result *out;
	double tail_sum, network_sum;
	struct open_loop_batch batch[OPEN_LOOP_GROUPS];
	struct open_loop_sender *sender; /* [PUs] */
	uint64_t *latency_bin;           /* [QUANTILE_BINS] */
	uint64_t made, arrived;
	struct err *e;
	bool failed;
};

/* Returns the batch of a clock in the measured part, or NULL. All is one batch where that has no end. */
static struct open_loop_batch *batch_of(struct run *r, uint64_t clock)
{
	if (clock < r->from || clock >= r->to)
		return NULL;
	return &r->batch[r->to == CLOCK_NEVER ? 0 : (clock - r->from) * OPEN_LOOP_GROUPS / (r->to - r->from)];
}

/* The fifth of the measured part of a clock in it. */
static unsigned fifth_of(const struct run *r, uint64_t clock)
{
	return r->to == CLOCK_NEVER ? 0 : (unsigned)((clock - r->from) * OPEN_LOOP_FIFTHS / (r->to - r->from));
}

/* ---- agenda ---- */

/* PUs that are due in the same clock run in the order of their numbers. */
static bool wormhole_run_sooner(const struct turn *a, const struct turn *b)
{
	return a->clock < b->clock || (a->clock == b->clock && a->pu < b->pu);
}

HEAP(agenda, struct turn, wormhole_run_sooner)

/* Gives the PU its next turn. A PU file that sends and computes at once gets one turn, the first. */
static void schedule(struct run *r, struct pu *u, uint64_t clock)
{
	if (u->scheduled)
		return;
	u->scheduled = true;
	agenda_push(r->agenda, r->timed++, (struct turn){clock, u->number});
}

static uint64_t agenda_next(const struct run *r)
{
	return r->timed ? r->agenda[0].clock : CLOCK_NEVER;
}

/* ---- functions for PU files ---- */

struct pu_action pu_compute(uint64_t clocks)
{
	return (struct pu_action){PU_COMPUTE, clocks ? clocks : 1};
}

static int wormhole_run_post(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data, bool blocking)
{
	struct run *r = self->run;
	uint32_t id;

	if (to >= r->net->node_count || !bytes) {
		char name[160];
		network_resource_name(r->net, r->net->nodes[self->number], name, sizeof(name));
		r->failed = true;
		return err_set(
			r->e, STATUS_USAGE,
			"%s of the PU file sends %u bytes to PU %u, expected bytes above 0 and a PU from 0 to %u", name,
			bytes, to, r->net->node_count - 1);
	}
	id = slots_take(&r->posted, r->e);
	if (id == SLOT_NONE)
		return r->failed = true, -1;
	r->posted.at[id] = (struct posted){data, type, blocking};
	if (kernel_post(r->kernel, self->number, to, bytes, id, r->e))
		return r->failed = true, -1;
	struct open_loop_batch *batch = batch_of(r, kernel_now(r->kernel));
	if (batch) {
		r->made++;
		batch->sent += bytes;
		r->sender[self->number].sent[fifth_of(r, kernel_now(r->kernel))] += bytes;
	}
	return 0;
}

void pu_post(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data)
{
	wormhole_run_post(self, to, bytes, type, data, false);
}

struct pu_action pu_send(struct pu *self, uint32_t to, uint32_t bytes, int type, void *data)
{
	return (struct pu_action){wormhole_run_post(self, to, bytes, type, data, true) ? PU_BROKEN : PU_SEND, 0};
}

struct pu_action pu_receive(void)
{
	return (struct pu_action){PU_RECEIVE, 0};
}

struct pu_action pu_end(void)
{
	return (struct pu_action){PU_END, 0};
}

uint32_t pu_number(const struct pu *self)
{
	return self->number;
}

uint32_t pu_count(const struct pu *self)
{
	return self->run->net->node_count;
}

int32_t pu_dim(const struct pu *self, unsigned dimension)
{
	int32_t index[NETWORK_DIMS_MAX] = {0};

	network_index(self->run->net, self->run->net->nodes[self->number], index);
	return dimension < NETWORK_DIMS_MAX ? index[dimension] : 0;
}

uint64_t pu_clock(const struct pu *self)
{
	return kernel_now(self->run->kernel);
}

double pu_load(const struct pu *self)
{
	return self->run->p->load;
}

void *pu_shared(const struct pu *self)
{
	return self->run->p->shared;
}

double pu_random(struct pu *self)
{
	return rng_unit(self->run->p->seed, self->number, self->draws++);
}

uint32_t pu_below(struct pu *self, uint32_t n)
{
	return n ? (uint32_t)rng_below(self->run->p->seed, self->number, self->draws++, n) : 0;
}

bool pu_take(struct pu *self, struct pu_message *m)
{
	struct run *r = self->run;
	uint32_t id = self->inbox_first;

	if (id == NONE)
		return false;
	*m = r->inboxes.at[id].m;
	self->inbox_first = r->inboxes.at[id].next;
	slots_give(&r->inboxes, id);
	return true;
}

/* ---- the kernel's callbacks ---- */

static void wormhole_run_measure_message(struct run *r, const struct kernel_delivery *d)
{
	struct run_result *o = r->out;
	struct open_loop_batch *made = batch_of(r, d->created), *arrived = batch_of(r, d->tail_at);
	uint64_t latency = d->head_at - d->created;

	if (arrived) {
		arrived->delivered += d->bytes;
		r->sender[d->src].delivered[fifth_of(r, d->tail_at)] += d->bytes;
	}
	if (!made)
		return;
	if (!r->arrived || latency < o->head_least)
		o->head_least = latency;
	if (latency > o->head_most)
		o->head_most = latency;
	r->latency_bin[quantile_bin(latency)]++;
	r->arrived++;
	r->tail_sum += (double)(d->tail_at - d->created);
	r->network_sum += (double)(d->tail_at - d->injected);
	made->messages++;
	made->latency += (double)latency;
}

static void wormhole_run_wake(struct run *r, struct pu *u)
{
	if (!u->waiting)
		return;
	u->waiting = false;
	schedule(r, u, kernel_now(r->kernel));
}

static void on_delivery(void *user, const struct kernel_delivery *d)
{
	struct run *r = user;
	struct pu *u = &r->pu[d->dst];
	struct posted *x = &r->posted.at[d->tag];
	uint32_t id = slots_take(&r->inboxes, r->e);

	wormhole_run_measure_message(r, d);
	if (id == SLOT_NONE) {
		r->failed = true;
		return;
	}
	r->inboxes.at[id] = (struct inbox){{d->src, d->bytes, x->type, x->data, d->created, d->tail_at}, NONE};
	if (u->inbox_first == NONE)
		u->inbox_first = id;
	else
		r->inboxes.at[u->inbox_last].next = id;
	u->inbox_last = id;
	slots_give(&r->posted, (uint32_t)d->tag);
	if (u->ended) { /* nobody receives it */
		struct pu_message m;
		while (pu_take(u, &m))
			;
	}
	if (!u->ended && u->waiting)
		wormhole_run_wake(r, u);
}

static void on_sent(void *user, uint32_t src, uint64_t tag)
{
	struct run *r = user;

	if (r->posted.at[tag].blocking)
		schedule(r, &r->pu[src], kernel_now(r->kernel) + 1);
}

/* ---- running ---- */

static void exec(struct run *r, struct pu *u)
{
	const struct network *n = r->net;

	guard_enter("pu_exec of", n->file, 0, n, n->nodes[u->number]);
	struct pu_action a = r->p->pu_exec(u, u->variables);
	guard_leave();

	switch (a.what) {
	case PU_COMPUTE: schedule(r, u, kernel_now(r->kernel) + (a.clocks ? a.clocks : 1)); break;
	case PU_SEND: /* on_sent continues the PU */ break;
	case PU_RECEIVE:
		u->waiting = true;
		if (u->inbox_first != NONE) { /* it arrived before the PU waited for it */
			u->waiting = false;
			schedule(r, u, kernel_now(r->kernel) + 1);
		}
		break;
	case PU_END:
		u->ended = true;
		r->ended++;
		break;
	default: r->failed = true; break;
	}
}

/* Executes all PUs that are due now. */
static int exec_due(struct run *r)
{
	uint64_t now = kernel_now(r->kernel);

	while (agenda_next(r) == now && !r->failed) {
		struct pu *u = &r->pu[agenda_pop(r->agenda, r->timed--).pu];

		u->scheduled = false;
		exec(r, u);
	}
	return r->failed ? -1 : 0;
}

static bool wormhole_run_finished(const struct run *r)
{
	uint64_t now = kernel_now(r->kernel);

	if (r->ended == r->net->node_count && !kernel_counts(r->kernel)->in_flight)
		return true;
	if (r->to == CLOCK_NEVER)
		return false;
	return now >= r->to && (r->arrived >= r->made || now >= r->to + r->p->drain);
}

/* Simulates one clock, or jumps to the next one with an event. */
static int wormhole_run_advance(struct run *r)
{
	uint64_t now = kernel_now(r->kernel), next;

	kernel_arrivals(r->kernel);
	if (r->failed || exec_due(r))
		return -1;
	if (r->p->check && now % 64 == 0 && kernel_check(r->kernel, r->e))
		return -1;
	if (wormhole_run_finished(r))
		return 1;
	next = kernel_next(r->kernel);
	if (next > now) {
		uint64_t pus = agenda_next(r);
		next = pus < next ? pus : next;
	}
	if (next == CLOCK_NEVER && r->to == CLOCK_NEVER)
		return err_set(r->e, STATUS_STUCK, "%s: clock %llu: %u PUs wait for messages, and none is in flight",
			       r->net->file, (unsigned long long)now, r->net->node_count - r->ended);
	if (next > now + 1) {
		uint64_t limit = r->to == CLOCK_NEVER ? next
				 : now < r->from      ? r->from
				 : now < r->to        ? r->to
						      : r->to + r->p->drain;
		next = next < limit ? next : limit;
		kernel_skip_to(r->kernel, next);
		return 0;
	}
	return kernel_step(r->kernel, r->e);
}

/* How equally senders are served: those that have sent. */
static void find_fairness(struct run *r)
{
	struct run_result *o = r->out;
	double sum = 0, squares = 0, senders = 0, least = HUGE_VAL;

	for (uint32_t i = 0; i < r->net->node_count; i++) {
		uint64_t sent = 0, delivered = 0;

		for (unsigned k = 0; k < OPEN_LOOP_FIFTHS; k++) {
			sent += r->sender[i].sent[k];
			delivered += r->sender[i].delivered[k];
		}
		if (!sent)
			continue;
		senders++;
		sum += (double)delivered;
		squares += (double)delivered * (double)delivered;
		least = fmin(least, (double)delivered);
	}
	if (!(squares > 0) || !o->measured)
		return;
	o->fairness = sum * sum / (senders * squares);
	o->accepted_least = least / (double)o->measured;
}

static void summarise(struct run *r)
{
	struct run_result *o = r->out;
	double n = (double)r->arrived;

	o->clocks = kernel_now(r->kernel);
	o->measured = r->to < o->clocks ? r->to : o->clocks;
	o->measured =
		o->measured > r->from ? o->measured - r->from : 0; /* an interrupted run may not have reached it */
	o->messages = r->arrived;
	o->unfinished = r->made - r->arrived;
	o->counts = *kernel_counts(r->kernel);
	o->loop = open_loop_measure(r->batch, OPEN_LOOP_GROUPS,
				    (double)(o->measured ? o->measured : 1) * r->net->node_count / OPEN_LOOP_GROUPS);
	for (uint32_t i = 0; i < r->net->node_count; i++)
		open_loop_check_sender(&o->loop, i, &r->sender[i]);
	o->batches = !o->interrupted && r->to != CLOCK_NEVER;
	for (unsigned b = 0; b < OPEN_LOOP_GROUPS; b++)
		o->batches &= r->batch[b].messages > 1;
	if (!o->batches)
		o->loop.offered.error = o->loop.accepted.error = o->loop.latency.error = (double)NAN;
	find_fairness(r);
	if (!r->arrived)
		return;
	o->head_p50 = quantile_of(r->latency_bin, 0.5);
	o->head_p99 = quantile_of(r->latency_bin, 0.99);
	o->tail_latency = r->tail_sum / n;
	o->network_latency = r->network_sum / n;
}

static int wormhole_run_all(struct run *r, void (*visit)(void *, const struct kernel *), void *visit_user)
{
	uint64_t ticked = 0;
	bool reset = false, visited = false;
	int more = 0;

	while (!more) {
		uint64_t now = kernel_now(r->kernel);
		if (!reset && now >= r->from) {
			kernel_reset_counts(r->kernel);
			reset = true;
		}
		if (!visited && now >= r->to) {
			visited = true;
			if (visit)
				visit(visit_user, r->kernel);
		}
		if (r->p->tick && now - ticked >= TICK_CLOCKS) {
			ticked = now;
			if (!r->p->tick(r->p->user, now)) {
				r->out->interrupted = true;
				r->to = now < r->to ? now : r->to;
				more = 1;
				break;
			}
		}
		more = wormhole_run_advance(r);
	}
	if (more > 0 && !visited && visit)
		visit(visit_user, r->kernel);
	return more < 0 ? -1 : 0;
}

int run_network(const struct network *n, const struct run_params *p, struct run_result *out,
		void (*visit)(void *user, const struct kernel *k), void *visit_user, struct err *e)
{
	struct run r = {.net = n, .p = p, .out = out, .e = e, .from = p->warmup};
	struct kernel_client client = {&r, on_delivery, on_sent};
	int result = -1;

	*out = (struct run_result){0};
	r.to = p->clocks ? p->warmup + p->clocks : CLOCK_NEVER;
	r.from = p->clocks ? p->warmup : 0;
	r.kernel = kernel_create(n, &p->kernel, &client, e);
	r.pu = mem_alloc(n->node_count, sizeof(*r.pu), e);
	r.agenda = mem_alloc(n->node_count, sizeof(*r.agenda), e);
	r.sender = mem_alloc(n->node_count, sizeof(*r.sender), e);
	r.latency_bin = mem_alloc(QUANTILE_BINS, sizeof(*r.latency_bin), e);
	if (r.kernel && r.pu && r.agenda && r.sender && r.latency_bin) {
		for (uint32_t u = 0; u < n->node_count; u++) {
			r.pu[u] = (struct pu){.run = &r, .number = u, .inbox_first = NONE, .inbox_last = NONE};
			guard_enter("pu_init of", n->file, 0, n, n->nodes[u]);
			r.pu[u].variables = p->pu_init(&r.pu[u], p->argc, p->argv);
			guard_leave();
			schedule(&r, &r.pu[u], 0);
		}
		result = wormhole_run_all(&r, visit, visit_user);
		if (!result)
			summarise(&r);
	}
	for (uint32_t u = 0; r.pu && u < n->node_count; u++)
		free(r.pu[u].variables);
	kernel_destroy(r.kernel);
	free(r.agenda);
	free(r.sender);
	free(r.latency_bin);
	free(r.pu);
	slots_finish(&r.inboxes);
	slots_finish(&r.posted);
	return result;
}
