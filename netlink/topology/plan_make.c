/* The configuration of a network, parsed and checked by the row of its kind. */
#include <stdio.h>
#include <string.h>

#include "../../psim/base/near.h"
#include "number_list.h"
#include "topology_plan.h"

static int find_routing(struct plan *p)
{
	const struct topology_routing *row = p->kind->routing;
	const char *wanted = p->cfg->topology.routing;
	struct near n = near_start(wanted);
	char names[200] = "";
	size_t length = 0;

	p->routing = 0;
	if (!strcmp(wanted, "default"))
		return 0;
	for (unsigned i = 0; i < KIND_ROUTINGS_MAX && row[i].name; i++) {
		if (!strcmp(row[i].name, wanted)) {
			p->routing = i;
			return 0;
		}
		near_offer(&n, row[i].name);
		if (length < sizeof(names))
			length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", length ? ", " : "",
						   row[i].name);
	}
	return plan_fail(p, "topology", "routing", "%s: unknown routing '%s', expected one of %s%s%s%s", p->kind->name,
			 wanted, names, n.best ? " (did you mean " : "", n.best ? n.best : "", n.best ? "?)" : "");
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
