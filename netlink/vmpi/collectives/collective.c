/* The table of algorithms, and the choice among them. */
#include "collective.h"

#include <string.h>

#include "algorithms.h"
#include "../vmpi_config.h"

static const struct collective_algorithm *const all[] = {
#define ALGORITHM(name) &name,
#include "../collective_ops.def"
#define COLLECTIVE(NAME, name, calls, measured) &table_##name,
#include "../collective_ops.def"
	NULL,
};

const struct collective_algorithm *const *collective_algorithms(void)
{
	return all;
}

static const char *const op_names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

/* "auto, ring, bruck" */
static void list_names(enum collective_op op, char *text, size_t size)
{
	int n = snprintf(text, size, "auto");

	for (const struct collective_algorithm *const *a = all; *a && n >= 0 && (size_t)n < size; a++)
		if ((*a)->op == op)
			n += snprintf(text + n, size - (size_t)n, ", %s", (*a)->name);
}

static int choose_one(const struct config *config, enum collective_op op, const char *name,
		      const struct collective_algorithm **chosen, struct err *e)
{
	char names[256], key[64];

	*chosen = NULL;
	if (strcmp(name, "auto") == 0)
		return 0;
	for (const struct collective_algorithm *const *a = all; *a; a++)
		if ((*a)->op == op && strcmp((*a)->name, name) == 0) {
			*chosen = *a;
			return 0;
		}
	list_names(op, names, sizeof(names));
	snprintf(key, sizeof(key), "collective_%s", op_names[op]);
	return err_set(e, STATUS_USAGE, "%s: mpi.%s: unknown algorithm '%s', expected %s",
		       config ? config_origin(config, "mpi", key) : "configuration", key, name, names);
}

int collective_choose(const struct config *config, const struct vmpi_config *cfg,
		      const struct collective_algorithm **chosen, struct err *e)
{
#define COLLECTIVE(NAME, name, calls, measured) \
	if (choose_one(config, COLLECTIVE_##NAME, cfg->mpi.collective_##name, &chosen[COLLECTIVE_##NAME], e) < 0) \
		return -1;
#include "../collective_ops.def"
	return 0;
}

/* Returns whether the operation takes its time from a table. */
static bool by_table(enum collective_op op, const struct collective *c)
{
	const struct collective_algorithm *chosen = c->v->collective->chosen[op];

	if (!c->v->collective->times[op] || c->size == 1)
		return false;
	return chosen ? !chosen->run : c->v->cfg->mpi.collectives == COLLECTIVES_TABLE;
}

static bool can_run(const struct collective_algorithm *a, const struct collective *c)
{
	return !a->can || a->can(c);
}

static const struct collective_algorithm *cheapest(enum collective_op op, const struct collective *c)
{
	const struct collective_algorithm *best = NULL;
	int64_t least = 0;

	for (const struct collective_algorithm *const *a = all; *a; a++)
		if ((*a)->op == op && (*a)->cost && can_run(*a, c)) {
			int64_t cost = (*a)->cost(c);

			if (!best || cost < least) {
				best = *a;
				least = cost;
			}
		}
	if (!best)
		bug("no algorithm for %s", op_names[op]);
	return best;
}

/*
 * The algorithm that an MPI library selects, or the cheapest. The choice is kept until the operation has other
 * arguments.
 */
static const struct collective_algorithm *automatic(enum collective_op op, struct collective *c)
{
	struct collective_choice *last = &c->v->collective->choices[op];
	struct collective_choice now = {.bytes = c->bytes,
					.ctx = comm_find(&c->v->comms, c->comm)->ctx,
					.count = c->recv_count,
					.op = c->op,
					.members = c->members,
					.uniform = c->uniform,
					.counts = c->recv_counts || c->send_counts};
	const struct collective_algorithm *selected = collective_selected(op, c);

	if (selected)
		return selected;
	if (last->algorithm && last->bytes == now.bytes && last->ctx == now.ctx && last->count == now.count &&
	    last->op == now.op && last->members == now.members && last->uniform == now.uniform &&
	    last->counts == now.counts)
		return last->algorithm;
	now.algorithm = cheapest(op, c);
	*last = now;
	return now.algorithm;
}

static unsigned algorithm_number(const struct collective_algorithm *a)
{
	unsigned i = 0;

	while (all[i] != a)
		i++;
	return i;
}

int collective_run(enum collective_op op, struct collective *c)
{
	const struct collective_algorithm *chosen = c->v->collective->chosen[op];

	if (c->body)
		return c->body(c);
	if (comm_find(&c->v->comms, c->comm)->remote)
		return inter_run(op, c);
	if (collective_tree_carries(op, c)) {
		rank_busy(c->v, c->v->current, c->v->overhead);
		collective_by_table(op, c);
		return VMPI_SUCCESS;
	}
	if (by_table(op, c)) {
		collective_by_table(op, c);
		return VMPI_SUCCESS;
	}
	if (!chosen || !chosen->run || !can_run(chosen, c))
		chosen = automatic(op, c);
	collective_algorithm_used(c, algorithm_number(chosen));
	return chosen->run(c);
}

void collective_barrier(struct vmpi *v, VMPI_Comm comm)
{
	struct collective c = {.v = v,
			       .comm = comm,
			       .rank = (int)comm_local(v, comm),
			       .size = (int)comm_find(&v->comms, comm)->group->size};

	collective_run(COLLECTIVE_BARRIER, &c);
}
