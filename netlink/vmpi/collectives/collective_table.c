/*
 * Collective operations by a table of times, or by the tree of collective_tree.c. A table has times by communicator
 * size and bytes, as c->bytes counts them (of one part, the largest). Nothing goes over the network.
 *
 *     Bcast, Scatter        a rank leaves when root's arrival + time has come
 *     Gather, Reduce        root leaves at the latest arrival + time; the others at once
 *     all others            all ranks leave at the latest arrival + time
 *
 * Data of programs: collective_table_data.c.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "../../times/times.h"
#include "algorithms.h"
#include "collective_table.h"

#define COLLECTIVE(NAME, name, calls, measured) \
	const struct collective_algorithm table_##name = { \
		COLLECTIVE_##NAME, "table", "time from a table, without messages", NULL, NULL, NULL, \
	};
#include "../collective_ops.def"

static const char *const names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

/* Finds an operation's table; operations on parts of any length use the table for equal parts. */
static const struct times_table *find_times(const struct times *times, const char *name)
{
	const struct times_table *t = times_find(times, name);
	char base[32];
	size_t n;

	if (t)
		return t;
	snprintf(base, sizeof(base), "%s", name);
	n = strlen(base);
	if (n && base[n - 1] == 'v')
		base[n - 1] = '\0';
	return times_find(times, base);
}

/* Rejects tables of unknown operations, since nothing would read them. */
static int collective_table_check_names(const struct times *times, struct err *e)
{
	for (unsigned i = 0; i < times_count(times); i++) {
		const char *name = times_name(times_at_index(times, i));
		struct near n = near_start(name);
		bool known = strcmp(name, "p2p") == 0;

		for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
			near_offer(&n, names[op]);
			known |= strcmp(name, names[op]) == 0;
		}
		if (!known)
			return err_set(e, STATUS_BAD_INPUT, "table.file: table %s: unknown operation, %s%s", name,
				       n.best ? "did you mean " : "expected p2p or one of --list-collectives",
				       n.best ? n.best : "");
	}
	return 0;
}

int collective_find_times(struct vmpi *v, struct err *e)
{
	bool any = !v->setup.times;

	if (v->setup.times && collective_table_check_names(v->setup.times, e) < 0)
		return -1;
	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		v->collective->times[op] = v->setup.times ? find_times(v->setup.times, names[op]) : NULL;
		if (v->collective->chosen[op] && !v->collective->chosen[op]->run && !v->collective->times[op])
			return err_set(e, STATUS_USAGE,
				       "mpi.collective_%s = table: expected a table %s in the file of table.file",
				       names[op], names[op]);
		any |= v->collective->times[op] != NULL;
	}
	if (!any)
		return err_set(e, STATUS_BAD_INPUT,
			       "table.file: no table of a collective operation, expected one with mpi.collectives = "
			       "table (docs/formats/times-format.md)");
	return 0;
}

/* ---- times ---- */

enum direction { FROM_ROOT, TO_ROOT, TO_ALL };

static enum direction direction_of(enum collective_op op)
{
	if (op == COLLECTIVE_BCAST || op == COLLECTIVE_SCATTER)
		return FROM_ROOT;
	return op == COLLECTIVE_GATHER || op == COLLECTIVE_REDUCE ? TO_ROOT : TO_ALL;
}

bool collective_table_note(struct table_collective *t, const struct table_arrival *a)
{
	enum direction d = direction_of((enum collective_op)a->op);
	bool first = !t->come;

	if (!first && (t->op != a->op || t->root != a->root))
		return false;
	t->come++;
	t->op = a->op;
	t->root = a->root;
	t->tree = a->tree;
	if (first || a->time > t->latest || (a->time == t->latest && a->rank < t->last_rank)) {
		t->latest = a->time;
		t->last_rank = a->rank;
	}
	if (a->is_root)
		t->root_came = a->time;
	if (d == FROM_ROOT ? a->is_root : a->bytes > t->bytes)
		t->bytes = a->bytes;
	return true;
}

