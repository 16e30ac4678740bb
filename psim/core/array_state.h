/*
 * The SIMD array's part of the core's state, and the interface between the array's files.
 * docs/models/simd-array.md describes the pipeline and all rules.
 *
 * All PEs do the same in the same cycle, so one of them is simulated. The array has
 * no window: its instructions are in the core's reorder buffer, and sets of them are
 * sets of slots.
 */
#ifndef PSIM_CORE_ARRAY_STATE_H
#define PSIM_CORE_ARRAY_STATE_H

#include "core_state.h"

/* The bytes of SBM that a transfer reads or writes, from a window address on. */
struct sbm_range {
	uint64_t window, bytes;
	uint32_t low, high; /* its bytes in a window; all of the window where it reaches into the next one */
};

/* A transfer from its fetch to its end. */
struct transfer {
	uint64_t memory, descriptor;
	struct sbm_range range;
	uint64_t seq;   /* program order, set at dispatch */
	uint32_t place; /* in replay: that of the next access (memo_in_flight.h) */
	bool put, deal;
};

struct transfer_line { /* in transit between memory and SBM */
	uint64_t arrival;
	uint64_t port_units; /* a get's use of SBM ports, see port_take() */
	bool last;           /* the transfer's last line */
};

enum { TRANSFERS_BEFORE = 1024 }; /* fetched in a memoised core's transition, at most */

/*
 * What is outside of the array's timing (transcript.h): the transfers' addresses, how far their requests of lines
 * have come, and the lines whose arrival the array does not know yet. Rings with running numbers.
 */
struct transfer_requests {
	struct transfer *transfer;
	uint64_t fetched; /* the next one to be fetched */
	unsigned mask;
	struct transfer_line *line;
	uint64_t line_head, line_tail, last_arrival;
	unsigned line_mask;
	/* the transfer whose lines are requested: */
	uint64_t number;
	bool begun;
	uint64_t memory;        /* address of the current piece */
	uint64_t bytes, pieces; /* size of a piece; pieces left, the current one included */
	int64_t stride;
	uint64_t done; /* bytes of the current piece that were requested */
	/* lines to come, each of the same whole pieces, and not the last: how many; of each, bytes and pieces */
	uint64_t even, even_bytes, even_pieces;
	uint64_t lead;  /* cycles that a put first takes to read its data from SBM, and to send it over C */
	uint64_t share; /* units of a byte, see port_take() */
	bool put;
};

struct array {
	const struct simd_params *p;
	unsigned pes;

	/* the SIMD station and the rename buffer of the SFPR */
	unsigned rs_used, sfub_free;
	uint8_t rs_release[RELEASE_SIZE]; /* entries to release at X, indexed by cycle */
	unsigned rs_releasing;            /* bit map of its rows that are not empty */
	uint64_t arithmetic_busy;         /* cycle until which a reduction occupies the pipes */
	uint64_t dividers_busy;           /* cycle until which a division occupies the dividers */

	/* arrivals over C: a row of slots for each of the next cycles */
	uint64_t *arrive;
	uint64_t arrive_rows;

	/* loads and stores at the PEs, by slot */
	uint64_t want[ROB_WORDS_MAX];                    /* loads with a known address */
	uint64_t value[ROB_WORDS_MAX];                   /* broadcast loads whose value has arrived */
	uint64_t blocked[ROB_WORDS_MAX];                 /* loads blocked by an older store or transfer */
	uint64_t address[ROB_WORDS_MAX];                 /* SIMD stores and gathers with a known address */
	uint64_t data[ROB_WORDS_MAX];                    /* SIMD stores whose data, gathers whose index can be read */
	uint64_t store[ROB_WORDS_MAX];                   /* SIMD stores in both */
	unsigned load_count, store_count, blocked_count; /* sizes of want and value, of store, of blocked */
	unsigned ports_left;                             /* free SBM ports in this cycle */
	struct held_ports held;                          /* SBM ports that wide accesses hold */

