/* Pairs of ranks with weights, from a file: docs/formats/traffic.md, pattern `pairs`. */
#ifndef PSIM_NETLINK_WEIGHTED_PAIRS_H
#define PSIM_NETLINK_WEIGHTED_PAIRS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct pairs;

/* Reads a file of lines "SENDER RECEIVER [WEIGHT]". NULL with `e`: STATUS_BAD_INPUT with FILE:line. */
struct pairs *pairs_read(const char *path, uint32_t ranks, struct err *e);
/* Reads one from an open stream, which messages call `name`. */
struct pairs *pairs_read_stream(FILE *in, const char *name, uint32_t ranks, struct err *e);
void pairs_destroy(struct pairs *x); /* NULL is allowed */

/* Returns whether a rank sends to any other. */
bool pairs_sends(const struct pairs *x, uint32_t rank);

/* Draws the receiver of message `number` of a rank that sends, by weight. */
uint32_t pairs_draw(const struct pairs *x, uint64_t seed, uint32_t rank, uint64_t number);

#endif
