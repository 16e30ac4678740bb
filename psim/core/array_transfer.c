/*
 * Transfers between memory and SBM. A transfer starts when it commits, and requests
 * its lines from memory in order. Transfers request lines, and end, in the order of
 * their start. The number of buffers limits the lines in transit.
 *
 * Each line that a piece touches costs a whole line of the memory channel. A line
 * that the next piece continues in is requested only once.
 */
#include <stdlib.h>

#include "array_state.h"

static unsigned array_transfer_power_of_two(uint64_t n)
{
	unsigned p = 1;

	while (p < n)
		p *= 2;
	return p;
}

int transfers_create(struct core *c, struct err *e)
{
	struct array *a = c->array;
	/* pending transfers: at most one for each fetched instruction */
	unsigned fetched = array_transfer_power_of_two((uint64_t)c->front.fq_mask + 1 + c->win.rob_mask + 1);

	a->pending_mask = fetched - 1;
	a->pending = calloc(fetched, sizeof(*a->pending));
	a->transfer_mask = array_transfer_power_of_two(a->p->transfers) - 1;
	a->transfer = calloc(a->transfer_mask + 1, sizeof(*a->transfer));
	a->line_mask = array_transfer_power_of_two(a->p->transfer_buffers) - 1;
	a->line = calloc(a->line_mask + 1, sizeof(*a->line));
	if (!a->pending || !a->transfer || !a->line)
		return err_set(e, STATUS_FAILED, "core: out of memory for %u transfers", a->p->transfers);
	return 0;
}

void transfers_destroy(struct array *a)
{
	free(a->pending);
	free(a->transfer);
	free(a->line);
}

/* ---- from fetch to commit ---- */
uint64_t array_fetch_transfer(struct core *c, const struct insn *i, const uint64_t ea[3])
{
	struct array *a = c->array;

	a->pending[a->pending_tail & a->pending_mask] = (struct pending_transfer){
		.memory = ea[0],
		.window = ea[1],
		.descriptor = ea[2],
		.seq = UINT64_MAX,
		.put = i->class == CLASS_SBM_PUT,
		.deal = i->asi == SIMD_DEAL,
	};
	return a->pending_tail++;
}

/* The bytes of SBM that a transfer touches, in the PE with the largest share. */
static struct sbm_range array_transfer_range_of(const struct array *a, const struct pending_transfer *t)
{
	struct simd_transfer d = simd_transfer_unpack(t->descriptor, t->deal ? SIMD_DEAL : SIMD_ONE);

	return (struct sbm_range){t->window, (uint64_t)simd_transfer_share(&d, a->pes, 0) * d.bytes};
}

static void array_transfer_start(struct core *c, const struct pending_transfer *t)
{
	struct array *a = c->array;
	struct simd_transfer d = simd_transfer_unpack(t->descriptor, t->deal ? SIMD_DEAL : SIMD_ONE);

	if (a->transfer_issue == a->transfer_tail && a->next_line <= c->now)
		a->next_line = c->now + 1;
	a->transfer[a->transfer_tail++ & a->transfer_mask] = (struct transfer){
		.memory = t->memory,
		.range = array_transfer_range_of(a, t),
		.bytes = d.bytes,
		.pieces = d.bytes ? d.pieces : 0,
		.stride = d.stride,
		.put = t->put,
		.deal = t->deal,
	};
	++*(t->put ? &c->acct.stats.simd_puts : &c->acct.stats.simd_gets);
	*(t->put ? &c->acct.stats.simd_put_bytes : &c->acct.stats.simd_get_bytes) += simd_transfer_bytes(&d);
	if (!t->put && !t->deal && sbm_of_all(t->window))
		c->acct.stats.simd_spread_bytes += simd_transfer_bytes(&d);
}

bool array_transfer_commit(struct core *c, unsigned slot)
{
	struct array *a = c->array;

	(void)slot; /* transfers commit in the order in which they were fetched */
	if (a->transfer_tail - a->transfer_head >= a->p->transfers || c->ls.sb_count || a->sb_count)
		return false;
	array_transfer_start(c, &a->pending[a->pending_head++ & a->pending_mask]);
	return true;
}

/* ---- sxwait ---- */
static void end_wait(struct core *c)
{
	struct array *a = c->array;

	c->win.rob[a->wait_slot].done = c->now + c->cfg->core.commit_stages;
	a->wait_slot = SLOT_NONE;
}

void array_wait(struct core *c, unsigned slot)
{
	struct array *a = c->array;
	uint64_t most = (uint64_t)(uint32_t)c->win.rob[slot].uop->insn->imm;
	uint64_t started = a->transfer_tail - a->transfer_head;

	if (started <= most)
		return;
	a->wait_for = a->transfer_tail - most;
	a->wait_slot = slot;
	c->win.rob[slot].done = CYCLE_NEVER;
}

/* ---- interlock ---- */
static bool touches(const struct sbm_range *t, uint64_t ea, unsigned size)
{
	uint64_t window = sbm_same_window(t->window, ea);

	return ea < window + t->bytes && window < ea + size;
}

bool transfers_hold_load(const struct core *c, uint64_t ea, unsigned size, uint64_t seq)
{
	const struct array *a = c->array;

	for (uint64_t n = a->transfer_head; n != a->transfer_tail; n++) {
		const struct transfer *t = &a->transfer[n & a->transfer_mask];

		if (!t->put && touches(&t->range, ea, size))
			return true;
	}
	for (uint64_t n = a->pending_head; n < a->pending_dispatched; n++) {
		const struct pending_transfer *t = &a->pending[n & a->pending_mask];
		struct sbm_range range = array_transfer_range_of(a, t);

		if (t->seq < seq && !t->put && touches(&range, ea, size))
			return true;
	}
	return false;
}

