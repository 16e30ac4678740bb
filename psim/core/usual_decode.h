/*
 * stage_decode inline: runs of instructions that need no more than the window and a station, in the usual state. What
 * other instructions and states need is in decode.c.
 */
#ifndef PSIM_CORE_USUAL_DECODE_H
#define PSIM_CORE_USUAL_DECODE_H

#include "cycle_stack.h"

/* The choice of a station: its index among those that can take the instruction, and its entries in use. */
struct place {
	unsigned pipe, entries;
};

/* ---- decode.c ---- */
/* decode_choose_place: any number of pipes, or an instruction for the first one only. */
struct place decode_choose_any(const struct core *c, const struct uop *u, uint64_t used);
/* take_station for these. */
const struct station_place *decode_any_station(struct core *c, const struct uop *u, uint64_t used);
/* Notes that the stations of `u` are full. */
void decode_no_station(struct core *c, const struct uop *u);
/* The stall counter of the first resource that is short for `need`. D retries when that resource is released. */
uint64_t *decode_missing(struct core *c, uint64_t need);
/* The part of run_enter for an instruction with UOP_DISPATCH_MORE. */
void decode_more(struct core *c, uint64_t seq, struct rob_entry *r, unsigned slot);
/* In an empty window: returns whether D's oldest instruction can begin a run, and if so notes that the window fills. */
bool decode_refills(struct core *c);
/*
 * Dispatches the instructions in D, latch `last`, in order, up to the first that stalls, or that dispatch_run can take:
 * then returns true.
 */
bool decode_others(struct core *c, unsigned last);
/* Takes the instructions for E from the instruction buffer. */
void decode_fill(struct core *c);
/* Advances the decode stages: D takes from the stage before it, and so on back to E. */
void decode_move(struct core *c, unsigned last);

/* Chooses the station with the fewest entries in use among those that can take `u`; ties alternate. */
static inline struct place decode_choose_place(const struct core *c, const struct uop *u, uint64_t used)
{
	unsigned first, second;

	if (u->choice == CHOOSE_LAST)
		return (struct place){0, lane_count(used, LANE_COUNT - 1)};
	if (u->choice == CHOOSE_ANY)
		return decode_choose_any(c, u, used);
	first = lane_count(used, 0);
	second = lane_count(used, 1);
	/* the turn is 0 or 1, so it decides ties only */
	return second < first + c->win.rs_turn[u->unit] ? (struct place){1, second} : (struct place){0, first};
}

/* Takes a station for `u`; NULL: none has room. */
INLINE const struct station_place *take_station(struct core *c, const struct uop *u)
{
	const size_t word = u->rs_word;
	const uint64_t used = c->win.rs_used[word];

	_Static_assert(EXEC_FP == EXEC_INT + 1, "the unit of each word that may have two pipes");
	if (__builtin_expect(u->choice == CHOOSE_OF_TWO, 1)) {
		/* the second has fewer; the turn is 0 or 1, so it decides ties only */
		if (((used >> LANE_BITS) - used - c->win.rs_turn[EXEC_INT + word]) & LANE_BELOW) {
			if (lane_count(used, 1) >= u->rs_limit)
				return NULL;
			c->win.rs_turn[EXEC_INT + word] = 0;
			c->win.rs_used[word] = used + (u->rs_entry << LANE_BITS);
			return &u->place[1];
		}
		if (lane_count(used, 0) >= u->rs_limit)
			return NULL;
		c->win.rs_turn[EXEC_INT + word] = 1;
	} else if (u->choice == CHOOSE_LAST) {
		if (lane_count(used, LANE_COUNT - 1) >= u->rs_limit)
			return NULL;
	} else {
		return decode_any_station(c, u, used);
	}
	c->win.rs_used[word] = used + u->rs_entry;
	return &u->place[0];
}

/* Counts `gone` instructions that have left D, latch `last`. */
static inline void leave_d(struct core *c, unsigned last, unsigned gone)
{
	c->front.fq_head += gone;
	c->front.latch[last] -= gone;
	c->front.latch_sum -= gone;
	c->progress = true;
	c->counters.stats.dispatched += gone;
	c->counters.lane_insns += gone;
	/* A lane of 16 bits holds 8191 instructions with eight results. */
	if (c->counters.lane_insns > 8000)
		flush_lanes(c);
}

