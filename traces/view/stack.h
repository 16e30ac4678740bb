/*
 * LRU stack distances: how many other lines were touched since a line was last
 * touched. A fully associative cache of n lines with LRU replacement hits
 * exactly those accesses whose distance is less than n (Mattson et al., 1970).
 *
 * Each line's last access is a bit on a time axis; the distance is the number
 * of bits after it, counted by a Fenwick tree over 64-bit words (Bennett and
 * Kruskal, 1975). When the axis is full the times are renumbered, so memory
 * depends on the number of lines, not on that of accesses.
 */
#ifndef PSIM_TRACES_VIEW_STACK_H
#define PSIM_TRACES_VIEW_STACK_H

#include <stdint.h>

#include "../../psim/base/err.h"

enum { STACK_BUCKETS = 40 };

struct stack {
	uint64_t *lines; /* by index, in order of first access */
	uint32_t *times; /* by index */
	uint32_t count, room;
	uint32_t *table; /* hash of a line → index + 1, 0: free */
	unsigned table_bits;
	uint64_t *alive;    /* a bit for each time: some line's last access */
	uint32_t *at;       /* time → index */
	uint32_t *tree;     /* Fenwick tree over the words of `alive` */
	uint32_t now, axis; /* next time, number of times */
	uint32_t last;      /* index of the line touched last */

	/* results */
	uint64_t accesses;
	/* [0]: distance 0; [b]: 2^(b-1) ≤ distance < 2^b. First accesses are not counted. */
	uint64_t distance[STACK_BUCKETS];
};

int stack_init(struct stack *s, struct err *e);
void stack_finish(struct stack *s);

/* Counts an access to `line` (any number that identifies it). Returns -1 if memory is exhausted. */
int stack_touch(struct stack *s, uint64_t line, struct err *e);

/* Misses in a fully associative LRU cache of 2^bits lines, including first accesses. */
uint64_t stack_misses(const struct stack *s, unsigned bits);

/* Number of different values of line >> shift. Returns 0 if memory is exhausted. */
uint64_t stack_distinct(const struct stack *s, unsigned shift);

#endif
