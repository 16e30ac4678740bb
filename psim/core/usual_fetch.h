/* stage_fetch inline. */
#ifndef PSIM_CORE_USUAL_FETCH_H
#define PSIM_CORE_USUAL_FETCH_H

#include "core_requests.h"

/* ---- fetch.c ---- */
/* Adds the handler of a window spill or fill: a trap, sixteen stores or loads, the return. */
void fetch_window_trap(struct core *c, const struct uop *u, uint64_t save_area);
/* The cause of empty slots behind a fetch that missed. */
enum stall fetch_miss_cause(const struct mem_answer *a);
/* stage_fetch of the group `g` of squashed instructions, or with a transcript, a pipe trace or wrong paths. */
void fetch_watched(struct core *c, struct fetch_group *g);

static inline void fetch_push(struct core *c, const struct uop *u, uint64_t ea, uint32_t flags)
{
	struct fetched *q = &c->front.fq[c->front.fq_tail++ & c->front.fq_mask];

	q->uop = u;
	q->ea = ea;
	q->flags = flags;
}

/* Takes the address of `u` from the trace; for a transfer, returns the transfer's number. */
static uint64_t fetch_take_address(struct core *c, const struct uop *u)
{
	struct feed *f = &c->front.feed;

	if (u->flags & UOP_TRANSFER) {
		f->ea += 3;
		return array_fetch_transfer(c, u->insn, f->ea - 3);
	}
	return u->flags & UOP_ADDRESS ? *f->ea++ : 0;
}

/* Fetches the feed's next instruction; true if the group ends with it. */
INLINE bool fetch_one(struct core *c, uint64_t end)
{
	struct feed *f = &c->front.feed;
	uint32_t flags = 0;
	const struct uop *u = f->uop;
	uint64_t ea = fetch_take_address(c, u);
	bool last = u == f->last, ends = false;

	if (u->flags & UOP_WINDOW && ea) {
		fetch_window_trap(c, u, ea);
		ends = true;
	}
	if (u->flags & UOP_CTI) {
		flags = fetch_predict(c, u, !last);
		if (flags)
			c->front.block_flags = flags;
	} else if (u->flags & UOP_TRAP && last) {
		flags = FETCHED_TRAP_TAKEN;
	}
	fetch_push(c, u, ea, flags);
	if (u->flags & UOP_CTI && last) {
		if (u->insn->flags & INSN_ANNUL && u->pc + 4 < end)
			fetch_push(c, &c->front.window_trap[WINDOW_TRAP_ANNULLED], 0, 0);
		ends |= fetch_follow(c, c->front.block_flags);
	} else if (!(u->flags & UOP_CTI) && c->front.fetch.after_slot != SLOT_GO_ON) {
		ends |= fetch_follow(c, c->front.block_flags);
	}
	if (last)
		feed_advance(c);
	else
		f->uop++;
	return ends;
}

/* The fast path: fetches instructions without fetch flags, except the block's last one. */
static inline void fetch_plain(struct core *c, uint64_t end)
{
	struct feed *f = &c->front.feed;
	const struct uop *u = f->uop;
	const uint64_t *ea = f->ea;
	struct fetched *queue = c->front.fq;
	unsigned tail = c->front.fq_tail, mask = c->front.fq_mask;
	uint64_t left = (end - u->pc) / 4; /* to the end of the group */
	unsigned count = u->plain < left ? u->plain : (unsigned)left;

	if (c->front.fetch.after_slot != SLOT_GO_ON)
		return;
	for (; count; count--, u++) {
		struct fetched *q = &queue[tail++ & mask];

		q->uop = u;
		q->flags = 0;
		q->ea = u->flags & UOP_ADDRESS ? *ea++ : 0;
	}
	c->front.fq_tail = tail;
	f->ea = ea;
	f->uop = u;
}

/* fetch_rest. */
INLINE void fetch_up_to(struct core *c, uint64_t end)
{
	const struct feed *f = &c->front.feed;

	for (;;) {
		uint64_t here, pc;
		bool ends;

		fetch_plain(c, end);
		here = f->uop->pc;
		if (here >= end)
			break;
		ends = fetch_one(c, end);
		if (ends || f->at_end)
			break;
		pc = f->uop->pc;
		if (!fetch_goes_on(here, pc, end))
			break;
	}
}

/* Completes the group `g`, which begins with entry `first` of the queue. */
static inline void end_group(struct core *c, struct fetch_group *g, const struct mem_answer *a, enum stall cause,
			     unsigned first)
{
	g->available = a->ready + c->cfg->fetch.stages;
	g->cause = a->hit ? cause : fetch_miss_cause(a);
	g->count = c->front.fq_tail - first;
	c->progress = true;
}

/* stage_fetch. `watched`: with a transcript, a pipe trace or wrong paths. */
INLINE void fetch_stage(struct core *c, bool watched)
{
	const unsigned first = c->front.fq_tail;
	enum stall cause = c->front.fetch.cause;
	struct fetch_group *g = &c->front.groups[(c->front.group_head + c->front.group_count++) & c->front.group_mask];
	struct mem_answer a;
	uint64_t pc;

	if (__builtin_expect(c->front.refetch || watched, 0)) {
		fetch_watched(c, g);
		return;
	}
	pc = c->front.feed.uop->pc;
	a = fetch_begin(c, pc);
	fetch_up_to(c, fetch_end(c, pc));
	fetch_finish(c, &a);
	end_group(c, g, &a, cause, first);
}

/* stage_fetch in a plain core (core_state.h). */
INLINE void usual_fetch(struct core *c)
{
	fetch_stage(c, false);
}

#endif
