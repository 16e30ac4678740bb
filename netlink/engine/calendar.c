#include "calendar.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

enum {
	WORDS = CALENDAR_BUCKETS / 64,
	SHIFT_FIRST = 11, /* 2 ns: links of some GB/s, packets of some hundred bytes */
	SHIFT_LAST = 24,
	REFILLS_PER_THOUGHT = 4096,
	SORT_BY_INSERTION = 24,
};
_Static_assert(WORDS == 64, "one word says which words of the map are not 0");

int calendar_init(struct calendar *c, struct err *e)
{
	*c = (struct calendar){ .shift = SHIFT_FIRST };
	c->head = mem_alloc(CALENDAR_BUCKETS, sizeof *c->head, e);
	c->full = mem_alloc(WORDS, sizeof *c->full, e);
	if (!c->head || !c->full || !calendar_more_nodes(c)) {
		calendar_finish(c);
		return mem_short(e);
	}
	return 0;
}

void calendar_finish(struct calendar *c)
{
	free(c->now);
	free(c->node);
	free(c->soon.at);
	free(c->far.at);
	free(c->head);
	free(c->full);
	free(c->spare);
	*c = (struct calendar){ .shift = SHIFT_FIRST };
}

/* Grows an array of events to hold `count`; false and the flag where memory is short. */
static bool make_room(struct calendar *c, struct event **at, uint32_t *room, uint32_t count)
{
	uint32_t more = *room ? *room : 64;
	struct event *grown;

	if (count <= *room)
		return true;
	while (more < count)
		more *= 2;
	grown = mem_resize(*at, more, sizeof **at, NULL);
	if (!grown) {
		c->short_of_memory = true;
		return false;
	}
	*at = grown;
	*room = more;
	return true;
}

bool calendar_more_nodes(struct calendar *c)
{
	uint32_t room = c->node_room ? c->node_room * 2 : 256;
	struct event_node *grown = mem_resize(c->node, room, sizeof *grown, NULL);

	if (!grown) {
		c->short_of_memory = true;
		return false;
	}
	c->node = grown;
	c->node_room = room;
	if (!c->nodes)
		c->nodes = 1; /* 0 ends lists */
	for (uint32_t i = room; i-- > c->nodes;) {
		grown[i].next = c->free;
		c->free = i;
	}
	c->nodes = room;
	return true;
}

