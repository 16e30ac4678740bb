#include "calendar.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "mem.h"

enum {
	WORDS = CALENDAR_BUCKETS / 64,
	SHIFT_FIRST = 11, /* 2 ns: links of some GB/s, packets of some hundred bytes */
	REFILLS_PER_WIDTH = 4096,
	REMOTE_PER_WIDTH = 2048, /* events beyond half the ring: adapts the width earlier */
	SORT_BY_INSERTION = 12,  /* up to this many events */
	SMALL_MOST = 24,         /* events of a small calendar */
	CROWDED = 64,            /* how often an empty calendar skips the small mode after leaving it */
	LOOK = 16,               /* events that the owner peeks at */
	MERGE_LEAST = 8,         /* events in `soon` that are worth merging into the present bucket */
	NEAR = CALENDAR_BUCKETS / 2 - 1,
	LINE = 64, /* bytes of a cache line, one chunk */
};
_Static_assert(WORDS == 64, "one word says which words of the map are not 0");
_Static_assert(sizeof(struct event_chunk) == LINE, "a chunk is a cache line");

/* Doubles the number of chunks. Returns false and sets short_of_memory where memory is short. */
static bool more_chunks(struct calendar *c)
{
	uint32_t room = c->chunks ? c->chunks * 2 : 64;
	char *memory = mem_alloc((size_t)room + 1, sizeof(*c->chunk), NULL);
	struct event_chunk *chunk;

	if (!memory) {
		c->short_of_memory = true;
		return false;
	}
	chunk = (struct event_chunk *)(memory + (LINE - (uintptr_t)memory % LINE) % LINE);
	if (c->chunks)
		memcpy(chunk, c->chunk, c->chunks * sizeof(*chunk));
	else
		chunk[0].count = CALENDAR_CHUNK;
	for (uint32_t i = room; i-- > (c->chunks ? c->chunks : 1);) {
		chunk[i].next = c->free;
		c->free = i;
	}
	free(c->chunk_memory);
	c->chunk_memory = memory;
	c->chunk = chunk;
	c->chunks = room;
	return true;
}

int calendar_init(struct calendar *c, bool ahead, struct err *e)
{
	*c = (struct calendar){.shift = SHIFT_FIRST, .mask = (1 << SHIFT_FIRST) - 1, .near = NEAR};
	c->few = ahead ? 8 : 4;
	c->many = ahead ? 64 : 16;
	c->look = ahead ? LOOK : 0;
	c->head = mem_alloc(CALENDAR_BUCKETS, sizeof(*c->head), e);
	c->full = mem_alloc(WORDS, sizeof(*c->full), e);
	if (!c->head || !c->full || !more_chunks(c)) {
		calendar_finish(c);
		return mem_short(e);
	}
	return 0;
}

void calendar_finish(struct calendar *c)
{
	free(c->now);
	free(c->chunk_memory);
	free(c->soon.at);
	free(c->far.at);
	free(c->head);
	free(c->full);
	free(c->spare);
	free(c->map);
	*c = (struct calendar){.shift = SHIFT_FIRST};
}

uint64_t calendar_bytes(const struct calendar *c)
{
	return CALENDAR_BUCKETS * sizeof(*c->head) + WORDS * sizeof(*c->full) + c->chunks * sizeof(*c->chunk) +
	       ((uint64_t)c->now_room + c->spare_room) * sizeof(*c->now) +
	       ((uint64_t)c->soon.room + c->far.room) * sizeof(*c->far.at);
}

/* Grows an array to `count` events. Returns false and sets short_of_memory where memory is short. */
static bool calendar_make_room(struct calendar *c, uint64_t **at, uint32_t *room, uint32_t count)
{
	uint32_t more = *room ? *room : 64;
	uint64_t *grown;

	if (count <= *room)
		return true;
	while (more < count)
		more *= 2;
	grown = mem_resize(*at, more, sizeof(**at), NULL);
	if (!grown) {
		c->short_of_memory = true;
		return false;
	}
	*at = grown;
	*room = more;
	return true;
}

