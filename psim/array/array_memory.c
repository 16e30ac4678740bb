/*
 * Loads and stores at the PEs: load and store pipes, SBM ports, order, the PEs'
 * store buffer; and scalar accesses to the SBM windows.
 *
 * An address arrives over C from the core's address pipe. A load is then selected
 * for a load pipe and an SBM port, the oldest first; its data can be used
 * sbm_latency later. A broadcast load arrives with its value, which needs a load
 * pipe to the registers, but no port. A store is selected for the store pipe when
 * its data can be read; it is written after its commit, from the PEs' store
 * buffer, in order, over a port that nothing else uses.
 *
 * A gather waits for its address and its index, as a store does for address and data, and then for all older stores to
 * SBM, which it may touch anywhere; a load waits for all older scatters.
 */
#include "array_requests.h"

void array_unblock(struct core *c)
{
	struct array *a = c->array;

	if (!a->blocked_count)
		return;
	for (unsigned w = 0; w < c->win.rob_words; w++) {
		a->want[w] |= a->blocked[w];
		a->blocked[w] = 0;
	}
	a->load_count += a->blocked_count;
	a->blocked_count = 0;
}

/* The cycles for which an access of `size` holds an SBM port. */
static unsigned sbm_beats(const struct array *a, unsigned size)
{
	return beats_of(size, a->p->sbm_port_bytes);
}

static void block(struct core *c, unsigned slot, enum load_note why)
{
	struct array *a = c->array;

	slot_set(a->blocked, slot);
	a->blocked_count++;
	c->win.rob[slot].note = why;
	if (c->opt.pipe_trace)
		pipe_trace_held(c, slot);
}

/* Notes that the instruction in `slot` gets no pipe or port in this cycle. */
static void postpone(struct core *c, unsigned slot)
{
	c->counters.stats.simd_port_conflicts++;
	c->win.rob[slot].note = LOAD_SBM_PORT;
	if (c->opt.pipe_trace)
		pipe_trace_held(c, slot);
}

/* ---- arrivals from the core ---- */
bool array_handles(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	uint32_t flags = r->uop->flags;

	/* a transfer needs only its command; a prefetch from an SBM window has no effect */
	if (flags & UOP_TRANSFER || (flags & UOP_PREFETCH && simd_in_window(r->ea))) {
		r->state = SLOT_DONE;
		r->done = c->now + c->cfg->core.commit_stages;
		return true;
	}
	if ((flags & UOP_LOAD && simd_in_window(r->ea)) || (flags & UOP_STORE && flags & UOP_SIMD) ||
	    flags & UOP_GATHER) {
		r->note = LOAD_SBM;
		c->counters.stats.simd_addresses++;
		array_arrive_at(c, c->now + c->array->p->c_cycles, slot);
		return true;
	}
	return false;
}

/* Queues a SIMD store or gather, whose address and data or index have arrived, for its pipe. */
static void wants_pipe(struct core *c, unsigned slot)
{
	struct array *a = c->array;

	if (c->win.rob[slot].uop->flags & UOP_STORE) {
		slot_set(a->store, slot);
		a->store_count++;
		return;
	}
	slot_clear(a->address, slot);
	slot_clear(a->data, slot);
	slot_set(a->want, slot);
	a->load_count++;
}

void array_data(struct core *c, unsigned slot)
{
	struct array *a = c->array;

	if (c->win.rob[slot].uop->unit == EXEC_SIMD) {
		array_arrive_at(c, c->now + a->p->c_cycles, slot);
		return;
	}
	slot_set(a->data, slot);
	if (slot_has(a->address, slot))
		wants_pipe(c, slot);
}

void array_broadcast(struct core *c, unsigned slot, uint64_t wake)
{
	uint64_t known = c->now + c->cfg->lsu.hit_known + 1;

	/* A value is sent to the PEs only when it is certain, as they cannot cancel instructions. */
	c->counters.stats.simd_broadcasts++;
	array_arrive_at(c, (wake > known ? wake : known) + c->array->p->c_cycles, slot);
	if (c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_PS);
}

void array_memory_arrive(struct core *c, unsigned slot)
{
	struct array *a = c->array;
	struct rob_entry *r = &c->win.rob[slot];

	if (r->uop->flags & UOP_SIMD && r->uop->flags & (UOP_STORE | UOP_GATHER)) {
		slot_set(a->address, slot);
		if (slot_has(a->data, slot))
			wants_pipe(c, slot);
		return;
	}
	/* either an SBM address, or the value read from L1D or from one PE's SBM */
	if (r->note == LOAD_SBM)
		slot_set(a->want, slot);
	else
		slot_set(a->value, slot);
	a->load_count++;
}

/* ---- order ---- */
static struct store_match search_buffer(const struct core *c, const struct rob_entry *load)
{
	const struct array *a = c->array;

