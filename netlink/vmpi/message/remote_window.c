/*
 * Windows whose ranks are in several processes. An operation is a row in both processes: the target's one has the data,
 * its copy of the datatype, and the address, which is one of the target's memory. Its result comes back to the origin's
 * row. The records of an operation and of its result precede the engine's packets, as those of messages do (remote.c).
 *
 * Each process also knows memory, unit and flavor of all parts, since the origin of an operation checks its range.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "mpi_window.h"
#include "remote.h"

struct part_record {
	struct record record;
	struct window_memory memory;
};

struct region_record {
	struct record record;
	uint64_t key, base;
	int64_t size; /* -1: it is no region any more */
	uint32_t local, unused;
};

/* The data, the data to be compared with, and the type follow; each begins at a multiple of 8 bytes. */
struct op_record {
	struct record record;
	uint64_t key, address, bytes, result_bytes;
	uint64_t message_bytes, serial;
	int64_t began, count, cause_began;
	uint32_t origin, target, row, cause;
	int32_t op;
	uint8_t kind, lock;
	bool has_data, has_compare, has_type;
};

struct result_record {
	struct record record;
	uint64_t bytes, message_bytes, serial;
	int64_t began;
	uint32_t row, origin, target; /* row of the operation; ranks of COMM_WORLD */
	bool has_data;
};

static size_t padded(uint64_t bytes)
{
	return (size_t)((bytes + 7) / 8 * 8);
}

static uint32_t remote_world(const struct vmpi *v, const struct window *w, uint32_t local)
{
	return group_world(comm_find(&v->comms, w->comm)->group, local);
}

/* ---- parts ---- */

/* Returns whether process `p` has ranks of the window. */
static bool is_in(const struct vmpi *v, const struct window *w, unsigned p)
{
	for (uint32_t i = 0; i < w->size; i++)
		if (remote_process(v, remote_world(v, w, i)) == p)
			return true;
	return false;
}

void remote_window_part(struct vmpi *v, const struct window *w, uint32_t local)
{
	const struct window_part *part = &w->part[local];

	for (unsigned p = 0; v->divided && p < v->divided->partition.partitions; p++) {
		struct part_record *r;

		if (p == v->divided->partition.me || !is_in(v, w, p))
			continue;
		r = remote_put(v, p, RECORD_WINDOW_PART, sizeof(*r));
		if (r)
			r->memory = (struct window_memory){w->key, (uintptr_t)part->base, part->size,
							   local,  part->disp_unit,       part->flavor};
	}
}

void remote_window_region(struct vmpi *v, const struct window *w, uint32_t local, const void *base, int64_t size)
{
	for (unsigned p = 0; v->divided && p < v->divided->partition.partitions; p++) {
		struct region_record *r;

		if (p == v->divided->partition.me || !is_in(v, w, p))
			continue;
		r = remote_put(v, p, RECORD_WINDOW_REGION, sizeof(*r));
		if (!r)
			continue;
		r->key = w->key;
		r->base = (uintptr_t)base;
		r->size = size;
		r->local = local;
	}
}

static void set_memory(struct window *w, const struct window_memory *m)
{
	struct window_part *p = &w->part[m->local];

	p->base = (char *)(uintptr_t)m->base;
	p->size = m->size;
	p->disp_unit = m->disp_unit;
	p->flavor = m->flavor;
}

void remote_window_made(struct vmpi *v, struct window *w)
{
	struct windows *all = v->msg.windows;

	for (size_t i = 0; i < all->early.count;)
		if (all->early.at[i].key == w->key) {
			set_memory(w, &all->early.at[i]);
			all->early.at[i] = all->early.at[--all->early.count];
		} else {
			i++;
		}
}

/* The handle of the window of this key; 0: it is not here, or not yet. */
static int window_by_key(const struct vmpi *v, uint64_t key)
{
	const struct windows *w = v->msg.windows;

	for (int i = w ? w->count - 1 : 0; i > 0; i--)
		if (w->at[i] && w->at[i]->key == key)
			return i;
	return 0;
}

static int take_window_part(struct vmpi *v, const struct part_record *r, struct err *e)
{
	struct windows *all = window_table(v);
	struct window_memory *early;
	int handle;

	if (!all)
		return mem_short(e);
	handle = window_by_key(v, r->memory.key);
	if (handle) {
		set_memory(all->at[handle], &r->memory);
		return 0;
	}
	early = vec_push(&all->early, e);
	if (!early)
		return -1;
	*early = r->memory;
	return 0;
}

static int take_window_region(struct vmpi *v, const struct region_record *r, struct err *e)
{
	struct window *w = window_find(v, window_by_key(v, r->key));
	struct window_part *p = w ? &w->part[r->local] : NULL;
	struct window_region *new;

	if (!w)
		return 0; /* all ranks here have freed it */
	if (r->size < 0) {
		for (size_t i = 0; i < p->regions.count; i++)
			if ((uintptr_t)p->regions.at[i].base == r->base) {
				p->regions.at[i] = p->regions.at[--p->regions.count];
				break;
			}
		return 0;
	}
	new = vec_push(&p->regions, e);
	if (!new)
		return -1;
	*new = (struct window_region){(char *)(uintptr_t)r->base, r->size};
	return 0;
}

/* ---- operations ---- */

/* The message begins: its other end is elsewhere. */
static unsigned begin_remote(struct vmpi *v, uint32_t message)
{
	struct message *m = message_at(v, message);
	unsigned to = remote_process(v, m->dst);

	m->mark = v->divided->serial[to]++;
	m->finished = true;
	return to;
}

