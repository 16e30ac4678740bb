/*
 * Decode, rename, dispatch: E and D, in order.
 *
 * Up to `width` instructions move together from the instruction buffer to E and
 * on to D. D dispatches them in order, up to the first that lacks a resource. The
 * others stay, and nothing moves into D before it is empty.
 */
#include "array_state.h"
#include "usual_decode.h"

/* Adds `node` to the waiters of `writer`. */
static inline void wait_for(struct core *c, unsigned node, unsigned writer, bool traced)
{
	struct rob_entry *p = &c->win.rob[writer];

	if (traced)
		pipe_trace_producer(c, writer);
	c->win.node_next[node] = p->waiters;
	p->waiters = (uint16_t)node;
}

/* Adds dependences on an FP pair whose halves have different writers; `s` is one half or the pair. */
__attribute__((noinline)) static unsigned add_halves(struct core *c, unsigned node, const struct uop_reg *s)
{
	unsigned even = 2 * (s->number - OPERAND_PAIRS), added = 0;

	for (unsigned h = even; h < even + 2; h++) {
		unsigned writer = (unsigned)c->win.half[h] & c->win.rob_mask;

		if ((s->half != OPERAND_WHOLE && s->half != h) || c->win.half[h] < c->win.first_seq ||
		    c->win.wake[writer] <= c->now)
			continue;
		wait_for(c, node + added, writer, c->pipe_trace.record);
		added++;
	}
	return added;
}

/*
 * Adds dependences on the operands from s to end, in nodes from `node` on; returns their
 * number. Callers pass constants for `traced` and `words` (see slot_set_in).
 */
static inline unsigned add_sources(struct core *c, unsigned node, const struct uop_reg *s, const struct uop_reg *end,
				   bool traced, unsigned words)
{
	const uint64_t first = c->win.first_seq, now = c->now;
	const unsigned start = node, mask = words == 1 ? 63 : c->win.rob_mask;

	for (; s < end; s++) {
		uint64_t seq = c->win.map[s->number];
		unsigned writer = (unsigned)seq & mask;

		if (seq < first)
			continue;
		if (seq == SEQ_MIXED)
			node += add_halves(c, node, s);
		else if (c->win.wake[writer] > now)
			wait_for(c, node++, writer, traced);
	}
	return node - start;
}

__attribute__((noinline)) static void write_half(struct core *c, const struct uop_reg *d, uint64_t seq)
{
	unsigned even = 2 * (d->number - OPERAND_PAIRS);
	uint64_t *pair = &c->win.map[d->number];

	if (*pair != SEQ_MIXED) {
		c->win.half[even] = c->win.half[even + 1] = *pair;
		c->win.mixed++;
	}
	*pair = SEQ_MIXED;
	c->win.half[d->half] = seq;
}

static inline void add_results(struct core *c, uint64_t seq, const struct uop *u)
{
	for (const struct uop_reg *d = u->dst, *end = d + u->ndst; d < end; d++) {
		uint64_t *writer = &c->win.map[d->number];

		if (d->half != OPERAND_WHOLE) {
			write_half(c, d, seq);
			continue;
		}
		c->win.mixed -= *writer == SEQ_MIXED;
		*writer = seq;
	}
}

/* The general case: any number of pipes, or an instruction for the first one only. */
struct place decode_choose_any(const struct core *c, const struct uop *u, uint64_t used)
{
	unsigned best = u->pipes > 1 ? c->win.rs_turn[u->unit] : 0;

	for (unsigned n = 0; n < u->pipes; n++)
		if (lane_count(used, n) < lane_count(used, best))
			best = n;
	return (struct place){best, u->rs_entry ? lane_count(used, best) : 0};
}

/* The stall counter of a full station of `unit`. */
__attribute__((noinline)) static uint64_t *full_station(struct core *c, unsigned unit)
{
	return unit == EXEC_INT    ? &c->counters.stats.stall_rse
	       : unit == EXEC_FP   ? &c->counters.stats.stall_rsf
	       : unit == EXEC_ADDR ? &c->counters.stats.stall_rsa
				   : &c->counters.stats.stall_rsbr;
}

