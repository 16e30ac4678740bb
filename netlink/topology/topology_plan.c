#include "topology_plan.h"

#include <stdarg.h>
#include <string.h>

#include "../../psim/base/mem.h"

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

	return (struct graph_nics){.per_router = per_router,
				   .bytes_per_s = rate == 0 ? p->rate[0] : rate,
				   .cable_ps = p->cfg->link.nic_cable};
}

int plan_no_cabinets(struct plan *p)
{
	if (!p->cabinets)
		return 0;
	return plan_fail(p, "topology", "cabinet", "%s: a network of kind %s has no cabinets, expected none",
			 p->cfg->topology.cabinet, p->kind->name);
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
