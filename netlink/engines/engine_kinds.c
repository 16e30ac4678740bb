#include "engine_kinds.h"

#include <stdio.h>
#include <string.h>

#include "../engine/analytic/analytic.h"
#include "../engine/flow/flow.h"
#include "../engine/packet/packet.h"

/* To add an engine: its row here, its library in meson.build, its parameters in ../engine/net_params.def. */
static const struct net_engine_kind *const kinds[] = {
	&net_packet, &net_flow, &net_linear, &net_table, &net_none, NULL,
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) - 1 };

const struct net_engine_kind *const *net_engine_kinds(unsigned *count)
{
	*count = KINDS;
	return kinds;
}

const struct net_engine_kind *net_engine_find(const char *name, struct err *e)
{
	char legal[256] = "";
	size_t used = 0;

	for (unsigned i = 0; kinds[i]; i++) {
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
		if (used < sizeof(legal))
			used += (size_t)snprintf(legal + used, sizeof(legal) - used, "%s%s", i ? ", " : "",
						 kinds[i]->name);
	}
	err_set(e, STATUS_USAGE, "engine.kind: unknown engine '%s', expected one of %s", name, legal);
	return NULL;
}
