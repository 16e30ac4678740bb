/*
 * Writes a trace of a program's calls. The program's table of calls leads to the functions of record_calls.c, which
 * write a line and go on to the call. Time between two calls is a line of its own, whatever it was: Add_time, Wtime, a
 * test in vain.
 *
 * An OTF2 archive is made of the same lines, when their calls have ended.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../message/message.h"
#include "../message/mpi_window.h"
#include "call_archive.h"
#include "call_record.h"
#include "replay.h"

struct recorder {
	FILE *out;                    /* of lines: the trace, or `line` */
	FILE *trace;                  /* NULL: none; of several processes the first one has it */
	bool has_trace;               /* here or there */
	struct call_archive *archive; /* NULL: none */
	char *line;                   /* what was written to `out` since it was taken */
	size_t line_size;
	struct vmpi_calls calls; /* the program's table */
	bool refused[CALL_COUNT + 1];
	int64_t *last;                   /* by rank: ps, the end of its last call */
	struct vec_of(uint32_t) numbers; /* by handle of a request: its number in the trace */
	struct record_rank {
		struct vec_of(uint32_t) unused;  /* numbers */
		struct vec_of(int64_t) before;   /* numbers of a call's requests */
		struct vec_of(VMPI_Comm) comms;  /* its splits, whose numbers count from 1 */
		struct vec_of(VMPI_Win) windows; /* likewise */
		uint32_t made;
	} * rank;
};

/* The event of time between two calls. It is no call: in archives, it is what their events leave. */
#define GAP "compute"

/* ---- the archive ---- */

/* Takes the lines that were written: each is that of its rank's call. 0, or -1 with v->err. */
static int take_lines(struct vmpi *v)
{
	struct recorder *rec = v->trace.recorder;
	char *at, *end;
	long length;

	if (fflush(rec->out) || (length = ftell(rec->out)) < 0)
		return mem_short(&v->err);
	rewind(rec->out);
	if (length && v->divided && rec->has_trace)
		remote_write(v, WRITTEN_TRACE, rec->line, (size_t)length);
	else if (length && rec->trace)
		fwrite(rec->line, 1, (size_t)length, rec->trace);
	for (at = rec->line; at < rec->line + length; at = end + 1) {
		uint32_t rank = (uint32_t)strtoul(at, &at, 10);

		end = memchr(at, '\n', (size_t)(rec->line + length - at));
		*end = '\0';
		if (strncmp(at, " " GAP " ", sizeof(" " GAP " ") - 1) != 0 &&
		    call_archive_line(rec->archive, rank, at + 1) < 0)
			return -1;
	}
	return 0;
}

static void note_received(struct vmpi *v, uint32_t request, const struct request *q)
{
	if (call_archive_received(v->trace.recorder->archive, request, q) < 0)
		rank_stop(v);
}

/* ---- time ---- */

static void write_gap(struct recorder *rec, uint32_t rank, int64_t now)
{
	int64_t ps = now - rec->last[rank];

	if (ps > 0)
		fprintf(rec->out, "%" PRIu32 " " GAP " %" PRId64 ".%012" PRId64 "\n", rank, ps / 1000000000000,
			ps % 1000000000000);
	rec->last[rank] = now;
}

void record_gap(struct vmpi *v)
{
	write_gap(v->trace.recorder, v->current->world, v->current->now);
}

FILE *record_line(struct vmpi *v, const char *event)
{
	fprintf(v->trace.recorder->out, "%" PRIu32 " %s", v->current->world, event);
	return v->trace.recorder->out;
}

int record_done(struct vmpi *v, int ret)
{
	struct recorder *rec = v->trace.recorder;

	if (rec->archive && (take_lines(v) < 0 || call_archive_done(rec->archive, rec->last[v->current->world]) < 0))
		rank_stop(v);
	v->trace.recorder->last[v->current->world] = v->current->now;
	return ret;
}

/* ---- facts of lines ---- */

long long line_type_size(struct vmpi *v, VMPI_Datatype type)
{
	const struct type *t = type_find(&v->types, type);

	return t ? t->size : 0;
}

long long line_basic_size(struct vmpi *v, VMPI_Datatype type)
{
	const struct type *t = type_find(&v->types, type);

	return t && t->basic ? line_type_size(v, t->basic) : 1;
}

int line_ranks(struct vmpi *v, VMPI_Comm comm)
{
	const struct comm *c = comm_find(&v->comms, comm);

	return c ? (int)c->group->size : 0;
}

bool line_is_root(struct vmpi *v, VMPI_Comm comm, int root)
{
	return comm_find(&v->comms, comm) && comm_local(v, comm) == (uint32_t)root;
}

