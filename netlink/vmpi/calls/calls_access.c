/*
 * Calls: reads and writes of files (MPI 3.1, 13.4). Data move at the call, in order of virtual time; a nonblocking
 * operation is a task that ends at its time, and a split one is remembered until its end.
 */
#include <errno.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../objects/external32.h"
#include "file_calls.h"

struct file_access {
	enum call_id call;
	VMPI_File fh;
	bool write, collective;
	enum file_pointer by;
	VMPI_Offset offset;
	void *buf;
	int count;
	VMPI_Datatype datatype;
	/* results */
	uint64_t bytes; /* of the datatype in memory */
	int64_t done;   /* ps */
};

/* ---- checks ---- */

static int check_access(struct vmpi *v, const struct mpi_file *f, const struct file_part *p,
			const struct file_access *a)
{
	const struct type *t = type_find(&v->types, a->datatype);
	int64_t bytes;

	if (a->count < 0)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_COUNT, "count %d: expected 0 or more", a->count);
	if (!t || !t->committed)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_TYPE, "datatype %d: expected a committed one",
				     a->datatype);
	if (a->write && f->shared.amode & VMPI_MODE_RDONLY)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_READ_ONLY, "%.200s is open for reading only",
				     f->path);
	if (!a->write && f->shared.amode & VMPI_MODE_WRONLY)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_ACCESS, "%.200s is open for writing only",
				     f->path);
	if (f->shared.amode & VMPI_MODE_SEQUENTIAL && a->by < FILE_SHARED)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_UNSUPPORTED_OPERATION,
				     "a sequential file: expected operations on the shared pointer");
	if (p->split.end != CALL_NONE && a->collective)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_OTHER,
				     "a split operation has begun: expected %s", call_name(v, p->split.end));
	if (a->by == FILE_EXPLICIT && a->offset < 0)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_ARG, "offset %lld: expected 0 or more",
				     a->offset);
	if (__builtin_mul_overflow(t->size, (int64_t)a->count, &bytes) || bytes >> 60)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_COUNT, "%d elements of %lld bytes are too many",
				     a->count, (long long)t->size);
	if (bytes % p->view.etype->size)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_IO,
				     "%lld bytes: expected a multiple of the etype's %lld", (long long)bytes,
				     (long long)p->view.etype->size);
	return VMPI_SUCCESS;
}

/* ---- data ---- */

/*
 * Moves the data, through a packed copy unless they are consecutive in memory. 0; or an errno; -1: beyond the largest
 * offset.
 */
static int move_file_data(struct vmpi *v, const struct mpi_file *f, const struct file_part *p, struct file_access *a,
			  struct file_transfer *t)
{
	const struct type *type = type_find(&v->types, a->datatype);
	bool external = p->view.external, has = p2p_has_buffer(v, a->buf, type);
	char *packed = NULL;
	int64_t each = external ? external32_size(type) : type->size;

	t->data = NULL;
	if (has && type->dense && !external)
		t->data = (char *)a->buf + type->true_lb;
	else if (has && t->bytes)
		t->data = packed = malloc((size_t)t->bytes);
	if (has && t->bytes && !t->data)
		return ENOMEM;
	if (packed && a->write && external)
		external32_pack(type, a->count, a->buf, packed);
	else if (packed && a->write)
		type_pack(type, a->count, a->buf, packed);
	file_transfer(v, f, &p->view, t);
	if (packed && !a->write && external)
		external32_unpack(type, t->moved / each, a->buf, packed);
	else if (packed && !a->write)
		type_unpack(type, a->count, a->buf, packed, (uint64_t)t->moved);
	free(packed);
	a->bytes = (uint64_t)(each && external ? t->moved / each * type->size : t->moved);
	a->done = t->done;
	return t->error;
}

/* ---- pointers ---- */

/* Etypes of an ordered operation that the ranks below have, and in *all what all ranks have. They have met. */
static int64_t ordered_before(struct vmpi *v, struct mpi_file *f, struct file_part *p, int64_t etypes, int64_t *all)
{
	uint32_t local = comm_local(v, f->comm);
	int64_t before = 0;

	p->ordered = etypes;
	remote_file_ordered(v, f, local);
	collective_barrier(v, f->comm);
	*all = 0;
	for (uint32_t i = 0; i < f->size; i++) {
		if (i < local)
			before += f->part[i].ordered;
		*all += f->part[i].ordered;
	}
	return before;
}

