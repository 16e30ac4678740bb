#include "../../psim/base/report/report.h"

#include "down.h"
#include "kind.h"

enum { FLOW_MAX = 4096, ALL_PAIRS_MAX = 4096, SOURCES = 64, CHECKED_MAX = 256, CHECKED_RANDOM_MAX = 64 };

static void topology_report_classes(const struct topology *t, struct report *r)
{
	static const struct report_column columns[] = {
		{"class", ""},
		{"links", ""},
		{"bandwidth", "B/s"},
		{"cable", "ps"},
	};

	report_table(r, "links", "links by class; each link is one-way", columns, 4);
	for (unsigned c = 0; c < t->classes; c++) {
		report_cell_text(r, t->class[c].name);
		report_cell_u64(r, t->class[c].links);
		report_cell_f64(r, t->class[c].bytes_per_s);
		report_cell_u64(r, (uint64_t)t->class[c].cable_ps);
	}
	report_table_end(r);
}

/* Over the pairs between which a way leads. */
static double mean_distance(const struct topology *t, uint64_t sum, uint64_t pairs, uint32_t sources)
{
	if (!t->down)
		return (double)sum / sources / t->nodes;
	return pairs ? (double)sum / (double)pairs : 0;
}

static void report_distances(const struct topology *t, struct report *r)
{
	uint32_t sources = t->nodes <= ALL_PAIRS_MAX ? t->nodes : SOURCES;
	unsigned diameter = 0;
	uint64_t sum = 0, pairs = 0;

	for (uint32_t i = 0; i < sources; i++) {
		uint32_t src = (uint32_t)((uint64_t)i * t->nodes / sources);

		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			unsigned d;

			if (!topology_reaches(t, src, dst))
				continue;
			d = topology_distance(t, src, dst);
			pairs++;
			sum += d;
			diameter = d > diameter ? d : diameter;
		}
	}
	report_u64(r, "diameter", diameter, "links", "longest distance, in links between routers");
	report_f64(r, "mean_distance", mean_distance(t, sum, pairs, sources), "links",
		   "mean distance over all pairs, including each node with itself");
	report_u64(r, "distance_sources", sources, "nodes",
		   "sources over which diameter and mean distance are computed");
}

/* The proof takes time with the square of the nodes, and more where every pair has many paths. */
static void report_deadlock(const struct topology *t, struct report *r)
{
	bool many = t->random || t->routing->choice;
	struct err e;

	if (!t->proven && t->nodes > (many ? CHECKED_RANDOM_MAX : CHECKED_MAX))
		report_text(r, "deadlock", "not checked", "the check covers small networks only");
	else if (!t->proven && topology_check_deadlock(t, &e))
		report_text(r, "deadlock", e.text, "result of the check of the channel dependency graph");
	else
		report_text(r, "deadlock", "free", "the channel dependency graph has no cycle");
}

/* Returns whether the links of a cut carry the sum of their bandwidths: each has its own, which messages share. */
static bool sums_bandwidths(const struct topology *t, bool fat)
{
	for (unsigned c = 0; c < t->classes; c++) {
		const struct topology_class *class = &t->class[c];

		if (class->links && (class->half_duplex || class->backbone || (fat && class->fat)))
			return false;
	}
	return true;
}

void topology_report(const struct topology *t, struct report *r)
{
	const struct topology_kind *made = t->made ? t->made : t->kind;
	double bisection = t->closed_bisection, flow = 0;

	if (!t->made && t->kind->bisection)
		bisection = t->kind->bisection(t);
	report_group(r, "topology", "the network");
	report_text(r, "kind", made->name, made->doc);
	report_text(r, "routing", t->routing->name, t->routing->doc);
	report_u64(r, "nodes", t->nodes, "", "endpoints that inject and eject");
	report_u64(r, "routers", t->routers, "", "switches");
	report_u64(r, "nics", t->nics, "", "network interfaces of a node");
	report_u64(r, "vcs", t->vcs, "", "virtual channels that the routing needs");
	report_deadlock(t, r);
	report_distances(t, r);
	if (bisection > 0 && !t->down && sums_bandwidths(t, true)) {
		report_f64(r, "bisection", bisection, "B/s",
			   "bandwidth across the narrowest of the kind's cuts into halves, one way; an upper bound");
	} else if (t->nodes > 1 && t->nodes <= FLOW_MAX && made != &topology_platform && sums_bandwidths(t, false)) {
		/* links of a platform are all at one router, which they do not divide */
		flow = topology_flow_between_halves(t, t->down);
		if (flow < TOPOLOGY_NO_LIMIT)
			report_f64(r, "bisection", flow, "B/s",
				   "maximum flow from the lower half of the nodes to the upper half");
	}
	down_report(t, r);
	topology_report_classes(t, r);
	report_end(r);
}
