/*
 * Messages from rank to rank, eager and by rendezvous.
 *
 * Eager: data are sent at once; the receive completes when they have arrived and a receive matches. Longer messages
 * and synchronous sends use a handshake: a request to send (PHASE_ASK), an answer when it has matched a receive
 * (PHASE_CLEAR), then the data (PHASE_DATA). The NICs do the handshake: it takes the network's time and no time of a
 * rank.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../host/hosts.h"
#include "../host/loaded.h"
#include "message.h"
#include "mpi_window.h"
#include "run_checks.h"
#include "../vmpi_config.h"

int p2p_check(struct vmpi *v, const struct p2p *p, bool receive)
{
	const struct comm *c = comm_find(&v->comms, p->comm);
	const struct type *t = type_find(&v->types, p->datatype);
	const char *what = receive ? "source" : "destination";
	int ret;

	if ((!v->current->initialized || v->current->finalized) && (ret = rank_check_ready(v)))
		return ret;
	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", p->comm);
	if (p->count < 0)
		return rank_error(v, p->comm, VMPI_ERR_COUNT, "count %d: expected 0 or more", p->count);
	if (!t)
		return rank_error(v, p->comm, VMPI_ERR_TYPE, "unknown datatype %d", p->datatype);
	if (!t->committed)
		return rank_error(v, p->comm, VMPI_ERR_TYPE, "datatype %d is not committed", p->datatype);
	if (p->peer == VMPI_PROC_NULL || (receive && p->peer == VMPI_ANY_SOURCE))
		;
	else if (p->peer < 0 || (uint32_t)p->peer >= comm_peers(c)->size)
		return rank_error(v, p->comm, VMPI_ERR_RANK, "%s %d: expected 0 to %u", what, p->peer,
				  comm_peers(c)->size - 1);
	if (p->tag < 0 && !(receive && p->tag == VMPI_ANY_TAG))
		return rank_error(v, p->comm, VMPI_ERR_TAG, "tag %d: expected 0 to %d", p->tag, VMPI_TAG_UB_VALUE);
	return VMPI_SUCCESS;
}

/* ---- requests ---- */

/* Returns whether a buffer exists whatever rank runs: variables of the program are each rank's own. */
static bool is_everywhere(const struct globals *g, uintptr_t from, uintptr_t to)
{
	uintptr_t start = (uintptr_t)g->start;

	return !g->start || to <= start || from >= start + g->bytes;
}

/*
 * Whether the data of a long message of the program need no copy in between. A wrong address is found here, in the
 * rank's own context: both ends of the buffer are read, and written if they are received.
 */
__attribute__((noinline)) static bool can_be_in_place(const struct vmpi *v, const struct p2p *p, const struct type *t,
						      bool receive)
{
	int64_t over = (p->count - 1) * (t->ub - t->lb);
	volatile char *first, *last;

	if (p->collective || p->copied || !p->buf || over < 0)
		return false;
	first = (char *)p->buf + t->true_lb;
	last = (char *)p->buf + over + t->true_ub - 1;
	if (!p2p_has_buffer(v, p->buf, t) || last < first ||
	    !is_everywhere(&v->loaded->globals, (uintptr_t)first, (uintptr_t)last) ||
	    !is_everywhere(&v->loaded->thread_locals, (uintptr_t)first, (uintptr_t)last))
		return false;
	if (receive) {
		*first = *first;
		*last = *last;
	} else {
		(void)*first;
		(void)*last;
	}
	return true;
}

static void fill_request(struct vmpi *v, struct request *q, const struct p2p *p, enum request_kind kind)
{
	const struct comm *c = comm_find(&v->comms, p->comm);

	*q = (struct request){.state = REQUEST_INACTIVE,
			      .kind = (uint8_t)kind,
			      .mode = (uint8_t)p->mode,
			      .copied = p->copied,
			      .rank = v->current->world,
			      .owner = rank_owner(v, v->current),
			      .peer = p->peer,
			      .tag = p->tag,
			      .ctx = c->ctx + p->collective,
			      .comm = p->comm,
			      .type = type_find(&v->types, p->datatype),
			      .count = p->count,
			      .buf = p->buf,
			      .where = v->current->where,
			      .source = VMPI_PROC_NULL,
			      .got_tag = VMPI_ANY_TAG};
}

