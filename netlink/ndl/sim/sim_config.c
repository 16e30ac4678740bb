#include "sim_config.h"

#include "../../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void sim_config_add(struct config *c, struct sim_config *target)
{
#include "sim_params.def"
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
