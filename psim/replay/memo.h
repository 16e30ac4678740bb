/*
 * Replay of known transitions: the concepts.
 *
 * A loop makes a core repeat itself. Replay is a cache of what a core does: the tag is the core's state, and the line
 * is what the core does from there on. A hit costs a fraction of simulating the cycles in detail. A miss simulates
 * them, and fills the line. Results are those of the detailed core, to the byte.
 *
 *   state        all that is within the core at the begin of a cycle: reorder buffer, stations, queues, timers. It is
 *                stored as a key (core_key.h): words with times relative to the present cycle, and slots relative to
 *                the oldest instruction. So iterations of a loop have equal keys. core_restore makes a core of a key.
 *   outside      all else that timing depends on: trace, predictors, TLBs, caches, channels, addresses. A key has
 *                none of it.
 *   request      a question of the core to the outside, as a load's access to L1D (core_requests.h)
 *   answer       the reply: the line is there in 4 cycles, or the access is refused. The outside is simulated in
 *                replay too, so it is up to date, and each answer is true.
 *   transition   the cycles from a state to the next state that is stored: 1 to 8 cycles with requests, and those
 *                without between them
 *   node, edge   A transition is a path in a tree: a node is a request, and each edge from it an answer. An edge has
 *                the cycles up to the next request. Equal begins of transitions are stored once.
 *   ending       the end of a path: the next state, and what the transition adds to counters and profile. Replay
 *                counts visits; memo_sum multiplies them when the counters are read.
 *   in flight    the addresses of accesses between fetch and completion, in rings in program order (memo_in_flight.h).
 *                Requests in a path name them by their distance from the youngest.
 *   fast path    a kind of request that replay makes and answers inline, without the search for an edge
 *   signature    a hash of a part of the key, which is cheaper than the key. A state is stored when its signature is
 *                seen again: most states of an irregular program never come back. With an array each state is
 *                stored at once, as programs for arrays repeat themselves
 *   loop period  iterations of a loop after which all addresses have moved by whole lines of L1D
 *                (memo_loop_period.h). After two equal ones, replay makes only the accesses that change caches, and
 *                compares their answers. Of a loop that accesses SBM alone, a few iterations in which the same lines
 *                of transfers come.
 *
 *        state A ──▶ load at L1D? ──▶ hit ───▶ next group? ──▶ group 7, 3 cycles ──▶ state B
 *                                 └─▶ refused, 9 cycles ──▶ …
 *
 * A run changes between modes:
 *
 *   detailed     The stages simulate each cycle. The state is looked up before a cycle with a request, where that may
 *                pay (memo_worth.c). A transition from a state with a new signature is not stored.
 *   recording    The state is new, or an answer in it: the stages simulate, and the transition is stored
 *                (memo_record.c).
 *   replaying    The state is known: requests are made, and edges followed (memo_replay.c). At an answer without an
 *                edge, the core is restored from the last state's key. It repeats the cycles up to there with the
 *                answers given in advance, and records from there on.
 *   loop period  A loop is replayed several iterations at once (memo_learn.c, memo_learn_array.c,
 *                memo_loop_period.c).
 *   lines        An array's transfers request several lines at once (memo_lines.h).
 *
 * memo_graph.h has the data, memo_fetch.h fetched groups, memo_array.h the requests of the array, memo_counts.c the
 * counts.
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
	uint64_t loop_periods;                 /* of loops, replayed in one go: memo_loop_period.h */
	uint64_t lines;                        /* of an array's transfers, requested in one go: memo_lines.h */
	uint64_t states, transitions;          /* stored now */
	uint64_t bytes, clears;
};

/* For core_options.hooks: the pipe trace and checks forbid replay, and so do more than MEMO_TRANSFERS_MAX transfers. */
extern const struct replay_hooks memo_hooks;

void memo_statistics(const struct core *c, struct memo_stats *out);

#endif
