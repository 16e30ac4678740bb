/*
 * Operations by a table or by the tree, of ranks in several processes. Each process gets the arrivals of all ranks at
 * the end of the window in which they come, and the data that its ranks will unpack before them. No rank leaves sooner
 * than the least time of an operation after an arrival, so windows that are not longer are short enough.
 */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../times/times.h"
#include "../message/remote.h"
#include "collective_table.h"

struct table_record {
	struct record record;
	uint64_t comm; /* key */
	uint32_t number;
	int32_t tag;
	struct table_arrival arrival;
};

struct table_data_record {
	struct record record;
	uint64_t comm;
	uint32_t number;
	int32_t tag;
	uint64_t length;
	uint32_t of;
	bool parts; /* `ends` has the ends of those for the ranks there, in their order; the data follow */
	uint64_t ends[];
};

static bool all_are_here(const struct vmpi *v, const struct comm *comm)
{
	return !v->divided || comm->here == comm->group->size;
}

/* ---- sending ---- */

/* Returns a record for process `p`, with room for `ends` and data. NULL: memory is short, and the run has failed. */
static struct table_data_record *put_table_data(struct vmpi *v, unsigned p, const struct comm *comm,
						const struct table_collective *t, uint32_t of, uint32_t ends,
						uint64_t length)
{
	struct table_data_record *r =
		remote_put(v, p, RECORD_TABLE_DATA, sizeof(*r) + ends * sizeof(r->ends[0]) + length);

	if (!r)
		return NULL;
	r->comm = comm->key;
	r->number = t->number;
	r->tag = t->tag;
	r->length = length;
	r->of = of;
	r->parts = ends > 0;
	return r;
}

static bool is_in_process(const struct vmpi *v, const struct comm *comm, uint32_t local, unsigned p)
{
	return remote_process(v, group_world(comm->group, local)) == p;
}

void collective_table_send_data(struct vmpi *v, const struct comm *comm, const struct table_collective *t, uint32_t of,
				int reader)
{
	const struct table_data *d = &t->data[of];

	if (all_are_here(v, comm))
		return;
	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		struct table_data_record *r;

		if (p == v->divided->partition.me || (reader >= 0 && !is_in_process(v, comm, (uint32_t)reader, p)))
			continue;
		r = put_table_data(v, p, comm, t, of, 0, d->length);
		if (!r)
			return;
		memcpy(r->ends, d->packed, d->length);
	}
}

/* Writes the parts for the ranks of process `p` to a record, or returns their number and bytes. */
static uint32_t parts_for(const struct vmpi *v, const struct comm *comm, const struct table_data *d, unsigned p,
			  struct table_data_record *r, uint32_t count, uint64_t *bytes)
{
	char *data = r ? (char *)&r->ends[count] : NULL;
	uint32_t k = 0;

	*bytes = 0;
	for (uint32_t i = 0; i < comm->group->size; i++) {
		uint64_t length = d->part_at[i + 1] - d->part_at[i];

		if (!is_in_process(v, comm, i, p))
			continue;
		if (r && length)
			memcpy(data + *bytes, d->packed + d->part_at[i], length);
		*bytes += length;
		if (r)
			r->ends[k] = *bytes;
		k++;
	}
	return k;
}

void collective_table_send_parts(struct vmpi *v, const struct comm *comm, const struct table_collective *t, uint32_t of)
{
	const struct table_data *d = &t->data[of];
	uint64_t bytes;

	if (all_are_here(v, comm))
		return;
	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		uint32_t count = p == v->divided->partition.me ? 0 : parts_for(v, comm, d, p, NULL, 0, &bytes);
		struct table_data_record *r = count ? put_table_data(v, p, comm, t, of, count, bytes) : NULL;

		if (r)
			parts_for(v, comm, d, p, r, count, &bytes);
	}
}

void collective_table_send(struct vmpi *v, const struct comm *comm, const struct table_collective *t,
			   const struct table_arrival *a)
{
	if (all_are_here(v, comm))
		return;
	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		struct table_record *r =
			p == v->divided->partition.me ? NULL : remote_put(v, p, RECORD_TABLE, sizeof(*r));

		if (!r)
			continue;
		r->comm = comm->key;
		r->number = t->number;
		r->tag = t->tag;
		r->arrival = *a;
	}
	v->divided->partition.soon(v->divided->partition.user, a->time + v->divided->lookahead);
}

