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
#include "remote_records.h"

void *remote_put(struct vmpi *v, unsigned to, enum record_kind kind, size_t size)
{
	struct record *r;

	size = (size + 7) / 8 * 8;
	r = size <= UINT32_MAX ? v->divided->partition.put(v->divided->partition.user, to, size) : NULL;
	if (!r) {
		mem_short(&v->err);
		if (run_fail(v) < 0)
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

	m->mark = v->divided->serial[to]++;
	m->finished = true; /* its other end is elsewhere */
	if (!r)
		return;
	r->comm = c->key;
	r->bytes = m->bytes;
	r->serial = m->serial;
	r->began = m->began;
	r->origin = origin_get(&v->msg.of_message, message);
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
	r->origin = origin_get(&v->msg.of_message, message);
	r->late = m->late;
}

void remote_split(struct vmpi *v, const struct comm *c, uint32_t number, uint32_t local, int color, int key)
{
	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		struct split_record *r =
			p == v->divided->partition.me ? NULL : remote_put(v, p, RECORD_SPLIT, sizeof(*r));

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

	for (unsigned p = 0; v->divided && p < v->divided->partition.partitions; p++) {
		struct record *r =
			p == v->divided->partition.me ? NULL : remote_put(v, p, RECORD_HALF, sizeof(*r) + bytes);

		if (r)
			memcpy(r + 1, h, bytes);
	}
}

void remote_edges(struct vmpi *v, const struct comm *c, const struct graph_edge *edges, size_t count, bool weighted)
{
	for (unsigned p = 0; v->divided && p < v->divided->partition.partitions; p++) {
		size_t bytes = count * sizeof(*edges);
		struct edges_record *r =
			p == v->divided->partition.me ? NULL : remote_put(v, p, RECORD_EDGES, sizeof(*r) + bytes);

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
int remote_keep_output(struct vmpi *v, struct written w, const char *text, struct err *e)
{
	struct vmpi_partitions *q = v->divided;

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

	if (!v->divided->partition.me) {
		if (remote_keep_output(v, (struct written){v->divided->turn, 0, kind, NULL, bytes}, text, &v->err) < 0)
			v->failed = true;
		return;
	}
	r = remote_put(v, 0, RECORD_OUTPUT, sizeof(*r) + bytes);
	if (!r)
		return;
	r->turn = v->divided->turn;
	r->bytes = (uint32_t)bytes;
	r->kind = kind;
	memcpy(r->text, text, bytes);
}
