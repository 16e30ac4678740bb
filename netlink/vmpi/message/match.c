/*
 * Matching of receives and messages (MPI 3.1, 3.5): a message matches the first posted receive that fits, a receive
 * the first unexpected message that fits. Messages between two ranks in one communicator are matched in the order in
 * which they were sent, whatever the network does.
 *
 * Messages in flight, receives from a named source and unexpected messages share a key (receiver, context, source).
 * Their lists are in a bucket of the receiver: the only one, or, with more than a few keys, one of a hash table.
 * Receives from any source have a list of their own in the receiver. An order number decides which receive was
 * posted first.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "../host/rank_thread.h"
#include "message.h"
#include "../vmpi_config.h"

enum { LISTS_FIRST = 16, LIST_MOST = 8 };

static inline uint32_t match_hash(uint32_t ctx, uint32_t source)
{
	uint64_t x = hash_spread((uint64_t)ctx << 32 | source);

	return (uint32_t)(x >> 32) ^ (uint32_t)(x >> 47);
}

static inline struct match_list *match_list_at(struct rank *r, uint32_t ctx, uint32_t source)
{
	return r->matches.at ? &r->matches.at[match_hash(ctx, source) & r->matches.mask] : &r->matches.one;
}

/* ---- lengths of queues: mpi.search ---- */

/* A queue of *length entries gets one more, or has one fewer. */
static inline void match_count(const struct vmpi *v, uint32_t *length, bool more)
{
	if (__builtin_expect(v->search != 0, 0))
		*length += more ? 1 : -1U;
}

/* `q` has been found in a queue, or found a message there, of which `length` others are left. */
static inline void match_passed(struct request *q, uint32_t length)
{
	q->passed = length < UINT16_MAX ? (uint16_t)length : UINT16_MAX;
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

/* Removes the entry after `before` (0: the first), whose successor is `next`; true if it was the first. */
static inline bool unlink_first(struct queue *l, uint32_t before, uint32_t next)
{
	if (!next)
		l->last = before;
	if (before)
		return false;
	l->first = next;
	return true;
}

static inline void match_take_message(const struct vmpi *v, struct queue *l, const struct message *m, uint32_t before)
{
	if (!unlink_first(l, before, m->next))
		message_at(v, before)->next = m->next;
}

static inline void take_request(const struct vmpi *v, struct queue *l, const struct request *q, uint32_t before)
{
	if (!unlink_first(l, before, q->next))
		request_at(v, before)->next = q->next;
}

/* Redistributes a bucket's lists, preserving order. */
static void rehash(const struct vmpi *v, struct rank *r, const struct match_list *from)
{
	for (uint32_t i = from->channel.first, next; i; i = next) {
		struct message *m = message_at(v, i);

		next = m->next;
		append_message(v, &match_list_at(r, m->ctx, m->source)->channel, i, m);
	}
	for (uint32_t i = from->unexpected.first, next; i; i = next) {
		struct message *m = message_at(v, i);

		next = m->next;
		append_message(v, &match_list_at(r, m->ctx, m->source)->unexpected, i, m);
	}
	for (uint32_t i = from->posted.first, next; i; i = next) {
		struct request *q = request_at(v, i);

		next = q->next;
		append_request(v, &match_list_at(r, q->ctx, (uint32_t)q->peer)->posted, i, q);
	}
}

/* Doubles the number of buckets. If memory is short the lists only stay long. */
static void grow_table(const struct vmpi *v, struct rank *r)
{
	struct match_table old = r->matches;
	size_t room = old.at ? ((size_t)old.mask + 1) * 2 : LISTS_FIRST;
	struct match_list *at = mem_alloc(room, sizeof(*at), NULL);

	if (!at)
		return;
	r->matches.at = at;
	r->matches.mask = (uint32_t)room - 1;
	if (!old.at)
		rehash(v, r, &old.one);
	for (uint32_t i = 0; old.at && i <= old.mask; i++)
		rehash(v, r, &old.at[i]);
	free(old.at);
}

/* The bucket of a key, after growing the table for one more key if needed. */
static inline struct match_list *grown_bucket(const struct vmpi *v, struct rank *r, uint32_t ctx, uint32_t source)
{
	if (__builtin_expect(r->matches.count++ >= LIST_MOST && r->matches.count > r->matches.mask, 0))
		grow_table(v, r);
	return match_list_at(r, ctx, source);
}

/* ---- posted receives ---- */

static inline bool tag_fits(int32_t wanted, int32_t tag)
{
	return wanted == VMPI_ANY_TAG || wanted == tag;
}

/* The first posted receive from this source; *before is its predecessor in the list, 0 if it is the first. */
static inline uint32_t find_posted(const struct vmpi *v, const struct match_list *p, const struct message *m,
				   uint32_t *before)
{
	uint32_t i = p->posted.first;

	*before = 0;
	for (; i; *before = i, i = request_at(v, i)->next) {
		const struct request *q = request_at(v, i);

		if (q->ctx == m->ctx && q->peer == (int32_t)m->source && tag_fits(q->tag, m->tag))
			return i;
	}
	return 0;
}

/* The first posted receive from any source. */
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
	struct rank *r = &v->ranks[m->dst];
	struct match_list *p = match_list_at(r, m->ctx, m->source);
	uint32_t before, before_any, named = find_posted(v, p, m, &before);
	uint32_t any = r->posted_any.first ? find_posted_any(v, m, &before_any) : 0;

	if (any && (!named || request_at(v, any)->order < request_at(v, named)->order)) {
		take_request(v, &r->posted_any, request_at(v, any), before_any);
		return any;
	}
	if (named) {
		take_request(v, &p->posted, request_at(v, named), before);
		r->matches.count--;
	}
	return named;
}

