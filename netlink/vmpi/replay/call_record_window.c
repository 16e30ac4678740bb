/*
 * Writes the calls of windows. A line is written when its call has returned, since an error is no event: its time then
 * counts as computation. Operations have their place at the target in bytes, whatever the window's unit and the type.
 */
#include <inttypes.h>

#include "../host/mpi_program.h"
#include "../message/mpi_window.h"
#include "call_record.h"

/* Ends a line of a window. */
static int end_window_line(struct vmpi *v, FILE *out, VMPI_Win win)
{
	fprintf(out, " win=%zu\n", record_window_number(v, win));
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

/* ---- operations ---- */

/* Where an operation is, and what it moves there. */
static int accessed(struct vmpi *v, const char *event, int rank, VMPI_Aint disp, int count, VMPI_Datatype datatype,
		    VMPI_Win win, const VMPI_Request *request)
{
	const struct type *t = type_find(&v->types, datatype);
	FILE *out = record_line(v, event);
	const struct window_part *to;
	int64_t at = 0, over;

	if (rank == VMPI_PROC_NULL) {
		fputs(" none 0 0", out);
	} else {
		to = &window_find(v, win)->part[rank];
		over = (count - 1) * (t->ub - t->lb);
		if (to->flavor != VMPI_WIN_FLAVOR_DYNAMIC && count && t->elements)
			at = disp * to->disp_unit + t->true_lb + (over < 0 ? over : 0);
		fprintf(out, " %d %" PRId64, rank, at);
		put_part(out, v, count, datatype);
	}
	if (request)
		record_request(v, *request);
	return end_window_line(v, out, win);
}

/* A call that succeeded has the line. */
#define RECORD_ACCESS(call, event, count, datatype, request) \
	do { \
		int ret; \
\
		record_gap(v); \
		ret = call; \
		return ret ? ret : accessed(v, event, target_rank, target_disp, count, datatype, win, request); \
	} while (0)
#define ORIGIN(constant) constant void *origin_addr, int origin_count, VMPI_Datatype origin_datatype
#define TARGET int target_rank, VMPI_Aint target_disp, int target_count, VMPI_Datatype target_datatype
#define RESULT void *result_addr, int result_count, VMPI_Datatype result_datatype
#define ORIGIN_GIVEN origin_addr, origin_count, origin_datatype
#define TARGET_GIVEN target_rank, target_disp, target_count, target_datatype
#define RESULT_GIVEN result_addr, result_count, result_datatype

static int record_Put(struct vmpi *v, ORIGIN(const), TARGET, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Put(v, ORIGIN_GIVEN, TARGET_GIVEN, win), "put", target_count, target_datatype, NULL);
}

static int record_Rput(struct vmpi *v, ORIGIN(const), TARGET, VMPI_Win win, VMPI_Request *request)
{
	RECORD_ACCESS(vmpi_Rput(v, ORIGIN_GIVEN, TARGET_GIVEN, win, request), "put", target_count, target_datatype,
		      request);
}

static int record_Get(struct vmpi *v, ORIGIN(), TARGET, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Get(v, ORIGIN_GIVEN, TARGET_GIVEN, win), "get", target_count, target_datatype, NULL);
}

static int record_Rget(struct vmpi *v, ORIGIN(), TARGET, VMPI_Win win, VMPI_Request *request)
{
	RECORD_ACCESS(vmpi_Rget(v, ORIGIN_GIVEN, TARGET_GIVEN, win, request), "get", target_count, target_datatype,
		      request);
}

/* Without an operation no data travel: nothing is accumulated, and what also gets is a get. */
static int record_Accumulate(struct vmpi *v, ORIGIN(const), TARGET, VMPI_Op op, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Accumulate(v, ORIGIN_GIVEN, TARGET_GIVEN, op, win), "accumulate",
		      op == VMPI_NO_OP ? 0 : target_count, target_datatype, NULL);
}

