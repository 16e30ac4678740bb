/* Matched probes: what a probe has found is received by its source and tag. Calls of two events follow. */
#include "traced_calls.h"

#include <stdlib.h>
#include <string.h>

/* A message between its probe and its receive. */
struct traced_message {
	MPI_Message handle;
	int source, tag;
	MPI_Comm comm;
};
static struct traced_message *probed;
static size_t probed_count, probed_size;

static void note_message(MPI_Message handle, const MPI_Status *status, MPI_Comm comm)
{
	if (handle == MPI_MESSAGE_NO_PROC)
		return;
	if (probed_count == probed_size) {
		size_t size = probed_size ? 2 * probed_size : 64;
		struct traced_message *more = realloc(probed, size * sizeof(*more));

		if (!more) {
			call_refused("memory is short");
			return;
		}
		probed = more;
		probed_size = size;
	}
	probed[probed_count++] = (struct traced_message){handle, status->MPI_SOURCE, status->MPI_TAG, comm};
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	bool written = call_begins();
	MPI_Status own;
	int ret;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	if (written) {
		FILE *out = event_begins("probe");

		put_peer(out, source, tag);
		put_comm(out, NULL, comm);
		event_ends();
	}
	ret = PMPI_Mprobe(source, tag, comm, message, status);
	if (written && ret == MPI_SUCCESS)
		note_message(*message, status, comm);
	return call_over(written, ret);
}

/* The time of such a probe counts as computation, whatever it finds. */
int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
	bool written = call_begins();
	MPI_Status own;
	int ret;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = PMPI_Improbe(source, tag, comm, flag, message, status);
	if (written && ret == MPI_SUCCESS && *flag)
		note_message(*message, status, comm);
	return call_over(false, ret);
}

/* Begins the receive of a message, which is known no longer. */
static FILE *put_message(MPI_Message handle, int count, MPI_Datatype type)
{
	FILE *out = event_begins("recv");

	if (handle == MPI_MESSAGE_NO_PROC) {
		put_transfer(out, NULL, MPI_PROC_NULL, MPI_ANY_TAG, 0, type, MPI_COMM_WORLD);
		return out;
	}
	for (size_t n = 0; n < probed_count; n++) {
		const struct traced_message m = probed[n];

		if (m.handle != handle)
			continue;
		probed_count--;
		memmove(probed + n, probed + n + 1, (probed_count - n) * sizeof(*probed));
		put_transfer(out, NULL, m.source, m.tag, count, type, m.comm);
		return out;
	}
	call_dropped(UNRECORDED_MESSAGE);
	return out;
}

int MPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
	bool written = call_begins();

	if (written) {
		put_message(*message, count, type);
		event_ends();
	}
	return call_over(written, PMPI_Mrecv(buf, count, type, message, status));
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = written ? put_message(*message, count, type) : NULL;
	int ret = PMPI_Imrecv(buf, count, type, message, request);

	if (written) {
		put_request(out, *request);
		event_ends();
	}
	return call_over(written, ret);
}

/* ---- one request of a send and a receive ---- */

#if MPI_VERSION >= 4
/* The receive that goes with the send of the line before. */
static int receive_too(bool written, int ret, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
		       MPI_Request request)
{
	bool known = written && !call_is_dropped();

	call_over(written, ret);
	written = call_begins();
	if (written && known) {
		FILE *out = event_begins("recv");

		put_transfer(out, NULL, source, tag, count, type, comm);
		put_second_request(out, request);
		event_ends();
	}
	return call_over(written && known, ret);
}

static FILE *put_send(int dest, int tag, int count, MPI_Datatype type, MPI_Comm comm)
{
	FILE *out = event_begins("send");

	put_transfer(out, NULL, dest, tag, count, type, comm);
	return out;
}

int MPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
		  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = written ? put_send(dest, sendtag, sendcount, sendtype, comm) : NULL;
	int ret = PMPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
				 recvtag, comm, request);

	if (written) {
		put_request(out, *request);
		event_ends();
	}
	return receive_too(written, ret, recvcount, recvtype, source, recvtag, comm, *request);
}

int MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
			  MPI_Comm comm, MPI_Request *request)
{
	bool written = call_begins();
	FILE *out = written ? put_send(dest, sendtag, count, type, comm) : NULL;
	int ret = PMPI_Isendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, request);

	if (written) {
		put_request(out, *request);
		event_ends();
	}
	return receive_too(written, ret, count, type, source, recvtag, comm, *request);
}
#endif
