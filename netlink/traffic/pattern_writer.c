#include "pattern_writer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../engine/engine.h"

struct queue_state {
	int64_t last;   /* ps: time up to which the file and `pause` account for */
	int64_t pause;  /* ps, before the next entry */
	uint64_t order; /* of the last entry */
	bool sending;   /* has sent since it last waited for its sends */
};

struct pattern_writer {
	FILE *out;
	struct queue_state *rank;
};

struct pattern_writer *pattern_writer_create(FILE *out, uint32_t ranks, struct err *e)
{
	struct pattern_writer *w = mem_alloc(1, sizeof(*w), e);

	if (!w)
		return NULL;
	w->out = out;
	w->rank = mem_alloc(ranks, sizeof(*w->rank), e);
	if (!w->rank) {
		pattern_writer_destroy(w);
		return NULL;
	}
	fprintf(out, "ranks %" PRIu32 "\noutstanding %" PRIu32 "\n", ranks, UINT32_MAX);
	return w;
}

void pattern_writer_destroy(struct pattern_writer *w)
{
	if (!w)
		return;
	free(w->rank);
	free(w);
}

/* Adds the time since the last entry to the pause before the next one. */
static struct queue_state *add_pause(struct pattern_writer *w, uint32_t rank, int64_t time)
{
	struct queue_state *q = &w->rank[rank];

	if (time > q->last) {
		q->pause += time - q->last;
		q->last = time;
	}
	return q;
}

static void end_line(struct pattern_writer *w, struct queue_state *q)
{
	if (q->pause)
		fprintf(w->out, " wait=%" PRId64 "ps", q->pause);
	q->pause = 0;
	fputc('\n', w->out);
}

void pattern_writer_send(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer, uint64_t bytes,
			 int32_t nic, int64_t gap)
{
	struct queue_state *q = add_pause(w, rank, time);

	fprintf(w->out, "send %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64, rank, peer, ++q->order, bytes);
	if (gap)
		fprintf(w->out, " gap=%" PRId64 "ps", gap);
	if (nic != NET_NIC_ANY)
		fprintf(w->out, " nic=%" PRId32, nic);
	end_line(w, q);
	q->sending = true;
}

void pattern_writer_receive(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer)
{
	struct queue_state *q = add_pause(w, rank, time);

	fprintf(w->out, "receive %" PRIu32 " %" PRIu32 " %" PRIu64, rank, peer, ++q->order);
	end_line(w, q);
}

void pattern_writer_sent(struct pattern_writer *w, uint32_t rank, int64_t time)
{
	struct queue_state *q = add_pause(w, rank, time);

	if (!q->sending)
		return;
	q->sending = false;
	fprintf(w->out, "sends %" PRIu32 " %" PRIu64, rank, ++q->order);
	end_line(w, q);
}

void pattern_writer_waited(struct pattern_writer *w, uint32_t rank, int64_t from, int64_t to)
{
	struct queue_state *q = add_pause(w, rank, from);

	if (to > q->last)
		q->last = to;
}

void pattern_writer_end(struct pattern_writer *w, uint32_t rank, int64_t time)
{
	struct queue_state *q = add_pause(w, rank, time);

	if (q->pause)
		fprintf(w->out, "pause %" PRIu32 " %" PRIu64 " %" PRId64 "ps\n", rank, ++q->order, q->pause);
	q->pause = 0;
}
