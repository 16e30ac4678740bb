/*
 * Reductions in parts: the data are cut into blocks, of which each rank reduces one. By halving among the largest
 * power of two of ranks, numbered; of those beyond it every second one hands its data to its neighbour first.
 * R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. Or round a ring.
 */
#ifndef PSIM_VMPI_PARTS_H
#define PSIM_VMPI_PARTS_H

#include "collective.h"

struct parts {
	struct collective *c;
	void *data, *other; /* of the rank; room for as much */
	int ranks, n, rest; /* of all; the power of two; ranks beyond it */
	int root;           /* ranks are counted from here */
	bool own_parts;     /* blocks are the parts of c->send_counts, else even ones of c->recv_count */
};

/* `data` holds the rank's own, to be overwritten. Frees nothing of the caller's. */
void parts_begin(struct parts *p, struct collective *c, void *data, const void *like, int64_t count, int root);
void parts_end(struct parts *p);

/* The place of a rank among those that halve; -1: its neighbour works for it. */
int parts_number(const struct parts *p);

/* The data of ranks beyond the power of two go to their neighbours. */
void parts_fold(struct parts *p, int count);

/* Blocks of the numbers 0 … n - 1, by halving: number i has block i of `n` then. */
void parts_halve(struct parts *p, int number);
/* And back: every number gets all blocks. */
void parts_double(struct parts *p, int number);
/* Or to number 0 alone. */
void parts_gather(struct parts *p, int number);

/* Those beyond the power of two get `count` elements of `data` that their neighbours have for them. */
void parts_unfold(struct parts *p, void *data, int count);

/* An exchange of nothing with a number. */
void parts_exchange(struct parts *p, int number);

/* Round a ring of all ranks, in blocks of one rank each: rank i has block i, counted from root. */
void parts_ring(struct parts *p);
/* And round again: all ranks get all of them. */
void parts_ring_all(struct parts *p);
/* Or the root alone, up a tree. */
void parts_ring_gather(struct parts *p);

/* First element of the block of number i, and of that of the rank i from the root. */
int64_t parts_at(const struct parts *p, int i);
int64_t parts_at_rank(const struct parts *p, int i);

#endif
