/* Messages between two ranks, and requests. */
#include "traced_calls.h"

#include <stdlib.h>
#include <string.h>

#include "traced_requests.h"

/* Notes the event of a persistent request, which its start writes. The call's time counts as computation. */
static void keep_event(const char *word, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
		       MPI_Request request)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);
	int kept = -1;

	if (out) {
		fputs(word, out);
		put_transfer(out, NULL, peer, tag, count, type, comm);
		if (fclose(out) == 0)
			kept = traced_request_keep(tracer_requests(), handle_of(request), line);
	}
	free(line);
	if (kept < 0)
		call_refused("memory is short");
}

#define SEND(name, begin, init, mode, event, MODE) \
	int MPI_##name(WITHOUT_COMMA(PARAMETERS(SEND_ARGUMENTS))) \
	{ \
		bool written = call_begins(); \
\
		if (written) { \
			put_transfer(event_begins(#event), NULL, dest, tag, count, datatype, comm); \
			event_ends(); \
		} \
		return call_over(written, PMPI_##name(WITHOUT_COMMA(NAMES(SEND_ARGUMENTS)))); \
	} \
	int MPI_##begin(WITHOUT_COMMA(PARAMETERS(SEND_ARGUMENTS)), MPI_Request *request) \
	{ \
		bool written = call_begins(); \
		FILE *out = NULL; \
		int ret; \
\
		if (written) \
			put_transfer(out = event_begins(#event), NULL, dest, tag, count, datatype, comm); \
		ret = PMPI_##begin(WITHOUT_COMMA(NAMES(SEND_ARGUMENTS)), request); \
		if (written) { \
			put_request(out, *request); \
			event_ends(); \
		} \
		return call_over(written, ret); \
	} \
	int MPI_##init(WITHOUT_COMMA(PARAMETERS(SEND_ARGUMENTS)), MPI_Request *request) \
	{ \
		bool written = call_begins(); \
		int ret = PMPI_##init(WITHOUT_COMMA(NAMES(SEND_ARGUMENTS)), request); \
\
		if (written) \
			keep_event(#event, count, datatype, dest, tag, comm, *request); \
		return call_over(false, ret); \
	}
#include "../vmpi/api/send_calls.def"

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	bool written = call_begins();

	if (written) {
		put_transfer(event_begins("recv"), NULL, source, tag, count, type, comm);
		event_ends();
	}
	return call_over(written, PMPI_Recv(buf, count, type, source, tag, comm, status));
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = NULL;
	off_t from = 0;
	int ret;

	if (written) {
		out = event_begins("recv");
		from = ftello(out) - (off_t)strlen(" recv");
		put_transfer(out, NULL, source, tag, count, type, comm);
	}
	ret = PMPI_Irecv(buf, count, type, source, tag, comm, request);
	if (written) {
		put_request(out, *request);
		traced_request_place(tracer_requests(), handle_of(*request), from, ftello(out));
		event_ends();
	}
	return call_over(written, ret);
}

/* Puts an event that takes no time in place of a receive's. */
static bool erase_event(FILE *out, off_t from, off_t to)
{
	if (fseeko(out, from, SEEK_SET) < 0)
		return false;
	fprintf(out, "%-*s", (int)(to - from), " compute 0");
	return fseeko(out, 0, SEEK_END) == 0;
}

/*
 * A receive that is cancelled has not been: its event is erased, and what waits for it waits for nothing. Whether it is
 * cancelled, or was faster, is known at once.
 */
static void note_cancel(MPI_Request request)
{
	int64_t from, to;
	int done = 0, cancelled = 0;
	MPI_Status status;

	PMPI_Request_get_status(request, &done, &status);
	if (done)
		PMPI_Test_cancelled(&status, &cancelled);
	if (!done)
		call_refused("MPI_Cancel of a request that goes on: a trace cannot have this call");
	else if (cancelled && (traced_request_cancel(tracer_requests(), handle_of(request), &from, &to) < 0 ||
			       !erase_event(tracer_part(), from, to)))
		call_refused("MPI_Cancel: a trace can have this call of MPI_Irecv alone");
}

int MPI_Cancel(MPI_Request *request)
{
	bool written = call_begins();
	int ret = PMPI_Cancel(request);

	if (written && ret == MPI_SUCCESS)
		note_cancel(*request);
	return call_over(false, ret);
}

int MPI_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	bool written = call_begins();
	int ret = PMPI_Recv_init(buf, count, type, source, tag, comm, request);

	if (written)
		keep_event("recv", count, type, source, tag, comm, *request);
	return call_over(false, ret);
}

int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
		 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
	bool written = call_begins();

	if (written)
		put_sendrecv(line_begins(), NULL, dest, sendtag, sendcount, sendtype, source, recvtag, recvcount,
			     recvtype, comm);
	return call_over(written, PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
						recvtype, source, recvtag, comm, status));
}

int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
			 MPI_Comm comm, MPI_Status *status)
{
	bool written = call_begins();

	if (written)
		put_sendrecv(line_begins(), NULL, dest, sendtag, count, type, source, recvtag, count, type, comm);
	return call_over(written,
			 PMPI_Sendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, status));
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	bool written = call_begins();

	if (written) {
		put_probe(line_begins(), NULL, source, tag, comm);
	}
	return call_over(written, PMPI_Probe(source, tag, comm, status));
}

