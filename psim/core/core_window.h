/* The window's part of a core: reorder buffer, rename map, reservation stations; sets of slots. */
#ifndef PSIM_CORE_CORE_WINDOW_H
#define PSIM_CORE_CORE_WINDOW_H

#include "core.h"
#include "cycle.h"
#include "uop.h"

#define SEQ_MIXED UINT64_MAX

enum {
	SLOT_NONE = 0xffff,
	/* A slot has 32 dependence nodes: 0..15 hold up selection, 16..31 a store's data. */
	NODES_PER_SLOT = 32,
	NODE_DATA = 16,
	COUNT_PENDING = 32, /* the place of `pending` in rob_entry.counts */
	RELEASE_SIZE = 16,  /* cycles from selection to X, at most: core.operand_stages */
	ROB_WORDS_MAX = 16,
};

/* ---- reorder buffer ---- */
enum slot_state { SLOT_WAITING, SLOT_READY, SLOT_SELECTED, SLOT_DONE };

/* The reason why a load waits, or the level that served it; for the cycle stack and the pipe trace. */
enum load_note {
#define N(name, cause, text) LOAD_##name,
#include "load_note.def"
#undef N
	LOAD_NOTE_COUNT
};

struct rob_entry {
	_Alignas(64) const struct uop *uop;
	uint64_t ea;
	uint64_t done;     /* cycle from which it may commit; CYCLE_NEVER: not known yet */
	uint64_t selected; /* cycle of selection */
	uint64_t data_at;  /* stores: cycle in which the data is in the store queue */
	/* These are not bytes: a store to a character type may alias everything, and costs reloads. */
	union {
		struct {
			uint16_t waiters;    /* list of dependence nodes of consumers */
			uint16_t false_head; /* head of `waiters` at a false wake-up */
			union {
				struct {
					uint16_t poison; /* sources woken by a load that turned out to miss */
					uint16_t flags;  /* enum fetched_flag, and those of uop.entry */
				};
				uint32_t unusual; /* both */
			};
		};
		uint64_t begin; /* all of them: uop.entry at dispatch */
	};
	union {
		struct {
			uint16_t note;         /* enum load_note */
			uint16_t false_woken;  /* consumers were woken, and will be cancelled */
			uint16_t pending;      /* sources that hold up selection */
			uint16_t data_pending; /* sources of a store's data */
		};
		uint64_t counts; /* all of them */
	};
	union {
		struct station_place place;
		struct {
			uint16_t rs;
			uint16_t ready_row; /* its row in window.ready: rs, or RS_COUNT + rs if not pipelined */
			uint16_t rs_bit;    /* of window.ready_rs */
			uint16_t state;     /* enum slot_state */
		};
	};
};
_Static_assert(sizeof(struct rob_entry) == 64, "an entry is a line of the host's cache");

/* Enters an instruction into station `rs`. */
static inline void entry_place(struct rob_entry *r, unsigned rs, unsigned ready_row)
{
	r->rs = (uint16_t)rs;
	r->ready_row = (uint16_t)ready_row;
	r->rs_bit = station_bits(rs, ready_row);
}

