/* State of collective operations in a run. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../times/times.h"
#include "collective.h"
#include "../vmpi_config.h"
#include "collective_cost.h"
#include "collective_rules.h"

int collective_create(struct vmpi *v, struct err *e)
{
	v->collective = mem_alloc(1, sizeof(*v->collective), e);
	if (v->collective)
		v->collective->run = collective_run;
	if (!v->collective || collective_choose(NULL, v->cfg, v->collective->chosen, e) < 0 ||
	    collective_find_times(v, e) < 0)
		return -1;
	if (*v->cfg->mpi.rules &&
	    !(v->collective->rules = collective_rules_read(v->cfg->mpi.rules, collective_algorithms(), e)))
		return -1;
	return collective_shared_create(v, e) < 0 ? -1 : collective_tree_create(v, e);
}

void collective_destroy(struct vmpi *v)
{
	if (!v->collective)
		return;
	cost_network_destroy(v->collective->network);
	collective_rules_destroy(v->collective->rules);
	times_destroy(v->collective->node_times);
	free(v->collective->tree);
	free(v->collective);
}
