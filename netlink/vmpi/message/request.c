/* Requests: completion, waiting and testing. */
#include <assert.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../host/hosts.h"
#include "message.h"

static void drop_data(struct request *q)
{
	if (q->data == DATA_OWN)
		free(q->payload.own);
	q->data = DATA_NONE;
}

void request_free_arguments(struct request *q)
{
	if (q->kind < REQUEST_COLLECTIVE)
		return;
	if (q->kind == REQUEST_COLLECTIVE && q->persistent)
		free(((struct persistent *)q->buf)->kept);
	free(q->buf);
	q->buf = NULL;
}

static void release(struct vmpi *v, uint32_t i, struct request *q)
{
	drop_data(q);
	if (q->kind >= REQUEST_COLLECTIVE)
		request_free_arguments(q);
	type_drop(q->type);
	q->state = REQUEST_FREE;
	pool_give(&v->msg.requests, i);
}

/*
 * One half of an Isendrecv is complete. The program knows its receive: returns that when the other half is complete,
 * too, else 0. *time is the later of the two times.
 */
static uint32_t pair_complete(struct vmpi *v, uint32_t request, int64_t *time)
{
	struct request *q = request_at(v, request), *receive;
	uint32_t partner = q->partner;

	if (q->kind == REQUEST_RECV) {
		q->partner = 0;
		q->done = *time;
		return 0;
	}
	receive = request_at(v, partner);
	release(v, request, q);
	if (receive->partner) {
		receive->partner = 0;
		return 0;
	}
	if (receive->done > *time)
		*time = receive->done;
	return partner;
}

/* Completes a request that is one of a pair, or that nobody waits for in the usual way. */
__attribute__((noinline)) static void complete_special(struct vmpi *v, uint32_t request, int64_t time,
						       const struct vmpi_cause *c)
{
	struct request *q = request_at(v, request);

	if (q->partner) {
		request = pair_complete(v, request, &time);
		if (!request)
			return;
		q = request_at(v, request);
	}
	assert(q->state == REQUEST_PENDING);
	if (q->waited_for)
		rank_changes(v, q->rank);
	q->state = REQUEST_COMPLETE;
	q->done = time;
	if (q->freed) {
		/* the request is freed, but the buffer gets the data only in the rank's own context */
		release(v, request, q);
	} else if (q->waited_for) {
		q->waited_for = false;
		if (q->reported)
			v->trace.completed(v, request, time, c);
		else
			rank_wake(v, rank_by_index(v, q->waiter), time, c);
	}
}

void request_completed(struct vmpi *v, uint32_t request, struct request *q, int64_t time, const struct vmpi_cause *c)
{
	if (__builtin_expect(q->partner || q->freed || q->reported, 0)) {
		complete_special(v, request, time, c);
		return;
	}
	if (q->waited_for)
		rank_changes(v, q->rank);
	q->state = REQUEST_COMPLETE;
	q->done = time;
	if (q->waited_for) {
		q->waited_for = false;
		rank_wake(v, rank_by_index(v, q->waiter), time, c);
	}
}

static const VMPI_Status empty_status = {VMPI_ANY_SOURCE, VMPI_ANY_TAG, VMPI_SUCCESS, 0, 0};

/* Sets a status but its error, which only calls that complete several requests set (MPI 3.1, 3.2.5). */
static void set_fields(VMPI_Status *status, const VMPI_Status *fields)
{
	int error = status->VMPI_ERROR;

	*status = *fields;
	status->VMPI_ERROR = error;
}

static void set_status(VMPI_Status *status, const struct request *q)
{
	VMPI_Status fields = empty_status;

	if (!status)
		return;
	if (q->kind < REQUEST_COLLECTIVE)
		fields = (VMPI_Status){q->source, q->got_tag, VMPI_SUCCESS, q->cancelled, 0};
	fields.bytes_ = (long long)q->bytes;
	set_fields(status, &fields);
}

/* ---- handles ---- */

/* Finds the running rank's request by handle; NULL for null and invalid handles. */
static inline struct request *find(struct vmpi *v, VMPI_Request handle)
{
	struct request *q;

	if ((uint32_t)handle - 1 >= v->msg.requests.made - 1)
		return NULL;
	q = request_at(v, (uint32_t)handle);
	return q->state != REQUEST_FREE && q->owner == rank_owner(v, v->current) ? q : NULL;
}

/* Null and inactive requests need no waiting. */
static bool active(struct vmpi *v, VMPI_Request handle)
{
	const struct request *q = find(v, handle);

	return q && q->state != REQUEST_INACTIVE;
}

