/*
 * The state of one core, in parts. Internal to psim/core: the stage files share it, and
 * tests/lint/core_parts.sh has a table of who sees which part.
 *
 * Hot tables are indexed by reorder-buffer slot; sets of slots are bit maps of
 * `rob_words` words, walked in age order from the oldest slot. A slot's number
 * stays the same from dispatch to commit.
 */
#ifndef PSIM_CORE_CORE_STATE_H
#define PSIM_CORE_CORE_STATE_H

#include <string.h>

#include "../../isa/simd.h"
#include "accounts.h"
#include "front_end.h"
#include "load_store.h"
#include "transcript.h"
#include "event_wheel.h"
#include "core_window.h"

/* Why dispatch stopped last, for the view. */
enum { VIEW_STOPS = 12 };
struct view_stop {
	uint64_t counts[VIEW_STOPS]; /* of stops, at the last dispatch */
	uint64_t cycle;              /* of the first dispatch after the stop */
	const char *cause;
};
/* The pipeline view's part: times by slot. */
struct view_state {
	struct view_record *record; /* NULL without a view */
	uint64_t seq;
	uint16_t producer[3]; /* slots that the instruction being dispatched depends on */
	unsigned producers;
	struct view_stop stop;
};

struct core {
	uint64_t now;
	const struct core_config *cfg;
	struct core_options opt;
	struct window win;
	struct load_store ls;
	struct wheel wheel;
	struct front_end front;
	struct accounts acct;
	struct view_state view;
	struct array *array; /* NULL: the machine has none */
	struct memsys *mem;
	struct bpred *bpred;
	struct transcript *transcript; /* NULL, or where answers from outside are noted; borrowed */
	struct err *error;
	bool failed;
	bool progress;         /* something happened in this cycle */
	uint64_t idle_until;   /* --check without skipping: no progress is expected before this cycle */
	uint64_t mem_check_at; /* --check: when to look at the memory system again */
};

/* ---- events.c ---- */
int events_create(struct core *c, struct err *e);
void events_destroy(struct core *c);
void event_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot);

/* The value of `slot` can be used by what is selected from `cycle` on. */
static inline void wake_at(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	if (cycle - c->now < NEAR_SIZE)
		near_set(c->wheel.near_wake, &c->wheel.wake_rows, cycle, slot, words);
	else
		event_at(c, cycle, EVENT_WAKE, slot);
}

/* The address of `slot` is there in `cycle`, which is near. */
static inline void address_at(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	near_set(c->wheel.near_address, &c->wheel.address_rows, cycle, slot, words);
}

/* Takes an undone selection's near events back; far ones know it by the generation. */
void near_forget(struct core *c, unsigned slot);

/* ---- feed.c ---- */
int feed_create(struct core *c, struct err *e);
void feed_destroy(struct core *c);
/* Makes `next` the present block and reads one more. */
void feed_advance(struct core *c);
/*
 * The pipeline is empty and feed.at_end: warms up with what lies before the next part that is
 * simulated, up to `most` instructions or a block more. 0: the trace has ended; < 0 on failure; else 1.
 */
int feed_resume(struct core *c, uint64_t most);
/*
 * For chip.c: a core on a chip's memory has not warmed up when it is made. 1 if there is more to
 * do before its first cycle, 0 if not, < 0 on failure.
 */
int core_warm_up(struct core *c, uint64_t most, struct err *e);

/* decode.c: why the pipeline is empty, as far as fetch is to blame. */
enum stall front_cause(const struct core *c);

/*
 * core.c, for chip.c: is everything done? And one cycle, the idle ones after it skipped up
 * to `end`: 1 if there is more to do, 0 at the end, < 0 as core_run. The counters need
 * flush_counters afterwards.
 */
bool core_finished(const struct core *c);
int core_step(struct core *c, uint64_t end, struct err *e);

/* ---- the stages (stages.def): a cycle of each, and the time from which it can go on ---- */
#define STAGE(name, due, doc) \
	void stage_##name(struct core *c); \
	uint64_t name##_next(const struct core *c);
#include "stages.def"
#undef STAGE

static inline bool fetch_may(const struct core *c)
{
	return c->now >= c->front.fetch.next && !c->front.fetch.blocked && !c->front.feed.at_end &&
	       c->front.group_count < c->cfg->fetch.buffer_entries;
}
/* `cycle` if it is still to come, else CYCLE_NEVER. */
static inline uint64_t if_later(const struct core *c, uint64_t cycle)
{
	return cycle > c->now ? cycle : CYCLE_NEVER;
}

