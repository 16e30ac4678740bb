/*
 * The functions that record calls, made of the rows of ../api/calls.def: each writes its line and goes on to the call.
 *
 * A line whose call may block is written before it, since other ranks write lines meanwhile. The line of a call of
 * windows is written when the call has returned, since an error is no event: its time then counts as computation.
 */
#include "../message/message.h"
#include "../message/mpi_window.h"
#include "call_record.h"

/* ---- written by hand: calls whose line is not made of their arguments ---- */

/* Persistent requests are sends and receives when they start. */
static int record_Startall(struct vmpi *v, int count, VMPI_Request *requests)
{
	static const char *const words[] = {
#define SEND(name, begin, init, mode, event, MODE) #event,
#include "../api/send_calls.def"
	};
	int ret = VMPI_SUCCESS;

	for (int i = 0; i < count && ret == VMPI_SUCCESS; i++) {
		const struct request *q = requests[i] > 0 && (uint32_t)requests[i] < v->msg.requests.made
						  ? request_at(v, (uint32_t)requests[i])
						  : NULL;
		FILE *out;

		record_gap(v);
		if (!q || q->kind > REQUEST_RECV)
			return vmpi_Start(v, &requests[i]);
		out = record_line(v, q->kind == REQUEST_RECV ? "recv" : words[q->mode]);
		put_transfer(out, v, q->peer, q->tag, q->count, q->type->handle, q->comm);
		record_request(v, requests[i]);
		fputc('\n', out);
		ret = record_done(v, vmpi_Start(v, &requests[i]));
	}
	return ret;
}

static int record_Start(struct vmpi *v, VMPI_Request *request)
{
	return record_Startall(v, 1, request);
}

/* Ends a line of a window. */
static int end_window_line(struct vmpi *v, FILE *out, VMPI_Win win)
{
	put_window(out, v, win);
	fputc('\n', out);
	return record_done(v, VMPI_SUCCESS);
}

static int record_Win_free(struct vmpi *v, VMPI_Win *win)
{
	VMPI_Win given = *win;
	int ret;

	record_gap(v);
	ret = vmpi_Win_free(v, win);
	return ret ? ret : end_window_line(v, record_line(v, "window_free"), given);
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

static int made_window(struct vmpi *v, VMPI_Aint size, VMPI_Comm comm, VMPI_Win win)
{
	FILE *out = record_line(v, "window");

	if (size < 0)
		fputs(" any", out);
	else
		fprintf(out, " %ld", (long)size);
	fprintf(out, " new=%zu", record_window_made(v, win));
	put_comm(out, v, comm);
	fputc('\n', out);
	return record_done(v, VMPI_SUCCESS);
}

/* ---- made of rows ---- */

#define CALL(...)
#define PREPARED(...)
#define SPLIT(...)
#define REFUSED(...)

#define EVENT(name, arguments, doc, event, words) \
	static int record_##name(struct vmpi *host PARAMETERS(arguments)) \
	{ \
		FILE *out; \
\
		record_gap(host); \
		out = record_line(host, event); \
		words; \
		fputc('\n', out); \
		return record_done(host, vmpi_##name(host NAMES(arguments))); \
	}

#define BEGUN(name, arguments, doc, event, words) \
	static int record_##name(struct vmpi *host PARAMETERS(arguments)) \
	{ \
		FILE *out; \
		int ret; \
\
		record_gap(host); \
		out = record_line(host, event); \
		words; \
		ret = vmpi_##name(host NAMES(arguments)); \
		record_request(host, *request); \
		fputc('\n', out); \
		return record_done(host, ret); \
	}

#define RETURNED(name, arguments, event, happens, words) \
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
#define SYNC(name, arguments, doc, event, happens, words) RETURNED(name, arguments, event, happens, words)
#define SYNC_BEGUN(name, arguments, doc, event, happens, words) \
	RETURNED(name, arguments, event, happens, words; record_request(host, *request))

#define WAIT(name, arguments, doc, count, requests) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments)) \
	{ \
		record_wait(v, count, requests); \
		return record_done(v, vmpi_##name(v NAMES(arguments))); \
	}

#define FINISHES(name, arguments, count, requests, before, after, finished, indices) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments)) \
	{ \
		int ret; \
\
		before; \
		record_before(v, count, requests); \
		ret = vmpi_##name(v NAMES(arguments)); \
		after; \
		record_finished(v, finished, indices); \
		return record_done(v, ret); \
	}
#define WAIT_SOME(name, arguments, doc, count, requests, finished, indices) \
	FINISHES(name, arguments, count, requests, record_gap(v), (void)0, finished, indices)
#define TEST(name, arguments, doc, count, requests, finished, indices) \
	FINISHES(name, arguments, count, requests, (void)0, record_gap(v), finished, indices)

#define WINDOW(name, arguments, doc, size, unit) \
	static int record_##name(struct vmpi *v PARAMETERS(arguments)) \
	{ \
		int ret; \
\
		record_gap(v); \
		ret = vmpi_##name(v NAMES(arguments)); \
		return ret ? ret : made_window(v, size, comm, *win); \
	}
#include "../api/calls.def"
#undef CALL

/* ---- the table ---- */

void record_calls(struct vmpi_calls *calls, bool *refused)
{
#define TRACE_LOCAL(name)
#define TRACE_UNREACHED(name)
#define TRACE_SPLIT(name)
#define TRACE_RECORDED(name) calls->name = record_##name;
#define TRACE_REFUSED(name) refused[CALL_##name] = true;
#define CALL(result, name, params, doc, trace) TRACE_##trace(name)
#include "../api/calls.def"
#undef CALL
	refused[CALL_pthread_create] = true;
}
