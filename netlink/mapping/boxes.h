/* Moves of whole boxes of nodes of a mesh or torus, which annealing tries besides single exchanges. */
#ifndef PSIM_NETLINK_MAPPING_BOXES_H
#define PSIM_NETLINK_MAPPING_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "exchange.h"

/* Tasks and their new nodes. */
struct box_move {
	uint32_t count, *task, *to, *back; /* back: their present nodes */
};

/* 0, or -1 with `e` when memory is short. */
int box_move_init(struct box_move *b, uint32_t tasks, struct err *e);
void box_move_finish(struct box_move *b);

/*
 * Selects a random box of the grid with sides that are powers of two, and a change: mirrored along
 * an axis, halves exchanged, or two axes of equal length exchanged. `random`: any numbers. Returns
 * false, without effect, if that moves no task, or a node is excluded[node].
 */
bool box_move_choose(struct box_move *b, const struct exchange *x, const bool *excluded, const uint32_t random[4]);

#endif
