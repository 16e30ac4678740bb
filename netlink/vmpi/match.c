/*
 * Matching of receives and messages (MPI 3.1, 3.5): the first posted receive that a message fits, the first
 * message that a receive fits. Messages between two ranks in one communicator take their turns in the order
 * in which they were sent, whatever the network does.
 *
 * Receives from a named source and unexpected messages lie in hashed lists with the key (receiver, context,
 * source); receives from any source in a list of the receiver. An order number tells which was first.
 */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "world.h"

enum { BUCKETS_FIRST = 1024 };

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15U + (uint64_t)c * 0xc2b2ae3d27d4eb4fU;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9U;
	return (uint32_t)(x >> 32);
}

int buckets_create(struct buckets *b, struct err *e)
{
	*b = (struct buckets){ .mask = BUCKETS_FIRST - 1 };
	b->head = mem_alloc(BUCKETS_FIRST, sizeof(*b->head), e);
	b->tail = mem_alloc(BUCKETS_FIRST, sizeof(*b->tail), e);
	return b->head && b->tail ? 0 : -1;
}

void buckets_finish(struct buckets *b)
{
	free(b->head);
	free(b->tail);
	*b = (struct buckets){ 0 };
}

/* ---- the three kinds of lists: who is in them, and under which key ---- */

static uint32_t *request_next(const struct vmpi *v, uint32_t i)
{
	return &request_at(v, i)->next;
}

static uint32_t *message_next(const struct vmpi *v, uint32_t i)
{
	return &message_at(v, i)->next;
}

static uint32_t posted_hash(const struct vmpi *v, uint32_t i)
{
	const struct request *q = request_at(v, i);

	return hash(q->rank, q->ctx, (uint32_t)q->peer);
}

static uint32_t unexpected_hash(const struct vmpi *v, uint32_t i)
{
	const struct message *m = message_at(v, i);

	return hash(m->dst, m->ctx, m->source);
}

static uint32_t channel_hash(const struct vmpi *v, uint32_t i)
{
	const struct message *m = message_at(v, i);

	return hash(m->dst, m->ctx, m->src);
}

struct list_kind {
	uint32_t *(*next)(const struct vmpi *v, uint32_t i);
	uint32_t (*hash)(const struct vmpi *v, uint32_t i);
};
static const struct list_kind posted_kind = { request_next, posted_hash };
static const struct list_kind unexpected_kind = { message_next, unexpected_hash };
static const struct list_kind channel_kind = { message_next, channel_hash };

static void append(struct vmpi *v, struct buckets *b, const struct list_kind *kind, uint32_t i)
{
	uint32_t at = kind->hash(v, i) & b->mask;

	*kind->next(v, i) = 0;
	if (b->head[at])
		*kind->next(v, b->tail[at]) = i;
	else
		b->head[at] = i;
	b->tail[at] = i;
	b->count++;
}

/* Twice as many lists, each in the old order. Where memory is short they only stay long. */
static void widen(struct vmpi *v, struct buckets *b, const struct list_kind *kind)
{
	struct buckets old = *b;
	size_t room = ((size_t)old.mask + 1) * 2;

	b->head = mem_alloc(room, sizeof(*b->head), NULL);
	b->tail = mem_alloc(room, sizeof(*b->tail), NULL);
	if (!b->head || !b->tail) {
		free(b->head);
		free(b->tail);
		*b = old;
		return;
	}
	b->mask = (uint32_t)room - 1;
	b->count = 0;
	for (uint32_t at = 0; at <= old.mask; at++)
		for (uint32_t i = old.head[at], next; i; i = next) {
			next = *kind->next(v, i);
			append(v, b, kind, i);
		}
	buckets_finish(&old);
}

static void put(struct vmpi *v, struct buckets *b, const struct list_kind *kind, uint32_t i)
{
	if (b->count > b->mask && b->mask < 1U << 30)
		widen(v, b, kind);
	append(v, b, kind, i);
}

