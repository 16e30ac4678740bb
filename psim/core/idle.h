/*
 * In a cycle without progress: the next cycle in which each stage can make progress, or CYCLE_NEVER if another stage
 * has to act first. core.c has them inline, so they are here, but for events_next, array_next_cycle, wrong_path_next
 * (core_state.h).
 */
#ifndef PSIM_CORE_IDLE_H
#define PSIM_CORE_IDLE_H

#include "core_state.h"

static inline uint64_t lsu_next(const struct core *c)
{
	uint64_t next = earlier(c->ls.retry_next, next_free_port(&c->ls.held, c->now));

	return c->ls.sb_count ? earlier(next, c->ls.sb[c->ls.sb_head & c->ls.sb_mask].ready) : next;
}

/* The next cycle in which station entries are released. */
static inline uint64_t next_release(const struct core *c)
{
	unsigned first = (unsigned)(c->now + 1) % RELEASE_SIZE;
	unsigned rows = c->win.rs_releasing | c->win.rs_releasing << RELEASE_SIZE;

	return c->now + 1 + (unsigned)__builtin_ctz(rows >> first);
}

static inline uint64_t select_next(const struct core *c)
{
	uint64_t next = c->win.rs_releasing ? next_release(c) : CYCLE_NEVER;

	for (unsigned n = 0; c->win.ready_rs && n < RS_COUNT; n++)
		next = earlier(next, if_later(c, c->win.unit_busy[n]));
	return next;
}

static inline uint64_t array_next(const struct core *c)
{
	return c->array ? array_next_cycle(c) : CYCLE_NEVER;
}

static inline uint64_t decode_next(const struct core *c)
{
	return c->front.group_count
		       ? if_later(c, c->front.groups[c->front.group_head & c->front.group_mask].available - 1)
		       : CYCLE_NEVER;
}

static inline uint64_t fetch_next(const struct core *c)
{
	if (c->front.refetch && c->front.group_count < c->cfg->fetch.buffer_entries)
		return c->front.refetch_next;
	if (c->front.feed.at_end || c->front.fetch.blocked || c->front.group_count >= c->cfg->fetch.buffer_entries)
		return CYCLE_NEVER;
	return c->front.fetch.next;
}

static inline uint64_t commit_next(const struct core *c)
{
	const struct rob_entry *r = &c->win.rob[c->win.rob_head];

	if (!c->win.rob_count)
		return CYCLE_NEVER;
	/* a completed instruction that cannot commit waits for a transfer or the PEs' store buffer */
	return c->array && r->done <= c->now && waits_for_array(r) ? CYCLE_NEVER : r->done;
}

#endif
