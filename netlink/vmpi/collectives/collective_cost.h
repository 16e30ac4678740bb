/*
 * What algorithms would take on this network: the rule by which one is chosen. Each adds up its rounds: the calls and
 * handshakes, and the time of the messages, which an engine of the same kind carries with nothing else in it
 * (../../engine/alone.h): hops one message alone, rounds those of all ranks together. What rounds do to each other does
 * not count, and data are combined at once, as here they are.
 *
 * The result is the same on all ranks of a communicator: it depends on what all of them know.
 */
#ifndef PSIM_VMPI_COST_H
#define PSIM_VMPI_COST_H

#include "collective.h"

struct cost_network;
void cost_network_destroy(struct cost_network *n); /* NULL is allowed */

/* ps: a message of `bytes` from a rank to the one `distance` further on, from its call to its data. */
int64_t cost_hop(const struct collective *c, int distance, int64_t bytes);
/* All ranks send to the one `distance` further on, each with a receive of its own; or pairs of that distance. */
int64_t cost_shift(const struct collective *c, int distance, int64_t bytes);
int64_t cost_exchange(const struct collective *c, int distance, int64_t bytes);

/* Rounds of exchanges, of distances 1, 2, 4 … below the largest power of two of ranks. */
int64_t cost_doubling(const struct collective *c, int64_t bytes); /* from `bytes` on, doubled in each */
int64_t cost_halving(const struct collective *c, int64_t bytes);  /* half of `bytes`, a quarter … */
int64_t cost_same(const struct collective *c, int64_t bytes);     /* `bytes` in each */
/* Rounds of shifts, of distances 1, 2, 4 … below the ranks, in which what ranks have doubles from `bytes` on. */
int64_t cost_bruck(const struct collective *c, int64_t bytes);
/* Ranks - 1 rounds with neighbours. */
int64_t cost_ring(const struct collective *c, int64_t bytes);
/* Ranks - 1 rounds, each with another distance. */
int64_t cost_pairwise(const struct collective *c, int64_t bytes);
/* Sends to, and receives from, all others, begun one after the other. */
int64_t cost_spread(const struct collective *c, int64_t bytes);
/* A binomial tree of `bytes`; or of so many for each rank of a subtree. */
int64_t cost_tree(const struct collective *c, int64_t bytes);
int64_t cost_tree_parts(const struct collective *c, double bytes);
/* Root sends to each of the others, one after the other; or all others to root, at once. */
int64_t cost_linear(const struct collective *c, int64_t bytes);
int64_t cost_to_one(const struct collective *c, int64_t bytes);
/* A chain of all ranks through which `bytes` go in pieces of `piece`. */
int64_t cost_chain(const struct collective *c, int64_t bytes, int64_t piece);
/* The piece that makes it shortest: `bytes` or a power of two below. */
int64_t cost_chain_piece(const struct collective *c, int64_t bytes);
/*
 * cost_halving and cost_same where ranks beyond a power of two hand their data to a neighbour first (and get the result
 * last). While it waits for them, what others send it for all rounds arrives too, unless it must ask.
 */
int64_t cost_fold_halving(const struct collective *c, int64_t bytes);
int64_t cost_fold_same(const struct collective *c, int64_t bytes);
int64_t cost_unfold(const struct collective *c, int64_t bytes);

/* Data of all parts together, bytes. */
int64_t cost_total(const struct collective *c);

#endif
