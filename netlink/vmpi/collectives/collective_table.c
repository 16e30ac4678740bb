/*
 * Collective operations by a table of times, or by the tree of collective_tree.c. A table has times by communicator
 * size and bytes, as c->bytes counts them (of one part, the largest). Nothing goes over the network.
 *
 *     Bcast, Scatter        a rank leaves when root's arrival + time has come
 *     Gather, Reduce        root leaves at the latest arrival + time; the others at once
 *     all others            all ranks leave at the latest arrival + time
 *
 * Data, where programs give buffers: those of the rooted ones are packed for the other side to find; those of the
 * others move by instant messages of an ordinary algorithm, when all ranks are through.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/near.h"
#include "../../times/times.h"
#include "algorithms.h"

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
		v->times[op] = v->setup.times ? find_times(v->setup.times, names[op]) : NULL;
		if (v->chosen[op] && !v->chosen[op]->run && !v->times[op])
			return err_set(e, STATUS_USAGE,
				       "mpi.collective_%s = table: expected a table %s in the file of table.file",
				       names[op], names[op]);
		any |= v->times[op] != NULL;
	}
	if (!any)
		return err_set(e, STATUS_BAD_INPUT,
			       "table.file: no table of a collective operation, expected one with mpi.collectives = "
			       "table (docs/formats/times-format.md)");
	return 0;
}

/* ---- data of rooted operations ---- */

/* Packs a buffer that local rank `to` will unpack; false: out of memory. */
static bool leave_data(struct collective *c, struct table_collective *t, int to, const void *buf, int count,
		       VMPI_Datatype type)
{
	const struct type *ty = type_find(&c->v->types, type);
	uint64_t bytes = (uint64_t)(count * ty->size);

	if (!bytes || !p2p_has_buffer(c->v, buf, ty))
		return true;
	if (!t->data) {
		t->data = mem_alloc((size_t)c->size, sizeof(*t->data), &c->v->err);
		t->length = mem_alloc((size_t)c->size, sizeof(*t->length), &c->v->err);
	}
	if (t->data && t->length)
		t->data[to] = mem_alloc(bytes, 1, &c->v->err);
	if (!t->data || !t->length || !t->data[to]) {
		rank_fail(c->v);
		return false;
	}
	t->length[to] = bytes;
	type_pack(ty, count, buf, t->data[to]);
	return true;
}

static void find_data(struct collective *c, const struct table_collective *t, int of, void *buf, int count,
		      VMPI_Datatype type)
{
	const struct type *ty = type_find(&c->v->types, type);

	if (t->data && t->data[of] && p2p_has_buffer(c->v, buf, ty))
		type_unpack(ty, count, buf, t->data[of], t->length[of]);
}

static void deposit_data(enum collective_op op, struct collective *c, struct table_collective *t)
{
	bool root = c->rank == c->root, in_place = c->send == VMPI_IN_PLACE;
	int64_t at;

	if (op == COLLECTIVE_BCAST && root)
		leave_data(c, t, 0, c->recv, c->recv_count, c->recv_type);
	for (int i = 0; op == COLLECTIVE_SCATTER && root && i < c->size; i++) {
		int count = collective_send_part(c, i, &at);

		if (i != c->rank || c->recv != VMPI_IN_PLACE)
			leave_data(c, t, i, collective_at(c, c->send, at, c->send_type), count, c->send_type);
	}
	if (op == COLLECTIVE_GATHER && !in_place)
		leave_data(c, t, c->rank, c->send, c->send_count, c->send_type);
	if (op == COLLECTIVE_REDUCE)
		leave_data(c, t, c->rank, in_place ? c->recv : c->send, c->recv_count, c->recv_type);
}

/* Reduces from the last rank to the first: sum = x[i] op sum. */
static void collective_table_reduce(struct collective *c, const struct table_collective *t)
{
	void *sum, *other;

	if (!t->data || !p2p_has_buffer(c->v, c->recv, type_find(&c->v->types, c->recv_type)))
		return;
	sum = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
	other = collective_buffer(c, c->recv, c->recv_count, c->recv_type);
	find_data(c, t, c->size - 1, sum, c->recv_count, c->recv_type);
	for (int i = c->size - 2; i >= 0; i--) {
		find_data(c, t, i, other, c->recv_count, c->recv_type);
		collective_combine(c, other, sum, c->recv_count);
	}
	collective_copy(c, sum, c->recv_count, c->recv_type, c->recv, c->recv_count, c->recv_type);
	collective_free(c, sum, c->recv_type);
	collective_free(c, other, c->recv_type);
}

static void collect_data(enum collective_op op, struct collective *c, struct table_collective *t)
{
	bool root = c->rank == c->root;
	int64_t at;

	if (op == COLLECTIVE_BCAST && !root)
		find_data(c, t, 0, c->recv, c->recv_count, c->recv_type);
	if (op == COLLECTIVE_SCATTER && c->recv != VMPI_IN_PLACE)
		find_data(c, t, c->rank, c->recv, c->recv_count, c->recv_type);
	for (int i = 0; op == COLLECTIVE_GATHER && root && i < c->size; i++) {
		int count = collective_recv_part(c, i, &at);

		find_data(c, t, i, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type);
	}
	if (op == COLLECTIVE_REDUCE && root)
		collective_table_reduce(c, t);
}

