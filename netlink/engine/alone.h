/* Times of messages on an idle network: an otherwise idle engine of the same kind carries them. */
#ifndef PSIM_ENGINE_ALONE_H
#define PSIM_ENGINE_ALONE_H

#include "engine.h"

struct alone_time {
	int64_t sent, delivered; /* ps after sending */
};

struct alone;

/* Makes an engine as in `setup`, without its log and checks. NULL with `e` on failure. */
struct alone *alone_create(const struct net_engine_kind *kind, const struct net_setup *setup, struct err *e);
void alone_destroy(struct alone *a); /* accepts NULL */

/*
 * Times a message from node to node: with random or changing ways, several NICs, or inputs that take turns, the mean of
 * the first messages on them. 0, or -1 with `e`.
 */
int alone_measure(struct alone *a, uint32_t src, uint32_t dst, uint64_t bytes, struct alone_time *out, struct err *e);

/* A message between two ranks, with their nodes. */
struct alone_pair {
	uint32_t src, dst, from, to;
};

/*
 * Time in ps until the last of `count` messages of `bytes` each, all sent at once, arrives; of one message as
 * alone_measure. -1 with `e`.
 */
int64_t alone_measure_together(struct alone *a, const struct alone_pair *pairs, uint32_t count, uint64_t bytes,
			       struct err *e);

#endif