static bool complete(struct vmpi *v, VMPI_Request handle)
{
	const struct request *q = find(v, handle);

	return q && q->state == REQUEST_COMPLETE && q->done <= v->current->now;
}

static int check_request(struct vmpi *v, int count, const VMPI_Request *requests)
{
	if (count < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COUNT, "count %d: expected 0 or more", count);
	for (int i = 0; i < count; i++)
		if (requests[i] != VMPI_REQUEST_NULL && !find(v, requests[i]))
			return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_REQUEST, "unknown or freed request %d",
					  requests[i]);
	return VMPI_SUCCESS;
}

/* Reports to the observer that the rank has finished with a request. */
static void report_step(const struct vmpi *v, const struct request *q)
{
	const struct vmpi_observer *o = v->setup.observer;
	const struct comm *c = comm_find(&v->comms, q->comm);
	struct vmpi_step step = {.kind = VMPI_STEP_SENT, .rank = q->rank, .time = v->current->now};

	if (q->cancelled || q->peer == VMPI_PROC_NULL || q->kind >= REQUEST_COLLECTIVE)
		return;
	if (q->kind == REQUEST_RECV) {
		if (!c || q->source < 0)
			return;
		step.kind = VMPI_STEP_RECEIVED;
		step.peer = c->self ? q->rank : group_world(comm_peers(c), (uint32_t)q->source);
	}
	o->step(o->user, &step);
}

/* Copies a complete receive's data into its buffer. */
static void deliver(const struct vmpi *v, struct request *q)
{
	if (!q->data)
		return;
	if (p2p_has_buffer(v, q->buf, q->type))
		type_unpack(q->type, q->count, q->buf, q->data == DATA_OWN ? q->payload.own : q->payload.inside,
			    q->bytes);
	drop_data(q);
}

/* The program's functions fill the status, and free what they need. */
static void finish_general(const struct request *q, VMPI_Status *status)
{
	const struct general_request *g = q->buf;
	VMPI_Status own = empty_status;

	if (!g)
		return;
	if (g->query)
		g->query(g->extra, status ? status : &own);
	if (g->free)
		g->free(g->extra);
}

uint32_t request_general(struct vmpi *v, struct general_request *g)
{
	const struct rank *r = v->current;
	uint32_t i = pool_take(&v->msg.requests, &v->err);

	if (!i) {
		free(g);
		rank_stop(v);
	}
	*request_at(v, i) = (struct request){
		.state = REQUEST_PENDING,
		.kind = REQUEST_GENERAL,
		.rank = r->world,
		.owner = rank_owner(v, r),
		.comm = VMPI_COMM_WORLD,
		.type = type_hold(type_find(&v->types, VMPI_BYTE)),
		.buf = g,
		.posted = r->now,
		.where = r->where,
	};
	return i;
}

/* Answers whether received messages take time of processors. */
static inline bool takes_time(const struct vmpi *v)
{
	return __builtin_expect(v->protocol != NULL || v->search != 0, 0);
}

/* The processor's time for a received message that it has not taken; 0 for other requests. */
static int64_t taking_ps(const struct vmpi *v, const struct request *q)
{
	if (q->taken || q->kind != REQUEST_RECV || q->source < 0 || q->cancelled)
		return 0;
	return hosts_receive_ps(v, q->within, q->bytes) + v->search * q->passed / 2;
}

int request_finish(struct vmpi *v, VMPI_Request *handle, VMPI_Status *status)
{
	struct request *q = find(v, *handle);
	struct rank *r = v->current;
	struct vmpi_cause c;

	if (!q || q->state == REQUEST_INACTIVE) {
		if (status)
			set_fields(status, &empty_status);
		return VMPI_SUCCESS;
	}
	if (r->now < q->done) {
		int64_t from = r->now;

		rank_count_wait(v, r, q->done - from);
		r->now = q->done;
		c = (struct vmpi_cause){CAUSE_SENDING, q->rank, q->posted, q->bytes};
		if (q->kind == REQUEST_COLLECTIVE)
			origin_cause(v, &v->msg.of_request, (uint32_t)*handle, v->size, &c);
		rank_waited(v, r, from, &c);
	}
	if (takes_time(v))
		rank_busy(v, r, taking_ps(v, q));
	deliver(v, q);
	if (v->setup.observer && v->setup.observer->step)
		report_step(v, q);
	if (v->trace.received && q->kind == REQUEST_RECV)
		v->trace.received(v, (uint32_t)*handle, q);
	set_status(status, q);
	if (q->kind == REQUEST_GENERAL)
		finish_general(q, status);
	if (q->persistent) {
		q->state = REQUEST_INACTIVE;
	} else {
		release(v, (uint32_t)*handle, q);
		*handle = VMPI_REQUEST_NULL;
	}
	return VMPI_SUCCESS;
}

