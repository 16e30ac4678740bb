/*
 * The memoised core: transitions of the timing state that were simulated before are replayed.
 *
 * A transition begins in a state (core_key.h), goes on by the answers to the requests of its cycles (transcript.h), and
 * ends in a state with a request. Known ones need the answers alone, which are simulated each time: trace,
 * branch prediction, TLBs, caches, channels, addresses. What the stages would have counted is added later, by the
 * number of visits. An unknown answer restores the detailed core from the state's key, repeats the transition
 * with the answers so far, and records it. Results are those of the detailed core, to the byte.
 *
 * memo_graph.h has the data, memo_flight.h the addresses of the accesses in flight; memo_record.c simulates and
 * records, memo_replay.c replays, memo_lap.c replays iterations of a loop at once, which memo_learn.c has learned,
 * memo_counts.c counts. docs/develop/design.md explains the whole.
 */
#ifndef PSIM_REPLAY_MEMO_H
#define PSIM_REPLAY_MEMO_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct replay_hooks;

enum { MEMO_TRANSFERS_MAX = 255 }; /* of an array: a request counts those that end in a cycle in a byte */

/* Counts of its work. */
struct memo_stats {
	uint64_t replayed, recorded, detailed; /* cycles */
	uint64_t visits;                       /* transitions replayed */
	uint64_t laps;                         /* of loops, replayed in one go: memo_lap.h */
	uint64_t states, transitions;          /* stored now */
	uint64_t bytes, clears;
};

/* For core_options.hooks: a view and checks forbid replay, and so do more than MEMO_TRANSFERS_MAX transfers. */
extern const struct replay_hooks memo_hooks;

void memo_statistics(const struct core *c, struct memo_stats *out);

#endif
