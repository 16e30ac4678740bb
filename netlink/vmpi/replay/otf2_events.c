/*
 * Events of an OTF2 archive as they are read. What a rank receives is in the event of the receive's end, so a
 * rank's queue has its events from the begin of the oldest open receive on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/sum128.h"
#include "otf2_parts.h"

enum { EVENTS_AT_ONCE = 256 };
#define PS_MOST INT64_C(6000000000000000000)

/* Fails within a callback of the library. */
static OTF2_CallbackCode refuse_event(struct archive_rank *r, const char *what)
{
	struct archive *a = r->archive;

	if (!*a->failure.text)
		err_set(&a->failure, STATUS_BAD_INPUT, "%s: rank %u, event %u: %s", a->path, r->rank, r->count, what);
	return OTF2_CALLBACK_ERROR;
}

/* Fails likewise at an event that ends a request, of which the time was not taken. */
static OTF2_CallbackCode refuse_end(struct archive_rank *r, const char *what)
{
	r->count++;
	return refuse_event(r, what);
}

/* ---- time ---- */

/* Takes the time of an event; false if it is wrong. */
static bool set_time(struct archive_rank *r, OTF2_TimeStamp time)
{
	r->count++;
	if (!r->begun) {
		r->begun = true;
		r->zero = r->now = time;
	}
	if (time < r->now) {
		refuse_event(r, "its time is before that of the event above, expected times in their order");
		return false;
	}
	r->now = time;
	return true;
}

/* Returns the time since the rank's first event, rounded down. */
static sum128 ps_of_now(const struct archive_rank *r)
{
	return (sum128)(r->now - r->zero) * 1000000000000U / r->archive->resolution;
}

/* The time between the last call and now is computation. */
static bool add_computation(struct archive_rank *r)
{
	sum128 ps = ps_of_now(r);

	if (ps > (sum128)PS_MOST) {
		refuse_event(r, "its time is more than 6e6 s after the first event's, expected less");
		return false;
	}
	r->gap += (int64_t)ps - r->last_ps;
	r->last_ps = (int64_t)ps;
	return true;
}

/* The last call has lasted until now; a time that is too long is found with the next computation. */
static void end_call(struct archive_rank *r)
{
	sum128 ps = ps_of_now(r);

	r->last_ps = ps > (sum128)PS_MOST ? PS_MOST : (int64_t)ps;
}

static bool in_call(const struct archive_rank *r)
{
	return r->depth || r->collective;
}

/* ---- the queue ---- */

/* Adds an event at `time`, with the computation before it; NULL if that is wrong. */
static struct archive_event *queue_event(struct archive_rank *r, OTF2_TimeStamp time, enum archive_kind kind)
{
	struct archive_event *q;

	if (!set_time(r, time) || (!in_call(r) && !add_computation(r)))
		return NULL;
	q = vec_push(&r->queue, &r->archive->failure);
	if (!q)
		return NULL;
	*q = (struct archive_event){.gap = r->gap, .number = r->count, .kind = kind, .mode = r->mode};
	r->gap = 0;
	r->together = false;
	r->exchange = false;
	return q;
}

/* Gives the event, the queue's last one, a request. */
static OTF2_CallbackCode begin_request(struct archive_rank *r, uint64_t id)
{
	struct archive_request *q;
	size_t i = 0;

	for (size_t k = 0; k < r->requests.count; k++)
		if (r->requests.at[k].used && r->requests.at[k].id == id)
			return refuse_event(r, "begins a request that is under way, expected another number");
	while (i < r->requests.count && r->requests.at[i].used)
		i++;
	q = i < r->requests.count ? &r->requests.at[i] : vec_push(&r->requests, &r->archive->failure);
	if (!q)
		return OTF2_CALLBACK_ERROR;
	*q = (struct archive_request){true, id, r->dropped + r->queue.count - 1};
	r->queue.at[r->queue.count - 1].begins = true;
	r->queue.at[r->queue.count - 1].slot = (uint32_t)i;
	return OTF2_CALLBACK_SUCCESS;
}

