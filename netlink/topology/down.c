#include "down.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

static uint32_t down_vertices(const struct topology *t)
{
	return t->nodes + t->routers;
}

struct topology_down *down_copy(const struct topology *t, struct err *e)
{
	struct topology_down *d = mem_alloc(1, sizeof(*d), e);

	if (!d)
		return NULL;
	d->named_link = mem_alloc(t->links + (size_t)1, 1, e);
	d->link = mem_alloc(t->links + (size_t)1, 1, e);
	d->named = mem_alloc(down_vertices(t), 1, e);
	d->part = mem_alloc(down_vertices(t), sizeof(*d->part), e);
	if (!d->named_link || !d->link || !d->named || !d->part) {
		down_destroy(d);
		return NULL;
	}
	if (t->down) {
		memcpy(d->named_link, t->down->named_link, t->links);
		memcpy(d->named, t->down->named, down_vertices(t));
	}
	return d;
}

void down_destroy(struct topology_down *d)
{
	if (!d)
		return;
	free(d->named_link);
	free(d->named);
	free(d->link);
	free(d->part);
	free(d);
}

/* ---- what follows from what is named ---- */

/* Marks the part of router `first`, over links that are up; `queue` has room for all routers. */
static void mark_part(struct topology_down *d, const struct topology *t, uint32_t first, uint32_t part, uint32_t *queue)
{
	uint32_t count = 1;

	queue[0] = first;
	d->part[first] = part;
	for (uint32_t at = 0; at < count; at++)
		for (uint32_t i = t->out_first[queue[at]]; i < t->out_first[queue[at] + 1]; i++) {
			uint32_t to = t->link[t->out_link[i]].to;

			if (d->link[t->out_link[i]] || to < t->nodes || d->part[to] != DOWN_NONE)
				continue;
			d->part[to] = part;
			queue[count++] = to;
		}
}

int down_settle(struct topology_down *d, const struct topology *t, struct err *e)
{
	uint32_t *queue = mem_alloc(t->routers, sizeof(*queue), e);

	if (!queue)
		return -1;
	for (uint32_t l = 0; l < t->links; l++)
		d->link[l] = d->named_link[l] | d->named[t->link[l].from] | d->named[t->link[l].to];
	for (uint32_t v = 0; v < down_vertices(t); v++)
		d->part[v] = DOWN_NONE;
	d->parts = 0;
	for (uint32_t v = t->nodes; v < down_vertices(t); v++)
		if (!d->named[v] && d->part[v] == DOWN_NONE)
			mark_part(d, t, v, d->parts++, queue);
	for (uint32_t node = 0; node < t->nodes; node++)
		if (!d->named[node])
			d->part[node] = d->part[t->link[t->inject[(size_t)node * t->nics]].to];
	free(queue);
	return 0;
}

bool topology_reaches(const struct topology *t, uint32_t from, uint32_t to)
{
	const struct topology_down *d = t->down;

	return !d || (d->part[from] != DOWN_NONE && d->part[from] == d->part[to]);
}

int down_expect_whole(const struct topology *t, struct err *e)
{
	for (uint32_t node = 0; t->down && node < t->nodes; node++)
		if (!topology_reaches(t, 0, node))
			return err_set(e, STATUS_USAGE,
				       "topology.down: no way from node 0 to node %" PRIu32
				       ", expected a network in one part with all of its nodes",
				       node);
	return 0;
}

struct down_counts down_count(const struct topology *t, const struct topology_down *d)
{
	struct down_counts c = {0};

	for (uint32_t l = 0; l < t->links; l++) {
		double rate = t->class[t->link[l].class].bytes_per_s;

		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes)
			continue;
		c.links++;
		c.bytes_per_s += rate;
		c.links_down += d->link[l];
		c.bytes_per_s_down += d->link[l] ? rate : 0;
	}
	for (uint32_t v = 0; v < t->nodes; v++)
		c.nodes_down += d->part[v] == DOWN_NONE;
	for (uint32_t v = t->nodes; v < down_vertices(t); v++)
		c.routers_down += d->part[v] == DOWN_NONE;
	return c;
}