struct window {
	unsigned rob_head, rob_mask, rob_words, rob_count;
	uint64_t first_seq; /* number of the oldest instruction; its low bits are the slot */
	uint64_t free;      /* lanes.h: resources that D may still allocate */
	uint64_t capacity;  /* `free` of an empty window */
	struct rob_entry *rob;
	const struct rob_entry *oldest; /* the entry of rob_head */
	/* indexed by slot: cycle from which consumers may be selected; CYCLE_NEVER: not known yet */
	uint64_t wake[ROB_WORDS_MAX * 64];
	uint16_t generation[ROB_WORDS_MAX * 64]; /* events with another one are of a cancelled selection */
	/* results in flight whose consumers have not been woken; of an instruction without a result, any value */
	uint64_t unwoken[ROB_WORDS_MAX];
	uint16_t *node_next; /* indexed by node = slot * NODES_PER_SLOT + k */
	/*
	 * The youngest writer of each register, by its number in program order. A number
	 * before first_seq has committed, so commit need not update the map.
	 * SEQ_MIXED: the two halves of an FP pair have different writers, in half[].
	 */
	uint64_t map[OPERAND_NONE + 1];     /* by operand, in the current register window */
	uint64_t outside[MAP_WINDOWS * 16]; /* the same of the locals and ins of other windows */
	unsigned mixed;                     /* pairs with SEQ_MIXED */
	uint64_t half[128];                 /* writers of halves of FP registers, then of the PEs' registers */
	unsigned cwp;
	/* entries in use; station rs is lane rs % LANE_COUNT of word rs / LANE_COUNT */
	uint64_t rs_used[RS_WORDS];
	uint64_t rs_release[RELEASE_SIZE][RS_WORDS]; /* entries to release at X, indexed by cycle */
	unsigned rs_releasing;                       /* bit map of the rows of rs_release that are not empty */
	uint64_t ready[READY_ROWS * ROB_WORDS_MAX];  /* ready_of; second half: unpipelined; last rows: SIMD station */
	unsigned ready_rs; /* bit map: a station with a ready instruction has its bit set; the converse may fail */
	uint64_t unit_busy[RS_COUNT]; /* cycle until which a pipe's divider is busy */
	unsigned rs_turn[EXEC_COUNT]; /* the pipe that wins a tie between stations */
	unsigned unit_pipes[EXEC_COUNT];
	unsigned done_after; /* cycles from the selection of a consumer until an instruction may commit. Constant */
	bool sync_running;
	enum stall sync_cause; /* cause of the serializing instruction that runs or is next */
	bool may_dispatch;     /* D's oldest has not been refused since something was freed */
};

/*
 * ---- sets of slots ----
 *
 * Hot stages are compiled twice: for a window of up to 64 slots, whose sets are
 * one word, and for larger ones. Such functions take the number of words as a
 * parameter that is constant after inlining. INLINE: where the compiler would not.
 */
#define INLINE __attribute__((always_inline)) static inline

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
static inline bool slot_has(const uint64_t *set, uint64_t slot)
{
	return set[slot >> 6] >> (slot & 63) & 1;
}

/* The ready instructions of a row: rob_words words. */
static inline uint64_t *ready_in(struct window *w, unsigned row, unsigned words)
{
	return &w->ready[row * words];
}
static inline uint64_t *ready_of(struct window *w, unsigned row)
{
	return ready_in(w, row, w->rob_words);
}

/* Oldest slot of a | b, or SLOT_NONE. */
static inline unsigned slot_oldest_in(const struct window *w, const uint64_t *a, const uint64_t *b, unsigned words)
{
	unsigned head = w->rob_head;
	unsigned k = head >> 6, bit = head & 63;

	if (words == 1) {
		uint64_t m = a[0] | b[0];
		if (!m)
			return SLOT_NONE;
		m = bit ? m >> bit | m << (64 - bit) : m;
		return (head + (unsigned)__builtin_ctzll(m)) & 63;
	}
	for (unsigned n = 0; n <= words; n++) {
		uint64_t m = a[k] | b[k];
		if (n == 0)
			m &= ~0ull << bit;
		else if (n == words)
			m &= bit ? (1ull << bit) - 1 : 0;
		if (m)
			return (k << 6) + (unsigned)__builtin_ctzll(m);
		k = k + 1 == words ? 0 : k + 1;
	}
	return SLOT_NONE;
}

static inline unsigned slot_oldest(const struct window *w, const uint64_t *a, const uint64_t *b)
{
	return slot_oldest_in(w, a, b, w->rob_words);
}

/* Age rank of a slot: 0 is the oldest. */
static inline unsigned slot_age(const struct window *w, unsigned slot)
{
	return (slot - w->rob_head) & w->rob_mask;
}

/* Returns whether any slot of `set` is older than `slot`. */
static inline bool slot_any_older_in(const struct window *w, const uint64_t *set, unsigned slot, unsigned words)
{
	unsigned first = slot_oldest_in(w, set, set, words);

	return first != SLOT_NONE && slot_age(w, first) < slot_age(w, slot);
}

static inline bool slot_any_older(const struct window *w, const uint64_t *set, unsigned slot)
{
	return slot_any_older_in(w, set, slot, w->rob_words);
}

#endif
