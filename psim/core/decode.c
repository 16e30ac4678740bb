/*
 * Decode, rename, dispatch: E and D, in order.
 *
 * Up to `width` instructions move together from the instruction buffer to E and
 * on to D. D dispatches them in order as far as every resource is there; the
 * rest stay, and nothing moves into D before it is empty.
 */
#include "core_state.h"

/* Makes node k of `slot` wait for the writer `producer`, unless its value is there. */
static inline unsigned add_dep(struct core *c, unsigned slot, unsigned k, uint64_t producer)
{
	unsigned writer = (unsigned)producer & c->rob_mask, node = slot * NODES_PER_SLOT + k;
	struct rob_entry *p = &c->rob[writer];

	if (p->wake <= c->now)
		return 0;
	if (c->view && c->view_producers < 3)
		c->view_producer[c->view_producers++] = (uint16_t)writer;
	c->node_next[node] = p->waiters;
	p->waiters = (uint16_t)node;
	return 1;
}

/* Dependences on `width` entries of the map; a writer of several counts once. */
static unsigned add_wide(struct core *c, unsigned slot, unsigned k, const uint64_t *map, unsigned width)
{
	uint64_t last = 0;
	unsigned added = 0;

	for (unsigned n = 0; n < width; n++) {
		if (map[n] < c->first_seq || map[n] == last)
			continue;
		last = map[n];
		added += add_dep(c, slot, k + added, last);
	}
	return added;
}

/* Dependences on one source; returns the number added from node k on. */
static inline unsigned add_source(struct core *c, unsigned slot, unsigned k, const struct uop_reg *src)
{
	const uint64_t *map = &c->map[c->window[src->unit]];

	/* the usual: one register, or both halves of a double written at once */
	if (src->width == 1 || (src->width == 2 && map[0] == map[1]))
		return map[0] < c->first_seq ? 0 : add_dep(c, slot, k, map[0]);
	return add_wide(c, slot, k, map, src->width);
}

static inline void add_sources(struct core *c, unsigned slot, struct rob_entry *r, const struct uop *u)
{
	unsigned pending = 0, data = 0;

	for (const struct uop_reg *s = u->src, *end = s + u->nsrc; s < end; s++) {
		if (s->data)
			data += add_source(c, slot, NODE_DATA + data, s);
		else
			pending += add_source(c, slot, pending, s);
	}
	r->pending = (uint16_t)pending;
	r->data_pending = (uint16_t)data;
}

static inline void add_results(struct core *c, uint64_t seq, const struct uop *u)
{
	for (const struct uop_reg *d = u->dst, *end = d + u->ndst; d < end; d++) {
		uint64_t *map = &c->map[c->window[d->unit]];

		map[0] = seq;
		for (unsigned n = 1; n < d->width; n++)
			map[n] = seq;
	}
}

/*
 * The reservation station for `u`: of its pipes' stations the one with fewer
 * entries; where equal, in turn.
 */
static inline unsigned choose_rs(const struct core *c, const struct uop *u)
{
	const uint64_t *level = &c->level[u->rs];
	unsigned best;

	if (u->pipes == 1)
		return u->rs;
	best = c->rs_turn[u->unit];
	for (unsigned n = 0; n < u->pipes; n++)
		if (level[n] < level[best])
			best = n;
	return u->rs + best;
}

/* The statistic of a full station of `unit`. */
static uint64_t *full_station(struct core *c, unsigned unit)
{
	return unit == EXEC_INT ? &c->stats.stall_rse : unit == EXEC_FP ? &c->stats.stall_rsf :
	       unit == EXEC_ADDR ? &c->stats.stall_rsa : &c->stats.stall_rsbr;
}

/* The statistic of the first resource that `need` found too little of. */
static uint64_t *missing(struct core *c, uint64_t need)
{
	uint64_t short_of = ~(c->free - need) & LANE_GUARDS;
	uint64_t *const stats[LANE_COUNT] = {
		[LANE_ROB] = &c->stats.stall_rob, [LANE_GUB] = &c->stats.stall_gub,
		[LANE_FUB] = &c->stats.stall_fub, [LANE_FETCH_PORT] = &c->stats.stall_fetch_port,
		[LANE_STORE_PORT] = &c->stats.stall_store_port,
	};

	return stats[__builtin_ctzll(short_of) / LANE_BITS];
}

/* `q` is to run alone, or another does: may it not be dispatched now? */
static bool must_wait_alone(struct core *c, const struct fetched *q)
{
	const struct uop *u = q->uop;

	if (c->sync_running)
		return true;
	c->sync_cause = u->flags & UOP_HANDLER ? STALL_window_trap :
	                q->flags & FETCHED_TRAP_TAKEN ? STALL_trap : STALL_sync;
	if (c->rob_count)
		return true;
	c->sync_running = true;
	c->stats.syncs++;
	c->stats.traps += q->flags & FETCHED_TRAP_TAKEN ? 1 : 0;
	return false;
}

enum stall front_cause(const struct core *c)
{
	if (c->latch_sum)
		return c->decode_cause;
	if (c->level[LEVEL_ibuffer])
		return c->groups[c->group_head & c->group_mask].cause;
	return c->feed.at_end ? STALL_drain : c->fe.cause;
}

/* Instructions without a unit are done when they have been decoded; a trap takes its time. */
static void finish_at_dispatch(const struct core *c, struct rob_entry *r, const struct fetched *q)
{
	unsigned latency = 0;

	if (q->flags & FETCHED_TRAP_TAKEN)
		latency = c->cfg->latency.trap;
	else if (q->uop->flags & UOP_SYNC)
		latency = q->uop->latency - 1;
	r->state = SLOT_DONE;
	r->wake = c->now;
	r->done = c->now + c->cfg->core.commit_stages + latency;
}

