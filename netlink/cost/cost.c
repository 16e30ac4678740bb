#include "cost.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void cost_config_add(struct config *c, struct cost_config *target)
{
#include "cost_params.def"
}

bool cost_given(const struct cost_config *config)
{
	const struct cost_amounts none = {0};

	for (enum cost_term t = 0; t < COST_TERMS; t++)
		if (cost_part(config, &none, t).price > 0)
			return true;
	return false;
}

static bool is_router(const struct topology *t, uint32_t vertex)
{
	return vertex >= t->nodes;
}

void cost_count(const struct topology *t, double nodes, double processors, struct cost_amounts *a)
{
	double share = nodes / t->nodes;

	*a = (struct cost_amounts){
		.nodes = nodes, .processors = processors, .nics = nodes * t->nics, .routers = share * t->routers};
	for (uint32_t i = 0; i < t->links; i++) {
		const struct topology_link *l = &t->link[i];
		double rate = t->class[l->class].bytes_per_s / 1e9;

		a->ports += share * is_router(t, l->from);
		if (is_router(t, l->from) && is_router(t, l->to))
			a->cables += share / 2; /* this link, and that back */
		if (rate < TOPOLOGY_NIC_UNLIMITED / 1e9)
			a->rate += share * rate / 2;
	}
}

struct cost_part cost_part(const struct cost_config *config, const struct cost_amounts *a, enum cost_term term)
{
	const struct cost_cost_params *p = &config->cost;
	const struct cost_part parts[COST_TERMS] = {
#define TERM(name, count, price, doc) {#name, doc, count, price},
#include "cost_terms.def"
#undef TERM
	};

	return parts[term];
}
