/*
 * Figures of an open loop, whose sources send whatever the network takes, from batches of equal time: their
 * confidence, and whether the network is steady. Batch means and their intervals: A. Law, "Simulation Modeling and
 * Analysis" (5th ed. 2015), 9.5.3; the end of the warm-up: K. White, "An effective truncation heuristic for bias
 * reduction in simulation output" (Simulation 69, 1997), MSER. The change that counts, 5 %, is that of BookSim 2
 * (warmup_thres, stopping_thres).
 */
#ifndef PSIM_BASE_OPEN_LOOP_H
#define PSIM_BASE_OPEN_LOOP_H

#include <stddef.h>
#include <stdint.h>

enum {
	OPEN_LOOP_GROUPS = 10, /* of a window: batches of batches */
	OPEN_LOOP_FIFTHS = 5,  /* of a window, for each sender */
};

struct open_loop_batch {
	uint64_t sent, delivered; /* bytes in its time */
	uint64_t messages;        /* sent in it, and delivered at any time */
	double latency;           /* sum of theirs */
};

enum open_loop_state {
	OPEN_LOOP_STEADY,
	OPEN_LOOP_FALLS_BEHIND, /* the network accepts less than is offered: queues and latency grow */
	OPEN_LOOP_LATENCY_CHANGES,
	OPEN_LOOP_ACCEPTED_CHANGES,
	OPEN_LOOP_STARVES, /* the same for one sender; all together are accepted within 5 % */
	OPEN_LOOP_STATES,  /* of what uses this, from here on */
};

/* A mean, and half the width of its confidence interval of 95 %. */
struct open_loop_figure {
	double mean, error;
};

struct open_loop {
	uint64_t messages;                         /* sent in the window */
	struct open_loop_figure offered, accepted; /* bytes over the capacity; never more accepted than offered */
	struct open_loop_figure latency;           /* of messages sent in the window */
	enum open_loop_state state;
	double from, to; /* what changes: mean of the window's first half, and of the second. STARVES: sender, share */
};

/* A sender's part of a window: bytes, or messages of one size. */
struct open_loop_sender {
	uint64_t sent[OPEN_LOOP_FIFTHS], delivered[OPEN_LOOP_FIFTHS];
};

/* Returns the first batch after the warm-up, so that OPEN_LOOP_GROUPS divides the number of batches up to `count`. */
unsigned open_loop_warm_up(const struct open_loop_batch *batch, unsigned count);

/* Measures `count` batches, a multiple of OPEN_LOOP_GROUPS; `capacity`: the bytes of a batch that are a share of 1. */
struct open_loop open_loop_measure(const struct open_loop_batch *batch, unsigned count, double capacity);

/*
 * Checks a sender of a window that is measured: where it alone falls behind, the state says so, of several senders for
 * the one of which the least share is accepted. A sender falls behind if its queue grows in each fifth, by more than
 * 5 % of what it sends: a queue that varies by chance grows and shrinks.
 */
void open_loop_check_sender(struct open_loop *m, uint32_t number, const struct open_loop_sender *s);

/*
 * Says whether it is steady, "yes", or what is not: a latency times `scale` is in `unit`. Writes to `text` of `size`
 * bytes, and returns it.
 */
const char *open_loop_say(enum open_loop_state state, double from, double to, double scale, const char *unit,
			  char *text, size_t size);

#endif
