/*
 * The state of one core. Internal to psim/core: the stage files share it.
 *
 * Hot tables are indexed by reorder-buffer slot; sets of slots are bit maps of
 * `rob_words` words, walked in age order from the oldest slot. A slot's number
 * stays the same from dispatch to commit.
 */
#ifndef PSIM_CORE_CORE_STATE_H
#define PSIM_CORE_CORE_STATE_H

#include <string.h>

#include "../../isa/simd.h"
#include "../base/near.h"
#include "core.h"
#include "uop.h"
#include "warm.h"

#define CYCLE_NEVER UINT64_MAX
#define SEQ_MIXED UINT64_MAX

enum {
	SLOT_NONE = 0xffff,
	NODE_NONE = 0xffff,
	/* A slot has 32 dependence nodes: 0..15 hold up selection, 16..31 a store's data. */
	NODES_PER_SLOT = 32,
	NODE_DATA = 16,
	WHEEL_SIZE = 1024,
	RELEASE_SIZE = 16, /* cycles from selection to X, at most: core.operand_stages */
	NEAR_SIZE = 64,    /* cycles ahead that the bit-map wheels reach */
	ROB_WORDS_MAX = 16,
	EA_MAX = TRACE_ADDRESSES_MAX,
};

/* ---- fetched instructions, in order, until dispatch ---- */
enum fetched_flag {
	FETCHED_MISPREDICT = 1 << 0, /* commit adds it up as 1 */
	FETCHED_REDIRECT = 1 << 1,   /* the decoder will redirect fetch */
	FETCHED_TRAP_TAKEN = 1 << 2,
};
struct fetched {
	const struct uop *uop;
	uint64_t ea;
	uint64_t flags;
};
struct fetched_times {   /* of a place in the queue, for the view */
	uint64_t fetch;  /* IA */
	uint64_t decode; /* E */
};

struct fetch_group {
	uint32_t count;     /* instructions not yet taken by decode */
	uint64_t available; /* cycle in which E may hold them */
	enum stall cause;   /* why they came no earlier, for an empty pipeline */
};

enum after_slot { SLOT_GO_ON, SLOT_TAKEN, SLOT_BLOCK };
struct fetch_state {
	uint64_t next; /* earliest cycle of the next IA */
	bool blocked;  /* until the mispredicted branch resolves or the decoder redirects */
	uint64_t blocked_since;
	enum stall cause;           /* why the next group comes no earlier */
	enum after_slot after_slot; /* what to do when the delay slot has been fetched */
	uint64_t target_cycle;      /* SLOT_TAKEN: IA of the target */
};

/* ---- the trace, two blocks at a time: where a block's last transfer goes is told by the next ---- */
struct block_use {               /* what the core keeps for a static block */
	struct uop *uops;        /* NULL: not simulated so far */
	struct warm_block *warm; /* NULL: not warmed up with so far */
	struct block_use *older;
};
struct feed_block {
	const struct trace_block *block; /* NULL: none */
	const struct uop *uops;
	bool outside; /* not simulated, but warmed up with */
	uint64_t ea[EA_MAX];
};
struct feed {
	struct trace_reader *reader;
	struct feed_block *now, *next;
	struct feed_block buffer[2];
	uint32_t index, ea_index; /* in `now` */
	bool at_end;              /* of the trace, or of a part that is simulated: `now` lies outside */
	uint64_t simulated;       /* instructions read that are, or will be */
	uint64_t warmed;          /* instructions of blocks outside, up to now */
	/* with a region that alone is simulated: */
	unsigned depth; /* open regions of its name */
	bool found;
	struct near near; /* the name that is most like it */
	char near_name[TRACE_NAME_MAX];
};

/* ---- reorder buffer ---- */
enum slot_state { SLOT_WAITING, SLOT_READY, SLOT_SELECTED, SLOT_DONE };