/* If source `operand` is in flight, adds `node` to the waiters of its writer; returns the next node. */
INLINE unsigned run_wait(struct core *c, unsigned node, unsigned operand, uint64_t unwoken, unsigned words)
{
	const uint64_t mask = words == 1 ? 63 : c->win.rob_mask;
	uint64_t source = c->win.map[operand];
	struct rob_entry *p;

	if (words == 1 ? !(unwoken >> (source & 63) & 1) : !slot_has(c->win.unwoken, source & mask))
		return node;
	if (source < c->win.first_seq)
		return node;
	p = &c->win.rob[source & mask];
	c->win.node_next[node] = p->waiters;
	p->waiters = (uint16_t)node;
	return node + 1;
}

/* Enters an instruction into the window, whose resources it has, as number `seq`, at `place`. */
INLINE void run_enter(struct core *c, uint64_t seq, const struct fetched *q, const struct station_place *place,
		      unsigned words)
{
	const struct uop *u = q->uop;
	const unsigned slot = (unsigned)seq & (words == 1 ? 63 : c->win.rob_mask), first = slot * NODES_PER_SLOT;
	const uint64_t unwoken = c->win.unwoken[0];
	unsigned node = run_wait(c, first, u->source[0], unwoken, words);
	struct rob_entry *r;

	node = run_wait(c, node, u->source[1], unwoken, words);
	node = run_wait(c, node, u->source[2], unwoken, words);
	r = &c->win.rob[slot];
	r->place = *place;
	r->uop = u;
	r->ea = q->ea;
	r->done = r->data_at = CYCLE_NEVER;
	r->begin = u->entry;
	r->counts = (uint64_t)(node - first) << COUNT_PENDING;
	c->win.wake[slot] = CYCLE_NEVER;
	slot_set_in(c->win.unwoken, slot, words);
	c->counters.dispatch_lanes += u->dispatch_lanes;
	if (u->flags & UOP_DISPATCH_MORE) {
		decode_more(c, seq, r, slot);
	} else {
		c->win.map[u->result[0]] = seq;
		c->win.map[u->result[1]] = seq;
	}
	if (node == first)
		slot_ready(c, r, slot, words);
}

/* Returns whether D's oldest instruction may begin a run. */
static inline bool run_may(struct core *c, bool traced)
{
	if (c->win.sync_running || c->win.mixed || (traced && c->pipe_trace.record))
		return false;
	return c->win.rob_count || decode_refills(c);
}

enum run_end { RUN_ENDS, RUN_SPECIAL };

/* Dispatches instructions in D, latch `last`, up to one that stalls, or that needs more: RUN_SPECIAL. */
INLINE enum run_end dispatch_run(struct core *c, unsigned last, unsigned words)
{
	struct front_end *f = &c->front;
	const struct fetched *q = f->fq + (f->fq_head & f->fq_mask), *behind = f->fq + f->fq_mask + 1;
	uint64_t seq = c->win.first_seq + c->win.rob_count;
	unsigned left = f->latch[last], gone;
	enum run_end end = RUN_ENDS;

	do {
		const struct uop *u = q->uop;
		const struct station_place *place;
		uint64_t rest;

		if (__builtin_expect((u->flags & UOP_RUN_SPECIAL) | q->flags, 0)) {
			end = RUN_SPECIAL;
			break;
		}
		rest = ~c->win.free + u->need; /* the complement of what it leaves */
		if (rest & LANE_GUARDS) {
			f->dispatch_stall = decode_missing(c, u->need);
			break;
		}
		place = take_station(c, u);
		if (!place) {
			decode_no_station(c, u);
			break;
		}
		c->win.free = ~rest;
		run_enter(c, seq++, q, place, words);
		if (++q == behind)
			q = f->fq;
	} while (--left);
	gone = f->latch[last] - left;
	c->win.rob_count += gone;
	if (gone)
		leave_d(c, last, gone);
	return end;
}

