#include "engine_kinds.h"

#include <stdio.h>
#include <string.h>

#include "../engine/analytic/analytic.h"
#include "../engine/flow/flow.h"
#include "../engine/packet/packet.h"
#include "../engine/protocol/protocol_engine.h"

/*
 * Each engine whose messages take time, behind the hosts of a protocol. Its doubts are those of the engine. `pieces`:
 * functions of its partitions, where it has any; `takes_links`: its messages do.
 */
#define ENGINES_WITH_HOSTS(ENGINE) \
	ENGINE(packet, &protocol_engine_partitions, true) \
	ENGINE(flow, NULL, true) \
	ENGINE(linear, &protocol_engine_partitions, false) \
	ENGINE(table, &protocol_engine_partitions, false)
#define CREATE_WITH_HOSTS(engine, pieces, takes_links) \
	static struct net_engine *engine##_with_hosts(const struct net_setup *setup, struct err *e) \
	{ \
		return protocol_engine_create(&net_##engine, setup, e); \
	}
ENGINES_WITH_HOSTS(CREATE_WITH_HOSTS)

#define KIND_WITH_HOSTS(engine, pieces, takes_links) \
	{.name = #engine, \
	 .doc = "with the times of hosts", \
	 .links = (takes_links), \
	 .create = engine##_with_hosts, \
	 .destroy = protocol_engine_destroy, \
	 .send = protocol_engine_send, \
	 .next_time = protocol_engine_next_time, \
	 .advance = protocol_engine_advance, \
	 .report = protocol_engine_report, \
	 .verify = protocol_engine_verify, \
	 .carried = (takes_links) ? protocol_engine_carried : NULL, \
	 .partitions = (pieces)},
static const struct net_engine_kind with_hosts[] = {ENGINES_WITH_HOSTS(KIND_WITH_HOSTS)};

const struct net_engine_kind *net_engine_with_hosts(const struct net_engine_kind *kind)
{
	for (unsigned i = 0; i < sizeof(with_hosts) / sizeof(with_hosts[0]); i++)
		if (!strcmp(with_hosts[i].name, kind->name))
			return &with_hosts[i];
	return NULL;
}

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
