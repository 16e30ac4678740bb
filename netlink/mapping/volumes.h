/* Bytes on the links of a network: by class of links, their distribution, and a picture of it. */
#ifndef PSIM_NETLINK_MAPPING_VOLUMES_H
#define PSIM_NETLINK_MAPPING_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../topology/topology.h"

/* The links of one class: "+x", "up1". */
struct volume_class {
	const char *name;
	uint32_t links;
	double total; /* bytes on all of them */
	uint64_t most;
};

/* The bytes on links between routers, in ascending order. Free with volumes_finish. */
struct volumes {
	uint32_t links;
	uint64_t *sorted;
	unsigned classes; /* classes with links between routers */
	struct volume_class *class;
};

/* Computes the volumes from load[link] of the whole network. 0, or -1 with `e` when memory is short. */
int volumes_of(const struct topology *t, const uint64_t *load, struct volumes *v, struct err *e);
void volumes_finish(struct volumes *v);

/* Returns the volume that `share` (0 … 1) of the links do not exceed; 0 without links. */
uint64_t volumes_quantile(const struct volumes *v, double share);

/*
 * Draws both as SVG: the distribution of bytes over links (figure 8 of S. Sano, K. Kise, "Task
 * Mapping Method for Mesh/Torus Connection Network"), and mean and maximum of each class. Closing
 * `out` reports errors.
 */
void volumes_picture(const struct volumes *before, const struct volumes *after, const char *title, FILE *out);

#endif