/* ---- waiting ---- */

/* Registers the rank with its pending requests; returns their number. */
static uint32_t watch(struct vmpi *v, const VMPI_Request *requests, int count)
{
	uint32_t n = 0;

	for (int i = 0; i < count; i++) {
		struct request *q = find(v, requests[i]);

		if (!q || q->state != REQUEST_PENDING || q->waited_for)
			continue;
		q->waited_for = true;
		q->waiter = v->current->index;
		n++;
	}
	return n;
}

static void unwatch(struct vmpi *v, const VMPI_Request *requests, int count)
{
	for (int i = 0; i < count; i++) {
		struct request *q = find(v, requests[i]);

		if (q)
			q->waited_for = false;
	}
}

static int by_arrival(const void *a, const void *b)
{
	const struct request *const *x = a, *const *y = b;

	return ((*x)->done > (*y)->done) - ((*x)->done < (*y)->done);
}

/*
 * The processor takes messages while the rank waits for others: in the order in which they are complete, from `begin`
 * on. All of `requests` are complete.
 */
static void take_while_waiting(struct vmpi *v, const VMPI_Request *requests, int count, int64_t begin)
{
	struct request **q = mem_alloc((size_t)count, sizeof(struct request *), &v->err);
	int64_t time = begin;
	int n = 0;

	if (!q)
		rank_stop(v);
	for (int i = 0; i < count; i++) {
		struct request *x = find(v, requests[i]);

		if (x && x->state == REQUEST_COMPLETE && taking_ps(v, x))
			q[n++] = x;
	}
	qsort(q, (size_t)n, sizeof(struct request *), by_arrival);
	for (int i = 0; i < n; i++) {
		time = (q[i]->done > time ? q[i]->done : time) + taking_ps(v, q[i]);
		q[i]->taken = true;
	}
	free(q);
	if (time > v->current->now)
		rank_busy(v, v->current, time - v->current->now);
}

void request_wait_all(struct vmpi *v, VMPI_Request *requests, int count)
{
	struct rank *r = v->current;
	struct wait w = {.kind = WAIT_REQUESTS, .requests = requests, .count = count};
	int64_t begin = r->now;

	r->pending = watch(v, requests, count);
	if (r->pending)
		rank_wait(v, r, &w);
	if (takes_time(v) && count > 1)
		take_while_waiting(v, requests, count, begin);
}

void request_wait(struct vmpi *v, uint32_t request)
{
	VMPI_Request handle = (VMPI_Request)request;

	request_wait_all(v, &handle, 1);
	request_finish(v, &handle, NULL);
}

static bool any_active(struct vmpi *v, int count, const VMPI_Request *requests)
{
	for (int i = 0; i < count; i++)
		if (active(v, requests[i]))
			return true;
	return false;
}

/* The first in (completion, index) order among requests complete at the rank's clock; -1: none. */
static int first_complete(struct vmpi *v, int count, const VMPI_Request *requests)
{
	int first = -1;

	for (int i = 0; i < count; i++)
		if (complete(v, requests[i]) &&
		    (first < 0 || find(v, requests[i])->done < find(v, requests[first])->done))
			first = i;
	return first;
}

int request_wait_any(struct vmpi *v, VMPI_Request *requests, int count)
{
	struct rank *r = v->current;
	struct wait w = {.kind = WAIT_ANY_REQUEST, .requests = requests, .count = count};

	if (!any_active(v, count, requests))
		return -1;
	rank_catch_up(v, r);
	if (first_complete(v, count, requests) < 0) {
		watch(v, requests, count);
		r->pending = 1;
		rank_wait(v, r, &w);
		unwatch(v, requests, count);
	}
	return first_complete(v, count, requests);
}

int vmpi_Wait(struct vmpi *v, VMPI_Request *request, VMPI_Status *status)
{
	int ret;

	rank_enter(v, CALL_Wait);
	ret = check_request(v, 1, request);
	if (ret)
		return ret;
	request_wait_all(v, request, 1);
	return request_finish(v, request, status);
}

static void finish_all(struct vmpi *v, int count, VMPI_Request *requests, VMPI_Status *statuses)
{
	for (int i = 0; i < count; i++) {
		if (statuses)
			statuses[i].VMPI_ERROR = VMPI_SUCCESS;
		request_finish(v, &requests[i], statuses ? &statuses[i] : NULL);
	}
}