/* The stall counter of the first resource that is short for `need`. D retries when that resource is released. */
uint64_t *decode_missing(struct core *c, uint64_t need)
{
	uint64_t short_of = ~(c->win.free - need) & LANE_GUARDS;
	static const uint16_t at[LANE_COUNT] = {
		[LANE_ROB] = offsetof(struct core_stats, stall_rob),
		[LANE_GUB] = offsetof(struct core_stats, stall_gub),
		[LANE_FUB] = offsetof(struct core_stats, stall_fub),
		[LANE_LOAD_QUEUE] = offsetof(struct core_stats, stall_load_queue),
		[LANE_STORE_QUEUE] = offsetof(struct core_stats, stall_store_queue),
	};

	c->front.blocked_guard = short_of & -short_of;
	c->front.blocked_need = need;
	return (uint64_t *)((char *)&c->counters.stats + at[__builtin_ctzll(short_of) / LANE_BITS]);
}

/* Returns whether `q` must wait because it, or the instruction that is running, executes alone. */
static bool must_wait_alone(struct core *c, const struct fetched *q)
{
	const struct uop *u = q->uop;

	if (c->win.sync_running)
		return true;
	c->win.sync_cause = u->flags & UOP_WINDOW_TRAP      ? STALL_window_trap
			    : q->flags & FETCHED_TRAP_TAKEN ? STALL_trap
			    : u->flags & UOP_SXWAIT         ? STALL_transfer_wait
							    : STALL_sync;
	/* total store order: an atomic's store is behind all others; a barrier orders them before later loads */
	if (c->win.rob_count || (u->flags & UOP_BARRIER && !lsu_all_written(c)))
		return true;
	c->win.sync_running = true;
	c->counters.stats.syncs++;
	c->counters.stats.traps += q->flags & FETCHED_TRAP_TAKEN ? 1 : 0;
	return false;
}

enum stall front_cause(const struct core *c)
{
	if (c->front.latch_sum)
		return c->front.decode_cause;
	if (c->front.group_count)
		return c->front.groups[c->front.group_head & c->front.group_mask].cause;
	if (c->front.refetch)
		return STALL_memory_order;
	if (c->front.feed.at_end)
		return c->front.feed.waits ? STALL_thread : STALL_drain;
	return c->front.fetch.cause;
}

/* Completes an instruction without a unit at dispatch; a trap takes its latency. */
static void finish_at_dispatch(struct core *c, unsigned slot, const struct fetched *q)
{
	struct rob_entry *r = &c->win.rob[slot];
	unsigned latency = 0;

	if (q->flags & FETCHED_TRAP_TAKEN)
		latency = c->cfg->latency.trap;
	else if (q->uop->flags & UOP_SYNC)
		latency = q->uop->latency - 1;
	r->state = SLOT_DONE;
	c->win.wake[slot] = c->now;
	slot_clear(c->win.unwoken, slot);
	r->done = c->now + c->cfg->core.commit_stages + latency;
}

static inline void decode_enter(struct rob_entry *r, const struct fetched *q, unsigned rs)
{
	r->uop = q->uop;
	r->ea = q->ea;
	r->done = r->data_at = CYCLE_NEVER;
	r->begin = q->uop->entry;
	r->flags |= (uint16_t)q->flags;
	r->note = r->false_woken = 0;
	r->state = SLOT_WAITING;
	entry_place(r, rs, rs + q->uop->row_offset);
}

/* Exchanges the current window's part of the map with `outside`; its outs are the ins of the window after it. */
static inline void window_part(struct core *c, unsigned cwp, bool leaves)
{
	enum { OUTS = 8, LOCALS = 16, INS = 8 };
	uint64_t *map = c->win.map, *outside = c->win.outside;
	uint64_t *own = outside + 16 * cwp, *outs = outside + 16 * ((cwp + 1) % MAP_WINDOWS) + INS;

	if (leaves) {
		memcpy(outs, map + OUTS, 8 * sizeof(*map));
		memcpy(own, map + LOCALS, 16 * sizeof(*map));
	} else {
		memcpy(map + OUTS, outs, 8 * sizeof(*map));
		memcpy(map + LOCALS, own, 16 * sizeof(*map));
	}
}

