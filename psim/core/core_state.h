/*
 * The state of one core, in parts. The stage files share it, and the array, the replay, segments and the pipe trace see
 * some of its parts: tests/lint/core_parts.sh has a table of who sees which.
 *
 * Hot tables are indexed by reorder-buffer slot; sets of slots are bit maps of
 * `rob_words` words, walked in age order from the oldest slot. A slot's number
 * stays the same from dispatch to commit.
 */
#ifndef PSIM_CORE_CORE_STATE_H
#define PSIM_CORE_CORE_STATE_H

#include <string.h>

#include "../../isa/simd.h"
#include "../base/digest.h"
#include "counters.h"
#include "front_end.h"
#include "load_store.h"
#include "../bpred/memdep.h"
#include "transcript.h"
#include "wrong_path.h"
#include "event_wheel.h"
#include "core_window.h"

/* The last reason for which dispatch stopped, for the pipe trace. */
enum { PIPE_TRACE_STOPS = 13 };
struct pipe_trace_stop {
	uint64_t counts[PIPE_TRACE_STOPS]; /* stall counters at the last dispatch */
	uint64_t cycle;                    /* first dispatch after the stall */
	const char *cause;
};
/* The pipe trace's part: a record for each slot. */
struct pipe_trace_state {
	struct pipe_trace_record *record; /* NULL without a pipe trace */
	const struct pipe_trace_hooks *hooks;
	uint64_t seq;
	uint16_t producer[3]; /* slots that the instruction being dispatched depends on */
	unsigned producers;
	struct pipe_trace_stop stop;
};

/* Sums of occupancy that the statistics do not have yet: occupancy.h. */
struct occupancy {
	uint64_t near_sum[1 + RS_WORDS]; /* sums of the words since they were added to far_sum: window, stations */
	unsigned near_left, near_limit;  /* a lane overflows after near_limit cycles, near_left from now */
	struct lane_sum far_sum[1 + RS_WORDS]; /* sums over the `far_cycles` before those, in wider lanes */
	uint64_t far_cycles;
};

struct core {
	uint64_t now;
	uint64_t turn_end; /* of core_turn */
	uint64_t run_to;   /* the loop of cycles ends here; 0: in this cycle, as run_cycles says */
	const struct core_config *cfg;
	struct core_options opt;
	struct window win;
	struct load_store ls;
	struct wheel wheel;
	struct front_end front;
	struct counters counters;
	struct cycle_stack stack;
	struct occupancy occupancy;
	struct regions regions;
	struct segment_counts segment;
	struct pipe_trace_state pipe_trace;
	struct array *array;      /* NULL: the machine has none */
	struct wrong_path *wrong; /* NULL: fetch.wrong_path = none */
	struct memsys *mem;
	struct bpred *bpred;
	struct memdep *memdep; /* NULL: lsu.disambiguation has no predictor */
	uint64_t late_store;   /* address of the store of the violation from which it learns */
	struct memo *memo;     /* NULL: every cycle is simulated in detail */
	const struct replay_hooks *replay;
	uint64_t memo_wake;            /* it is up to this instruction */
	struct transcript *transcript; /* records the answers from outside; may be NULL. Borrowed */
	struct transcript noting;      /* the transcript of a machine with prefetcher_needs_pc */
	struct err *error;
	/*
	 * Two decode stages, a window of one word, no array, and nothing that wants each instruction on its own. While
	 * there is no transcript either, and no mark of a region, its stages are inline in the loop of cycles:
	 * usual_*.h. Constant
	 */
	bool plain;
	bool failed;
	bool paused;           /* at a sync point: segments.h */
	bool progress;         /* a stage changed something in this cycle */
	uint64_t idle_until;   /* --check without skipping: no progress is expected before this cycle */
	uint64_t mem_check_at; /* --check: cycle of the next memsys_check */
};

