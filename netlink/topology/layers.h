/*
 * Layers of virtual channels for given paths: a path takes one channel number all the way, and the paths of a layer
 * have no cycle of dependences (T. Skeie, O. Lysne, I. Theiss, "Layered shortest path (LASH) routing in irregular
 * system area networks", IPDPS 2002; J. Domke, T. Hoefler, W. Nagel, "Deadlock-free oblivious routing for arbitrary
 * topologies", IPDPS 2011, find the layers of all paths at once).
 */
#ifndef PSIM_NETLINK_LAYERS_H
#define PSIM_NETLINK_LAYERS_H

#include <stdint.h>

#include "../../psim/base/err.h"

struct layers;

/* Makes no layers yet, of at most `most`, for paths over `links` links. NULL with `e`. */
struct layers *layers_create(uint32_t links, unsigned most, struct err *e);
void layers_destroy(struct layers *l); /* NULL is allowed */

/*
 * Puts a path in the first layer that it closes no cycle in, which may be a new one. Returns the layer; -1 with `e`:
 * STATUS_USAGE if there would be more than `most`.
 */
int layers_add(struct layers *l, const uint32_t *path, unsigned count, struct err *e);

/* Returns the number of layers. */
unsigned layers_count(const struct layers *l);

#endif
