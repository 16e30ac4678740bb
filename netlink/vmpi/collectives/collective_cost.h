/*
 * Predicted times of algorithms on this network, by which one is chosen. A prediction adds up the rounds: calls,
 * handshakes, and messages. A second engine of the same kind carries the messages on an idle network
 * (../../engine/alone.h): one message for a hop, the messages of all ranks for a round. Interference between rounds
 * is ignored, and combining data takes no time, as in the simulation.
 *
 * The result is the same on all ranks of a communicator, because it depends only on what all of them know.
 */
#ifndef PSIM_VMPI_COST_H
#define PSIM_VMPI_COST_H

#include "collective.h"

struct cost_network;
void cost_network_destroy(struct cost_network *n); /* accepts NULL */

/* Time in ps of a message of `bytes` to rank + `distance`, from its call to the arrival of its data. */
int64_t cost_hop(const struct collective *c, int distance, int64_t bytes);
/* All ranks send to rank + `distance` and receive as much; or pairs at that distance exchange. */
int64_t cost_shift(const struct collective *c, int distance, int64_t bytes);
int64_t cost_exchange(const struct collective *c, int distance, int64_t bytes);

/* Rounds of exchanges at distances 1, 2, 4 … below the largest power of two of ranks. */
int64_t cost_doubling(const struct collective *c, int64_t bytes); /* `bytes`, doubled in each round */
int64_t cost_halving(const struct collective *c, int64_t bytes);  /* half of `bytes`, then a quarter … */
int64_t cost_same(const struct collective *c, int64_t bytes);     /* `bytes` in each round */
/* Rounds of shifts at distances 1, 2, 4 … below the number of ranks; the data of a rank double from `bytes` on. */
int64_t cost_bruck(const struct collective *c, int64_t bytes);
/* Ranks - 1 rounds between neighbours. */
int64_t cost_ring(const struct collective *c, int64_t bytes);
/* Ranks - 1 rounds, each at another distance. */
int64_t cost_pairwise(const struct collective *c, int64_t bytes);
/* Sends to and receives from all other ranks, posted in sequence. */
int64_t cost_spread(const struct collective *c, int64_t bytes);
/* A binomial tree of `bytes`, or of `bytes` for each rank of a subtree. */
int64_t cost_tree(const struct collective *c, int64_t bytes);
int64_t cost_tree_parts(const struct collective *c, double bytes);
/* Root sends to the other ranks in sequence, or all others send to root at once. */
int64_t cost_linear(const struct collective *c, int64_t bytes);
int64_t cost_to_one(const struct collective *c, int64_t bytes);
/* A chain of all ranks that pipelines `bytes` in pieces of `piece`. */
int64_t cost_chain(const struct collective *c, int64_t bytes, int64_t piece);
/* The piece that minimizes cost_chain: `bytes` or a power of two below. */
int64_t cost_chain_piece(const struct collective *c, int64_t bytes);
/*
 * cost_halving and cost_same where ranks beyond a power of two send their data to a neighbour first and get the
 * result last. While the neighbour waits, eager messages of the later rounds arrive too.
 */
int64_t cost_fold_halving(const struct collective *c, int64_t bytes);
int64_t cost_fold_same(const struct collective *c, int64_t bytes);
int64_t cost_unfold(const struct collective *c, int64_t bytes);

/* Time of combining `bytes` of two ranks' data (mpi.combine). */
int64_t cost_combine(const struct collective *c, int64_t bytes);
/* Time of copying `parts` separate parts of a rank's own data, `bytes` together (mpi.copy, mpi.copy_part). */
int64_t cost_copies(const struct collective *c, int64_t parts, int64_t bytes);
/* log2 of the ranks, rounded up. */
int cost_rounds(const struct collective *c);

/* Bytes of all parts. */
int64_t cost_total(const struct collective *c);

#endif
