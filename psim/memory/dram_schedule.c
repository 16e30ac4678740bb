/* The scheduler of a channel: which command goes next. */
#include <assert.h>
#include <string.h>

#include "dram_channel.h"

enum { ORDER_REFRESH, ORDER_REQUESTS }; /* of commands that may go in the same clock: the smaller first */
/* A bank has, among the requests seen so far: one that wants another row; one that may use the open row. */
enum { BANK_OLDER = 1, BANK_HIT = 2 };

/* A choice among the commands that may go. */
struct choice {
	uint64_t t;    /* no command goes before this clock */
	uint64_t wake; /* the first clock behind it with another state: an arrival, a refresh */
	struct dram_plan best;
	unsigned order; /* of the best */
	bool write;     /* commands are for requests of the writes */
	bool draining;  /* as c->draining, in clock t */
};

static uint64_t not_before(uint64_t clock, uint64_t t)
{
	return clock > t ? clock : t;
}

static void wake_at(struct choice *k, uint64_t clock)
{
	if (clock < k->wake)
		k->wake = clock;
}

/* Takes the command, if it may go earlier than the best, or in the same clock with a smaller order. */
static void offer(const struct dram_channel *c, struct choice *k, enum dram_command command, unsigned bank,
		  unsigned order, unsigned index)
{
	uint64_t clock = not_before(dram_earliest(c, command, bank), k->t);

	if (k->best.valid && (clock > k->best.clock || (clock == k->best.clock && order >= k->order)))
		return;
	k->order = order;
	k->best = (struct dram_plan){
		.valid = true,
		.clock = clock,
		.command = command,
		.bank = bank,
		.index = index,
		.refresh = order == ORDER_REFRESH,
		.write = k->write,
		.draining = k->draining,
	};
}

/* Refreshes that are due: a rank's open banks are precharged, then it is refreshed. */
static void offer_refreshes(const struct dram_channel *c, struct choice *k)
{
	for (unsigned n = 0; n < c->p->ranks; n++) {
		unsigned first = n * c->rank_banks;

		if (c->rank[n].refresh > k->t) {
			wake_at(k, c->rank[n].refresh);
			continue;
		}
		if (!c->rank[n].open)
			offer(c, k, COMMAND_REFRESH, first, ORDER_REFRESH, 0);
		for (unsigned b = first; b < first + c->rank_banks; b++)
			if (c->bank[b].row != NO_ROW)
				offer(c, k, COMMAND_PRECHARGE, b, ORDER_REFRESH, 0);
	}
}

static unsigned in_window(const struct dram_queue *q)
{
	return q->count < q->window ? q->count : q->window;
}

static bool is_open_for(const struct dram_channel *c, const struct dram_request *r)
{
	return c->bank[r->bank].row == r->row;
}

static bool refresh_is_due(const struct dram_channel *c, const struct dram_request *r, uint64_t t)
{
	return c->rank[dram_rank_of(c, r->bank)].refresh <= t;
}

/*
 * Read or write commands of requests whose row is open. Notes which banks they use, and for each bank the oldest
 * request that wants another row.
 */
static void offer_columns(const struct dram_channel *c, struct choice *k, const struct dram_queue *q)
{
	for (unsigned n = 0; n < in_window(q) && q->request[n].at <= k->t; n++) {
		const struct dram_request *r = &q->request[n];

		if (refresh_is_due(c, r, k->t))
			continue;
		if (!is_open_for(c, r)) {
			if (!(c->older[r->bank] & BANK_OLDER))
				c->wants[r->bank] = 2 * n + k->write;
			c->older[r->bank] |= BANK_OLDER;
		} else if (!(c->older[r->bank] & BANK_OLDER) || c->bank[r->bank].hits < c->p->row_hits) {
			c->older[r->bank] |= BANK_HIT;
			offer(c, k, k->write ? COMMAND_WRITE : COMMAND_READ, r->bank, ORDER_REQUESTS + n, n);
		}
	}
}