/* Takes `i` out; `before` is the one before it in its list, 0 if it is the first. */
static void take(struct vmpi *v, struct buckets *b, const struct list_kind *kind, uint32_t i, uint32_t before)
{
	uint32_t at = kind->hash(v, i) & b->mask, next = *kind->next(v, i);

	if (before)
		*kind->next(v, before) = next;
	else
		b->head[at] = next;
	if (!next)
		b->tail[at] = before;
	b->count--;
}

static void take_out(struct vmpi *v, struct buckets *b, const struct list_kind *kind, uint32_t i)
{
	uint32_t before = 0, at = b->head[kind->hash(v, i) & b->mask];

	while (at != i) {
		before = at;
		at = *kind->next(v, at);
	}
	take(v, b, kind, i, before);
}

/* ---- posted receives ---- */

static bool tag_fits(int32_t wanted, int32_t tag)
{
	return wanted == VMPI_ANY_TAG || wanted == tag;
}

/* The first receive from this very source; *before as above. */
static uint32_t find_posted(const struct vmpi *v, const struct message *m, uint32_t *before)
{
	uint32_t i = v->posted.head[hash(m->dst, m->ctx, m->source) & v->posted.mask];

	*before = 0;
	for (; i; *before = i, i = request_at(v, i)->next) {
		const struct request *q = request_at(v, i);

		if (q->rank == m->dst && q->ctx == m->ctx && q->peer == (int32_t)m->source && tag_fits(q->tag, m->tag))
			return i;
	}
	return 0;
}

/* The first from any source. */
static uint32_t find_posted_any(const struct vmpi *v, const struct message *m, uint32_t *before)
{
	uint32_t i = v->ranks[m->dst].posted_any;

	*before = 0;
	for (; i; *before = i, i = request_at(v, i)->next) {
		const struct request *q = request_at(v, i);

		if (q->ctx == m->ctx && tag_fits(q->tag, m->tag))
			return i;
	}
	return 0;
}

static void take_posted_any(const struct vmpi *v, struct rank *r, uint32_t i, uint32_t before)
{
	uint32_t next = request_at(v, i)->next;

	if (before)
		request_at(v, before)->next = next;
	else
		r->posted_any = next;
	if (!next)
		r->posted_any_last = before;
}

static uint32_t take_match(struct vmpi *v, const struct message *m)
{
	uint32_t before, before_any;
	uint32_t named = find_posted(v, m, &before), any = find_posted_any(v, m, &before_any);

	if (any && (!named || request_at(v, any)->order < request_at(v, named)->order)) {
		take_posted_any(v, &v->ranks[m->dst], any, before_any);
		return any;
	}
	if (named)
		take(v, &v->posted, &posted_kind, named, before);
	return named;
}

bool match_unpost(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	struct rank *r = &v->ranks[q->rank];
	uint32_t before = 0, i;

	if (q->matched)
		return false;
	if (q->peer != VMPI_ANY_SOURCE) {
		take_out(v, &v->posted, &posted_kind, request);
		return true;
	}
	for (i = r->posted_any; i != request; i = request_at(v, i)->next)
		before = i;
	take_posted_any(v, r, request, before);
	return true;
}

/* ---- unexpected messages ---- */

static void keep_unexpected(struct vmpi *v, uint32_t i)
{
	struct message *m = message_at(v, i);
	struct rank *r = &v->ranks[m->dst];

	put(v, &v->unexpected, &unexpected_kind, i);
	m->later = 0;
	m->earlier = r->unexpected_last;
	if (r->unexpected_last)
		message_at(v, r->unexpected_last)->later = i;
	else
		r->unexpected = i;
	r->unexpected_last = i;
}

static void take_unexpected(struct vmpi *v, uint32_t i)
{
	struct message *m = message_at(v, i);
	struct rank *r = &v->ranks[m->dst];

	take_out(v, &v->unexpected, &unexpected_kind, i);
	if (m->earlier)
		message_at(v, m->earlier)->later = m->later;
	else
		r->unexpected = m->later;
	if (m->later)
		message_at(v, m->later)->earlier = m->earlier;
	else
		r->unexpected_last = m->earlier;
}

