/*
 * Timed events: a wheel of buckets, one a cycle. An event farther ahead than
 * the wheel is long stays in its bucket until its turn of the wheel comes.
 */
#include <stdlib.h>

#include "core_state.h"

/*
 * Bound of events at once: a slot has at most one address, one resolve, and,
 * with undone selections still in the wheel, a few wake-ups; an undone
 * selection's event is gone after `latency` cycles, so leave room.
 */
enum { EVENTS_PER_SLOT = 16 };

int events_create(struct core *c, struct err *e)
{
	uint32_t count = (c->rob_mask + 1) * EVENTS_PER_SLOT + 1;

	c->events = calloc(count, sizeof(*c->events));
	if (!c->events)
		return err_set(e, STATUS_FAILED, "core: out of memory for %u events", count);
	for (uint32_t n = 1; n < count; n++)
		c->events[n].next = n + 1 < count ? n + 1 : 0;
	c->event_free = 1;
	return 0;
}

void events_destroy(struct core *c)
{
	free(c->events);
}

void event_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot)
{
	uint32_t n = c->event_free;
	struct event *v = &c->events[n];
	unsigned bucket = (unsigned)cycle & (WHEEL_SIZE - 1);

	if (!n)
		bug("no event left at cycle %llu", (unsigned long long)c->now);
	c->event_free = v->next;
	v->cycle = cycle;
	v->slot = (uint16_t)slot;
	v->type = (uint8_t)type;
	v->generation = c->rob[slot].generation;
	v->next = c->wheel[bucket];
	c->wheel[bucket] = n;
	c->wheel_map[bucket >> 6] |= 1ull << (bucket & 63);
}

static void event_run(struct core *c, const struct event *v)
{
	struct rob_entry *r = &c->rob[v->slot];

	if (v->type != EVENT_CANCEL && v->generation != r->generation)
		return; /* its selection was undone */
	c->progress = true;
	switch ((enum event_type)v->type) {
	case EVENT_WAKE:
		if (r->poison)
			false_wake(c, v->slot);
		else
			wake_consumers(c, v->slot);
		break;
	case EVENT_FALSE_WAKE:
		false_wake(c, v->slot);
		break;
	case EVENT_CANCEL:
		cancel(c, v->slot);
		break;
	case EVENT_ADDRESS:
		lsu_address(c, v->slot);
		break;
	case EVENT_RESOLVE:
		if (r->flags & FETCHED_MISPREDICT && !r->poison)
			fetch_restart(c, c->now);
		break;
	}
}

/*
 * Cancels come first: an undone selection must not act in the same cycle. The
 * rest act in the order of a stack, which is the same in every run.
 */
void events_run(struct core *c)
{
	unsigned bucket = (unsigned)c->now & (WHEEL_SIZE - 1);
	uint32_t n = c->wheel[bucket], later = 0;

	if (!n)
		return;
	for (uint32_t k = n; k; k = c->events[k].next)
		if (c->events[k].type == EVENT_CANCEL && c->events[k].cycle == c->now)
			event_run(c, &c->events[k]);
	/* Detach first: handlers add events, never to the present cycle's past. */
	c->wheel[bucket] = 0;
	c->wheel_map[bucket >> 6] &= ~(1ull << (bucket & 63));
	while (n) {
		struct event *v = &c->events[n];
		uint32_t next = v->next;

		if (v->cycle == c->now) {
			struct event copy = *v;

			v->next = c->event_free;
			c->event_free = n;
			if (copy.type != EVENT_CANCEL)
				event_run(c, &copy);
		} else {
			v->next = later;
			later = n;
		}
		n = next;
	}
	while (later) {
		uint32_t next = c->events[later].next;

		c->events[later].next = c->wheel[bucket];
		c->wheel[bucket] = later;
		c->wheel_map[bucket >> 6] |= 1ull << (bucket & 63);
		later = next;
	}
}

uint64_t events_next(const struct core *c)
{
	unsigned start = (unsigned)(c->now + 1) & (WHEEL_SIZE - 1);
	unsigned w = start >> 6, words = WHEEL_SIZE / 64;

	for (unsigned n = 0; n <= words; n++) {
		uint64_t m = c->wheel_map[w];
		if (n == 0)
			m &= ~0ull << (start & 63);
		else if (n == words)
			m &= (start & 63) ? (1ull << (start & 63)) - 1 : 0;
		if (m) {
			unsigned bucket = (w << 6) + (unsigned)__builtin_ctzll(m);
			return c->now + 1 + ((bucket - start) & (WHEEL_SIZE - 1));
		}
		w = (w + 1) % words;
	}
	return CYCLE_NEVER;
}
