#include "scotch_map.h"

int scotch_placement(const struct topology *t, const struct task_graph *g, const struct scotch_options *o,
		     uint32_t *node, struct err *e)
{
	(void)t, (void)g, (void)o, (void)node;
	return err_set(e, STATUS_USAGE,
		       "--method scotch: built without Scotch, expected another method, or a build "
		       "with libscotch-dev installed");
}
