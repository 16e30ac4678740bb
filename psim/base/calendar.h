/*
 * A calendar queue: a priority queue for events that are mostly due soon.
 *
 * An event is a time and a key; the key's meaning is the owner's. Events leave in the order of
 * (time, key), whatever the order in which they were pushed. Events that are equal in both are
 * interchangeable.
 *
 * Time is divided into buckets of 2^shift ps. A ring holds the near buckets, each an unordered list
 * of chunks; a bucket is sorted when it becomes the present one. Within a bucket an event is one
 * number, the time since the bucket's begin and the key, so a chunk fits a cache line and sorting
 * compares numbers. Two heaps hold the other events: `soon` those pushed into the present bucket
 * after it was sorted, `far` those beyond the ring. The width adapts so that a bucket holds a few
 * events. While the calendar holds few events in all, they are in `soon` alone. (After R. Brown,
 * "Calendar queues", CACM 31(10), 1988; the ring with a bit map is ours.)
 */
#ifndef PSIM_BASE_CALENDAR_H
#define PSIM_BASE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum {
	CALENDAR_BUCKETS = 4096,
	CALENDAR_CHUNK = 7,
	CALENDAR_SHIFT_MAX = 24, /* time within a bucket has 64 - CALENDAR_KEY_BITS bits */
	CALENDAR_KEY_BITS = 40,
	CALENDAR_MAP_WORDS = 4096 + 64, /* for sorting */
};
#define CALENDAR_KEY_MASK ((UINT64_C(1) << CALENDAR_KEY_BITS) - 1)

struct event {
	int64_t time;
	uint64_t key; /* CALENDAR_KEY_BITS wide */
};
struct event_chunk {
	uint64_t at[CALENDAR_CHUNK]; /* time since the bucket's begin << CALENDAR_KEY_BITS | key */
	uint32_t next;               /* the chunk filled before this one; 0: none */
	uint32_t count;
};
struct event_heap {
	struct event *at;
	uint32_t count, room;
};

struct calendar {
	uint64_t *now; /* the present bucket, sorted; now[now_at] is its next event */
	uint32_t now_at, now_count, now_room;
	uint32_t free;  /* list of free chunks */
	int64_t bucket; /* number of the present bucket: time >> shift */
	int64_t begin;  /* time at which it begins: bucket << shift */
	unsigned shift;
	int64_t mask;         /* 2^shift - 1 */
	uint32_t sure;        /* events of the present bucket before this place leave without further checks */
	uint32_t look;        /* where fewer events are left in the present bucket, the next one is added to it */
	uint32_t walk;        /* chunk of the next bucket that calendar_fetch has reached */
	uint32_t near;        /* number of buckets after the present one that take events directly */
	unsigned few, many;   /* events per bucket below which it widens, above which it narrows */
	bool small;           /* all events are in `soon` */
	uint32_t crowded;     /* how often the small mode is still skipped when the calendar is empty */
	bool short_of_memory; /* an event was lost: the run must end */
	struct event_chunk *chunk;
	void *chunk_memory; /* allocation that contains `chunk`, aligned */
	uint32_t chunks;
	struct event_heap soon, far; /* events of the present bucket or earlier; events beyond the ring */
	uint32_t *head;              /* last chunk of each bucket of the ring */
	uint64_t *full;              /* bit map of buckets that are not empty */
	uint64_t full_words;         /* bit map of words of `full` that are not 0 */
	uint64_t in_ring;
	uint32_t refills, events, remote; /* since the width was last adapted */
	uint64_t *spare, *map;            /* for sorting */
	uint32_t spare_room;
};

/*
 * Initialises an empty calendar. `ahead`: the owner peeks at many events of a bucket, so wider
 * buckets pay. 0, or -1 with `e` when memory is short.
 */
int calendar_init(struct calendar *c, bool ahead, struct err *e);
void calendar_finish(struct calendar *c);

/* Bytes of memory that the calendar occupies. */
uint64_t calendar_bytes(const struct calendar *c);

/* Slow paths of the functions below. */
bool calendar_refill(struct calendar *c, int64_t later); /* `later`: from calendar_later */
void calendar_push_slowly(struct calendar *c, int64_t time, uint64_t key);
void calendar_push_new(struct calendar *c, int64_t time, uint64_t key);
uint64_t calendar_pop_soon(struct calendar *c);
struct event calendar_take_slowly(struct calendar *c, int64_t until); /* time INT64_MAX: none is due */
void calendar_sort(struct calendar *c); /* sorts the present bucket; `spare` has room for it */
int64_t calendar_later(const struct calendar *c);

