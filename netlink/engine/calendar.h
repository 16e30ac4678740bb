/*
 * A queue of events for times that are mostly near: a calendar.
 *
 * An event is a time and a key; what the key means is the owner's. Events come
 * out ordered by (time, key), whatever the order in which they were put in; two
 * that are equal in both cannot be told apart.
 *
 * Time is cut into buckets of 2^shift ps. A ring of them holds what is near, each an
 * unordered list; the present bucket is sorted when its time comes; what comes for
 * the present bucket later, and what is beyond the ring, waits in heaps. The width follows
 * the events, so that a bucket holds a few. (R. Brown, "Calendar queues",
 * CACM 31(10), 1988, is the idea; the ring with a bit map is ours.)
 */
#ifndef PSIM_NETLINK_CALENDAR_H
#define PSIM_NETLINK_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum { CALENDAR_BUCKETS = 4096 };

struct event {
	int64_t time;
	uint32_t key;
};
struct event_node {
	int64_t time;
	uint32_t key, next;
};
struct event_heap {
	struct event *at;
	uint32_t count, room;
};

struct calendar {
	struct event *now; /* the present bucket, sorted; now_at is the next */
	uint32_t now_at, now_count, now_room;
	uint32_t free; /* list of nodes */
	int64_t bucket; /* number of the present one: time >> shift */
	unsigned shift;
	bool short_of_memory; /* an event was lost: the run has to end */
	struct event_node *node;
	uint32_t nodes, node_room;
	struct event_heap soon, far; /* for the present bucket; beyond the ring */
	uint32_t *head;              /* lists of the ring's buckets */
	uint64_t *full;              /* bit map of those that are not empty */
	uint64_t full_words;         /* and of the words of it that are not 0 */
	uint64_t in_ring;
	uint32_t refills, events, remote; /* since the width was last thought about */
	struct event *spare;         /* for sorting */
	uint32_t spare_room;
};

/* An empty calendar, or -1 with `e` when memory is short. */
int calendar_init(struct calendar *c, struct err *e);
void calendar_finish(struct calendar *c);

/* Cold parts of the functions below. */
bool calendar_refill(struct calendar *c);
void calendar_push_soon(struct calendar *c, int64_t time, uint32_t key);
void calendar_push_far(struct calendar *c, int64_t time, uint32_t key);
bool calendar_more_nodes(struct calendar *c);
struct event calendar_pop_soon(struct calendar *c);

static inline bool event_before(const struct event *a, const struct event *b)
{
	return a->time < b->time || (a->time == b->time && a->key < b->key);
}

/* Puts in an event, at the time of the last one taken or later. Sets short_of_memory where it cannot. */
static inline void calendar_push(struct calendar *c, int64_t time, uint32_t key)
{
	int64_t ahead = (time >> c->shift) - c->bucket;

	if (ahead <= 0) {
		calendar_push_soon(c, time, key);
	} else if (ahead >= CALENDAR_BUCKETS) {
		calendar_push_far(c, time, key);
	} else if (c->free || calendar_more_nodes(c)) {
		uint32_t slot = (uint32_t)(time >> c->shift) % CALENDAR_BUCKETS;
		uint32_t i = c->free;
		struct event_node *node = &c->node[i];

		c->free = node->next;
		*node = (struct event_node){ .time = time, .key = key, .next = c->head[slot] };
		c->head[slot] = i;
		c->full[slot / 64] |= UINT64_C(1) << slot % 64;
		c->full_words |= UINT64_C(1) << slot / 64;
		c->in_ring++;
		c->remote += ahead >= CALENDAR_BUCKETS / 2;
	}
}

/* The next event, which stays; NULL if there is none. Good until the next push or pop. */
static inline const struct event *calendar_peek(struct calendar *c)
{
	if (c->now_at == c->now_count && !c->soon.count && !calendar_refill(c))
		return NULL;
	if (c->soon.count && (c->now_at == c->now_count || event_before(&c->soon.at[0], &c->now[c->now_at])))
		return &c->soon.at[0];
	return &c->now[c->now_at];
}

/* Takes out what calendar_peek showed. */
static inline struct event calendar_pop(struct calendar *c)
{
	if (c->soon.count && (c->now_at == c->now_count || event_before(&c->soon.at[0], &c->now[c->now_at])))
		return calendar_pop_soon(c);
	return c->now[c->now_at++];
}

/*
 * Would an event of now come next if it were put in? Then its work may be done at once.
 * `time` is the time of the last event taken.
 */
static inline bool calendar_is_next(const struct calendar *c, int64_t time, uint32_t key)
{
	const struct event event = { time, key };

	return (c->now_at == c->now_count || event_before(&event, &c->now[c->now_at])) &&
	       (!c->soon.count || event_before(&event, &c->soon.at[0]));
}

#endif