/* fetch.c: the mispredicted branch is resolved, or the decoder redirected; next IA at `cycle`. */
void fetch_restart(struct core *c, uint64_t cycle);

/* All sources are there: may be selected from the next selection on. */
static inline void slot_ready(struct core *c, struct rob_entry *r, unsigned slot, unsigned words)
{
	r->state = SLOT_READY;
	slot_set_in(c->win.ready[r->ready_row], slot, words);
	c->win.ready_rs |= 1u << r->rs;
}

/* select.c */
void false_wake(struct core *c, unsigned slot);
void cancel(struct core *c, unsigned slot);

/* lsu.c */
void lsu_address(struct core *c, unsigned slot); /* the address is there: Ps is in this cycle */
void lsu_store_data(struct core *c, unsigned slot, uint64_t cycle);

/* The value of `slot` can be used from this cycle's selection on. */
static inline void wake_consumers(struct core *c, unsigned slot, unsigned words)
{
	struct rob_entry *r = &c->win.rob[slot];
	unsigned node = r->waiters;

	r->waiters = NODE_NONE;
	while (node != NODE_NONE) {
		unsigned consumer = node / NODES_PER_SLOT;
		struct rob_entry *k = &c->win.rob[consumer];

		if (node & NODE_DATA) {
			if (--k->data_pending == 0)
				lsu_store_data(c, consumer, c->now + 1 + c->cfg->core.operand_stages);
		} else if (--k->pending == 0) {
			slot_ready(c, k, consumer, words);
		}
		node = c->win.node_next[node];
	}
}

/* lsu_ask.c */
/* The store in `slot` has its address: its line is asked for until that is on its way. */
void lsu_ask_line(struct core *c, unsigned slot);
/* The load in `slot` was refused. */
void lsu_load_refused(struct core *c, unsigned slot, const struct mem_answer *a);
/* The write of the oldest store was refused; accepted. */
void lsu_write_refused(struct core *c, struct store_entry *s, const struct mem_answer *a);
void lsu_write_accepted(struct core *c, struct store_entry *s, const struct mem_answer *a);
/* The oldest has left the store buffer: another is among those that may ask. */
void lsu_buffer_moves(struct core *c);
/* The store in `slot` goes to the store buffer's entry `s`, with what it has asked for. */
void lsu_ask_moves(struct core *c, unsigned slot, struct store_entry *s);
/* The prefetch in `slot` asks; refused it goes to the prefetch queue, or waits in its slot for room there. */
void lsu_ask_prefetch(struct core *c, unsigned slot);
/* JPS1: 20 … 23 are the strong variants of 0 … 3, which are not dropped. */
static inline bool prefetch_is_strong(const struct insn *i)
{
	return i->rd >= 20 && i->rd <= 23;
}
/* All that may ask again in this cycle do, the oldest first. */
void lsu_ask(struct core *c);
/* lsu.c: the load that was refused is accepted. */
void lsu_load_accepted(struct core *c, unsigned slot, const struct mem_answer *a);

void lsu_store_dispatched(struct core *c, unsigned slot);
bool lsu_store_commit(struct core *c, unsigned slot); /* false: the store buffer is full */

/* ---- order of loads and stores, for L1D and for SBM ---- */
enum order { ORDER_FREE, ORDER_FORWARD, ORDER_WAIT };
/* Do two accesses touch the same byte; has the store `a` all that the load `b` reads? */
bool lsu_overlap(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);
bool lsu_covers(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);
/* May a store in flight touch these bytes? */
static inline bool lsu_filter_hit(const struct core *c, uint64_t ea, unsigned size)
{
	uint64_t last = (ea + (size ? size - 1 : 0)) >> 3;

	for (uint64_t g = ea >> 3; g <= last; g++)
		if (c->ls.store_filter[g & 255])
			return true;
	return false;
}
/* What the youngest overlapping store in the window before the load means; *data_at if forwarded. */
enum order lsu_search_window(const struct core *c, unsigned slot, bool forwarding, uint64_t *data_at);
/* The scalar core has the load's value for what is selected from `wake` on. */
void lsu_load_result(struct core *c, unsigned slot, uint64_t wake);
void array_retry(struct core *c); /* loads at the PEs: look again */
/* A store has written: loads that waited for one look again; also without such a reason. */
void lsu_store_gone(struct core *c, uint64_t ea, unsigned size);
void lsu_retry(struct core *c);

/*
 * ---- the array: array*.c. c->array is not NULL, but for array_create, array_destroy ----
 */
