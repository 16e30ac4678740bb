/*
 * Timed events: a wheel with a bucket for each cycle. An event beyond the wheel's
 * length stays in its bucket for further turns of the wheel.
 */
#include <assert.h>
#include <stdlib.h>

#include "usual_events.h"

/*
 * Bound of simultaneous events: a slot has at most one address, one resolve, and
 * a few wake-ups, as events of cancelled selections stay in the wheel for up to
 * `latency` cycles.
 */
enum { EVENTS_PER_SLOT = 16 };

static inline void mark_bucket(struct wheel *w, unsigned bucket)
{
	w->bucket_map[bucket >> 6] |= 1ull << (bucket & 63);
	w->bucket_words |= 1u << (bucket >> 6);
}

static inline void unmark_bucket(struct wheel *w, unsigned bucket)
{
	if (!(w->bucket_map[bucket >> 6] &= ~(1ull << (bucket & 63))))
		w->bucket_words &= ~(1u << (bucket >> 6));
}

int events_create(struct core *c, struct err *e)
{
	uint32_t count = (c->win.rob_mask + 1) * EVENTS_PER_SLOT + 1;

	c->wheel.events = calloc(count, sizeof(*c->wheel.events));
	if (!c->wheel.events)
		return err_set(e, STATUS_FAILED, "core: out of memory for %u events", count);
	for (uint32_t n = 1; n < count; n++)
		c->wheel.events[n].next = n + 1 < count ? n + 1 : 0;
	c->wheel.free = 1;
	c->wheel.far_at = CYCLE_NEVER;
	c->wheel.near_wake = calloc((size_t)NEAR_SIZE * c->win.rob_words, sizeof(*c->wheel.near_wake));
	c->wheel.near_address = calloc((size_t)NEAR_SIZE * c->win.rob_words, sizeof(*c->wheel.near_address));
	c->wheel.near_false = calloc((size_t)NEAR_SIZE * c->win.rob_words, sizeof(*c->wheel.near_false));
	c->wheel.near_cancel = calloc((size_t)NEAR_SIZE * c->win.rob_words, sizeof(*c->wheel.near_cancel));
	if (!c->wheel.near_wake || !c->wheel.near_address || !c->wheel.near_false || !c->wheel.near_cancel)
		return err_set(e, STATUS_FAILED, "core: out of memory for the event wheels");
	return 0;
}

void events_destroy(struct core *c)
{
	free(c->wheel.events);
	free(c->wheel.near_wake);
	free(c->wheel.near_address);
	free(c->wheel.near_false);
	free(c->wheel.near_cancel);
}

/* The next cycle whose bucket of the wheel has an event, of this turn of the wheel or a later one. */
static uint64_t far_next(const struct core *c)
{
	const struct wheel *wheel = &c->wheel;
	unsigned start = (unsigned)(c->now + 1) & (WHEEL_SIZE - 1), w = start >> 6, bucket;
	uint64_t m = wheel->bucket_map[w] & ~0ull << (start & 63);

	_Static_assert(WHEEL_SIZE / 64 == 16, "the words after w, twice");
	if (!wheel->bucket_words)
		return CYCLE_NEVER;
	if (!m) { /* the first word behind w; w itself is the last */
		uint32_t turned = (wheel->bucket_words | wheel->bucket_words << 16) >> (w + 1);

		w = (w + 1 + (unsigned)__builtin_ctz(turned)) & (WHEEL_SIZE / 64 - 1);
		m = wheel->bucket_map[w];
	}
	bucket = (w << 6) + (unsigned)__builtin_ctzll(m);
	return c->now + 1 + ((bucket - start) & (WHEEL_SIZE - 1));
}

/* Takes the slot out of a near wheel's row of `cycle`. A small window's row that is then empty is not due. */
static inline void near_clear(struct core *c, uint64_t *wheel, uint64_t cycle, unsigned slot)
{
	unsigned row = (unsigned)cycle & (NEAR_SIZE - 1);

	slot_clear(&wheel[row * c->win.rob_words], slot);
	if (c->win.rob_words == 1 && !(c->wheel.near_wake[row] | c->wheel.near_address[row]))
		c->wheel.near_rows &= ~(1ull << row) | c->wheel.miss_rows;
}

void near_forget(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	uint64_t wake = r->selected + r->uop->latency;
	uint64_t address = r->selected + 2 + c->cfg->core.operand_stages;

	if (r->uop->unit == EXEC_ADDR) {
		if (address >= c->now)
			near_clear(c, c->wheel.near_address, address, slot);
	} else if (r->uop->latency < NEAR_SIZE && wake >= c->now) {
		near_clear(c, c->wheel.near_wake, wake, slot);
	}
}