/* ---- heaps ---- */
static bool event_before(const struct event *a, const struct event *b)
{
	return a->time < b->time || (a->time == b->time && a->key < b->key);
}

HEAP(events, struct event, event_before)

static void insert_event(struct calendar *c, struct event_heap *h, struct event event)
{
	if (h->count == h->room) {
		uint32_t room = h->room ? 2 * h->room : 64;
		struct event *grown = mem_resize(h->at, room, sizeof(*grown), NULL);

		if (!grown) {
			c->short_of_memory = true;
			return;
		}
		h->at = grown;
		h->room = room;
	}
	events_push(h->at, h->count++, event);
}

/* Returns whether the calendar is empty and may use the one heap: recently it did not outgrow it. */
static bool begins_small(struct calendar *c)
{
	if (c->in_ring || c->far.count || c->soon.count || c->now_at < c->now_count)
		return false;
	if (c->crowded)
		c->crowded--;
	return !c->crowded;
}

/* Notes how many events of the present bucket precede all of `soon`, and are not among the last ones. */
static void note_sure(struct calendar *c)
{
	c->sure = c->soon.count || c->now_count < c->look ? 0 : c->now_count - c->look;
}

/* Moves the events of the one heap into the ring, which starts at the earliest event's bucket. */
static void leave_small(struct calendar *c)
{
	struct event_heap all = c->soon;

	c->small = false;
	c->near = NEAR;
	c->crowded = CROWDED;
	c->soon = (struct event_heap){0};
	c->bucket = all.at[0].time >> c->shift;
	c->begin = c->bucket << c->shift;
	for (uint32_t i = 0; i < all.count; i++)
		calendar_push(c, all.at[i].time, all.at[i].key);
	free(all.at);
	note_sure(c);
}

/* Appends the event to the present bucket if it is due there after all events that remain in it. */
static bool append_now(struct calendar *c, int64_t time, uint64_t key)
{
	uint64_t event = (uint64_t)(time - c->begin) << CALENDAR_KEY_BITS | key;

	if (c->small || time < c->begin || time >> c->shift > c->bucket)
		return false;
	if (c->now_at == c->now_count)
		c->now_at = c->now_count = 0;
	else if (event < c->now[c->now_count - 1])
		return false;
	if (!calendar_make_room(c, &c->now, &c->now_room, c->now_count + 1))
		return false;
	c->now[c->now_count++] = event;
	note_sure(c);
	return true;
}

static void push_soon(struct calendar *c, int64_t time, uint64_t key)
{
	if (append_now(c, time, key))
		return;
	insert_event(c, &c->soon, (struct event){time, key});
	note_sure(c);
	if (c->small && c->soon.count > SMALL_MOST)
		leave_small(c);
}

static void begin_small(struct calendar *c, int64_t time, uint64_t key)
{
	c->small = true;
	c->near = 0;
	push_soon(c, time, key);
}

void calendar_push_slowly(struct calendar *c, int64_t time, uint64_t key)
{
	int64_t ahead = (time >> c->shift) - c->bucket;

	if (ahead <= 0 || c->small) {
		push_soon(c, time, key);
		return;
	}
	if (begins_small(c)) {
		begin_small(c, time, key);
		return;
	}
	c->remote++;
	if (ahead >= CALENDAR_BUCKETS)
		insert_event(c, &c->far, (struct event){time, key});
	else
		calendar_push_near(c, time, key);
}