/* Ends a request: sets *begin to its event if that is still in the queue, else to NULL. NULL: there is none. */
static struct archive_request *end_request(struct archive_rank *r, uint64_t id, struct archive_event **begin)
{
	for (size_t i = 0; i < r->requests.count; i++) {
		struct archive_request *q = &r->requests.at[i];

		if (!q->used || q->id != id)
			continue;
		q->used = false;
		*begin = q->event >= r->dropped + r->first ? &r->queue.at[q->event - r->dropped] : NULL;
		return q;
	}
	refuse_end(r, "ends a request that has not begun, expected its begin before");
	return NULL;
}

/* Adds the wait for a request, which belongs to the one before it if both are in one call. */
static OTF2_CallbackCode queue_wait(struct archive_rank *r, OTF2_TimeStamp time, const struct archive_request *request)
{
	bool joined = r->together;
	struct archive_event *q = queue_event(r, time, ARCHIVE_WAIT);

	if (!q)
		return OTF2_CALLBACK_ERROR;
	q->slot = (uint32_t)(request - r->requests.at);
	q->joined = joined;
	r->together = r->depth > 0;
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- callbacks ---- */

/* NULL: it is not one of MPI. */
static const struct archive_region *mpi_region(const struct archive *a, OTF2_RegionRef region)
{
	size_t low = 0, high = a->mpi_regions.count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (a->mpi_regions.at[middle].ref < region)
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->mpi_regions.count && a->mpi_regions.at[low].ref == region ? &a->mpi_regions.at[low] : NULL;
}

/* Returns nsim's own form of an event; NULL: it has none. */
static const char *own_form(const struct archive_rank *r, const OTF2_AttributeList *attributes)
{
	OTF2_StringRef ref;

	if (!r->archive->has_own || !attributes ||
	    OTF2_AttributeList_GetStringRef(attributes, r->archive->own, &ref) != OTF2_SUCCESS)
		return NULL;
	return archive_string(r->archive, ref);
}

/* A probe that nsim wrote begins. */
static bool queue_probe(struct archive_rank *r, OTF2_TimeStamp time, const OTF2_AttributeList *attributes)
{
	const char *own = own_form(r, attributes);
	struct archive_event *q;

	if (!own)
		return true;
	q = queue_event(r, time, ARCHIVE_PROBE);
	if (!q)
		return false;
	r->count--; /* the event is counted with its region */
	q->own = own;
	return true;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct archive_rank *r = user;
	const struct archive_region *of;

	(void)location, (void)position;
	if (!set_time(r, time))
		return OTF2_CALLBACK_ERROR;
	of = mpi_region(r->archive, region);
	if (!of)
		return OTF2_CALLBACK_SUCCESS;
	if ((!in_call(r) && !add_computation(r)) || !queue_probe(r, time, attributes))
		return OTF2_CALLBACK_ERROR;
	if (!r->depth++)
		r->mode = of->mode;
	r->together = r->exchange = false;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct archive_rank *r = user;

	(void)location, (void)position, (void)attributes;
	if (!set_time(r, time))
		return OTF2_CALLBACK_ERROR;
	if (!mpi_region(r->archive, region))
		return OTF2_CALLBACK_SUCCESS;
	if (!r->depth)
		return refuse_event(r, "leaves a call, expected that it was entered");
	if (!--r->depth) {
		end_call(r);
		r->mode = 0;
	}
	r->together = r->exchange = false;
	return OTF2_CALLBACK_SUCCESS;
}

/* Time in which the tracer wrote its buffers is no computation. */
static OTF2_CallbackCode on_flush(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				  OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
	struct archive_rank *r = user;

	(void)location, (void)position, (void)attributes;
	if (!set_time(r, time) || (!in_call(r) && !add_computation(r)) || !set_time(r, stop))
		return OTF2_CALLBACK_ERROR;
	if (!in_call(r))
		end_call(r);
	return OTF2_CALLBACK_SUCCESS;
}

static void set_message(struct archive_event *q, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	q->peer = peer;
	q->comm = comm;
	q->tag = tag;
	q->sent = bytes;
}

/* Queues a message that is sent or received as a whole. */
static OTF2_CallbackCode queue_message(struct archive_event *q, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				       uint64_t bytes)
{
	if (!q)
		return OTF2_CALLBACK_ERROR;
	set_message(q, peer, comm, tag, bytes);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				 OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	struct archive_rank *r = user;
	OTF2_CallbackCode ret = queue_message(queue_event(r, time, ARCHIVE_SEND), receiver, comm, tag, bytes);

	(void)location, (void)position, (void)attributes;
	r->exchange = r->depth > 0;
	return ret;
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				  OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	struct archive_event *q = queue_event(user, time, ARCHIVE_SEND);

	(void)location, (void)position, (void)attributes;
	if (!q)
		return OTF2_CALLBACK_ERROR;
	set_message(q, receiver, comm, tag, bytes);
	return begin_request(user, request);
}

static OTF2_CallbackCode on_recv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				 OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	struct archive_rank *r = user;
	bool exchange = r->exchange;
	struct archive_event *q = queue_event(r, time, ARCHIVE_RECV);

	(void)location, (void)position, (void)attributes;
	if (q)
		q->joined = exchange;
	return queue_message(q, sender, comm, tag, bytes);
}

