#include "winner.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

static inline int64_t winner_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void settle_all(struct winner *w)
{
	for (uint32_t i = w->room - 1; i; i--)
		w->time[i] = winner_earlier(w->time[2 * i], w->time[2 * i + 1]);
}

int winner_grow(struct winner *w, uint32_t slots, struct err *e)
{
	uint32_t room = w->room ? w->room : 16;
	int64_t *time;
	uint32_t *put;

	while (room < slots)
		room *= 2;
	if (room == w->room)
		return 0;
	time = mem_alloc(2 * (size_t)room, sizeof(*time), e);
	put = mem_alloc(room, sizeof(*put), e);
	if (!time || !put) {
		free(time);
		free(put);
		return -1;
	}
	for (uint32_t i = 0; i < room; i++)
		time[room + i] = i < w->room ? w->time[w->room + i] : WINNER_NEVER;
	if (w->unsettled)
		memcpy(put, w->put, w->unsettled * sizeof(*put));
	free(w->time);
	free(w->put);
	w->time = time;
	w->put = put;
	w->room = room;
	settle_all(w);
	return 0;
}

void winner_finish(struct winner *w)
{
	free(w->time);
	free(w->put);
	*w = (struct winner){0};
}

static void climb(struct winner *w, uint32_t slot)
{
	for (uint32_t i = (w->room + slot) / 2; i; i /= 2) {
		int64_t best = winner_earlier(w->time[2 * i], w->time[2 * i + 1]);

		if (w->time[i] == best)
			return;
		w->time[i] = best;
	}
}

void winner_settle(struct winner *w)
{
	/* a climb is up to log2(room) steps with misses, the pass one step a node in order */
	if (w->unsettled > w->room / 16) {
		settle_all(w);
	} else {
		for (uint32_t i = 0; i < w->unsettled; i++)
			climb(w, w->put[i]);
	}
	w->unsettled = 0;
}

void winner_set(struct winner *w, uint32_t slot, int64_t time)
{
	w->time[w->room + slot] = time;
	climb(w, slot);
}

uint32_t winner_slot(const struct winner *w)
{
	uint32_t i = 1;

	while (i < w->room)
		i = w->time[2 * i] == w->time[1] ? 2 * i : 2 * i + 1;
	return i - w->room;
}