/* Puts the event into a new chunk of its bucket; there is a free one. */
static inline void take_chunk(struct calendar *c, int64_t time, uint64_t key)
{
	uint32_t slot = (uint32_t)(time >> c->shift) % CALENDAR_BUCKETS, i = c->free;
	struct event_chunk *chunk = &c->chunk[i];

	c->free = chunk->next;
	__builtin_prefetch(&c->chunk[c->free]); /* for the next one */
	chunk->next = c->head[slot];
	chunk->count = 1;
	chunk->at[0] = (uint64_t)(time & c->mask) << CALENDAR_KEY_BITS | key;
	c->head[slot] = i;
	c->full[slot / 64] |= UINT64_C(1) << slot % 64;
	c->full_words |= UINT64_C(1) << slot / 64;
	c->in_ring++;
}

/* Likewise where there may be none, or the ring is empty. */
static __attribute__((noinline)) void push_first(struct calendar *c, int64_t time, uint64_t key)
{
	if (begins_small(c))
		begin_small(c, time, key);
	else if (c->free || more_chunks(c))
		take_chunk(c, time, key);
}

void calendar_push_new(struct calendar *c, int64_t time, uint64_t key)
{
	if (__builtin_expect(!c->in_ring || !c->free, 0))
		push_first(c, time, key);
	else
		take_chunk(c, time, key);
}

uint64_t calendar_pop_soon(struct calendar *c)
{
	uint64_t key = events_pop(c->soon.at, c->soon.count--).key;

	note_sure(c);
	return key;
}

/* ---- the ring ---- */
/*
 * Returns the number of the first non-empty bucket after the present one; requires a ring that is
 * not empty.
 */
static int64_t next_full(const struct calendar *c)
{
	uint32_t from = (uint32_t)(c->bucket + 1) % CALENDAR_BUCKETS, word = from / 64, slot;
	uint64_t bits = c->full[word] & ~UINT64_C(0) << from % 64;
	uint64_t words;

	if (!bits) { /* the words after it, then those from the first one up to it */
		words = word == 63 ? 0 : c->full_words & ~UINT64_C(0) << (word + 1);
		word = (uint32_t)__builtin_ctzll(words ? words : c->full_words);
		bits = c->full[word];
	}
	slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
	return c->bucket + 1 + (slot + CALENDAR_BUCKETS - from) % CALENDAR_BUCKETS;
}

/* Returns the number of the next non-empty bucket, in the ring or beyond; INT64_MAX if there is none. */
static int64_t next_bucket(const struct calendar *c)
{
	int64_t next = c->in_ring ? next_full(c) : INT64_MAX;

	if (c->far.count && c->far.at[0].time >> c->shift < next)
		next = c->far.at[0].time >> c->shift;
	return next;
}

int64_t calendar_later(const struct calendar *c)
{
	int64_t next = next_bucket(c);

	return next == INT64_MAX ? next : next << c->shift;
}

/*
 * Moves the events of bucket `slot` to `now` in the order in which they were pushed. All chunks but the last one are
 * full, so whole chunks are copied.
 */
static void take_bucket(struct calendar *c, uint32_t slot)
{
	uint32_t i = c->head[slot], count, chunks = 0, first = c->free;
	uint64_t *to;

	if (!i)
		return;
	count = c->chunk[i].count;
	for (uint32_t k = c->chunk[i].next; k; k = c->chunk[k].next)
		count += CALENDAR_CHUNK;
	if (c->now_count + count + CALENDAR_CHUNK > c->now_room &&
	    !calendar_make_room(c, &c->now, &c->now_room, c->now_count + count + CALENDAR_CHUNK))
		return;
	c->now_count += count;
	to = c->now + c->now_count - c->chunk[i].count;
	c->free = i;
	for (;; to -= CALENDAR_CHUNK) {
		struct event_chunk *chunk = &c->chunk[i];

		memcpy(to, chunk->at, sizeof(chunk->at));
		chunks++;
		i = chunk->next;
		if (!i) {
			chunk->next = first;
			break;
		}
	}
	c->in_ring -= chunks;
	c->head[slot] = 0;
	c->full[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	if (!c->full[slot / 64])
		c->full_words &= ~(UINT64_C(1) << slot / 64);
}

static void sort_by_insertion(uint64_t *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint64_t event = at[i];
		uint32_t j = i;

		for (; j && event < at[j - 1]; j--)
			at[j] = at[j - 1];
		at[j] = event;
	}
}

