/* Calls: messages from rank to rank. */
#include <limits.h>
#include <stdlib.h>

#include "object_calls.h"
#include "../api/call_arguments.h"

#define P2P(buf_, peer_, tag_, mode_) \
	{ \
		.buf = (void *)(uintptr_t)(buf_), .count = count, .datatype = datatype, .peer = (peer_), \
		.tag = (tag_), .comm = comm, .mode = (mode_) \
	}

/* ---- sends: four modes; blocking, nonblocking, persistent ---- */

static int send_blocking(struct vmpi *v, enum call_id call, const struct p2p *p)
{
	int ret;

	rank_enter(v, call);
	ret = p2p_check(v, p, false);
	if (ret == VMPI_SUCCESS)
		p2p_send_wait(v, p);
	return ret;
}

static int send_begin(struct vmpi *v, enum call_id call, const struct p2p *p, VMPI_Request *request)
{
	int ret;

	rank_enter(v, call);
	ret = p2p_check(v, p, false);
	if (ret == VMPI_SUCCESS)
		*request = (VMPI_Request)p2p_send(v, p);
	return ret;
}

static int p2p_call_prepare(struct vmpi *v, enum call_id call, const struct p2p *p, enum request_kind kind,
			    VMPI_Request *request)
{
	uint32_t i;
	int ret;

	rank_enter(v, call);
	ret = p2p_check(v, p, kind == REQUEST_RECV);
	if (ret)
		return ret;
	i = p2p_prepare(v, p, kind);
	request_at(v, i)->persistent = true;
	*request = (VMPI_Request)i;
	return VMPI_SUCCESS;
}

