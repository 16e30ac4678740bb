/* The rows of the table of engines: one a kind, each defined in its own folder. */
#ifndef PSIM_NETLINK_ENGINE_KINDS_H
#define PSIM_NETLINK_ENGINE_KINDS_H

#include "../engine/engine.h"
#include "../engine/packet/packet.h"

extern const struct net_engine_kind net_none;   /* linear/ */
extern const struct net_engine_kind net_flow;   /* flow/ */
extern const struct net_engine_kind net_linear; /* linear/ */
extern const struct net_engine_kind net_table;  /* table/ */

#endif