/* The etype at which the operation begins; pointers but the rank's own move on. */
static int64_t begin_at(struct vmpi *v, struct mpi_file *f, struct file_part *p, const struct file_access *a,
			int64_t etypes)
{
	int64_t at = f->shared.pointer, all;

	switch (a->by) {
	case FILE_EXPLICIT: return a->offset;
	case FILE_OWN: return p->position;
	case FILE_SHARED:
		if (__builtin_add_overflow(at, etypes, &f->shared.pointer))
			f->shared.pointer = INT64_MAX;
		file_changed(v, f);
		return at;
	case FILE_ORDERED: break;
	}
	at = ordered_before(v, f, p, etypes, &all);
	if (__builtin_add_overflow(f->shared.pointer, at, &at))
		return INT64_MAX;
	collective_barrier(v, f->comm); /* all know their places before the pointer changes */
	if (comm_local(v, f->comm) == 0) {
		if (__builtin_add_overflow(f->shared.pointer, all, &f->shared.pointer))
			f->shared.pointer = INT64_MAX;
		file_changed(v, f);
	}
	collective_barrier(v, f->comm);
	rank_in_order(v);
	return at;
}

static int access_data(struct vmpi *v, struct mpi_file *f, struct file_part *p, struct file_access *a)
{
	const struct type *t = type_find(&v->types, a->datatype);
	struct file_transfer move = {.write = a->write,
				     .bytes = a->count * (p->view.external ? external32_size(t) : t->size)};
	int64_t at = begin_at(v, f, p, a, move.bytes / p->view.unit);
	int failed;

	if (__builtin_mul_overflow(at, p->view.unit, &move.at))
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_ARG, "offset %lld is too large", (long long)at);
	failed = move_file_data(v, f, p, a, &move);
	if (a->by == FILE_OWN)
		p->position += move.moved / p->view.unit;
	if (failed < 0)
		return rank_error_by(v, p->errhandler, a->fh, VMPI_ERR_ARG,
				     "offset %lld: expected bytes within the largest file", (long long)at);
	return file_report(v, a->fh, f->path, failed);
}

/* Every operation: an error of one rank does not keep the others waiting. */
static int access_run(struct vmpi *v, struct file_access *a, struct mpi_file **f, struct file_part **p)
{
	int ret;

	*f = file_enter(v, a->call, a->fh, p, &ret);
	if (!*f)
		return ret;
	rank_in_order(v);
	a->done = v->current->now;
	ret = check_access(v, *f, *p, a);
	if (!ret)
		return access_data(v, *f, *p, a);
	if (a->by == FILE_ORDERED) {
		int64_t all;

		ordered_before(v, *f, *p, 0, &all);
		collective_barrier(v, (*f)->comm);
		collective_barrier(v, (*f)->comm);
	}
	return ret;
}

static void file_status(VMPI_Status *status, uint64_t bytes)
{
	if (!status)
		return;
	status->VMPI_SOURCE = VMPI_ANY_SOURCE;
	status->VMPI_TAG = VMPI_ANY_TAG;
	status->cancelled_ = 0;
	status->bytes_ = (long long)bytes;
}

/* ---- three kinds of calls ---- */

static int access_blocking(struct vmpi *v, struct file_access a, VMPI_Status *status)
{
	struct mpi_file *f;
	struct file_part *p;
	int ret = access_run(v, &a, &f, &p);

	if (!f)
		return ret;
	file_wait(v, a.done);
	if (a.collective)
		collective_barrier(v, f->comm);
	file_status(status, a.bytes);
	return ret;
}

/* The task of a nonblocking operation: it sleeps. */
static int access_body(struct collective *c)
{
	struct vmpi *v = c->v;

	if (c->bytes > v->current->now)
		v->current->now = c->bytes;
	rank_catch_up(v, v->current);
	return VMPI_SUCCESS;
}

static int access_begin(struct vmpi *v, struct file_access a, VMPI_Request *request)
{
	struct collective c = {.v = v, .request = request, .body = access_body};
	struct mpi_file *f;
	struct file_part *p;
	int ret = access_run(v, &a, &f, &p);

	*request = VMPI_REQUEST_NULL;
	if (ret)
		return ret;
	c.comm = f->comm;
	c.rank = (int)comm_local(v, f->comm);
	c.size = (int)f->size;
	c.send_type = c.recv_type = VMPI_BYTE;
	c.bytes = a.done;
	ret = collective_start(COLLECTIVE_BARRIER, &c);
	request_at(v, (uint32_t)*request)->bytes = a.bytes;
	return ret;
}

static int split_begin(struct vmpi *v, struct file_access a, enum call_id end)
{
	struct mpi_file *f;
	struct file_part *p;
	int ret = access_run(v, &a, &f, &p);

	if (!ret)
		p->split = (struct file_split){end, a.bytes, a.done};
	return ret;
}