void remote_window_op(struct vmpi *v, uint32_t message, uint32_t op)
{
	const struct window_op *o = window_op_at(v, op);
	unsigned to = begin_remote(v, message);
	size_t data = o->data ? padded(o->bytes) : 0, compare = o->compare ? padded(o->bytes) : 0;
	struct op_record *r = remote_put(v, to, RECORD_WINDOW_OP,
					 sizeof(*r) + data + compare + (o->type ? type_write(o->type, NULL) : 0));
	char *at;

	if (!r)
		return;
	r->key = window_find(v, o->window)->key;
	r->address = (uintptr_t)o->address;
	r->bytes = o->bytes;
	r->result_bytes = o->result_bytes;
	r->message_bytes = message_at(v, message)->bytes;
	r->serial = message_at(v, message)->serial;
	r->began = o->began;
	r->count = o->count;
	r->cause_began = o->cause_began;
	r->cause = o->cause;
	r->origin = o->origin;
	r->target = o->target;
	r->row = op;
	r->op = o->op;
	r->kind = o->kind;
	r->lock = o->lock;
	r->has_data = o->data != NULL;
	r->has_compare = o->compare != NULL;
	r->has_type = o->type != NULL;
	at = (char *)(r + 1);
	if (data)
		memcpy(at, o->data, o->bytes);
	if (compare)
		memcpy(at + data, o->compare, o->bytes);
	if (o->type)
		type_write(o->type, at + data + compare);
}

void remote_window_result(struct vmpi *v, uint32_t message, uint32_t op)
{
	const struct window_op *o = window_op_at(v, op);
	const struct window *w = window_find(v, o->window);
	unsigned to = begin_remote(v, message);
	struct result_record *r =
		remote_put(v, to, RECORD_WINDOW_RESULT, sizeof(*r) + (o->result ? padded(o->result_bytes) : 0));

	if (!r)
		return;
	r->bytes = o->result_bytes;
	r->message_bytes = message_at(v, message)->bytes;
	r->serial = message_at(v, message)->serial;
	r->began = o->began;
	r->row = o->away;
	r->origin = remote_world(v, w, o->origin);
	r->target = remote_world(v, w, o->target);
	r->has_data = o->result != NULL;
	if (o->result)
		memcpy(r + 1, o->result, o->result_bytes);
}

/* A copy of `bytes` at *at, which moves on, if there are any: 0, or -1 with `e`. */
static int read_data(const char **at, bool any, uint64_t bytes, char **copy, struct err *e)
{
	if (!any)
		return 0;
	*copy = mem_alloc(bytes ? bytes : 1, 1, e);
	if (!*copy)
		return -1;
	memcpy(*copy, *at, bytes);
	*at += padded(bytes);
	return 0;
}

/* A row for a message of a window that is on its way to here. 0: memory is short. */
static uint32_t take_window_message(struct vmpi *v, unsigned from, const struct message *m, struct err *e)
{
	struct arriving *a = &v->divided->arriving[from];
	uint32_t i = pool_get(&v->msg.messages, e);

	if (!i || vec_reserve(&a->row, 1, e) < 0)
		return 0;
	*message_at(v, i) = *m;
	a->row.at[a->row.count++] = i;
	return i;
}

static int take_window_op(struct vmpi *v, unsigned from, const struct op_record *r, struct err *e)
{
	int handle = window_by_key(v, r->key);
	const struct window *w = window_find(v, handle);
	uint32_t row = window_table(v) ? pool_take(&v->msg.windows->ops, e) : 0;
	struct message m = {.began = r->began,
			    .recv = row,
			    .phase = PHASE_WINDOW,
			    .sent = true,
			    .bytes = r->message_bytes,
			    .serial = r->serial};
	const char *at = (const char *)(r + 1);
	struct window_op *o;

	if (!row)
		return mem_short(e);
	o = window_op_at(v, row);
	*o = (struct window_op){.kind = r->kind,
				.lock = r->lock,
				.window = handle,
				.origin = r->origin,
				.target = r->target,
				.away = r->row,
				.began = r->began,
				.op = r->op,
				.address = (char *)(uintptr_t)r->address,
				.count = r->count,
				.cause_began = r->cause_began,
				.cause = r->cause,
				.bytes = r->bytes,
				.result_bytes = r->result_bytes};
	if (w) {
		m.src = remote_world(v, w, r->origin);
		m.dst = remote_world(v, w, r->target);
	}
	if (read_data(&at, r->has_data, r->bytes, &o->data, e) < 0 ||
	    read_data(&at, r->has_compare, r->bytes, &o->compare, e) < 0)
		return -1;
	o->type = r->has_type ? type_read(&v->types, &at, e) : NULL;
	if ((r->has_type && !o->type) || !take_window_message(v, from, &m, e))
		return -1;
	if (r->has_type)
		window_op_append(v, &w->part[r->origin], row);
	return 0;
}

static int take_result(struct vmpi *v, unsigned from, const struct result_record *r, struct err *e)
{
	const struct message m = {.src = r->target,
				  .dst = r->origin,
				  .bytes = r->message_bytes,
				  .serial = r->serial,
				  .began = r->began,
				  .recv = r->row,
				  .late = true,
				  .phase = PHASE_WINDOW,
				  .sent = true};
	const char *at = (const char *)(r + 1);

	if (read_data(&at, r->has_data, r->bytes, &window_op_at(v, r->row)->result, e) < 0)
		return -1;
	return take_window_message(v, from, &m, e) ? 0 : -1;
}

int window_take(struct vmpi *v, unsigned from, const struct record *r, struct err *e)
{
	const void *at = r;

	switch (r->kind) {
	case RECORD_WINDOW_PART: return take_window_part(v, at, e);
	case RECORD_WINDOW_REGION: return take_window_region(v, at, e);
	case RECORD_WINDOW_OP: return take_window_op(v, from, at, e);
	default: return take_result(v, from, at, e);
	}
}
