/*
 * Matching of receives and messages (MPI 3.1, 3.5): the first posted receive that a message fits, the first
 * message that a receive fits. Messages between two ranks in one communicator take their turns in the order
 * in which they were sent, whatever the network does.
 *
 * Messages under way, receives from a named source and unexpected messages have one key, (receiver, context,
 * source), and lie in lists of one hashed place; receives from any source in a list of the receiver. An order
 * number tells which was first.
 */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "world.h"

enum { PLACES_FIRST = 1024 };

static inline uint32_t hash(uint32_t receiver, uint32_t ctx, uint32_t source)
{
	uint64_t x = ((uint64_t)receiver << 32 | ctx) * 0x9e3779b97f4a7c15U + (uint64_t)source * 0xc2b2ae3d27d4eb4fU;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9U;
	return (uint32_t)(x >> 32);
}

int places_create(struct places *p, struct err *e)
{
	*p = (struct places){ .mask = PLACES_FIRST - 1 };
	p->at = mem_alloc(PLACES_FIRST, sizeof(*p->at), e);
	return p->at ? 0 : -1;
}

void places_finish(struct places *p)
{
	free(p->at);
	*p = (struct places){ 0 };
}

static inline struct place *place_at(const struct vmpi *v, uint32_t hash)
{
	return &v->places.at[hash & v->places.mask];
}

/* ---- lists: of messages, of requests ---- */

static inline void append_message(const struct vmpi *v, struct queue *l, uint32_t i, struct message *m)
{
	m->next = 0;
	if (l->first)
		message_at(v, l->last)->next = i;
	else
		l->first = i;
	l->last = i;
}

static inline void append_request(const struct vmpi *v, struct queue *l, uint32_t i, struct request *q)
{
	q->next = 0;
	if (l->first)
		request_at(v, l->last)->next = i;
	else
		l->first = i;
	l->last = i;
}

/* Takes out the one behind `before` (0: the first), `next` being behind it; true if it was the first. */
static inline bool unlink_first(struct queue *l, uint32_t before, uint32_t next)
{
	if (!next)
		l->last = before;
	if (before)
		return false;
	l->first = next;
	return true;
}

static inline void take_message(const struct vmpi *v, struct queue *l, const struct message *m, uint32_t before)
{
	if (!unlink_first(l, before, m->next))
		message_at(v, before)->next = m->next;
}

static inline void take_request(const struct vmpi *v, struct queue *l, const struct request *q, uint32_t before)
{
	if (!unlink_first(l, before, q->next))
		request_at(v, before)->next = q->next;
}

/* Deals a list of messages out to the lists of their new places, in the old order. */
static void deal_messages(struct vmpi *v, const struct queue *from, bool unexpected)
{
	for (uint32_t i = from->first, next; i; i = next) {
		struct message *m = message_at(v, i);
		struct place *p = place_at(v, m->hash);

		next = m->next;
		append_message(v, unexpected ? &p->unexpected : &p->channel, i, m);
	}
}

static void deal_requests(struct vmpi *v, const struct queue *from)
{
	for (uint32_t i = from->first, next; i; i = next) {
		struct request *q = request_at(v, i);

		next = q->next;
		append_request(v, &place_at(v, hash(q->rank, q->ctx, (uint32_t)q->peer))->posted, i, q);
	}
}

/* Twice as many places. Where memory is short the lists only stay long. */
static void widen(struct vmpi *v)
{
	struct places old = v->places;
	size_t room = ((size_t)old.mask + 1) * 2;
	struct place *at = mem_alloc(room, sizeof(*at), NULL);

	if (!at)
		return;
	v->places.at = at;
	v->places.mask = (uint32_t)room - 1;
	for (uint32_t i = 0; i <= old.mask; i++) {
		deal_messages(v, &old.at[i].channel, false);
		deal_messages(v, &old.at[i].unexpected, true);
		deal_requests(v, &old.at[i].posted);
	}
	free(old.at);
}

/* The place for one more. */
static inline struct place *widened_place(struct vmpi *v, uint32_t hash)
{
	if (__builtin_expect(v->places.count++ > v->places.mask && v->places.mask < 1U << 30, 0))
		widen(v);
	return place_at(v, hash);
}

/* ---- posted receives ---- */

static inline bool tag_fits(int32_t wanted, int32_t tag)
{
	return wanted == VMPI_ANY_TAG || wanted == tag;
}

/* The first receive from this very source; *before: the one before it in its list, 0 if it is the first. */
static inline uint32_t find_posted(const struct vmpi *v, const struct place *p, const struct message *m,
                                   uint32_t *before)
{
	uint32_t i = p->posted.first;

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
	uint32_t i = v->ranks[m->dst].posted_any.first;

	*before = 0;
	for (; i; *before = i, i = request_at(v, i)->next) {
		const struct request *q = request_at(v, i);

		if (q->ctx == m->ctx && tag_fits(q->tag, m->tag))
			return i;
	}
	return 0;
}

static uint32_t take_match(struct vmpi *v, const struct message *m)
{
	struct place *p = place_at(v, m->hash);
	struct rank *r = &v->ranks[m->dst];
	uint32_t before, before_any, named = find_posted(v, p, m, &before);
	uint32_t any = r->posted_any.first ? find_posted_any(v, m, &before_any) : 0;

	if (any && (!named || request_at(v, any)->order < request_at(v, named)->order)) {
		take_request(v, &r->posted_any, request_at(v, any), before_any);
		return any;
	}
	if (named) {
		take_request(v, &p->posted, request_at(v, named), before);
		v->places.count--;
	}
	return named;
}