/* ---- taking ---- */

/* The operation of a record; NULL if *failed, or if the communicator has no rank here, or they have freed it. */
static struct table_collective *find_operation(const struct vmpi *v, uint64_t key, uint32_t number, int tag,
					       struct comm **comm, bool *failed, struct err *e)
{
	struct table_collective *t;

	*comm = comm_by_key(&v->comms, key);
	if (!*comm)
		return NULL;
	t = comm_table_collective_at(*comm, number, tag, e);
	*failed = !t;
	return t;
}

static int take_arrival(struct vmpi *v, const struct table_record *r, struct err *e)
{
	struct comm *comm;
	bool failed = false;
	struct table_collective *t = find_operation(v, r->comm, r->number, r->tag, &comm, &failed, e);

	if (!t)
		return failed ? -1 : 0;
	if (!collective_table_note(t, &r->arrival)) {
		v->failed = true; /* one process says why */
		return 0;
	}
	collective_table_wake(v, comm, t);
	comm_table_collective_done(comm, t);
	return 0;
}

/* Those for the ranks here: the parts of the others are empty. */
static void take_parts(const struct vmpi *v, const struct comm *comm, const struct table_data_record *r,
		       struct table_data *d)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < comm->group->size; i++)
		d->part_at[i + 1] = is_in_process(v, comm, i, v->divided->partition.me) ? r->ends[k++] : d->part_at[i];
	memcpy(d->packed, &r->ends[k], r->length);
}

static int take_data(struct vmpi *v, const struct table_data_record *r, struct err *e)
{
	struct comm *comm;
	bool failed = false;
	struct table_collective *t = find_operation(v, r->comm, r->number, r->tag, &comm, &failed, e);
	struct table_data *d;

	if (!t)
		return failed ? -1 : 0;
	d = collective_table_data(comm, t, r->of, r->parts, r->length, e);
	if (!d)
		return -1;
	if (r->parts)
		take_parts(v, comm, r, d);
	else
		memcpy(d->packed, r->ends, r->length);
	return 0;
}

int collective_table_take(struct vmpi *v, const struct record *r, struct err *e)
{
	return r->kind == RECORD_TABLE ? take_arrival(v, (const void *)r, e) : take_data(v, (const void *)r, e);
}

/* ---- the least time ---- */

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The least time of a table for communicators of `ranks`: times are linear between the columns. */
static int64_t least_at(const struct times_table *t, unsigned ranks, int64_t least)
{
	enum times_rows_taken taken;
	unsigned rows, columns;

	times_shape(t, &rows, &columns);
	for (unsigned k = 0; k < columns; k++)
		least = sooner(least, times_at_ranks(t, ranks, times_bytes(t, k), &taken));
	return least;
}

/* Times are linear between the rows of a class, so the least one is at a row or at the ends of the classes. */
static int64_t least_of_table(const struct times_table *t, unsigned size, int64_t least)
{
	unsigned power = 2, rows, columns;

	times_shape(t, &rows, &columns);
	while (2 * power <= size)
		power *= 2;
	least = least_at(t, 2, least);
	least = least_at(t, power, least);
	if (size >= 3) {
		least = least_at(t, 3, least);
		least = least_at(t, size, least);
		least = least_at(t, size - (size == power), least);
	}
	for (unsigned i = 0; i < rows; i++)
		if (times_row(t, i) >= 2 && times_row(t, i) <= size)
			least = least_at(t, (unsigned)times_row(t, i), least);
	return least;
}

bool collective_table_least(const struct vmpi *v, int64_t *least)
{
	bool any = v->collective->tree != NULL;

	*least = any ? collective_tree_time(v, 0) : INT64_MAX;
	for (unsigned op = 0; op < COLLECTIVE_COUNT && v->size > 1; op++) {
		if (!v->collective->times[op])
			continue;
		any = true;
		*least = least_of_table(v->collective->times[op], v->size, *least);
	}
	return any;
}
