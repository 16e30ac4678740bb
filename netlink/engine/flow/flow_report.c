#include <string.h>

#include "flow_state.h"

static void report_messages(const struct net_engine *n, struct report *r)
{
	const struct flow_totals *t = &n->totals;
	double delivered = (double)(t->delivered ? t->delivered : 1);

	report_u64(r, "messages", t->messages, "messages", "messages sent");
	report_u64(r, "delivered", t->delivered, "messages", "messages delivered");
	report_u64(r, "local", t->local, "messages", "messages within a node");
	report_u64(r, "bytes", t->bytes, "bytes", "bytes sent, without headers");
	report_f64(r, "time_min", t->delivered ? (double)t->least_ps / 1e12 : 0, "s",
		   "time of a message from send to delivery, minimum");
	report_f64(r, "time_mean", t->sum_ps / delivered / 1e12, "s", "time of a message, mean");
	report_f64(r, "time_max", (double)t->most_ps / 1e12, "s", "time of a message, maximum");
}

static void report_solver(const struct net_engine *n, struct report *r)
{
	const struct fluid_counts *c = &n->fluid.counts;

	report_u64(r, "flows_most", c->most_flows, "flows", "most concurrent flows");
	report_u64(r, "solutions", c->solutions, "", "computations of the rates");
	report_u64(r, "rate_changes", c->rate_changes, "", "changes of a flow's rate");
	report_u64(r, "crossings_visited", c->visited, "", "visits of a flow on a link in computations of the rates");
	if (n->fluid.rule != FLUID_ITERATE && n->fluid.rule != FLUID_LITERAL)
		return;
	report_f64(r, "iterations_mean", (double)c->iterations / (double)(c->iterated ? c->iterated : 1), "",
		   "iterations of step 5, mean over the computations that iterate");
	report_u64(r, "iterations_most", c->most_iterations, "", "iterations of step 5, maximum");
	if (n->fluid.rule == FLUID_LITERAL)
		report_f64(r, "over_most", c->most_over, "",
			   "largest excess of flows over a link's bandwidth, as a share of it");
}

/* Returns the bandwidth that link `i` uses: its own, or the one that it shares with others. */
static const struct fluid_link *bandwidth_of(const struct net_engine *n, uint32_t i)
{
	return &n->fluid.link[n->shared && n->shared[i] ? n->shared[i] : i];
}

/* Reports a class of links: bytes and use of their bandwidths. Links that share one count once, as their first link. */
static void report_class(const struct net_engine *n, unsigned class, struct report *r)
{
	const struct topology *t = n->topology;
	double now = n->now_ps > 0 ? (double)n->now_ps : 1, carried = 0, most = 0, busy = 0;
	double could = t->class[class].bytes_per_s * now / 1e12;
	uint32_t links = 0;

	for (uint32_t i = 0; i < t->links; i++) {
		const struct fluid_link *link = bandwidth_of(n, i);

		if (t->link[i].class != class || flow_first_of(n, i) != i)
			continue;
		links++;
		carried += link->carried;
		busy += (double)link->busy_ps;
		if (link->carried > most)
			most = link->carried;
	}
	if (!links)
		return;
	report_cell_text(r, t->class[class].name);
	report_cell_u64(r, links);
	report_cell_f64(r, carried);
	report_cell_f64(r, carried / could / links);
	report_cell_f64(r, most / could);
	report_cell_f64(r, busy / now / links);
}

static double flow_carried_bytes(const struct net_engine *n, uint32_t link)
{
	return bandwidth_of(n, link)->carried;
}

void flow_report(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {
		{"class", ""},    {"links", ""},    {"carried", "bytes"},
		{"use_mean", ""}, {"use_most", ""}, {"busy_mean", ""},
	};

	report_group(r, "flow", "flow engine");
	report_messages(n, r);
	net_hottest_report(&n->network, n->topology, n, flow_carried_bytes, n->now_ps, r);
	report_solver(n, r);
	report_table(
		r, "links",
		"links by class: bytes of completed messages, utilisation of the bandwidth, share of time with a flow",
		columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < n->topology->classes; i++)
		if (n->topology->class[i].links)
			report_class(n, i, r);
	report_table_end(r);
	report_end(r);
	net_changes_report(&n->network, n->topology, false, r);
}
