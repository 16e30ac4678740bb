#include "domain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { NO_PARTITION = UINT16_MAX };

/* Returns the router of NIC `i` of a node. */
static uint32_t router_of(const struct topology *t, uint32_t node, unsigned i)
{
	return t->link[t->inject[(size_t)node * t->nics + i]].to;
}

/*
 * Assigns partitions to routers with nodes, in the order of their first nodes, by the number of nodes of those before
 * them: the nodes of a router may have numbers that are far apart. `homes` is for the number of nodes of each router.
 */
static void divide_homes(const struct topology *t, unsigned partitions, uint16_t *owner, uint32_t *homes)
{
	uint64_t before = 0;

	for (uint32_t node = 0; node < t->nodes; node++)
		homes[router_of(t, node, 0)]++;
	for (uint32_t node = 0; node < t->nodes; node++) {
		uint32_t home = router_of(t, node, 0);
		uint16_t partition = (uint16_t)(before * partitions / t->nodes);

		before += homes[home];
		homes[home] = 0;
		for (unsigned i = 0; i < t->nics; i++)
			if (owner[router_of(t, node, i)] == NO_PARTITION)
				owner[router_of(t, node, i)] = partition;
		owner[node] = owner[home];
	}
}

static void divide_others(const struct topology *t, unsigned partitions, uint16_t *owner)
{
	uint32_t others = 0, i = 0;

	for (uint32_t v = t->nodes; v < t->nodes + t->routers; v++)
		others += owner[v] == NO_PARTITION;
	for (uint32_t v = t->nodes; v < t->nodes + t->routers; v++)
		if (owner[v] == NO_PARTITION)
			owner[v] = (uint16_t)((uint64_t)i++ * partitions / others);
}

/* Returns whether each node is in the partition of all its routers. */
static bool keeps_nodes_whole(const struct topology *t, const uint16_t *owner)
{
	for (uint32_t i = 0; i < t->nodes * t->nics; i++)
		if (owner[t->link[t->inject[i]].to] != owner[i / t->nics] ||
		    owner[t->link[t->eject[i]].from] != owner[i / t->nics])
			return false;
	return true;
}

/* Returns whether each partition has a node. */
static bool all_used(const struct topology *t, unsigned partitions, const uint16_t *owner)
{
	unsigned used = 0;

	for (unsigned p = 0; p < partitions; p++)
		for (uint32_t node = 0; node < t->nodes; node++)
			if (owner[node] == p) {
				used++;
				break;
			}
	return used == partitions;
}

uint16_t *domain_divide(const struct topology *t, unsigned partitions, struct err *e)
{
	uint32_t vertices = t->nodes + t->routers;
	uint16_t *owner = mem_alloc(vertices, sizeof(*owner), e);
	uint32_t *homes = owner ? mem_alloc(vertices, sizeof(*homes), e) : NULL;

	if (!homes) {
		free(owner);
		return NULL;
	}
	for (uint32_t v = 0; v < vertices; v++)
		owner[v] = NO_PARTITION;
	divide_homes(t, partitions, owner, homes);
	free(homes);
	divide_others(t, partitions, owner);
	if (keeps_nodes_whole(t, owner) && all_used(t, partitions, owner))
		return owner;
	err_set(e, STATUS_USAGE,
		"this network of %" PRIu32 " node%s cannot be divided among %u processes, each with routers of its own",
		t->nodes, t->nodes == 1 ? "" : "s", partitions);
	free(owner);
	return NULL;
}