/* ---- events.c ---- */
int events_create(struct core *c, struct err *e);
void events_destroy(struct core *c);
void event_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot);
/* Removes all far events. */
void events_clear(struct core *c);
/* Return whether an event of this cycle, an address has an effect, unlike those of cancelled selections. */
bool events_act(const struct core *c);
/* Returns whether a branch for which fetch waits may resolve in this cycle. */
bool events_resolve(const struct core *c);
/* Returns whether data for which a store waits may come in this cycle. */
bool events_bring_data(const struct core *c);
bool events_address_acts(const struct core *c);

/* Schedules the wake-up of the consumers of `slot`: they may be selected from `cycle` on. */
static inline void wake_at(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	if (cycle - c->now < NEAR_SIZE)
		near_set(c->wheel.near_wake, &c->wheel.near_rows, cycle, slot, words);
	else
		event_at(c, cycle, EVENT_WAKE, slot);
}

/* wake_at for a cycle that is less than NEAR_SIZE cycles ahead. */
static inline void wake_near(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	near_set(c->wheel.near_wake, &c->wheel.near_rows, cycle, slot, words);
}

/* Schedules the arrival of the address of `slot` in `cycle`, less than NEAR_SIZE cycles ahead. */
static inline void address_at(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	near_set(c->wheel.near_address, &c->wheel.near_rows, cycle, slot, words);
}

/* Schedules EVENT_FALSE_WAKE or EVENT_CANCEL of a load that misses. */
static inline void miss_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot)
{
	if (cycle - c->now >= NEAR_SIZE) {
		event_at(c, cycle, type, slot);
		return;
	}
	c->wheel.near_rows |= 1ull << (cycle & (NEAR_SIZE - 1));
	near_set(type == EVENT_CANCEL ? c->wheel.near_cancel : c->wheel.near_false, &c->wheel.miss_rows, cycle, slot,
		 c->win.rob_words);
}

/* Removes the near events of a cancelled selection. Its far events have an old generation, and are ignored. */
void near_forget(struct core *c, unsigned slot);
/* Removes all events of these slots, which are squashed. */
void events_forget(struct core *c, const uint64_t *slots);

/* ---- feed.c ---- */
int feed_create(struct core *c, struct err *e);
void feed_destroy(struct core *c);
/*
 * Makes `next` the current block and reads the block after it. True: it is simulated, and nothing precedes it; the
 * trace has not ended, no mark was read, and nothing failed.
 */
bool feed_advance(struct core *c);
/*
 * Warms up with the instructions before the next simulated part, up to `most` of them rounded up to a block.
 * The pipeline must be empty, and feed.at_end set. 0: the trace has ended; < 0 on failure; else 1.
 */
int feed_resume(struct core *c, uint64_t most);
/* Goes on behind the stop at which it is. 0, or -1. */
int feed_pass(struct core *c);
/*
 * Warms up a core on a chip's shared memory, up to `most` instructions; core_create does not. For chip.c.
 * 1 if more warming precedes the first cycle, 0 if not, < 0 on failure.
 */
int core_warm_up(struct core *c, uint64_t most, struct err *e);

/* decode.c: repeats the renaming of `u`, which has number `seq`: the youngest writers of its registers. */
void rename_again(struct core *c, uint64_t seq, const struct uop *u);
/* decode.c: forgets the renaming of the instructions from number `seq` on, which are in the window. */
void rename_back(struct core *c, uint64_t seq);

/* decode.c: the front end's reason for an empty pipeline. */
enum stall front_cause(const struct core *c);

/*
 * core.c, for chip.c. core_turn: simulates one cycle or
 * more, up to cycle `end`, which is not passed. Requests to memory are made in the first cycle and before cycle
 * `turn_end`. 1 if there is more to do, 0 at the end, CORE_STOPPED at one of core_options.stops, < 0 as core_run; so
 * does core_run. core_pass: goes on there, in cycle `cycle` if that is later; 0, or -1. The caller calls
 * flush_counters before it reads counters, which are valid at `end`.
 */
