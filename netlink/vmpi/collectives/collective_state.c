/* State of collective operations in a run. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "collective.h"
#include "collective_cost.h"

int collective_create(struct vmpi *v, struct err *e)
{
	v->collective = mem_alloc(1, sizeof(*v->collective), e);
	if (v->collective)
		v->collective->run = collective_run;
	if (!v->collective || collective_choose(NULL, v->cfg, v->collective->chosen, e) < 0 ||
	    collective_find_times(v, e) < 0)
		return -1;
	return collective_tree_create(v, e);
}

void collective_destroy(struct vmpi *v)
{
	if (!v->collective)
		return;
	cost_network_destroy(v->collective->network);
	free(v->collective->tree);
	free(v->collective);
}