/* ---- heaps ---- */
static void heap_push(struct calendar *c, struct event_heap *h, struct event event)
{
	uint32_t i;

	if (!make_room(c, &h->at, &h->room, h->count + 1))
		return;
	for (i = h->count++; i && event_before(&event, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = event;
}

static struct event heap_pop(struct event_heap *h)
{
	struct event first = h->at[0], last = h->at[--h->count];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < h->count) {
		if (child + 1 < h->count && event_before(&h->at[child + 1], &h->at[child]))
			child++;
		if (!event_before(&h->at[child], &last))
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = last;
	return first;
}

void calendar_push_soon(struct calendar *c, int64_t time, uint32_t key)
{
	heap_push(c, &c->soon, (struct event){ time, key });
}

void calendar_push_far(struct calendar *c, int64_t time, uint32_t key)
{
	c->remote++;
	heap_push(c, &c->far, (struct event){ time, key });
}

struct event calendar_pop_soon(struct calendar *c)
{
	return heap_pop(&c->soon);
}

/* ---- the ring ---- */
/* The number of the first bucket after the present one that is not empty; the ring is not empty. */
static int64_t next_full(const struct calendar *c)
{
	uint32_t from = (uint32_t)(c->bucket + 1) % CALENDAR_BUCKETS, word = from / 64, slot;
	uint64_t bits = c->full[word] & ~UINT64_C(0) << from % 64;
	uint64_t words;

	if (!bits) { /* the words behind it, then those before it, itself included */
		words = word == 63 ? 0 : c->full_words & ~UINT64_C(0) << (word + 1);
		word = (uint32_t)__builtin_ctzll(words ? words : c->full_words);
		bits = c->full[word];
	}
	slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
	return c->bucket + 1 + (slot + CALENDAR_BUCKETS - from) % CALENDAR_BUCKETS;
}

static bool add_now(struct calendar *c, int64_t time, uint32_t key)
{
	if (!make_room(c, &c->now, &c->now_room, c->now_count + 1))
		return false;
	c->now[c->now_count++] = (struct event){ time, key };
	return true;
}

/* Empties the list of bucket `slot` into `now`. */
static void take_bucket(struct calendar *c, uint32_t slot)
{
	uint32_t i = c->head[slot];

	while (i) {
		struct event_node *node = &c->node[i];
		uint32_t next = node->next;

		add_now(c, node->time, node->key);
		node->next = c->free;
		c->free = i;
		c->in_ring--;
		i = next;
	}
	c->head[slot] = 0;
	c->full[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	if (!c->full[slot / 64])
		c->full_words &= ~(UINT64_C(1) << slot / 64);
}

static void merge(const struct event *from, struct event *to, uint32_t begin, uint32_t middle, uint32_t end)
{
	uint32_t i = begin, j = middle;

	for (uint32_t k = begin; k < end; k++)
		to[k] = j >= end || (i < middle && !event_before(&from[j], &from[i])) ? from[i++] : from[j++];
}

static void sort_now(struct calendar *c)
{
	uint32_t n = c->now_count;

	if (n <= SORT_BY_INSERTION || !make_room(c, &c->spare, &c->spare_room, c->now_room)) {
		for (uint32_t i = 1; i < n; i++) {
			struct event event = c->now[i];
			uint32_t j = i;

			for (; j && event_before(&event, &c->now[j - 1]); j--)
				c->now[j] = c->now[j - 1];
			c->now[j] = event;
		}
		return;
	}
	for (uint32_t width = 1; width < n; width *= 2) {
		struct event *swap = c->now;
		uint32_t room = c->now_room;

		for (uint32_t begin = 0; begin < n; begin += 2 * width)
			merge(c->now, c->spare, begin, begin + width < n ? begin + width : n,
			      begin + 2 * width < n ? begin + 2 * width : n);
		c->now = c->spare;
		c->spare = swap;
		c->now_room = c->spare_room;
		c->spare_room = room;
	}
}

/* Puts what waits in the ring and beyond into buckets of another width. `now` is empty. */
static void change_width(struct calendar *c, unsigned shift)
{
	struct event_heap far = c->far;
	int64_t time = c->bucket << c->shift;

	for (uint32_t slot = 0; slot < CALENDAR_BUCKETS; slot++)
		if (c->head[slot])
			take_bucket(c, slot);
	c->far = (struct event_heap){ 0 };
	c->shift = shift;
	c->bucket = time >> shift;
	for (uint32_t i = 0; i < c->now_count; i++)
		calendar_push(c, c->now[i].time, c->now[i].key);
	for (uint32_t i = 0; i < far.count; i++)
		calendar_push(c, far.at[i].time, far.at[i].key);
	free(far.at);
	c->now_count = 0;
}

/* Wider buckets where most are empty or much is beyond them, narrower ones where they are crowded. */
static void think_about_width(struct calendar *c)
{
	unsigned shift = c->shift;

	if ((c->events < 2 * c->refills || c->remote > c->events / 8) && shift < SHIFT_LAST)
		shift++;
	else if (c->events > 6 * c->refills && c->remote < c->events / 64 && shift > 0)
		shift--;
	c->refills = c->events = c->remote = 0;
	if (shift != c->shift)
		change_width(c, shift);
}

/* Makes the next bucket with events the present one; false if there are none. */
bool calendar_refill(struct calendar *c)
{
	int64_t next = INT64_MAX;

	c->now_at = c->now_count = 0;
	if (++c->refills == REFILLS_PER_THOUGHT) {
		think_about_width(c);
		if (c->soon.count)
			return true;
	}
	if (c->in_ring)
		next = next_full(c);
	if (c->far.count && c->far.at[0].time >> c->shift < next)
		next = c->far.at[0].time >> c->shift;
	if (next == INT64_MAX)
		return false;
	c->bucket = next;
	take_bucket(c, (uint32_t)next % CALENDAR_BUCKETS);
	while (c->far.count && (c->far.at[0].time >> c->shift) - next < CALENDAR_BUCKETS) {
		struct event event = heap_pop(&c->far);

		if (event.time >> c->shift == next)
			add_now(c, event.time, event.key);
		else
			calendar_push(c, event.time, event.key);
	}
	c->events += c->now_count;
	if (c->now_count > 1)
		sort_now(c);
	return c->now_count > 0;
}
