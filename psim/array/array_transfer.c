/*
 * Transfers between memory and SBM. A transfer starts when it commits, and requests
 * its lines from memory in order. Transfers request lines, and end, in the order of
 * their start. The number of buffers limits the lines in transit.
 *
 * Each line that a piece touches costs a whole line of the memory channel. A line
 * that the next piece continues in is requested only once.
 */
#include <assert.h>
#include <stdlib.h>

#include "../base/number.h"
#include "array_requests.h"
#include "../memory/quick_access.h"

/* Lines in transit before the present ones that a run of lines compares them with. */
enum { RUN_LINES = 64 };

int transfers_create(struct core *c, struct err *e)
{
	struct array *a = c->array;
	struct transfer_requests *q = &a->requests;
	/* at most one for each fetched instruction, those of the memoised core's transition included */
	unsigned fetched = power_of_two_from((uint64_t)c->front.fq_mask + 1 + c->win.rob_mask + 1 + a->p->transfers +
					     TRANSFERS_BEFORE);

	q->mask = fetched - 1;
	q->transfer = calloc(fetched, sizeof(*q->transfer));
	q->line_mask = power_of_two_from(a->p->transfer_buffers + RUN_LINES) - 1;
	q->line = calloc(q->line_mask + 1, sizeof(*q->line));
	if (!q->transfer || !q->line)
		return err_set(e, STATUS_FAILED, "core: out of memory for %u transfers", a->p->transfers);
	return 0;
}

void transfers_destroy(struct array *a)
{
	free(a->requests.transfer);
	free(a->requests.line);
}

/* ---- from fetch to commit ---- */
uint64_t array_fetch_transfer(struct core *c, const struct insn *i, const uint64_t ea[3])
{
	struct transfer_requests *q = &c->array->requests;
	bool deal = i->asi == SIMD_DEAL;
	struct simd_transfer d = simd_transfer_unpack(ea[2], deal ? SIMD_DEAL : SIMD_ONE);

	q->transfer[q->fetched & q->mask] = (struct transfer){
		.memory = ea[0],
		.descriptor = ea[2],
		/* in the PE with the largest share */
		.range = sbm_range_of(ea[1], (uint64_t)simd_transfer_share(&d, c->array->pes, 0) * d.bytes),
		.seq = UINT64_MAX,
		.put = i->class == CLASS_SBM_PUT,
		.deal = deal,
	};
	return q->fetched++;
}

static struct simd_transfer descriptor_of(const struct transfer *t)
{
	return simd_transfer_unpack(t->descriptor, t->deal ? SIMD_DEAL : SIMD_ONE);
}

void transfers_count_bytes(struct core *c, uint64_t number, bool more)
{
	const struct transfer *t = array_transfer_of(c->array, number);
	struct simd_transfer d = descriptor_of(t);
	uint64_t bytes = more ? simd_transfer_bytes(&d) : -simd_transfer_bytes(&d);

	*(t->put ? &c->counters.stats.simd_put_bytes : &c->counters.stats.simd_get_bytes) += bytes;
	if (!t->put && !t->deal && sbm_of_all(t->range.window))
		c->counters.stats.simd_spread_bytes += bytes;
}

