#include <stdio.h>

#include "mopt_parts.h"

#include "../../../psim/base/report/out.h"
#include "../../../psim/base/report/report.h"
#include "../../topology/topology.h"
#include "../../mapping/placement.h"
#include "../../mapping/volumes.h"

static void report_cost(struct report *r, const char *name, const char *doc, const struct work *w,
			const struct mapping_cost *c)
{
	const struct topology *t = w->topology;
	double mean = w->result.bytes ? (double)c->hop_bytes / (double)w->result.bytes : 0;

	report_group(r, name, doc);
	report_f64(r, "mesh_cost", (double)c->mesh_hop_bytes / 1e9, "hop*GB",
		   "bytes x distance on the mesh without wrap-around links");
	report_f64(r, "cost", (double)c->hop_bytes / 1e9, "hop*GB", "bytes x distance in the network");
	report_f64(r, "mean_distance", mean, "links", "mean distance of a byte");
	report_f64(r, "max_link", (double)c->max_link_bytes / 1e6, "MB", "bytes on the busiest link");
	report_text(r, "max_link_class", c->max_link_bytes ? t->class[t->link[c->max_link].class].name : "none",
		    "class of the busiest link");
	report_end(r);
}

/* Counts links by their bytes, in tenths of the placement's busiest link. */
static void report_distribution(struct report *r, const struct volumes v[2])
{
	static const struct report_column columns[] = {
		{"up_to", "MB"}, {"in_order", ""}, {"placed", ""}, {"share", "%"}};
	uint64_t counts[2][11] = {{0}}, most = volumes_quantile(&v[1], 1);

	for (unsigned k = 0; k < 2; k++)
		for (uint32_t l = 0; l < v[k].links; l++) {
			uint64_t load = v[k].sorted[l];

			counts[k][load > most ? 10 : load ? (load - 1) * 10 / most : 0]++;
		}
	report_table(r, "links", "links between routers by their bytes, in tenths of the placement's busiest link",
		     columns, 4);
	for (unsigned i = 0; i < 10; i++) {
		report_cell_f64(r, (double)(most * (i + 1)) / 1e7);
		report_cell_u64(r, counts[0][i]);
		report_cell_u64(r, counts[1][i]);
		report_cell_f64(r, v[1].links ? 100.0 * (double)counts[1][i] / v[1].links : 0);
	}
	report_table_end(r);
	report_group(r, "above", "links that carry more than the placement's busiest link");
	report_u64(r, "in_order", counts[0][10], "", "links above it with ranks in the order of nodes");
	report_end(r);
}

static void report_quantiles(struct report *r, const struct volumes v[2])
{
	static const struct report_column columns[] = {{"links", "%"}, {"in_order", "MB"}, {"placed", "MB"}};
	static const unsigned percents[] = {10, 25, 50, 75, 90, 99, 100};

	report_table(r, "quantiles", "quantiles of the bytes on links: this share of the links carries at most this",
		     columns, 3);
	for (unsigned i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		report_cell_u64(r, percents[i]);
		for (unsigned k = 0; k < 2; k++)
			report_cell_f64(r, (double)volumes_quantile(&v[k], percents[i] / 100.0) / 1e6);
	}
	report_table_end(r);
}

static void mopt_report_classes(struct report *r, const struct volumes v[2])
{
	static const struct report_column columns[] = {{"direction", ""},       {"links", ""},
						       {"mean_in_order", "MB"}, {"mean_placed", "MB"},
						       {"most_in_order", "MB"}, {"most_placed", "MB"}};

	report_table(r, "directions", "bytes on the links of each direction", columns, 6);
	for (unsigned c = 0; c < v[0].classes; c++) {
		report_cell_text(r, v[0].class[c].name);
		report_cell_u64(r, v[0].class[c].links);
		for (unsigned k = 0; k < 2; k++)
			report_cell_f64(r, v[k].class[c].total / v[k].class[c].links / 1e6);
		for (unsigned k = 0; k < 2; k++)
			report_cell_f64(r, (double)v[k].class[c].most / 1e6);
	}
	report_table_end(r);
}

static struct report *mopt_make_report(const struct work *w, const struct volumes v[2])
{
	const struct optimise_result *x = &w->result;
	struct report *r = report_create();

