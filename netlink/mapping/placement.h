/*
 * Placements: the node of each task (rank), and their file format (docs/programs/mopt.md).
 *
 *     # mapping: rank node
 *     ranks 4
 *     0 2
 *     1 3
 *     2 0
 *     3 1
 */
#ifndef PSIM_NETLINK_MAPPING_PLACEMENT_H
#define PSIM_NETLINK_MAPPING_PLACEMENT_H

#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

/* Writes the file; closing `out` reports errors. */
void placement_write(const uint32_t *node, uint32_t ranks, FILE *out);

/*
 * Reads a placement: returns node[rank], to be freed with free(), and sets *ranks. Every rank must
 * have a node below `nodes`. NULL and `e` (STATUS_BAD_INPUT, with NAME:line; STATUS_FAILED).
 */
uint32_t *placement_read(FILE *in, const char *name, uint32_t nodes, uint32_t *ranks, struct err *e);

#endif
