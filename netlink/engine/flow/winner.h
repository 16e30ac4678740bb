/*
 * A tournament tree of times: the earliest of many, each of which may change.
 *
 * A tree over the slots 0 … room-1 in an array; each inner node is the minimum of its two children. Changing one
 * time updates its ancestors while the minimum changes; changing most times at once costs one pass (winner_put, then
 * winner_settle).
 */
#ifndef PSIM_NETLINK_FLOW_WINNER_H
#define PSIM_NETLINK_FLOW_WINNER_H

#include <stdint.h>

#include "../../../psim/base/err.h"

#define WINNER_NEVER INT64_MAX

struct winner {
	uint32_t room;      /* slots: a power of two, or 0 */
	int64_t *time;      /* [2 * room]: node 1 is the root, slot s is room + s */
	uint32_t unsettled; /* slots put since the last settle */
	uint32_t *put;      /* [room]: which */
};

/* Makes room for `slots`; new ones are at WINNER_NEVER. 0, or -1 with `e` if memory is short. */
int winner_grow(struct winner *w, uint32_t slots, struct err *e);
void winner_finish(struct winner *w);

/* Sets the time of a slot; the tree is invalid until winner_settle. At most once a slot in between. */
static inline void winner_put(struct winner *w, uint32_t slot, int64_t time)
{
	if (w->time[w->room + slot] == time)
		return;
	w->time[w->room + slot] = time;
	w->put[w->unsettled++] = slot;
}

void winner_settle(struct winner *w);

/* Sets a time and settles the tree. */
void winner_set(struct winner *w, uint32_t slot, int64_t time);

/* The earliest time; WINNER_NEVER if there is none. */
static inline int64_t winner_best(const struct winner *w)
{
	return w->room ? w->time[1] : WINNER_NEVER;
}

/* The lowest slot of the earliest time; at least one must have a time. */
uint32_t winner_slot(const struct winner *w);

#endif
