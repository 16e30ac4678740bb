/*
 * Writes a trace of a program's calls. The program's table of calls leads to the functions here, which write a line and
 * go on to the call. Time between two calls is a line of its own, whatever it was: Add_time, Wtime, a test in vain.
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
#include "collective_events.h"
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

/* ---- the archive ---- */

/* Takes the lines that were written: each is that of its rank's call. 0, or -1 with v->err. */
static int take_lines(struct vmpi *v)
{
	struct recorder *rec = v->recorder;
	char *at, *end;
	long length;

	if (fflush(rec->out) || (length = ftell(rec->out)) < 0)
		return mem_short(&v->err);
	rewind(rec->out);
	if (length && v->parts && rec->has_trace)
		remote_write(v, WRITTEN_TRACE, rec->line, (size_t)length);
	else if (length && rec->trace)
		fwrite(rec->line, 1, (size_t)length, rec->trace);
	for (at = rec->line; at < rec->line + length; at = end + 1) {
		uint32_t rank = (uint32_t)strtoul(at, &at, 10);

		end = memchr(at, '\n', (size_t)(rec->line + length - at));
		*end = '\0';
		if (strncmp(at, " compute ", 9) != 0 && call_archive_line(rec->archive, rank, at + 1) < 0)
			return -1;
	}
	return 0;
}

static void note_received(struct vmpi *v, uint32_t request, const struct request *q)
{
	if (call_archive_received(v->recorder->archive, request, q) < 0)
		rank_fail(v);
}

/* ---- time ---- */

static void write_gap(struct recorder *rec, uint32_t rank, int64_t now)
{
	int64_t ps = now - rec->last[rank];

	if (ps > 0)
		fprintf(rec->out, "%" PRIu32 " compute %" PRId64 ".%012" PRId64 "\n", rank, ps / 1000000000000,
			ps % 1000000000000);
	rec->last[rank] = now;
}

static struct recorder *record_begin(struct vmpi *v)
{
	write_gap(v->recorder, v->current->world, v->current->now);
	fprintf(v->recorder->out, "%" PRIu32, v->current->world);
	return v->recorder;
}

void record_gap(struct vmpi *v)
{
	write_gap(v->recorder, v->current->world, v->current->now);
}

FILE *record_line(struct vmpi *v, const char *event)
{
	fprintf(v->recorder->out, "%" PRIu32 " %s", v->current->world, event);
	return v->recorder->out;
}

