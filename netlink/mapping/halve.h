/*
 * Divides a graph into two halves of given sizes so that little weight crosses: a multilevel method
 * (G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
 * graphs", SIAM J. Sci. Comput. 20(1), 1998), refined as C. Fiduccia, R. Mattheyses do (DAC 1982).
 */
#ifndef PSIM_NETLINK_MAPPING_HALVE_H
#define PSIM_NETLINK_MAPPING_HALVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum { HALVE_LEVELS_MAX = 40 };

/* A graph; those above the first have vertices that stand for several of the level below. */
struct halve_level {
	uint32_t vertices;
	size_t vertex_room, edge_room;
	size_t *first;    /* [vertex]: other[first[v] … first[v + 1] - 1] are its neighbours */
	uint32_t *other;  /* [edge], seen from both ends */
	int64_t *weight;  /* [edge]: cost if it crosses */
	uint32_t *size;   /* [vertex]: vertices of the first level in it */
	int64_t *pull;    /* [vertex]: cost saved if it is in half 1 */
	uint8_t *side;    /* [vertex]: the result */
	uint32_t *coarse; /* [vertex]: its vertex on the level above */
	uint32_t largest; /* size */
};

/* Work space of halvings, one after the other. Zero before the first; free with halve_finish. */
struct halve {
	struct halve_level level[HALVE_LEVELS_MAX];
	uint64_t seed;
	unsigned cycles; /* number of searches, of which the best counts: at least 1 */
	bool within;     /* the present one begins with halves: vertices of different sides are not joined */
	uint8_t *kept;   /* [vertex of level 0]: the best halves so far */
	/* of the level at work: */
	size_t room;
	int64_t *gain;     /* [vertex]: cost saved if it changes sides */
	uint32_t *place;   /* [vertex]: 1 + its place in the heap of its side; 0: in none */
	uint32_t *heap[2]; /* vertices, the highest gain first */
	uint32_t heap_count[2];
	uint32_t *trail, *queue; /* [vertex]: moves in their order; of a walk, and of matching */
	uint8_t *locked, *best;  /* [vertex] */
};

/* Makes room in level 0 for a graph that the caller then writes: all but side and coarse. 0, or -1 with `e`. */
int halve_room(struct halve *h, uint32_t vertices, size_t edges, struct err *e);

/*
 * Divides the graph of level 0: sets its side[vertex]. Half 0 gets `low` to `high` vertices. 0, or
 * -1 with `e` when memory is short.
 */
int halve_run(struct halve *h, uint32_t low, uint32_t high, struct err *e);
void halve_finish(struct halve *h);

/* halve_coarsen.c: makes level `depth` + 1 of the level below. 1: made; 0: the graph hardly shrinks; -1 with `e`. */
int halve_coarsen(struct halve *h, unsigned depth, struct err *e);

/*
 * halve_pieces.c: divides the graph of level 0 between its pieces, which stay whole. False if it is
 * in one piece, or no pieces make a half within the bounds, or near.
 */
bool halve_pieces(struct halve *h, uint32_t low, uint32_t high);

/* Makes room in a level. 0, or -1 with `e`. */
int halve_level_room(struct halve_level *l, uint32_t vertices, size_t edges, struct err *e);

#endif