/* As p2p_prepare; *ret is the request's row. */
static inline uint32_t prepare_row(struct vmpi *v, const struct p2p *p, enum request_kind kind, struct request **ret)
{
	uint32_t i = pool_get(&v->msg.requests, &v->err);
	struct request *q = *ret = request_at(v, i);

	if (!i)
		rank_stop(v);
	fill_request(v, q, p, kind);
	type_hold(q->type);
	q->in_place = (uint64_t)(p->count * q->type->size) > v->copied_most &&
		      can_be_in_place(v, p, q->type, kind == REQUEST_RECV);
	return i;
}

uint32_t p2p_prepare(struct vmpi *v, const struct p2p *p, enum request_kind kind)
{
	struct request *q;

	return prepare_row(v, p, kind, &q);
}

/* ---- sending ---- */

/* Sends a part of the message to the other side. 0, or -1: the run has failed. */
static int transmit(struct vmpi *v, uint32_t message, struct message *m, int64_t time, enum message_phase phase)
{
	bool back = phase == PHASE_CLEAR, data = phase == PHASE_DATA;
	struct net_message n = {
		.id = message,
		.src = v->ranks[back ? m->dst : m->src].node,
		.dst = v->ranks[back ? m->src : m->dst].node,
		.nic = back ? NET_NIC_ANY : m->nic,
		.bytes = data ? m->bytes : v->cfg->mpi.control_bytes,
		.gap_ps = data ? m->gap : 0,
		.control = !data,
		.from = back ? m->dst : m->src,
		.to = back ? m->src : m->dst,
		.mark = m->mark,
	};

	m->phase = (uint8_t)phase;
	return v->setup.kind->send(v->setup.engine, time, &n, &v->err) < 0 ? run_fail(v) : 0;
}

/*
 * Copies the current data into message `m`, packed; no data if there is no buffer. The message owns its memory
 * before it is filled: a wrong buffer address ends the rank in between.
 */
static int copy_payload(struct vmpi *v, struct message *m, const struct request *q, uint64_t bytes)
{
	char *payload = m->payload.inside;

	if (!bytes || !p2p_has_buffer(v, q->buf, q->type))
		return 0;
	if (bytes > DATA_INSIDE_MOST) {
		payload = malloc(bytes);
		if (!payload) {
			mem_short(&v->err);
			return run_fail(v);
		}
		m->payload.own = payload;
	}
	m->data = bytes > DATA_INSIDE_MOST ? DATA_OWN : DATA_INSIDE;
	type_pack(q->type, q->count, q->buf, payload);
	return 0;
}

/* The world's rank to which `q` sends. */
static inline uint32_t receiver(const struct vmpi *v, const struct request *q)
{
	const struct comm *c = comm_find(&v->comms, q->comm);

	return c->self ? q->rank : group_world(comm_peers(c), (uint32_t)q->peer);
}

static inline enum protocol_sends way_of(const struct vmpi *v, const struct request *q)
{
	uint64_t bytes = (uint64_t)(q->count * q->type->size);

	return hosts_way(v, v->protocol && hosts_within(v, q->rank, receiver(v, q)), bytes);
}

/* Makes a message of `q`, *ret; returns its index. */
static uint32_t make_message(struct vmpi *v, const struct request *q, uint32_t request, struct message **ret)
{
	const struct comm *c = comm_find(&v->comms, q->comm);
	struct rank *r = v->current;
	uint32_t i = pool_get(&v->msg.messages, &v->err);
	uint64_t bytes = (uint64_t)(q->count * q->type->size);
	enum protocol_sends way = way_of(v, q);
	struct message *m = *ret = message_at(v, i);

	if (!i)
		rank_stop(v);
	*m = (struct message){
		.src = q->rank,
		.dst = receiver(v, q),
		.source = !c->self && !c->group->world ? q->rank : comm_local(v, q->comm),
		.ctx = q->ctx,
		.tag = q->tag,
		.nic = r->nic,
		.bytes = bytes,
		.gap = r->gap,
		.began = r->now,
		.send = request,
		.sender = request,
		.eager = q->mode != SEND_SYNCHRONOUS && !protocol_waits(way),
		.fetched = way == PROTOCOL_FETCHED && q->mode != SEND_BUFFERED,
	};
	m->mark = message_origin(v);
	m->lazy = request && q->in_place && !m->eager;
	if (rank_is_away(v, m->dst))
		m->lazy = false;
	if (bytes && !m->lazy)
		copy_payload(v, m, q, bytes);
	origin_note(v, &v->msg.of_message, i);
	if (__builtin_expect(v->checks != NULL, 0))
		check_sent(v, i, q);
	m->serial = ++v->ranks[q->rank].messages;
	v->ranks[q->rank].bytes += bytes;
	v->msg.sent++;
	return i;
}