enum { CORE_STOPPED = 2 };
int core_pass(struct core *c, uint64_t cycle, struct err *e);
/* core_turn whose first cycle is simulated in detail; and from there on: it was `stopped` as replay_hooks.advance. */
int core_turn_detailed(struct core *c, uint64_t end);
int core_turn_on(struct core *c, uint64_t end, int stopped);
static inline int core_turn(struct core *c, uint64_t end, uint64_t turn_end, struct err *e)
{
	int stopped;

	c->error = e;
	c->turn_end = turn_end;
	if (c->counters.stats.instructions < c->memo_wake)
		return core_turn_detailed(c, end);
	stopped = c->replay->advance(c, end, turn_end);
	if (__builtin_expect(stopped == 1 && c->now >= turn_end, 1))
		return 1;
	return core_turn_on(c, end, stopped);
}
/* core.c, for replay: simulates the present cycle in detail, and skips idle ones up to `end`. 0, or -1. */
int core_advance(struct core *c, uint64_t end);
/* The same up to cycle `stop`, in a machine of one core, until a mark of a region is read or the trace ends. */
int core_advance_to(struct core *c, uint64_t end, uint64_t stop);

/* ---- the stages (stages.def): one cycle of each; idle.h has the next cycle in which it can make progress ---- */
#define STAGE(name, due, doc) void stage_##name(struct core *c);
#include "stages.def"
#undef STAGE
uint64_t array_next_cycle(const struct core *c);      /* requires c->array */
uint64_t wrong_path_next_cycle(const struct core *c); /* requires wrong_path_may */

/* The next cycle in which the store buffer's oldest store can do anything; it has one. */
static inline uint64_t oldest_store_next(const struct core *c)
{
	const struct store_entry *s = &c->ls.sb[c->ls.sb_head & c->ls.sb_mask];

	return s->ready == CYCLE_NEVER ? s->retry.at : s->ready;
}

/* Returns whether stage_lsu can do anything. Wrong paths use ports that it has freed. */
static inline bool lsu_may(const struct core *c, uint64_t now)
{
	const struct load_store *l = &c->ls;

	if (l->work || l->retry_next <= now)
		return true;
	return l->sb_count && (oldest_store_next(c) <= now || l->held.count || c->wrong);
}

/* Returns whether stage_select can do anything: release entries, select. */
static inline bool select_may(const struct core *c, uint64_t now)
{
	return c->win.ready_rs || c->win.rs_releasing >> now % RELEASE_SIZE & 1;
}

/* Returns whether decode or fetch may be able to do anything in this cycle. */
static inline bool front_may(const struct core *c, uint64_t now)
{
	return c->win.may_dispatch || now >= c->front.quiet_until;
}

/* Returns whether stage_decode can do anything: dispatch, note that D is empty, move instructions. */
static inline bool decode_may(const struct core *c)
{
	const struct front_end *f = &c->front;
	unsigned in_d = f->latch[f->last];

	if (in_d ? c->win.may_dispatch : !c->win.may_dispatch || f->dispatch_stall != &c->counters.stats.stall_empty)
		return true;
	if (f->latch_sum != in_d && (f->last > 1 || !in_d))
		return true;
	return f->group_count && !f->latch[0] && f->groups[f->group_head & f->group_mask].available <= c->now + 1;
}

/* `plain`, a constant: the core is plain, and its trace has not ended. */
static inline bool fetch_may(const struct core *c, uint64_t now, bool plain)
{
	if (__builtin_expect(c->front.refetch, 0))
		return now >= c->front.refetch_next && c->front.group_count < c->cfg->fetch.buffer_entries;
	return !c->front.fetch.blocked && now >= c->front.fetch.next && (plain || !c->front.feed.at_end) &&
	       c->front.group_count < c->cfg->fetch.buffer_entries;
}
/* `cycle` if it is in the future, else CYCLE_NEVER. */
static inline uint64_t if_later(const struct core *c, uint64_t cycle)
{
	return cycle > c->now ? cycle : CYCLE_NEVER;
}