static void turn_window(struct core *c, const struct uop *u)
{
	window_part(c, c->win.cwp, true);
	c->win.cwp = (c->win.cwp + (u->flags & UOP_SAVE ? 1 : MAP_WINDOWS - 1)) % MAP_WINDOWS;
	window_part(c, c->win.cwp, false);
}

void rename_again(struct core *c, uint64_t seq, const struct uop *u)
{
	if (u->flags & (UOP_SAVE | UOP_RESTORE))
		turn_window(c, u);
	add_results(c, seq, u);
}

void rename_back(struct core *c, uint64_t seq)
{
	uint64_t first = c->win.first_seq, n = first + c->win.rob_count;

	while (n-- != first) { /* to the register window before the oldest instruction */
		uint32_t flags = c->win.rob[n & c->win.rob_mask].uop->flags;

		if (flags & (UOP_SAVE | UOP_RESTORE))
			c->win.cwp = (c->win.cwp + (flags & UOP_SAVE ? MAP_WINDOWS - 1 : 1)) % MAP_WINDOWS;
	}
	memset(c->win.map, 0, sizeof(c->win.map));
	memset(c->win.outside, 0, sizeof(c->win.outside));
	memset(c->win.half, 0, sizeof(c->win.half));
	c->win.mixed = 0;
	for (n = first; n != seq; n++)
		rename_again(c, n, c->win.rob[n & c->win.rob_mask].uop);
}

/* Charges the minimal time from dispatch to commit, too, to the cause that emptied the pipeline. */
__attribute__((noinline)) static void note_refill(struct core *c)
{
	c->stack.refill_cause = c->win.sync_running ? c->win.sync_cause : front_cause(c);
	c->stack.refill_until = c->now + 2 + c->cfg->core.operand_stages + c->cfg->core.commit_stages;
}

/*
 * Enters the instruction into the window, and into station `rs`; returns its slot.
 * Callers pass constants for `traced` and `words` (see slot_set_in).
 */
static inline unsigned dispatch(struct core *c, const struct fetched *q, unsigned rs, bool traced, unsigned words)
{
	const struct uop *u = q->uop;
	uint64_t seq = c->win.first_seq + c->win.rob_count++;
	unsigned slot = (unsigned)seq & (words == 1 ? 63 : c->win.rob_mask), node = slot * NODES_PER_SLOT, data = 0;
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop_reg *sources = u->src + u->nsrc;
	unsigned pending;

	decode_enter(r, q, rs);
	c->win.wake[slot] = CYCLE_NEVER;
	slot_set_in(c->win.unwoken, slot, words);
	pending = add_sources(c, node, u->src, sources, traced, words);
	r->pending = (uint16_t)pending;
	if (u->ndata)
		data = add_sources(c, node + NODE_DATA, sources, sources + u->ndata, traced, words);
	r->data_pending = (uint16_t)data;
	if (u->flags & (UOP_SAVE | UOP_RESTORE))
		turn_window(c, u);
	add_results(c, seq, u);
	c->win.free -= u->need;
	c->counters.dispatch_lanes += u->dispatch_lanes;
	if (u->flags & UOP_STORE)
		lsu_store_dispatched(c, slot);
	if (rs != RS_NONE && !pending)
		slot_ready(c, r, slot, words);
	return slot;
}

enum { PIPE_NONE = 255 };

/* The pipe of `u`, or PIPE_NONE if the window or the stations are full. */
static inline unsigned find_room(struct core *c, const struct uop *u)
{
	struct place p;

	if (((c->win.free - u->need) & LANE_GUARDS) != LANE_GUARDS) {
		c->front.dispatch_stall = decode_missing(c, u->need);
		return PIPE_NONE;
	}
	p = decode_choose_place(c, u, c->win.rs_used[u->rs_word]);
	if (p.entries >= u->rs_limit) {
		c->front.dispatch_stall = full_station(c, u->unit);
		c->front.blocked_uop = u;
		return PIPE_NONE;
	}
	return p.pipe;
}

static inline void take_room(struct core *c, const struct uop *u, unsigned pipe)
{
	c->win.rs_used[u->rs_word] += u->rs_entry << (LANE_BITS * pipe);
	if (u->choice == CHOOSE_OF_TWO)
		c->win.rs_turn[u->unit] = !pipe;
	else if (u->choice == CHOOSE_ANY)
		c->win.rs_turn[u->unit] = pipe + 1 < c->win.unit_pipes[u->unit] ? pipe + 1 : 0;
}

