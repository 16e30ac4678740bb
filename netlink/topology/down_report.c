/* The report of what is down, and of what that costs. */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/report/report.h"
#include "down.h"
#include "topology_names.h"
#include "kind.h"

enum { PAIRS_MAX = 1024, FLOW_MAX = 4096, PARTS_SHOWN = 16, HOPS_MOST = 4096 };

/* The link that stands for all that share a bandwidth: the first of a backbone's class, or of a link and that back. */
static uint32_t medium_of(const struct topology *t, uint32_t link)
{
	const struct topology_link *own = &t->link[link];
	const struct topology_class *class = &t->class[own->class];
	uint32_t before = 0, back = 0;

	if (!class->backbone && !class->half_duplex)
		return link;
	for (uint32_t l = 0; l < link; l++) {
		if (t->link[l].class != own->class)
			continue;
		if (class->backbone)
			return l;
		before += t->link[l].from == own->from && t->link[l].to == own->to;
	}
	for (uint32_t l = 0; !class->backbone && l < link; l++) { /* the k-th back for the k-th there */
		bool is_back =
			t->link[l].class == own->class && t->link[l].from == own->to && t->link[l].to == own->from;

		if (is_back && back++ == before)
			return l;
	}
	return link;
}

struct hottest {
	const struct topology *t;
	uint32_t *medium; /* [link] */
	uint32_t *paths;  /* [medium]: paths over it */
	uint32_t *last;   /* [medium]: 1 + the pair whose path was over it last: a path counts once */
	uint32_t *path;
	uint32_t up; /* nodes */
};

static void count_path(struct hottest *h, uint32_t src, uint32_t dst)
{
	uint32_t pair = src * h->t->nodes + dst;
	unsigned links = topology_path(h->t, src, dst, pair, h->path, HOPS_MOST);

	for (unsigned i = 1; i + 1 < links; i++) {
		uint32_t m = h->medium[h->path[i]];

		h->paths[m] += h->last[m] != pair + 1;
		h->last[m] = pair + 1;
	}
}

static void count_paths(struct hottest *h)
{
	const struct topology *t = h->t;

	for (uint32_t l = 0; l < t->links; l++)
		h->medium[l] = medium_of(t, l);
	for (uint32_t src = 0; src < t->nodes; src++) {
		h->up += topology_reaches(t, src, src);
		for (uint32_t dst = 0; dst < t->nodes; dst++)
			if (src != dst && topology_reaches(t, src, dst))
				count_path(h, src, dst);
	}
}

/*
 * The hottest link between routers where all nodes that are up send as much to each other: a path for each pair, by
 * its first choices. Returns the share of the injection bandwidth at which it is full, 0 if there is none.
 */
static double find_hottest(const struct topology *t, uint32_t *hottest)
{
	struct hottest h = {.t = t,
			    .medium = mem_alloc(t->links, sizeof(*h.medium), NULL),
			    .paths = mem_alloc(t->links, sizeof(*h.paths), NULL),
			    .last = mem_alloc(t->links, sizeof(*h.last), NULL),
			    .path = mem_alloc(HOPS_MOST, sizeof(*h.path), NULL)};
	double inject = t->class[t->link[t->inject[0]].class].bytes_per_s * t->nics, most = 0;
	bool there = h.medium && h.paths && h.last && h.path;

	*hottest = LINK_NONE;
	if (there)
		count_paths(&h);
	for (uint32_t l = 0; there && l < t->links; l++) {
		const struct topology_class *class = &t->class[t->link[l].class];
		double load = h.paths[l] / class->bytes_per_s;

		if (load > most && !class->fat) { /* paths do not share fat links */
			most = load;
			*hottest = l;
		}
	}
	free(h.medium);
	free(h.paths);
	free(h.last);
	free(h.path);
	return most > 0 && h.up > 1 ? (h.up - 1) / (most * inject) : 0;
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
	report_text(r, "hottest_link", topology_medium_name(t, link, name),
		    "link with the most traffic if each node sends as much to every other one");
	report_f64(r, "hottest_full", load, "",
		   "load at which that link is full, as a share of the injection bandwidth");
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
			   "share of the maximum flow from the lower half of nodes to the upper half");
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