/* The number of the running rank's split; 0: it is none of them. */
int line_comm_number(struct vmpi *v, VMPI_Comm comm)
{
	const struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	size_t i = r->comms.count;

	if (comm == VMPI_COMM_SELF)
		return LINE_COMM_SELF;
	if (comm == VMPI_COMM_WORLD)
		return LINE_COMM_WORLD;
	while (i > 0 && r->comms.at[i - 1] != comm)
		i--;
	return (int)i;
}

enum line_op line_op(struct vmpi *v, VMPI_Op op)
{
	return op < OP_COUNT ? LINE_OP_OF_MPI : op_commutes(&v->ops, op) ? LINE_OP_OWN : LINE_OP_ORDERED;
}

int line_window_number(struct vmpi *v, VMPI_Win win)
{
	const struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	size_t i = r->windows.count;

	while (i > 0 && r->windows.at[i - 1] != win)
		i--;
	return (int)i;
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

/* ---- requests ---- */

static uint32_t *number_of(struct vmpi *v, VMPI_Request request)
{
	struct recorder *rec = v->trace.recorder;

	while (rec->numbers.count <= (size_t)request) {
		uint32_t *new = vec_push(&rec->numbers, &v->err);

		if (!new)
			rank_stop(v);
		*new = 0;
	}
	return &rec->numbers.at[request];
}

/* The new request gets the rank's least number that none under way has. */
void record_request(struct vmpi *v, VMPI_Request request)
{
	struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	uint32_t number = r->unused.count ? r->unused.at[--r->unused.count] : r->made++;

	*number_of(v, request) = number;
	fprintf(v->trace.recorder->out, " req=%" PRIu32, number);
	if (v->trace.recorder->archive)
		call_archive_request(v->trace.recorder->archive, v->current->world, (uint32_t)request);
}

/* Writes a number that is waited for, and may be given again. */
static void write_number(struct vmpi *v, uint32_t number)
{
	struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	uint32_t *unused = vec_push(&r->unused, &v->err);

	if (!unused)
		rank_stop(v);
	*unused = number;
	fprintf(v->trace.recorder->out, " %" PRIu32, number);
}

static bool is_under_way(const struct vmpi *v, VMPI_Request request)
{
	const struct request *q;

	if (request <= 0 || (uint32_t)request >= v->msg.requests.made)
		return false;
	q = request_at(v, (uint32_t)request);
	return q->state == REQUEST_PENDING || q->state == REQUEST_COMPLETE;
}

/* ---- waiting ---- */

void record_wait(struct vmpi *v, int count, const VMPI_Request *requests)
{
	record_gap(v);
	record_line(v, "wait");
	for (int i = 0; i < count; i++)
		if (is_under_way(v, requests[i]))
			write_number(v, *number_of(v, requests[i]));
	fputc('\n', v->trace.recorder->out);
}

/* Handles are valid before the call alone: -1 stands for those of no request under way. */
void record_before(struct vmpi *v, int count, const VMPI_Request *requests)
{
	struct record_rank *r = &v->trace.recorder->rank[v->current->world];

	r->before.count = 0;
	for (int i = 0; i < count; i++) {
		int64_t *number = vec_push(&r->before, &v->err);

		if (!number)
			rank_stop(v);
		*number = is_under_way(v, requests[i]) ? (int64_t)*number_of(v, requests[i]) : -1;
	}
}

void record_finished(struct vmpi *v, int count, const int *indices)
{
	const struct record_rank *r = &v->trace.recorder->rank[v->current->world];

	if (count <= 0)
		return;
	record_line(v, "wait");
	for (int i = 0; i < count; i++) {
		int64_t number = r->before.at[indices ? indices[i] : i];

		if (number >= 0)
			write_number(v, (uint32_t)number);
	}
	fputc('\n', v->trace.recorder->out);
}

/* ---- communicators and windows ---- */

/* The archive gets what the running rank's call has made: a communicator, or a window with one of its own. */
static void note_made(struct vmpi *v, VMPI_Comm comm, bool has_ranks)
{
	const struct comm *c = comm_find(&v->comms, comm);

	if (v->trace.recorder->archive)
		call_archive_made(v->trace.recorder->archive, v->current->world, c->key, has_ranks ? c->group : NULL);
}

static void split_done(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm newcomm)
{
	struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	FILE *out = record_line(v, "split");

	if (color < 0) {
		fprintf(out, " none %d", key);
	} else {
		VMPI_Comm *new = vec_push(&r->comms, &v->err);

		if (!new)
			rank_stop(v);
		*new = newcomm;
		fprintf(out, " %d %d new=%zu", color, key, r->comms.count);
		note_made(v, newcomm, true);
	}
	put_comm(out, v, comm);
	fputc('\n', out);
	record_done(v, VMPI_SUCCESS);
}

size_t record_window_made(struct vmpi *v, VMPI_Win win)
{
	struct record_rank *r = &v->trace.recorder->rank[v->current->world];
	VMPI_Win *new = vec_push(&r->windows, &v->err);

	if (!new)
		rank_stop(v);
	*new = win;
	note_made(v, window_find(v, win)->comm, false);
	return r->windows.count;
}

/* ---- the begin ---- */

/* The trace's file, or memory, from where the archive and the first process get lines. */
static int open_lines(struct vmpi *v, const struct record_outputs *to, struct err *e)
{
	struct recorder *rec = v->trace.recorder;

	if (to->folder) {
		rec->archive = call_archive_create(v, to->folder, e);
		if (!rec->archive)
			return -1;
		v->trace.received = note_received;
	}
	rec->out = rec->archive || v->divided ? open_memstream(&rec->line, &rec->line_size) : rec->trace;
	return rec->out ? 0 : mem_short(e);
}

int record_start(struct vmpi *v, const struct record_outputs *to, struct err *e)
{
	static const struct split_hook split = {record_gap, split_done};
	struct recorder *rec = mem_alloc(1, sizeof(*rec), e);

	if (!rec)
		return -1;
	v->trace.recorder = rec;
	rec->trace = to->trace;
	rec->has_trace = to->trace || to->trace_of_first;
	rec->last = mem_alloc(v->size, sizeof(*rec->last), e);
	rec->rank = mem_alloc(v->size, sizeof(*rec->rank), e);
	if (!rec->last || !rec->rank || open_lines(v, to, e) < 0)
		return -1;
	rec->calls = *v->calls;
	record_calls(&rec->calls, rec->refused);
	v->calls = &rec->calls;
	v->trace.split = &split;
	v->refused = rec->refused;
	if (rec->trace && (!v->divided || !v->divided->partition.me))
		fprintf(rec->trace, "ranks %" PRIu32 "\n", v->size);
	return 0;
}

/* ---- several processes ---- */

void record_turn(struct vmpi *v)
{
	struct recorder *rec = v->trace.recorder;

	if (rec->archive) {
		v->failed = take_lines(v) < 0 || v->failed;
		return;
	}
	if (fflush(rec->out) != 0) {
		mem_short(&v->err);
		v->failed = true;
	} else if (rec->line_size) {
		remote_write(v, WRITTEN_TRACE, rec->line, rec->line_size);
	}
	rewind(rec->out);
}

void record_pass_call(struct vmpi *v, const char *call)
{
	call_archive_pass(v->trace.recorder->archive, call);
}

void record_pass(struct vmpi *v, const char *lines, size_t bytes)
{
	fwrite(lines, 1, bytes, v->trace.recorder->trace);
}

int64_t record_last(const struct vmpi *v, uint32_t rank)
{
	return v->trace.recorder ? v->trace.recorder->last[rank] : 0;
}

void record_set_last(struct vmpi *v, uint32_t rank, int64_t last)
{
	if (v->trace.recorder)
		v->trace.recorder->last[rank] = last;
}

/* ---- the end ---- */

/* Writes the ranks' last computation. */
static void write_ends(struct vmpi *v)
{
	struct recorder *rec = v->trace.recorder;

	if (v->ended != v->size || !rec->rank || !rec->last)
		return;
	for (uint32_t i = 0; rec->out && i < v->size; i++)
		write_gap(rec, i, v->ranks[i].ended);
	for (uint32_t i = 0; rec->archive && i < v->size; i++)
		call_archive_ended(rec->archive, i, v->ranks[i].ended);
}

static int finish_recording(struct vmpi *v, bool keep, struct err *e)
{
	struct recorder *rec = v->trace.recorder;
	int ret = 0;

	if (!rec)
		return 0;
	if (rec->out && rec->out != rec->trace) {
		fclose(rec->out);
		rec->out = rec->trace;
	}
	write_ends(v);
	if (rec->archive)
		ret = call_archive_finish(rec->archive, keep, e);
	for (uint32_t i = 0; rec->rank && i < v->size; i++) {
		free(rec->rank[i].unused.at);
		free(rec->rank[i].before.at);
		free(rec->rank[i].comms.at);
		free(rec->rank[i].windows.at);
	}
	free(rec->line);
	free(rec->rank);
	free(rec->last);
	free(rec->numbers.at);
	free(rec);
	v->trace.recorder = NULL;
	v->trace.received = NULL;
	v->trace.split = NULL;
	v->refused = NULL;
	return ret;
}

int record_end(struct vmpi *v, struct err *e)
{
	return finish_recording(v, true, e);
}

void record_forget(struct vmpi *v)
{
	finish_recording(v, false, NULL);
}