/* ---- persistent requests are sends and receives when they start ---- */

static void put_start(MPI_Request request)
{
	int64_t number = -1;
	const char *event = traced_request_start(tracer_requests(), handle_of(request), &number);

	if (!event) {
		call_refused("a persistent request of a collective operation");
		return;
	}
	fprintf(event_begins(event), " req=%lld", (long long)number);
	event_ends();
}

int MPI_Start(MPI_Request *request)
{
	bool written = call_begins();

	if (written)
		put_start(*request);
	return call_over(written, PMPI_Start(request));
}

int MPI_Startall(int count, MPI_Request requests[])
{
	bool written = call_begins();

	for (int n = 0; written && n < count; n++)
		put_start(requests[n]);
	return call_over(written, PMPI_Startall(count, requests));
}

int MPI_Request_free(MPI_Request *request)
{
	bool written = call_begins();

	if (written)
		traced_request_forget(tracer_requests(), handle_of(*request));
	return call_over(false, PMPI_Request_free(request));
}

/* ---- waiting: what a test finds complete is a wait that takes no time ---- */

/* Writes a wait for the requests under way with these handles: at `indices`, or, with NULL, the first `count`. */
static void put_wait(const uint64_t *handles, int count, const int *indices)
{
	FILE *out = NULL;

	for (int n = 0; n < count; n++) {
		int64_t number = traced_request_end(tracer_requests(), handles[indices ? indices[n] : n]);

		if (number < 0)
			continue;
		if (!out)
			out = event_begins("wait");
		fprintf(out, " %lld", (long long)number);
	}
	if (out)
		event_ends();
}

/* The handles of a call's requests before it, valid up to the next call; NULL: memory is short. */
static const uint64_t *note_handles(int count, const MPI_Request *requests)
{
	static uint64_t *handles;
	static int size;

	if (count > size) {
		uint64_t *more = realloc(handles, (size_t)count * sizeof(*handles));

		if (!more) {
			call_refused("memory is short");
			return NULL;
		}
		handles = more;
		size = count;
	}
	for (int n = 0; n < count; n++)
		handles[n] = handle_of(requests[n]);
	return handles;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	bool written = call_begins();

	if (written) {
		uint64_t handle = handle_of(*request);

		put_wait(&handle, 1, NULL);
	}
	return call_over(written, PMPI_Wait(request, status));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	bool written = call_begins();
	const uint64_t *handles = written && count > 0 ? note_handles(count, requests) : NULL;

	if (handles)
		put_wait(handles, count, NULL);
	return call_over(written, PMPI_Waitall(count, requests, statuses));
}

/* The requests that a wait for some of them has finished are known behind it: its time is no computation. */
#define TRACED_SOME(name, params, args, count, finished, indices) \
	int MPI_##name params \
	{ \
		bool written = call_begins(); \
		const uint64_t *handles = written && (count) > 0 ? note_handles(count, requests) : NULL; \
		int ret; \
\
		if (written) \
			gap_ends(); \
		ret = PMPI_##name args; \
		call_over(written, ret); \
		written = call_begins(); \
		if (written && handles && ret == MPI_SUCCESS) \
			put_wait(handles, finished, indices); \
		return call_over(written, ret); \
	}
TRACED_SOME(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
	    (count, requests, index, status), count, *index != MPI_UNDEFINED, index)
TRACED_SOME(Waitsome, (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
	    (count, requests, outcount, indices, statuses), count, *outcount == MPI_UNDEFINED ? 0 : *outcount, indices)

/* The time of a test counts as computation, whatever it finds. */
#define TRACED_TEST(name, params, args, count, first, finished, indices) \
	int MPI_##name params \
	{ \
		bool written = call_begins(); \
		const uint64_t *handles = written && (count) > 0 ? note_handles(count, first) : NULL; \
		int ret = PMPI_##name args, done = ret == MPI_SUCCESS ? (finished) : 0; \
\
		if (handles && done) \
			put_wait(handles, done, indices); \
		return call_over(written && handles && done, ret); \
	}
TRACED_TEST(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1, request, *flag,
	    NULL)
TRACED_TEST(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
	    (count, requests, flag, statuses), count, requests, *flag ? count : 0, NULL)
TRACED_TEST(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
	    (count, requests, index, flag, status), count, requests, *flag &&*index != MPI_UNDEFINED, index)
TRACED_TEST(Testsome, (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
	    (count, requests, outcount, indices, statuses), count, requests, *outcount == MPI_UNDEFINED ? 0 : *outcount,
	    indices)