#define SEND(name, begin, init, mode, event, MODE) \
	int vmpi_##name(struct vmpi *v PARAMETERS(SEND_ARGUMENTS)) \
	{ \
		struct p2p p = P2P(buf, dest, tag, SEND_##MODE); \
\
		return send_blocking(v, CALL_##name, &p); \
	} \
	int vmpi_##begin(struct vmpi *v PARAMETERS(SEND_ARGUMENTS), VMPI_Request *request) \
	{ \
		struct p2p p = P2P(buf, dest, tag, SEND_##MODE); \
\
		return send_begin(v, CALL_##begin, &p, request); \
	} \
	int vmpi_##init(struct vmpi *v PARAMETERS(SEND_ARGUMENTS), VMPI_Request *request) \
	{ \
		struct p2p p = P2P(buf, dest, tag, SEND_##MODE); \
\
		return p2p_call_prepare(v, CALL_##init, &p, REQUEST_SEND, request); \
	}
#include "../api/send_calls.def"

/* ---- receives ---- */

int vmpi_Irecv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int source, int tag, VMPI_Comm comm,
	       VMPI_Request *request)
{
	struct p2p p = P2P(buf, source, tag, SEND_STANDARD);
	int ret;

	rank_enter(v, CALL_Irecv);
	ret = p2p_check(v, &p, true);
	if (ret == VMPI_SUCCESS)
		*request = (VMPI_Request)p2p_recv(v, &p);
	return ret;
}

int vmpi_Recv(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int source, int tag, VMPI_Comm comm,
	      VMPI_Status *status)
{
	struct p2p p = P2P(buf, source, tag, SEND_STANDARD);
	VMPI_Request request;
	int ret;

	rank_enter(v, CALL_Recv);
	ret = p2p_check(v, &p, true);
	if (ret)
		return ret;
	request = (VMPI_Request)p2p_recv(v, &p);
	request_wait_all(v, &request, 1);
	return request_finish(v, &request, status);
}

int vmpi_Recv_init(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int source, int tag, VMPI_Comm comm,
		   VMPI_Request *request)
{
	struct p2p p = P2P(buf, source, tag, SEND_STANDARD);

	return p2p_call_prepare(v, CALL_Recv_init, &p, REQUEST_RECV, request);
}

/* ---- combined sends and receives ---- */

static int p2p_call_exchange(struct vmpi *v, const struct p2p *send, const struct p2p *recv, VMPI_Status *status)
{
	VMPI_Request both[2];
	int ret = p2p_check(v, send, false);

	if (ret == VMPI_SUCCESS)
		ret = p2p_check(v, recv, true);
	if (ret)
		return ret;
	both[0] = (VMPI_Request)p2p_recv(v, recv);
	both[1] = (VMPI_Request)p2p_send(v, send);
	request_wait_all(v, both, 2);
	request_finish(v, &both[1], NULL);
	return request_finish(v, &both[0], status);
}

static int p2p_call_exchange_begin(struct vmpi *v, const struct p2p *send, const struct p2p *recv,
				   VMPI_Request *request)
{
	uint32_t s, r;
	int ret = p2p_check(v, send, false);

	if (ret == VMPI_SUCCESS)
		ret = p2p_check(v, recv, true);
	if (ret)
		return ret;
	r = p2p_prepare(v, recv, REQUEST_RECV);
	s = p2p_prepare(v, send, REQUEST_SEND);
	request_at(v, r)->partner = s;
	request_at(v, s)->partner = r;
	*request = (VMPI_Request)r;
	p2p_start(v, r);
	p2p_start(v, s);
	return VMPI_SUCCESS;
}

/* The blocking call, and the one with a request. */
#define SENDRECV(name, result, last, run) \
	int vmpi_##name(struct vmpi *v, const void *sendbuf, int sendcount, VMPI_Datatype sendtype, int dest, \
			int sendtag, void *recvbuf, int recvcount, VMPI_Datatype recvtype, int source, int recvtag, \
			VMPI_Comm comm, result *last) \
	{ \
		struct p2p send = {.buf = (void *)(uintptr_t)sendbuf, \
				   .count = sendcount, \
				   .datatype = sendtype, \
				   .peer = dest, \
				   .tag = sendtag, \
				   .comm = comm}; \
		struct p2p recv = {.buf = recvbuf, \
				   .count = recvcount, \
				   .datatype = recvtype, \
				   .peer = source, \
				   .tag = recvtag, \
				   .comm = comm}; \
\
		rank_enter(v, CALL_##name); \
		return run(v, &send, &recv, last); \
	} \
	int vmpi_##name##_replace(struct vmpi *v, void *buf, int count, VMPI_Datatype datatype, int dest, int sendtag, \
				  int source, int recvtag, VMPI_Comm comm, result *last) \
	{ \
		struct p2p send = P2P(buf, dest, sendtag, SEND_STANDARD); \
		struct p2p recv = P2P(buf, source, recvtag, SEND_STANDARD); \
\
		send.copied = true; \
		rank_enter(v, CALL_##name##_replace); \
		return run(v, &send, &recv, last); \
	}
SENDRECV(Sendrecv, VMPI_Status, status, p2p_call_exchange)
SENDRECV(Isendrecv, VMPI_Request, request, p2p_call_exchange_begin)
#undef SENDRECV

/* ---- probes ---- */

static uint32_t p2p_call_look(struct vmpi *v, int source, int tag, VMPI_Comm comm, VMPI_Status *status)
{
	const struct comm *c = comm_find(&v->comms, comm);
	uint32_t i = match_look(v, v->current->world, c->ctx, c->self ? 0 : source, tag);
	const struct message *m;

	if (!i)
		return 0;
	m = message_at(v, i);
	if (status)
		*status = (VMPI_Status){(int)m->source, m->tag, status->VMPI_ERROR, 0, (long long)m->bytes};
	return i;
}

static bool probe_nobody(int source, VMPI_Status *status)
{
	if (source == VMPI_PROC_NULL && status)
		*status = (VMPI_Status){VMPI_PROC_NULL, VMPI_ANY_TAG, status->VMPI_ERROR, 0, 0};
	return source == VMPI_PROC_NULL;
}

int probe_begin(struct vmpi *v, enum call_id call, int source, int tag, VMPI_Comm comm)
{
	struct p2p p = {.datatype = VMPI_BYTE, .peer = source, .tag = tag, .comm = comm};
	struct rank *r = rank_enter(v, call);
	int ret = p2p_check(v, &p, true);

	if (ret)
		return ret;
	rank_poll(v, r);
	return VMPI_SUCCESS;
}

int vmpi_Iprobe(struct vmpi *v, int source, int tag, VMPI_Comm comm, int *flag, VMPI_Status *status)
{
	int ret = probe_begin(v, CALL_Iprobe, source, tag, comm);

	if (ret == VMPI_SUCCESS)
		*flag = probe_nobody(source, status) || p2p_call_look(v, source, tag, comm, status) != 0;
	return ret;
}

int vmpi_Probe(struct vmpi *v, int source, int tag, VMPI_Comm comm, VMPI_Status *status)
{
	struct wait w = {.kind = WAIT_PROBE, .source = source, .tag = tag, .comm = comm};
	int ret = probe_begin(v, CALL_Probe, source, tag, comm);

	if (ret || probe_nobody(source, status))
		return ret;
	w.ctx = comm_find(&v->comms, comm)->ctx;
	while (!p2p_call_look(v, source, tag, comm, status)) {
		v->current->pending = 1;
		rank_wait(v, v->current, &w);
	}
	return VMPI_SUCCESS;
}

/* ---- statuses and buffers ---- */

int vmpi_Get_count(struct vmpi *v, const VMPI_Status *status, VMPI_Datatype datatype, int *count)
{
	const struct type *t = type_find(&v->types, datatype);
	long long n;

	rank_enter(v, CALL_Get_count);
	if (!t)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	n = t->size ? status->bytes_ / t->size : 0;
	*count = (t->size && status->bytes_ % t->size) || n > INT_MAX ? VMPI_UNDEFINED : (int)n;
	return VMPI_SUCCESS;
}

int vmpi_Get_elements(struct vmpi *v, const VMPI_Status *status, VMPI_Datatype datatype, int *count)
{
	const struct type *t = type_find(&v->types, datatype);
	int64_t n;

	rank_enter(v, CALL_Get_elements);
	if (!t)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	n = type_elements(t, (int64_t)status->bytes_);
	*count = n < 0 || n > INT_MAX ? VMPI_UNDEFINED : (int)n;
	return VMPI_SUCCESS;
}

int vmpi_Buffer_attach(struct vmpi *v, void *buffer, int size)
{
	struct rank *r = rank_process(v);

	rank_enter(v, CALL_Buffer_attach);
	r->attached = buffer;
	r->attached_size = size;
	return VMPI_SUCCESS;
}

int vmpi_Buffer_detach(struct vmpi *v, void *buffer_addr, int *size)
{
	struct rank *r = rank_process(v);

	rank_enter(v, CALL_Buffer_detach);
	*(void **)buffer_addr = r->attached;
	*size = r->attached_size;
	r->attached = NULL;
	r->attached_size = 0;
	return VMPI_SUCCESS;
}