/* Returns whether the send is complete at once, because its data are copied. */
static inline bool is_copied(const struct vmpi *v, const struct request *q)
{
	enum protocol_sends way;

	if (q->mode == SEND_BUFFERED)
		return true;
	if (q->mode == SEND_SYNCHRONOUS)
		return false;
	way = way_of(v, q);
	return way == PROTOCOL_BUFFERED || (way == PROTOCOL_EAGER && v->cfg->mpi.send_start == SEND_START_RECEIVED);
}

/* Announces to the receiver a message whose data wait for the receive: that takes no time. */
static void detach(struct vmpi *v, struct message *m, int64_t time)
{
	m->detached = true;
	m->eager = false;
	m->phase = PHASE_CLEAR;
	channel_arrived(v, m, time);
}

static void observe_launch(struct vmpi *v, const struct message *m)
{
	const struct vmpi_observer *o = v->setup.observer;
	int64_t now = v->current->now;

	if (o && o->message)
		passing_sent(v, m);
	if (o && o->sent)
		o->sent(o->user, now, m->src, m->dst, m->tag, m->bytes);
	if (o && o->step)
		o->step(o->user, &(struct vmpi_step){VMPI_STEP_SEND, m->src, m->dst, now, m->bytes, m->gap, m->nic});
}

/* Sends a message of `q`; `request` waits until it has left, 0: none. Returns the message. */
static uint32_t launch(struct vmpi *v, const struct request *q, uint32_t request)
{
	struct rank *r = v->current;
	struct message *m;
	uint32_t message = make_message(v, q, request, &m);

	if (request)
		request_at(v, request)->next = message;
	if (rank_is_away(v, m->dst))
		remote_launch(v, message, q);
	else
		channel_append(v, message, m);
	if (m->eager && v->cfg->mpi.send_start == SEND_START_RECEIVED)
		detach(v, m, r->now);
	else
		transmit(v, message, m, r->now, m->eager ? PHASE_DATA : PHASE_ASK);
	observe_launch(v, m);
	return message;
}

static void start_send(struct vmpi *v, uint32_t request, struct request *q)
{
	if (q->peer == VMPI_PROC_NULL) {
		request_complete(v, request, v->current->now, NULL);
	} else if (is_copied(v, q)) {
		q->next = launch(v, q, 0);
		message_at(v, q->next)->sender = request;
		request_complete(v, request, v->current->now, NULL);
	} else {
		launch(v, q, request);
	}
}

static void start_recv(struct vmpi *v, uint32_t request, struct request *q)
{
	if (q->peer == VMPI_PROC_NULL) {
		request_complete(v, request, v->current->now, NULL);
		return;
	}
	/* all messages of COMM_SELF come from its rank 0 */
	if (q->peer == VMPI_ANY_SOURCE && comm_find(&v->comms, q->comm)->self)
		q->peer = 0;
	match_post(v, request, q);
}

/* The sender's processor is busy with a message. */
static void busy_with(struct vmpi *v, const struct request *q)
{
	rank_busy(v, v->current,
		  hosts_send_ps(v, hosts_within(v, q->rank, receiver(v, q)), (uint64_t)(q->count * q->type->size)));
}

/* Starts a request whose row has no result yet, after the time of its call. */
static inline void begin_row(struct vmpi *v, uint32_t request, struct request *q)
{
	q->state = REQUEST_PENDING;
	q->posted = v->current->now;
	origin_note(v, &v->msg.of_request, request);
	if (__builtin_expect(v->checks != NULL, 0))
		check_buffer(v, q, request);
	if (q->kind == REQUEST_SEND)
		start_send(v, request, q);
	else
		start_recv(v, request, q);
}