	for (unsigned n = a->sb_count; n-- > 0;) {
		const struct store_entry *s = &a->sb[(a->sb_head + n) & a->sb_mask];

		if (lsu_overlap(s->ea, s->size, load->ea, load->uop->size))
			return (struct store_match){MATCH_BUFFER, lsu_covers(s->ea, s->size, load->ea, load->uop->size),
						    0};
	}
	return (struct store_match){.place = MATCH_NONE};
}

struct sbm_answer array_load_answer(const struct core *c, unsigned slot, bool unknown)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct sbm_answer a = {
		.held = transfers_hold_load(c, r->ea, r->uop->size, c->win.first_seq + slot_age(&c->win, slot))};

	if (a.held || unknown || !lsu_filter_hit(c, r->ea, r->uop->size))
		return a;
	a.match = lsu_match_window(c, slot);
	if (a.match.place == MATCH_NONE)
		a.match = search_buffer(c, r);
	return a;
}

/* Returns whether a store to SBM that is older than the load in `slot` has not been written; `scatters`: a scatter. */
static bool older_store(const struct core *c, unsigned slot, bool scatters)
{
	const struct array *a = c->array;

	for (unsigned n = 0; n < a->sb_count; n++)
		if (!scatters || a->sb[(a->sb_head + n) & a->sb_mask].scatter)
			return true;
	for (unsigned age = slot_age(&c->win, slot); age-- > 0;) {
		unsigned s = (c->win.rob_head + age) & c->win.rob_mask;
		const struct rob_entry *store = &c->win.rob[s];

		if (slot_has(c->ls.stores, s) && simd_in_window(store->ea) &&
		    (!scatters || store->uop->flags & UOP_GATHER))
			return true;
	}
	return false;
}

/* ---- loads ---- */

/* Completes a load: its consumers in the PEs may be selected from `wake` on. */
static void array_memory_finish(struct core *c, unsigned slot, uint64_t wake, unsigned words)
{
	struct rob_entry *r = &c->win.rob[slot];

	r->state = SLOT_DONE;
	c->win.wake[slot] = wake;
	r->done = wake + r->uop->report;
	wake_at(c, wake, slot, words);
	array_release(c);
	if (c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_PE);
}

/* Schedules the result of a load from SBM, whose access takes effect in cycle `from`. */
static void load_read(struct core *c, unsigned slot, uint64_t from, unsigned words)
{
	const struct simd_params *p = c->array->p;
	struct rob_entry *r = &c->win.rob[slot];

	if (!(r->uop->flags & UOP_SIMD)) {
		c->counters.stats.simd_scalar_loads++;
		lsu_load_result(c, slot, from + p->sbm_latency + p->c_cycles);
	} else if (sbm_of_all(r->ea) || r->uop->flags & UOP_GATHER) {
		c->counters.stats.simd_loads++;
		array_memory_finish(c, slot, from + p->sbm_latency, words);
	} else {
		/* the value goes from one PE to the core, and from there to all PEs */
		c->counters.stats.simd_pe_broadcasts++;
		c->counters.stats.simd_broadcasts++;
		r->note = LOAD_VALUE;
		array_arrive_at(c, from + p->sbm_latency + 2 * (uint64_t)p->c_cycles, slot);
	}
}

/* As try_load, for a gather: no store forwards to it, and no transfer holds it, as an sxwait must have ended that. */
static bool try_gather(struct core *c, unsigned slot, bool unknown, unsigned *pipes, unsigned words)
{
	struct array *a = c->array;
	unsigned beats = sbm_beats(a, c->win.rob[slot].uop->size);

	if (unknown || older_store(c, slot, false)) {
		c->counters.stats.simd_load_blocks++;
		block(c, slot, LOAD_SBM_STORE);
		return true;
	}
	if (!*pipes || !a->ports_left) {
		postpone(c, slot);
		return false;
	}
	--*pipes;
	c->win.rob[slot].note = LOAD_SBM;
	a->ports_left--;
	hold_port(&a->held, c->now, beats);
	load_read(c, slot, c->now + a->p->gather_cycles + beats - 1, words);
	return true;
}

