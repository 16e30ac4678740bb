/*
 * A window of time and ranks: which events are written. A message that begins in the window is written to its end,
 * with its packets; states are clipped at both ends. Nodes are defined on first use.
 */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../engine/engine.h"
#include "log_parts.h"

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
	if (!w->node)
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
	tally_finish(&w->flying);
	tally_finish(&w->arrows);
	for (int i = 0; i < LOG_LINES; i++)
		free(w->early[i].at);
}

/* ---- messages ---- */

int log_window_begins(struct log_window *w, const struct log_event *v)
{
	if (!w->on)
		return 1;
	if (v->time < w->from || v->time > w->to || !((w->node[v->from] | w->node[v->to]) & LOG_NODE_WANTED))
		return 0;
	return tally_add(&w->flying, v->serial, NULL) < 0 ? -1 : 1;
}

bool log_window_has(const struct log_window *w, uint64_t serial)
{
	return !w->on || tally_has(&w->flying, serial);
}

bool log_window_ends(struct tally *begun, const struct log_window *w, uint64_t serial)
{
	return !w->on || tally_take(begun, serial);
}

/* ---- ranks ---- */

bool log_window_wants(const struct log_window *w, uint32_t rank, int64_t time)
{
	return rank >= w->first && rank <= w->last && time >= w->from && time <= w->to;
}

int log_window_arrow(struct log_window *w, const struct net_log_arrow *a, uint64_t serial)
{
	if (!w->on)
		return 1;
	if (!log_window_wants(w, a->src, a->time_ps) || !log_window_wants(w, a->dst, a->time_ps))
		return 0;
	return tally_add(&w->arrows, serial, NULL) < 0 ? -1 : 1;
}

int log_window_state(struct log_window *w, enum log_line line, const struct log_event *v)
{
	uint32_t rank = v->from;

	if (rank < w->first || rank > w->last || v->time > w->to)
		return 0;
	if (!w->on || v->time >= w->from)
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
	w->early[line].at[rank] = (struct log_early){v->name, v->at, v->to, v->computes};
	return 0;
}
