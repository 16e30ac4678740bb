/* The core: creation, one cycle, and the skipping of idle cycles. */
#include "core.h"

#include <limits.h>
#include <stdlib.h>

#include "../bpred/bpred.h"
#include "../memory/prefetch.h"
#include "../base/number.h"
#include "core_state.h"
#include "cycle_stack.h"
#include "idle.h"
#include "usual_commit.h"
#include "usual_decode.h"
#include "usual_events.h"
#include "usual_fetch.h"
#include "usual_lsu.h"
#include "usual_select.h"

/* Maximum number of instructions that one fetch group adds to the queue. A window trap adds eighteen. */
static unsigned group_limit(const struct core_config *cfg)
{
	return cfg->fetch.width_bytes / 4 + 20;
}

static int allocate(struct core *c, struct err *e)
{
	const struct core_config *cfg = c->cfg;
	unsigned slots = power_of_two_from(cfg->core.rob_entries < 64 ? 64 : cfg->core.rob_entries);
	unsigned squashed = c->memdep ? cfg->core.rob_entries : 0;
	unsigned queue = power_of_two_from((cfg->fetch.buffer_entries + 1) * group_limit(cfg) +
					   cfg->decode.width * cfg->decode.stages + squashed);
	unsigned groups = power_of_two_from(cfg->fetch.buffer_entries);
	unsigned stores = power_of_two_from(cfg->lsu.store_buffer);

	c->win.rob_mask = slots - 1;
	c->win.rob_words = slots / 64;
	c->win.rob = calloc(slots, sizeof(*c->win.rob));
	c->win.oldest = c->win.rob;
	c->win.node_next = calloc((size_t)slots * NODES_PER_SLOT, sizeof(*c->win.node_next));
	c->front.fq_mask = queue - 1;
	c->front.fq = calloc(queue, sizeof(*c->front.fq));
	c->front.group_mask = groups - 1;
	c->front.groups = calloc(groups, sizeof(*c->front.groups));
	c->ls.sb_mask = stores - 1;
	c->ls.beat_bytes = l1d_beat_bytes(&cfg->l1d);
	c->ls.sb = calloc(stores, sizeof(*c->ls.sb));
	c->ls.prefetch = calloc(cfg->lsu.prefetch_queue + 1, sizeof(*c->ls.prefetch));
	if (!c->win.rob || !c->win.node_next || !c->front.fq || !c->front.groups || !c->ls.sb || !c->ls.prefetch)
		return err_set(e, STATUS_FAILED, "core: out of memory for %u window slots", slots);
	return 0;
}