static inline void start_row(struct vmpi *v, uint32_t request, struct request *q)
{
	rank_busy(v, v->current, v->overhead);
	if (__builtin_expect(v->protocol != NULL, 0) && q->kind == REQUEST_SEND && q->peer != VMPI_PROC_NULL)
		busy_with(v, q);
	begin_row(v, request, q);
}

void p2p_start(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);

	q->next = 0;
	q->where = v->current->where;
	q->matched = q->cancelled = q->taken = false;
	q->passed = 0;
	q->bytes = 0;
	q->source = VMPI_PROC_NULL;
	q->got_tag = VMPI_ANY_TAG;
	start_row(v, request, q);
}

uint32_t p2p_send(struct vmpi *v, const struct p2p *p)
{
	struct request *q;
	uint32_t i = prepare_row(v, p, REQUEST_SEND, &q);

	start_row(v, i, q);
	return i;
}

void p2p_send_wait(struct vmpi *v, const struct p2p *p)
{
	struct request q;

	if (p->peer != VMPI_PROC_NULL) {
		fill_request(v, &q, p, REQUEST_SEND);
		if (is_copied(v, &q)) {
			rank_busy(v, v->current, v->overhead);
			if (__builtin_expect(v->protocol != NULL, 0))
				busy_with(v, &q);
			if (__builtin_expect(v->checks != NULL, 0))
				check_buffer(v, &q, 0);
			launch(v, &q, 0);
			return;
		}
	}
	request_wait(v, p2p_send(v, p));
}

uint32_t p2p_recv(struct vmpi *v, const struct p2p *p)
{
	struct request *q;
	uint32_t i = prepare_row(v, p, REQUEST_RECV, &q);

	start_row(v, i, q);
	return i;
}

/* ---- in a node's memory: no network, no time ---- */

void p2p_share(struct vmpi *v, const struct p2p *p)
{
	struct request q;
	struct message *m;
	uint32_t message;

	fill_request(v, &q, p, REQUEST_SEND);
	message = make_message(v, &q, 0, &m);
	m->eager = m->sent = true;
	m->phase = PHASE_DATA;
	channel_append(v, message, m);
	observe_launch(v, m);
	channel_arrived(v, m, v->current->now);
}

uint32_t p2p_take(struct vmpi *v, const struct p2p *p)
{
	struct request *q;
	uint32_t i = prepare_row(v, p, REQUEST_RECV, &q);

	q->taken = true;
	begin_row(v, i, q);
	return i;
}

/* ---- matching ---- */

static int truncated(struct vmpi *v, const struct message *m, const struct request *q, uint64_t room)
{
	char place[128];

	rank_place(v, q->rank, q->where, place, sizeof(place));
	err_set(&v->err, STATUS_FAILED,
		"rank %u: receive at %s: message of %llu bytes from rank %u, tag %d, expected at most %llu bytes",
		q->rank, place, (unsigned long long)m->bytes, m->src, m->tag, (unsigned long long)room);
	return run_fail(v);
}

/* Frees a message after both ends have finished with it. */
static void message_done(struct vmpi *v, uint32_t message, const struct message *m)
{
	if (m->sent && m->finished)
		pool_give(&v->msg.messages, message);
}

/* ---- cancelling ---- */

void p2p_drop(struct vmpi *v, uint32_t message)
{
	struct message *m = message_at(v, message);

	if (m->data == DATA_OWN)
		free(m->payload.own);
	m->data = DATA_NONE;
	m->finished = true;
	/* of data that are sent at once, the notice that the last byte has left may be still to come */
	if (m->phase != PHASE_DATA)
		m->sent = true;
	message_done(v, message, m);
}

bool p2p_cancel_send(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	struct message *m = q->next ? message_at(v, q->next) : NULL;
	struct message before;

	if (!m || m->sender != request || m->finished || m->recv || m->cancelled || rank_is_away(v, m->dst))
		return false;
	before = *m;
	m->lazy = false; /* its data stay where they are */
	m->send = m->sender = 0;
	q->cancelled = match_withdraw(v, q->next);
	if (!q->cancelled)
		*m = before;
	return q->cancelled;
}

/* ---- data ---- */

/* Moves the data of a lazy message out of the sender's buffer, into the receiver's where both can be reached now. */
static int move_data(struct vmpi *v, struct message *m)
{
	const struct request *s = request_at(v, m->send), *r = request_at(v, m->recv);

	m->lazy = false;
	if (r->in_place && s->type->dense)
		type_unpack(r->type, r->count, r->buf, s->buf, m->bytes);
	else if (r->in_place && r->type->dense)
		type_pack(s->type, s->count, s->buf, r->buf);
	else
		return copy_payload(v, m, s, m->bytes);
	return 0;
}

