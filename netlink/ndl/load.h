/*
 * Loads a description into this process: compiles it to a shared object, runs its net_config, and
 * builds its network. The routing functions of the network are code of that object.
 */
#ifndef PSIM_NETLINK_NDL_LOAD_H
#define PSIM_NETLINK_NDL_LOAD_H

#include "../wormhole/network.h"

struct ndl_loaded;

/*
 * Loads the description in `file`. Its net_config gets `operands` (separated by blanks; NULL: none)
 * and must take all of them. NULL and `e`: STATUS_BAD_INPUT with line and instance (the first of
 * the network's mistakes), STATUS_USAGE (operands), STATUS_FAILED (no compiler, no memory). Free
 * with ndl_unload.
 */
struct ndl_loaded *ndl_load(const char *file, const char *operands, struct err *e);
void ndl_unload(struct ndl_loaded *l); /* NULL is allowed */

/* Returns the network; it lives as long as `l`. */
const struct network *ndl_network_of(const struct ndl_loaded *l);

#endif