bool transfers_hold_store(const struct core *c, uint64_t ea, unsigned size)
{
	const struct array *a = c->array;

	for (uint64_t n = a->transfer_head; n != a->transfer_tail; n++)
		if (touches(&a->transfer[n & a->transfer_mask].range, ea, size))
			return true;
	return false;
}

/* ---- the engine ---- */

/*
 * Adds the SBM port cycles of a line. A port moves sbm_port_bytes a cycle; a PE gets
 * 1/pes of a line that is distributed (`deal`). Units are 1/pes of a byte, so that remainders carry
 * over from line to line. As PEs run in lock step, a port that a line needs in one of
 * them is occupied in all.
 */
static void port_take(struct array *a, uint64_t units, bool last)
{
	uint64_t port = (uint64_t)a->p->sbm_port_bytes * a->pes;

	a->port_units += units;
	a->port_debt += a->port_units / port;
	a->port_units %= port;
	if (last && a->port_units) {
		a->port_debt++;
		a->port_units = 0;
	}
}

static bool all_requested(const struct transfer *t)
{
	return !t->pieces;
}

/* Advances the transfer by the bytes that it needs of the current line; returns their number. */
static uint64_t take_line(struct transfer *t, uint64_t line, uint64_t line_bytes)
{
	uint64_t taken = 0;

	while (t->pieces && ((t->memory + t->done) & ~(line_bytes - 1)) == line) {
		uint64_t left = t->bytes - t->done, room = line + line_bytes - (t->memory + t->done);
		uint64_t n = left < room ? left : room;

		taken += n;
		t->done += n;
		if (t->done < t->bytes)
			continue;
		t->done = 0;
		t->pieces--;
		t->memory += (uint64_t)t->stride;
	}
	return taken;
}

/* Returns whether the current transfer may request a line. It needs a buffer, and a put needs an SBM port to read. */
static bool may_request_line(const struct array *a)
{
	return a->transfer_issue != a->transfer_tail && a->line_tail - a->line_head < a->p->transfer_buffers &&
	       !(a->port_debt && a->transfer[a->transfer_issue & a->transfer_mask].put);
}

/* Requests the next line of the current transfer. */
static void request_array_line(struct core *c)
{
	struct array *a = c->array;
	struct transfer *t = &a->transfer[a->transfer_issue & a->transfer_mask];
	uint64_t line_bytes = c->cfg->l2.line_bytes, line = (t->memory + t->done) & ~(line_bytes - 1);
	/* a put first reads its data from SBM, and sends it over C */
	uint64_t lead = t->put ? a->p->sbm_latency + (uint64_t)a->p->c_cycles : 0;
	uint64_t taken = take_line(t, line, line_bytes), units = taken * (t->deal ? 1 : a->pes);
	struct mem_line answer = memsys_transfer(c->mem, c->now, c->now + lead, line, t->put, taken == line_bytes);
	uint64_t arrival = answer.arrival + (t->put ? 0 : a->p->c_cycles);
	struct transfer_line *l = &a->line[a->line_tail & a->line_mask];

	if (a->line_head != a->line_tail && a->line[(a->line_tail - 1) & a->line_mask].arrival > arrival)
		arrival = a->line[(a->line_tail - 1) & a->line_mask].arrival;
	*l = (struct transfer_line){arrival, t->put ? 0 : units, all_requested(t)};
	a->line_tail++;
	a->next_line = answer.next - lead > c->now ? answer.next - lead : c->now + 1;
	if (t->put)
		port_take(a, units, all_requested(t));
	c->acct.stats.simd_transfer_lines++;
	if (all_requested(t))
		a->transfer_issue++;
	c->progress = true;
}

/* Takes arrived lines while their port cycles last. Arrivals count as progress for the deadlock check. */
static void take_arrivals(struct core *c)
{
	struct array *a = c->array;

	while (!a->port_debt && a->line_head != a->line_tail &&
	       a->line[a->line_head & a->line_mask].arrival <= c->now) {
		const struct transfer_line *l = &a->line[a->line_head++ & a->line_mask];
		uint64_t n = a->transfer_head;

		port_take(a, l->port_units, l->last);
		while (l->last && a->transfer[n & a->transfer_mask].arrived)
			n++;
		if (l->last)
			a->transfer[n & a->transfer_mask].arrived = true;
		c->acct.last_commit = c->now;
		c->progress = true;
	}
}

/* Ends the transfers whose lines are all written, in order. */
static void end_transfers(struct core *c)
{
	struct array *a = c->array;
	uint64_t before = a->transfer_head;

	while (a->transfer_head != a->transfer_tail && !a->port_debt &&
	       a->transfer[a->transfer_head & a->transfer_mask].arrived)
		a->transfer_head++;
	if (a->transfer_head == before)
		return;
	array_unblock(c);
	if (a->wait_slot != SLOT_NONE && a->transfer_head >= a->wait_for)
		end_wait(c);
	c->progress = true;
}

void transfers_step(struct core *c)
{
	struct array *a = c->array;

	take_arrivals(c);
	if (a->port_debt) {
		a->port_debt--;
		a->ports_left--;
		c->acct.stats.simd_transfer_ports++;
		c->progress = true;
	}
	end_transfers(c);
	if (a->next_line <= c->now && may_request_line(a))
		request_array_line(c);
}

uint64_t transfers_next(const struct core *c)
{
	const struct array *a = c->array;
	uint64_t next = CYCLE_NEVER;

	if (a->line_head != a->line_tail)
		next = a->line[a->line_head & a->line_mask].arrival;
	if (a->next_line < next && may_request_line(a))
		next = a->next_line;
	return next;
}