/* What a load waits for or was served by, for the cycle stack. */
enum load_note {
	LOAD_L1,
	LOAD_L2,
	LOAD_MEMORY,
	LOAD_TLB,
	LOAD_PORT,
	LOAD_BUFFER,
	LOAD_STORE_WAIT,
	/* at the PEs: read there; read from one for all; held up */
	LOAD_SBM,
	LOAD_VALUE,
	LOAD_SBM_PORT,
	LOAD_SBM_STORE,
	LOAD_TRANSFER,
};

struct rob_entry {
	_Alignas(64) const struct uop *uop;
	uint64_t ea;
	uint64_t done;       /* cycle from which it may commit; CYCLE_NEVER: not known yet */
	uint64_t selected;   /* cycle of selection */
	uint64_t data_at;    /* stores: cycle in which the data is in the store port */
	uint16_t waiters;    /* list of dependence nodes of consumers */
	uint16_t false_head; /* the list when a false wake-up was delivered */
	/* Not bytes: a store to a character type may alias everything, and costs reloads. */
	uint16_t state;
	uint16_t poison;       /* sources woken by a load that turned out to miss */
	uint16_t note;         /* enum load_note */
	uint16_t false_woken;  /* consumers were woken and will be called back */
	uint16_t pending;      /* sources that hold up selection */
	uint16_t data_pending; /* sources of a store's data */
	uint16_t rs;
	uint16_t ready_row;  /* its row in core.ready: rs, or RS_COUNT + rs if not pipelined */
	uint16_t flags;      /* enum fetched_flag */
	uint16_t generation; /* events of an undone selection do not count */
};

/* ---- events ---- */
enum event_type { EVENT_WAKE, EVENT_FALSE_WAKE, EVENT_CANCEL, EVENT_RESOLVE, EVENT_ARRIVE };
struct event {
	uint64_t cycle;
	uint16_t slot, generation, type;
	uint32_t next; /* in bucket or free list; 0 = end */
};

/* What a load or store that the memory system has not accepted yet asks for: lsu_ask.c. */
struct ask {
	uint64_t at;       /* cycle in which it may ask again */
	uint64_t known_at; /* loads: from here on no consumer is misled any more */
	uint64_t since;    /* loads: first refused */
	uint8_t known;     /* flags of enum mem_known */
	uint8_t why;       /* enum mem_refusal, the last one */
};
/* A software prefetch that was refused; its instruction has gone on. */
struct queued_prefetch {
	uint64_t ea;
	struct ask ask;
	bool strong;
};

enum store_want { WANT_NOTHING, WANT_LINE, WANT_WRITE }; /* ahead; the oldest, which was refused */

struct store_entry { /* a committed store on its way to L1D */
	uint64_t ea;
	uint64_t ready; /* cycle in which its line accepts it; CYCLE_NEVER: not yet asked */
	uint8_t size;
	uint8_t level; /* enum mem_level, once `ready` is known */
	uint8_t want;  /* enum store_want */
	struct ask ask;
};

struct region_track {
	struct core_region r;
	struct core_stats at_entry;
	struct activity activity_at_entry;
};
struct region_mark { /* between feed and commit, in program order */
	uint32_t region;
	bool begin;
	uint64_t seq; /* the instruction that it stands before */
};

/* Why dispatch stopped last, for the view. */
enum { VIEW_STOPS = 12 };
struct view_stop {
	uint64_t counts[VIEW_STOPS]; /* of stops, at the last dispatch */
	uint64_t cycle;              /* of the first dispatch after the stop */
	const char *cause;
};

struct core {
	uint64_t now;
	const struct core_config *cfg;
	struct core_options opt;