/* Registers the arrival of the running rank. False: other ranks have called another operation. */
static bool collective_table_arrive(struct collective *c, struct table_collective *t, const struct table_arrival *a)
{
	struct vmpi *v = c->v;

	if (!collective_table_note(t, a)) {
		rank_error(v, c->comm, VMPI_ERR_OTHER,
			   "%s, root %d, while another rank calls %s, root %d: expected the same call", names[a->op],
			   a->root, names[t->op], t->root);
		return false;
	}
	if (c->rank == 0 && a->tree)
		collective_tree_used(v, (enum collective_op)a->op, 1, a->bytes);
	else if (c->rank == 0)
		collective_table_used(v, (enum collective_op)a->op, c->size);
	return true;
}

/* When and why the ranks leave; false: that is not known yet. */
static bool collective_table_end(const struct vmpi *v, const struct comm *comm, const struct table_collective *t,
				 int64_t *end, struct vmpi_cause *cause)
{
	bool from_root = direction_of((enum collective_op)t->op) == FROM_ROOT;
	int64_t begin = from_root ? t->root_came : t->come == comm->group->size ? t->latest : -1;
	enum times_rows_taken taken;

	if (begin < 0)
		return false;
	*end = begin +
	       (t->tree ? collective_tree_time(v, t->bytes)
			: times_at_ranks(v->collective->times[t->op], comm->group->size, (double)t->bytes, &taken));
	*cause = (struct vmpi_cause){CAUSE_COLLECTIVE,
				     from_root ? group_world(comm->group, (uint32_t)t->root) : t->last_rank, begin,
				     t->bytes};
	return true;
}

void collective_table_wake(struct vmpi *v, const struct comm *comm, struct table_collective *t)
{
	struct vmpi_cause cause;
	int64_t end;

	if (!t->waiting || !collective_table_end(v, comm, t, &end, &cause))
		return;
	while (t->waiting) {
		struct rank *r = rank_by_index(v, t->waiting - 1);

		t->waiting = r->next_at_table;
		r->next_at_table = 0;
		rank_wake(v, r, end, &cause);
	}
}

/* The running rank waits for its end of the operation. */
static void collective_table_take_part(struct collective *c, struct table_collective *t)
{
	struct vmpi *v = c->v;
	struct rank *r = v->current;
	const struct comm *comm = comm_find(&v->comms, c->comm);
	struct wait w = {.kind = WAIT_TOGETHER};
	struct vmpi_cause cause;
	int64_t end;

	collective_table_wake(v, comm, t);
	/* a clock that is ahead may be past the end: whether the root has come depends on time, not on turns */
	if (direction_of((enum collective_op)t->op) == FROM_ROOT && c->rank != c->root)
		rank_catch_up(v, r);
	if (direction_of((enum collective_op)t->op) == TO_ROOT && c->rank != c->root)
		return;
	if (collective_table_end(v, comm, t, &end, &cause)) {
		rank_wait_until(v, r, &w, end, &cause);
		return;
	}
	r->next_at_table = t->waiting;
	t->waiting = r->index + 1;
	r->pending = 1;
	rank_wait(v, r, &w);
}

void collective_by_table(enum collective_op op, struct collective *c)
{
	struct vmpi *v = c->v;
	struct comm *comm = comm_find(&v->comms, c->comm);
	struct table_collective *t = comm_table_collective(comm, (uint32_t)c->rank, c->tag, &v->err);
	struct table_arrival a = {
		.op = (int)op,
		.root = c->root,
		.rank = v->current->world,
		.tree = collective_tree_carries(op, c),
		.is_root = c->rank == c->root,
		.time = v->current->now,
		.bytes = (uint64_t)c->bytes,
	};

	if (!t)
		rank_stop(v);
	if (!collective_table_arrive(c, t, &a))
		return;
	collective_table_deposit(op, c, t);
	collective_table_send(v, comm, t, &a);
	collective_table_take_part(c, t);
	collective_table_collect(op, c, t);
	t->left++;
	comm_table_collective_done(comm, t);
}