int vmpi_Waitall(struct vmpi *v, int count, VMPI_Request *requests, VMPI_Status *statuses)
{
	int ret;

	rank_enter(v, CALL_Waitall);
	ret = check_request(v, count, requests);
	if (ret)
		return ret;
	request_wait_all(v, requests, count);
	finish_all(v, count, requests, statuses);
	return VMPI_SUCCESS;
}

static void none_active(int *index, VMPI_Status *status)
{
	*index = VMPI_UNDEFINED;
	if (status)
		*status = empty_status;
}

int vmpi_Waitany(struct vmpi *v, int count, VMPI_Request *requests, int *index, VMPI_Status *status)
{
	int ret;

	rank_enter(v, CALL_Waitany);
	ret = check_request(v, count, requests);
	if (ret)
		return ret;
	*index = request_wait_any(v, requests, count);
	if (*index < 0) {
		none_active(index, status);
		return VMPI_SUCCESS;
	}
	return request_finish(v, &requests[*index], status);
}

/* Finishes all requests that are complete at the rank's clock. */
static int finish_some(struct vmpi *v, int count, VMPI_Request *requests, int *indices, VMPI_Status *statuses)
{
	int n = 0;

	for (int i = 0; i < count; i++)
		if (complete(v, requests[i])) {
			if (statuses)
				statuses[n].VMPI_ERROR = VMPI_SUCCESS;
			request_finish(v, &requests[i], statuses ? &statuses[n] : NULL);
			indices[n++] = i;
		}
	return n;
}

int vmpi_Waitsome(struct vmpi *v, int incount, VMPI_Request *requests, int *outcount, int *indices,
		  VMPI_Status *statuses)
{
	int ret;

	rank_enter(v, CALL_Waitsome);
	ret = check_request(v, incount, requests);
	if (ret)
		return ret;
	*outcount = request_wait_any(v, requests, incount) < 0 ? VMPI_UNDEFINED
							       : finish_some(v, incount, requests, indices, statuses);
	return VMPI_SUCCESS;
}

/* ---- testing ---- */

static void before_test(struct vmpi *v, enum call_id call)
{
	rank_poll(v, rank_enter(v, call));
}

static int test_all(struct vmpi *v, enum call_id call, int count, VMPI_Request *requests, int *flag,
		    VMPI_Status *statuses)
{
	int ret;

	before_test(v, call);
	ret = check_request(v, count, requests);
	if (ret)
		return ret;
	*flag = 1;
	for (int i = 0; i < count; i++)
		if (active(v, requests[i]) && !complete(v, requests[i]))
			*flag = 0;
	if (*flag)
		finish_all(v, count, requests, statuses);
	return VMPI_SUCCESS;
}

int vmpi_Test(struct vmpi *v, VMPI_Request *request, int *flag, VMPI_Status *status)
{
	int error = status ? status->VMPI_ERROR : 0, ret = test_all(v, CALL_Test, 1, request, flag, status);

	if (status)
		status->VMPI_ERROR = error;
	return ret;
}

int vmpi_Testall(struct vmpi *v, int count, VMPI_Request *requests, int *flag, VMPI_Status *statuses)
{
	return test_all(v, CALL_Testall, count, requests, flag, statuses);
}

int vmpi_Testany(struct vmpi *v, int count, VMPI_Request *requests, int *index, int *flag, VMPI_Status *status)
{
	int ret;

	before_test(v, CALL_Testany);
	ret = check_request(v, count, requests);
	if (ret)
		return ret;
	*index = first_complete(v, count, requests);
	*flag = *index >= 0 || !any_active(v, count, requests);
	if (*index >= 0)
		return request_finish(v, &requests[*index], status);
	none_active(index, *flag ? status : NULL);
	return VMPI_SUCCESS;
}

int vmpi_Testsome(struct vmpi *v, int incount, VMPI_Request *requests, int *outcount, int *indices,
		  VMPI_Status *statuses)
{
	int ret;

	before_test(v, CALL_Testsome);
	ret = check_request(v, incount, requests);
	if (ret)
		return ret;
	*outcount = any_active(v, incount, requests) ? finish_some(v, incount, requests, indices, statuses)
						     : VMPI_UNDEFINED;
	return VMPI_SUCCESS;
}

int vmpi_Request_get_status(struct vmpi *v, VMPI_Request request, int *flag, VMPI_Status *status)
{
	int ret;

	before_test(v, CALL_Request_get_status);
	ret = check_request(v, 1, &request);
	if (ret)
		return ret;
	*flag = !active(v, request) || complete(v, request);
	if (*flag && active(v, request)) {
		deliver(v, find(v, request));
		set_status(status, find(v, request));
	} else if (*flag && status) {
		*status = empty_status;
	}
	return VMPI_SUCCESS;
}

