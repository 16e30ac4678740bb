/* Windows and one-sided operations. A window's number, and the units of all its ranks, are an attribute of it. */
#include "traced_calls.h"

#include <stdlib.h>

struct traced_window {
	int number;
	bool dynamic;
	int unit[]; /* bytes, by rank */
};

static int key = MPI_KEYVAL_INVALID;
static int made; /* windows with a number */

static int drop_window(MPI_Win win, int keyval, void *value, void *extra)
{
	(void)win;
	(void)keyval;
	(void)extra;
	free(value);
	return MPI_SUCCESS;
}

/* All ranks of the window call it. */
static void number_window(MPI_Comm comm, MPI_Win win, int unit, bool dynamic)
{
	struct traced_window *w;
	int ranks;

	PMPI_Comm_size(comm, &ranks);
	w = malloc(sizeof(*w) + (size_t)ranks * sizeof(*w->unit));
	if (!w)
		abort(); /* the other ranks wait for this one's unit */
	PMPI_Allgather(&unit, 1, MPI_INT, w->unit, 1, MPI_INT, comm);
	w->number = ++made;
	w->dynamic = dynamic;
	if (key == MPI_KEYVAL_INVALID)
		PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop_window, &key, NULL);
	PMPI_Win_set_attr(win, key, w);
}

/* NULL: made in a way that has no event. */
static struct traced_window *window_at(MPI_Win win)
{
	void *w = NULL;
	int there = 0;

	if (key != MPI_KEYVAL_INVALID)
		PMPI_Win_get_attr(win, key, &w, &there);
	return there ? w : NULL;
}

static void put_window(FILE *out, MPI_Win win)
{
	const struct traced_window *w = window_at(win);

	if (w)
		fprintf(out, " win=%d", w->number);
	else
		call_refused("a window that no event has made");
}

/* ---- windows ---- */

/* A call that makes a window: its event is written behind it. Its time is no computation. */
#define TRACED_WINDOW(name, params, args, bytes, unit_bytes, is_dynamic) \
	int MPI_##name params \
	{ \
		bool written = call_begins(); \
		int ret; \
\
		if (written) \
			gap_ends(); \
		ret = PMPI_##name args; \
		if (ret == MPI_SUCCESS) \
			number_window(comm, *win, unit_bytes, is_dynamic); \
		call_over(written, ret); \
		written = call_begins(); \
		if (written && ret == MPI_SUCCESS) \
			put_made(comm, *win, bytes); \
		return call_over(written, ret); \
	}

static void put_made(MPI_Comm comm, MPI_Win win, MPI_Aint bytes)
{
	const struct traced_window *w = window_at(win);
	FILE *out = event_begins("window");

	if (w->dynamic)
		fputs(" any", out);
	else
		fprintf(out, " %ld", (long)bytes);
	fprintf(out, " new=%d", w->number);
	put_comm(out, NULL, comm);
	event_ends();
}

TRACED_WINDOW(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
	      (base, size, unit, info, comm, win), size, unit, false)
TRACED_WINDOW(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
	      (size, unit, info, comm, base, win), size, unit, false)
TRACED_WINDOW(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
	      (size, unit, info, comm, base, win), size, unit, false)
TRACED_WINDOW(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win), 0, 1, true)

/* ---- operations ---- */

static FILE *put_access(const char *word, int rank, MPI_Aint disp, int count, MPI_Datatype type, MPI_Win win)
{
	const struct traced_window *w = window_at(win);
	FILE *out = event_begins(word);
	MPI_Aint lb, extent, over, at = 0;
	int size;

	if (rank == MPI_PROC_NULL) {
		fputs(" none 0 0", out);
	} else {
		PMPI_Type_size(type, &size);
		PMPI_Type_get_extent(type, &lb, &extent);
		PMPI_Type_get_true_extent(type, &lb, &over);
		over = (count - 1) * extent;
		if (w && !w->dynamic && count && size)
			at = disp * w->unit[rank] + lb + (over < 0 ? over : 0);
		fprintf(out, " %d %ld", rank, (long)at);
		put_part(out, NULL, count, type);
	}
	put_window(out, win);
	return out;
}