static void sort_now(struct calendar *c)
{
	if (c->now_count <= SORT_BY_INSERTION || !calendar_make_room(c, &c->spare, &c->spare_room, c->now_room)) {
		sort_by_insertion(c->now, c->now_count);
		return;
	}
	if (!c->map)
		c->map = mem_alloc(CALENDAR_MAP_WORDS, sizeof(*c->map), NULL); /* without it the sort is slower */
	calendar_sort(c);
}

/*
 * Redistributes the events of the ring and beyond over buckets of another width. Requires an empty
 * present bucket.
 */
static void change_width(struct calendar *c, unsigned shift)
{
	int64_t first = c->bucket + 1;
	struct event_heap all;

	for (uint32_t slot = 0; slot < CALENDAR_BUCKETS; slot++) {
		uint32_t from_first = (slot + CALENDAR_BUCKETS - (uint32_t)first % CALENDAR_BUCKETS) % CALENDAR_BUCKETS;
		int64_t bucket = first + from_first;

		take_bucket(c, slot);
		for (uint32_t i = 0; i < c->now_count; i++)
			insert_event(c, &c->far,
				     (struct event){(bucket << c->shift) + (int64_t)(c->now[i] >> CALENDAR_KEY_BITS),
						    c->now[i] & CALENDAR_KEY_MASK});
		c->now_count = 0;
	}
	all = c->far;
	c->far = (struct event_heap){0};
	c->bucket = c->begin >> shift;
	c->begin = c->bucket << shift;
	c->shift = shift;
	c->mask = (INT64_C(1) << shift) - 1;
	for (uint32_t i = 0; i < all.count; i++)
		calendar_push(c, all.at[i].time, all.at[i].key);
	free(all.at);
}

/*
 * Widens buckets where most are empty or many events are beyond the ring; narrows them where they
 * are crowded.
 */
static void adapt_width(struct calendar *c)
{
	unsigned shift = c->shift;

	if ((c->events < c->few * c->refills || c->remote > c->events / 8) && shift < CALENDAR_SHIFT_MAX)
		shift++;
	else if (c->events > c->many * c->refills && c->remote < c->events / 64 && shift > 0)
		shift--;
	if (shift != c->shift)
		change_width(c, shift);
	c->refills = c->events = c->remote = 0;
}

/* Moves events that are now within the ring from beyond it; those of the present bucket to `now`. */
static void take_far(struct calendar *c)
{
	while (c->far.count && (c->far.at[0].time >> c->shift) - c->bucket < CALENDAR_BUCKETS) {
		struct event event = events_pop(c->far.at, c->far.count--);

		if (event.time >> c->shift != c->bucket)
			calendar_push(c, event.time, event.key);
		else if (calendar_make_room(c, &c->now, &c->now_room, c->now_count + 1))
			c->now[c->now_count++] = (uint64_t)(event.time - c->begin) << CALENDAR_KEY_BITS | event.key;
	}
}

/* Begins the walk of calendar_fetch along the chunks of the bucket that follows the present one. */
static inline void begin_walk(struct calendar *c)
{
	c->walk = c->in_ring ? c->head[next_full(c) % CALENDAR_BUCKETS] : 0;
	__builtin_prefetch(&c->chunk[c->walk]);
}

/* Makes bucket `next`, the first that is not empty, the present one. */
static inline bool refill(struct calendar *c, int64_t next)
{
	c->now_at = c->now_count = c->sure = 0;
	if (__builtin_expect(++c->refills >= REFILLS_PER_WIDTH || c->remote >= REMOTE_PER_WIDTH, 0)) {
		adapt_width(c);
		note_sure(c);
		if (c->soon.count || c->now_count)
			return true;
		next = next_bucket(c);
	}
	c->bucket = next;
	c->begin = next << c->shift;
	take_bucket(c, (uint32_t)next % CALENDAR_BUCKETS);
	if (c->look)
		begin_walk(c);
	if (__builtin_expect(c->far.count, 0))
		take_far(c);
	c->events += c->now_count;
	if (c->now_count > 1)
		sort_now(c);
	note_sure(c);
	return c->now_count > 0;
}