	/* the PEs' store buffer: committed stores to SBM, in order */
	struct store_entry *sb;
	unsigned sb_head, sb_mask, sb_count;
	bool store_held; /* a transfer holds the oldest store of the buffer, and none has ended since the request */

	/* transfers, by running number: the oldest unfinished one, the next to request lines, to start, to dispatch */
	uint64_t transfer_head, transfer_issue, transfer_tail, transfer_dispatched;
	unsigned arrived;               /* of the oldest ones, those whose last line has arrived */
	unsigned ended;                 /* in this cycle */
	unsigned lines;                 /* in transit */
	struct transfer_line first;     /* the first of these */
	uint64_t next_line;             /* earliest cycle of the next line's request */
	uint64_t port_units, port_debt; /* see port_take() */
	unsigned wait_slot;             /* slot of the running sxwait, or SLOT_NONE */
	uint64_t wait_for;              /* sxwait ends when all transfers up to this number have finished */
	struct transfer_requests requests;

	/* with simd.power = gated: */
	uint64_t sleep_from; /* the PEs sleep after this cycle, if they are idle until then */
	uint64_t awake_at;   /* a supply that was off is on from this cycle on */
	uint64_t levels_at;  /* occupancy is summed up to this cycle */
	uint64_t flops;      /* operations already in the statistics */
	/* the classes of SIMD instructions with operations: their number, and operations of an instruction */
	unsigned flop_classes;
	struct class_flops {
		uint32_t class, flops;
	} flop_class[CLASS_COUNT];
};

/* Transfers that have started and not ended. */
static inline unsigned array_active(const struct array *a)
{
	return (unsigned)(a->transfer_tail - a->transfer_head);
}

static inline struct transfer *array_transfer_of(const struct array *a, uint64_t number)
{
	return &a->requests.transfer[number & a->requests.mask];
}

static inline struct sbm_range sbm_range_of(uint64_t window, uint64_t bytes)
{
	uint64_t low = window & (SIMD_PE_STRIDE - 1);
	bool within = bytes <= SIMD_PE_STRIDE - low;

	return (struct sbm_range){
		window,
		bytes,
		within ? (uint32_t)low : 0,
		within ? (uint32_t)(low + bytes) : UINT32_MAX,
	};
}

/* Returns whether the access touches the range. Most do not, whatever their windows are. */
static inline bool sbm_touches(const struct sbm_range *t, uint64_t ea, unsigned size)
{
	uint32_t at = ea & (SIMD_PE_STRIDE - 1);
	uint64_t window;

	if ((at >= t->high || at + size <= t->low) && at + size <= SIMD_PE_STRIDE)
		return false;
	window = sbm_same_window(t->window, ea);
	return ea < window + t->bytes && window < ea + size;
}

/* Returns whether instructions are in the PEs. SBM and transfers have a supply of their own. */
static inline bool array_occupied(const struct array *a)
{
	return a->rs_used || a->sfub_free != a->p->sfub_entries || a->load_count || a->store_count || a->sb_count;
}

/* The first cycle without a supply in the interval from levels_at, if nothing reaches the PEs by then. */
static inline uint64_t array_asleep_from(const struct array *a)
{
	return a->levels_at > a->sleep_from ? a->levels_at : a->sleep_from;
}

/* Returns whether the PEs have their supply; if not, it begins to return. */
static inline bool array_awake(struct core *c)
{
	struct array *a = c->array;

	if (c->now < a->awake_at)
		return false;
	if (array_occupied(a) || c->now <= a->sleep_from)
		return true;
	a->awake_at = c->now + a->p->wake_cycles;
	a->sleep_from = a->awake_at + a->p->sleep_after;
	c->progress = true;
	return a->p->wake_cycles == 0;
}

/*
 * Returns whether the array has room for a SIMD instruction at D. If not, sets c->front.dispatch_stall to the missing
 * resource.
 */