static int split_end(struct vmpi *v, enum call_id call, VMPI_File fh, VMPI_Status *status)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, call, fh, &p, &ret);

	if (!f)
		return ret;
	if (p->split.end != call)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_OTHER, "no such operation has begun");
	p->split.end = CALL_NONE;
	file_wait(v, p->split.done);
	collective_barrier(v, f->comm);
	file_status(status, p->split.bytes);
	return VMPI_SUCCESS;
}

/* ---- the calls: reads and writes by each pointer ---- */

#define FILE_ACCESS(name, writes, together, pointer, at) \
	{ \
		.call = CALL_File_##name, .fh = fh, .write = (writes), .collective = (together), .by = (pointer), \
		.offset = (at), .buf = (void *)(uintptr_t)buf, .count = count, .datatype = datatype \
	}
#define FILE_BUF(qualified) qualified void *buf, int count, VMPI_Datatype datatype

#define FILE_BLOCKING(name, qualified, writes, together, pointer) \
	int vmpi_File_##name(struct vmpi *v, VMPI_File fh, FILE_BUF(qualified), VMPI_Status *status) \
	{ \
		return access_blocking(v, (struct file_access)FILE_ACCESS(name, writes, together, pointer, 0), \
				       status); \
	}
#define FILE_BLOCKING_AT(name, qualified, writes, together) \
	int vmpi_File_##name(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, FILE_BUF(qualified), \
			     VMPI_Status *status) \
	{ \
		return access_blocking( \
			v, (struct file_access)FILE_ACCESS(name, writes, together, FILE_EXPLICIT, offset), status); \
	}
#define FILE_NONBLOCKING(name, qualified, writes, together, pointer) \
	int vmpi_File_##name(struct vmpi *v, VMPI_File fh, FILE_BUF(qualified), VMPI_Request *request) \
	{ \
		return access_begin(v, (struct file_access)FILE_ACCESS(name, writes, together, pointer, 0), request); \
	}
#define FILE_NONBLOCKING_AT(name, qualified, writes, together) \
	int vmpi_File_##name(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, FILE_BUF(qualified), \
			     VMPI_Request *request) \
	{ \
		return access_begin(v, (struct file_access)FILE_ACCESS(name, writes, together, FILE_EXPLICIT, offset), \
				    request); \
	}
#define FILE_SPLIT_END(name, qualified) \
	int vmpi_File_##name##_end(struct vmpi *v, VMPI_File fh, qualified void *buf, VMPI_Status *status) \
	{ \
		(void)buf; \
		return split_end(v, CALL_File_##name##_end, fh, status); \
	}
#define FILE_SPLIT(name, qualified, writes, pointer) \
	int vmpi_File_##name##_begin(struct vmpi *v, VMPI_File fh, FILE_BUF(qualified)) \
	{ \
		return split_begin(v, (struct file_access)FILE_ACCESS(name##_begin, writes, true, pointer, 0), \
				   CALL_File_##name##_end); \
	} \
	FILE_SPLIT_END(name, qualified)
#define FILE_SPLIT_AT(name, qualified, writes) \
	int vmpi_File_##name##_begin(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, FILE_BUF(qualified)) \
	{ \
		return split_begin(v, \
				   (struct file_access)FILE_ACCESS(name##_begin, writes, true, FILE_EXPLICIT, offset), \
				   CALL_File_##name##_end); \
	} \
	FILE_SPLIT_END(name, qualified)

#define FILE_BOTH(name, qualified, writes) \
	FILE_BLOCKING_AT(name##_at, qualified, writes, false) \
	FILE_BLOCKING_AT(name##_at_all, qualified, writes, true) \
	FILE_BLOCKING(name, qualified, writes, false, FILE_OWN) \
	FILE_BLOCKING(name##_all, qualified, writes, true, FILE_OWN) \
	FILE_BLOCKING(name##_shared, qualified, writes, false, FILE_SHARED) \
	FILE_BLOCKING(name##_ordered, qualified, writes, true, FILE_ORDERED) \
	FILE_NONBLOCKING_AT(i##name##_at, qualified, writes, false) \
	FILE_NONBLOCKING_AT(i##name##_at_all, qualified, writes, true) \
	FILE_NONBLOCKING(i##name, qualified, writes, false, FILE_OWN) \
	FILE_NONBLOCKING(i##name##_all, qualified, writes, true, FILE_OWN) \
	FILE_NONBLOCKING(i##name##_shared, qualified, writes, false, FILE_SHARED) \
	FILE_SPLIT_AT(name##_at_all, qualified, writes) \
	FILE_SPLIT(name##_all, qualified, writes, FILE_OWN) \
	FILE_SPLIT(name##_ordered, qualified, writes, FILE_ORDERED)

FILE_BOTH(read, , false)
FILE_BOTH(write, const, true)