void event_at(struct core *c, uint64_t cycle, enum event_type type, unsigned slot)
{
	uint32_t n = c->wheel.free;
	struct event *v = &c->wheel.events[n];
	unsigned bucket = (unsigned)cycle & (WHEEL_SIZE - 1);

	assert(cycle >= c->now); /* of the present cycle in a restored core alone, before stage_events */
	assert(slot <= c->win.rob_mask);
	if (!n)
		bug("no event left at cycle %llu", (unsigned long long)c->now);
	c->wheel.free = v->next;
	v->cycle = cycle;
	v->slot = (uint16_t)slot;
	v->type = (uint16_t)type;
	v->generation = c->win.generation[slot];
	v->next = c->wheel.bucket[bucket];
	c->wheel.bucket[bucket] = n;
	mark_bucket(&c->wheel, bucket);
	if (cycle < c->wheel.far_at)
		c->wheel.far_at = cycle;
}

/* Takes all slots out of the rows of loads that miss. */
static void misses_clear(struct core *c)
{
	unsigned words = c->win.rob_words;

	for (; c->wheel.miss_rows; c->wheel.miss_rows &= c->wheel.miss_rows - 1) {
		unsigned at = (unsigned)__builtin_ctzll(c->wheel.miss_rows) * words;

		memset(&c->wheel.near_false[at], 0, words * sizeof(*c->wheel.near_false));
		memset(&c->wheel.near_cancel[at], 0, words * sizeof(*c->wheel.near_cancel));
	}
}

void events_clear(struct core *c)
{
	for (unsigned w = 0; w < WHEEL_SIZE / 64; w++) {
		for (uint64_t m = c->wheel.bucket_map[w]; m; m &= m - 1) {
			uint32_t *bucket = &c->wheel.bucket[(w << 6) + (unsigned)__builtin_ctzll(m)];

			for (uint32_t n = *bucket, next; n; n = next) {
				next = c->wheel.events[n].next;
				c->wheel.events[n].next = c->wheel.free;
				c->wheel.free = n;
			}
			*bucket = 0;
		}
		c->wheel.bucket_map[w] = 0;
	}
	c->wheel.bucket_words = 0;
	c->wheel.far_at = CYCLE_NEVER;
	misses_clear(c);
}

/* Removes the events of the slots from a list; returns the rest. */
static uint32_t events_without(struct core *c, uint32_t list, const uint64_t *slots)
{
	uint32_t *at = &list;

	while (*at) {
		uint32_t n = *at;
		struct event *v = &c->wheel.events[n];

		if (!slot_has(slots, v->slot)) {
			at = &v->next;
			continue;
		}
		*at = v->next;
		v->next = c->wheel.free;
		c->wheel.free = n;
	}
	return list;
}

void events_forget(struct core *c, const uint64_t *slots)
{
	unsigned words = c->win.rob_words;

	for (unsigned n = 0; n < WHEEL_SIZE; n++) {
		if (!c->wheel.bucket[n])
			continue;
		c->wheel.bucket[n] = events_without(c, c->wheel.bucket[n], slots);
		if (!c->wheel.bucket[n])
			unmark_bucket(&c->wheel, n);
	}
	for (unsigned n = 0; n < NEAR_SIZE * words; n++) {
		c->wheel.near_wake[n] &= ~slots[n % words];
		c->wheel.near_address[n] &= ~slots[n % words];
		c->wheel.near_false[n] &= ~slots[n % words];
		c->wheel.near_cancel[n] &= ~slots[n % words];
	}
}

INLINE void event_run(struct core *c, unsigned slot, unsigned type, unsigned generation)
{
	struct rob_entry *r = &c->win.rob[slot];

	if (type != EVENT_CANCEL && generation != c->win.generation[slot])
		return; /* its selection was cancelled */
	c->progress = true;
	switch ((enum event_type)type) {
	case EVENT_WAKE: events_wake(c, slot, c->win.rob_words); break;
	case EVENT_FALSE_WAKE: false_wake(c, slot); break;
	case EVENT_CANCEL: cancel(c, slot); break;
	case EVENT_ARRIVE: array_arrive(c, slot); break;
	case EVENT_RESOLVE:
		if (r->flags & FETCHED_MISPREDICT && !r->poison)
			fetch_restart(c, c->now);
		break;
	}
}

__attribute__((noinline)) static void event_run_any(struct core *c, const struct event *v)
{
	event_run(c, v->slot, v->type, v->generation);
}

/*
 * Runs cancellations first: a cancelled selection must not act in the same cycle.
 * The other events run in stack order, which is the same in every run.
 */
__attribute__((noinline)) static void run_bucket(struct core *c, unsigned bucket)
{
	uint32_t n = c->wheel.bucket[bucket], later = 0;
	for (uint32_t k = n; k; k = c->wheel.events[k].next)
		if (c->wheel.events[k].type == EVENT_CANCEL && c->wheel.events[k].cycle == c->now)
			event_run_any(c, &c->wheel.events[k]);
	/* The list is detached first, as handlers add events to the wheel. */
	c->wheel.bucket[bucket] = 0;
	unmark_bucket(&c->wheel, bucket);
	while (n) {
		struct event *v = &c->wheel.events[n];
		uint32_t next = v->next;

		if (v->cycle == c->now) {
			struct event copy = *v;

			v->next = c->wheel.free;
			c->wheel.free = n;
			if (copy.type != EVENT_CANCEL)
				event_run_any(c, &copy);
		} else {
			v->next = later;
			later = n;
		}
		n = next;
	}
	while (later) {
		uint32_t next = c->wheel.events[later].next;

		c->wheel.events[later].next = c->wheel.bucket[bucket];
		c->wheel.bucket[bucket] = later;
		mark_bucket(&c->wheel, bucket);
		later = next;
	}
}