static int record_Raccumulate(struct vmpi *v, ORIGIN(const), TARGET, VMPI_Op op, VMPI_Win win, VMPI_Request *request)
{
	RECORD_ACCESS(vmpi_Raccumulate(v, ORIGIN_GIVEN, TARGET_GIVEN, op, win, request), "accumulate",
		      op == VMPI_NO_OP ? 0 : target_count, target_datatype, request);
}

static const char *both_ways(VMPI_Op op)
{
	return op == VMPI_NO_OP ? "get" : "get_accumulate";
}

static int record_Get_accumulate(struct vmpi *v, ORIGIN(const), RESULT, TARGET, VMPI_Op op, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Get_accumulate(v, ORIGIN_GIVEN, RESULT_GIVEN, TARGET_GIVEN, op, win), both_ways(op),
		      target_count, target_datatype, NULL);
}

static int record_Rget_accumulate(struct vmpi *v, ORIGIN(const), RESULT, TARGET, VMPI_Op op, VMPI_Win win,
				  VMPI_Request *request)
{
	RECORD_ACCESS(vmpi_Rget_accumulate(v, ORIGIN_GIVEN, RESULT_GIVEN, TARGET_GIVEN, op, win, request),
		      both_ways(op), target_count, target_datatype, request);
}

static int record_Fetch_and_op(struct vmpi *v, const void *origin_addr, void *result_addr, VMPI_Datatype datatype,
			       int target_rank, VMPI_Aint target_disp, VMPI_Op op, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Fetch_and_op(v, origin_addr, result_addr, datatype, target_rank, target_disp, op, win),
		      both_ways(op), 1, datatype, NULL);
}

static int record_Compare_and_swap(struct vmpi *v, const void *origin_addr, const void *compare_addr, void *result_addr,
				   VMPI_Datatype datatype, int target_rank, VMPI_Aint target_disp, VMPI_Win win)
{
	RECORD_ACCESS(vmpi_Compare_and_swap(v, origin_addr, compare_addr, result_addr, datatype, target_rank,
					    target_disp, win),
		      "get_accumulate", 1, datatype, NULL);
}

/* ---- synchronization ---- */

static void write_unchecked(FILE *out, int assert)
{
	if (assert & VMPI_MODE_NOCHECK)
		fputs(" check=no", out);
}

static int record_Win_fence(struct vmpi *v, int assert, VMPI_Win win)
{
	int ret;

	record_gap(v);
	ret = vmpi_Win_fence(v, assert, win);
	return ret ? ret : end_window_line(v, record_line(v, "fence"), win);
}

/* An epoch with a group, by ranks of the window. */
static int epoch_begun(struct vmpi *v, int ret, const char *event, VMPI_Group group, int assert, VMPI_Win win)
{
	const struct group *g = group_find(&v->comms, group);
	FILE *out;

	if (ret)
		return ret;
	out = record_line(v, event);
	for (uint32_t i = 0; i < g->size; i++)
		fprintf(out, "%s%" PRId64, i ? "," : " ",
			group_local(comm_find(&v->comms, window_find(v, win)->comm)->group, group_world(g, i)));
	if (!g->size)
		fputs(" none", out);
	write_unchecked(out, assert);
	return end_window_line(v, out, win);
}

static int record_Win_post(struct vmpi *v, VMPI_Group group, int assert, VMPI_Win win)
{
	record_gap(v);
	return epoch_begun(v, vmpi_Win_post(v, group, assert, win), "post", group, assert, win);
}

static int record_Win_start(struct vmpi *v, VMPI_Group group, int assert, VMPI_Win win)
{
	record_gap(v);
	return epoch_begun(v, vmpi_Win_start(v, group, assert, win), "start", group, assert, win);
}

static int record_Win_complete(struct vmpi *v, VMPI_Win win)
{
	int ret;

	record_gap(v);
	ret = vmpi_Win_complete(v, win);
	return ret ? ret : end_window_line(v, record_line(v, "complete"), win);
}

static int record_Win_wait(struct vmpi *v, VMPI_Win win)
{
	int ret;

	record_gap(v);
	ret = vmpi_Win_wait(v, win);
	return ret ? ret : end_window_line(v, record_line(v, "window_wait"), win);
}