/*
 * ---- fetch.c: the part of a fetch that is outside of the core's timing ----
 *
 * fetch_group reads a group from the trace into the fetch queue, and predicts: fetch_begin, fetch_rest, fetch_finish.
 */
struct mem_answer fetch_group(struct core *c);
/* Fetches instructions up to address `end`, or to what ends a group before it. */
void fetch_rest(struct core *c, uint64_t end);
/* Predicts the control transfer `u`; returns its flags (enum fetched_flag). */
uint32_t fetch_predict(struct core *c, const struct uop *u, bool has_slot);
/* The flags of a transfer that is predicted wrong: D finds the target of some. */
static inline uint32_t fetch_wrong_flags(const struct uop *u)
{
	return u->flags & UOP_DIRECT && u->flags & UOP_NO_ISSUE ? FETCHED_REDIRECT : FETCHED_MISPREDICT;
}
/* Follows the transfer whose delay slot, if any, has been fetched: true if the group ends here. */
bool fetch_follow(struct core *c, uint32_t flags);
/* The end of the group at `pc`. */
static inline uint64_t fetch_end(const struct core *c, uint64_t pc)
{
	return (pc | (c->cfg->fetch.width_bytes - 1)) + 1;
}
static inline struct mem_answer fetch_begin(struct core *c, uint64_t pc)
{
	c->front.fetch.cause = STALL_taken_branch;
	c->front.fetch.next = c->now + 1;
	return memsys_fetch(c->mem, c->now, pc);
}
static inline void fetch_finish(struct core *c, const struct mem_answer *a)
{
	if (c->front.fetch.next <= a->ready)
		c->front.fetch.next = a->ready + 1;
	c->counters.stats.fetch_groups++;
}
/* Returns whether the group that fetched the instruction at `here` goes on at `pc`; an annulled slot is skipped. */
static inline bool fetch_goes_on(uint64_t here, uint64_t pc, uint64_t end)
{
	return (pc == here + 4 || pc == here + 8) && pc < end;
}
/* fetch.c: restarts fetch, with its next IA at `cycle`, after a misprediction or a decoder redirect. */
void fetch_restart(struct core *c, uint64_t cycle);
/* fetch.c: lets nothing enter fetch or decode for `cycles` cycles. Between cycles only. */
void fetch_pause(struct core *c, uint64_t cycles);

/* Makes an instruction with all sources available a candidate of the next selection. */
static inline void slot_ready(struct core *c, struct rob_entry *r, unsigned slot, unsigned words)
{
	r->state = SLOT_READY;
	slot_set_in(ready_in(&c->win, r->ready_row, words), slot, words);
	c->win.ready_rs |= r->rs_bit;
}

/* select.c */
void false_wake(struct core *c, unsigned slot);
void cancel(struct core *c, unsigned slot);

/* lsu.c */
void lsu_address(struct core *c, unsigned slot); /* the address arrives: Ps is in this cycle */
void lsu_store_data(struct core *c, unsigned slot, uint64_t cycle);

/* Wakes the consumers of the result `r`. */
static inline void wake_waiters(struct core *c, struct rob_entry *r, unsigned words)
{
	unsigned node = r->waiters;

	if (node == NODE_NONE)
		return;
	r->waiters = NODE_NONE;
	do {
		struct rob_entry *k = &c->win.rob[node / NODES_PER_SLOT];

		if (node & NODE_DATA) {
			if (--k->data_pending == 0)
				lsu_store_data(c, node / NODES_PER_SLOT, c->now + 1 + c->cfg->core.operand_stages);
		} else if (--k->pending == 0) {
			slot_ready(c, k, node / NODES_PER_SLOT, words);
		}
		node = c->win.node_next[node];
	} while (node != NODE_NONE);
}

