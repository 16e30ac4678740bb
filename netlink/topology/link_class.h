/* Classes of links that the configuration names: sections [link.NAME], and their effect on a network. */
#ifndef PSIM_NETLINK_LINK_CLASS_H
#define PSIM_NETLINK_LINK_CLASS_H

#include "link_graph.h"

/* Adds the sections [link.NAME] to `c` (NULL: none), which fill `target`. */
void link_class_config_add(struct config *c, struct topology_config *target);

/*
 * Gives all classes their energy, and those that sections name their bandwidths and cables. Call when all classes are
 * known, before graph_limit_ports. 0, or -1 with `e` (STATUS_USAGE) and the section's place where no link is of a class
 * of its name, or where a key of [link] has no class left to be read for.
 */
int link_class_apply(const struct topology_config *cfg, struct graph *g, struct err *e);

/* Returns the section of class `name`, or NULL. */
const struct link_class_config *link_class_section(const struct topology_config *cfg, const char *name);

#endif
