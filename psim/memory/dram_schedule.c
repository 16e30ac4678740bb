/* The command that goes next: what the schedulers share. Each is in a file of its own. */
#include <assert.h>
#include <string.h>

#include "dram_channel.h"

static const struct dram_scheduler_kind *const rows[] = {
#define DRAM_SCHEDULER_ROW(id, name) [id] = &id##_kind,
	DRAM_SCHEDULERS(DRAM_SCHEDULER_ROW)
#undef DRAM_SCHEDULER_ROW
};

const struct dram_scheduler_kind *dram_scheduler_kind(const struct dram_params *p)
{
	return rows[p->scheduler];
}

static uint64_t not_before(uint64_t clock, uint64_t t)
{
	return clock > t ? clock : t;
}

void dram_wake_at(struct dram_choice *k, uint64_t clock)
{
	if (clock < k->wake)
		k->wake = clock;
}

void dram_wake_for(const struct dram_queue *q, unsigned count, struct dram_choice *k)
{
	for (unsigned n = 0; n < count; n++)
		if (q->request[n].at > k->t) {
			dram_wake_at(k, q->request[n].at);
			return;
		}
}

void dram_offer(const struct dram_channel *c, struct dram_choice *k, enum dram_command command, unsigned bank,
		uint64_t order, unsigned index)
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

void dram_offer_refreshes(const struct dram_channel *c, struct dram_choice *k)
{
	for (unsigned n = 0; n < c->p->ranks; n++) {
		unsigned first = n * c->rank_banks;

		if (c->rank[n].refresh > k->t) {
			dram_wake_at(k, c->rank[n].refresh);
			continue;
		}
		if (!c->rank[n].open)
			dram_offer(c, k, COMMAND_REFRESH, first, ORDER_REFRESH, 0);
		for (unsigned b = first; b < first + c->rank_banks; b++)
			if (c->bank[b].row != NO_ROW)
				dram_offer(c, k, COMMAND_PRECHARGE, b, ORDER_REFRESH, 0);
	}
}

void dram_queue_add(struct dram_channel *c, struct dram_queue *q, const struct dram_request *r)
{
	unsigned n = q->count++;

	assert(q->count <= q->room);
	for (; n > 0 && q->request[n - 1].at > r->at; n--)
		q->request[n] = q->request[n - 1];
	q->request[n] = *r;
	q->request[n].entered = CLOCK_NEVER;
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
	for (unsigned n = 0; n < dram_in_window(q) && q->request[n].at <= t; n++) {
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
	c->time = c->settled = plan.clock + 1;
	if (!plan.refresh) {
		c->turn = plan.bank;
		return step_request(c, &plan, out);
	}
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
	if (dram_is_open_for(c, r))
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

		if (dram_refresh_is_due(c, &r, t))
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
