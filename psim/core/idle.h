/*
 * In a cycle without progress: the next cycle in which each stage can make progress, or CYCLE_NEVER if another stage
 * has to act first. core.c has them inline, so they are here, but for array_next_cycle and wrong_path_next_cycle
 * (core_state.h). `simple`, a constant: there are neither an array nor wrong paths.
 */
#ifndef PSIM_CORE_IDLE_H
#define PSIM_CORE_IDLE_H

#include "core_state.h"

static inline uint64_t events_next(const struct core *c, bool simple)
{
	uint64_t rows = c->wheel.near_rows;
	unsigned first = (unsigned)(c->now + 1) & (NEAR_SIZE - 1);
	uint64_t turned = first ? rows >> first | rows << (NEAR_SIZE - first) : rows;

	(void)simple;
	return turned ? earlier(c->wheel.far_at, c->now + 1 + (uint64_t)__builtin_ctzll(turned)) : c->wheel.far_at;
}

static inline uint64_t lsu_next(const struct core *c, bool simple)
{
	uint64_t next = earlier(c->ls.retry_next, next_free_port(&c->ls.held, c->now));

	(void)simple;
	return c->ls.sb_count ? earlier(next, c->ls.sb[c->ls.sb_head & c->ls.sb_mask].ready) : next;
}

/* The next cycle in which station entries are released. */
static inline uint64_t next_release(const struct core *c)
{
	unsigned first = (unsigned)(c->now + 1) % RELEASE_SIZE;
	unsigned rows = c->win.rs_releasing | c->win.rs_releasing << RELEASE_SIZE;

	return c->now + 1 + (unsigned)__builtin_ctz(rows >> first);
}

static inline uint64_t select_next(const struct core *c, bool simple)
{
	uint64_t next = c->win.rs_releasing ? next_release(c) : CYCLE_NEVER;

	(void)simple;
	for (unsigned n = 0; c->win.ready_rs && n < RS_COUNT; n++)
		next = earlier(next, if_later(c, c->win.unit_busy[n]));
	return next;
}

static inline uint64_t array_next(const struct core *c, bool simple)
{
	return !simple && c->array ? array_next_cycle(c) : CYCLE_NEVER;
}

static inline uint64_t wrong_path_next(const struct core *c, bool simple)
{
	return !simple && wrong_path_may(c->wrong) ? wrong_path_next_cycle(c) : CYCLE_NEVER;
}

/* The next cycle in which fetch can begin a group. */
static inline uint64_t next_group(const struct core *c)
{
	if (c->front.refetch && c->front.group_count < c->cfg->fetch.buffer_entries)
		return c->front.refetch_next;
	if (c->front.feed.at_end || c->front.fetch.blocked || c->front.group_count >= c->cfg->fetch.buffer_entries)
		return CYCLE_NEVER;
	return c->front.fetch.next;
}

/* The front end is idle. While D waits as well, quiet_until has the next cycle of both its stages. */
static inline uint64_t decode_next(const struct core *c, bool simple)
{
	const struct front_end *f = &c->front;

	(void)simple;
	if (!c->win.may_dispatch)
		return f->quiet_until;
	return f->group_count && !f->latch[0] ? if_later(c, f->groups[f->group_head & f->group_mask].available - 1)
					      : CYCLE_NEVER;
}

static inline uint64_t fetch_next(const struct core *c, bool simple)
{
	(void)simple;
	return c->win.may_dispatch ? next_group(c) : CYCLE_NEVER;
}

/* After decode and fetch, with D waiting: front_end.quiet_until. */
static inline uint64_t front_next(const struct core *c)
{
	const struct front_end *f = &c->front;
	uint64_t next = next_group(c);

	if (f->last > 1 && f->latch_sum != f->latch[f->last])
		return c->now + 1; /* instructions may move between the stages before D */
	if (!f->group_count || f->latch[0])
		return next;
	return earlier(next, f->groups[f->group_head & f->group_mask].available - 1);
}

static inline uint64_t commit_next(const struct core *c, bool simple)
{
	const struct rob_entry *r = c->win.oldest;

	if (!c->win.rob_count)
		return CYCLE_NEVER;
	/* a completed instruction that cannot commit waits for a transfer or the PEs' store buffer */
	return !simple && c->array && r->done <= c->now && waits_for_array(r) ? CYCLE_NEVER : r->done;
}

#endif