static OTF2_CallbackCode on_irecv_request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
					  OTF2_AttributeList *attributes, uint64_t request)
{
	struct archive_event *q = queue_event(user, time, ARCHIVE_RECV);

	(void)location, (void)position, (void)attributes;
	if (!q)
		return OTF2_CALLBACK_ERROR;
	q->open = true;
	return begin_request(user, request);
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
					   void *user, OTF2_AttributeList *attributes, uint64_t request)
{
	struct archive_event *begin;
	const struct archive_request *q = end_request(user, request, &begin);

	(void)location, (void)position, (void)attributes;
	if (q && begin && begin->open)
		return refuse_end(user,
				  "ends a receive or a collective operation as a send, expected a send's request");
	return q ? queue_wait(user, time, q) : OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				  OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	struct archive_event *begin;
	const struct archive_request *q = end_request(user, request, &begin);

	(void)location, (void)position, (void)attributes;
	if (q && (!begin || !begin->open || begin->kind != ARCHIVE_RECV))
		return refuse_end(user, "ends a receive, expected a receive's request");
	if (!q)
		return OTF2_CALLBACK_ERROR;
	set_message(begin, sender, comm, tag, bytes);
	begin->open = false;
	return queue_wait(user, time, q);
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				      OTF2_AttributeList *attributes, uint64_t request)
{
	struct archive_event *begin;
	const struct archive_request *q = end_request(user, request, &begin);

	(void)location, (void)position, (void)attributes;
	if (!q || !set_time(user, time))
		return OTF2_CALLBACK_ERROR;
	if (!begin || !begin->open)
		return queue_wait(user, time, q);
	begin->kind = ARCHIVE_DROPPED;
	begin->open = false;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
					     void *user, OTF2_AttributeList *attributes)
{
	struct archive_rank *r = user;

	(void)location, (void)position, (void)attributes;
	if (!set_time(r, time) || (!in_call(r) && !add_computation(r)))
		return OTF2_CALLBACK_ERROR;
	r->collective = true;
	return OTF2_CALLBACK_SUCCESS;
}

static void set_collective(struct archive_event *q, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
			   uint64_t sent, uint64_t received)
{
	q->op = op;
	q->comm = comm;
	q->peer = root;
	q->sent = sent;
	q->received = received;
	q->open = false;
}

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
					   void *user, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
					   OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
	struct archive_rank *r = user;
	struct archive_event *q = queue_event(r, time, ARCHIVE_COLLECTIVE);

	(void)location, (void)position;
	if (!q)
		return OTF2_CALLBACK_ERROR;
	set_collective(q, op, comm, root, sent, received);
	q->own = own_form(r, attributes);
	r->collective = false;
	if (!r->depth)
		end_call(r);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
					       void *user, OTF2_AttributeList *attributes, uint64_t request)
{
	struct archive_event *q = queue_event(user, time, ARCHIVE_COLLECTIVE);

	(void)location, (void)position, (void)attributes;
	if (!q)
		return OTF2_CALLBACK_ERROR;
	q->open = true;
	return begin_request(user, request);
}