bool match_unpost(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	bool any = q->peer == VMPI_ANY_SOURCE;
	struct queue *l = any ? &v->ranks[q->rank].posted_any
	                     : &place_at(v, hash(q->rank, q->ctx, (uint32_t)q->peer))->posted;
	uint32_t before = 0;

	if (q->matched)
		return false;
	for (uint32_t i = l->first; i != request; i = request_at(v, i)->next)
		before = i;
	take_request(v, l, q, before);
	v->places.count -= !any;
	return true;
}

/* ---- unexpected messages ---- */

static void keep_unexpected(struct vmpi *v, uint32_t i)
{
	struct message *m = message_at(v, i);
	struct rank *r = &v->ranks[m->dst];

	append_message(v, &widened_place(v, m->hash)->unexpected, i, m);
	m->later = 0;
	m->earlier = r->unexpected.last;
	if (r->unexpected.last)
		message_at(v, r->unexpected.last)->later = i;
	else
		r->unexpected.first = i;
	r->unexpected.last = i;
}

static void take_unexpected(struct vmpi *v, uint32_t i)
{
	struct message *m = message_at(v, i);
	struct rank *r = &v->ranks[m->dst];
	struct queue *l = &place_at(v, m->hash)->unexpected;
	uint32_t before = 0;

	for (uint32_t k = l->first; k != i; k = message_at(v, k)->next)
		before = k;
	take_message(v, l, m, before);
	v->places.count--;
	if (m->earlier)
		message_at(v, m->earlier)->later = m->later;
	else
		r->unexpected.first = m->later;
	if (m->later)
		message_at(v, m->later)->earlier = m->earlier;
	else
		r->unexpected.last = m->earlier;
}

static inline uint32_t look_named(const struct vmpi *v, const struct place *p, uint32_t rank, uint32_t ctx,
                                  int32_t source, int32_t tag)
{
	for (uint32_t i = p->unexpected.first; i; i = message_at(v, i)->next) {
		const struct message *m = message_at(v, i);

		if (m->dst == rank && m->ctx == ctx && (int32_t)m->source == source && tag_fits(tag, m->tag))
			return i;
	}
	return 0;
}

static uint32_t look_any(const struct vmpi *v, uint32_t rank, uint32_t ctx, int32_t tag)
{
	for (uint32_t i = v->ranks[rank].unexpected.first; i; i = message_at(v, i)->later) {
		const struct message *m = message_at(v, i);

		if (m->ctx == ctx && tag_fits(tag, m->tag))
			return i;
	}
	return 0;
}

uint32_t match_look(const struct vmpi *v, uint32_t rank, uint32_t ctx, int32_t source, int32_t tag)
{
	if (source == VMPI_ANY_SOURCE)
		return look_any(v, rank, ctx, tag);
	return look_named(v, place_at(v, hash(rank, ctx, (uint32_t)source)), rank, ctx, source, tag);
}

/* ---- the two ways to meet ---- */

void match_post(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	bool any = q->peer == VMPI_ANY_SOURCE;
	uint32_t at = any ? 0 : hash(q->rank, q->ctx, (uint32_t)q->peer);
	uint32_t i = any ? look_any(v, q->rank, q->ctx, q->tag)
	                 : look_named(v, place_at(v, at), q->rank, q->ctx, q->peer, q->tag);

	q->order = v->posts++;
	if (i) {
		const struct message *m = message_at(v, i);

		take_unexpected(v, i);
		q->matched = true;
		p2p_matched(v, i, request, q->posted > m->arrived ? q->posted : m->arrived);
		return;
	}
	append_request(v, any ? &v->ranks[q->rank].posted_any : &widened_place(v, at)->posted, request, q);
}

void match_arrival(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message *m = message_at(v, message);
	struct rank *r;
	uint32_t request = take_match(v, m);

	m->arrived = time;
	if (request) {
		struct request *q = request_at(v, request);

		q->matched = true;
		p2p_matched(v, message, request, q->posted > time ? q->posted : time);
		return;
	}
	keep_unexpected(v, message);
	r = &v->ranks[m->dst];
	if (r->wait && r->wait->kind == WAIT_PROBE && r->pending && r->wait->ctx == m->ctx &&
	    (r->wait->source == VMPI_ANY_SOURCE || r->wait->source == (int32_t)m->source) &&
	    tag_fits(r->wait->tag, m->tag))
		rank_wake(v, r, time, &(struct vmpi_cause){ CAUSE_SENT, m->src, m->began,
		                                            m->eager ? m->bytes : v->cfg->mpi.control_bytes });
}

/* ---- channels: turns ---- */

void channel_append(struct vmpi *v, uint32_t message)
{
	struct message *m = message_at(v, message);

	m->hash = hash(m->dst, m->ctx, m->source);
	append_message(v, &widened_place(v, m->hash)->channel, message, m);
}

static inline bool same_channel(const struct message *a, const struct message *b)
{
	return a->dst == b->dst && a->ctx == b->ctx && a->source == b->source;
}

void channel_arrived(struct vmpi *v, uint32_t message, int64_t time)
{
	struct message key = *message_at(v, message);
	uint32_t before, i;

	message_at(v, message)->here = true;
	for (;;) {
		struct queue *l = &place_at(v, key.hash)->channel;
		struct message *m = NULL;

		for (before = 0, i = l->first; i; before = i, i = m->next) {
			m = message_at(v, i);
			if (same_channel(m, &key))
				break;
		}
		if (!i || !m->here)
			return;
		take_message(v, l, m, before);
		v->places.count--;
		/* it stood here and waited for its turn, which came with `message` */
		if (m->began > key.began)
			m->began = key.began;
		match_arrival(v, i, time);
		if (v->failed)
			return;
	}
}