/* A test has taken its time, whatever it found. */
static int record_Win_test(struct vmpi *v, VMPI_Win win, int *flag)
{
	int ret = vmpi_Win_test(v, win, flag);

	if (ret || !*flag)
		return ret;
	record_gap(v);
	return end_window_line(v, record_line(v, "window_wait"), win);
}

static int record_Win_lock(struct vmpi *v, int lock_type, int rank, int assert, VMPI_Win win)
{
	FILE *out;
	int ret;

	record_gap(v);
	ret = vmpi_Win_lock(v, lock_type, rank, assert, win);
	if (ret || rank == VMPI_PROC_NULL)
		return ret;
	out = record_line(v, "lock");
	fprintf(out, " %d %s", rank, lock_type == VMPI_LOCK_SHARED ? "shared" : "exclusive");
	write_unchecked(out, assert);
	return end_window_line(v, out, win);
}

static int record_Win_unlock(struct vmpi *v, int rank, VMPI_Win win)
{
	FILE *out;
	int ret;

	record_gap(v);
	ret = vmpi_Win_unlock(v, rank, win);
	if (ret || rank == VMPI_PROC_NULL)
		return ret;
	out = record_line(v, "unlock");
	fprintf(out, " %d", rank);
	return end_window_line(v, out, win);
}

static int record_Win_lock_all(struct vmpi *v, int assert, VMPI_Win win)
{
	FILE *out;
	int ret;

	record_gap(v);
	ret = vmpi_Win_lock_all(v, assert, win);
	if (ret)
		return ret;
	out = record_line(v, "lock_all");
	write_unchecked(out, assert);
	return end_window_line(v, out, win);
}

static int record_Win_unlock_all(struct vmpi *v, VMPI_Win win)
{
	int ret;

	record_gap(v);
	ret = vmpi_Win_unlock_all(v, win);
	return ret ? ret : end_window_line(v, record_line(v, "unlock_all"), win);
}

#define RECORD_FLUSH(name, event) \
	static int record_##name(struct vmpi *v, int rank, VMPI_Win win) \
	{ \
		FILE *out; \
		int ret; \
\
		record_gap(v); \
		ret = vmpi_##name(v, rank, win); \
		if (ret || rank == VMPI_PROC_NULL) \
			return ret; \
		out = record_line(v, event); \
		fprintf(out, " %d", rank); \
		return end_window_line(v, out, win); \
	} \
	static int record_##name##_all(struct vmpi *v, VMPI_Win win) \
	{ \
		int ret; \
\
		record_gap(v); \
		ret = vmpi_##name##_all(v, win); \
		return ret ? ret : end_window_line(v, record_line(v, event " all"), win); \
	}
RECORD_FLUSH(Win_flush, "flush")
RECORD_FLUSH(Win_flush_local, "flush_local")

void record_window_calls(struct vmpi_calls *calls)
{
#define RECORDED(name) calls->name = record_##name
	RECORDED(Win_create), RECORDED(Win_allocate), RECORDED(Win_allocate_shared), RECORDED(Win_create_dynamic);
	RECORDED(Win_free), RECORDED(Put), RECORDED(Rput), RECORDED(Get), RECORDED(Rget), RECORDED(Accumulate);
	RECORDED(Raccumulate), RECORDED(Get_accumulate), RECORDED(Rget_accumulate), RECORDED(Fetch_and_op);
	RECORDED(Compare_and_swap), RECORDED(Win_fence), RECORDED(Win_post), RECORDED(Win_start);
	RECORDED(Win_complete), RECORDED(Win_wait), RECORDED(Win_test), RECORDED(Win_lock), RECORDED(Win_unlock);
	RECORDED(Win_lock_all), RECORDED(Win_unlock_all), RECORDED(Win_flush), RECORDED(Win_flush_all);
	RECORDED(Win_flush_local), RECORDED(Win_flush_local_all);
#undef RECORDED
}
