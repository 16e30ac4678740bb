/* Messages whose time comes from a table, by distance of the nodes and size. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../net_config.h"
#include "analytic.h"
#include "../../times/times.h"

struct table {
	struct times *times;
	const struct times_table *p2p;
};

static int64_t table_delay(const void *model, const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes)
{
	const struct table *m = model;

	return times_at(m->p2p, src == dst ? 0 : topology_distance(t, src, dst), (double)bytes);
}

/* The least time between two nodes with a link or more between them. */
static int64_t table_least(const struct times_table *t)
{
	unsigned rows, columns;
	int64_t least = INT64_MAX;

	times_shape(t, &rows, &columns);
	for (unsigned c = 0; c < columns; c++)
		for (unsigned r = 0; r < rows; r++) {
			double links = times_row(t, r) > 1 ? times_row(t, r) : 1;
			int64_t time = times_at(t, links, times_bytes(t, c));

			least = time < least ? time : least;
		}
	return least;
}

static void table_engine_drop(void *model)
{
	struct table *m = model;

	times_destroy(m->times);
	free(m);
}

static struct net_engine *table_engine_create(const struct net_setup *setup, struct err *e)
{
	const char *path = setup->config->table.file;
	struct analytic_node node = analytic_node(setup);
	struct table *m;

	if (!*path) {
		err_set(e, STATUS_USAGE,
			"table.file is empty, expected a file with times (docs/formats/times-format.md)");
		return NULL;
	}
	m = mem_alloc(1, sizeof(*m), e);
	if (!m)
		return NULL;
	m->times = times_read(path, e);
	m->p2p = m->times ? times_find(m->times, "p2p") : NULL;
	if (m->times && setup->protocol && times_with_hosts(m->times)) {
		err_set(e, STATUS_USAGE,
			"protocol.file with %s, whose times have a protocol's delays in them: expected a table that "
			"was made "
			"without protocol.file",
			path);
		table_engine_drop(m);
		return NULL;
	}
	if (m->p2p && !(node.nic > 0))
		node.least_ps = table_least(m->p2p);
	if (m->p2p)
		return analytic_create(setup, &node, table_delay, m, table_engine_drop, e);
	if (m->times)
		err_set(e, STATUS_BAD_INPUT, "%s: no table p2p, expected one with the times of messages", path);
	table_engine_drop(m);
	return NULL;
}

const struct net_engine_kind net_table = {
	.name = "table",
	.doc = "a message takes the time that a table gives for its size and distance",
	.create = table_engine_create,
	ANALYTIC_FUNCTIONS,
};