	/* window */
	unsigned rob_head, rob_mask, rob_words, rob_count;
	uint64_t first_seq; /* of the oldest; a slot is the low bits of its instruction's number */
	uint64_t free;      /* window.h: what D may still hand out */
	uint64_t capacity;  /* the same when the window is empty */
	struct rob_entry *rob;
	/* by slot: cycle from which consumers may be selected; CYCLE_NEVER: not known yet */
	uint64_t wake[ROB_WORDS_MAX * 64];
	uint16_t *node_next; /* by node = slot * NODES_PER_SLOT + k */
	/*
	 * The youngest writer of each register, by its number in program order, so
	 * that commit leaves the map alone: a number before first_seq has committed.
	 * SEQ_MIXED: of an FP pair, the halves have writers of their own.
	 */
	uint64_t map[MAP_SIZE];
	uint64_t half[128]; /* of the FP registers, then of the PEs' */
	unsigned cwp;
	const uint8_t *window; /* window_map[cwp]: an operand's place in the map */
	uint8_t window_map[MAP_WINDOWS][OPERAND_COUNT];
	/* entries in use: of station rs in lane rs % LANE_COUNT of word rs / LANE_COUNT */
	uint64_t rs_used[RS_WORDS];
	uint64_t rs_release[RELEASE_SIZE][RS_WORDS]; /* by cycle: entries that leave at X */
	unsigned rs_releasing;                       /* rows of the above that are not empty, a bit each */
	uint64_t ready[READY_ROWS][ROB_WORDS_MAX];   /* the second half: not pipelined; the last: SIMD station */
	unsigned ready_rs;            /* stations that may hold a ready instruction, a bit each; others do not */
	uint64_t unit_busy[RS_COUNT]; /* the divider of a pipe, until */
	unsigned rs_turn[EXEC_COUNT]; /* the pipe that is first where stations are equal */
	unsigned unit_pipes[EXEC_COUNT];
	bool sync_running;
	enum stall sync_cause; /* of the syncing instruction that runs or is next */

	/* loads and stores, by slot */
	uint64_t want_port[ROB_WORDS_MAX];     /* at Ps, or put off */
	uint64_t load_blocked[ROB_WORDS_MAX];  /* until something happens to a store */
	uint64_t store_unknown[ROB_WORDS_MAX]; /* address not yet computed */
	uint64_t stores[ROB_WORDS_MAX];        /* all stores in the window */
	uint64_t new_stores[ROB_WORDS_MAX];    /* whose address came in this cycle: their lines are to be asked for */
	unsigned want_count, blocked_count, new_store_count;
	uint8_t store_filter[256]; /* stores in flight by hash of 8-byte granule */
	struct store_entry *sb;
	unsigned sb_head, sb_mask, sb_count;
	/* what waits for a translation or a miss buffer: slots, and entries of the store buffer */
	uint64_t asking[ROB_WORDS_MAX];
	struct ask ask[ROB_WORDS_MAX * 64];
	unsigned asking_count, sb_wants;
	struct queued_prefetch *prefetch;          /* the prefetch queue, the oldest first */
	unsigned prefetch_count, prefetch_waiting; /* slots that wait for room in it are in `asking` too */
	uint64_t ask_next;                         /* the first cycle in which one of them may ask; CYCLE_NEVER */
	unsigned ports_busy;                       /* L1D ports taken in this cycle */
	unsigned ports_checked;                    /* of them those with an address, for bank conflicts */
	uint64_t block_until;                      /* a block access holds one port until then */
	uint64_t port_ea[4];
	uint8_t port_size[4];

	/* events */
	struct event *events;
	uint32_t event_free;
	uint32_t wheel[WHEEL_SIZE];
	uint64_t wheel_map[WHEEL_SIZE / 64];
	/* near events: a row of slots for each of the next cycles, and which rows are not empty */
	uint64_t *near_wake, *near_address;
	uint64_t near_wake_rows, near_address_rows;

	/* front end */
	struct feed feed;
	struct fetch_state fe;
	uint32_t fe_block_flags; /* flags of the transfer that fetch is about to stop behind */
	struct fetched *fq;
	struct fetched_times *fq_times; /* NULL without a view */
	unsigned fq_head, fq_tail, fq_mask;
	struct fetch_group *groups;
	unsigned group_head, group_mask, group_count;
	unsigned latch[16]; /* decode stages: instructions held; [0] is E, the last D */
	unsigned latch_sum;

