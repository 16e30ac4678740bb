/* A network as it is between two changes. */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "down.h"
#include "kind.h"

struct topology *topology_without(const struct topology *t, struct topology_down *d, struct err *e)
{
	struct topology *x = mem_alloc(1, sizeof(*x), e);

	if (!x || down_settle(d, t, e) < 0) {
		free(x);
		down_destroy(d);
		return NULL;
	}
	*x = *t;
	x->borrows = true;
	x->down = d;
	if (t->kind != &topology_over_graph)
		return x; /* only nodes are down */
	x->private_data = NULL;
	if (!t->kind->ready(x, e))
		return x;
	topology_destroy(x);
	return NULL;
}
