/*
 * Laps: replay of several iterations of a loop at once, where it goes through arrays with constant strides.
 *
 * A lap is so many iterations that all addresses have moved by whole lines of L1D. Once the core has gone through two
 * laps over the same edges, with accesses that found the same in L1D, the next one does so too, as long as the accesses
 * that change more than the order of TLB entries get the same answers. Only these are made, each in its cycle; the rest
 * of the lap follows in one go. Where an answer differs, the steps up to there are caught up, and replay goes on.
 */
#ifndef PSIM_REPLAY_MEMO_LAP_H
#define PSIM_REPLAY_MEMO_LAP_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct edge;
struct ending;
struct node;
struct replay_place;

enum { LAP_STEPS = 512, LAP_LINES = 64 };

/* Kinds of step in a lap that is not replayed step by step. */
enum lap_kind {
	LAP_OTHER, /* no lap has such a step */
	LAP_FETCH,
	LAP_PURE, /* the answer depends on addresses alone */
	LAP_SET,  /* REQUEST_SET: the answer stays until the predictor learns, in no lap, or is cleared */
	/* accesses to a line that an access before is known to have left in the first way of its set: */
	LAP_LOAD_HIT,
	LAP_LOAD_MERGED,
	LAP_STORE_HIT,
	LAP_STORE_PREFETCH,
	/* made in each lap: */
	LAP_ACCESS,
};

/* A line of L1D. */
struct lap_line {
	bool first, fill_pending; /* in the first way of its set; FILL_PENDING */
	uint64_t fill;            /* its fill word, relative to the present cycle */
};

struct lap_step {
	struct node *node;
	const struct edge *edge; /* of the answer */
	uint64_t ea;
	uint64_t at;           /* cycle, from the begin of the lap */
	struct lap_line after; /* the line after the step */
	uint8_t kind;          /* enum lap_kind */
	bool translates;       /* uses the TLB */
};

/* Moves of a lap, as numbers of struct flight. */
struct lap_moves {
	uint32_t tail, fetched, dispatched, committed, written;
};

struct lap {
	uint64_t try_at, wait; /* the cycle of the next attempt, and cycles from one to the next */
	unsigned failures;     /* in a row */
	/* what a loop has: */
	uint64_t iterations; /* of a lap */
	uint64_t distance;   /* of its addresses from those of the lap before */
	unsigned times;      /* these are so many times those of whole lines */
	/* a lap: */
	uint64_t cycles, left; /* its cycles; laps until an address leaves its page, or the loop ends */
	uint64_t shift;        /* of the addresses of the last lap from those in `step` */
	uint64_t invalidated;  /* lines of L1, before the lap */
	unsigned steps, made, lines;
	uint64_t line[LAP_LINES]; /* those that it accesses */
	struct lap_step step[LAP_STEPS];
	uint16_t make[LAP_STEPS]; /* the steps that are made, and stores that hit */
	struct lap_moves moves;
	unsigned visits, fetches, merged, load_hits, store_hits, in_time;
	unsigned endings, pages;
	const struct lap_step *ending[LAP_STEPS];
	uint64_t page[LAP_STEPS]; /* an address in each page, in the order of their last use */
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

/* Replays laps from `at` on, the begin of a cycle, if there are any; sets lap.try_at. */
enum replayed lap_replay(struct core *c, struct replay_place *at, uint64_t end);

#endif