/* Tries the load at `slot`; false: it is postponed to the next cycle. */
static inline bool try_load(struct core *c, unsigned slot, unsigned *pipes, unsigned words)
{
	struct array *a = c->array;
	struct rob_entry *r = &c->win.rob[slot];
	bool in_pipe = r->uop->flags & UOP_SIMD && sbm_of_all(r->ea);
	bool unknown = c->cfg->lsu.disambiguation == DISAMBIGUATION_CONSERVATIVE &&
		       slot_any_older(&c->win, c->ls.store_unknown, slot);
	struct sbm_answer answer;
	uint64_t data_at = 0;
	enum order order;

	if (r->uop->flags & UOP_GATHER)
		return try_gather(c, slot, unknown, pipes, words);
	if (a->p->gather && older_store(c, slot, true)) {
		c->counters.stats.simd_load_blocks++;
		block(c, slot, LOAD_SBM_STORE);
		return true;
	}
	answer = request_sbm_load(c, slot, unknown);
	if (answer.held) {
		c->counters.stats.simd_interlocks++;
		block(c, slot, LOAD_TRANSFER);
		return true;
	}
	c->counters.stats.simd_store_searches += answer.match.place != MATCH_FILTERED;
	/* a store forwards to no load that is wider than a port, as the load's bytes come one behind the other */
	order = unknown ? ORDER_WAIT
			: lsu_order_of(c, &answer.match, a->p->forwarding && sbm_beats(a, r->uop->size) < 2, &data_at);
	if (order == ORDER_WAIT) {
		c->counters.stats.simd_load_blocks++;
		block(c, slot, LOAD_SBM_STORE);
		return true;
	}
	if ((in_pipe && !*pipes) || (order == ORDER_FREE && !a->ports_left)) {
		postpone(c, slot);
		return false;
	}
	*pipes -= in_pipe;
	r->note = LOAD_SBM;
	if (order == ORDER_FORWARD) {
		c->counters.stats.simd_forwarded++;
		load_read(c, slot, data_at >= c->now ? data_at + 1 : c->now, words);
	} else {
		a->ports_left--;
		hold_port(&a->held, c->now, sbm_beats(a, r->uop->size));
		load_read(c, slot, c->now + sbm_beats(a, r->uop->size) - 1, words);
	}
	return true;
}

static inline void array_memory_serve_loads(struct core *c, unsigned words)
{
	struct array *a = c->array;
	uint64_t pending[ROB_WORDS_MAX];
	unsigned slot, pipes = a->p->load_pipes;

	for (unsigned w = 0; w < words; w++)
		pending[w] = a->want[w] | a->value[w];
	while ((slot = slot_oldest_in(&c->win, pending, pending, words)) != SLOT_NONE) {
		slot_clear_in(pending, slot, words);
		if (slot_has(a->want, slot)) {
			if (!try_load(c, slot, &pipes, words))
				continue;
			slot_clear_in(a->want, slot, words);
		} else {
			if (!pipes) {
				postpone(c, slot);
				continue;
			}
			pipes--;
			c->win.rob[slot].note = LOAD_SBM;
			slot_clear_in(a->value, slot, words);
			array_memory_finish(c, slot, c->now + a->p->broadcast_latency, words);
		}
		a->load_count--;
	}
	c->progress = true;
}

/* ---- stores ---- */
static void serve_stores(struct core *c, unsigned words)
{
	struct array *a = c->array;

	for (unsigned n = 0; n < a->p->store_pipes && a->store_count; n++) {
		unsigned slot = slot_oldest_in(&c->win, a->store, a->store, words);
		struct rob_entry *r = &c->win.rob[slot];

		slot_clear(a->store, slot);
		slot_clear(a->address, slot);
		slot_clear(a->data, slot);
		a->store_count--;
		r->state = SLOT_DONE;
		r->data_at = c->now + 1 + c->cfg->core.operand_stages;
		r->done = r->data_at + c->cfg->core.commit_stages + a->p->w1_cycles;
		c->counters.stats.simd_stores++;
		array_release(c);
		lsu_unblock(c);
		if (c->opt.pipe_trace)
			pipe_trace_note(c, slot, PIPE_TRACE_PE);
	}
	c->progress = true;
}

bool array_store_commit(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	struct array *a = c->array;
	struct store_entry *s;

	if (a->sb_count >= a->p->store_buffer)
		return false;
	s = &a->sb[(a->sb_head + a->sb_count++) & a->sb_mask];
	s->ea = r->ea;
	s->size = r->uop->size;
	s->scatter = r->uop->flags & UOP_GATHER;
	s->ready = CYCLE_NEVER;
	slot_clear(c->ls.stores, slot);
	if (!(r->uop->flags & UOP_SIMD)) {
		c->counters.stats.simd_scalar_stores++;
		c->counters.stats.simd_all_stores += sbm_of_all(r->ea);
	}
	return true;
}

static void array_memory_drain_store(struct core *c)
{
	struct array *a = c->array;
	struct store_entry *s = &a->sb[a->sb_head & a->sb_mask];

	if (s->ready == CYCLE_NEVER) {
		/* A transfer that holds it does so until one ends: none starts before a store. */
		if (a->ended)
			a->store_held = false;
		if (!a->ports_left || a->store_held)
			return;
		a->store_held = request_sbm_store(c, s);
		if (a->store_held)
			return;
		a->ports_left--;
		hold_port(&a->held, c->now, sbm_beats(a, s->size));
		s->ready = c->now + sbm_beats(a, s->size) - 1;
		c->progress = true;
	}
	if (s->ready > c->now)
		return;
	a->sb_head++;
	a->sb_count--;
	c->progress = true;
	lsu_store_written(c, s->ea, s->size);
}

void array_loads_and_stores(struct core *c, unsigned words)
{
	struct array *a = c->array;

	if (a->load_count)
		array_memory_serve_loads(c, words);
	if (a->store_count)
		serve_stores(c, words);
	if (a->sb_count)
		array_memory_drain_store(c);
}