	/* commit */
	uint64_t last_commit;
	enum stall refill_cause;
	uint64_t refill_until;
	enum stall decode_cause;  /* cause of the group that decode took last */
	uint64_t *dispatch_stall; /* statistic that a stopped dispatch counts in, or NULL */
	bool may_dispatch;        /* D's oldest has not been refused since something was freed */
	uint64_t blocked_need;    /* what it needs of the window, and ... */
	uint64_t blocked_guard;   /* the guard bit of what there was too little of; 0: of something else */

	/* pipeline view: times by slot, NULL without a view */
	struct view_record *view;
	uint64_t view_seq;
	uint16_t view_producer[3]; /* slots that the instruction being dispatched depends on */
	unsigned view_producers;
	struct view_stop view_stop;

	/* parts */
	struct array *array; /* NULL: the machine has none */
	struct memsys *mem;
	uint64_t mem_check_at; /* --check: when to look at the memory system again */
	struct bpred *bpred;

	/* statistics */
	struct core_stats stats;
	uint32_t static_count, static_size;
	struct core_profile *profile;
	/* lanes of 16 bits, added to the statistics before they can overflow */
	uint64_t dispatch_lanes, commit_lanes;
	unsigned lane_insns; /* dispatched since */
	/* and use of the window and of the stations: */
	uint64_t near_sum[1 + RS_WORDS];       /* words summed as they are, over `near_cycles`: window, stations */
	unsigned near_cycles, near_limit;      /* a lane overflows after near_limit */
	struct lane_sum far_sum[1 + RS_WORDS]; /* in wider lanes, over `far_cycles` before those */
	uint64_t far_cycles;
	uint64_t next_interval;
	uint64_t first_position; /* of the trace, when the core was made */
	struct region_track *regions;
	unsigned region_count, region_size;
	struct region_mark *marks;
	unsigned mark_head, mark_count, mark_size;

	struct uop handler[HANDLER_COUNT];
	struct block_use *block_uses; /* all of them, to free */
	struct err *error;
	bool failed;
	bool progress;       /* something happened in this cycle */
	unsigned committed;  /* instructions, in this cycle */
	uint64_t idle_until; /* --check without skipping: no progress is expected before this cycle */
};

/*
 * ---- sets of slots ----
 *
 * Where it pays, a stage is compiled twice: for a window of up to 64 slots,
 * whose sets are one word, and for larger ones. Such functions take the number
 * of words as a parameter that is constant after inlining.
 */
static inline void slot_set_in(uint64_t *set, unsigned slot, unsigned words)
{
	set[words == 1 ? 0 : slot >> 6] |= 1ull << (slot & 63);
}
static inline void slot_clear_in(uint64_t *set, unsigned slot, unsigned words)
{
	set[words == 1 ? 0 : slot >> 6] &= ~(1ull << (slot & 63));
}
static inline void slot_set(uint64_t *set, unsigned slot)
{
	set[slot >> 6] |= 1ull << (slot & 63);
}
static inline void slot_clear(uint64_t *set, unsigned slot)
{
	set[slot >> 6] &= ~(1ull << (slot & 63));
}
static inline bool slot_has(const uint64_t *set, unsigned slot)
{
	return set[slot >> 6] >> (slot & 63) & 1;
}

/* Oldest slot of a | b, or SLOT_NONE. */
static inline unsigned slot_oldest_in(const struct core *c, const uint64_t *a, const uint64_t *b, unsigned words)
{
	unsigned head = c->rob_head;
	unsigned w = head >> 6, bit = head & 63;

	if (words == 1) {
		uint64_t m = a[0] | b[0];
		if (!m)
			return SLOT_NONE;
		m = bit ? m >> bit | m << (64 - bit) : m;
		return (head + (unsigned)__builtin_ctzll(m)) & 63;
	}
	for (unsigned n = 0; n <= words; n++) {
		uint64_t m = a[w] | b[w];
		if (n == 0)
			m &= ~0ull << bit;
		else if (n == words)
			m &= bit ? (1ull << bit) - 1 : 0;
		if (m)
			return (w << 6) + (unsigned)__builtin_ctzll(m);
		w = w + 1 == words ? 0 : w + 1;
	}
	return SLOT_NONE;
}

