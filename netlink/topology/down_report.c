/* The report of what is down, and of what that costs. */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/report/report.h"
#include "down.h"
#include "topology_names.h"
#include "kind.h"

enum { PAIRS_MAX = 1024, FLOW_MAX = 4096, PARTS_SHOWN = 16, HOPS_MOST = 4096 };

/*
 * The hottest link between routers where all nodes that are up send as much to each other: a path for each pair, by
 * its first choices. Returns the share of the injection bandwidth at which it is full, 0 if there is none.
 */
static double find_hottest(const struct topology *t, uint32_t *hottest)
{
	uint32_t *paths = mem_alloc(t->links, sizeof(*paths), NULL), *path = mem_alloc(HOPS_MOST, sizeof(*path), NULL);
	double inject = t->class[t->link[t->inject[0]].class].bytes_per_s * t->nics, most = 0;
	uint32_t up = 0;

	*hottest = LINK_NONE;
	for (uint32_t src = 0; paths && path && src < t->nodes; src++) {
		up += topology_reaches(t, src, src);
		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			unsigned links = 0;

			if (src != dst && topology_reaches(t, src, dst))
				links = topology_path(t, src, dst, (uint64_t)src * t->nodes + dst, path, HOPS_MOST);
			for (unsigned i = 1; i + 1 < links; i++)
				paths[path[i]]++;
		}
	}
	for (uint32_t l = 0; paths && path && l < t->links; l++) {
		const struct topology_class *class = &t->class[t->link[l].class];
		double load = paths[l] / class->bytes_per_s;

		/* paths share links otherwise, or do not */
		if (load > most && !class->fat && !class->half_duplex && !class->backbone) {
			most = load;
			*hottest = l;
		}
	}
	free(paths);
	free(path);
	return most > 0 && up > 1 ? (up - 1) / (most * inject) : 0;
}

static void report_hottest(const struct topology *t, struct report *r)
{
	char name[LINK_NAME_MAX];
	uint32_t link;
	double load;

	if (t->nodes > PAIRS_MAX)
		return;
	load = find_hottest(t, &link);
	if (!(load > 0))
		return;
	report_text(r, "hottest_link", topology_link_name(t, link, name),
		    "link with the most traffic if each node sends as much to every other one");
	report_f64(r, "hottest_full", load, "",
		   "load of each node at which that link is full, as a share of the injection bandwidth");
}

static void report_lost(const struct topology *t, const struct down_counts *c, struct report *r)
{
	double whole;

	report_f64(r, "bandwidth_lost", c->bytes_per_s > 0 ? c->bytes_per_s_down / c->bytes_per_s : 0, "",
		   "share of the bandwidth of links between routers");
	if (t->nodes < 2 || t->nodes > FLOW_MAX)
		return;
	whole = topology_flow_between_halves(t, NULL);
	if (whole > 0 && whole < TOPOLOGY_NO_LIMIT)
		report_f64(r, "bisection_lost", 1 - topology_flow_between_halves(t, t->down) / whole, "",
			   "share of the maximum flow from the lower half of the nodes to the upper half");
}

struct part_size {
	uint32_t routers, nodes;
};

static void report_parts(const struct topology *t, struct report *r)
{
	static const struct report_column columns[] = {{"part", ""}, {"routers", ""}, {"nodes", ""}};
	const struct topology_down *d = t->down;
	struct part_size *size = mem_alloc(d->parts + (size_t)1, sizeof(*size), NULL);

	for (uint32_t v = 0; size && v < t->nodes + t->routers; v++) {
		if (d->part[v] == DOWN_NONE)
			continue;
		size[d->part[v]].routers += v >= t->nodes;
		size[d->part[v]].nodes += v < t->nodes;
	}
	if (size && d->parts > 1) {
		report_table(r, "part_sizes", "parts of the network without a way between them: the first 16", columns,
			     3);
		for (uint32_t p = 0; p < d->parts && p < PARTS_SHOWN; p++) {
			report_cell_u64(r, p);
			report_cell_u64(r, size[p].routers);
			report_cell_u64(r, size[p].nodes);
		}
		report_table_end(r);
	}
	free(size);
}

void down_report(const struct topology *t, struct report *r)
{
	struct down_counts c;

	if (!t->down)
		return;
	c = down_count(t, t->down);
	report_u64(r, "links_down", c.links_down, "links", "one-way links between routers that are down");
	report_u64(r, "links_all", c.links, "links", "one-way links between routers");
	report_u64(r, "routers_down", c.routers_down, "", "routers that are down");
	report_u64(r, "nodes_down", c.nodes_down, "", "nodes that are down, those of such routers included");
	report_u64(r, "parts", t->down->parts, "", "parts of the network without a way between them");
	report_lost(t, &c, r);
	report_hottest(t, r);
	report_parts(t, r);
}
