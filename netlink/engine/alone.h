/*
 * What a message would take if it were alone: an engine of the same kind, with nothing else in it,
 * carries it.
 */
#ifndef PSIM_ENGINE_ALONE_H
#define PSIM_ENGINE_ALONE_H

#include "engine.h"

struct alone_time {
	int64_t sent, delivered; /* ps from its sending */
};

struct alone;

/* An engine as `setup` has it, without its log and its checks. NULL and `e` if there is none. */
struct alone *alone_create(const struct net_engine_kind *kind, const struct net_setup *setup, struct err *e);
void alone_destroy(struct alone *a); /* NULL is allowed */

/* From node to node. 0, or -1 with `e`. */
int alone_ask(struct alone *a, uint32_t src, uint32_t dst, uint64_t bytes, struct alone_time *out, struct err *e);

/* A message of a rank to another one, on their nodes. */
struct alone_pair {
	uint32_t src, dst, from, to;
};

/* ps until the last of `count` messages of `bytes` each, all sent at once, has arrived; -1 with `e`. */
int64_t alone_together(struct alone *a, const struct alone_pair *pairs, uint32_t count, uint64_t bytes, struct err *e);

#endif