static inline unsigned slot_oldest(const struct core *c, const uint64_t *a, const uint64_t *b)
{
	return slot_oldest_in(c, a, b, c->rob_words);
}

/* Position in age order: 0 is the oldest. */
static inline unsigned slot_age(const struct core *c, unsigned slot)
{
	return (slot - c->rob_head) & c->rob_mask;
}

/* Is any slot of `set` older than `slot`? */
static inline bool slot_any_older(const struct core *c, const uint64_t *set, unsigned slot)
{
	unsigned first = slot_oldest(c, set, set);

	return first != SLOT_NONE && slot_age(c, first) < slot_age(c, slot);
}

/* ---- events.c ---- */
int events_create(struct core *c, struct err *e);
void events_destroy(struct core *c);
void event_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot);

/* Rows of the near wheels: `cycle` is after now, by less than NEAR_SIZE. */
static inline void near_set(uint64_t *wheel, uint64_t *rows, uint64_t cycle, unsigned slot, unsigned words)
{
	unsigned row = (unsigned)cycle & (NEAR_SIZE - 1);

	slot_set_in(&wheel[row * words], slot, words);
	*rows |= 1ull << row;
}

/* The value of `slot` can be used by what is selected from `cycle` on. */
static inline void wake_at(struct core *c, uint64_t cycle, unsigned slot, unsigned words)
{
	if (cycle - c->now < NEAR_SIZE)
		near_set(c->near_wake, &c->near_wake_rows, cycle, slot, words);
	else
		event_at(c, cycle, EVENT_WAKE, slot);
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
#define STAGE(name, doc) \
	void stage_##name(struct core *c); \
	uint64_t name##_next(const struct core *c);
#include "stages.def"
#undef STAGE

static inline bool events_due(const struct core *c)
{
	return c->wheel[c->now & (WHEEL_SIZE - 1)] ||
	       (c->near_wake_rows | c->near_address_rows) >> (c->now & (NEAR_SIZE - 1)) & 1;
}
static inline bool lsu_due(const struct core *c)
{
	return c->want_count | c->sb_count | c->new_store_count || c->ask_next <= c->now;
}
static inline bool select_due(const struct core *c)
{
	return c->rs_releasing | c->ready_rs;
}
static inline bool array_due(const struct core *c)
{
	return c->array;
}
static inline bool decode_due(const struct core *c)
{
	(void)c;
	return true; /* it also notes why nothing is dispatched */
}
static inline bool fetch_due(const struct core *c)
{
	return c->now >= c->fe.next && !c->fe.blocked && !c->feed.at_end &&
	       c->group_count < c->cfg->fetch.buffer_entries;
}
static inline bool commit_due(const struct core *c)
{
	return c->rob_count && c->rob[c->rob_head].done <= c->now;
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
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
	slot_set_in(c->ready[r->ready_row], slot, words);
	c->ready_rs |= 1u << r->rs;
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
	struct rob_entry *r = &c->rob[slot];
	unsigned node = r->waiters;

	r->waiters = NODE_NONE;
	while (node != NODE_NONE) {
		unsigned consumer = node / NODES_PER_SLOT;
		struct rob_entry *k = &c->rob[consumer];

		if (node & NODE_DATA) {
			if (--k->data_pending == 0)
				lsu_store_data(c, consumer, c->now + 1 + c->cfg->core.operand_stages);
		} else if (--k->pending == 0) {
			slot_ready(c, k, consumer, words);
		}
		node = c->node_next[node];
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
		if (c->store_filter[g & 255])
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
