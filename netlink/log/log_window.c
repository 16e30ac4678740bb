/*
 * A window of time and ranks: which events are written. A message that begins in the window is written to its end,
 * with its packets; states are clipped at both ends. Nodes are defined on first use.
 */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../engine/engine.h"
#include "log_parts.h"

enum { TABLE_FIRST = 64 };

int log_window_init(struct log_window *w, const struct net_log_setup *s, struct err *e)
{
	*w = (struct log_window){.to = INT64_MAX, .first = 0, .last = UINT32_MAX};
	if (!s->window)
		return 0;
	w->on = true;
	w->from = s->window->from_ps;
	w->to = s->window->to_ps;
	w->first = s->window->first_rank;
	w->last = s->window->last_rank;
	w->node = mem_alloc(s->topology->nodes, 1, e);
	w->serial = mem_alloc(TABLE_FIRST, sizeof(*w->serial), e);
	w->room = TABLE_FIRST;
	if (!w->node || !w->serial)
		return -1;
	for (uint32_t i = 0; i < s->topology->nodes; i++)
		w->node[i] = s->window->node_of ? 0 : LOG_NODE_WANTED;
	for (uint32_t i = w->first; s->window->node_of && i <= w->last && i < s->window->ranks; i++)
		w->node[s->window->node_of[i]] = LOG_NODE_WANTED;
	return 0;
}

void log_window_finish(struct log_window *w)
{
	free(w->node);
	free(w->serial);
	for (int i = 0; i < LOG_LINES; i++)
		free(w->early[i].at);
}

/* ---- hash table of messages in flight that are written: 1 + serial, 0: empty ---- */

static uint32_t slot_of(const struct log_window *w, uint64_t serial)
{
	uint64_t x = serial * 0x9e3779b97f4a7c15U;

	return (uint32_t)(x >> 32) & (w->room - 1);
}

static uint32_t find(const struct log_window *w, uint64_t serial)
{
	uint32_t at = slot_of(w, serial);

	while (w->serial[at] && w->serial[at] != serial + 1)
		at = (at + 1) & (w->room - 1);
	return at;
}

static int widen(struct log_window *w)
{
	struct log_window old = *w;

	w->room *= 2;
	w->serial = mem_alloc(w->room, sizeof(*w->serial), NULL);
	if (!w->serial) {
		*w = old;
		return -1;
	}
	for (uint32_t i = 0; i < old.room; i++)
		if (old.serial[i])
			w->serial[find(w, old.serial[i] - 1)] = old.serial[i];
	free(old.serial);
	return 0;
}

int log_window_begins(struct log_window *w, int64_t time, uint64_t serial, const struct net_message *m)
{
	if (!w->on)
		return 1;
	if (time < w->from || time > w->to || !((w->node[m->src] | w->node[m->dst]) & LOG_NODE_WANTED))
		return 0;
	if (2 * w->count >= w->room && widen(w) < 0)
		return -1;
	w->serial[find(w, serial)] = serial + 1;
	w->count++;
	return 1;
}

bool log_window_has(const struct log_window *w, uint64_t serial)
{
	return !w->on || w->serial[find(w, serial)];
}

/* Removes an entry; later entries of the same probe sequence move up. */
bool log_window_ends(struct log_window *w, uint64_t serial)
{
	uint32_t at, hole;

	if (!log_window_has(w, serial))
		return false;
	if (!w->on)
		return true;
	hole = find(w, serial);
	for (at = (hole + 1) & (w->room - 1); w->serial[at]; at = (at + 1) & (w->room - 1)) {
		uint32_t home = slot_of(w, w->serial[at] - 1);

		if (((at - home) & (w->room - 1)) >= ((at - hole) & (w->room - 1))) {
			w->serial[hole] = w->serial[at];
			hole = at;
		}
	}
	w->serial[hole] = 0;
	w->count--;
	return true;
}

/* ---- ranks ---- */

bool log_window_wants(const struct log_window *w, uint32_t rank, int64_t time)
{
	return rank >= w->first && rank <= w->last && time >= w->from && time <= w->to;
}

int log_window_state(struct log_window *w, enum log_line line, uint32_t rank, uint32_t node, int64_t time,
		     const char *name)
{
	if (rank < w->first || rank > w->last || time > w->to)
		return 0;
	if (!w->on || time >= w->from)
		return 1;
	rank -= w->first;
	if (rank >= w->early[line].count) {
		uint32_t count = w->early[line].count;
		struct log_early *early = mem_resize(w->early[line].at, rank + 1, sizeof(*early), NULL);

		if (!early)
			return -1;
		for (; count <= rank; count++)
			early[count] = (struct log_early){0};
		w->early[line].at = early;
		w->early[line].count = count;
	}
	w->early[line].at[rank] = (struct log_early){name, node};
	return 0;
}
