/*
 * The SIMD array's part of the core's state, and what the files of the array
 * tell each other. docs/simd-array.md has the pipeline and all rules.
 *
 * PEs do the same in the same cycle, so one of them is simulated. The array has
 * no window of its own: its instructions live in the core's reorder buffer, and
 * sets of them are sets of slots.
 */
#ifndef PSIM_CORE_ARRAY_STATE_H
#define PSIM_CORE_ARRAY_STATE_H

#include "core_state.h"

/* A transfer from the trace that has not started: fetched, perhaps dispatched. */
struct pending_transfer {
	uint64_t memory, window, descriptor;
	uint64_t seq; /* in program order, once dispatched */
	bool put, deal;
};

/* What a transfer reads or writes in the SBM: bytes from the window address on. */
struct sbm_range {
	uint64_t window, bytes;
};

/* A transfer under way. It asks for lines of memory, one after the other. */
struct transfer {
	uint64_t memory; /* address of the piece at hand */
	struct sbm_range range;
	uint64_t bytes, pieces; /* of a piece; pieces left, the one at hand included */
	int64_t stride;
	uint64_t done; /* bytes of the piece at hand that were asked for */
	bool put, deal;
	bool arrived; /* its last line has come */
};

struct transfer_line { /* on its way between memory and SBM */
	uint64_t arrival;
	uint64_t port_units; /* of a get: for SBM ports, see port_take() */
	bool last;           /* of its transfer */
};

struct array {
	const struct simd_params *p;
	unsigned pes;

	/* the SIMD station and the rename buffer of the SFPR */
	unsigned rs_used, sfub_free;
	uint8_t rs_release[RELEASE_SIZE]; /* by cycle: entries that leave at X */
	unsigned rs_releasing;            /* rows of it that are not empty, a bit each */
	uint64_t arithmetic_busy;         /* a reduction has the pipes until then */

	/* what comes over C: a row of slots for each of the next cycles */
	uint64_t *arrive;
	uint64_t arrive_rows;

	/* loads and stores at the PEs, by slot */
	uint64_t want[ROB_WORDS_MAX];                    /* loads with their address there */
	uint64_t value[ROB_WORDS_MAX];                   /* broadcast loads with their value there */
	uint64_t blocked[ROB_WORDS_MAX];                 /* loads that wait for an older store or transfer */
	uint64_t address[ROB_WORDS_MAX];                 /* SIMD stores with their address there */
	uint64_t data[ROB_WORDS_MAX];                    /* SIMD stores whose data can be read */
	uint64_t store[ROB_WORDS_MAX];                   /* both */
	unsigned load_count, store_count, blocked_count; /* of want and value; store; blocked */
	unsigned ports_left;                             /* of the SBM, in this cycle */

	/* the PEs' store buffer: committed stores to SBM, in order */
	struct store_entry *sb;
	unsigned sb_head, sb_mask, sb_count;

	/* transfers: rings with running numbers */
	struct pending_transfer *pending;
	uint64_t pending_head, pending_dispatched, pending_tail;
	unsigned pending_mask;
	struct transfer *transfer;
	uint64_t transfer_head, transfer_issue, transfer_tail; /* oldest unfinished, next to ask for lines */
	unsigned transfer_mask;
	struct transfer_line *line;
	uint64_t line_head, line_tail;
	unsigned line_mask;
	uint64_t next_line;             /* earliest cycle of the next line */
	uint64_t last_line;             /* that was asked for, for pieces that share one */
	uint64_t port_units, port_debt; /* see port_take() */
	unsigned wait_slot;             /* of the sxwait that runs, or SLOT_NONE */
	uint64_t wait_for;              /* transfers up to this number have to be finished */

	uint64_t levels_at; /* cycles before it are in the sums of occupancy */
	uint64_t flops;     /* that are in the statistics already */
};

/* Room for a SIMD instruction at D? If not, says what it lacks in c->front.dispatch_stall. */
static inline bool array_room(struct core *c, const struct uop *u)
{
	const struct array *a = c->array;

	if (a->rs_used >= a->p->rs_entries)
		c->front.dispatch_stall = &c->acct.stats.simd_stall_station;
	else if (u->sfub > a->sfub_free)
		c->front.dispatch_stall = &c->acct.stats.simd_stall_sfub;
	else
		return true;
	return false;
}

/* ---- array_memory.c: load and store pipes, SBM, the PEs' store buffer ---- */
void array_loads_and_stores(struct core *c, unsigned words);
/* What has passed C for a load or store: its address, or a value to write. */
void array_memory_arrive(struct core *c, unsigned slot);

/* ---- array_transfer.c ---- */
int transfers_create(struct core *c, struct err *e);
void transfers_destroy(struct array *a);
/* One cycle: lines that come, transfers that end, the next line; takes SBM ports. */
void transfers_step(struct core *c);
uint64_t transfers_next(const struct core *c);
/* Must an access to the SBM wait for a transfer that is older than `seq`? */
bool transfers_hold_load(const struct core *c, uint64_t ea, unsigned size, uint64_t seq);
/* The same of a store that is about to write; every older transfer has started. */
bool transfers_hold_store(const struct core *c, uint64_t ea, unsigned size);

/* Anything that comes over C in `cycle`: now, unless the array has had its turn, or later. */
static inline void array_arrive_at(struct core *c, uint64_t cycle, unsigned slot)
{
	struct array *a = c->array;

	if (cycle - c->now < NEAR_SIZE)
		near_set(a->arrive, &a->arrive_rows, cycle, slot, c->win.rob_words);
	else
		event_at(c, cycle, EVENT_ARRIVE, slot);
}

/* The SIMD instruction `u` has been dispatched to `slot` and takes its place in the station. */
static inline void array_takes_simd(struct core *c, unsigned slot, const struct uop *u, unsigned words)
{
	struct rob_entry *r = &c->win.rob[slot];
	struct array *a = c->array;

	a->rs_used++;
	a->sfub_free -= u->sfub;
	c->acct.stats.simd_dispatched++;
	c->acct.stats.simd_sources += u->simd_sources;
	if (u->unit == EXEC_SIMD) {
		/* C is one more source; scalar operands that are not there yet come over it later */
		r->rs = RS_SIMD;
		r->ready_row = READY_SIMD;
		r->pending++;
		if (!r->data_pending)
			array_arrive_at(c, c->now + 1 + a->p->c_cycles, slot);
	} else if (u->flags & UOP_STORE) {
		r->data_at = CYCLE_NEVER;
		if (!r->data_pending)
			slot_set_in(a->data, slot, words);
	}
}

/* The SIMD instruction `u` commits. */
static inline void array_retired(struct core *c, const struct uop *u)
{
	c->array->sfub_free += u->sfub;
	c->acct.stats.simd_committed++;
	c->acct.stats.simd_results += u->sfub;
}

/* The station's entry of a selection in this cycle leaves at X. */
static inline void array_release(struct core *c)
{
	unsigned leave = (unsigned)(c->now + 1 + c->cfg->core.operand_stages) % RELEASE_SIZE;

	c->array->rs_release[leave]++;
	c->array->rs_releasing |= 1u << leave;
}

#endif
