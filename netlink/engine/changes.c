#include "changes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../topology/down.h"
#include "../topology/topology_names.h"

int net_changes_begin(struct net_run_changes *c, const struct net_changes *all, struct err *e)
{
	*c = (struct net_run_changes){.next_ps = NET_TIME_NEVER};
	if (!all || !all->count)
		return 0;
	c->all = all;
	c->next_ps = all->at[0].time_ps;
	c->effect = mem_alloc(all->count, sizeof(*c->effect), e);
	return c->effect ? 0 : -1;
}

void net_changes_finish(struct net_run_changes *c)
{
	free(c->effect);
}

const struct topology *net_changes_take(struct net_run_changes *c, struct net_change_effect **effect)
{
	const struct topology *t = c->all->at[c->done].topology;

	*effect = &c->effect[c->done++];
	c->next_ps = c->done < c->all->count ? c->all->at[c->done].time_ps : NET_TIME_NEVER;
	return t;
}

void net_changes_report(const struct net_run_changes *c, const struct topology *first, bool packets, struct report *r)
{
	static const struct report_column columns[] = {
		{"time", "s"}, {"what", ""},     {"happened", ""},   {"links_down", ""},
		{"parts", ""}, {"messages", ""}, {"bytes", "bytes"}, {"packets", ""},
	};
	const unsigned count = sizeof(columns) / sizeof(columns[0]);

	if (!c->all)
		return;
	report_table(
		r, "changes",
		packets ? "links that failed or were repaired; messages and packets on other paths, bytes sent again"
			: "links that failed or were repaired; messages on other paths, and their bytes left",
		columns, packets ? count : count - 1);
	for (unsigned i = 0; i < c->all->count; i++) {
		const struct net_change *x = &c->all->at[i];
		const struct topology_down *d = x->topology->down;

		report_cell_f64(r, (double)x->time_ps / 1e12);
		report_cell_text(r, x->what);
		report_cell_text(r, i < c->done ? "yes" : "after the end");
		report_cell_u64(r, down_count(first, d).links_down);
		report_cell_u64(r, d->parts);
		report_cell_u64(r, c->effect[i].messages);
		report_cell_u64(r, c->effect[i].bytes);
		if (packets)
			report_cell_u64(r, c->effect[i].packets);
	}
	report_table_end(r);
}

void net_hottest_report(const struct net_run_changes *c, const struct topology *t, const struct net_engine *n,
			double (*bytes)(const struct net_engine *n, uint32_t link), int64_t ps, struct report *r)
{
	double most = 0, rate;
	char name[LINK_NAME_MAX];
	uint32_t hottest = 0;

	if (!t->down && !c->all)
		return;
	for (uint32_t l = 0; l < t->links; l++) {
		double share = bytes(n, l) / t->class[t->link[l].class].bytes_per_s;

		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes || share <= most)
			continue;
		most = share;
		hottest = l;
	}
	if (!(most > 0) || ps <= 0)
		return;
	rate = bytes(n, hottest) / ((double)ps / 1e12);
	report_text(r, "hottest_link", topology_medium_name(t, hottest, name),
		    "link between routers that was used most");
	report_f64(r, "hottest_use", rate / t->class[t->link[hottest].class].bytes_per_s, "",
		   "its utilisation, a share of its bandwidth");
}

int net_no_route(const struct topology *t, uint32_t src, uint32_t dst, int64_t time_ps, struct err *e)
{
	uint32_t node = t->down->part[src] == DOWN_NONE ? src : dst;
	char from[ROUTER_NAME_MAX], to[ROUTER_NAME_MAX];

	topology_node_name(t, src, from);
	topology_node_name(t, dst, to);
	if (t->down->part[node] == DOWN_NONE)
		return err_set(
			e, STATUS_FAILED,
			"a message from node %s to node %s at %.9g s: node %s is down, expected no message of it", from,
			to, (double)time_ps / 1e12, node == src ? from : to);
	return err_set(e, STATUS_FAILED,
		       "a message from node %s to node %s at %.9g s: no way leads there, the network has %" PRIu32
		       " parts, expected one",
		       from, to, (double)time_ps / 1e12, t->down->parts);
}