static inline void enter(struct rob_entry *r, const struct fetched *q, unsigned rs)
{
	r->uop = q->uop;
	r->ea = q->ea;
	r->done = r->wake = r->data_at = CYCLE_NEVER;
	r->waiters = r->false_head = NODE_NONE;
	r->state = SLOT_WAITING;
	r->poison = r->note = r->false_woken = 0;
	r->rs = (uint16_t)rs;
	r->ready_row = (uint16_t)(rs + q->uop->lone);
	r->flags = (uint16_t)q->flags;
}

static void turn_window(struct core *c, const struct uop *u)
{
	c->cwp = (c->cwp + (u->flags & UOP_SAVE ? 1 : MAP_WINDOWS - 1)) % MAP_WINDOWS;
	c->window = c->window_map[c->cwp];
}

static inline void dispatch(struct core *c, const struct fetched *q, unsigned rs)
{
	const struct uop *u = q->uop;
	uint64_t seq = c->first_seq + c->rob_count;
	unsigned slot = (unsigned)seq & c->rob_mask;
	struct rob_entry *r = &c->rob[slot];

	if (!c->rob_count) {
		/* The shortest way from here to commit is still part of what emptied the pipeline. */
		c->refill_cause = c->sync_running ? c->sync_cause : front_cause(c);
		c->refill_until = c->now + 2 + c->cfg->core.operand_stages + c->cfg->core.commit_stages;
	}
	enter(r, q, rs);
	c->rob_count++;
	add_sources(c, slot, r, u);
	if (u->flags & (UOP_SAVE | UOP_RESTORE))
		turn_window(c, u);
	add_results(c, seq, u);
	c->free -= u->need;
	c->dispatch_lanes += u->dispatch_lanes;
	/* A lane of 16 bits holds 8191 instructions with eight results. */
	if (!(++c->stats.dispatched & 4095))
		flush_counters(c);
	if (u->flags & UOP_STORE)
		lsu_store_dispatched(c, slot);
	if (rs == RS_NONE || q->flags & FETCHED_TRAP_TAKEN) {
		finish_at_dispatch(c, r, q);
	} else {
		c->level[rs]++;
		if (!r->pending)
			slot_ready(c, slot);
	}
	if (c->opt.view)
		view_dispatch(c, slot, q);
}

/* Dispatches the oldest decoded instruction if it can; counts why it cannot. */
static inline bool dispatch_one(struct core *c)
{
	const struct fetched *q = &c->fq[c->fq_head & c->fq_mask];
	const struct uop *u = q->uop;
	unsigned rs, turn;

	if (u->flags & UOP_ANNULLED) {
		c->stats.annulled_slots++;
		return true;
	}
	if (((c->free - u->need) & LANE_GUARDS) != LANE_GUARDS) {
		c->dispatch_stall = missing(c, u->need);
		return false;
	}
	rs = choose_rs(c, u);
	if (rs != RS_NONE && c->level[rs] >= c->rs_limit[rs]) {
		c->dispatch_stall = full_station(c, u->unit);
		return false;
	}
	if ((c->sync_running || u->flags & UOP_SYNC || q->flags & FETCHED_TRAP_TAKEN) &&
	    must_wait_alone(c, q)) {
		c->dispatch_stall = &c->stats.stall_sync;
		return false;
	}
	turn = rs + 1 - u->rs;
	c->rs_turn[u->unit] = turn < c->unit_pipes[u->unit] ? turn : 0;
	dispatch(c, q, rs);
	if (q->flags & FETCHED_REDIRECT) {
		c->stats.decode_redirects++;
		fetch_restart(c, c->now + 1);
	}
	return true;
}

/* Instructions that enter E next: for the view. */
static void note_decode(struct core *c, unsigned count)
{
	unsigned first = c->fq_head + c->latch_sum;

	for (unsigned n = 0; n < count; n++)
		c->fq[(first + n) & c->fq_mask].decode_cycle = c->now + 1;
}

/* E takes what the instruction buffer holds and will have by the next cycle. */
static unsigned take_from_buffer(struct core *c)
{
	unsigned room = c->cfg->decode.width, taken = 0;

	while (room && c->level[LEVEL_ibuffer]) {
		struct fetch_group *g = &c->groups[c->group_head & c->group_mask];
		unsigned n = g->count < room ? g->count : room;

		if (g->available > c->now + 1)
			break;
		c->decode_cause = g->cause;
		taken += n;
		room -= n;
		g->count -= n;
		if (!g->count) {
			c->group_head++;
			c->level[LEVEL_ibuffer]--;
		}
	}
	return taken;
}

void stage_decode(struct core *c)
{
	unsigned last = c->cfg->decode.stages - 1, n = c->latch[last];

	c->dispatch_stall = NULL;
	if (!n) {
		c->dispatch_stall = &c->stats.stall_empty;
	} else {
		unsigned left = n;

		while (left && dispatch_one(c)) {
			c->fq_head++;
			left--;
		}
		c->latch[last] = left;
		c->latch_sum -= n - left;
		c->progress |= left != n;
	}
	for (unsigned k = last; k > 0; k--) {
		if (c->latch[k] || !c->latch[k - 1])
			continue;
		c->latch[k] = c->latch[k - 1];
		c->latch[k - 1] = 0;
		c->progress = true;
	}
	if (!c->latch[0]) {
		n = take_from_buffer(c);
		if (c->opt.view)
			note_decode(c, n);
		c->latch[0] = n;
		c->latch_sum += n;
		c->progress |= n != 0;
	}
}
