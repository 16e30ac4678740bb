#include "sim_config.h"

#include <stdio.h>
#include <string.h>

#include "../../../psim/base/config/param_row.h"
#include "../../../psim/base/near.h"

static const struct param link_rows[] = {
#define P(field_, type_, initial_, min_, max_, unit_, doc_) \
	PARAM_ROW("link.NAME", struct sim_link_config, field_, PARAM_##type_, initial_, min_, max_, unit_, doc_)
#include "sim_link.def"
#undef P
};

#include "../../../psim/base/config/config_sections.h" /* after the structs of the same rows */

static void *take_link(void *user, const char *name, const char *place, struct err *e)
{
	struct sim_config *v = user;
	struct sim_link_config *l = &v->link[v->links];

	if (strlen(name) > NDL_CLASS_NAME_MAX || v->links == SIM_LINKS_MAX) {
		err_set(e, STATUS_USAGE, "%s: [link.%.64s]: expected at most %d classes of %d letters", place, name,
			SIM_LINKS_MAX, NDL_CLASS_NAME_MAX);
		return NULL;
	}
	v->links++;
	snprintf(l->name, sizeof(l->name), "%s", name);
	snprintf(l->place, sizeof(l->place), "%s", place);
	return l;
}

void sim_config_add(struct config *c, struct sim_config *target)
{
#include "sim_params.def"
	target->links = 0;
	config_add_family(c, "links of class NAME of the description", link_rows,
			  sizeof(link_rows) / sizeof(link_rows[0]), take_link, target);
}

static struct network_class *find_link(struct network *n, const struct sim_link_config *l, struct err *e)
{
	struct near near = near_start(l->name);

	for (uint32_t c = 0; c < n->class_count; c++) {
		if (!strcmp(n->classes[c].name, l->name))
			return &n->classes[c];
		near_offer(&near, n->classes[c].name);
	}
	err_set(e, STATUS_USAGE, "%s: [link.%s]: %s declares no link %s%s%s%s", l->place, l->name, n->file, l->name,
		near.best ? ", did you mean " : "", near.best ? near.best : "",
		near.best ? "?" : ", expected one of its resource{}");
	return NULL;
}

int sim_config_apply(const struct sim_config *v, struct network *n, struct err *e)
{
	for (unsigned k = 0; k < v->links; k++) {
		struct network_class *c = find_link(n, &v->link[k], e);

		if (!c)
			return -1;
		if (v->link[k].clocks)
			c->clocks = v->link[k].clocks;
		if (v->link[k].flit_clocks)
			c->flit_clocks = v->link[k].flit_clocks;
	}
	return 0;
}

const struct config_use sim_config_uses[] = {
	{"run.warmup run.drain", "run.clocks!=0", false},
	{NULL, NULL, false},
};

struct run_params sim_run_params(const struct sim_config *v)
{
	const struct sim_wormhole_params *w = &v->wormhole;

	return (struct run_params){
		.kernel = {.flit_bytes = w->flit_bytes,
			   .buffer_flits = w->buffer_flits,
			   .link_clocks = w->link_clocks,
			   .node_link_clocks = w->node_link_clocks,
			   .inject_clocks = w->inject_clocks,
			   .route_clocks = w->route_clocks,
			   .switch_clocks = w->switch_clocks,
			   .grant_clocks = w->grant_clocks,
			   .output_clocks = w->output_clocks,
			   .credit_clocks = w->credit_clocks,
			   .release_clocks = w->release_clocks,
			   .one_per_input = w->one_per_input,
			   .islip = w->allocation == ALLOCATION_ISLIP,
			   .switching = (enum kernel_switching)w->switching,
			   .phys_idle = w->phys_free == PHYS_FREE_IDLE_LINK,
			   .watchdog_clocks = w->watchdog_clocks},
		.clocks = v->run.clocks,
		.warmup = v->run.warmup,
		.drain = v->run.drain,
		.seed = v->run.seed,
	};
}