static OTF2_CallbackCode on_collective_complete(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
						void *user, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
						OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
						uint64_t request)
{
	struct archive_event *begin;
	const struct archive_request *q = end_request(user, request, &begin);

	(void)location, (void)position;
	if (q && (!begin || !begin->open || begin->kind != ARCHIVE_COLLECTIVE))
		return refuse_end(user, "ends a collective operation, expected the request of one");
	if (!q)
		return OTF2_CALLBACK_ERROR;
	set_collective(begin, op, comm, root, sent, received);
	begin->own = own_form(user, attributes);
	return queue_wait(user, time, q);
}

/* ---- windows: events that nsim wrote; others are time in a call ---- */

static OTF2_CallbackCode queue_window(struct archive_rank *r, OTF2_TimeStamp time, const OTF2_AttributeList *attributes,
				      OTF2_RmaWinRef window, uint64_t id)
{
	const char *own = own_form(r, attributes);
	struct archive_event *q;

	if (!own)
		return set_time(r, time) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
	q = queue_event(r, time, ARCHIVE_WINDOW);
	if (!q)
		return OTF2_CALLBACK_ERROR;
	q->own = own;
	q->window = window;
	q->sent = id;
	q->comm = OTF2_UNDEFINED_COMM;
	for (size_t i = 0; i < r->archive->windows.count; i++)
		if (r->archive->windows.at[i].ref == window)
			q->comm = r->archive->windows.at[i].comm;
	return OTF2_CALLBACK_SUCCESS;
}

#define AT OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes
#define WINDOW_EVENT(name, parameters, id) \
	static OTF2_CallbackCode name parameters \
	{ \
		(void)location, (void)position; \
		return queue_window(user, time, attributes, win, id); \
	}
#define UNUSED __attribute__((unused))
WINDOW_EVENT(on_window, (AT, OTF2_RmaWinRef win), 0)
WINDOW_EVENT(on_window_collective,
	     (AT, UNUSED OTF2_CollectiveOp op, UNUSED OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, UNUSED uint32_t root,
	      UNUSED uint64_t sent, UNUSED uint64_t received),
	     0)
WINDOW_EVENT(on_window_sync, (AT, OTF2_RmaWinRef win, UNUSED uint32_t remote, UNUSED OTF2_RmaSyncType type), 0)
WINDOW_EVENT(on_window_lock,
	     (AT, OTF2_RmaWinRef win, UNUSED uint32_t remote, UNUSED uint64_t lock, UNUSED OTF2_LockType type), 0)
WINDOW_EVENT(on_window_unlock, (AT, OTF2_RmaWinRef win, UNUSED uint32_t remote, UNUSED uint64_t lock), 0)
WINDOW_EVENT(on_access, (AT, OTF2_RmaWinRef win, UNUSED uint32_t remote, UNUSED uint64_t bytes, uint64_t id), id)
WINDOW_EVENT(on_atomic,
	     (AT, OTF2_RmaWinRef win, UNUSED uint32_t remote, UNUSED OTF2_RmaAtomicType type, UNUSED uint64_t sent,
	      UNUSED uint64_t received, uint64_t id),
	     id)
#undef WINDOW_EVENT

