/* Takes records of other processes (remote.c). What a record is of has its own part of the simulator. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../objects/comm_split.h"
#include "message.h"
#include "remote_records.h"
#include "run_checks.h"

#define MARK_ROW (UINT64_C(1) << 63)

static int take_message(struct vmpi *v, unsigned from, const struct message_record *r, struct err *e)
{
	const struct comm *c = comm_by_key(&v->comms, r->comm);
	struct arriving *a = &v->divided->arriving[from];
	uint32_t i = pool_get(&v->msg.messages, e);
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
		origin_set(v, &v->msg.of_message, i, r->origin);
	channel_append(v, i, message_at(v, i));
	return 0;
}

static void take_answer(struct vmpi *v, const struct answer_record *r)
{
	struct message *m = message_at(v, r->row);

	m->mark = MARK_ROW | r->receiver;
	m->began = r->began;
	m->late = r->late;
	if (v->msg.of_message.room)
		origin_set(v, &v->msg.of_message, r->row, r->origin);
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
	return remote_keep_output(v, (struct written){r->turn, 0, (enum written_kind)r->kind, NULL, r->bytes}, r->text,
				  e);
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
		case RECORD_TURN: v->divided->take_turn(v, (const void *)at); break;
		case RECORD_FILE:
		case RECORD_FILE_ORDERED:
		case RECORD_FILE_SERVERS: ret = files_take(v, (const void *)at, e); break;
		case RECORD_TABLE:
		case RECORD_TABLE_DATA: ret = v->divided->take_table(v, (const void *)at, e); break;
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
		*id = take_row(&v->divided->arriving[remote_process(v, n->from)], (uint32_t)n->mark);
		return 0;
	}
	*id = (uint32_t)(n->mark & UINT32_MAX);
	m = message_at(v, *id);
	m->phase = rank_is_away(v, m->dst) ? PHASE_CLEAR : PHASE_DATA;
	return 0;
}
