#include "topology_plan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/near.h"
#include "number_list.h"

int plan_fail(struct plan *p, const char *section, const char *key, const char *format, ...)
{
	va_list ap;

	p->blame_section = section;
	p->blame_key = key;
	va_start(ap, format);
	err_vset(p->err, STATUS_USAGE, format, ap);
	va_end(ap);
	return err_prefix(p->err, "%s.%s", section, key);
}

int plan_blame(struct plan *p, const char *section, const char *key)
{
	p->blame_section = section;
	p->blame_key = key;
	return err_prefix(p->err, "%s.%s", section, key);
}

int plan_product(struct plan *p, const uint32_t *size, unsigned count, uint64_t *product)
{
	*product = 1;
	for (unsigned i = 0; i < count; i++) {
		*product *= size[i];
		if (*product > PLAN_NODES_MAX)
			return plan_fail(p, "topology", "dims", "%s: too large, expected at most %d nodes",
					 p->cfg->topology.dims, PLAN_NODES_MAX);
	}
	return 0;
}

struct graph_nics plan_nics(const struct plan *p, uint32_t per_router)
{
	double rate = p->cfg->link.nic_bandwidth;

	return (struct graph_nics){per_router, rate == 0 ? p->rate[0] : rate, p->cfg->link.nic_cable};
}

int plan_no_cabinets(struct plan *p)
{
	if (!p->cabinets)
		return 0;
	return plan_fail(p, "topology", "cabinet", "%s: a network of kind %s has no cabinets, expected none",
			 p->cfg->topology.cabinet, p->kind->name);
}

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

int plan_dims(struct topology *t, const uint32_t *size, unsigned count, struct err *e)
{
	uint32_t *dims = mem_alloc(count, sizeof(*dims), e);

	t->dims = dims;
	t->dimensions = count;
	if (!dims)
		return -1;
	memcpy(dims, size, count * sizeof(*dims));
	return 0;
}

uint16_t *plan_coordinates(uint32_t nodes, const uint32_t *size, unsigned count, struct err *e)
{
	uint16_t *at = mem_alloc((size_t)nodes * count, sizeof(*at), e);

	for (uint32_t v = 0; at && v < nodes; v++)
		for (uint32_t d = 0, rest = v; d < count; rest /= size[d++])
			at[v * count + d] = (uint16_t)(rest % size[d]);
	return at;
}
