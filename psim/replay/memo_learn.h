/*
 * Loop periods, between memo_learn.c, which learns one, and memo_loop_period.c, which replays them; and the lines of
 * their accesses.
 */
#ifndef PSIM_REPLAY_MEMO_LEARN_H
#define PSIM_REPLAY_MEMO_LEARN_H

#include "memo_fetch.h"

enum {
	LOOP_PERIODS_LEAST = 4,   /* two to learn, and two that pay */
	LOOP_PERIOD_FAILURES = 3, /* in a row that cost little: behind the begin of a page all is regular soon */
};

/* Works out the length of a loop period. False: the feed is in no loop that has loop periods. */
bool loop_period_measure(const struct core *c, struct loop_period *l);
/* Replays two loop periods in a row, step by step, and learns one if they are the same; as loop_period_replay. */
enum replayed loop_period_learn(struct core *c, struct replay_place *at, uint64_t end, bool *ret_learned);

/* memo_learn_array.c: loop periods for which the array's part of the machine stays as it is, at most `left`. */
uint64_t loop_period_array_room(const struct core *c, const struct loop_period *l, uint64_t left);
/* Notes the lines of transfers. False: the loop period accesses L1D too, or has too many. */
bool loop_period_note_transfers(struct loop_period *l);
/* Returns whether the stores to SBM in flight are those of a loop period before, moved. */
bool loop_period_sbm_moves(const struct core *c, const struct loop_period *l);

/* Returns whether the step accesses a line of L1D. */
static inline bool loop_period_accesses(const struct loop_period_step *s)
{
	return s->kind > LOOP_PERIOD_SET;
}

/* Returns whether the step may be at a port of L1D. */
static inline bool loop_period_at_port(const struct loop_period_step *s)
{
	return loop_period_accesses(s) || s->kind == LOOP_PERIOD_PURE;
}

/* Returns whether the step has an address. */
static inline bool loop_period_has_address(const struct loop_period_step *s)
{
	return loop_period_at_port(s) || s->kind == LOOP_PERIOD_SBM;
}

/* Loop periods before the address leaves its block of `size` bytes, a power of two. */
static inline uint64_t loop_period_room(const struct loop_period *l, uint64_t ea, uint64_t size)
{
	uint64_t inside = ea & (size - 1);

	return (int64_t)l->distance > 0 ? (size - 1 - inside) / l->distance : inside / -l->distance;
}

/* The line of an access in the present cycle. */
static inline struct loop_period_line loop_period_line_of(const struct core *c, uint64_t ea)
{
	const struct cache *l1 = &c->mem->l1d.cache;
	uint64_t address = (ea ^ c->mem->space) & ~UINT64_C(3);
	const uint64_t *tag = cache_quick(l1, address);
	struct loop_period_line ret = {.first = cache_has(l1, *tag, address)};

	ret.fill_pending = ret.first && *tag & LINE_FILL_PENDING;
	if (ret.fill_pending)
		ret.fill = l1->fill[tag - l1->tag] - fill_word(c->now, 0, false);
	return ret;
}

/* Compares the lines of two accesses, each in its cycle. */
static inline bool loop_period_same_line(const struct loop_period_line *a, const struct loop_period_line *b)
{
	return a->first == b->first && a->fill_pending == b->fill_pending && a->fill == b->fill;
}

/* Lines that L2 has taken from L1. */
static inline uint64_t loop_period_invalidated(const struct core *c)
{
	return c->mem->stats.l1d_invalidated + c->mem->stats.l1i_invalidated;
}

#endif
