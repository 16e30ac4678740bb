/* Calls: matched probes, requests that the program completes, and statuses that it fills. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "object_calls.h"

static bool match_nobody(int source, VMPI_Message *message, VMPI_Status *status)
{
	if (source != VMPI_PROC_NULL)
		return false;
	*message = VMPI_MESSAGE_NO_PROC;
	if (status)
		*status = (VMPI_Status){VMPI_PROC_NULL, VMPI_ANY_TAG, status->VMPI_ERROR, 0, 0};
	return true;
}

/* Takes a message that fits out of matching. */
static bool extract(struct vmpi *v, int source, int tag, VMPI_Comm comm, VMPI_Message *message, VMPI_Status *status)
{
	const struct comm *c = comm_find(&v->comms, comm);
	uint32_t i = match_look(v, v->current->world, c->ctx, c->self ? 0 : source, tag);
	const struct message *m;

	if (!i)
		return false;
	m = message_at(v, i);
	if (status)
		*status = (VMPI_Status){(int)m->source, m->tag, status->VMPI_ERROR, 0, (long long)m->bytes};
	match_extract(v, i);
	*message = (VMPI_Message)i;
	return true;
}

int vmpi_Improbe(struct vmpi *v, int source, int tag, VMPI_Comm comm, int *flag, VMPI_Message *message,
		 VMPI_Status *status)
{
	int ret = probe_begin(v, CALL_Improbe, source, tag, comm);

	if (ret == VMPI_SUCCESS)
		*flag = match_nobody(source, message, status) || extract(v, source, tag, comm, message, status);
	return ret;
}

int vmpi_Mprobe(struct vmpi *v, int source, int tag, VMPI_Comm comm, VMPI_Message *message, VMPI_Status *status)
{
	struct wait w = {.kind = WAIT_PROBE, .source = source, .tag = tag, .comm = comm};
	int ret = probe_begin(v, CALL_Mprobe, source, tag, comm);

	if (ret || match_nobody(source, message, status))
		return ret;
	w.ctx = comm_find(&v->comms, comm)->ctx;
	while (!extract(v, source, tag, comm, message, status)) {
		v->current->pending = 1;
		rank_wait(v, v->current, &w);
	}
	return VMPI_SUCCESS;
}

/* Begins to receive the message of a matched probe. */
static int begin_matched(struct vmpi *v, enum call_id call, void *buf, int count, VMPI_Datatype datatype,
			 VMPI_Message *message, VMPI_Request *request)
{
	uint32_t i = (uint32_t)*message, q;
	bool nobody = *message == VMPI_MESSAGE_NO_PROC;
	const struct message *m = nobody || !i || i >= v->msg.messages.made ? NULL : message_at(v, i);
	struct p2p p = {
		.buf = buf, .count = count, .datatype = datatype, .peer = VMPI_PROC_NULL, .comm = VMPI_COMM_WORLD};
	struct rank *r = rank_enter(v, call);
	int ret = p2p_check(v, &p, true);

	if (ret)
		return ret;
	if (!nobody && (!m || m->dst != r->world || m->finished))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_REQUEST, "unknown message %d", *message);
	if (nobody) {
		*request = (VMPI_Request)p2p_recv(v, &p);
	} else {
		q = p2p_prepare(v, &p, REQUEST_RECV);
		rank_busy(v, r, v->overhead);
		request_at(v, q)->state = REQUEST_PENDING;
		request_at(v, q)->posted = r->now;
		request_at(v, q)->matched = true;
		*request = (VMPI_Request)q;
		p2p_matched(v, i, q, r->now > m->arrived ? r->now : m->arrived);
	}
	*message = VMPI_MESSAGE_NULL;
	return VMPI_SUCCESS;
}

int vmpi_Imrecv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, VMPI_Message *message,
		VMPI_Request *request)
{
	return begin_matched(v, CALL_Imrecv, buf, count, datatype, message, request);
}

int vmpi_Mrecv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, VMPI_Message *message, VMPI_Status *status)
{
	VMPI_Request request;
	int ret = begin_matched(v, CALL_Mrecv, buf, count, datatype, message, &request);

	if (ret)
		return ret;
	request_wait_all(v, &request, 1);
	return request_finish(v, &request, status);
}

/* ---- requests that the program completes ---- */

int vmpi_Grequest_start(struct vmpi *v, VMPI_Grequest_query_function *query, VMPI_Grequest_free_function *free_,
			VMPI_Grequest_cancel_function *cancel, void *extra_state, VMPI_Request *request)
{
	struct general_request *g = mem_alloc(1, sizeof(*g), &v->err);

	rank_enter(v, CALL_Grequest_start);
	if (!g)
		rank_stop(v);
	*g = (struct general_request){query, free_, cancel, extra_state};
	*request = (VMPI_Request)request_general(v, g);
	return VMPI_SUCCESS;
}

int vmpi_Grequest_complete(struct vmpi *v, VMPI_Request request)
{
	struct rank *r = rank_enter(v, CALL_Grequest_complete);
	const struct request *q =
		request > 0 && (uint32_t)request < v->msg.requests.made ? request_at(v, (uint32_t)request) : NULL;

	if (!q || q->kind != REQUEST_GENERAL || q->state != REQUEST_PENDING || !q->buf)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_REQUEST, "request %d: expected a generalized one",
				  request);
	request_complete(v, (uint32_t)request, r->now, NULL);
	return VMPI_SUCCESS;
}

int vmpi_Status_set_elements_x(struct vmpi *v, VMPI_Status *status, VMPI_Datatype datatype, VMPI_Count count)
{
	const struct type *t = type_find(&v->types, datatype);

	rank_enter(v, CALL_Status_set_elements_x);
	if (!t)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	status->bytes_ = t->elements ? count / t->elements * t->size : 0;
	return VMPI_SUCCESS;
}

int vmpi_Status_set_elements(struct vmpi *v, VMPI_Status *status, VMPI_Datatype datatype, int count)
{
	return vmpi_Status_set_elements_x(v, status, datatype, count);
}

int vmpi_Status_set_cancelled(struct vmpi *v, VMPI_Status *status, int flag)
{
	rank_enter(v, CALL_Status_set_cancelled);
	status->cancelled_ = flag != 0;
	return VMPI_SUCCESS;
}
