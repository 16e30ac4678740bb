/*
 * Writes the calls of windows. A line is written when its call has returned, since an error is no event: its time then
 * counts as computation. Operations have their place at the target in bytes, whatever the window's unit and the type.
 */
#include <inttypes.h>

#include "../host/mpi_program.h"
#include "../message/mpi_window.h"
#include "call_record.h"

/* ---- facts of lines ---- */

int line_window_number(struct vmpi *v, VMPI_Win win)
{
	return (int)record_window_number(v, win);
}

long long line_window_unit(struct vmpi *v, VMPI_Win win, int rank)
{
	const struct window_part *to = &window_find(v, win)->part[rank];

	return to->flavor == VMPI_WIN_FLAVOR_DYNAMIC ? 0 : to->disp_unit;
}

int line_group_size(struct vmpi *v, VMPI_Group group)
{
	return (int)group_find(&v->comms, group)->size;
}

int line_group_rank(struct vmpi *v, VMPI_Group group, int i, VMPI_Win win)
{
	struct group *all = comm_find(&v->comms, window_find(v, win)->comm)->group;

	return (int)group_local(all, group_world(group_find(&v->comms, group), (uint32_t)i));
}

struct line_extent line_extent(struct vmpi *v, VMPI_Datatype type)
{
	const struct type *t = type_find(&v->types, type);

	return (struct line_extent){.bytes = t->ub - t->lb, .lower = t->true_lb};
}

/* Ends a line of a window. */
static int end_window_line(struct vmpi *v, FILE *out, VMPI_Win win)
{
	put_window(out, v, win);
	fputc('\n', out);
	return record_done(v, VMPI_SUCCESS);
}

/* ---- windows ---- */

static int made_window(struct vmpi *v, int ret, VMPI_Aint size, VMPI_Comm comm, const VMPI_Win *win)
{
	FILE *out;

	if (ret)
		return ret;
	out = record_line(v, "window");
	if (size < 0)
		fputs(" any", out);
	else
		fprintf(out, " %ld", (long)size);
	fprintf(out, " new=%zu", record_window_made(v, *win));
	put_comm(out, v, comm);
	fputc('\n', out);
	return record_done(v, ret);
}

static int record_Win_create(struct vmpi *v, void *base, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm,
			     VMPI_Win *win)
{
	record_gap(v);
	return made_window(v, vmpi_Win_create(v, base, size, disp_unit, info, comm, win), size, comm, win);
}

static int record_Win_allocate(struct vmpi *v, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm,
			       void *baseptr, VMPI_Win *win)
{
	record_gap(v);
	return made_window(v, vmpi_Win_allocate(v, size, disp_unit, info, comm, baseptr, win), size, comm, win);
}

static int record_Win_allocate_shared(struct vmpi *v, VMPI_Aint size, int disp_unit, VMPI_Info info, VMPI_Comm comm,
				      void *baseptr, VMPI_Win *win)
{
	record_gap(v);
	return made_window(v, vmpi_Win_allocate_shared(v, size, disp_unit, info, comm, baseptr, win), size, comm, win);
}

static int record_Win_create_dynamic(struct vmpi *v, VMPI_Info info, VMPI_Comm comm, VMPI_Win *win)
{
	record_gap(v);
	return made_window(v, vmpi_Win_create_dynamic(v, info, comm, win), -1, comm, win);
}

static int record_Win_free(struct vmpi *v, VMPI_Win *win)
{
	VMPI_Win given = *win;
	int ret;

	record_gap(v);
	ret = vmpi_Win_free(v, win);
	return ret ? ret : end_window_line(v, record_line(v, "window_free"), given);
}

/* ---- operations and synchronization: a call that succeeded has the line ---- */

#define CALL(...)
#define ACCESS(name, arguments, doc, event, count, datatype) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments)) \
	{ \
		FILE *out; \
		int ret; \
\
		record_gap(v); \
		ret = vmpi_##name(v NAMES(arguments)); \
		if (ret) \
			return ret; \
		out = record_line(v, event); \
		put_access(out, v, target_rank, target_disp, count, datatype, win); \
		return end_window_line(v, out, win); \
	}
#define ACCESS_BEGUN(name, arguments, doc, event, count, datatype) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments), VMPI_Request *request) \
	{ \
		FILE *out; \
		int ret; \
\
		record_gap(v); \
		ret = vmpi_##name(v NAMES(arguments), request); \
		if (ret) \
			return ret; \
		out = record_line(v, event); \
		put_access(out, v, target_rank, target_disp, count, datatype, win); \
		record_request(v, *request); \
		return end_window_line(v, out, win); \
	}
#define SYNC(name, arguments, doc, event, happens, words) \
	static int record_##name(struct vmpi *host PARAMETERS(arguments)) \
	{ \
		FILE *out; \
		int ret; \
\
		record_gap(host); \
		ret = vmpi_##name(host NAMES(arguments)); \
		if (ret || !(happens)) \
			return ret; \
		out = record_line(host, event); \
		words; \
		return end_window_line(host, out, win); \
	}
#include "../api/calls_window.def"

/* A test has taken its time, whatever it found. */
static int record_Win_test(struct vmpi *v, VMPI_Win win, int *flag)
{
	int ret = vmpi_Win_test(v, win, flag);

	if (ret || !*flag)
		return ret;
	record_gap(v);
	return end_window_line(v, record_line(v, "window_wait"), win);
}

void record_window_calls(struct vmpi_calls *calls)
{
	calls->Win_create = record_Win_create;
	calls->Win_allocate = record_Win_allocate;
	calls->Win_allocate_shared = record_Win_allocate_shared;
	calls->Win_create_dynamic = record_Win_create_dynamic;
	calls->Win_free = record_Win_free;
	calls->Win_test = record_Win_test;
#define RECORDED(name, ...) calls->name = record_##name;
#define ACCESS RECORDED
#define ACCESS_BEGUN RECORDED
#define SYNC RECORDED
#include "../api/calls_window.def"
#undef RECORDED
#undef CALL
}
