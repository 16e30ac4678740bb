/*
 * Collective operations by a table of times, or by the tree of collective_tree.c. A table has times by communicator
 * size and bytes, as c->bytes counts them (of one part, the largest). Nothing goes over the network.
 *
 *     Bcast, Scatter        a rank leaves when root's arrival + time has come
 *     Gather, Reduce        root leaves at the latest arrival + time; the others at once
 *     all others            all ranks leave at the latest arrival + time
 *
 * Data, where programs give buffers: those of the rooted ones and of Allreduce are packed for the other side to find;
 * those of the others move by instant messages of an ordinary algorithm, when all ranks are through.
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

char *collective_table_room(const struct comm *comm, struct table_collective *t, uint32_t to, uint64_t bytes,
			    struct err *e)
{
	if (!t->data)
		t->data = mem_alloc(comm->group->size, sizeof(*t->data), e);
	if (!t->length)
		t->length = mem_alloc(comm->group->size, sizeof(*t->length), e);
	if (!t->data || !t->length)
		return NULL;
	t->data[to] = mem_alloc(bytes, 1, e);
	t->length[to] = bytes;
	return t->data[to];
}

/* Packs a buffer that local rank `to` will unpack, in the process of local rank `reader` (-1: in all). */
static void leave_data(struct collective *c, struct table_collective *t, int to, int reader, const void *buf, int count,
		       VMPI_Datatype type)
{
	const struct type *ty = type_find(&c->v->types, type);
	const struct comm *comm = comm_find(&c->v->comms, c->comm);
	uint64_t bytes = (uint64_t)(count * ty->size);
	char *room;

	if (!bytes || !p2p_has_buffer(c->v, buf, ty))
		return;
	room = collective_table_room(comm, t, (uint32_t)to, bytes, &c->v->err);
	if (!room) {
		rank_fail(c->v);
		return;
	}
	type_pack(ty, count, buf, room);
	collective_table_send_data(c->v, comm, t, (uint32_t)to, reader);
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
		leave_data(c, t, 0, -1, c->recv, c->recv_count, c->recv_type);
	for (int i = 0; op == COLLECTIVE_SCATTER && root && i < c->size; i++) {
		int count = collective_send_part(c, i, &at);

		if (i != c->rank || c->recv != VMPI_IN_PLACE)
			leave_data(c, t, i, i, collective_at(c, c->send, at, c->send_type), count, c->send_type);
	}
	if (op == COLLECTIVE_GATHER && !in_place)
		leave_data(c, t, c->rank, c->root, c->send, c->send_count, c->send_type);
	if (op == COLLECTIVE_REDUCE || op == COLLECTIVE_ALLREDUCE)
		leave_data(c, t, c->rank, op == COLLECTIVE_REDUCE ? c->root : -1, in_place ? c->recv : c->send,
			   c->recv_count, c->recv_type);
}

/* Keeps the running rank's result for the others. */
static void keep_result(struct collective *c, struct table_collective *t, const struct type *ty)
{
	t->result_bytes = (uint64_t)(c->recv_count * ty->size);
	t->result = mem_alloc(t->result_bytes, 1, &c->v->err);
	if (!t->result)
		rank_fail(c->v);
	type_pack(ty, c->recv_count, c->recv, t->result);
}

/* Reduces from the last rank to the first: sum = x[i] op sum. The first rank that leaves does so for all. */
static void collective_table_reduce(struct collective *c, struct table_collective *t)
{
	const struct type *ty = type_find(&c->v->types, c->recv_type);
	void *sum, *other;

	if (!t->data || !p2p_has_buffer(c->v, c->recv, ty))
		return;
	if (t->result) {
		type_unpack(ty, c->recv_count, c->recv, t->result, t->result_bytes);
		return;
	}
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
	if (t->op == COLLECTIVE_ALLREDUCE && c->recv_count > 0)
		keep_result(c, t, ty);
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
	if (op == COLLECTIVE_ALLREDUCE || (op == COLLECTIVE_REDUCE && root))
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
	t->has_data |= a->has_data;
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
	*end = begin + (t->tree ? collective_tree_time(v, t->bytes)
				: times_at_ranks(v->times[t->op], comm->group->size, (double)t->bytes, &taken));
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

bool collective_by_table(enum collective_op op, struct collective *c)
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
		.has_data = v->cfg->mpi.payload && ((c->send && c->send != VMPI_IN_PLACE) || c->recv),
		.time = v->current->now,
		.bytes = (uint64_t)c->bytes,
	};
	bool through;

	if (!t) {
		rank_fail(v);
		return true;
	}
	through = direction_of(op) != TO_ALL || op == COLLECTIVE_BARRIER || op == COLLECTIVE_ALLREDUCE;
	if (!through && a.has_data)
		collective_table_needs_all(v, comm, "an operation by a table that moves data between all ranks");
	if (comm->by_itself)
		collective_table_needs_all(v, comm, "an operation by a table of a communicator that its group makes");
	if (!collective_table_arrive(c, t, &a))
		return true;
	deposit_data(op, c, t);
	collective_table_send(v, comm, t, &a);
	collective_table_take_part(c, t);
	collect_data(op, c, t);
	through = through || !t->has_data;
	t->left++;
	comm_table_collective_done(comm, t);
	return through;
}
