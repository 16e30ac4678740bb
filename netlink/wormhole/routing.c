#include "routing.h"

#include <inttypes.h>

int routing_check_words(const struct network *n, const struct routing_view *v, struct err *e)
{
	const struct routing_wrong *w = &v->wrong;
	char here[192], there[192];

	if (!w->word)
		return 0;
	network_resource_name(n, v->resource, here, sizeof(here));
	network_resource_name(n, n->nodes[v->dest_node], there, sizeof(there));
	return err_set(e, STATUS_BAD_INPUT,
		       "%s:%d: %s in the routing of %s, for a message to %s: no %s %" PRId64 ", expected 0 to %" PRId32,
		       n->file, w->line, w->word, here, there, w->what, w->value, w->high);
}