/* Completes the send of message `m`. */
static void send_completes(struct vmpi *v, uint32_t message, struct message *m, int64_t time)
{
	struct vmpi_cause c = {m->late    ? CAUSE_SENDING_LATE_RECEIVE
			       : m->eager ? CAUSE_SENDING
					  : CAUSE_SENDING_RENDEZVOUS,
			       m->dst, m->began, m->bytes};
	uint32_t send = m->send;

	m->send = 0;
	if (!send)
		return;
	origin_cause(v, &v->msg.of_message, message, request_at(v, send)->owner, &c);
	request_complete(v, send, time, &c);
}

/* Completes a receive whose data arrived at `time`. */
static void received(struct vmpi *v, uint32_t message, struct message *m, struct request *q, int64_t time)
{
	struct vmpi_cause c = {m->late    ? CAUSE_LATE_RECEIVE
			       : m->eager ? CAUSE_SENT
					  : CAUSE_RENDEZVOUS,
			       m->src, m->began, m->bytes};
	uint32_t request = m->recv;

	origin_cause(v, &v->msg.of_message, message, q->owner, &c);
	q->payload = m->payload;
	q->data = m->data;
	m->data = DATA_NONE;
	m->finished = true;
	v->ranks[q->rank].received++;
	if (v->setup.observer && v->setup.observer->message)
		passing_received(v, m, time);
	if (m->fetched && m->sent)
		send_completes(v, message, m, time);
	message_done(v, message, m);
	request_completed(v, request, q, time, &c);
}

void p2p_matched(struct vmpi *v, uint32_t message, uint32_t request, int64_t time)
{
	struct message *m = message_at(v, message);
	struct request *q = request_at(v, request);
	uint64_t room = (uint64_t)(q->count * q->type->size);

	assert(!m->recv && !m->finished && q->kind == REQUEST_RECV); /* a message matches once */
	q->source = (int32_t)m->source;
	q->got_tag = m->tag;
	q->bytes = m->bytes;
	q->within = hosts_within(v, m->src, q->rank);
	if (__builtin_expect(v->checks != NULL, 0) && !check_matched(v, message, q))
		return;
	if (m->bytes > room && truncated(v, m, q, room) < 0)
		return;
	m->recv = request;
	if (m->eager) {
		received(v, message, m, q, time);
		return;
	}
	if (q->posted > m->arrived) {
		m->late = true;
		m->began = q->posted;
		origin_late(v, message, request);
	}
	if (rank_is_away(v, m->src))
		remote_answer(v, message);
	transmit(v, message, m, time, m->detached ? PHASE_DATA : PHASE_CLEAR);
}

/* ---- notices of the engine ---- */

static void sent(struct vmpi *v, uint32_t message, struct message *m, int64_t time)
{
	if (m->phase != PHASE_DATA)
		return;
	if (m->lazy && move_data(v, m) < 0)
		return;
	m->sent = true;
	if (!m->fetched || m->finished)
		send_completes(v, message, m, time);
	message_done(v, message, m);
}

static void delivered(struct vmpi *v, uint32_t message, struct message *m, int64_t time)
{
	fetch_lines(&v->ranks[m->dst], RANK_LINES);
	if (m->phase == PHASE_ASK) {
		channel_arrived(v, m, time);
	} else if (m->phase == PHASE_CLEAR) {
		transmit(v, message, m, time, PHASE_DATA);
	} else if (m->eager) {
		channel_arrived(v, m, time);
	} else {
		if (m->lazy && move_data(v, m) < 0)
			return;
		received(v, message, m, request_at(v, m->recv), time);
	}
}

void p2p_notice(struct vmpi *v, const struct net_notice *n)
{
	struct message *m = message_at(v, n->id);

	if (m->phase == PHASE_WINDOW)
		(n->kind == NET_SENT ? window_sent : window_delivered)(v, n->id, n->time_ps);
	else if (n->kind == NET_SENT)
		sent(v, n->id, m, n->time_ps);
	else
		delivered(v, n->id, m, n->time_ps);
}
