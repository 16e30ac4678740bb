/* All engines, by name. */
#ifndef PSIM_NETLINK_ENGINE_KINDS_H
#define PSIM_NETLINK_ENGINE_KINDS_H

#include "../engine/engine.h"

/* By name; NULL and `e` with the legal names if there is none. */
const struct net_engine_kind *net_engine_find(const char *name, struct err *e);

/* All of them, in order; for help texts. */
const struct net_engine_kind *const *net_engine_kinds(unsigned *count);

#endif