/* ---- times ---- */

enum direction { FROM_ROOT, TO_ROOT, TO_ALL };

static enum direction direction_of(enum collective_op op)
{
	if (op == COLLECTIVE_BCAST || op == COLLECTIVE_SCATTER)
		return FROM_ROOT;
	return op == COLLECTIVE_GATHER || op == COLLECTIVE_REDUCE ? TO_ROOT : TO_ALL;
}

/* Registers the arrival of a rank. False: other ranks have called another operation, and the run has failed. */
static bool collective_table_arrive(enum collective_op op, struct collective *c, struct table_collective *t)
{
	const struct rank *r = c->v->current;
	const struct vmpi *v = c->v;

	if (t->come && (t->op != (int)op || t->root != c->root)) {
		rank_error(c->v, c->comm, VMPI_ERR_OTHER,
			   "%s, root %d, while another rank calls %s, root %d: expected the same call", names[op],
			   c->root, names[t->op], t->root);
		return false;
	}
	t->op = (int)op;
	t->root = c->root;
	if (!t->come && collective_tree_carries(op, c))
		collective_tree_used(c->v, op, (uint64_t)c->bytes);
	else if (!t->come)
		collective_table_used(c->v, op, c->size);
	if (!t->come++ || r->now > t->latest) {
		t->latest = r->now;
		t->last_rank = r->world;
	}
	if (c->rank == c->root)
		t->root_came = r->now;
	if ((uint64_t)c->bytes > t->bytes)
		t->bytes = (uint64_t)c->bytes;
	t->has_data |= v->cfg->mpi.payload && ((c->send && c->send != VMPI_IN_PLACE) || c->recv);
	return true;
}

/* Start of the operation's duration for this rank; -1: not known yet. */
static int64_t start_time(const struct table_collective *t, enum direction d, uint32_t size)
{
	if (d == FROM_ROOT)
		return t->root_came;
	return t->come == size ? t->latest : -1;
}

static void wake_all(struct vmpi *v, struct table_collective *t, int64_t end, const struct vmpi_cause *cause)
{
	while (t->waiting) {
		struct rank *r = rank_by_index(v, t->waiting - 1);

		t->waiting = r->next_at_table;
		r->next_at_table = 0;
		rank_wake(v, r, end, cause);
	}
}

/* Advances the running rank's clock to `end`. */
static void advance_clock(struct vmpi *v, int64_t end, const struct vmpi_cause *cause)
{
	struct rank *r = v->current;
	int64_t from = r->now;

	if (end <= from)
		return;
	r->now = end;
	r->waited += end - from;
	rank_waited(v, r, from, cause);
}

static void wait_for_others(struct vmpi *v, struct table_collective *t)
{
	struct rank *r = v->current;
	struct wait w = {.kind = WAIT_TOGETHER};

	r->next_at_table = t->waiting;
	t->waiting = r->index + 1;
	r->pending = 1;
	rank_wait(v, r, &w);
}

static void collective_table_take_part(enum direction d, struct collective *c, struct table_collective *t)
{
	struct vmpi *v = c->v;
	int64_t begin = start_time(t, d, (uint32_t)c->size), end;
	struct vmpi_cause cause = {CAUSE_COLLECTIVE, t->last_rank, begin, t->bytes};
	enum times_rows_taken taken;

	if (d == TO_ROOT && c->rank != c->root && begin < 0)
		return;
	if (begin < 0) {
		wait_for_others(v, t);
		return;
	}
	if (collective_tree_carries((enum collective_op)t->op, c))
		end = begin + collective_tree_time(v, t->bytes);
	else
		end = begin + times_at_ranks(v->times[t->op], (unsigned)c->size, (double)t->bytes, &taken);
	if (d == FROM_ROOT)
		cause.peer = group_world(comm_find(&v->comms, c->comm)->group, (uint32_t)c->root);
	wake_all(v, t, end, &cause);
	if (d != TO_ROOT || c->rank == c->root)
		advance_clock(v, end, &cause);
}

bool collective_by_table(enum collective_op op, struct collective *c)
{
	struct vmpi *v = c->v;
	struct comm *comm = comm_find(&v->comms, c->comm);
	struct table_collective *t = comm_table_collective(comm, (uint32_t)c->rank, c->tag, &v->err);
	enum direction d = direction_of(op);
	bool through;

	if (!t) {
		rank_fail(v);
		return true;
	}
	if (!collective_table_arrive(op, c, t))
		return true;
	deposit_data(op, c, t);
	collective_table_take_part(d, c, t);
	collect_data(op, c, t);
	through = d != TO_ALL || !t->has_data || op == COLLECTIVE_BARRIER;
	comm_table_collective_leave(comm, t);
	return through;
}
