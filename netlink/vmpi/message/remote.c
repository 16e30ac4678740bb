/*
 * Messages between ranks in different processes of one run. The sender's process has a row until the data have left,
 * the receiver's one from the end of the window in which the message began. A record takes there what matching needs,
 * and the data; the engine's packets take the time. The engine requests the row of a message from elsewhere by its
 * mark: the serial number of the record, or, in the later phases of a handshake, the row itself.
 *
 * A record is in its place before the first packet of its message, and in the order of sending: channels are those of
 * one process.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "message.h"
#include "remote.h"
#include "run_checks.h"

#define MARK_ROW (UINT64_C(1) << 63)

struct message_record {
	struct record record;
	uint64_t comm, bytes; /* key of the communicator; of the message */
	uint64_t serial;
	int64_t began;
	struct origin origin; /* of a task's message */
	uint32_t src, dst, source, row;
	int32_t tag, basic; /* basic: type of all elements, for checks; 0: several */
	bool collective, eager, has_data;
	char data[];
};

struct answer_record {
	struct record record;
	uint32_t row, receiver; /* of the message in either process */
	int64_t began;
	struct origin origin;
	bool late;
};

struct split_record {
	struct record record;
	uint64_t comm;
	uint32_t number, local;
	int32_t color, key;
};

struct edges_record {
	struct record record;
	uint64_t comm;
	uint32_t count, weighted;
	struct graph_edge edges[];
};

struct output_record {
	struct record record;
	struct step_order turn;
	uint32_t bytes, kind;
	char text[];
};

void *remote_put(struct vmpi *v, unsigned to, enum record_kind kind, size_t size)
{
	struct record *r;

	size = (size + 7) / 8 * 8;
	r = size <= UINT32_MAX ? v->parts->part.put(v->parts->part.user, to, size) : NULL;
	if (!r) {
		mem_short(&v->err);
		rank_fail(v);
		return NULL;
	}
	*r = (struct record){kind, (uint32_t)size};
	return r;
}

/* ---- sending ---- */
void remote_launch(struct vmpi *v, uint32_t message, const struct request *q)
{
	struct message *m = message_at(v, message);
	const struct comm *c = comm_find(&v->comms, q->comm);
	unsigned to = remote_process(v, m->dst);
	bool has_data = m->data != DATA_NONE;
	struct message_record *r = remote_put(v, to, RECORD_MESSAGE, sizeof(*r) + (has_data ? m->bytes : 0));

	m->mark = v->parts->serial[to]++;
	m->finished = true; /* its other end is elsewhere */
	if (!r)
		return;
	r->comm = c->key;
	r->bytes = m->bytes;
	r->serial = m->serial;
	r->began = m->began;
	r->origin = origin_get(&v->of_message, message);
	r->src = m->src;
	r->dst = m->dst;
	r->source = m->source;
	r->row = message;
	r->tag = m->tag;
	r->basic = q->type->basic;
	r->collective = m->ctx != c->ctx;
	r->eager = m->eager;
	r->has_data = has_data;
	if (has_data)
		memcpy(r->data, m->data == DATA_OWN ? m->payload.own : m->payload.inside, m->bytes);
	if (m->data == DATA_OWN)
		free(m->payload.own);
	m->data = DATA_NONE;
}

void remote_answer(struct vmpi *v, uint32_t message)
{
	const struct message *m = message_at(v, message);
	struct answer_record *r = remote_put(v, remote_process(v, m->src), RECORD_ANSWER, sizeof(*r));

	if (!r)
		return;
	r->row = (uint32_t)(m->mark & UINT32_MAX);
	r->receiver = message;
	r->began = m->began;
	r->origin = origin_get(&v->of_message, message);
	r->late = m->late;
}

void remote_split(struct vmpi *v, const struct comm *c, uint32_t number, uint32_t local, int color, int key)
{
	for (unsigned p = 0; p < v->parts->part.parts; p++) {
		struct split_record *r = p == v->parts->part.me ? NULL : remote_put(v, p, RECORD_SPLIT, sizeof(*r));

		if (!r)
			continue;
		r->comm = c->key;
		r->number = number;
		r->local = local;
		r->color = color;
		r->key = key;
	}
}