/* ---- cancelling, freeing, starting ---- */

int vmpi_Request_free(struct vmpi *v, VMPI_Request *request)
{
	struct request *q;
	int ret;

	rank_enter(v, CALL_Request_free);
	ret = check_request(v, 1, request);
	if (ret)
		return ret;
	q = find(v, *request);
	if (q && q->state == REQUEST_PENDING)
		q->freed = true;
	else if (q)
		release(v, (uint32_t)*request, q);
	*request = VMPI_REQUEST_NULL;
	return VMPI_SUCCESS;
}

int vmpi_Cancel(struct vmpi *v, VMPI_Request *request)
{
	struct request *q;
	int ret;

	before_test(v, CALL_Cancel);
	ret = check_request(v, 1, request);
	if (ret)
		return ret;
	q = find(v, *request);
	if (q && q->kind == REQUEST_GENERAL && q->buf && ((struct general_request *)q->buf)->cancel)
		((struct general_request *)q->buf)
			->cancel(((struct general_request *)q->buf)->extra, q->state == REQUEST_COMPLETE);
	if (q && q->kind == REQUEST_SEND && q->state >= REQUEST_PENDING) {
		if (p2p_cancel_send(v, (uint32_t)*request) && q->state == REQUEST_PENDING)
			request_complete(v, (uint32_t)*request, v->current->now, NULL);
		return VMPI_SUCCESS;
	}
	if (!q || q->state != REQUEST_PENDING || q->kind != REQUEST_RECV || q->partner ||
	    !match_unpost(v, (uint32_t)*request))
		return VMPI_SUCCESS; /* it completes as if it had not been cancelled */
	q->cancelled = true;
	request_complete(v, (uint32_t)*request, v->current->now, NULL);
	return VMPI_SUCCESS;
}

int vmpi_Test_cancelled(struct vmpi *v, const VMPI_Status *status, int *flag)
{
	rank_enter(v, CALL_Test_cancelled);
	*flag = status->cancelled_;
	return VMPI_SUCCESS;
}

void *persistent_make(struct vmpi *v, enum call_id call, VMPI_Comm comm, size_t bytes,
		      int (*start)(struct vmpi *v, const struct persistent *p, VMPI_Request *request),
		      VMPI_Request *request)
{
	struct persistent *p;

	rank_enter(v, call);
	if (!comm_find(&v->comms, comm)) {
		rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
		return NULL;
	}
	p = mem_alloc(1, bytes, &v->err);
	if (!p)
		rank_stop(v);
	p->start = start;
	*request = (VMPI_Request)request_general(v, (struct general_request *)(void *)p);
	request_at(v, (uint32_t)*request)->kind = REQUEST_COLLECTIVE;
	request_at(v, (uint32_t)*request)->comm = comm;
	request_at(v, (uint32_t)*request)->persistent = true;
	request_at(v, (uint32_t)*request)->state = REQUEST_INACTIVE;
	return p;
}

/* Begins the operation; it completes this request in place of one of its own. */
static int persistent_start(struct vmpi *v, uint32_t request)
{
	const struct persistent *p = request_at(v, request)->buf;
	VMPI_Request own;
	int ret;

	v->msg.starting = request;
	ret = p->start(v, p, &own);
	v->msg.starting = 0;
	return ret;
}

static int start_all(struct vmpi *v, enum call_id call, int count, VMPI_Request *requests)
{
	int ret;

	rank_enter(v, call);
	ret = check_request(v, count, requests);
	if (ret)
		return ret;
	for (int i = 0; i < count; i++) {
		const struct request *q = find(v, requests[i]);

		if (!q || !q->persistent || q->state != REQUEST_INACTIVE)
			return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_REQUEST,
					  "request %d: expected an inactive persistent request", requests[i]);
		if (q->kind != REQUEST_COLLECTIVE)
			p2p_start(v, (uint32_t)requests[i]);
		else if ((ret = persistent_start(v, (uint32_t)requests[i])))
			return ret;
	}
	return VMPI_SUCCESS;
}

int vmpi_Start(struct vmpi *v, VMPI_Request *request)
{
	return start_all(v, CALL_Start, 1, request);
}

int vmpi_Startall(struct vmpi *v, int count, VMPI_Request *requests)
{
	return start_all(v, CALL_Startall, count, requests);
}