/* Wakes the consumers of `slot`: its value can be used from this cycle's selection on. */
static inline void wake_consumers(struct core *c, unsigned slot, unsigned words)
{
	slot_clear_in(c->win.unwoken, slot, words);
	wake_waiters(c, &c->win.rob[slot], words);
}

/* lsu_retry.c */
/* Requests the line of the store in `slot`, whose address is known; repeats the request until it is accepted. */
void lsu_request_line(struct core *c, unsigned slot);
/* The memory system refused the load in `slot`: it will be retried. */
void lsu_load_refused(struct core *c, unsigned slot, const struct mem_answer *a);
/* The memory system refused the write of the oldest store. */
void lsu_write_refused(struct core *c, struct store_entry *s, const struct mem_answer *a);
/* The oldest store has left the store buffer: one more entry may request its line. */
void lsu_buffer_shifted(struct core *c);
/* Moves the pending request of the store in `slot` to the store buffer's entry `s`. */
void lsu_move_request(struct core *c, unsigned slot, struct store_entry *s);
/* Issues the prefetch in `slot`. A refused one enters the prefetch queue, or waits in its slot if that is full. */
void lsu_issue_prefetch(struct core *c, unsigned slot);
/* JPS1: functions 20 … 23 are the strong variants of 0 … 3; a TLB miss does not drop them. */
static inline bool prefetch_is_strong(const struct insn *i)
{
	return i->rd >= 20 && i->rd <= 23;
}
/* Repeats the refused requests that are due in this cycle, the oldest first. */
void lsu_retry(struct core *c);
/* lsu.c: the memory system accepts a load that it had refused. */
void lsu_load_accepted(struct core *c, unsigned slot, const struct mem_answer *a);

void lsu_store_dispatched(struct core *c, unsigned slot);
bool lsu_store_commit(struct core *c, unsigned slot); /* false: the store buffer is full */
bool lsu_all_written(const struct core *c);           /* the store buffer is empty */

/*
 * ---- order of loads and stores, for L1D and for SBM ----
 *
 * ORDER_HELD: the predictor makes it wait. With ORDER_PAST: there are older stores with unknown addresses.
 */
enum order { ORDER_FREE, ORDER_FORWARD, ORDER_WAIT, ORDER_HELD, ORDER_PAST = 4 };
/* lsu_past.c: the order of a load behind stores with unknown addresses, with a predictor */
enum order lsu_order_past(struct core *c, unsigned slot, uint64_t *data_at);
/* The load in `slot`, whose order has ORDER_PAST, takes its data. */
void lsu_passes(struct core *c, unsigned slot);
/* The address of the store in `slot` has come: notes the oldest load that has read too early. */
void lsu_find_early(struct core *c, unsigned slot);