/* Pushes an event whose bucket is in the ring. */
static inline void calendar_push_near(struct calendar *c, int64_t time, uint64_t key)
{
	uint32_t slot = (uint32_t)(time >> c->shift) % CALENDAR_BUCKETS;
	struct event_chunk *chunk = &c->chunk[c->head[slot]]; /* chunk 0 is always full */

	if (__builtin_expect(chunk->count == CALENDAR_CHUNK, 0)) {
		calendar_push_new(c, time, key);
		return;
	}
	chunk->at[chunk->count++] = (uint64_t)(time & c->mask) << CALENDAR_KEY_BITS | key;
}

/* Pushes an event; `time` is not before that of the last event popped. Sets short_of_memory on failure. */
static inline void calendar_push(struct calendar *c, int64_t time, uint64_t key)
{
	int64_t ahead = (time >> c->shift) - c->bucket;

	if (__builtin_expect((uint64_t)(ahead - 1) >= c->near, 0))
		calendar_push_slowly(c, time, key);
	else
		calendar_push_near(c, time, key);
}

/* Returns whether the earliest event is in the present bucket rather than in `soon`. */
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
 * Returns the time of the earliest event, INT64_MAX if there is none. For an event after the
 * present bucket it may return the begin of that event's bucket, a lower bound.
 */
static inline int64_t calendar_time(const struct calendar *c)
{
	if (calendar_now_is_next(c))
		return c->begin + (int64_t)(c->now[c->now_at] >> CALENDAR_KEY_BITS);
	return c->soon.count ? c->soon.at[0].time : calendar_later(c);
}

/*
 * Returns whether an event is due at or before `until`; then sets `*time` to its time, and
 * calendar_pop takes it.
 */
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

/* Pops the event that calendar_peek found and returns its key. */
static inline uint64_t calendar_pop(struct calendar *c)
{
	if (calendar_now_is_next(c))
		return c->now[c->now_at++] & CALENDAR_KEY_MASK;
	return calendar_pop_soon(c);
}

/*
 * Pops the next event if it is due at `time`, that of the last event popped, and its key is below `limit`. Returns
 * whether it is.
 */
static inline bool calendar_pop_at(struct calendar *c, int64_t time, uint64_t limit, uint64_t *key)
{
	uint64_t event;

	if (__builtin_expect(!calendar_now_is_next(c), 0)) {
		const struct event *soon = c->soon.at;

		if (!c->soon.count || soon->time != time || soon->key >= limit)
			return false;
		*key = calendar_pop_soon(c);
		return true;
	}
	event = c->now[c->now_at];
	*key = event & CALENDAR_KEY_MASK;
	if (c->begin + (int64_t)(event >> CALENDAR_KEY_BITS) != time || *key >= limit)
		return false;
	c->now_at++;
	return true;
}

/*
 * Pops the next event if it is due at or before `until`: calendar_peek and calendar_pop at once. Its time is INT64_MAX
 * if none is due.
 */
static inline struct event calendar_take(struct calendar *c, int64_t until)
{
	struct event event;
	uint64_t next;

	if (__builtin_expect(c->now_at >= c->sure, 0))
		return calendar_take_slowly(c, until);
	next = c->now[c->now_at];
	event.time = c->begin + (int64_t)(next >> CALENDAR_KEY_BITS);
	event.key = next & CALENDAR_KEY_MASK;
	if (__builtin_expect(event.time > until, 0))
		event.time = INT64_MAX;
	else
		c->now_at++;
	return event;
}

/* Prefetches one more chunk of the next bucket. An owner that peeks at events calls it once an event. */
static inline void calendar_fetch(struct calendar *c)
{
	c->walk = c->chunk[c->walk].next;
	__builtin_prefetch(&c->chunk[c->walk]);
}

/*
 * Returns whether an event at `time`, if pushed now, would be the next to leave: the caller may
 * then process it at once. `time` is the time of the last event popped.
 */
static inline bool calendar_is_next(const struct calendar *c, int64_t time, uint64_t key)
{
	uint64_t now = (uint64_t)(time - c->begin) << CALENDAR_KEY_BITS | key;
	const struct event *soon = c->soon.at;

	return (c->now_at == c->now_count || time < c->begin || now < c->now[c->now_at]) &&
	       (!c->soon.count || time < soon->time || (time == soon->time && key < soon->key));
}

#endif
