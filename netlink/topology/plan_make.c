/* The configuration of a network, parsed and checked by the row of its kind. */
#include <stdio.h>
#include <string.h>

#include "../../psim/base/near.h"
#include "down.h"
#include "number_list.h"
#include "topology_plan.h"

static const struct topology_routing *row_named(const struct topology_kind *k, const char *name)
{
	for (unsigned i = 0; i < KIND_ROUTINGS_MAX && k->routing[i].name; i++)
		if (!strcmp(k->routing[i].name, name))
			return &k->routing[i];
	return NULL;
}

/* Adds the names of the routings of `k` that `known` has not, and offers them. */
static void list_routings(const struct topology_kind *k, const struct topology_kind *known, char *names, size_t size,
			  struct near *n)
{
	const struct topology_routing *row = k->routing;
	bool first = true;

	for (unsigned i = 0; i < KIND_ROUTINGS_MAX && row[i].name; i++) {
		size_t length = strlen(names);

		if (known && row_named(known, row[i].name))
			continue;
		near_offer(n, row[i].name);
		snprintf(names + length, size - length, "%s%s", first ? "" : ", ", row[i].name);
		first = false;
	}
}

/* The key that names the routing. */
static const char *routing_key(const struct plan *p)
{
	return p->cfg->plane ? "plane_routing" : "routing";
}

static int unknown_routing(struct plan *p, const char *wanted)
{
	struct near n = near_start(wanted);
	char names[200] = "", others[200] = "";

	list_routings(p->kind, NULL, names, sizeof(names), &n);
	list_routings(&topology_over_graph, p->kind, others, sizeof(others), &n);
	return plan_fail(p, "topology", routing_key(p), "%s: unknown routing '%s', expected one of %s%s%s%s%s%s",
			 p->kind->name, wanted, names, *others ? "; over any graph " : "", others,
			 n.best ? " (did you mean " : "", n.best ? n.best : "", n.best ? "?)" : "");
}

static int refuse_routing(struct plan *p, const char *name)
{
	struct near n = near_start(name);
	char names[200] = "";

	list_routings(&topology_over_graph, NULL, names, sizeof(names), &n);
	return plan_fail(p, "topology", routing_key(p),
			 "%s: routing %s does not go round links that are down, expected one over any graph: %s",
			 p->kind->name, name, names);
}

/* Finds a routing of the kind, or one over any graph: that alone if links are down. */
static int find_routing(struct plan *p)
{
	const struct topology_kind *any = &topology_over_graph;
	const char *wanted = p->cfg->topology.routing;
	bool round;

	if (down_check(p->cfg->topology.down, &round, p->err) < 0)
		return plan_blame(p, "topology", "down");
	round |= p->cfg->links_fail;
	if (!strcmp(wanted, "default"))
		wanted = p->kind->routing[0].name;
	p->over_graph = !strncmp(wanted, "graph:", 6);
	wanted += p->over_graph ? 6 : 0;
	p->routing = row_named(p->kind, wanted);
	if (!p->routing || round || p->over_graph) {
		bool known = p->routing != NULL && !p->over_graph;

		p->over_graph = true;
		p->routing = row_named(any, wanted);
		if (!p->routing && !known)
			return unknown_routing(p, wanted);
	}
	if (p->routing && p->routing->layered && p->cfg->links_fail)
		return plan_fail(
			p, "topology", routing_key(p),
			"%s: layers of one network and of the next have cycles together: expected another routing "
			"than layered where links fail during a run",
			p->kind->name);
	return p->routing ? 0 : refuse_routing(p, wanted);
}

static int read_cabinet(struct plan *p)
{
	const char *text = p->cfg->topology.cabinet;
	int n;

	p->cabinets = 0;
	if (!strcmp(text, "none"))
		return 0;
	n = list_sizes(text, p->cabinet, PLAN_LIST_MAX, p->err);
	if (n < 0)
		return plan_blame(p, "topology", "cabinet");
	p->cabinets = (unsigned)n;
	return 0;
}

/* Copies one value to all levels; otherwise requires one for each. */
static int topology_plan_spread(struct plan *p, const char *key, void *values, size_t item, int count, unsigned levels)
{
	if (count < 0)
		return plan_blame(p, "link", key);
	if (count == 1)
		for (unsigned i = 1; i < levels; i++)
			memcpy((char *)values + i * item, values, item);
	else if ((unsigned)count != levels)
		return plan_fail(p, "link", key,
				 "%d values, expected one, or one for each of the %u "
				 "dimensions or levels",
				 count, levels);
	return 0;
}

static int read_links(struct plan *p)
{
	static const struct param rate = {.type = PARAM_RATE, .min = 1, .max = 1e15, .unit = "bytes/s"};
	static const struct param cable = {.type = PARAM_TIME, .min = 0, .max = 1e12, .unit = "ps"};
	unsigned levels = p->kind->levels(p);
	double port = p->cfg->link.port_bandwidth;

	if (port > 0 && port < 1) /* gives times beyond the clock's range */
		return plan_fail(p, "link", "port_bandwidth", "%g B/s: expected 0 or at least 1 B/s", port);
	if (topology_plan_spread(
		    p, "bandwidth", p->rate, sizeof(p->rate[0]),
		    list_values(&rate, p->cfg->link.bandwidth, p->rate, sizeof(p->rate[0]), PLAN_LIST_MAX, p->err),
		    levels))
		return -1;
	return topology_plan_spread(
		p, "cable", p->cable_ps, sizeof(p->cable_ps[0]),
		list_values(&cable, p->cfg->link.cable, p->cable_ps, sizeof(p->cable_ps[0]), PLAN_LIST_MAX, p->err),
		levels);
}

int plan_make(struct plan *p, const struct topology_config *cfg, struct err *e)
{
	unsigned kinds;
	int n;

	*p = (struct plan){.cfg = cfg, .err = e};
	p->kind = topology_kinds(&kinds)[cfg->topology.kind];
	n = list_sizes(cfg->topology.dims, p->dim, PLAN_LIST_MAX, e);
	if (n < 0)
		return plan_blame(p, "topology", "dims");
	p->dims = (unsigned)n;
	if (read_cabinet(p) || find_routing(p) || p->kind->check(p))
		return -1;
	return read_links(p);
}