uint32_t match_look(const struct vmpi *v, uint32_t rank, uint32_t ctx, int32_t source, int32_t tag)
{
	uint32_t i;

	if (source == VMPI_ANY_SOURCE) {
		for (i = v->ranks[rank].unexpected; i; i = message_at(v, i)->later) {
			const struct message *m = message_at(v, i);

			if (m->ctx == ctx && tag_fits(tag, m->tag))
				return i;
		}
		return 0;
	}
	for (i = v->unexpected.head[hash(rank, ctx, (uint32_t)source) & v->unexpected.mask]; i;
	     i = message_at(v, i)->next) {
		const struct message *m = message_at(v, i);

		if (m->dst == rank && m->ctx == ctx && (int32_t)m->source == source && tag_fits(tag, m->tag))
			return i;
	}
	return 0;
}

/* ---- the two ways to meet ---- */

void match_post(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	struct rank *r = &v->ranks[q->rank];
	uint32_t i = match_look(v, q->rank, q->ctx, q->peer, q->tag);

	q->order = v->posts++;
	if (i) {
		const struct message *m = message_at(v, i);

		take_unexpected(v, i);
		q->matched = true;
		p2p_matched(v, i, request, q->posted > m->arrived ? q->posted : m->arrived);
		return;
	}
	if (q->peer != VMPI_ANY_SOURCE) {
		put(v, &v->posted, &posted_kind, request);
		return;
	}
	q->next = 0;
	if (r->posted_any_last)
		request_at(v, r->posted_any_last)->next = request;
	else
		r->posted_any = request;
	r->posted_any_last = request;
}

void match_arrival(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message *m = message_at(v, message);
	struct rank *r = &v->ranks[m->dst];
	uint32_t request = take_match(v, m);

	m->arrived = time;
	if (request) {
		struct request *q = request_at(v, request);

		q->matched = true;
		p2p_matched(v, message, request, q->posted > time ? q->posted : time);
		return;
	}
	keep_unexpected(v, message);
	if (r->wait && r->wait->kind == WAIT_PROBE && r->pending && r->wait->ctx == m->ctx &&
	    (r->wait->source == VMPI_ANY_SOURCE || r->wait->source == (int32_t)m->source) &&
	    tag_fits(r->wait->tag, m->tag))
		rank_wake(v, r, time, &(struct vmpi_cause){ CAUSE_SENT, m->src, m->began,
		                                            m->eager ? m->bytes : v->cfg->mpi.control_bytes });
}

/* ---- channels: turns ---- */

void channel_append(struct vmpi *v, uint32_t message)
{
	put(v, &v->channels, &channel_kind, message);
}

/* The first message of the channel that `m` belongs to, 0 if it is empty; *before as above. */
static uint32_t channel_first(const struct vmpi *v, uint32_t dst, uint32_t ctx, uint32_t src, uint32_t *before)
{
	uint32_t i = v->channels.head[hash(dst, ctx, src) & v->channels.mask];

	*before = 0;
	for (; i; *before = i, i = message_at(v, i)->next) {
		const struct message *m = message_at(v, i);

		if (m->dst == dst && m->ctx == ctx && m->src == src)
			return i;
	}
	return 0;
}

void channel_arrived(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message *m = message_at(v, message);
	uint32_t dst = m->dst, ctx = m->ctx, src = m->src, before, first;
	int64_t began = m->began;

	m->here = true;
	for (;;) {
		first = channel_first(v, dst, ctx, src, &before);
		if (!first || !message_at(v, first)->here)
			return;
		take(v, &v->channels, &channel_kind, first, before);
		/* it stood here and waited for its turn, which came with `message` */
		if (message_at(v, first)->began > began)
			message_at(v, first)->began = began;
		match_arrival(v, first, time);
		if (v->failed)
			return;
	}
}
