/* Words of a core's key, written and read: shared by core_key.c, core_restore.c and array_key.c. */
#ifndef PSIM_REPLAY_KEY_WORDS_H
#define PSIM_REPLAY_KEY_WORDS_H

#include "core_key.h"
#include "../core/core_state.h"
#include "key_format.h"

/* ---- written ---- */
struct out {
	uint32_t *at;
	uint64_t high; /* not 0: a cycle is too far ahead for a word */
};

static inline void put_key(struct out *k, uint64_t v)
{
	*k->at++ = (uint32_t)v;
}

static inline void put_64(struct out *k, uint64_t v)
{
	put_key(k, v);
	put_key(k, v >> 32);
}

/* A cycle relative to now. All cycles at least `back` cycles ago are equal. */
static inline uint32_t time_since(struct out *k, const struct core *c, uint64_t cycle, uint64_t back)
{
	uint64_t ahead = cycle + back - c->now + KEY_PAST;

	if (cycle == CYCLE_NEVER)
		return KEY_NEVER;
	if (cycle + back <= c->now)
		return KEY_PAST;
	k->high |= ahead >> 32;
	return (uint32_t)ahead;
}

static inline uint32_t time_of(struct out *k, const struct core *c, uint64_t cycle)
{
	return time_since(k, c, cycle, 0);
}

/* Ports held by wide accesses: their number, and until when. */
static inline void put_held_ports(struct out *k, const struct core *c, const struct held_ports *h)
{
	unsigned over = 0;

	while (over < h->count && h->until[over] <= c->now)
		over++;
	put_key(k, h->count - over);
	for (; over < h->count; over++)
		put_key(k, time_of(k, c, h->until[over]));
}

/* The n-th 64 slots of a set, from the oldest on. */
static inline uint64_t by_age(const struct window *w, const uint64_t *set, unsigned n)
{
	unsigned at = (w->rob_head >> 6) + n, bit = w->rob_head & 63, mask = w->rob_words - 1;
	uint64_t low = set[at & mask];

	return bit ? low >> bit | set[(at + 1) & mask] << (64 - bit) : low;
}

/* core_key.c: writes the rows of a near wheel that have slots, from that of the present cycle on. */
void put_near(struct out *k, const struct core *c, const uint64_t *wheel, uint64_t rows);
/* Writes the sets of slots that have some, which are in the window: their map, then a bit for each age. */
void put_slot_sets(struct out *k, const struct core *c, const uint64_t *const *set, unsigned count);

/* ---- read ---- */
struct in {
	const uint32_t *at;
	struct addresses from; /* those not yet taken */
};

static inline uint32_t core_restore_get(struct in *k)
{
	return *k->at++;
}

static inline uint64_t get_64(struct in *k)
{
	uint64_t low = core_restore_get(k);

	return low | (uint64_t)core_restore_get(k) << 32;
}

static inline uint64_t next_address(struct address_queue *q)
{
	return q->ring[q->first++ & q->mask];
}

static inline uint64_t cycle_since(const struct core *c, uint32_t word, uint64_t back)
{
	return word == KEY_NEVER ? CYCLE_NEVER : c->now + word - KEY_PAST - back;
}

static inline uint64_t get_cycle(const struct core *c, struct in *k)
{
	return cycle_since(c, core_restore_get(k), 0);
}

static inline void get_held_ports(const struct core *c, struct in *k, struct held_ports *h)
{
	h->count = core_restore_get(k);
	for (unsigned n = 0; n < h->count; n++)
		h->until[n] = get_cycle(c, k);
}

/* core_restore.c: reads the rows of a near wheel. */
void get_near(struct core *c, struct in *k, uint64_t *wheel, uint64_t *rows);
/* Reads `count` sets, and the sizes of those that have slots; others are not changed. */
void get_slot_sets(const struct core *c, struct in *k, uint64_t *const *set, unsigned *ret_size, unsigned count);

/* ---- array_key.c: the array's part; the window is written and read before ---- */
void array_key_put(struct out *k, const struct core *c);
void array_key_get(struct core *c, struct in *k);

#endif