/* Precharges and activations, for the oldest request of each bank whose open row is not used. */
static void offer_rows(const struct dram_channel *c, struct choice *k, const struct dram_queue *q)
{
	for (unsigned n = 0; n < in_window(q) && q->request[n].at <= k->t; n++) {
		unsigned bank = q->request[n].bank;

		if (c->older[bank] != BANK_OLDER || c->wants[bank] != 2 * n + k->write)
			continue;
		offer(c, k, c->bank[bank].row == NO_ROW ? COMMAND_ACTIVATE : COMMAND_PRECHARGE, bank,
		      ORDER_REQUESTS + q->window + n, n);
	}
}

/* The arrivals behind k->t. */
static void wake_for(const struct dram_queue *q, struct choice *k)
{
	for (unsigned n = 0; n < in_window(q); n++)
		if (q->request[n].at > k->t) {
			wake_at(k, q->request[n].at);
			return;
		}
}

/*
 * Returns whether writes may go in clock k->t, beside reads: from a full queue, or one of which more than a quarter
 * waits while no read does, down to a quarter.
 */
static bool writes_go(const struct dram_channel *c, struct choice *k)
{
	unsigned writes = 0, full = c->p->write_queue;
	bool reads;

	while (writes < c->writes.count && c->writes.request[writes].at <= k->t)
		writes++;
	reads = c->reads.count && c->reads.request[0].at <= k->t;
	if (writes >= full || (!reads && writes > full / 4))
		k->draining = true;
	else if (writes <= full / 4)
		k->draining = false;
	return writes && k->draining;
}

void dram_plan_next(struct dram_channel *c)
{
	struct choice k = {.t = c->time, .draining = c->draining};

	for (;; k.t = k.wake) {
		bool writes;

		k.wake = CLOCK_NEVER;
		k.best.valid = false;
		memset(c->older, 0, c->banks * sizeof(*c->older));
		offer_refreshes(c, &k);
		writes = writes_go(c, &k);
		if (writes) {
			k.write = true;
			offer_columns(c, &k, &c->writes);
		}
		k.write = false;
		offer_columns(c, &k, &c->reads);
		offer_rows(c, &k, &c->reads);
		if (writes) {
			k.write = true;
			offer_rows(c, &k, &c->writes);
		}
		wake_for(&c->reads, &k);
		wake_for(&c->writes, &k);
		if (k.best.valid && k.best.clock < k.wake)
			break;
	}
	c->plan = k.best;
}

void dram_queue_add(struct dram_channel *c, struct dram_queue *q, const struct dram_request *r)
{
	unsigned n = q->count++;

	assert(q->count <= q->room);
	for (; n > 0 && q->request[n - 1].at > r->at; n--)
		q->request[n] = q->request[n - 1];
	q->request[n] = *r;
	c->plan.valid = false;
}

void dram_queue_remove(struct dram_queue *q, unsigned n)
{
	q->count--;
	memmove(&q->request[n], &q->request[n + 1], (q->count - n) * sizeof(*q->request));
}

/* Counts what the request's first command found. */
static void count_first(struct dram_channel *c, struct dram_request *r, enum dram_command command)
{
	if (r->begun)
		return;
	r->begun = true;
	dram_count(c)->row_conflicts += command == COMMAND_PRECHARGE;
	dram_count(c)->row_closed += command == COMMAND_ACTIVATE;
	dram_count(c)->row_hits += command >= COMMAND_READ;
}

static void count_last(struct dram_channel *c, const struct dram_request *r, bool write, uint64_t t)
{
	++*(write ? &dram_count(c)->writes : &dram_count(c)->reads);
	dram_count(c)->wait_clocks += write ? 0 : t - r->at;
}

/* With closed pages: returns whether no other request that waits in clock `t` wants the row of `r`. */
static bool row_is_done(const struct dram_channel *c, const struct dram_queue *q, const struct dram_request *r,
			uint64_t t)
{
	if (c->p->page != DRAM_CLOSED)
		return false;
	for (unsigned n = 0; n < in_window(q) && q->request[n].at <= t; n++) {
		const struct dram_request *other = &q->request[n];

		if (other->bank == r->bank && other->row == r->row)
			return false;
	}
	return true;
}