static unsigned more(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Cycles after which a lane of occupancy.near_sum may overflow. */
static unsigned near_limit(const struct core_config *cfg)
{
	const struct core_params *p = &cfg->core;
	unsigned window = more(more(p->rob_entries, more(cfg->decode.gub_entries, cfg->decode.fub_entries)),
			       more(cfg->lsu.load_queue, cfg->lsu.store_queue));
	unsigned stations = more(more(p->rse_entries, p->rsf_entries), more(p->rsa_entries, p->rsbr_entries));

	return ((1u << LANE_BITS) - 1) / more(window, stations);
}

static void set_limits(struct core *c)
{
	const struct core_params *p = &c->cfg->core;

	c->win.capacity = LANE(LANE_ROB, p->rob_entries) | LANE(LANE_GUB, c->cfg->decode.gub_entries) |
			  LANE(LANE_FUB, c->cfg->decode.fub_entries) | LANE(LANE_LOAD_QUEUE, c->cfg->lsu.load_queue) |
			  LANE(LANE_STORE_QUEUE, c->cfg->lsu.store_queue) | LANE_GUARDS;
	c->win.free = c->win.capacity;
	c->occupancy.near_limit = c->occupancy.near_left = near_limit(c->cfg);
	c->win.first_seq = c->win.rob_mask + 1; /* the map is all zero, and number 0 is never in flight */
	for (unsigned n = 0; n < EXEC_COUNT; n++)
		c->win.unit_pipes[n] = uop_unit_pipes(n, p);
	for (unsigned n = 0; n < WINDOW_TRAP_COUNT; n++)
		uop_make_window_trap(&c->front.window_trap[n], n, c->cfg);
	c->win.done_after = p->operand_stages + p->commit_stages;
	c->front.last = c->cfg->decode.stages - 1;
	c->front.usual = c->front.last == 1 && c->win.rob_words == 1 && !c->pipe_trace.record;
	c->plain = c->front.usual && !c->array && !c->wrong && !c->counters.each && !c->opt.no_skip;
	c->front.fetch.cause = STALL_drain;
	c->ls.retry_next = CYCLE_NEVER;
	c->counters.next_interval = c->opt.interval ? c->opt.interval : CYCLE_NEVER;
}

enum replay_bar core_replay_bar(const struct core_config *cfg, unsigned most_transfers)
{
	const struct simd_params *p = &cfg->simd;

	if (p->pes && p->transfers > most_transfers)
		return REPLAY_BAR_TRANSFERS;
	if (prefetcher_needs_pc(&cfg->prefetch) && !cfg->l2.perfect)
		return REPLAY_BAR_STRIDE; /* a known transition has no addresses of instructions */
	if (core_has_wrong_paths(cfg))
		return REPLAY_BAR_WRONG_PATH; /* its requests are not those of the trace */
	return p->pes && p->power == POWER_GATED ? REPLAY_BAR_GATED : REPLAY_BAR_NONE;
}

static bool may_memoise(const struct core *c)
{
	const struct core_options *o = &c->opt;

	return o->memo_bytes && c->replay && !core_replay_bar(c->cfg, c->replay->most_transfers) && !o->check &&
	       !o->no_skip && !o->pipe_trace && !o->details;
}

static int refuse_predictor(const struct core *c, struct err *e)
{
	static const char *const names[] = {DISAMBIGUATIONS(CHOICE_NAME)};

	return err_set(
		e, STATUS_USAGE,
		"lsu.disambiguation = %s, expected conservative or oracle: the program uses the SIMD array, whose "
		"instructions cannot be squashed",
		names[c->cfg->lsu.disambiguation]);
}

struct core *core_create(const struct core_config *cfg, struct trace_reader *trace, const struct core_options *options,
			 struct err *e)
{
	struct core *c = calloc(1, sizeof(*c));

	if (!c) {
		err_set(e, STATUS_FAILED, "core: out of memory");
		return NULL;
	}
	c->cfg = cfg;
	if (options)
		c->opt = *options;
	if (c->opt.hooks) {
		c->replay = c->opt.hooks->replay;
		c->pipe_trace.hooks = c->opt.hooks->pipe_trace;
	}
	c->front.feed.reader = trace;
	c->counters.first_position = trace_position(trace);
	if (memdep_create(&cfg->lsu, &c->memdep, e) < 0 || allocate(c, e) < 0 || events_create(c, e) < 0)
		goto fail;
	c->mem = memsys_create(cfg, c->opt.memory, e);
	if (!c->mem)
		goto fail;
	c->bpred = bpred_create(&cfg->bpred, e);
	if (!c->bpred)
		goto fail;
	if (array_create(c, e) < 0 || wrong_path_create(c, e) < 0)
		goto fail;
	if (trace_info(trace)->pes && c->memdep && refuse_predictor(c, e) < 0)
		goto fail;
	if (c->opt.pipe_trace && c->pipe_trace.hooks->create(c, e) < 0)
		goto fail;
	c->counters.each = c->pipe_trace.record || c->opt.details || c->wrong;
	if (core_replay_bar(cfg, UINT_MAX) == REPLAY_BAR_STRIDE) {
		c->noting.notes = true;
		c->transcript = &c->noting;
	}
	c->memo_wake = may_memoise(c) ? 0 : UINT64_MAX;
	if (may_memoise(c) && c->replay->create(c, c->opt.memo_bytes, c->opt.memo_check, e) < 0)
		goto fail;
	set_limits(c);
	if (feed_create(c, e) < 0)
		goto fail;
	return c;
fail:
	core_destroy(c);
	return NULL;
}

void core_destroy(struct core *c)
{
	if (!c)
		return;
	if (c->memo)
		c->replay->destroy(c->memo);
	array_destroy(c);
	wrong_path_destroy(c);
	regions_destroy(c);
	feed_destroy(c);
	bpred_destroy(c->bpred);
	memdep_destroy(c->memdep);
	memsys_destroy(c->mem);
	events_destroy(c);
	free(c->win.rob);
	free(c->win.node_next);
	free(c->front.fq);
	free(c->front.groups);
	free(c->ls.sb);
	free(c->ls.prefetch);
	free(c->segment.profile);
	free(c->segment.detail);
	free(c->segment.words);
	free(c->segment.row);
	free(c->pipe_trace.record);
	free(c->front.fq_times);
	free(c);
}

/*
 * In a cycle without progress: the next cycle in which a stage can make progress, or in which the cause of empty
 * slots changes.
 */
INLINE uint64_t next_change(const struct core *c, bool simple)
{
	uint64_t next = cycle_stack_next(c);

#define STAGE(name, due, doc) next = earlier(next, name##_next(c, simple));
#include "stages.def"
#undef STAGE
	return next;
}

static bool finished(const struct core *c)
{
	return c->front.feed.at_end && !c->front.group_count && !c->front.latch_sum && !c->win.rob_count &&
	       !c->front.refetch &&
	       !(c->front.feed.stopped && (c->ls.sb_count || (c->opt.segments && c->ls.prefetch_count)));
}

static int stuck(struct core *c)
{
	const struct rob_entry *r = &c->win.rob[c->win.rob_head];

	if (!c->win.rob_count)
		return err_set(c->error, STATUS_STUCK,
			       "core: cycle %llu: no commit for %u cycles, and the reorder buffer is empty",
			       (unsigned long long)c->now, c->cfg->core.deadlock_cycles);
	return err_set(c->error, STATUS_STUCK,
		       "core: cycle %llu: no commit for %u cycles; the oldest instruction, at 0x%llx, is in "
		       "state %u, waits for %u sources, done at %lld",
		       (unsigned long long)c->now, c->cfg->core.deadlock_cycles, (unsigned long long)r->uop->pc,
		       r->state, r->pending, (long long)r->done);
}

/* The number of idle cycles after this one, up to `end`. */
INLINE uint64_t idle_ahead(struct core *c, uint64_t end, bool simple)
{
	uint64_t to = earlier(next_change(c, simple), end);

	return to <= c->now + 1 ? 0 : to - c->now - 1;
}

/* Skips nothing, and records the end of the idle time, within which --check expects no progress. Returns 0. */
__attribute__((noinline)) static uint64_t note_idle(struct core *c)
{
	if (c->opt.check)
		c->idle_until = next_change(c, false);
	return 0;
}

/* After a cycle without progress: skips the idle ones after it, up to `end`. `simple`: as core_cycle's. */
INLINE void skip_cycles(struct core *c, uint64_t end, bool simple)
{
	uint64_t cycles = 1 + (!simple && c->opt.no_skip ? note_idle(c) : idle_ahead(c, end, simple));

	c->counters.stats.skipped_cycles += cycles;
	cycle_stack_add_many(c, cycles, simple);
	c->now += cycles;
}

/* Apart from the loop of cycles, whose registers it would take. */
__attribute__((noinline)) static void skip_simple(struct core *c, uint64_t end)
{
	skip_cycles(c, end, true);
}

__attribute__((noinline)) static void skip_with_all(struct core *c, uint64_t end)
{
	skip_cycles(c, end, false);
}

/* The stages of a plain core that are not inline. */
static inline void usual_array(struct core *c)
{
	stage_array(c);
}
static inline void usual_wrong_path(struct core *c)
{
	stage_wrong_path(c);
}

/*
 * Simulates one cycle, each stage in the order of stages.def; if it is idle, skips the idle cycles after it. `simple`:
 * there are neither an array nor wrong paths nor details of instructions, and idle cycles are skipped. `plain`: the
 * core is plain, and simple. `end` is not behind idle_limit.
 */
INLINE void core_cycle(struct core *c, uint64_t end, bool simple, bool plain)
{
	const uint64_t now = c->now;
	bool awake; /* decode and fetch may have work in this cycle */

	c->progress = false;
	c->stack.committed = 0;
#define STAGE(name, due, doc) \
	if (due) { \
		if (plain) \
			usual_##name(c); \
		else \
			stage_##name(c); \
	}
#include "stages.def"
#undef STAGE
	if (awake && !c->win.may_dispatch)
		c->front.quiet_until = front_next(c);
	if (__builtin_expect(!c->progress, 0)) {
		if (!simple || !(c->win.rs_releasing >> (now + 1) % RELEASE_SIZE & 1)) {
			(simple ? skip_simple : skip_with_all)(c, end);
			return;
		}
		c->counters.stats.skipped_cycles++; /* the usual end of a short time: the next cycle releases entries */
	}
	cycle_stack_add_one(c, simple);
	c->now = now + 1;
}

static void end_interval(struct core *c)
{
	if (c->opt.segments) {
		c->counters.next_interval = CYCLE_NEVER;
		c->opt.hooks->sync_point(c, false);
		c->paused = true;
		return;
	}
	c->counters.next_interval += c->opt.interval;
	flush_counters(c);
	if (c->opt.on_interval)
		c->opt.on_interval(c->opt.user, c);
}

/* Ends a cycle: checks, and the end of an interval. 0, or -1. */
static inline int after_cycle(struct core *c)
{
	if (c->failed || (c->opt.check && !core_check(c)))
		return -1;
	if (c->now - c->stack.last_commit > c->cfg->core.deadlock_cycles)
		return stuck(c);
	if (c->now >= c->counters.next_interval)
		end_interval(c);
	return 0;
}

/* The first cycle, or an earlier one, in which after_cycle may have work other than checks. */
static inline uint64_t idle_limit(const struct core *c)
{
	return earlier(c->counters.next_interval, c->stack.last_commit + c->cfg->core.deadlock_cycles + 1);
}

/* Simulates the present cycle, and skips idle ones up to `end`. 0, or -1. */
static inline int advance_cycle(struct core *c, uint64_t end)
{
	c->stack.stalls_until = c->now;
	core_cycle(c, earlier(end, idle_limit(c)), false, false);
	cycle_stack_note_stalls(c);
	return after_cycle(c);
}

/* Simulates cycles up to `stop`, or until fetch ends or has read a mark, a record is due, or something fails. */
INLINE void run_cycles(struct core *c, uint64_t stop, bool simple, bool plain)
{
	c->run_to = stop;
	do
		core_cycle(c, stop, simple, plain);
	while (c->now < c->run_to);
}

__attribute__((noinline)) static void run_plain(struct core *c, uint64_t stop)
{
	run_cycles(c, stop, true, true);
}

__attribute__((noinline)) static void run_simple(struct core *c, uint64_t stop)
{
	run_cycles(c, stop, true, false);
}

__attribute__((noinline)) static void run_with_all(struct core *c, uint64_t stop)
{
	run_cycles(c, stop, false, false);
}

/*
 * Simulates one cycle or more, up to `stop`, of a core that is not checked: until something other than a cycle may be
 * due, or a mark of a region was read, or that of a sync point committed. 0, or -1.
 */
static inline int advance_cycles(struct core *c, uint64_t end, uint64_t stop)
{
	stop = earlier(earlier(end, stop), idle_limit(c));
	if (c->front.feed.at_end)
		return advance_cycle(c, end);
	c->stack.stalls_until = c->now;
	if (c->plain && !c->transcript && !c->regions.mark_count)
		run_plain(c, stop);
	else if (c->plain && !c->transcript)
		run_simple(c, earlier(stop, c->now + 64)); /* the mark commits soon */
	else if (c->array || c->wrong || c->counters.detail || c->opt.no_skip)
		run_with_all(c, stop);
	else
		run_simple(c, stop);
	cycle_stack_note_stalls(c);
	return after_cycle(c);
}

/* The cycle before which the core cannot reach instruction memo_wake. */
static uint64_t wake_cycle(const struct core *c)
{
	return c->now + (c->memo_wake - c->counters.stats.instructions) / c->cfg->core.commit_width;
}

int core_advance_to(struct core *c, uint64_t end, uint64_t stop)
{
	return advance_cycles(c, end, stop);
}

int core_advance(struct core *c, uint64_t end)
{
	return advance_cycle(c, end);
}

/* Completes the counters at the end of the trace. 0, or -1. */
static int core_finish(struct core *c)
{
	regions_commit(c, UINT64_MAX);
	if (c->opt.segments && !c->front.feed.segment.outside)
		c->opt.hooks->sync_point(c, true);
	if (c->opt.region && !c->front.feed.found)
		return err_set(c->error, STATUS_USAGE, "unknown region '%s', %s%s%s", c->opt.region,
			       c->front.feed.near.best ? "did you mean '" : "expected one that psim-trace shows",
			       c->front.feed.near.best ? c->front.feed.near.best : "",
			       c->front.feed.near.best ? "'?" : "");
	return c->opt.check ? memsys_check(c->mem, c->error) : 0;
}

/* Begins to fetch into the empty pipeline; until it has filled, `cause` is that of empty slots. */
static void fetch_afresh(struct core *c, enum stall cause)
{
	c->front.fetch = (struct fetch_state){.next = c->now, .cause = cause};
	c->front.quiet_until = 0;
	c->stack.last_commit = c->now;
}

/*
 * Resumes fetch behind a part of the trace that is not simulated, when the pipeline is empty. Returns
 * as core_turn.
 */
static int resume(struct core *c)
{
	int more;

	if (!c->front.feed.now->block || (c->opt.segments && c->front.feed.segment.outside))
		return core_finish(c);
	regions_commit(c, UINT64_MAX);
	more = c->front.feed.stopped ? 1 : feed_resume(c, UINT64_MAX);
	if (more <= 0)
		return more < 0 ? -1 : core_finish(c);
	if (c->front.feed.stopped)
		return CORE_STOPPED;
	fetch_afresh(c, STALL_drain);
	return 1;
}

int core_pass(struct core *c, uint64_t cycle, struct err *e)
{
	c->error = e;
	c->stack.committed = 0;
	c->front.feed.waits = true;
	c->stack.stalls_until = c->now;
	while (c->now < cycle) {
		uint64_t cycles = earlier(cycle, c->counters.next_interval) - c->now;

		cycle_stack_add(c, cycles);
		c->now += cycles;
		cycle_stack_note_stalls(c);
		if (c->now >= c->counters.next_interval)
			end_interval(c);
	}
	c->front.feed.waits = false;
	fetch_afresh(c, STALL_thread);
	return feed_pass(c);
}

/* Simulates the present cycle, or more with memoised transitions, which stop where `turn_end` begins: core_hooks.h. */
static inline int core_go_on(struct core *c, uint64_t end, uint64_t turn_end)
{
	return c->counters.stats.instructions >= c->memo_wake ? c->replay->advance(c, end, turn_end)
							      : advance_cycle(c, end);
}

/* Runs to cycle `end` or to the end of the trace. Returns as core_run. */
static int run_to(struct core *c, uint64_t end)
{
	const bool plain = !c->opt.check;
	int more = 1;

	while (more == 1) {
		if (finished(c)) {
			more = resume(c);
			continue;
		}
		if (c->now >= end || c->paused)
			return 1;
		if ((plain && c->counters.stats.instructions < c->memo_wake ? advance_cycles(c, end, wake_cycle(c))
									    : core_go_on(c, end, CYCLE_NEVER)) < 0)
			return -1;
	}
	return more;
}

int core_turn_on(struct core *c, uint64_t end, int stopped)
{
	int more = 1;

	for (;;) {
		if (stopped < 0)
			return -1;
		if (!stopped && finished(c))
			more = resume(c);
		if (more != 1 || c->now >= earlier(end, c->turn_end))
			return more;
		stopped = core_go_on(c, end, c->turn_end);
	}
}

int core_turn_detailed(struct core *c, uint64_t end)
{
	return core_turn_on(c, end, advance_cycle(c, end));
}

int core_run(struct core *c, uint64_t limit, struct err *e)
{
	uint64_t end = limit < CYCLE_NEVER - c->now ? c->now + limit : CYCLE_NEVER;
	int more;

	c->error = e;
	c->paused = false;
	more = run_to(c, end);
	flush_counters(c);
	return more;
}

const struct core_stats *core_stats(const struct core *c)
{
	return &c->counters.stats;
}

const struct memsys_stats *core_memsys_stats(const struct core *c)
{
	return memsys_stats(c->mem);
}

const struct bpred_stats *core_bpred_stats(const struct core *c)
{
	return bpred_stats(c->bpred);
}

void core_memsys_buffers(const struct core *c, uint64_t now, struct mem_buffers *out)
{
	memsys_buffers(c->mem, now, out);
}

uint32_t core_profile_count(const struct core *c)
{
	return c->counters.static_count;
}

void core_profile(const struct core *c, uint32_t n, struct core_profile *out)
{
	*out = c->counters.profile[n];
}

const struct core_detail *core_detail(const struct core *c, uint32_t n)
{
	return c->counters.detail ? &c->counters.detail[n] : NULL;
}