	report_identity(r, "mopt", w->argc, w->argv);
	report_group(r, "mapping", "ranks on nodes");
	report_u64(r, "ranks", x->ranks, "", "ranks in the matrix");
	report_u64(r, "nodes", w->topology->nodes, "", "nodes of the network");
	report_f64(r, "bytes", (double)x->bytes / 1e9, "GB", "bytes between nodes");
	report_text(r, "complete", w->interrupted ? "no" : "yes", "whether the search ran to its end");
	if (w->set->method == METHOD_AUTO) {
		report_text(r, "start", x->searched.start,
			    "method whose placement, refined by exchanges, was the best to anneal");
		report_f64(r, "start_cost", (double)x->searched.start_cost / 1e9, "hop*GB", "cost of that placement");
		report_u64(r, "searched", x->searched.tried, "", "exchanges evaluated in its annealing, all chains");
	}
	report_u64(r, "orders", w->set->orders, "", "number of link orders that the search tried");
	report_u64(r, "best_order", x->best_order, "", "number of the order that gave the placement");
	report_text(r, "in_order", x->in_order ? "yes" : "no",
		    "whether ranks in the order of nodes are the best placement found");
	report_u64(r, "exchanges", x->refined.exchanges, "", "exchanges of ranks in refinement");
	report_u64(r, "annealing_tried", x->annealed.tried, "", "exchanges evaluated in annealing");
	report_u64(r, "annealing_done", x->annealed.done, "", "exchanges accepted in annealing, all chains");
	report_end(r);
	report_cost(r, "xyz", "ranks in the order of nodes", w, &x->before);
	report_cost(r, "placed", "the placement found", w, &x->after);
	report_distribution(r, v);
	report_quantiles(r, v);
	mopt_report_classes(r, v);
	report_group(r, "host", "host's cost of this run");
	report_f64(r, "seconds", w->seconds, "s", "time of the search on the host");
	report_end(r);
	report_config(r, w->config);
	return r;
}

static int mopt_write_report(const struct work *w, const struct report *r, struct err *e)
{
	static const struct report_pick picks[] = {
		{"mapping", NULL},   {"xyz", NULL},        {"placed", NULL}, {"links", NULL},
		{"quantiles", NULL}, {"directions", NULL}, {"host", NULL},
	};
	struct out *out = out_create(w->set->report, e);
	int ret;

	if (!out)
		return -1;
	ret = w->set->format == REPORT_TEXT
		      ? report_write_picks(r, picks, sizeof(picks) / sizeof(picks[0]), out_file(out), e)
		      : report_write(r, (enum report_format)w->set->format, out_file(out), e);
	if (ret < 0)
		return out_fail(out, e);
	return out_close(out, e);
}

static int write_mapping(const struct work *w, struct err *e)
{
	struct out *out = w->set->mapping ? out_create(w->set->mapping, e) : NULL;

	if (!w->set->mapping)
		return 0;
	if (!out)
		return -1;
	placement_write(w->result.node, w->result.ranks, out_file(out));
	return out_close(out, e);
}

static int mopt_report_write_picture(const struct work *w, const struct volumes v[2], struct err *e)
{
	struct out *out = w->set->picture ? out_create(w->set->picture, e) : NULL;
	const struct topology *t = w->topology;
	char title[200];
	size_t used;

	if (!w->set->picture)
		return 0;
	if (!out)
		return -1;
	used = (size_t)snprintf(title, sizeof(title), "Link volumes: %u ranks on %s", w->result.ranks,
				topology_name(t));
	for (unsigned d = 0; d < t->dimensions && used < sizeof(title); d++)
		used += (size_t)snprintf(title + used, sizeof(title) - used, "%s%u", d ? "x" : " ", t->dims[d]);
	volumes_picture(&v[0], &v[1], title, out_file(out));
	return out_close(out, e);
}

static int mopt_report_write_all(const struct work *w, const struct volumes v[2], struct err *e)
{
	struct report *r = mopt_make_report(w, v);
	struct err why, first = {0};
	int ret;

	/* a file that fails costs no other one */
	if (mopt_write_report(w, r, &why) < 0)
		err_keep_first(&first, &why);
	if (write_mapping(w, &why) < 0)
		err_keep_first(&first, &why);
	if (mopt_report_write_picture(w, v, &why) < 0)
		err_keep_first(&first, &why);
	ret = err_of_first(e, &first);
	if (!ret)
		ret = opt_expect("mopt", &w->set->expect, r, e);
	report_destroy(r);
	return ret;
}

int mopt_write(const struct work *w, struct err *e)
{
	struct volumes v[2] = {{0}, {0}};
	int ret = volumes_of(w->topology, w->result.load_before, &v[0], e) ||
				  volumes_of(w->topology, w->result.load, &v[1], e)
			  ? -1
			  : mopt_report_write_all(w, v, e);

	volumes_finish(&v[0]);
	volumes_finish(&v[1]);
	return ret;
}
