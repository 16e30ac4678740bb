#include "power.h"

#include "../topology/down.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void power_config_add(struct config *c, struct power_config *target)
{
#include "power_params.def"
}

bool power_given(const struct power_config *p)
{
	const struct power_power_params *w = &p->power;

	return w->compute > 0 || w->wait > 0 || w->sleep > 0 || w->memory > 0 || w->memory_bit > 0 || w->nic > 0 ||
	       w->nic_bit > 0 || w->node > 0 || w->router > 0 || w->router_bit > 0;
}

int power_config_check(const struct config *c, const struct power_config *p, struct err *e)
{
	if (p->power.sleep > p->power.wait && p->power.sleep_after)
		return err_set(e, STATUS_USAGE,
			       "%s: power.sleep = %g W: expected at most power.wait = %g W, which it saves",
			       config_origin(c, "power", "sleep"), p->power.sleep, p->power.wait);
	return 0;
}

const char *power_term_name(enum power_term t)
{
	static const char *const names[POWER_TERMS] = {
#define TERM(name, joules, doc) #name,
#include "power_terms.def"
#undef TERM
	};

	return names[t];
}

const char *power_term_doc(enum power_term t)
{
	static const char *const docs[POWER_TERMS] = {
#define TERM(name, joules, doc) doc,
#include "power_terms.def"
#undef TERM
	};

	return docs[t];
}

void power_evaluate(const struct power_config *config, const struct power_activity *a, struct power_result *x)
{
	const struct power_power_params *p = &config->power;

	*x = (struct power_result){0};
#define TERM(name, joules, doc) x->term[POWER_##name] = joules;
#include "power_terms.def"
#undef TERM
	for (enum power_term t = 0; t < POWER_TERMS; t++)
		x->machine += x->term[t];
	x->supply = x->machine / p->supply - x->machine;
	x->cooling = p->cooling * (x->machine + x->supply);
	x->total = x->machine + x->supply + x->cooling;
}

/* ---- links ---- */

/* Energy of a byte, J. */
static double byte_j(const struct topology_class *c)
{
	return 8e-12 * c->pj_per_bit;
}

/* Bandwidths of `links` links of a class: a half-duplex link and that back have one together, a backbone has one. */
static double bandwidths(const struct topology_class *c, uint32_t links)
{
	if (c->backbone)
		return links > 0;
	return c->half_duplex ? links / 2.0 : links;
}

void power_count_links(const struct power_config *config, const struct topology *t, unsigned class, const double *bytes,
		       double seconds, double share, struct power_links *x)
{
	const struct topology_class *c = &t->class[class];
	double full;

	*x = (struct power_links){0};
	for (uint32_t l = 0; l < t->links; l++) {
		if (t->link[l].class != class || (t->down && t->down->link[l]))
			continue;
		x->links++;
		x->bytes += bytes ? bytes[l] : 0;
	}
	x->carried_j = byte_j(c) * x->bytes;
	if (c->bytes_per_s >= TOPOLOGY_NIC_UNLIMITED || c->fat)
		return;
	x->watts = byte_j(c) * c->bytes_per_s * bandwidths(c, x->links);
	full = x->watts * seconds * share;
	x->idle_j = full > x->carried_j ? config->power.link_idle * (full - x->carried_j) : 0;
}

void power_count_bytes(const struct topology *t, const double *bytes, double *routers, double *nics)
{
	*routers = *nics = 0;
	for (uint32_t l = 0; l < t->links; l++) {
		if (t->link[l].to >= t->nodes)
			*routers += bytes[l];
		if (t->link[l].to < t->nodes || t->link[l].from < t->nodes)
			*nics += bytes[l];
	}
}