bool calendar_refill(struct calendar *c, int64_t later)
{
	if (later == INT64_MAX) {
		c->now_at = c->now_count = c->sure = 0;
		return false;
	}
	return refill(c, later >> c->shift);
}

/*
 * Adds the next bucket to the present one, whose last events are left, so that its owner can peek at it too. Returns
 * false if that is not possible.
 */
static bool extend_present(struct calendar *c)
{
	uint32_t left = c->now_count - c->now_at;
	uint64_t rest[2 * LOOK], first = c->now[c->now_at] >> CALENDAR_KEY_BITS, later;
	int64_t next, begin = c->begin + (int64_t)first;

	if (!c->in_ring || c->far.count || c->refills >= REFILLS_PER_WIDTH - 1)
		return false;
	next = next_full(c);
	if (((next + 1) << c->shift) - begin > INT64_C(1) << CALENDAR_SHIFT_MAX ||
	    !calendar_make_room(c, &c->now, &c->now_room, 4 * LOOK))
		return false;
	for (uint32_t i = 0; i < left; i++)
		rest[i] = c->now[c->now_at + i] - (first << CALENDAR_KEY_BITS);
	c->now_at = c->now_count = 0;
	take_bucket(c, (uint32_t)next % CALENDAR_BUCKETS);
	sort_now(c);
	c->refills++;
	c->events += c->now_count;
	later = (uint64_t)((next << c->shift) - begin) << CALENDAR_KEY_BITS;
	if (calendar_make_room(c, &c->now, &c->now_room, c->now_count + left)) {
		for (uint32_t i = c->now_count; i-- > 0;)
			c->now[i + left] = c->now[i] + later;
		c->now_count += left;
	}
	memcpy(c->now, rest, left * sizeof(*rest));
	c->bucket = next;
	c->begin = begin;
	begin_walk(c);
	return true;
}

/* Moves the events of `soon`, if they are many, to the present bucket, where its owner can peek at them. */
static void merge_soon(struct calendar *c)
{
	uint32_t left = c->now_count, more = c->soon.count, at = left + more;

	if (more < MERGE_LEAST || c->small || c->soon.at[0].time < c->begin ||
	    !calendar_make_room(c, &c->now, &c->now_room, at) ||
	    !calendar_make_room(c, &c->spare, &c->spare_room, more))
		return;
	for (uint32_t i = 0; i < more; i++) {
		struct event event = events_pop(c->soon.at, c->soon.count--);

		c->spare[i] = (uint64_t)(event.time - c->begin) << CALENDAR_KEY_BITS | event.key;
	}
	c->now_count = at;
	while (more)
		c->now[--at] =
			left > c->now_at && c->now[left - 1] > c->spare[more - 1] ? c->now[--left] : c->spare[--more];
	note_sure(c);
}

struct event calendar_take_slowly(struct calendar *c, int64_t until)
{
	struct event event;

	merge_soon(c);
	if (c->now_at == c->now_count && !c->soon.count && c->in_ring) { /* as a rule */
		int64_t next = next_bucket(c);

		if (next << c->shift > until || !refill(c, next))
			return (struct event){.time = INT64_MAX};
	}
	if (c->look && !c->soon.count && c->now_at < c->now_count) {
		bool extended = true;

		while (extended && c->now_count - c->now_at < 2 * c->look)
			extended = extend_present(c);
		note_sure(c);
		if (!extended)
			c->sure = c->now_count;
	}
	if (calendar_peek(c, until, &event.time))
		event.key = calendar_pop(c);
	else
		event.time = INT64_MAX;
	return event;
}