const struct station_place *decode_any_station(struct core *c, const struct uop *u, uint64_t used)
{
	struct place p = decode_choose_any(c, u, used);

	if (p.entries >= u->rs_limit)
		return NULL;
	take_room(c, u, p.pipe);
	return &u->place[p.pipe];
}

/* Returns whether the state of the core requires dispatch_rare. */
static inline bool needs_slow_path(const struct core *c)
{
	return c->win.sync_running || !c->win.rob_count || c->pipe_trace.record;
}

void decode_no_station(struct core *c, const struct uop *u)
{
	c->front.dispatch_stall = full_station(c, u->unit);
	c->front.blocked_uop = u;
}

/* As dispatch_one, for a SIMD instruction without special flags. Only loads and stores need a scalar station too. */
static inline bool dispatch_simd(struct core *c, const struct fetched *q, unsigned words)
{
	const struct uop *u = q->uop;

	if (!array_room(c, u))
		return false;
	if (((c->win.free - u->need) & LANE_GUARDS) != LANE_GUARDS) {
		c->front.dispatch_stall = decode_missing(c, u->need);
		return false;
	}
	if (u->rs_entry && lane_count(c->win.rs_used[0], RS_ADDR) >= u->rs_limit) {
		c->front.dispatch_stall = &c->counters.stats.stall_rsa;
		return false;
	}
	c->win.rs_used[0] += u->rs_entry;
	array_dispatch_simd(c, dispatch(c, q, u->rs, false, words), u, words);
	return true;
}

/* The two shapes of the window; see slot_set_in. */
__attribute__((noinline)) static bool dispatch_simd_small(struct core *c, const struct fetched *q)
{
	return dispatch_simd(c, q, 1);
}

__attribute__((noinline)) static bool dispatch_simd_large(struct core *c, const struct fetched *q)
{
	return dispatch_simd(c, q, c->win.rob_words);
}

/* As dispatch_one, for all instructions in all states. */
__attribute__((noinline)) static bool dispatch_rare(struct core *c, const struct fetched *q)
{
	const struct uop *u = q->uop;
	unsigned pipe, slot = (c->win.rob_head + c->win.rob_count) & c->win.rob_mask;
	bool empty = !c->win.rob_count;

	if (u->flags & UOP_ANNULLED) {
		c->counters.stats.annulled_slots++;
		c->counters.stats.dispatched--; /* dispatch_ready counts all that leave D */
		return true;
	}
	if (u->flags & UOP_SIMD && !array_room(c, u))
		return false;
	pipe = find_room(c, u);
	if (pipe == PIPE_NONE)
		return false;
	if ((c->win.sync_running || u->flags & UOP_SYNC || q->flags & FETCHED_TRAP_TAKEN) && must_wait_alone(c, q)) {
		c->front.dispatch_stall = &c->counters.stats.stall_sync;
		return false;
	}
	if (empty)
		note_refill(c);
	take_room(c, u, pipe);
	dispatch(c, q, u->rs + pipe, c->pipe_trace.record, c->win.rob_words);
	if (u->unit == EXEC_NONE || q->flags & FETCHED_TRAP_TAKEN)
		finish_at_dispatch(c, slot, q);
	if (u->flags & (UOP_SIMD | UOP_TRANSFER))
		array_dispatched(c, slot);
	else if (u->flags & UOP_SXWAIT)
		array_wait(c, slot);
	if (c->opt.pipe_trace)
		pipe_trace_dispatch(c, slot, q);
	if (q->flags & FETCHED_REDIRECT) {
		c->counters.stats.decode_redirects++;
		fetch_restart(c, c->now + 1);
	}
	return true;
}

/* Returns whether the instruction needs more than dispatch_usual. */
static inline uint64_t is_special(const struct fetched *q)
{
	return (q->uop->flags & UOP_DISPATCH_SPECIAL) | q->flags;
}

/* Returns whether a special instruction is one of the array's that dispatch_simd takes, in the usual state. */
static inline bool is_plain_simd(const struct fetched *q, bool slow)
{
	return is_special(q) == UOP_SIMD && !q->flags && !slow;
}

