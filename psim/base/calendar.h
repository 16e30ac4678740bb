/*
 * A queue of events for times that are mostly near: a calendar.
 *
 * An event is a time and a key; what the key means is the owner's. Events come
 * out ordered by (time, key), whatever the order in which they were put in; two
 * that are equal in both cannot be told apart.
 *
 * Time is cut into buckets of 2^shift ps. A ring of them holds what is near, each a
 * list of chunks in no order; a bucket is sorted when its time comes. Within a bucket an
 * event is one number, time since the bucket's begin and key, so a chunk is a cache line and
 * sorting compares numbers. What comes for the present bucket when it is sorted already, and
 * what is beyond the ring, waits in heaps. The width follows the events, so that a bucket holds
 * a few. As long as there are but few events at all they are in one heap. (R. Brown, "Calendar
 * queues", CACM 31(10), 1988, is the idea; the ring with a bit map is ours.)
 */
#ifndef PSIM_NETLINK_CALENDAR_H
#define PSIM_NETLINK_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum {
	CALENDAR_BUCKETS = 4096,
	CALENDAR_CHUNK = 7,
	CALENDAR_SHIFT_MOST = 24, /* time within a bucket has 64 - CALENDAR_KEY_BITS bits */
	CALENDAR_KEY_BITS = 40,
};
#define CALENDAR_KEY_MASK ((UINT64_C(1) << CALENDAR_KEY_BITS) - 1)

struct event {
	int64_t time;
	uint64_t key; /* of CALENDAR_KEY_BITS */
};
struct event_chunk {
	uint64_t at[CALENDAR_CHUNK]; /* time since the bucket's begin << CALENDAR_KEY_BITS | key */
	uint32_t next;               /* chunk that was filled before it; 0: none */
	uint32_t count;
};
struct event_heap {
	struct event *at;
	uint32_t count, room;
};

struct calendar {
	uint64_t *now; /* the present bucket, sorted; now_at is the next */
	uint32_t now_at, now_count, now_room;
	uint32_t free;  /* list of chunks */
	int64_t bucket; /* number of the present one: time >> shift */
	int64_t begin;  /* its time: bucket << shift */
	unsigned shift;
	int64_t mask;         /* 2^shift - 1 */
	unsigned few, many;   /* events of a bucket: below, it gets wider; above, narrower */
	bool small;           /* all events are in `soon` */
	uint32_t crowded;     /* times more that it is not tried when the calendar is empty */
	bool short_of_memory; /* an event was lost: the run has to end */
	struct event_chunk *chunk;
	void *chunk_memory; /* `chunk` is aligned in it */
	uint32_t chunks;
	struct event_heap soon, far; /* for the present bucket or before; beyond the ring */
	uint32_t *head;              /* chunks of the ring's buckets */
	uint64_t *full;              /* bit map of those that are not empty */
	uint64_t full_words;         /* and of the words of it that are not 0 */
	uint64_t in_ring;
	uint32_t refills, events, remote; /* since the width was last thought about */
	uint64_t *spare;                  /* for sorting */
	uint32_t spare_room;
};

/* An empty calendar, or -1 with `e` when memory is short. `ahead`: the owner looks many events ahead in a bucket. */
int calendar_init(struct calendar *c, bool ahead, struct err *e);
void calendar_finish(struct calendar *c);

/* Bytes that it takes. */
uint64_t calendar_bytes(const struct calendar *c);

/* Cold parts of the functions below. */
bool calendar_refill(struct calendar *c, int64_t later); /* what calendar_later says */
void calendar_push_soon(struct calendar *c, int64_t time, uint64_t key);
void calendar_push_far(struct calendar *c, int64_t time, uint64_t key);
void calendar_push_new(struct calendar *c, int64_t time, uint64_t key);
uint64_t calendar_pop_soon(struct calendar *c);
int64_t calendar_later(const struct calendar *c);

/* Puts in an event, at the time of the last one taken or later. Sets short_of_memory where it cannot. */
static inline void calendar_push(struct calendar *c, int64_t time, uint64_t key)
{
	int64_t bucket = time >> c->shift, ahead = bucket - c->bucket;
	uint32_t slot = (uint32_t)bucket % CALENDAR_BUCKETS;
	struct event_chunk *chunk;

	if (__builtin_expect(ahead <= 0 || c->small, 0)) {
		calendar_push_soon(c, time, key);
		return;
	}
	if (__builtin_expect(ahead >= CALENDAR_BUCKETS, 0)) {
		calendar_push_far(c, time, key);
		return;
	}
	chunk = &c->chunk[c->head[slot]]; /* chunk 0 is always full */
	if (chunk->count == CALENDAR_CHUNK) {
		calendar_push_new(c, time, key);
		return;
	}
	chunk->at[chunk->count++] = (uint64_t)(time & c->mask) << CALENDAR_KEY_BITS | key;
	c->remote += ahead >= CALENDAR_BUCKETS / 2;
}

/* Is what is left of the present bucket the next to come, not an event of `soon`? */
static inline bool calendar_now_is_next(const struct calendar *c)
{
	const struct event *soon = c->soon.at;
	uint64_t now;
	int64_t time;

	if (c->now_at == c->now_count)
		return false;
	if (__builtin_expect(!c->soon.count, 1))
		return true;
	now = c->now[c->now_at];
	time = c->begin + (int64_t)(now >> CALENDAR_KEY_BITS);
	return time < soon->time || (time == soon->time && (now & CALENDAR_KEY_MASK) <= soon->key);
}

/*
 * The time of the next event: INT64_MAX if there is none, and where it is beyond `until` maybe a time
 * between: the begin of its bucket.
 */
static inline int64_t calendar_time(const struct calendar *c)
{
	if (calendar_now_is_next(c))
		return c->begin + (int64_t)(c->now[c->now_at] >> CALENDAR_KEY_BITS);
	return c->soon.count ? c->soon.at[0].time : calendar_later(c);
}

/* Is there an event until `until`? Then its time is in `*time`, and calendar_pop takes it. */
static inline bool calendar_peek(struct calendar *c, int64_t until, int64_t *time)
{
	if (__builtin_expect(c->now_at < c->now_count && !c->soon.count, 1)) {
		*time = c->begin + (int64_t)(c->now[c->now_at] >> CALENDAR_KEY_BITS);
		return *time <= until;
	}
	if (c->now_at == c->now_count && !c->soon.count) {
		int64_t later = calendar_later(c);

		if (later > until || !calendar_refill(c, later))
			return false;
	}
	*time = calendar_time(c);
	return *time <= until;
}

/* Takes out what calendar_peek found: its key. */
static inline uint64_t calendar_pop(struct calendar *c)
{
	if (calendar_now_is_next(c))
		return c->now[c->now_at++] & CALENDAR_KEY_MASK;
	return calendar_pop_soon(c);
}

/*
 * Would an event for `time` come next if it were put in? Then its work may be done at once.
 * `time` is the time of the last event taken.
 */
static inline bool calendar_is_next(const struct calendar *c, int64_t time, uint64_t key)
{
	uint64_t now = (uint64_t)(time - c->begin) << CALENDAR_KEY_BITS | key;
	const struct event *soon = c->soon.at;

	return (c->now_at == c->now_count || time < c->begin || now < c->now[c->now_at]) &&
	       (!c->soon.count || time < soon->time || (time == soon->time && key < soon->key));
}

#endif