/* Issues a command for request `n` of its queue; true if it is the last of a read. */
static bool step_request(struct dram_channel *c, const struct dram_plan *plan, struct dram_request *out)
{
	struct dram_queue *q = plan->write ? &c->writes : &c->reads;
	struct dram_request *r = &q->request[plan->index];
	bool column = plan->command == COMMAND_READ || plan->command == COMMAND_WRITE;

	c->owner = r->owner;
	count_first(c, r, plan->command);
	dram_issue(c, plan->command, plan->bank, r->row, plan->clock);
	if (!column || --r->bursts)
		return false;
	c->bank[plan->bank].hits++;
	count_last(c, r, plan->write, plan->clock);
	*out = *r;
	dram_queue_remove(q, plan->index);
	if (row_is_done(c, q, out, plan->clock))
		dram_close(c, plan->bank, plan->clock);
	return !plan->write;
}

bool dram_step(struct dram_channel *c, struct dram_request *out)
{
	const struct dram_plan plan = c->plan;

	assert(plan.valid && plan.clock >= c->time);
	c->plan.valid = false;
	c->draining = plan.draining;
	c->time = plan.clock + 1;
	if (!plan.refresh)
		return step_request(c, &plan, out);
	dram_issue(c, plan.command, plan.bank, NO_ROW, plan.clock);
	return false;
}

/* Refreshes the bank's rank, as early as it may be. */
static void refresh_first(struct dram_channel *c, unsigned bank, uint64_t t)
{
	unsigned first = dram_rank_of(c, bank) * c->rank_banks;

	for (unsigned b = first; b < first + c->rank_banks; b++)
		if (c->bank[b].row != NO_ROW)
			dram_issue(c, COMMAND_PRECHARGE, b, NO_ROW, not_before(c->bank[b].precharge, t));
	dram_issue(c, COMMAND_REFRESH, first, NO_ROW, dram_earliest(c, COMMAND_REFRESH, first));
}

/* The next command of a request. */
static enum dram_command next_command(const struct dram_channel *c, const struct dram_request *r, bool write)
{
	if (is_open_for(c, r))
		return write ? COMMAND_WRITE : COMMAND_READ;
	return c->bank[r->bank].row == NO_ROW ? COMMAND_ACTIVATE : COMMAND_PRECHARGE;
}

uint64_t dram_serve_first(struct dram_channel *c, const struct dram_request *given, bool write, uint64_t t)
{
	struct dram_request r = *given;

	c->plan.valid = false;
	c->owner = r.owner;
	t = not_before(c->time, t);
	while (r.bursts) {
		enum dram_command command;

		if (refresh_is_due(c, &r, t))
			refresh_first(c, r.bank, t);
		command = next_command(c, &r, write);
		t = not_before(dram_earliest(c, command, r.bank), t);
		count_first(c, &r, command);
		dram_issue(c, command, r.bank, r.row, t);
		r.bursts -= command == COMMAND_READ || command == COMMAND_WRITE;
	}
	c->bank[r.bank].hits++;
	count_last(c, &r, write, t);
	if (row_is_done(c, write ? &c->writes : &c->reads, &r, t))
		dram_close(c, r.bank, t);
	return t;
}

uint64_t dram_earliest_read(const struct dram_channel *c, const struct dram_request *r, uint64_t t)
{
	const struct dram_bank *b = &c->bank[r->bank];
	uint64_t rest = (uint64_t)(r->bursts - 1) * c->burst_clocks;

	t = not_before(r->at, t);
	if (b->row == r->row)
		return not_before(dram_earliest(c, COMMAND_READ, r->bank), t) + rest;
	if (b->row != NO_ROW)
		t = not_before(b->precharge, t) + c->p->rp;
	return not_before(dram_earliest(c, COMMAND_ACTIVATE, r->bank), t) + c->p->rcd + rest;
}
