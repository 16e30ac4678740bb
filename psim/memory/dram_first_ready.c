/*
 * The scheduler of the oldest request first: FR-FCFS (Rixner et al., ISCA 2000), with a bound on the accesses of a row
 * that pass an older request (Mutlu and Moscibroda, MICRO 2007). It sees both queues of the channel as they are.
 */
#include <string.h>

#include "dram_channel.h"

/* A bank has, among the requests seen so far: one that wants another row; one that may use the open row. */
enum { BANK_OLDER = 1, BANK_HIT = 2 };

/*
 * Read or write commands of requests whose row is open. Notes which banks they use, and for each bank the oldest
 * request that wants another row.
 */
static void offer_columns(const struct dram_channel *c, struct dram_choice *k, const struct dram_queue *q)
{
	for (unsigned n = 0; n < dram_in_window(q) && q->request[n].at <= k->t; n++) {
		const struct dram_request *r = &q->request[n];

		if (dram_refresh_is_due(c, r, k->t))
			continue;
		if (!dram_is_open_for(c, r)) {
			if (!(c->older[r->bank] & BANK_OLDER))
				c->wants[r->bank] = 2 * n + k->write;
			c->older[r->bank] |= BANK_OLDER;
		} else if (!(c->older[r->bank] & BANK_OLDER) || c->bank[r->bank].hits < c->p->row_hits) {
			c->older[r->bank] |= BANK_HIT;
			dram_offer(c, k, k->write ? COMMAND_WRITE : COMMAND_READ, r->bank, ORDER_REQUESTS + n, n);
		}
	}
}

/* Precharges and activations, for the oldest request of each bank whose open row is not used. */
static void offer_rows(const struct dram_channel *c, struct dram_choice *k, const struct dram_queue *q)
{
	for (unsigned n = 0; n < dram_in_window(q) && q->request[n].at <= k->t; n++) {
		unsigned bank = q->request[n].bank;

		if (c->older[bank] != BANK_OLDER || c->wants[bank] != 2 * n + k->write)
			continue;
		dram_offer(c, k, c->bank[bank].row == NO_ROW ? COMMAND_ACTIVATE : COMMAND_PRECHARGE, bank,
			   ORDER_REQUESTS + q->window + n, n);
	}
}

/*
 * Returns whether writes may go in clock k->t, beside reads: from a full queue, or one of which more than a quarter
 * waits while no read does, down to a quarter.
 */
static bool writes_go(const struct dram_channel *c, struct dram_choice *k)
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

static void plan_first_ready(struct dram_channel *c)
{
	struct dram_choice k = {.t = c->time, .draining = c->draining};

	for (;; k.t = k.wake) {
		bool writes;

		k.wake = CLOCK_NEVER;
		k.best.valid = false;
		memset(c->older, 0, c->banks * sizeof(*c->older));
		dram_offer_refreshes(c, &k);
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
		dram_wake_for(&c->reads, dram_in_window(&c->reads), &k);
		dram_wake_for(&c->writes, dram_in_window(&c->writes), &k);
		if (k.best.valid && k.best.clock < k.wake)
			break;
	}
	c->plan = k.best;
}

const struct dram_scheduler_kind DRAM_FIRST_READY_kind = {plan_first_ready};