int record_done(struct vmpi *v, int ret)
{
	struct recorder *rec = v->recorder;

	if (rec->archive && (take_lines(v) < 0 || call_archive_done(rec->archive, rec->last[v->current->world]) < 0))
		rank_fail(v);
	v->recorder->last[v->current->world] = v->current->now;
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
	const struct record_rank *r = &v->recorder->rank[v->current->world];
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

/* ---- requests ---- */

static uint32_t *number_of(struct vmpi *v, VMPI_Request request)
{
	struct recorder *rec = v->recorder;

	while (rec->numbers.count <= (size_t)request) {
		uint32_t *new = vec_push(&rec->numbers, &v->err);

		if (!new)
			rank_fail(v);
		*new = 0;
	}
	return &rec->numbers.at[request];
}

/* The new request gets the rank's least number that none under way has. */
void record_request(struct vmpi *v, VMPI_Request request)
{
	struct record_rank *r = &v->recorder->rank[v->current->world];
	uint32_t number = r->unused.count ? r->unused.at[--r->unused.count] : r->made++;

	*number_of(v, request) = number;
	fprintf(v->recorder->out, " req=%" PRIu32, number);
	if (v->recorder->archive)
		call_archive_request(v->recorder->archive, v->current->world, (uint32_t)request);
}

/* Writes a number that is waited for, and may be given again. */
static void write_number(struct vmpi *v, uint32_t number)
{
	struct record_rank *r = &v->recorder->rank[v->current->world];
	uint32_t *unused = vec_push(&r->unused, &v->err);

	if (!unused)
		rank_fail(v);
	*unused = number;
	fprintf(v->recorder->out, " %" PRIu32, number);
}

static bool is_under_way(const struct vmpi *v, VMPI_Request request)
{
	const struct request *q;

	if (request <= 0 || (uint32_t)request >= v->requests.made)
		return false;
	q = request_at(v, (uint32_t)request);
	return q->state == REQUEST_PENDING || q->state == REQUEST_COMPLETE;
}

/* ---- point to point ---- */

/* A line whose call blocks is written before it, since other ranks write lines meanwhile. */
static void record_transfer(struct vmpi *v, const char *event, int peer, int tag, int count, VMPI_Datatype datatype,
			    VMPI_Comm comm)
{
	FILE *out = record_begin(v)->out;

	fputs(event, out);
	put_transfer(out, v, peer, tag, count, datatype, comm);
}

static int record_begun(struct vmpi *v, int ret, VMPI_Request request)
{
	record_request(v, request);
	fputc('\n', v->recorder->out);
	return record_done(v, ret);
}

#define SEND(name, begin, init, mode, event, MODE) \
	static int record_##name(struct vmpi *v PARAMETERS(SEND_ARGUMENTS)) \
	{ \
		record_transfer(v, " " #event, dest, tag, count, datatype, comm); \
		fputc('\n', v->recorder->out); \
		return record_done(v, vmpi_##name(v NAMES(SEND_ARGUMENTS))); \
	} \
	static int record_##begin(struct vmpi *v PARAMETERS(SEND_ARGUMENTS), VMPI_Request *request) \
	{ \
		int ret; \
\
		record_transfer(v, " " #event, dest, tag, count, datatype, comm); \
		ret = vmpi_##begin(v NAMES(SEND_ARGUMENTS), request); \
		return record_begun(v, ret, *request); \
	}
#include "../api/send_calls.def"

static int record_Recv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int source, int tag,
		       VMPI_Comm comm, VMPI_Status *status)
{
	record_transfer(v, " recv", source, tag, count, datatype, comm);
	fputc('\n', v->recorder->out);
	return record_done(v, vmpi_Recv(v, buf, count, datatype, source, tag, comm, status));
}

static int record_Irecv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int source, int tag,
			VMPI_Comm comm, VMPI_Request *request)
{
	int ret;

	record_transfer(v, " recv", source, tag, count, datatype, comm);
	ret = vmpi_Irecv(v, buf, count, datatype, source, tag, comm, request);
	return record_begun(v, ret, *request);
}

static int record_Sendrecv(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, int dest,
			   int sendtag, void *recvbuf, int recvcount, VMPI_Datatype recvtype, int source, int recvtag,
			   VMPI_Comm comm, VMPI_Status *status)
{
	FILE *out = record_begin(v)->out;

	put_sendrecv(out, v, dest, sendtag, sendcount, sendtype, source, recvtag, recvcount, recvtype, comm);
	return record_done(v, vmpi_Sendrecv(v, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
					    recvtype, source, recvtag, comm, status));
}

static int record_Sendrecv_replace(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int dest, int sendtag,
				   int source, int recvtag, VMPI_Comm comm, VMPI_Status *status)
{
	FILE *out = record_begin(v)->out;

	put_sendrecv(out, v, dest, sendtag, count, datatype, source, recvtag, count, datatype, comm);
	return record_done(
		v, vmpi_Sendrecv_replace(v, buf, count, datatype, dest, sendtag, source, recvtag, comm, status));
}

static int record_Probe(struct vmpi *v, int source, int tag, VMPI_Comm comm, VMPI_Status *status)
{
	put_probe(record_begin(v)->out, v, source, tag, comm);
	return record_done(v, vmpi_Probe(v, source, tag, comm, status));
}

/* Persistent requests are sends and receives when they start. */
static int record_Startall(struct vmpi *v, int count, VMPI_Request *requests)
{
	static const char *const words[] = {
#define SEND(name, begin, init, mode, event, MODE) " " #event,
#include "../api/send_calls.def"
	};
	int ret = VMPI_SUCCESS;

	for (int i = 0; i < count && ret == VMPI_SUCCESS; i++) {
		const struct request *q = requests[i] > 0 && (uint32_t)requests[i] < v->requests.made
						  ? request_at(v, (uint32_t)requests[i])
						  : NULL;

		if (!q || q->kind > REQUEST_RECV) {
			record_begin(v);
			return vmpi_Start(v, &requests[i]);
		}
		record_transfer(v, q->kind == REQUEST_RECV ? " recv" : words[q->mode], q->peer, q->tag, q->count,
				q->type->handle, q->comm);
		record_request(v, requests[i]);
		fputc('\n', v->recorder->out);
		ret = record_done(v, vmpi_Start(v, &requests[i]));
	}
	return ret;
}

static int record_Start(struct vmpi *v, VMPI_Request *request)
{
	return record_Startall(v, 1, request);
}

/* ---- waiting: what tests found is a wait that takes no time ---- */

static void write_wait(struct vmpi *v, int count, const VMPI_Request *requests)
{
	fputs(" wait", record_begin(v)->out);
	for (int i = 0; i < count; i++)
		if (is_under_way(v, requests[i]))
			write_number(v, *number_of(v, requests[i]));
	fputc('\n', v->recorder->out);
}

static int record_Waitall(struct vmpi *v, int count, VMPI_Request *requests, VMPI_Status *statuses)
{
	write_wait(v, count, requests);
	return record_done(v, vmpi_Waitall(v, count, requests, statuses));
}

static int record_Wait(struct vmpi *v, VMPI_Request *request, VMPI_Status *status)
{
	write_wait(v, 1, request);
	return record_done(v, vmpi_Wait(v, request, status));
}

/*
 * Calls that finish some of their requests: these are known after the call. Their numbers, -1 of those that are none,
 * are noted before it, when handles are still valid, at the time at which the call begins to wait.
 */
static void note_before(struct vmpi *v, int count, const VMPI_Request *requests)
{
	struct record_rank *r = &v->recorder->rank[v->current->world];

	r->before.count = 0;
	for (int i = 0; i < count; i++) {
		int64_t *number = vec_push(&r->before, &v->err);

		if (!number)
			rank_fail(v);
		*number = is_under_way(v, requests[i]) ? (int64_t)*number_of(v, requests[i]) : -1;
	}
}

/* Writes a wait for those of them at `indices`; NULL: the first. */
static void write_finished(struct vmpi *v, int count, const int *indices)
{
	const struct record_rank *r = &v->recorder->rank[v->current->world];

	if (count <= 0)
		return;
	fprintf(v->recorder->out, "%" PRIu32 " wait", v->current->world);
	for (int i = 0; i < count; i++) {
		int64_t number = r->before.at[indices ? indices[i] : i];

		if (number >= 0)
			write_number(v, (uint32_t)number);
	}
	fputc('\n', v->recorder->out);
}

static int record_Waitany(struct vmpi *v, int count, VMPI_Request *requests, int *index, VMPI_Status *status)
{
	int ret;

	write_gap(v->recorder, v->current->world, v->current->now);
	note_before(v, count, requests);
	ret = vmpi_Waitany(v, count, requests, index, status);
	if (*index != VMPI_UNDEFINED)
		write_finished(v, 1, index);
	return record_done(v, ret);
}

static int record_Waitsome(struct vmpi *v, int incount, VMPI_Request *requests, int *outcount, int *indices,
			   VMPI_Status *statuses)
{
	int ret;

	write_gap(v->recorder, v->current->world, v->current->now);
	note_before(v, incount, requests);
	ret = vmpi_Waitsome(v, incount, requests, outcount, indices, statuses);
	if (*outcount != VMPI_UNDEFINED)
		write_finished(v, *outcount, indices);
	return record_done(v, ret);
}

/* A test has taken its time, whatever it found. */
static int tested(struct vmpi *v, int ret, int count, const int *indices)
{
	write_gap(v->recorder, v->current->world, v->current->now);
	write_finished(v, count, indices);
	return record_done(v, ret);
}

static int record_Testall(struct vmpi *v, int count, VMPI_Request *requests, int *flag, VMPI_Status *statuses)
{
	int ret;

	note_before(v, count, requests);
	ret = vmpi_Testall(v, count, requests, flag, statuses);
	return tested(v, ret, *flag ? count : 0, NULL);
}

static int record_Test(struct vmpi *v, VMPI_Request *request, int *flag, VMPI_Status *status)
{
	int ret;

	note_before(v, 1, request);
	ret = vmpi_Test(v, request, flag, status);
	return tested(v, ret, *flag, NULL);
}

static int record_Testany(struct vmpi *v, int count, VMPI_Request *requests, int *index, int *flag, VMPI_Status *status)
{
	int ret;

	note_before(v, count, requests);
	ret = vmpi_Testany(v, count, requests, index, flag, status);
	return tested(v, ret, *flag && *index != VMPI_UNDEFINED, index);
}

static int record_Testsome(struct vmpi *v, int incount, VMPI_Request *requests, int *outcount, int *indices,
			   VMPI_Status *statuses)
{
	int ret;

	note_before(v, incount, requests);
	ret = vmpi_Testsome(v, incount, requests, outcount, indices, statuses);
	return tested(v, ret, *outcount == VMPI_UNDEFINED ? 0 : *outcount, indices);
}

/* ---- communicators and windows ---- */

/* The archive gets what the running rank's call has made: a communicator, or a window with one of its own. */
static void note_made(struct vmpi *v, VMPI_Comm comm, bool has_ranks)
{
	const struct comm *c = comm_find(&v->comms, comm);

	if (v->recorder->archive)
		call_archive_made(v->recorder->archive, v->current->world, c->key, has_ranks ? c->group : NULL);
}

void record_split_done(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm newcomm)
{
	struct record_rank *r = &v->recorder->rank[v->current->world];
	FILE *out = v->recorder->out;

	fprintf(out, "%" PRIu32 " split", v->current->world);
	if (color < 0) {
		fprintf(out, " none %d", key);
	} else {
		VMPI_Comm *new = vec_push(&r->comms, &v->err);

		if (!new)
			rank_fail(v);
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
	struct record_rank *r = &v->recorder->rank[v->current->world];
	VMPI_Win *new = vec_push(&r->windows, &v->err);

	if (!new)
		rank_fail(v);
	*new = win;
	note_made(v, window_find(v, win)->comm, false);
	return r->windows.count;
}

size_t record_window_number(const struct vmpi *v, VMPI_Win win)
{
	const struct record_rank *r = &v->recorder->rank[v->current->world];
	size_t i = r->windows.count;

	while (i > 0 && r->windows.at[i - 1] != win)
		i--;
	return i;
}

/* ---- collective operations, blocking and not ---- */

static int record_collective(struct vmpi *v, enum collective_event_id id, const struct collective_args *a,
			     VMPI_Request *request)
{
	FILE *out = record_begin(v)->out;
	int ret;

	fprintf(out, " %s", collective_event_name(id));
	put_collective(out, v, a);
	if (!request) {
		fputc('\n', out);
		return record_done(v, collective_call(v, id, a, NULL));
	}
	ret = collective_call(v, id, a, request);
	record_request(v, *request);
	fputc('\n', out);
	return record_done(v, ret);
}

#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, ...) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments)) \
	{ \
		struct collective_args a = GATHERED(arguments); \
\
		return record_collective(v, COLLECTIVE_EVENT_##event, &a, NULL); \
	} \
	static int record_##begin(struct vmpi *v PARAMETERS(arguments), VMPI_Request *request) \
	{ \
		struct collective_args a = GATHERED(arguments); \
\
		return record_collective(v, COLLECTIVE_EVENT_##event, &a, request); \
	}
#include "../api/collective_calls.def"
#undef COLLECTIVE

/* ---- the table of calls ---- */

/* Calls that communicate, and that a trace has no events for. */
static const enum call_id not_recorded[] = {
	CALL_Mprobe,
	CALL_Improbe,
	CALL_Mrecv,
	CALL_Imrecv,
	CALL_Cancel,
	CALL_Isendrecv,
	CALL_Isendrecv_replace,
	CALL_pthread_create,
	CALL_Comm_idup,
	CALL_Comm_create_group,
	CALL_Intercomm_create,
	CALL_Intercomm_merge,
	CALL_Dist_graph_create,
	CALL_File_open,
	CALL_File_delete,
	CALL_Grequest_start,
#define COLLECTIVE(name, begin, arguments, doc) CALL_##name, CALL_##begin, CALL_##name##_init,
#define TRACED(name, ...) CALL_##name##_init,
#include "../api/collective_calls.def"
#undef COLLECTIVE
};

static void fill_calls(struct vmpi_calls *calls)
{
#define RECORDED(name) calls->name = record_##name
#define SEND(name, begin, ...) RECORDED(name), RECORDED(begin);
#include "../api/send_calls.def"
	RECORDED(Recv), RECORDED(Irecv), RECORDED(Sendrecv), RECORDED(Sendrecv_replace), RECORDED(Probe);
	RECORDED(Start), RECORDED(Startall), RECORDED(Wait), RECORDED(Waitall), RECORDED(Waitany), RECORDED(Waitsome);
	RECORDED(Test), RECORDED(Testall), RECORDED(Testany), RECORDED(Testsome);
#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, ...) RECORDED(name), RECORDED(begin);
#include "../api/collective_calls.def"
#undef COLLECTIVE
#undef RECORDED
	record_window_calls(calls);
}

/* The trace's file, or memory, from where the archive and the first process get lines. */
static int open_lines(struct vmpi *v, const struct record_outputs *to, struct err *e)
{
	struct recorder *rec = v->recorder;

	if (to->folder) {
		rec->archive = call_archive_create(v, to->folder, e);
		if (!rec->archive)
			return -1;
		v->received = note_received;
	}
	rec->out = rec->archive || v->parts ? open_memstream(&rec->line, &rec->line_size) : rec->trace;
	return rec->out ? 0 : mem_short(e);
}

int record_start(struct vmpi *v, const struct record_outputs *to, struct err *e)
{
	struct recorder *rec = mem_alloc(1, sizeof(*rec), e);

	if (!rec)
		return -1;
	v->recorder = rec;
	rec->trace = to->trace;
	rec->has_trace = to->trace || to->trace_of_first;
	rec->last = mem_alloc(v->size, sizeof(*rec->last), e);
	rec->rank = mem_alloc(v->size, sizeof(*rec->rank), e);
	if (!rec->last || !rec->rank || open_lines(v, to, e) < 0)
		return -1;
	rec->calls = *v->calls;
	fill_calls(&rec->calls);
	v->calls = &rec->calls;
	for (size_t i = 0; i < sizeof(not_recorded) / sizeof(not_recorded[0]); i++)
		rec->refused[not_recorded[i]] = true;
	v->refused = rec->refused;
	if (rec->trace && (!v->parts || !v->parts->part.me))
		fprintf(rec->trace, "ranks %" PRIu32 "\n", v->size);
	return 0;
}

/* ---- several processes ---- */

void record_turn(struct vmpi *v)
{
	struct recorder *rec = v->recorder;

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
	call_archive_pass(v->recorder->archive, call);
}

void record_pass(struct vmpi *v, const char *lines, size_t bytes)
{
	fwrite(lines, 1, bytes, v->recorder->trace);
}

int64_t record_last(const struct vmpi *v, uint32_t rank)
{
	return v->recorder ? v->recorder->last[rank] : 0;
}

void record_set_last(struct vmpi *v, uint32_t rank, int64_t last)
{
	if (v->recorder)
		v->recorder->last[rank] = last;
}

/* ---- the end ---- */

/* Writes the ranks' last computation. */
static void write_ends(struct vmpi *v)
{
	struct recorder *rec = v->recorder;

	if (v->ended != v->size || !rec->rank || !rec->last)
		return;
	for (uint32_t i = 0; rec->out && i < v->size; i++)
		write_gap(rec, i, v->ranks[i].ended);
	for (uint32_t i = 0; rec->archive && i < v->size; i++)
		call_archive_ended(rec->archive, i, v->ranks[i].ended);
}

static int finish_recording(struct vmpi *v, bool keep, struct err *e)
{
	struct recorder *rec = v->recorder;
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
	v->recorder = NULL;
	v->received = NULL;
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