/* Dispatches an instruction that needs no more than the window and a station, or counts the reason why it stalls. */
static bool dispatch_plain(struct core *c, const struct fetched *q, unsigned words)
{
	const struct uop *u = q->uop;
	const struct station_place *place;

	if (((c->win.free - u->need) & LANE_GUARDS) != LANE_GUARDS) {
		c->front.dispatch_stall = decode_missing(c, u->need);
		return false;
	}
	place = take_station(c, u);
	if (!place) {
		decode_no_station(c, u);
		return false;
	}
	dispatch(c, q, place->rs, false, words);
	return true;
}

/* The two shapes of the window; see slot_set_in. */
__attribute__((noinline)) static bool dispatch_plain_small(struct core *c, const struct fetched *q)
{
	return dispatch_plain(c, q, 1);
}

__attribute__((noinline)) static bool dispatch_plain_large(struct core *c, const struct fetched *q)
{
	return dispatch_plain(c, q, c->win.rob_words);
}

/*
 * Dispatches the instructions in D, latch `last`, in order, up to the first that stalls, or that dispatch_run can take:
 * then returns true.
 */
INLINE bool dispatch_others(struct core *c, unsigned last, unsigned words)
{
	const unsigned had = c->front.latch[last];
	unsigned left = had;
	bool runs = false;

	for (; left; left--) {
		const struct fetched *q = &c->front.fq[(c->front.fq_head + had - left) & c->front.fq_mask];
		bool slow = needs_slow_path(c);

		if (!is_special(q) && !slow) {
			runs = !c->win.mixed && !(q->uop->flags & UOP_DISPATCH_ALONE);
			if (runs || !(words == 1 ? dispatch_plain_small(c, q) : dispatch_plain_large(c, q)))
				break;
		} else if (is_plain_simd(q, slow)) {
			if (!(words == 1 ? dispatch_simd_small(c, q) : dispatch_simd_large(c, q)))
				break;
		} else if (!dispatch_rare(c, q)) {
			break;
		}
	}
	if (left != had)
		leave_d(c, last, had - left);
	return runs;
}

bool decode_others(struct core *c, unsigned last)
{
	return c->win.rob_words == 1 ? dispatch_others(c, last, 1) : dispatch_others(c, last, c->win.rob_words);
}

void decode_more(struct core *c, uint64_t seq, struct rob_entry *r, unsigned slot)
{
	const struct uop *u = r->uop;
	const struct uop_reg *data = u->src + u->nsrc;

	if (u->ndata)
		r->data_pending = (uint16_t)add_sources(c, slot * NODES_PER_SLOT + NODE_DATA, data, data + u->ndata,
							false, c->win.rob_words);
	rename_again(c, seq, u);
	if (u->flags & UOP_STORE)
		lsu_store_dispatched(c, slot);
}

bool decode_refills(struct core *c)
{
	const struct fetched *q = &c->front.fq[c->front.fq_head & c->front.fq_mask];

	if ((q->uop->flags & UOP_RUN_SPECIAL) | q->flags)
		return false;
	note_refill(c); /* an empty window has room */
	return true;
}

/* Records the cycle of E of the next `count` instructions, for the pipe trace. */
static void note_decode(struct core *c, unsigned count)
{
	unsigned first = c->front.fq_head + c->front.latch_sum;

	for (unsigned n = 0; n < count; n++)
		c->front.fq_times[(first + n) & c->front.fq_mask].decode = c->now + 1;
}

void decode_fill(struct core *c)
{
	unsigned n = take_from_buffer(c);

	if (c->opt.pipe_trace)
		note_decode(c, n);
	enter_e(c, n);
}

void decode_move(struct core *c, unsigned last)
{
	for (unsigned k = last; k > 0; k--) {
		if (c->front.latch[k] || !c->front.latch[k - 1])
			continue;
		c->front.latch[k] = c->front.latch[k - 1];
		c->front.latch[k - 1] = 0;
		c->progress = true;
	}
}

__attribute__((noinline)) static void decode_any(struct core *c)
{
	decode_stages(c, c->front.last, c->win.rob_words, true);
}

void stage_decode(struct core *c)
{
	if (__builtin_expect(c->front.usual, 1))
		decode_stages(c, 1, 1, false);
	else
		decode_any(c);
}
