/*
 * Instruction fetch: IA IT IM IB IR, one aligned group a cycle.
 *
 * The fetch unit follows its prediction. As the trace has only the correct path,
 * this fetch stops after a mispredicted transfer and its delay slot, until the branch
 * resolves or the decoder redirects. wrong_path.c has what it may do meanwhile.
 */
#include "../bpred/bpred.h"
#include "usual_fetch.h"

void fetch_window_trap(struct core *c, const struct uop *u, uint64_t save_area)
{
	enum window_trap_op access = u->flags & UOP_SAVE ? WINDOW_TRAP_STORE : WINDOW_TRAP_LOAD;

	fetch_push(c, &c->front.window_trap[WINDOW_TRAP_ENTRY], 0, 0);
	for (unsigned n = 0; n < 16; n++)
		fetch_push(c, &c->front.window_trap[access], save_area + 8 * n, 0);
	fetch_push(c, &c->front.window_trap[WINDOW_TRAP_EXIT], 0, 0);
	if (access == WINDOW_TRAP_STORE)
		c->counters.stats.spills++;
	else
		c->counters.stats.fills++;
}

/*
 * Predicts the transfer `u`. The outcome is in the trace: the block contains the delay
 * slot if that was executed, and the next block's address is the target.
 */
uint32_t fetch_predict(struct core *c, const struct uop *u, bool has_slot)
{
	const struct feed *f = &c->front.feed;
	uint64_t fall_through = u->pc + (has_slot || u->insn->flags & INSN_ANNUL ? 8 : 4);
	uint64_t next = f->next->block ? f->next->block->pc : fall_through;
	bool taken = bpred_taken(u->insn->flags, next, fall_through);
	struct bpred_answer a = bpred_branch(c->bpred, u->pc, u->insn, taken, next);

	if (c->wrong && !a.correct)
		wrong_path_predicted(c, a.taken ? a.target : fall_through, a.taken);
	c->front.fetch.after_slot = !a.correct ? SLOT_BLOCK : taken ? SLOT_TAKEN : SLOT_GO_ON;
	c->front.fetch.target_cycle = c->now + c->cfg->fetch.predict_stage;
	if (a.correct)
		return 0;
	return fetch_wrong_flags(u);
}

/* Follows the transfer whose delay slot, if any, has been fetched: true if the group ends here. */
bool fetch_follow(struct core *c, uint32_t flags)
{
	struct fetch_state *fe = &c->front.fetch;
	enum after_slot action = fe->after_slot;

	fe->after_slot = SLOT_GO_ON;
	if (action == SLOT_TAKEN) {
		fe->next = fe->target_cycle > c->now ? fe->target_cycle : c->now + 1;
		fe->cause = STALL_taken_branch;
	} else if (action == SLOT_BLOCK) {
		fe->blocked = true;
		fe->blocked_since = c->now;
		fe->cause = flags & FETCHED_REDIRECT ? STALL_redirect : STALL_mispredict;
		if (c->wrong)
			wrong_path_begin(c);
	}
	return action != SLOT_GO_ON;
}

enum stall fetch_miss_cause(const struct mem_answer *a)
{
	if (a->tlb_bound)
		return STALL_itlb;
	switch (a->level) {
	case MEM_MEMORY: return STALL_l1i_memory;
	case MEM_L3: return STALL_l1i_l3;
	case MEM_L1: return STALL_l1i_way; /* a line on its way has the level that it comes from */
	default: return STALL_l1i_l2;
	}
}

static void note_fetch(struct core *c, unsigned first)
{
	for (unsigned n = first; n != c->front.fq_tail; n++)
		c->front.fq_times[n & c->front.fq_mask].fetch = c->now;
}

void fetch_rest(struct core *c, uint64_t end)
{
	fetch_up_to(c, end);
}

struct mem_answer fetch_group(struct core *c)
{
	uint64_t pc = c->front.feed.uop->pc;
	struct mem_answer a = fetch_begin(c, pc);

	fetch_rest(c, fetch_end(c, pc));
	fetch_finish(c, &a);
	return a;
}

void fetch_watched(struct core *c, struct fetch_group *g)
{
	const unsigned first = c->front.fq_tail;
	enum stall cause = c->front.fetch.cause;
	struct mem_answer a;

	if (c->front.refetch) {
		g->available = c->now + c->cfg->fetch.stages;
		g->cause = STALL_memory_order;
		if (c->front.fq_times)
			note_fetch(c, c->front.fq_tail - c->front.refetch);
		g->count = refetch_group(c);
		c->progress = true;
		return;
	}
	if (!c->transcript) {
		a = fetch_group(c);
	} else if (!recorded_fetch_take(c, &a)) {
		a = fetch_group(c);
		recorded_fetch_add(c, &a, first);
	}
	end_group(c, g, &a, cause, first);
	if (c->front.fq_times)
		note_fetch(c, first);
	if (c->wrong)
		wrong_path_fetched(c, first);
}

void stage_fetch(struct core *c)
{
	fetch_stage(c, c->transcript || c->counters.each);
}

void fetch_restart(struct core *c, uint64_t cycle)
{
	struct fetch_state *fe = &c->front.fetch;
	uint64_t wrong = cycle - fe->blocked_since - 1, most = c->cfg->fetch.buffer_entries;

	if (!fe->blocked)
		bug("fetch restarted but not blocked at cycle %llu", (unsigned long long)c->now);
	if (c->wrong)
		wrong_path_end(c);
	else /* hardware fetches along the wrong path until the instruction buffer is full */
		c->counters.stats.wrong_path_groups += wrong < most ? wrong : most;
	fe->blocked = false;
	c->front.quiet_until = 0;
	if (fe->next < cycle)
		fe->next = cycle;
	c->progress = true;
}

void fetch_pause(struct core *c, uint64_t cycles)
{
	struct front_end *f = &c->front;

	f->fetch.next = latest(f->fetch.next, c->now + cycles);
	for (unsigned n = 0; n < f->group_count; n++) {
		struct fetch_group *g = &f->groups[(f->group_head + n) & f->group_mask];

		g->available = latest(g->available, c->now + cycles);
	}
}