void remote_half(struct vmpi *v, const struct group_half *h)
{
	size_t bytes = comm_half_bytes(h);

	for (unsigned p = 0; v->parts && p < v->parts->part.parts; p++) {
		struct record *r = p == v->parts->part.me ? NULL : remote_put(v, p, RECORD_HALF, sizeof(*r) + bytes);

		if (r)
			memcpy(r + 1, h, bytes);
	}
}

void remote_edges(struct vmpi *v, const struct comm *c, const struct graph_edge *edges, size_t count, bool weighted)
{
	for (unsigned p = 0; v->parts && p < v->parts->part.parts; p++) {
		size_t bytes = count * sizeof(*edges);
		struct edges_record *r =
			p == v->parts->part.me ? NULL : remote_put(v, p, RECORD_EDGES, sizeof(*r) + bytes);

		if (!r)
			continue;
		r->comm = c->key;
		r->count = (uint32_t)count;
		r->weighted = weighted;
		if (count)
			memcpy(r->edges, edges, bytes);
	}
}

/* ---- output ---- */
static int keep_output(struct vmpi *v, struct written w, const char *text, struct err *e)
{
	struct vmpi_parts *q = v->parts;

	w.text = mem_alloc(w.bytes, 1, e);
	if (!w.text || vec_reserve(&q->written, 1, e) < 0) {
		free(w.text);
		return -1;
	}
	memcpy(w.text, text, w.bytes);
	w.seq = (uint32_t)q->written.count;
	q->written.at[q->written.count++] = w;
	return 0;
}

void remote_output(void *vmpi, bool error, const char *text, size_t bytes)
{
	remote_write(vmpi, error ? WRITTEN_ERROR : WRITTEN_OUT, text, bytes);
}

void remote_write(struct vmpi *v, enum written_kind kind, const char *text, size_t bytes)
{
	struct output_record *r;

	if (!v->parts->part.me) {
		if (keep_output(v, (struct written){v->parts->turn, 0, kind, NULL, bytes}, text, &v->err) < 0)
			v->failed = true;
		return;
	}
	r = remote_put(v, 0, RECORD_OUTPUT, sizeof(*r) + bytes);
	if (!r)
		return;
	r->turn = v->parts->turn;
	r->bytes = (uint32_t)bytes;
	r->kind = kind;
	memcpy(r->text, text, bytes);
}

/* ---- taking ---- */
static int take_message(struct vmpi *v, unsigned from, const struct message_record *r, struct err *e)
{
	const struct comm *c = comm_by_key(&v->comms, r->comm);
	struct arriving *a = &v->parts->arriving[from];
	uint32_t i = pool_get(&v->messages, e);
	char *own = NULL;

	if (!c)
		bug("a message from rank %u to rank %u in a communicator that is not here", r->src, r->dst);
	if (r->has_data && r->bytes > DATA_INSIDE_MOST)
		own = mem_alloc(r->bytes, 1, e);
	if (!i || (r->has_data && r->bytes > DATA_INSIDE_MOST && !own) || vec_reserve(&a->row, 1, e) < 0) {
		free(own);
		return -1;
	}
	*message_at(v, i) = (struct message){
		.src = r->src,
		.dst = r->dst,
		.source = r->source,
		.ctx = c->ctx + r->collective,
		.tag = r->tag,
		.nic = NET_NIC_ANY,
		.bytes = r->bytes,
		.serial = r->serial,
		.began = r->began,
		.mark = MARK_ROW | r->row,
		.phase = r->eager ? PHASE_DATA : PHASE_ASK,
		.eager = r->eager,
		.sent = true,
	};
	if (r->has_data) {
		struct message *m = message_at(v, i);

		m->data = own ? DATA_OWN : DATA_INSIDE;
		if (own)
			m->payload.own = own;
		memcpy(own ? own : m->payload.inside, r->data, r->bytes);
	}
	a->row.at[a->row.count++] = i;
	if (v->checks && check_came(v, i, r->basic, e) < 0)
		return -1;
	if (r->collective && r->tag)
		origin_set(v, &v->of_message, i, r->origin);
	channel_append(v, i, message_at(v, i));
	return 0;
}

