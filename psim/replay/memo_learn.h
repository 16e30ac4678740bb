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