/* The operation before this event has a request. */
static OTF2_CallbackCode on_access_begun(AT, OTF2_RmaWinRef win, uint64_t id)
{
	struct archive_rank *r = user;
	struct archive_event *q = r->queue.count > r->first ? &r->queue.at[r->queue.count - 1] : NULL;

	(void)location, (void)position, (void)attributes, (void)win;
	if (!set_time(r, time))
		return OTF2_CALLBACK_ERROR;
	return q && q->kind == ARCHIVE_WINDOW && q->sent == id && !q->begins ? begin_request(r, id)
									     : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_access_done(AT, OTF2_RmaWinRef win, uint64_t id)
{
	struct archive_rank *r = user;
	struct archive_event *begin;

	(void)location, (void)position, (void)attributes, (void)win;
	for (size_t i = 0; i < r->requests.count; i++)
		if (r->requests.at[i].used && r->requests.at[i].id == id)
			return queue_wait(r, time, end_request(r, id, &begin));
	return set_time(r, time) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}
#undef AT

/* Tests take time; so do the begin and the end of a program. */
static OTF2_CallbackCode on_test(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
				 OTF2_AttributeList *attributes, uint64_t request)
{
	(void)location, (void)position, (void)attributes, (void)request;
	return set_time(user, time) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode on_program_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
					  OTF2_AttributeList *attributes, OTF2_StringRef name, uint32_t count,
					  const OTF2_StringRef *arguments)
{
	(void)location, (void)position, (void)attributes, (void)name, (void)count, (void)arguments;
	return set_time(user, time) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode on_program_end(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
					OTF2_AttributeList *attributes, int64_t status)
{
	(void)location, (void)position, (void)attributes, (void)status;
	return set_time(user, time) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

bool archive_set_callbacks(struct archive *a)
{
	OTF2_EvtReaderCallbacks *c = a->callbacks = OTF2_EvtReaderCallbacks_New();

	if (!c)
		return false;
	OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
	OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_flush);
	OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, on_program_begin);
	OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, on_program_end);
	OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(c, on_test);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_isend_complete);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_recv);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_irecv_request);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_irecv);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_collective_begin);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective_end);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_collective_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_collective_complete);
	OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(c, on_window);
	OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(c, on_window);
	OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_window_collective);
	OTF2_EvtReaderCallbacks_SetRmaSyncCallback(c, on_window_sync);
	OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(c, on_window_lock);
	OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(c, on_window_unlock);
	OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, on_access);
	OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, on_access);
	OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, on_atomic);
	OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(c, on_access_begun);
	OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(c, on_access_done);
	return true;
}

/* ---- reading ---- */

/* Forgets the events in front of `first`. */
static void drop_taken(struct archive_rank *r)
{
	if (!r->first || r->first < r->queue.count / 2)
		return;
	memmove(r->queue.at, r->queue.at + r->first, (r->queue.count - r->first) * sizeof(*r->queue.at));
	r->queue.count -= r->first;
	r->dropped += r->first;
	r->first = 0;
}

int archive_read(struct archive_rank *r, struct err *e)
{
	struct archive *a = r->archive;
	struct archive_event *q;
	uint64_t count = 0;

	drop_taken(r);
	if (OTF2_Reader_ReadLocalEvents(a->reader, r->reader, EVENTS_AT_ONCE, &count) != OTF2_SUCCESS ||
	    *a->failure.text) {
		char what[80];

		snprintf(what, sizeof(what), "rank %u, behind event %u: damaged, expected events", r->rank, r->count);
		return archive_failed(a, what, e);
	}
	r->read += count;
	if (count == EVENTS_AT_ONCE)
		return 0;
	if (r->read < r->expected)
		return err_set(e, STATUS_BAD_INPUT, "%s: rank %u ends behind event %llu, expected %llu", a->path,
			       r->rank, (unsigned long long)r->read, (unsigned long long)r->expected);
	r->ended = true;
	for (size_t i = r->first; i < r->queue.count; i++)
		if (r->queue.at[i].open) {
			r->queue.at[i].kind = ARCHIVE_DROPPED; /* it never ended */
			r->queue.at[i].open = false;
		}
	if (in_call(r))
		return 0;
	q = queue_event(r, r->now, ARCHIVE_END);
	if (!q)
		return archive_failed(a, "", e);
	return 0;
}
