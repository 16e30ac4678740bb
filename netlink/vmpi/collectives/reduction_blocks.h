/*
 * Reductions in parts: data are cut into blocks, and each rank reduces one block. Halving uses the largest power of
 * two of ranks; of the ranks beyond it every second sends its data to its neighbour first (fold). R. Rabenseifner,
 * "Optimization of collective reduction operations", ICCS 2004. Alternatively blocks go round a ring.
 */
#ifndef PSIM_VMPI_PARTS_H
#define PSIM_VMPI_PARTS_H

#include "collective.h"

struct parts {
	struct collective *c;
	void *data, *other; /* the rank's data, and a buffer of the same size */
	int ranks, n, rest; /* all ranks; the power of two; ranks beyond it */
	int root;           /* ranks are relative to root */
	bool own_parts;     /* blocks are the parts of c->send_counts, else equal blocks of c->recv_count */
};

/* Begins with the rank's data in `data`, which the reduction overwrites. Frees nothing of the caller's. */
void parts_begin(struct parts *p, struct collective *c, void *data, const void *like, int64_t count, int root);
void parts_end(struct parts *p);

/* A rank's number among those that halve; -1: its neighbour works for it. */
int parts_number(const struct parts *p);

/* Sends the data of ranks beyond the power of two to their neighbours. */
void parts_fold(struct parts *p, int count);

/* Recursive halving over the numbers 0 … n - 1: number i ends with block i of `n`. */
void parts_halve(struct parts *p, int number);
/* Recursive doubling: every number receives all blocks. */
void parts_double(struct parts *p, int number);
/* Gathers the blocks at number 0. */
void parts_gather(struct parts *p, int number);

/* Ranks beyond the power of two receive `count` elements of `data` from their neighbours. */
void parts_unfold(struct parts *p, void *data, int count);

/* Exchanges an empty message with a number. */
void parts_exchange(struct parts *p, int number);

/*
 * Reduce-scatter round a ring of all ranks in blocks of one rank each: rank i, relative to root, ends with block i.
 */
void parts_ring(struct parts *p);
/* Allgather round the ring. */
void parts_ring_all(struct parts *p);
/* Gathers the blocks at root, up a tree. */
void parts_ring_gather(struct parts *p);

/* First element of the block of number i, and of the block of rank i relative to root. */
int64_t parts_at(const struct parts *p, int i);
int64_t parts_at_rank(const struct parts *p, int i);

#endif