/* squash.c: squashes the load that lsu_find_early has noted, and all younger instructions, which are fetched again. */
void squash(struct core *c);
/* Fetches the next group of them; returns how many they are. */
unsigned refetch_group(struct core *c);
/* Return whether two accesses share a byte, and whether the store `a` writes every byte that the load `b` reads. */
bool lsu_overlap(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);
bool lsu_covers(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size);
/* Returns whether a store in flight may touch the 8-byte granule of `ea`. */
static inline bool lsu_filter_holds(const struct core *c, uint64_t ea)
{
	return c->ls.store_filter[ea >> 3 & 255];
}
/* Returns whether a store in flight may touch these bytes. */
static inline bool lsu_filter_hit(const struct core *c, uint64_t ea, unsigned size)
{
	uint64_t last = (ea + (size ? size - 1 : 0)) >> 3;

	if (__builtin_expect(size <= 8, 1))
		return c->ls.store_filter[ea >> 3 & 255] | c->ls.store_filter[last & 255];
	for (uint64_t g = ea >> 3; g <= last; g++)
		if (c->ls.store_filter[g & 255])
			return true;
	return false;
}
/* The mark of an 8-byte granule: granules a power of two apart, as in arrays of equal size, have different ones. */
static inline uint32_t lsu_mark(uint64_t granule)
{
	return (uint32_t)granule * 0x9e3779b1u >> (32 - STORE_MARK_BITS);
}
/* Counts a store once more or less at its places in the filter and the marks. */
static inline void lsu_filter_count(struct core *c, uint8_t granule, uint32_t mark, int by)
{
	c->ls.store_filter[granule] += (uint8_t)by;
	c->ls.store_mark[mark] += (uint16_t)by;
}
/* Counts the granules of a store but the first. */
void lsu_filter_more(struct core *c, uint64_t ea, unsigned size, int by);
/* Counts the bytes of a store in the filter and the marks, once more or less. */
static inline void lsu_filter_change(struct core *c, uint64_t ea, unsigned size, int by)
{
	uint64_t g = ea >> 3;

	c->ls.store_filter[g & 255] += (uint8_t)by;
	c->ls.store_mark[lsu_mark(g)] += (uint16_t)by;
	if (__builtin_expect(((unsigned)ea & 7) + size > 8, 0))
		lsu_filter_more(c, ea, size, by);
}
/* Returns whether a search of the stores in flight may find these bytes. An address of SBM may have several names. */
static inline bool lsu_is_marked(const struct core *c, uint64_t ea, unsigned size)
{
	uint64_t g = ea >> 3, last = (ea + (size ? size - 1 : 0)) >> 3;

	if (simd_in_window(ea))
		return true;
	do
		if (c->ls.store_mark[lsu_mark(g)])
			return true;
	while (__builtin_expect(g++ != last, 0));
	return false;
}
/* The load's value reaches the scalar core: its consumers may be selected from `wake` on. */
void lsu_load_result(struct core *c, unsigned slot, uint64_t wake);
void array_unblock(struct core *c); /* unblocks the loads at the PEs */
/* A store has written: unblocks the loads that it may have blocked. lsu_unblock unblocks all of them. */
void lsu_store_written(struct core *c, uint64_t ea, unsigned size);
void lsu_unblock(struct core *c);

/*
 * ---- the array: array*.c. All but array_create and array_destroy require c->array ----
 */
int array_create(struct core *c, struct err *e);
void array_destroy(struct core *c);
/* Records the three addresses of a fetched transfer; returns its number, which then serves as its `ea`. */
uint64_t array_fetch_transfer(struct core *c, const struct insn *i, const uint64_t ea[3]);
/* A SIMD instruction or transfer was dispatched. array_wait: sxwait was, and runs alone. */
void array_dispatched(struct core *c, unsigned slot);
void array_wait(struct core *c, unsigned slot);
/* The operand or address in transit for `slot` leaves C. */
void array_arrive(struct core *c, unsigned slot);
/* The address of an access is known: true if the array performs the access. */
bool array_handles(struct core *c, unsigned slot);
/* The data operands of `slot` are available: those that delay neither its address nor its station entry. */
void array_data(struct core *c, unsigned slot);
/* Broadcasts a SIMD load's value, which consumers in the core could use from `wake` on, to all PEs. */
void array_broadcast(struct core *c, unsigned slot, uint64_t wake);
/* False if the store to SBM, or the transfer, cannot commit yet. */
bool array_store_commit(struct core *c, unsigned slot);
bool array_transfer_commit(struct core *c, unsigned slot);
/* Adds the occupancy of the array's structures up to this cycle. */
void array_levels(struct core *c);
/* Adds the transfers in flight, which are outside of the key, to the digest: segments. */
void array_digest(const struct core *c, struct digest *d);
/* Operations of the PEs committed since the last call. */
uint64_t array_new_flops(struct core *c);
/* The stall cause of the oldest instruction, which is a transfer or belongs to the array. */
enum stall array_cause(const struct core *c, const struct rob_entry *r);
/* activity_simd.c: adds the array's counts; sets its dimensions */
void simd_energy_machine(const struct core_config *cfg, struct energy_machine *out);
/* --check: false with the invariant that does not hold. */
bool array_check(const struct core *c, const char **what, uint64_t *have, uint64_t *want);