static inline bool array_room(struct core *c, const struct uop *u)
{
	const struct array *a = c->array;

	if (a->p->power == POWER_GATED && !array_awake(c))
		c->front.dispatch_stall = &c->counters.stats.simd_stall_wake;
	else if (a->rs_used >= a->p->rs_entries)
		c->front.dispatch_stall = &c->counters.stats.simd_stall_station;
	else if (u->sfub > a->sfub_free)
		c->front.dispatch_stall = &c->counters.stats.simd_stall_sfub;
	else
		return true;
	return false;
}

/* ---- array_memory.c: load and store pipes, SBM, the PEs' store buffer ---- */
void array_loads_and_stores(struct core *c, unsigned words);
/* The address of a load or store, or the value to write, leaves C. */
void array_memory_arrive(struct core *c, unsigned slot);

/* ---- array_transfer.c ---- */
int transfers_create(struct core *c, struct err *e);
void transfers_destroy(struct array *a);
/* Simulates one cycle: arriving lines, ended transfers, the next request. Takes SBM ports. */
void transfers_step(struct core *c);
uint64_t transfers_next(const struct core *c);
/* Returns whether an access to the SBM must wait for a transfer that is older than `seq`. */
bool transfers_hold_load(const struct core *c, uint64_t ea, unsigned size, uint64_t seq);
/* As above, for a store that is about to write: all older transfers have started. */
bool transfers_hold_store(const struct core *c, uint64_t ea, unsigned size);
/* The bytes of a transfer, which the statistics get when it starts. `more` false: they lose them. */
void transfers_count_bytes(struct core *c, uint64_t number, bool more);

/* Schedules an arrival over C in `cycle`; not the present one after the array's stage has run. */
static inline void array_arrive_at(struct core *c, uint64_t cycle, unsigned slot)
{
	struct array *a = c->array;

	if (cycle - c->now < NEAR_SIZE)
		near_set(a->arrive, &a->arrive_rows, cycle, slot, c->win.rob_words);
	else
		event_at(c, cycle, EVENT_ARRIVE, slot);
}

/* The row of window.ready of an arithmetic instruction. */
static inline unsigned array_ready_row(const struct uop *u)
{
	return u->divider_cycles ? READY_DIVIDE : READY_SIMD;
}

/* Enters the SIMD instruction `u`, dispatched to `slot`, into the station. */
static inline void array_dispatch_simd(struct core *c, unsigned slot, const struct uop *u, unsigned words)
{
	struct rob_entry *r = &c->win.rob[slot];
	struct array *a = c->array;

	a->rs_used++;
	a->sfub_free -= u->sfub;
	c->counters.stats.simd_dispatched++;
	c->counters.stats.simd_sources += u->simd_sources;
	if (u->unit == EXEC_SIMD) {
		/* C counts as one more source; pending scalar operands cross it when they are available */
		entry_place(r, RS_SIMD, array_ready_row(u));
		r->pending++;
		if (!r->data_pending)
			array_arrive_at(c, c->now + 1 + a->p->c_cycles, slot);
	} else if (u->flags & (UOP_STORE | UOP_GATHER)) {
		if (u->flags & UOP_STORE)
			r->data_at = CYCLE_NEVER;
		if (!r->data_pending)
			slot_set_in(a->data, slot, words);
	}
}

/* The SIMD instruction `u` commits. */
static inline void array_commit_simd(struct core *c, const struct uop *u)
{
	c->array->sfub_free += u->sfub;
	c->counters.stats.simd_committed++;
	c->counters.stats.simd_results += u->sfub;
}

/* Schedules the release, at X, of the station entry of an instruction selected in this cycle. */
static inline void array_release(struct core *c)
{
	unsigned leave = (unsigned)(c->now + 1 + c->cfg->core.operand_stages) % RELEASE_SIZE;

	c->array->rs_release[leave]++;
	c->array->rs_releasing |= 1u << leave;
}

#endif