int array_create(struct core *c, struct err *e);
void array_destroy(struct core *c);
/* Fetched: keeps the transfer's three addresses; returns its number, which is its `ea` from here on. */
uint64_t array_fetch_transfer(struct core *c, const struct insn *i, const uint64_t ea[3]);
/* A SIMD instruction or transfer was dispatched; sxwait was, and runs alone. */
void array_dispatched(struct core *c, unsigned slot);
void array_wait(struct core *c, unsigned slot);
/* C has been passed by what was on its way for `slot`. */
void array_arrive(struct core *c, unsigned slot);
/* The address of an access is there: true if the array goes on with it. */
bool array_takes(struct core *c, unsigned slot);
/* The operands of `slot` that do not hold up its address or its place in the station are there. */
void array_data(struct core *c, unsigned slot);
/* A SIMD load's value, which consumers in the core could use from `wake` on, goes to all PEs. */
void array_broadcast(struct core *c, unsigned slot, uint64_t wake);
/* false: a store to SBM, or a transfer, cannot commit yet. */
bool array_store_commit(struct core *c, unsigned slot);
bool array_transfer_commit(struct core *c, unsigned slot);
/* Adds the use of the array's structures up to this cycle. */
void array_levels(struct core *c);
/* Operations of the PEs committed since this was asked last. */
uint64_t array_new_flops(struct core *c);
/* What the oldest instruction, one of the array's or a transfer, waits for. */
enum stall array_cause(const struct core *c, const struct rob_entry *r);
/* activity_simd.c: adds the array's counts; its dimensions */
void simd_activity(const struct core *c, struct activity *a);
void simd_energy_machine(const struct core_config *cfg, struct energy_machine *out);
/* --check: false and what is wrong. */
bool array_check(const struct core *c, const char **what, uint64_t *have, uint64_t *want);

/* Is a window's address `ea` in that of all PEs? */
static inline bool sbm_of_all(uint64_t ea)
{
	return ea - SIMD_ALL_BASE < SIMD_PE_STRIDE;
}

/* `ea` as an address of the window that `other` lies in, if both are places of the same PE's memory. */
static inline uint64_t sbm_same_window(uint64_t ea, uint64_t other)
{
	uint64_t mine = (ea - SIMD_ALL_BASE) / SIMD_PE_STRIDE;
	uint64_t its = (other - SIMD_ALL_BASE) / SIMD_PE_STRIDE;

	return simd_in_window(ea) && simd_in_window(other) && mine != its && (!mine || !its)
		       ? ea + (its - mine) * SIMD_PE_STRIDE
		       : ea;
}

/* Is it the array that `r` waits for when it is the oldest? Loads tell by their note. */
static inline bool array_has(const struct rob_entry *r)
{
	uint32_t flags = r->uop->flags;

	return flags & UOP_TRANSFER || (flags & UOP_SIMD && !(flags & UOP_LOAD)) ||
	       (flags & UOP_STORE && simd_in_window(r->ea));
}

/* account.c */
/* Adds the lanes to the statistics, and sets those that follow from others. */
void flush_counters(struct core *c);
/* Counts `cycles` cycles in which the core was as it is now; core.committed instructions left it in them. */
void account(struct core *c, uint64_t cycles);
/* In a cycle without progress: the first later one whose empty slots may have another cause, or CYCLE_NEVER. */
uint64_t account_next(const struct core *c);
/* The store buffer is full: what its oldest store waits for. */
enum stall store_buffer_cause(const struct core *c);

/* regions.c */
int region_mark(struct core *c, const char *name, bool begin);
void regions_commit(struct core *c, uint64_t seq);
void regions_destroy(struct core *c);

/* check.c: invariants, with opt.check; false with c->error set if one does not hold */
bool core_check(struct core *c);

/* view_feed.c: what the pipeline view is told */
enum view_event { VIEW_SELECT, VIEW_PS, VIEW_PE, VIEW_UNDO, VIEW_COMMIT };
int view_create(struct core *c, struct err *e);
void view_dispatch(struct core *c, unsigned slot, const struct fetched *q);
void view_note(struct core *c, unsigned slot, enum view_event what);
/* The load at `slot` waits at the PEs, for what its note says. */
void view_held(struct core *c, unsigned slot);
/* The store at `slot` cannot commit: the store buffer is full. */
void view_store_held(struct core *c, unsigned slot);
/* The instruction that is being dispatched waits for `slot`. */
void view_producer(struct core *c, unsigned slot);

#endif