/* Returns whether the SBM address `ea` is in the window of all PEs. */
static inline bool sbm_of_all(uint64_t ea)
{
	return ea - SIMD_ALL_BASE < SIMD_PE_STRIDE;
}

/* Translates `ea` into the SBM window of `other`, if one of the two addresses all PEs and the other a single one. */
static inline uint64_t sbm_same_window(uint64_t ea, uint64_t other)
{
	uint64_t mine = (ea - SIMD_ALL_BASE) / SIMD_PE_STRIDE;
	uint64_t its = (other - SIMD_ALL_BASE) / SIMD_PE_STRIDE;

	return simd_in_window(ea) && simd_in_window(other) && mine != its && (!mine || !its)
		       ? ea + (its - mine) * SIMD_PE_STRIDE
		       : ea;
}

/* Returns whether the oldest instruction `r` waits for the array. Loads are excluded: their note is the cause. */
static inline bool waits_for_array(const struct rob_entry *r)
{
	uint32_t flags = r->uop->flags;

	return flags & UOP_TRANSFER || (flags & UOP_SIMD && !(flags & UOP_LOAD)) ||
	       (flags & UOP_STORE && simd_in_window(r->ea));
}

/* activity.c */
void core_counts(const struct core *c, struct counts *out);
void counts_activity(const struct counts *k, struct activity *out);
void simd_activity(const struct counts *k, struct activity *a); /* the array's part: activity_simd.c */

/* counters.c */
/* Counts the details of the instruction in `slot`, which commits. */
void counters_detail(struct core *c, unsigned slot);
/* flush_counters without replayed transitions and sums over classes. */
void flush_lanes(struct core *c);
/* Adds replayed transitions and the lanes to the statistics, and computes the derived ones. */
void flush_counters(struct core *c);

/* cycle_stack.c */
/* The instruction to which the profile charges empty slots; NULL at the end of the trace. */
const struct uop *cycle_stack_oldest(const struct core *c);
/* Counts `cycles` cycles in the present state, in which stack.committed instructions committed. */
void cycle_stack_add(struct core *c, uint64_t cycles);
/* The stall cause of a full store buffer: what its oldest store waits for. */
enum stall store_buffer_cause(const struct core *c);

/* regions.c */
int region_mark(struct core *c, const char *name, bool begin);
int unit_mark(struct core *c, bool begin); /* of the sample */
/* The end of a critical section, before instruction `seq` of those that are simulated: core_options.section_left. */
int section_mark(struct core *c, uint64_t seq);
int segment_mark(struct core *c); /* of a sync point */
/* Sets the counts of all regions to zero; those that are open are entered in the present cycle. */
void regions_count_afresh(struct core *c);
void regions_commit(struct core *c, uint64_t seq);
void regions_destroy(struct core *c);

/* check.c: invariants, with opt.check; false with c->error set if one does not hold */
bool core_check(struct core *c);

/* ---- events for the pipe trace, with opt.pipe_trace ---- */
static inline void pipe_trace_producer(struct core *c, unsigned slot)
{
	c->pipe_trace.hooks->producer(c, slot);
}
static inline void pipe_trace_dispatch(struct core *c, unsigned slot, const struct fetched *q)
{
	c->pipe_trace.hooks->dispatch(c, slot, q);
}
static inline void pipe_trace_note(struct core *c, unsigned slot, enum pipe_trace_event what)
{
	c->pipe_trace.hooks->note(c, slot, what);
}
static inline void pipe_trace_held(struct core *c, unsigned slot)
{
	c->pipe_trace.hooks->held(c, slot);
}
static inline void pipe_trace_store_held(struct core *c, unsigned slot)
{
	c->pipe_trace.hooks->store_held(c, slot);
}
static inline void pipe_trace_squashed(struct core *c, unsigned count)
{
	c->pipe_trace.hooks->squashed(c, count);
}

#endif