#define TRACED_ACCESS(call, word, count, type) \
	do { \
		bool written = call_begins(); \
\
		if (written) { \
			put_access(word, target, disp, count, type, win); \
			event_ends(); \
		} \
		return call_over(written, call); \
	} while (0)
#define TRACED_REQUEST(call, word, count, type) \
	do { \
		bool written = call_begins(); \
		FILE *out = written ? put_access(word, target, disp, count, type, win) : NULL; \
		int ret = call; \
\
		if (written) { \
			put_request(out, *request); \
			event_ends(); \
		} \
		return call_over(written, ret); \
	} while (0)
#define ORIGIN(constant) constant void *origin, int origin_count, MPI_Datatype origin_type
#define TARGET int target, MPI_Aint disp, int target_count, MPI_Datatype target_type
#define RESULT void *result, int result_count, MPI_Datatype result_type
#define ORIGIN_GIVEN origin, origin_count, origin_type
#define TARGET_GIVEN target, disp, target_count, target_type
#define RESULT_GIVEN result, result_count, result_type

int MPI_Put(ORIGIN(const), TARGET, MPI_Win win)
{
	TRACED_ACCESS(PMPI_Put(ORIGIN_GIVEN, TARGET_GIVEN, win), "put", target_count, target_type);
}

int MPI_Rput(ORIGIN(const), TARGET, MPI_Win win, MPI_Request *request)
{
	TRACED_REQUEST(PMPI_Rput(ORIGIN_GIVEN, TARGET_GIVEN, win, request), "put", target_count, target_type);
}

int MPI_Get(ORIGIN(), TARGET, MPI_Win win)
{
	TRACED_ACCESS(PMPI_Get(ORIGIN_GIVEN, TARGET_GIVEN, win), "get", target_count, target_type);
}

int MPI_Rget(ORIGIN(), TARGET, MPI_Win win, MPI_Request *request)
{
	TRACED_REQUEST(PMPI_Rget(ORIGIN_GIVEN, TARGET_GIVEN, win, request), "get", target_count, target_type);
}

/* Without an operation no data travel: nothing is accumulated, and what also gets is a get. */
int MPI_Accumulate(ORIGIN(const), TARGET, MPI_Op op, MPI_Win win)
{
	TRACED_ACCESS(PMPI_Accumulate(ORIGIN_GIVEN, TARGET_GIVEN, op, win), "accumulate",
		      op == MPI_NO_OP ? 0 : target_count, target_type);
}

int MPI_Raccumulate(ORIGIN(const), TARGET, MPI_Op op, MPI_Win win, MPI_Request *request)
{
	TRACED_REQUEST(PMPI_Raccumulate(ORIGIN_GIVEN, TARGET_GIVEN, op, win, request), "accumulate",
		       op == MPI_NO_OP ? 0 : target_count, target_type);
}

static const char *fetching(MPI_Op op)
{
	return op == MPI_NO_OP ? "get" : "get_accumulate";
}

int MPI_Get_accumulate(ORIGIN(const), RESULT, TARGET, MPI_Op op, MPI_Win win)
{
	TRACED_ACCESS(PMPI_Get_accumulate(ORIGIN_GIVEN, RESULT_GIVEN, TARGET_GIVEN, op, win), fetching(op),
		      target_count, target_type);
}

int MPI_Rget_accumulate(ORIGIN(const), RESULT, TARGET, MPI_Op op, MPI_Win win, MPI_Request *request)
{
	TRACED_REQUEST(PMPI_Rget_accumulate(ORIGIN_GIVEN, RESULT_GIVEN, TARGET_GIVEN, op, win, request), fetching(op),
		       target_count, target_type);
}