/*
 * Returns whether the window or the stations still lack the resource that D's oldest instruction needs. If so, the
 * instruction cannot dispatch. Else forgets why dispatch stopped.
 */
static inline bool still_blocked(struct core *c)
{
	struct front_end *f = &c->front;
	const struct uop *u = f->blocked_uop;

	if (!f->dispatch_stall)
		return false;
	if (u ? decode_choose_place(c, u, c->win.rs_used[u->rs_word]).entries >= u->rs_limit
	      : f->blocked_guard && !((c->win.free - f->blocked_need) & f->blocked_guard))
		return true;
	f->dispatch_stall = NULL;
	f->blocked_guard = 0;
	f->blocked_uop = NULL;
	return false;
}

/* Takes the instructions for E from the instruction buffer: those available by the next cycle. */
INLINE unsigned take_from_buffer(struct core *c)
{
	unsigned room = c->cfg->decode.width, taken = 0;

	do {
		struct fetch_group *g = &c->front.groups[c->front.group_head & c->front.group_mask];
		unsigned n = g->count < room ? g->count : room;

		if (g->available > c->now + 1)
			break;
		c->front.decode_cause = g->cause;
		taken += n;
		room -= n;
		g->count -= n;
		if (!g->count) {
			c->front.group_head++;
			c->front.group_count--;
		}
	} while (room && c->front.group_count);
	return taken;
}

INLINE void enter_e(struct core *c, unsigned count)
{
	c->front.latch[0] = count;
	c->front.latch_sum += count;
	c->progress |= count != 0;
}

/* E advances into an empty D: decode_move of two stages. */
static inline void enter_d(struct core *c)
{
	c->front.latch[1] = c->front.latch[0];
	c->front.latch[0] = 0;
	c->progress = true;
}

/* Dispatches what is in D. */
INLINE void dispatch_d(struct core *c, unsigned last, unsigned words, bool traced)
{
	if (!run_may(c, traced) && !decode_others(c, last))
		return;
	while (dispatch_run(c, last, words) == RUN_SPECIAL)
		if (!decode_others(c, last))
			return;
}

/* stage_decode for a constant number of stages and words without a pipe trace, or any. */
INLINE void decode_stages(struct core *c, unsigned last, unsigned words, bool traced)
{
	struct front_end *f = &c->front;

	cycle_stack_note_stalls(c);
	if (!f->latch[last]) {
		f->dispatch_stall = &c->counters.stats.stall_empty;
		c->win.may_dispatch = true;
	} else if (c->win.may_dispatch) {
		if (!still_blocked(c))
			dispatch_d(c, last, words, traced);
		c->win.may_dispatch = !f->latch[last];
	}
	if (last > 1 && f->latch_sum != f->latch[last])
		decode_move(c, last);
	else if (last == 1 && !f->latch[1] && f->latch[0])
		enter_d(c);
	if (!f->latch[0] && f->group_count && f->groups[f->group_head & f->group_mask].available <= c->now + 1) {
		if (traced)
			decode_fill(c);
		else
			enter_e(c, take_from_buffer(c));
	}
}

/* stage_decode in a plain core (core_state.h), which has two decode stages. */
INLINE void usual_decode(struct core *c)
{
	struct front_end *f = &c->front;

	if (f->latch[1]) {
		if (c->win.may_dispatch) {
			cycle_stack_note_stalls(c);
			if (!still_blocked(c))
				dispatch_d(c, 1, 1, false);
			c->win.may_dispatch = !f->latch[1];
		}
	} else if (f->dispatch_stall != &c->counters.stats.stall_empty || !c->win.may_dispatch) {
		cycle_stack_note_stalls(c);
		f->dispatch_stall = &c->counters.stats.stall_empty;
		c->win.may_dispatch = true;
	}
	if (f->latch[0]) {
		if (f->latch[1])
			return;
		cycle_stack_note_stalls(c);
		enter_d(c);
	}
	if (f->group_count && f->groups[f->group_head & f->group_mask].available <= c->now + 1) {
		cycle_stack_note_stalls(c);
		enter_e(c, take_from_buffer(c));
	}
}

#endif