static void take_answer(struct vmpi *v, const struct answer_record *r)
{
	struct message *m = message_at(v, r->row);

	m->mark = MARK_ROW | r->receiver;
	m->began = r->began;
	m->late = r->late;
	if (v->of_message.room)
		origin_set(v, &v->of_message, r->row, r->origin);
}

static int take_split(struct vmpi *v, const struct split_record *r, struct err *e)
{
	struct comm *c = comm_by_key(&v->comms, r->comm);

	if (!c)
		return 0; /* no rank here is in it */
	return comm_split_deposit(&v->comms, c, r->number, r->local, r->color, r->key, e);
}

static int take_graph_edges(struct vmpi *v, const struct edges_record *r, struct err *e)
{
	struct comm *c = comm_by_key(&v->comms, r->comm);

	return c ? comm_add_edges(c, r->edges, r->count, r->weighted, e) : 0;
}

static int take_output(struct vmpi *v, const struct output_record *r, struct err *e)
{
	return keep_output(v, (struct written){r->turn, 0, (enum written_kind)r->kind, NULL, r->bytes}, r->text, e);
}

int vmpi_take(struct vmpi *v, unsigned from, const void *records, size_t bytes, struct err *e)
{
	const char *at = records, *end = at + bytes;
	int ret = 0;

	for (; at < end && ret == 0; at += ((const struct record *)(const void *)at)->size)
		switch (((const struct record *)(const void *)at)->kind) {
		case RECORD_MESSAGE: ret = take_message(v, from, (const void *)at, e); break;
		case RECORD_ANSWER: take_answer(v, (const void *)at); break;
		case RECORD_SPLIT: ret = take_split(v, (const void *)at, e); break;
		case RECORD_HALF: ret = comm_put_half(&v->comms, (const void *)(at + sizeof(struct record)), e); break;
		case RECORD_EDGES: ret = take_graph_edges(v, (const void *)at, e); break;
		case RECORD_OUTPUT: ret = take_output(v, (const void *)at, e); break;
		case RECORD_TURN: v->parts->take_turn(v, (const void *)at); break;
		case RECORD_FILE:
		case RECORD_FILE_ORDERED:
		case RECORD_FILE_SERVERS: ret = files_take(v, (const void *)at, e); break;
		case RECORD_TABLE:
		case RECORD_TABLE_DATA: ret = v->parts->take_table(v, (const void *)at, e); break;
		default: ret = window_take(v, from, (const void *)at, e); break;
		}
	return ret;
}

/* The row of the record with this serial number; frees the rows of the first ones when all before are named. */
static uint32_t take_row(struct arriving *a, uint32_t serial)
{
	uint32_t *row = &a->row.at[serial - a->first], i = *row;

	*row = 0;
	while (a->done < a->row.count && !a->row.at[a->done])
		a->done++;
	if (a->done >= 64 && 2 * a->done >= a->row.count) {
		memmove(a->row.at, a->row.at + a->done, (a->row.count - a->done) * sizeof(*a->row.at));
		a->row.count -= a->done;
		a->first += (uint32_t)a->done;
		a->done = 0;
	}
	return i;
}

int vmpi_name(struct vmpi *v, const struct net_message *n, uint32_t *id, struct err *e)
{
	struct message *m;

	(void)e;
	if (!(n->mark & MARK_ROW)) {
		*id = take_row(&v->parts->arriving[remote_process(v, n->from)], (uint32_t)n->mark);
		return 0;
	}
	*id = (uint32_t)(n->mark & UINT32_MAX);
	m = message_at(v, *id);
	m->phase = rank_is_away(v, m->dst) ? PHASE_CLEAR : PHASE_DATA;
	return 0;
}
