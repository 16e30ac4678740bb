/*
 * The scheduler that takes banks in turn, as DRAMsim3 has it (S. Li et al., IEEE Computer Architecture Letters 19,
 * 2020; command_queue.cc and controller.cc of its version of April 2021).
 *
 * Each bank has a queue of BANK_ROOM requests, in the order in which they enter it: one of the channel a clock, the
 * oldest whose bank has room. Those are reads, until writes fill their queue, or more than a quarter of it waits while
 * no request is in a bank's queue. From then on all writes that wait enter, and no read before the last of them. In a
 * clock, banks have their turn from the one behind the last command's on. A bank issues for the first of its requests
 * that may have its command; a precharge only for the oldest, when no request is for the open row or dram.row_hits
 * were.
 */
#include <string.h>

#include "dram_channel.h"

enum { BANK_ROOM = 8, HAS_HIT = 1 };

/* The order of a command: banks by turn; in a bank its oldest request's, then by age. */
static const uint64_t TURN = UINT64_C(1) << 40;

static uint64_t turn_of(const struct dram_channel *c, unsigned bank)
{
	return ((bank + c->banks - c->turn - 1) % c->banks + 1) * TURN;
}

static bool is_in_bank(const struct dram_request *r, uint64_t t)
{
	return r->entered <= t;
}

/* Requests that have entered since clock `settled` enter again, as others may have come before them. */
static void take_back(struct dram_queue *q, uint64_t settled)
{
	for (unsigned n = 0; n < q->count; n++)
		if (q->request[n].entered >= settled)
			q->request[n].entered = CLOCK_NEVER;
}

/* Counts the requests of each bank's queue in c->wants; returns their sum. */
static unsigned count_in_banks(const struct dram_channel *c, uint64_t t)
{
	const struct dram_queue *queues[] = {&c->reads, &c->writes};
	unsigned sum = 0;

	memset(c->wants, 0, c->banks * sizeof(*c->wants));
	for (unsigned w = 0; w < 2; w++)
		for (unsigned n = 0; n < queues[w]->count; n++)
			if (is_in_bank(&queues[w]->request[n], t)) {
				c->wants[queues[w]->request[n].bank]++;
				sum++;
			}
	return sum;
}

static unsigned waiting(const struct dram_queue *q, uint64_t t)
{
	unsigned sum = 0;

	for (unsigned n = 0; n < q->count && q->request[n].at <= t; n++)
		sum += !is_in_bank(&q->request[n], t);
	return sum;
}

/* The oldest request whose bank has room enters its queue; false: there is none. */
static bool enter_oldest(struct dram_channel *c, struct dram_queue *q, uint64_t t)
{
	for (unsigned n = 0, seen = 0; n < q->count && q->request[n].at <= t && seen < q->window; n++) {
		struct dram_request *r = &q->request[n];

		if (is_in_bank(r, t))
			continue;
		seen++;
		if (c->wants[r->bank] < BANK_ROOM) {
			r->entered = t;
			return true;
		}
	}
	return false;
}

/* The request of clock k->t enters. */
static void enter(struct dram_channel *c, struct dram_choice *k)
{
	unsigned in_banks = count_in_banks(c, k->t), writes = waiting(&c->writes, k->t), full = c->p->write_queue;

	if (!k->draining && (writes >= full || (writes > full / 4 && !in_banks)))
		k->draining = writes;
	if (k->draining > writes)
		k->draining = writes; /* the oldest write made room */
	if (enter_oldest(c, k->draining ? &c->writes : &c->reads, k->t)) {
		k->draining -= k->draining > 0;
		dram_wake_at(k, k->t + 1);
	}
	dram_wake_for(&c->reads, c->reads.count, k);
	dram_wake_for(&c->writes, c->writes.count, k);
}

/* Notes which banks have a request for their open row in c->older, and the clock of entry of the oldest in c->first. */
static void survey(const struct dram_channel *c, const struct dram_queue *q, uint64_t t)
{
	for (unsigned n = 0; n < q->count; n++) {
		const struct dram_request *r = &q->request[n];

		if (!is_in_bank(r, t))
			continue;
		if (r->entered < c->first[r->bank])
			c->first[r->bank] = r->entered;
		if (dram_is_open_for(c, r))
			c->older[r->bank] |= HAS_HIT;
	}
}

/* Returns whether a read of the line is in the bank's queue before the write. */
static bool waits_for_a_read(const struct dram_channel *c, const struct dram_request *write)
{
	for (unsigned n = 0; n < c->reads.count; n++)
		if (c->reads.request[n].line == write->line && c->reads.request[n].entered < write->entered)
			return true;
	return false;
}

/* The command of request `n`, if it may have one. */
static void offer_for(const struct dram_channel *c, struct dram_choice *k, const struct dram_request *r, unsigned n)
{
	const struct dram_bank *b = &c->bank[r->bank];
	uint64_t turn = turn_of(c, r->bank), age = k->t - r->entered;

	if (dram_is_open_for(c, r)) {
		if (!k->write || !waits_for_a_read(c, r))
			dram_offer(c, k, k->write ? COMMAND_WRITE : COMMAND_READ, r->bank,
				   turn + (age < TURN ? TURN - 1 - age : 1), n);
		return;
	}
	if (r->entered != c->first[r->bank])
		return;
	if (b->row == NO_ROW)
		dram_offer(c, k, COMMAND_ACTIVATE, r->bank, turn, n);
	else if (!(c->older[r->bank] & HAS_HIT) || b->hits >= c->p->row_hits)
		dram_offer(c, k, COMMAND_PRECHARGE, r->bank, turn, n);
}

static void offer_all(const struct dram_channel *c, struct dram_choice *k, const struct dram_queue *q)
{
	for (unsigned n = 0; n < q->count; n++)
		if (is_in_bank(&q->request[n], k->t) && !dram_refresh_is_due(c, &q->request[n], k->t))
			offer_for(c, k, &q->request[n], n);
}

static void offer_requests(struct dram_channel *c, struct dram_choice *k)
{
	memset(c->older, 0, c->banks * sizeof(*c->older));
	for (unsigned b = 0; b < c->banks; b++)
		c->first[b] = CLOCK_NEVER;
	survey(c, &c->reads, k->t);
	survey(c, &c->writes, k->t);
	k->write = false;
	offer_all(c, k, &c->reads);
	k->write = true;
	offer_all(c, k, &c->writes);
	k->write = false;
}

/* Requests that have entered before c->time stay there: all of that time are known. */
static void settle(struct dram_channel *c)
{
	struct dram_choice k = {.t = c->settled, .draining = c->draining};

	take_back(&c->reads, c->settled);
	take_back(&c->writes, c->settled);
	for (; k.t < c->time; k.t = k.wake) {
		k.wake = c->time;
		enter(c, &k);
	}
	c->settled = c->time;
	c->draining = k.draining;
}

static void plan_in_turn(struct dram_channel *c)
{
	struct dram_choice k;

	settle(c);
	k = (struct dram_choice){.t = c->time, .draining = c->draining};
	for (;; k.t = k.wake) {
		k.wake = CLOCK_NEVER;
		k.best.valid = false;
		enter(c, &k);
		dram_offer_refreshes(c, &k);
		offer_requests(c, &k);
		if (k.best.valid && k.best.clock < k.wake)
			break;
	}
	c->plan = k.best;
}

const struct dram_scheduler_kind DRAM_BANKS_IN_TURN_kind = {plan_in_turn};
