/*
 * Collective operations in hardware: a tree network whose switches combine data on the way up and broadcast them on
 * the way down, as in BlueGene/L's collective network (A. Gara et al., "Overview of the Blue Gene/L system
 * architecture", IBM J. R&D 49(2/3), 2005).
 *
 * Nodes are the leaves. Whatever the operation, data go up and down all levels, cut through: the first byte takes a
 * hop at each level, the others follow at the bandwidth of a link. Ranks arrive and leave as with a table of times
 * (collective_table.c).
 */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "collective.h"
#include "../vmpi_config.h"

static const char *const names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

struct collective_tree {
	bool carries[COLLECTIVE_COUNT];
	int64_t up_and_down; /* ps, latency of the first byte */
	double bytes_per_s;
	struct tree_use {
		uint64_t count, bytes;
	} use[COLLECTIVE_COUNT];
};

/* Operations that one stream up and one stream down can carry. */
static bool possible(enum collective_op op)
{
	return op == COLLECTIVE_BARRIER || op == COLLECTIVE_BCAST || op == COLLECTIVE_REDUCE ||
	       op == COLLECTIVE_ALLREDUCE;
}

static int collective_tree_mark(bool carries[COLLECTIVE_COUNT], const char *name, struct err *e)
{
	struct near n = near_start(name);
	bool all = strcmp(name, "all") == 0, found = all;

	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		if (!possible(op))
			continue;
		near_offer(&n, names[op]);
		if (all || strcmp(name, names[op]) == 0)
			found = carries[op] = true;
	}
	if (found)
		return 0;
	return err_set(e, STATUS_USAGE,
		       "tree.operations: unknown operation '%s', expected none, all, or barrier, bcast, reduce, "
		       "allreduce with commas%s%s",
		       name, n.best ? "; did you mean " : "", n.best ? n.best : "");
}

/* Reads the operations that the configuration names; `any`: at least one. */
static int read_operations(const struct vmpi_config *cfg, bool carries[COLLECTIVE_COUNT], bool *any, struct err *e)
{
	char text[128], *next, *name;

	*any = strcmp(cfg->tree.operations, "none") != 0;
	if (!*any)
		return 0;
	if (strlen(cfg->tree.operations) >= sizeof(text))
		return err_set(e, STATUS_USAGE, "tree.operations: too long, expected at most %zu characters",
			       sizeof(text) - 1);
	strcpy(text, cfg->tree.operations);
	name = strtok_r(text, ", ", &next);
	if (!name)
		return collective_tree_mark(carries, "", e);
	for (; name; name = strtok_r(NULL, ", ", &next))
		if (collective_tree_mark(carries, name, e) < 0)
			return -1;
	return 0;
}

int collective_tree_check(const struct config *config, const struct vmpi_config *cfg, struct err *e)
{
	bool carries[COLLECTIVE_COUNT] = {false}, any;

	if (read_operations(cfg, carries, &any, e) == 0)
		return 0;
	return err_prefix(e, "%s", config_origin(config, "tree", "operations"));
}

/* Levels of switches above `nodes` leaves. */
static unsigned depth_of(const struct vmpi_config *cfg, uint32_t nodes)
{
	unsigned depth = 0;

	if (cfg->tree.depth)
		return cfg->tree.depth;
	for (uint64_t reach = 1; reach < nodes; reach *= cfg->tree.arity)
		depth++;
	return depth;
}

int collective_tree_create(struct vmpi *v, struct err *e)
{
	bool carries[COLLECTIVE_COUNT] = {false}, any;

	if (read_operations(v->cfg, carries, &any, e) < 0)
		return -1;
	if (!any || v->setup.kind->timeless)
		return 0;
	v->collective->tree = mem_alloc(1, sizeof(*v->collective->tree), e);
	if (!v->collective->tree)
		return -1;
	memcpy(v->collective->tree->carries, carries, sizeof(carries));
	v->collective->tree->up_and_down = 2 * (int64_t)depth_of(v->cfg, v->setup.nodes) * v->cfg->tree.hop;
	v->collective->tree->bytes_per_s = v->cfg->tree.bandwidth;
	return 0;
}

bool collective_tree_carries(enum collective_op op, const struct collective *c)
{
	const struct vmpi *v = c->v;

	if (!v->collective->tree || !v->collective->tree->carries[op] || c->size == 1 || (uint32_t)c->size != v->size ||
	    v->collective->chosen[op])
		return false;
	return op == COLLECTIVE_BARRIER || op == COLLECTIVE_BCAST ||
	       c->op < OP_COUNT; /* only the standard's operations */
}

int64_t collective_tree_time(const struct vmpi *v, uint64_t bytes)
{
	return v->collective->tree->up_and_down +
	       (int64_t)((double)bytes / v->collective->tree->bytes_per_s * 1e12 + 0.5);
}

void collective_tree_used(struct vmpi *v, enum collective_op op, uint64_t calls, uint64_t bytes)
{
	v->collective->tree->use[op].count += calls;
	v->collective->tree->use[op].bytes += bytes;
}

void collective_tree_uses(const struct vmpi *v, enum collective_op op, uint64_t *calls, uint64_t *bytes)
{
	*calls = v->collective->tree ? v->collective->tree->use[op].count : 0;
	*bytes = v->collective->tree ? v->collective->tree->use[op].bytes : 0;
}

void collective_tree_report(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {{"operation", ""}, {"calls", ""}, {"bytes", "bytes"}};

	if (!v->collective->tree)
		return;
	report_table(r, "combining_tree", "operations that the tree carried", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		if (!v->collective->tree->carries[op])
			continue;
		report_cell_text(r, names[op]);
		report_cell_u64(r, v->collective->tree->use[op].count);
		report_cell_u64(r, v->collective->tree->use[op].bytes);
	}
	report_table_end(r);
}