int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint disp, MPI_Op op,
		     MPI_Win win)
{
	TRACED_ACCESS(PMPI_Fetch_and_op(origin, result, type, target, disp, op, win), fetching(op), 1, type);
}

int MPI_Compare_and_swap(const void *origin, const void *compare, void *result, MPI_Datatype type, int target,
			 MPI_Aint disp, MPI_Win win)
{
	TRACED_ACCESS(PMPI_Compare_and_swap(origin, compare, result, type, target, disp, win), "get_accumulate", 1,
		      type);
}

/* ---- synchronization ---- */

static void put_unchecked(FILE *out, int assertion)
{
	if (assertion & MPI_MODE_NOCHECK)
		fputs(" check=no", out);
}

/* Ranks of a group as those of the window. */
static void put_group(FILE *out, MPI_Group group, MPI_Win win)
{
	MPI_Group all;
	int ranks, rank;

	PMPI_Win_get_group(win, &all);
	PMPI_Group_size(group, &ranks);
	if (!ranks)
		fputs(" none", out);
	for (int i = 0; i < ranks; i++) {
		PMPI_Group_translate_ranks(group, 1, &i, all, &rank);
		fprintf(out, "%s%d", i ? "," : " ", rank);
	}
	PMPI_Group_free(&all);
}

#define TRACED_SYNC(name, word, params, args, happens, words) \
	int MPI_##name params \
	{ \
		bool written = call_begins(); \
\
		if (written && (happens)) { \
			FILE *out = event_begins(word); \
			words; \
			put_window(out, win); \
			event_ends(); \
		} \
		return call_over(written && (happens), PMPI_##name args); \
	}
#define TRACED_RANK(name, word) \
	TRACED_SYNC(name, word, (int rank, MPI_Win win), (rank, win), rank != MPI_PROC_NULL, fprintf(out, " %d", rank))
#define TRACED_PLAIN(name, word) TRACED_SYNC(name, word, (MPI_Win win), (win), true, (void)0)

TRACED_SYNC(Win_fence, "fence", (int assertion, MPI_Win win), (assertion, win), true, (void)0)
TRACED_SYNC(Win_post, "post", (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), true,
	    put_group(out, group, win);
	    put_unchecked(out, assertion))
TRACED_SYNC(Win_start, "start", (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), true,
	    put_group(out, group, win);
	    put_unchecked(out, assertion))
TRACED_PLAIN(Win_complete, "complete")
TRACED_PLAIN(Win_wait, "window_wait")
TRACED_SYNC(Win_lock, "lock", (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win),
	    rank != MPI_PROC_NULL, fprintf(out, " %d %s", rank, type == MPI_LOCK_SHARED ? "shared" : "exclusive");
	    put_unchecked(out, assertion))
TRACED_RANK(Win_unlock, "unlock")
TRACED_SYNC(Win_lock_all, "lock_all", (int assertion, MPI_Win win), (assertion, win), true,
	    put_unchecked(out, assertion))
TRACED_PLAIN(Win_unlock_all, "unlock_all")
TRACED_RANK(Win_flush, "flush")
TRACED_RANK(Win_flush_local, "flush_local")
TRACED_PLAIN(Win_flush_all, "flush all")
TRACED_PLAIN(Win_flush_local_all, "flush_local all")

/* A test has taken its time, whatever it found. */
int MPI_Win_test(MPI_Win win, int *flag)
{
	bool written = call_begins();
	int ret = PMPI_Win_test(win, flag);

	written = written && *flag;
	if (written) {
		put_window(event_begins("window_wait"), win);
		event_ends();
	}
	return call_over(written, ret);
}

int MPI_Win_free(MPI_Win *win)
{
	bool written = call_begins();

	if (written) {
		put_window(event_begins("window_free"), *win);
		event_ends();
	}
	return call_over(written, PMPI_Win_free(win));
}
