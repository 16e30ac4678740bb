/* The registry of engines. */
#ifndef PSIM_NETLINK_ENGINE_KINDS_H
#define PSIM_NETLINK_ENGINE_KINDS_H

#include "../engine/engine.h"

/* Finds an engine; NULL and `e` with the legal names if the name is unknown. */
const struct net_engine_kind *net_engine_find(const char *name, struct err *e);

/*
 * The same behind the hosts of a protocol, for setups that have one. NULL: messages take no time with this engine.
 */
const struct net_engine_kind *net_engine_with_hosts(const struct net_engine_kind *kind);

/* All engines in order, for help texts. */
const struct net_engine_kind *const *net_engine_kinds(unsigned *count);

#endif
