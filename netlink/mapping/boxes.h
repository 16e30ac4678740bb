/* Moves of whole boxes of nodes of a mesh or torus: what annealing tries beside single exchanges. */
#ifndef PSIM_NETLINK_MAPPING_BOXES_H
#define PSIM_NETLINK_MAPPING_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "exchange.h"

/* Tasks and the nodes to which they go. */
struct box_move {
	uint32_t count, *task, *to, *back; /* back: where they are */
};

/* 0, or -1 with `e` when memory is short. */
int box_move_init(struct box_move *b, uint32_t tasks, struct err *e);
void box_move_finish(struct box_move *b);

/*
 * A box at random of the grid, its sides powers of two; it is mirrored along an axis, its halves change
 * places, or two of its axes of equal length do. `random`: any numbers. False, and nothing, if that moves
 * no task, or a node is excluded[node].
 */
bool box_move_choose(struct box_move *b, const struct exchange *x, const bool *excluded, const uint32_t random[4]);

#endif