bool array_transfer_commit(struct core *c, unsigned slot)
{
	struct array *a = c->array;

	(void)slot; /* transfers commit in the order in which they were fetched */
	if (a->transfer_tail - a->transfer_head >= a->p->transfers || c->ls.sb_count || a->sb_count)
		return false;
	assert(a->transfer_head <= a->transfer_issue && a->transfer_issue <= a->transfer_tail);
	if (a->transfer_issue == a->transfer_tail && a->next_line <= c->now)
		a->next_line = c->now + 1;
	++*(array_transfer_of(a, a->transfer_tail)->put ? &c->counters.stats.simd_puts : &c->counters.stats.simd_gets);
	transfers_count_bytes(c, a->transfer_tail++, true);
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
bool transfers_hold_load(const struct core *c, uint64_t ea, unsigned size, uint64_t seq)
{
	const struct array *a = c->array;

	for (uint64_t n = a->transfer_head; n != a->transfer_dispatched; n++) {
		const struct transfer *t = array_transfer_of(a, n);

		if (n >= a->transfer_tail && t->seq > seq)
			break;
		if (!t->put && sbm_touches(&t->range, ea, size))
			return true;
	}
	return false;
}

bool transfers_hold_store(const struct core *c, uint64_t ea, unsigned size)
{
	const struct array *a = c->array;

	for (uint64_t n = a->transfer_head; n != a->transfer_tail; n++)
		if (sbm_touches(&array_transfer_of(a, n)->range, ea, size))
			return true;
	return false;
}

/* ---- requests of lines, outside of the array's timing ---- */

/* Begins to request the lines of the next transfer. */
static void begin_requests(struct array *a)
{
	struct transfer_requests *q = &a->requests;
	const struct transfer *t = &q->transfer[q->number & q->mask];
	struct simd_transfer d = descriptor_of(t);

	q->begun = true;
	q->memory = t->memory;
	q->bytes = d.bytes;
	q->pieces = d.bytes ? d.pieces : 0;
	q->stride = d.stride;
	q->done = q->even = 0;
	q->put = t->put;
	q->lead = t->put ? a->p->sbm_latency + (uint64_t)a->p->c_cycles : 0;
	q->share = t->deal ? 1 : a->pes;
}

/* Takes the pieces that begin and end in the rest of the line, from the current one on; returns their number. */
static uint64_t take_whole_pieces(struct transfer_requests *q, uint64_t end)
{
	uint64_t stride = (uint64_t)q->stride, count;

	if (q->done || q->stride <= 0 || end - q->memory < q->bytes)
		return 0;
	count = (end - q->memory - q->bytes) / stride + 1;
	count = count < q->pieces ? count : q->pieces;
	q->memory += count * stride;
	q->pieces -= count;
	return count;
}

/* Finds out how many lines from the current place on have the same whole pieces. */
static void find_even(struct transfer_requests *q, uint64_t line_bytes)
{
	uint64_t stride = (uint64_t)q->stride, inside = q->memory & (line_bytes - 1);

	q->even = 0;
	if (q->done || q->stride <= 0 || q->pieces < 2)
		return;
	if (stride % line_bytes == 0 && inside + q->bytes <= line_bytes)
		q->even_pieces = 1;
	else if (line_bytes % stride == 0 && inside + q->bytes <= stride)
		q->even_pieces = line_bytes / stride;
	else
		return;
	q->even = (q->pieces - 1) / q->even_pieces;
	q->even_bytes = q->even_pieces * q->bytes;
}

/* As take_line, for a line in which a piece ends. */
static uint64_t take_pieces(struct transfer_requests *q, uint64_t line, uint64_t line_bytes)
{
	uint64_t taken = 0;

	while (q->pieces && ((q->memory + q->done) & ~(line_bytes - 1)) == line) {
		uint64_t left = q->bytes - q->done, room = line + line_bytes - (q->memory + q->done);
		uint64_t n = left < room ? left : room, whole = take_whole_pieces(q, line + line_bytes);

		if (whole) {
			taken += whole * q->bytes;
			continue;
		}
		taken += n;
		q->done += n;
		if (q->done < q->bytes)
			continue;
		q->done = 0;
		q->pieces--;
		q->memory += (uint64_t)q->stride;
	}
	find_even(q, line_bytes);
	return taken;
}

/* Advances the transfer by the bytes that it needs of the current line; returns their number. */
static inline uint64_t take_line(struct transfer_requests *q, uint64_t line, uint64_t line_bytes)
{
	uint64_t room = line + line_bytes - (q->memory + q->done);

	if (q->even) {
		q->even--;
		q->memory += q->even_pieces * (uint64_t)q->stride;
		q->pieces -= q->even_pieces;
		return q->even_bytes;
	}
	if (!q->pieces || q->bytes - q->done <= room)
		return take_pieces(q, line, line_bytes);
	q->done += room; /* the piece goes on in the next line */
	return room;
}

static inline struct line_request request_next_line(struct core *c, uint64_t now)
{
	struct array *a = c->array;
	struct transfer_requests *q = &a->requests;
	uint64_t line_bytes = c->cfg->l2.line_bytes, line, taken, units, arrival;
	struct mem_line answer;
	bool last;

	if (!q->begun)
		begin_requests(a);
	line = (q->memory + q->done) & ~(line_bytes - 1);
	taken = take_line(q, line, line_bytes);
	units = taken * q->share;
	last = !q->pieces;
	if (!memsys_transfer_quick(c->mem, now, q->lead, line, q->put, &answer))
		answer = memsys_transfer(c->mem, now, now + q->lead, line, q->put, taken == line_bytes);
	arrival = answer.arrival + (q->put ? 0 : a->p->c_cycles);
	arrival = latest(arrival, q->last_arrival);
	q->last_arrival = arrival;
	assert(q->line_tail - q->line_head <= q->line_mask);
	q->line[q->line_tail++ & q->line_mask] = (struct transfer_line){arrival, q->put ? 0 : units, last};
	if (last) {
		q->number++;
		q->begun = false;
	}
	return (struct line_request){latest(answer.next - q->lead, now + 1), q->put ? units : 0, last};
}

struct line_request transfers_request_line(struct core *c)
{
	return request_next_line(c, c->now);
}

uint64_t transfers_line_word(struct core *c)
{
	struct line_request r = request_next_line(c, c->now);

	return line_word(r.next, c->now, r.port_units, r.last);
}

struct transfer_line transfers_first_line(struct core *c)
{
	struct transfer_requests *q = &c->array->requests;

	assert(q->line_head != q->line_tail);
	return q->line[q->line_head++ & q->line_mask];
}

/* ---- runs of lines ---- */

/* Lines of the current transfer that come at one distance, are not its last, and need as many bytes each. */
struct line_plan {
	uint64_t left, made; /* lines */
	uint64_t line, step; /* the address of the next one, its distance from the one before */
	uint64_t taken;      /* bytes of a line */
	uint64_t pieces;     /* that end in a line; 0: all are of one piece */
	struct quick_transfers quick;
	/* from a transfer to its arrival in SBM; how a line uses SBM ports, at its arrival and at its request */
	uint64_t travel, units, units_asked;
};

/* Plans lines, none if their transfers are not quick. */
static void plan_lines(struct core *c, struct line_plan *p)
{
	const struct array *a = c->array;
	struct transfer_requests *q = &c->array->requests;
	uint64_t line_bytes = c->cfg->l2.line_bytes, at = q->memory + q->done;

	p->left = p->made = 0;
	if (!q->begun || !q->pieces || !quick_transfers_begin(c->mem, q->lead, &p->quick))
		return;
	p->pieces = 0;
	p->line = at & ~(line_bytes - 1);
	if (q->bytes - q->done <= line_bytes) {
		find_even(q, line_bytes);
		p->left = q->even;
		p->pieces = q->even_pieces;
		p->step = q->even_pieces * (uint64_t)q->stride;
		p->taken = q->even_bytes;
	} else if (at == p->line) {
		p->step = p->taken = line_bytes;
		p->left = (q->bytes - q->done - 1) / line_bytes;
	}
	p->travel = q->put ? 0 : (uint64_t)a->p->c_cycles;
	p->units = q->put ? 0 : p->taken * q->share;
	p->units_asked = q->put ? p->taken * q->share : 0;
}

/* The lines made so far are requested. */
static void end_plan(struct core *c, const struct line_plan *p)
{
	struct transfer_requests *q = &c->array->requests;

	if (!p->made)
		return;
	quick_transfers_end(c->mem, &p->quick, q->put);
	if (!p->pieces)
		q->done += p->made * p->step;
	else
		q->memory += p->made * p->step;
	q->pieces -= p->made * p->pieces;
	q->even -= p->pieces ? p->made : 0;
}

/* Requests the next line of the plan. False: it is not there, or not quick. */
static inline bool request_planned(struct transfer_requests *q, struct line_plan *p, uint64_t now, uint64_t *ret_answer)
{
	struct mem_line answer;
	uint64_t arrival;

	if (!p->left || !quick_transfer(&p->quick, now, p->line, &answer))
		return false;
	arrival = latest(answer.arrival + p->travel, q->last_arrival);
	q->last_arrival = arrival;
	q->line[q->line_tail++ & q->line_mask] = (struct transfer_line){arrival, p->units, false};
	p->left--;
	p->made++;
	p->line += p->step;
	*ret_answer = line_word(latest(answer.next - p->quick.lead, now + 1), now, p->units_asked, false);
	return true;
}

/* Lines that L2 has taken out of L1. */
static uint64_t invalidated(const struct core *c)
{
	return c->mem->stats.l1d_invalidated + c->mem->stats.l1i_invalidated;
}

/* Requests a line that is not planned, and plans those behind it. *ret_alone: it takes no line out of L1. */
static uint64_t request_unplanned(struct core *c, struct line_plan *p, uint64_t now, bool *ret_alone)
{
	uint64_t before = invalidated(c);
	struct line_request r;

	end_plan(c, p);
	r = request_next_line(c, now);
	plan_lines(c, p);
	*ret_alone = invalidated(c) == before;
	return line_word(r.next, now, r.port_units, r.last);
}

static inline uint64_t first_line_word(struct transfer_requests *q, uint64_t now)
{
	const struct transfer_line *l = &q->line[q->line_head++ & q->line_mask];

	return line_word(latest(l->arrival, now), now, l->port_units, l->last);
}

/* The state before a round on which answers depend, and counts. */
struct run_place {
	uint64_t now, next_free, waited, last_arrival, head, tail, made;
};

static struct run_place run_place_of(const struct transfer_requests *q, const struct line_plan *p, uint64_t now)
{
	return (struct run_place){now,          p->quick.next_free, p->quick.waited, q->last_arrival,
				  q->line_head, q->line_tail,       p->made};
}

/* Returns whether the lines in transit are those before the round, moved by its cycles. */
static bool transit_repeats(const struct transfer_requests *q, uint64_t head, uint64_t cycles)
{
	for (uint64_t n = q->line_head; n != q->line_tail; n++) {
		const struct transfer_line *l = &q->line[n & q->line_mask], *was = &q->line[head++ & q->line_mask];

		if (l->arrival != was->arrival + cycles || l->port_units != was->port_units || l->last != was->last)
			return false;
	}
	return true;
}

/* Returns whether a round that began at `was` was of planned lines alone, and its end is its begin moved in time. */
static bool round_repeats(const struct transfer_requests *q, const struct run_place *was, const struct run_place *at)
{
	uint64_t cycles = at->now - was->now, lines = at->made - was->made;

	return at->next_free == was->next_free + (cycles << CHANNEL_SHIFT) && lines &&
	       at->last_arrival == was->last_arrival + cycles && at->tail == was->tail + lines &&
	       at->head == was->head + lines && lines <= RUN_LINES && transit_repeats(q, was->head, cycles);
}

/*
 * Makes more rounds like the one from `was` to `at`, as many as are `left` and have all their lines planned and quick:
 * returns their number.
 */
static uint64_t repeat_round(struct transfer_requests *q, struct line_plan *p, const struct run_place *was,
			     const struct run_place *at, uint64_t left)
{
	uint64_t cycles = at->now - was->now, lines = at->made - was->made, rounds = p->left / lines;

	rounds = rounds < left ? rounds : left;
	rounds = quick_transfers_absent(&p->quick, p->line, p->step, rounds * lines) / lines;
	for (uint64_t n = q->line_head; n != q->line_tail; n++)
		q->line[n & q->line_mask].arrival += rounds * cycles;
	q->last_arrival += rounds * cycles;
	p->quick.next_free += rounds * cycles << CHANNEL_SHIFT;
	p->quick.waited += rounds * (at->waited - was->waited);
	p->quick.count += rounds * lines;
	p->left -= rounds * lines;
	p->made += rounds * lines;
	p->line += rounds * lines * p->step;
	return rounds;
}

/* Makes the requests of a round from cycle `now` on, as transfers_run. Returns the step where it ends. */
static const struct line_step *make_round(struct core *c, struct line_plan *p, const struct line_step *s,
					  const struct line_step *end, uint64_t now, uint64_t *ret_answer)
{
	struct transfer_requests *q = &c->array->requests;
	bool alone = true;
	uint64_t answer;

	for (; s != end; now += s++->advance) {
		if (s->first)
			answer = first_line_word(q, now);
		else if (!request_planned(q, p, now, &answer))
			answer = request_unplanned(c, p, now, &alone);
		if (__builtin_expect(answer != s->answer || !alone, 0)) {
			*ret_answer = answer;
			break;
		}
	}
	return s;
}

static uint64_t cycles_of(const struct line_step *s, const struct line_step *end)
{
	uint64_t cycles = 0;

	for (; s != end; s++)
		cycles += s->advance;
	return cycles;
}

uint64_t transfers_run(struct core *c, uint64_t now, const struct line_step *step, unsigned steps, uint64_t rounds,
		       uint64_t *ret_answer)
{
	const struct line_step *end = step + steps, *s = end;
	struct transfer_requests *q = &c->array->requests;
	const uint64_t cycles = cycles_of(step, end);
	uint64_t left = rounds;
	struct run_place at;
	struct line_plan plan;

	plan_lines(c, &plan);
	for (at = run_place_of(q, &plan, now); left;) {
		const struct run_place was = at;
		uint64_t more;

		s = make_round(c, &plan, step, end, now, ret_answer);
		if (s != end)
			break;
		left--;
		now += cycles;
		at = run_place_of(q, &plan, now);
		if (!left || !round_repeats(q, &was, &at))
			continue;
		more = repeat_round(q, &plan, &was, &at, left);
		left -= more;
		now += more * cycles;
		at = run_place_of(q, &plan, now);
	}
	end_plan(c, &plan);
	return (rounds - left) * steps + (uint64_t)(s == end ? 0 : s - step);
}

/*
 * The key has how many transfers have been fetched and started, and the trace their addresses; both with the place of
 * fetch in the trace, which the caller adds. What has ended is not part of the state.
 */
void array_digest(const struct core *c, struct digest *d)
{
	const struct array *a = c->array;
	const struct transfer_requests *q = &a->requests;

	for (uint64_t n = a->transfer_head; n != q->fetched; n++) {
		const struct transfer *t = array_transfer_of(a, n);

		digest_add(d, t->memory);
		digest_add(d, t->descriptor);
		digest_add(d, t->range.window);
	}
	digest_add(d, q->fetched - a->transfer_head);
	digest_add(d, q->fetched - q->number);
	digest_add(d, q->begun);
	if (q->begun) {
		digest_add(d, q->memory);
		digest_add(d, q->pieces);
		digest_add(d, q->done);
	}
	digest_add_time(d, q->last_arrival, c->now);
	digest_add(d, q->line_tail - q->line_head);
	for (uint64_t n = q->line_head; n != q->line_tail; n++) {
		const struct transfer_line *l = &q->line[n & q->line_mask];

		digest_add_time(d, l->arrival, c->now);
		digest_add(d, l->port_units);
		digest_add(d, l->last);
	}
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

/* Returns whether the current transfer may request a line. It needs a buffer, and a put needs an SBM port to read. */
static bool may_request_line(const struct array *a)
{
	return a->transfer_issue != a->transfer_tail && a->lines < a->p->transfer_buffers &&
	       !(a->port_debt && array_transfer_of(a, a->transfer_issue)->put);
}

/* Requests the next line of the current transfer. */
static void request_array_line(struct core *c)
{
	struct array *a = c->array;
	struct line_request r = request_sbm_line(c);

	a->next_line = r.next;
	if (array_transfer_of(a, a->transfer_issue)->put)
		port_take(a, r.port_units, r.last);
	a->transfer_issue += r.last;
	if (!a->lines++)
		a->first = request_first_line(c);
	c->counters.stats.simd_transfer_lines++;
	c->progress = true;
}

/* Takes arrived lines while their port cycles last. Arrivals count as progress for the deadlock check. */
static void take_arrivals(struct core *c)
{
	struct array *a = c->array;

	while (!a->port_debt && a->lines && a->first.arrival <= c->now) {
		port_take(a, a->first.port_units, a->first.last);
		a->arrived += a->first.last;
		if (--a->lines)
			a->first = request_first_line(c);
		c->stack.last_commit = c->now;
		c->progress = true;
	}
}

/* Ends the transfers whose lines are all written, in order. */
static void end_transfers(struct core *c)
{
	struct array *a = c->array;

	if (a->port_debt || !a->arrived)
		return;
	a->transfer_head += a->arrived;
	assert(a->transfer_head <= a->transfer_issue); /* what has ended has requested all its lines */
	a->ended = a->arrived;
	a->arrived = 0;
	array_unblock(c);
	if (a->wait_slot != SLOT_NONE && a->transfer_head >= a->wait_for)
		end_wait(c);
	c->progress = true;
}

void transfers_step(struct core *c)
{
	struct array *a = c->array;

	take_arrivals(c);
	if (a->port_debt && a->ports_left) {
		a->port_debt--;
		a->ports_left--;
		c->counters.stats.simd_transfer_ports++;
		c->progress = true;
	}
	end_transfers(c);
	if (a->next_line <= c->now && may_request_line(a))
		request_array_line(c);
}

uint64_t transfers_next(const struct core *c)
{
	const struct array *a = c->array;
	uint64_t next = a->lines ? a->first.arrival : CYCLE_NEVER;

	return a->next_line < next && may_request_line(a) ? a->next_line : next;
}