/* The far events of this cycle: mostly one. */
static void run_far(struct core *c)
{
	struct wheel *w = &c->wheel;
	unsigned bucket = (unsigned)c->now & (WHEEL_SIZE - 1);
	uint32_t n = w->bucket[bucket];
	struct event *v = &w->events[n];

	if (n && (v->next || v->cycle != c->now)) {
		run_bucket(c, bucket);
	} else if (n) {
		w->bucket[bucket] = 0;
		unmark_bucket(w, bucket);
		v->next = w->free;
		w->free = n;
		event_run(c, v->slot, v->type, v->generation);
	}
	w->far_at = far_next(c);
}

/* Far events and those of loads that miss. Cancellations are first, as in run_bucket. */
INLINE void run_rare(struct core *c, unsigned words)
{
	uint64_t row = 1ull << (c->now & (NEAR_SIZE - 1));
	bool misses = c->wheel.miss_rows & row;

	for (unsigned w = 0; misses && w < words; w++)
		for (uint64_t m = take_near(c, c->wheel.near_cancel, w, words); m; m &= m - 1) {
			c->progress = true;
			cancel(c, (w << 6) + (unsigned)__builtin_ctzll(m));
		}
	if (c->now >= c->wheel.far_at)
		run_far(c);
	for (unsigned w = 0; misses && w < words; w++)
		for (uint64_t m = take_near(c, c->wheel.near_false, w, words); m; m &= m - 1) {
			c->progress = true;
			false_wake(c, (w << 6) + (unsigned)__builtin_ctzll(m));
		}
	c->wheel.miss_rows &= ~row;
}

void events_run_rare(struct core *c)
{
	run_rare(c, 1);
}

/* A window of more than 64 slots; see slot_set_in. */
__attribute__((noinline)) static void run_large(struct core *c)
{
	if (events_are_rare(c))
		run_rare(c, c->win.rob_words);
	run_near(c, c->win.rob_words, false);
}

void stage_events(struct core *c)
{
	if (c->win.rob_words == 1)
		events_small(c, false);
	else
		run_large(c);
}

/* Returns whether a far event of this cycle has an effect. */
static bool far_acts(const struct core *c)
{
	for (uint32_t n = c->wheel.bucket[c->now & (WHEEL_SIZE - 1)]; n; n = c->wheel.events[n].next) {
		const struct event *v = &c->wheel.events[n];

		if (v->cycle == c->now && (v->type == EVENT_CANCEL || v->generation == c->win.generation[v->slot]))
			return true;
	}
	return false;
}

/* Returns whether the near wheel has a slot in this cycle. */
static bool near_acts(const struct core *c, const uint64_t *wheel)
{
	unsigned row = (unsigned)c->now & (NEAR_SIZE - 1);
	uint64_t any = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++)
		any |= wheel[row * c->win.rob_words + w];
	return any;
}

bool events_address_acts(const struct core *c)
{
	return near_acts(c, c->wheel.near_address);
}

bool events_resolve(const struct core *c)
{
	for (uint32_t n = c->wheel.bucket[c->now & (WHEEL_SIZE - 1)]; n; n = c->wheel.events[n].next) {
		const struct event *v = &c->wheel.events[n];

		if (v->type == EVENT_RESOLVE && v->cycle == c->now && v->generation == c->win.generation[v->slot] &&
		    c->win.rob[v->slot].flags & FETCHED_MISPREDICT)
			return true;
	}
	return false;
}

/* Returns whether a store waits for the data of `slot`. */
static bool store_waits_for(const struct core *c, unsigned slot)
{
	for (unsigned node = c->win.rob[slot].waiters; node != NODE_NONE; node = c->win.node_next[node])
		if (node & NODE_DATA)
			return true;
	return false;
}

bool events_bring_data(const struct core *c)
{
	unsigned row = (unsigned)c->now & (NEAR_SIZE - 1);

	for (unsigned w = 0; w < c->win.rob_words; w++)
		for (uint64_t m = c->wheel.near_wake[row * c->win.rob_words + w]; m; m &= m - 1)
			if (store_waits_for(c, (w << 6) + (unsigned)__builtin_ctzll(m)))
				return true;
	for (uint32_t n = c->wheel.bucket[c->now & (WHEEL_SIZE - 1)]; n; n = c->wheel.events[n].next) {
		const struct event *v = &c->wheel.events[n];

		if (v->type == EVENT_WAKE && v->cycle == c->now && store_waits_for(c, v->slot))
			return true;
	}
	return false;
}

bool events_act(const struct core *c)
{
	return far_acts(c) || events_address_acts(c) || near_acts(c, c->wheel.near_wake) ||
	       near_acts(c, c->wheel.near_false) || near_acts(c, c->wheel.near_cancel);
}
