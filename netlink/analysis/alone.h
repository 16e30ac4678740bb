/*
 * What a message would take if it were alone: an engine of the same kind, with nothing else in it,
 * carries it.
 */
#ifndef PSIM_ANALYSIS_ALONE_H
#define PSIM_ANALYSIS_ALONE_H

#include "../engine/engine.h"

struct alone_time {
	int64_t sent, delivered; /* ps from its sending */
};

struct alone;

/* An engine as `setup` has it, without its log and its checks. NULL and `e` if there is none. */
struct alone *alone_create(const struct net_engine_kind *kind, const struct net_setup *setup,
                           struct err *e);
void alone_destroy(struct alone *a); /* NULL is allowed */

/* From node to node. 0, or -1 with `e`. */
int alone_ask(struct alone *a, uint32_t src, uint32_t dst, uint64_t bytes, struct alone_time *out,
              struct err *e);

#endif
