/* The selections of MPI libraries: selection.def. */
#include <string.h>

#include "algorithms.h"
#include "collective_rules.h"
#include "node_groups.h"
#include "../vmpi_config.h"

/* Inputs of the conditions, the same on all ranks. */
struct case_of {
	double bytes, total;
	int ranks, count, below_power; /* the largest power of two up to `ranks` */
	bool power, commutes, builtin, levels;
};

static bool is_of_parts(enum collective_op op)
{
	return op == COLLECTIVE_GATHER || op == COLLECTIVE_SCATTER || op == COLLECTIVE_ALLGATHER ||
	       op == COLLECTIVE_ALLGATHERV || op == COLLECTIVE_ALLTOALL || op == COLLECTIVE_REDUCE_SCATTER;
}

static bool several_a_node(const struct collective *c)
{
	return c->v->cfg->ranks.per_node > 1 || c->v->cfg->mpi.island > 1;
}

static struct case_of selection_look(enum collective_op op, const struct collective *c)
{
	struct case_of s = {.bytes = (double)c->bytes,
			    .total = (double)c->bytes,
			    .ranks = c->size,
			    .count = c->recv_count,
			    .below_power = 1,
			    .power = ranks_power_of_two(c),
			    .commutes = !c->op || operation_commutes(c),
			    .builtin = c->op < OP_COUNT,
			    .levels = several_a_node(c) && node_groups_levels(c)};

	if (is_of_parts(op))
		s.total = (double)cost_total(c);
	while (s.below_power * 2 <= c->size)
		s.below_power *= 2;
	return s;
}

static const struct collective_algorithm *named(enum collective_op op, const char *name, const struct collective *c)
{
	for (const struct collective_algorithm *const *a = collective_algorithms(); *a; a++)
		if ((*a)->op == op && strcmp((*a)->name, name) == 0)
			return !(*a)->can || (*a)->can(c) ? *a : NULL;
	return NULL;
}

/* The algorithm of mpi.rules; NULL: no rule holds, or it cannot run. */
static const struct collective_algorithm *by_rules(enum collective_op op, struct collective *c)
{
	struct case_of s = selection_look(op, c);
	const char *name = collective_rules_find(c->v->collective->rules, op, c->size, s.bytes, s.total, &c->segment);
	const struct collective_algorithm *found = name ? named(op, name, c) : NULL;

	if (!found)
		c->segment = 0;
	return found;
}

/* The first matching row of a set wins; a row whose algorithm cannot run is skipped. */
#define SELECT(library, operation, algorithm, pieces, condition) \
	if (set == COLLECTIVES_##library && op == COLLECTIVE_##operation && !found && (condition)) { \
		found = named(op, #algorithm, c); \
		c->segment = found ? (pieces) : 0; \
	}
static const struct collective_algorithm *select_of(unsigned set, enum collective_op op, struct collective *c)
{
	const struct case_of s = selection_look(op, c);
	const double bytes = s.bytes, total = s.total;
	const int ranks = s.ranks, count = s.count, below_power = s.below_power;
	const bool power = s.power, commutes = s.commutes, builtin = s.builtin, levels = s.levels;
	const struct collective_algorithm *found = NULL;

#include "selection.def"
	return found;
}
#undef SELECT

const struct collective_algorithm *collective_selected(enum collective_op op, struct collective *c)
{
	const struct collective_algorithm *found = NULL;
	unsigned set = c->v->cfg->mpi.collectives;

	if (c->v->collective->rules && (found = by_rules(op, c)))
		return found;
	if (c->v->collective->node_times && (found = named(op, "shared", c)))
		return found;
	if (set == COLLECTIVES_AUTO || set == COLLECTIVES_TABLE)
		return NULL;
	found = select_of(set, op, c);
	return found || set < COLLECTIVES_NCCL_RING ? found : select_of(COLLECTIVES_NCCL_RING, op, c);
}
