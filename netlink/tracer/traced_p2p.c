/* Messages between two ranks, and requests. */
#include "traced_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traced_requests.h"

void request_begins(const char *event, off_t from, MPI_Request request)
{
	FILE *out = tracer_part();

	if (put_request(out, request) >= 0 && strcmp(event, "recv") == 0)
		traced_request_place(tracer_requests(), handle_of(request), from, ftello(out));
	event_ends();
}

/* ---- persistent requests are sends and receives when they start ---- */

static struct {
	char *line;
	size_t size;
	FILE *out;
} kept;

FILE *kept_begins(const char *event)
{
	kept.out = open_memstream(&kept.line, &kept.size);
	if (kept.out)
		fputs(event, kept.out);
	else
		call_refused("memory is short");
	return kept.out;
}

void kept_ends(MPI_Request request)
{
	if (fclose(kept.out) != 0 ||
	    (!call_is_dropped() && traced_request_keep(tracer_requests(), handle_of(request), kept.line) < 0))
		call_refused("memory is short");
	free(kept.line);
}

static void put_start(MPI_Request request)
{
	int64_t number = -1;
	const char *event = traced_request_start(tracer_requests(), handle_of(request), &number);

	if (!event) {
		call_dropped(UNRECORDED_START);
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

/* ---- requests that end in other ways ---- */

/*
 * A receive that is cancelled has not been: its event is erased, and what waits for it waits for nothing. Whether it is
 * cancelled, or was faster, is known at once. Of a send it is not: its event stays.
 */
static void note_cancel(MPI_Request request)
{
	int64_t from, to;
	int done = 0, cancelled = 0;
	MPI_Status status;

	PMPI_Request_get_status(request, &done, &status);
	if (done)
		PMPI_Test_cancelled(&status, &cancelled);
	if (!done || (cancelled && traced_request_cancel(tracer_requests(), handle_of(request), &from, &to) < 0))
		call_dropped(UNRECORDED_CANCEL);
	else if (cancelled && !erase_event(from, to))
		call_refused(strerror(errno));
}

int MPI_Cancel(MPI_Request *request)
{
	bool written = call_begins();
	int ret = PMPI_Cancel(request);

	if (written && ret == MPI_SUCCESS)
		note_cancel(*request);
	return call_over(false, ret);
}

int MPI_Request_free(MPI_Request *request)
{
	bool written = call_begins();

	if (written)
		traced_request_forget(tracer_requests(), handle_of(*request));
	return call_over(false, PMPI_Request_free(request));
}

/* ---- waiting: what a test finds complete is a wait that takes no time ---- */

static uint64_t *noted; /* handles of a call's requests before it */

void put_wait(int count, const int *indices)
{
	FILE *out = NULL;

	for (int n = 0; n < count; n++) {
		uint64_t handle = noted[indices ? indices[n] : n];
		bool paired;

		do { /* of both events */
			paired = traced_request_is_paired(tracer_requests(), handle);
			int64_t number = traced_request_end(tracer_requests(), handle);

			if (number < 0)
				break;
			if (!out)
				out = event_begins("wait");
			fprintf(out, " %lld", (long long)number);
			comms_request_ends(number);
		} while (paired);
	}
	if (out)
		event_ends();
}

bool note_requests(int count, const MPI_Request *requests)
{
	static int size;

	if (count > size) {
		uint64_t *more = realloc(noted, (size_t)count * sizeof(*noted));

		if (!more) {
			call_refused("memory is short");
			return false;
		}
		noted = more;
		size = count;
	}
	for (int n = 0; n < count; n++)
		noted[n] = handle_of(requests[n]);
	return count > 0;
}