bool match_unpost(struct vmpi *v, uint32_t request)
{
	struct request *q = request_at(v, request);
	bool any = q->peer == VMPI_ANY_SOURCE;
	struct rank *r = &v->ranks[q->rank];
	struct queue *l = any ? &r->posted_any : &match_list_at(r, q->ctx, (uint32_t)q->peer)->posted;
	uint32_t before = 0;

	if (q->matched)
		return false;
	for (uint32_t i = l->first; i != request; i = request_at(v, i)->next)
		before = i;
	take_request(v, l, q, before);
	r->matches.count -= !any;
	match_count(v, &r->receives_posted, false);
	return true;
}

/* ---- unexpected messages ---- */

static void keep_unexpected(struct vmpi *v, uint32_t i)
{
	struct message *m = message_at(v, i);
	struct rank *r = &v->ranks[m->dst];

	match_count(v, &r->messages_unexpected, true);
	append_message(v, &grown_bucket(v, r, m->ctx, m->source)->unexpected, i, m);
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
	struct queue *l = &match_list_at(r, m->ctx, m->source)->unexpected;
	uint32_t before = 0;

	for (uint32_t k = l->first; k != i; k = message_at(v, k)->next)
		before = k;
	assert(r->matches.count);
	match_count(v, &r->messages_unexpected, false);
	match_take_message(v, l, m, before);
	r->matches.count--;
	if (m->earlier)
		message_at(v, m->earlier)->later = m->later;
	else
		r->unexpected.first = m->later;
	if (m->later)
		message_at(v, m->later)->earlier = m->earlier;
	else
		r->unexpected.last = m->earlier;
}

