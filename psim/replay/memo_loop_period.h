/*
 * Loop periods: replay of several iterations of a loop at once, where it goes through arrays with constant strides.
 *
 * A loop period is so many iterations that all addresses have moved by whole lines of L1D. Once the core has gone
 * through two of them over the same edges, with accesses that found the same in L1D, the next one does so too, as long
 * as the accesses that change more than the order of TLB entries get the same answers. Only these are made, each in its
 * cycle; the rest follows in one go. Where an answer differs, the steps up to there are caught up, and replay goes on.
 * In a machine with an array, accesses may be to SBM, and lines of transfers come at the same places of each period.
 */
#ifndef PSIM_REPLAY_MEMO_LOOP_PERIOD_H
#define PSIM_REPLAY_MEMO_LOOP_PERIOD_H

#include "../array/array_requests.h"

struct core;
struct edge;
struct ending;
struct node;
struct replay_place;

enum { LOOP_PERIOD_STEPS = 512, LOOP_PERIOD_LINES = 64 };

/* Kinds of step in a loop period that is not replayed step by step. */
enum loop_period_kind {
	LOOP_PERIOD_OTHER, /* no loop period has such a step */
	LOOP_PERIOD_FETCH,
	LOOP_PERIOD_PURE, /* the answer depends on addresses alone */
	LOOP_PERIOD_SBM,  /* the same of an access to SBM, while no transfer touches its address */
	LOOP_PERIOD_LINE, /* of a transfer: made, in a loop period that accesses no line of L1D */
	LOOP_PERIOD_SET,  /* REQUEST_SET: it stays until the predictor learns, in no loop period, or is cleared */
	/* accesses to a line that an access before is known to have left in the first way of its set: */
	LOOP_PERIOD_LOAD_HIT,
	LOOP_PERIOD_LOAD_MERGED,
	LOOP_PERIOD_STORE_HIT,
	LOOP_PERIOD_STORE_PREFETCH,
	/* made in each loop period: */
	LOOP_PERIOD_ACCESS,
};

/* A line of L1D. */
struct loop_period_line {
	bool first, fill_pending; /* in the first way of its set; FILL_PENDING */
	uint64_t fill;            /* its fill word, relative to the present cycle */
};

struct loop_period_step {
	struct node *node;
	const struct edge *edge; /* of the answer */
	uint64_t ea;
	uint64_t at;                   /* cycle, from the begin of the loop period */
	struct loop_period_line after; /* the line after the step */
	uint8_t kind;                  /* enum loop_period_kind */
	bool translates;               /* uses the TLB */
};

/* Moves of a loop period, as numbers of struct in_flight. */
struct loop_period_moves {
	uint32_t tail, fetched, dispatched, committed, written;
	uint32_t sbm_fetched, sbm_dispatched, sbm_committed, sbm_written; /* stores to SBM */
};

struct loop_period {
	uint64_t try_at, wait; /* the cycle of the next attempt, and cycles from one to the next */
	unsigned failures;     /* in a row */
	/* what a loop has: */
	bool in_sbm;         /* all accesses are to SBM */
	uint64_t iterations; /* of a loop period */
	uint64_t distance;   /* of its addresses from those of the loop period before */
	unsigned times;      /* these are so many times those of whole lines */
	/* a loop period: */
	uint64_t cycles, left; /* its cycles; loop periods until an address leaves its page, or the loop ends */
	uint64_t shift;        /* of the addresses of the last loop period from those in `step` */
	uint64_t invalidated;  /* lines of L1, before the loop period */
	unsigned steps, made, lines;
	uint64_t line[LOOP_PERIOD_LINES]; /* those that it accesses */
	struct loop_period_step step[LOOP_PERIOD_STEPS];
	uint16_t make[LOOP_PERIOD_STEPS]; /* the steps that are made, and stores that hit */
	/* the lines of transfers that it requests or takes, the cycle of the first, and the steps */
	unsigned line_steps, line_requests;
	uint64_t first_line;
	struct line_step line_step[LOOP_PERIOD_LINES];
	uint16_t line_at[LOOP_PERIOD_LINES];
	struct loop_period_moves moves;
	unsigned visits, fetches, merged, load_hits, store_hits, in_time;
	unsigned endings, pages;
	const struct loop_period_step *ending[LOOP_PERIOD_STEPS];
	uint64_t page[LOOP_PERIOD_STEPS]; /* an address in each page, in the order of their last use */
	/* the loop's control transfer, if its part ends in one */
	uint32_t transfers, transfer_flags;
	bool taken;
};

/* How replay has gone on. */
enum replayed {
	REPLAY_GOES_ON,
	REPLAY_STOPS,    /* the turn has ended */
	REPLAY_DETAILED, /* the rest of the transition is to be detailed */
};

/* Replays loop periods from `at` on, the begin of a cycle, if there are any; sets loop_period.try_at. */
enum replayed loop_period_replay(struct core *c, struct replay_place *at, uint64_t end);

#endif