static inline uint32_t look_named(const struct vmpi *v, const struct match_list *p, uint32_t ctx, int32_t source,
				  int32_t tag)
{
	for (uint32_t i = p->unexpected.first; i; i = message_at(v, i)->next) {
		const struct message *m = message_at(v, i);

		if (m->ctx == ctx && (int32_t)m->source == source && tag_fits(tag, m->tag))
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
	return look_named(v, match_list_at(&v->ranks[rank], ctx, (uint32_t)source), ctx, source, tag);
}

void match_extract(struct vmpi *v, uint32_t message)
{
	take_unexpected(v, message);
}

bool match_withdraw(struct vmpi *v, uint32_t message)
{
	struct message *m = message_at(v, message);
	const struct match_list *p = match_list_at(&v->ranks[m->dst], m->ctx, m->source);

	for (uint32_t i = p->unexpected.first; i; i = message_at(v, i)->next)
		if (i == message) {
			take_unexpected(v, i);
			p2p_drop(v, i);
			return true;
		}
	for (uint32_t i = p->channel.first; i; i = message_at(v, i)->next)
		if (i == message)
			return m->cancelled = true;
	return false;
}

/* ---- arrival and posting ---- */

void match_post(struct vmpi *v, uint32_t request, struct request *q)
{
	struct rank *r = &v->ranks[q->rank];
	uint32_t source = (uint32_t)q->peer, i = 0;
	bool any = q->peer == VMPI_ANY_SOURCE;

	if (r->unexpected.first)
		i = any ? look_any(v, q->rank, q->ctx, q->tag)
			: look_named(v, match_list_at(r, q->ctx, source), q->ctx, q->peer, q->tag);
	q->order = r->posts++;
	if (i) {
		const struct message *m = message_at(v, i);

		take_unexpected(v, i);
		match_passed(q, r->messages_unexpected);
		q->matched = true;
		p2p_matched(v, i, request, q->posted > m->arrived ? q->posted : m->arrived);
		return;
	}
	match_count(v, &r->receives_posted, true);
	append_request(v, any ? &r->posted_any : &grown_bucket(v, r, q->ctx, source)->posted, request, q);
}

/* Wakes the rank or thread if it waits in a probe for this message. */
static void end_probe(struct vmpi *v, struct rank *r, const struct message *m, int64_t time)
{
	const struct wait *w = r->wait;

	if (w && w->kind == WAIT_PROBE && r->pending && w->ctx == m->ctx &&
	    (w->source == VMPI_ANY_SOURCE || w->source == (int32_t)m->source) && tag_fits(w->tag, m->tag))
		rank_wake(v, r, time,
			  &(struct vmpi_cause){CAUSE_SENT, m->src, m->began,
					       m->eager ? m->bytes : v->cfg->mpi.control_bytes});
}

/* The next message of a channel is at the receiver at `time`: it is matched or queued as unexpected. */
static void match_arrival(struct vmpi *v, uint32_t message, struct message *m, int64_t time)
{
	uint32_t request;

	if (m->cancelled) {
		p2p_drop(v, message);
		return;
	}
	request = take_match(v, m);
	m->arrived = time;
	if (request) {
		struct request *q = request_at(v, request);

		match_count(v, &v->ranks[m->dst].receives_posted, false);
		match_passed(q, v->ranks[m->dst].receives_posted);
		q->matched = true;
		p2p_matched(v, message, request, q->posted > time ? q->posted : time);
		return;
	}
	keep_unexpected(v, message);
	end_probe(v, &v->ranks[m->dst], m, time);
	if (__builtin_expect(v->threads != 0, 0))
		for (struct rank *r = NULL; (r = thread_next(v, m->dst, r));)
			end_probe(v, r, m, time);
}

/* ---- channels: messages in the order of sending ---- */

void channel_append(struct vmpi *v, uint32_t message, struct message *m)
{
	append_message(v, &grown_bucket(v, &v->ranks[m->dst], m->ctx, m->source)->channel, message, m);
}

void channel_arrived(struct vmpi *v, struct message *last, int64_t time)
{
	struct rank *r = &v->ranks[last->dst];
	uint32_t ctx = last->ctx, source = last->source, before, i;
	int64_t began = last->began;

	last->here = true;
	for (;;) {
		struct queue *l = &match_list_at(r, ctx, source)->channel;
		struct message *m = NULL;

		for (before = 0, i = l->first; i; before = i, i = m->next) {
			m = message_at(v, i);
			if (m->ctx == ctx && m->source == source)
				break;
		}
		if (!i || !m->here)
			return;
		match_take_message(v, l, m, before);
		r->matches.count--;
		/* the message waited in the channel until `last` arrived */
		if (m->began > began)
			m->began = began;
		match_arrival(v, i, m, time);
		if (v->failed)
			return;
	}
}
