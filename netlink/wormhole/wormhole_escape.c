#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "wormhole_check_state.h"

#define NONE NETWORK_NONE
enum { ESCAPES_MAX = 1 << 16 }; /* a matrix of 512 MiB */

struct escape_graph {
	uint32_t count;
	uint32_t *number;       /* [virtual channel]; NONE: no escape channel */
	uint32_t *channel;      /* [number] */
	uint64_t *after;        /* [number]: bit set of the escape channels on which it depends */
	size_t words;           /* of each set */
	uint32_t *mark, *stack; /* [virtual channel] for the search from one escape channel */
	uint32_t searches;
};

int escape_channel_start(struct check *c)
{
	struct escape_graph *g = c->graph = mem_alloc(1, sizeof(*g), c->e);

	if (!g)
		return -1;
	g->number = mem_alloc(c->vcs + 1, sizeof(*g->number), c->e);
	g->channel = mem_alloc(c->vcs + 1, sizeof(*g->channel), c->e);
	g->mark = mem_alloc(c->vcs + 1, sizeof(*g->mark), c->e);
	g->stack = mem_alloc(c->vcs + 1, sizeof(*g->stack), c->e);
	if (!g->number || !g->channel || !g->mark || !g->stack)
		return -1;
	for (uint32_t v = 0; v < c->vcs; v++) {
		uint32_t from = 0;

		/* whoever holds a channel from which no dependence leads on arrives */
		c->escape[v] = c->escape[v] || check_next_after(c, v, &from) == NONE;
		g->number[v] = c->escape[v] ? g->count : NONE;
		if (c->escape[v])
			g->channel[g->count++] = v;
	}
	if (g->count > ESCAPES_MAX)
		return err_set(c->e, STATUS_BAD_INPUT, "%s: %u escape channels, expected at most %d for the check",
			       c->n->file, g->count, ESCAPES_MAX);
	g->words = (g->count + 63) / 64;
	g->after = mem_alloc(g->count * g->words + 1, sizeof(*g->after), c->e);
	return g->after ? 0 : -1;
}

void escape_channel_finish(struct check *c)
{
	if (!c->graph)
		return;
	free(c->graph->number);
	free(c->graph->channel);
	free(c->graph->after);
	free(c->graph->mark);
	free(c->graph->stack);
	free(c->graph);
	c->graph = NULL;
}

/* Records that nothing keeps a head at `place` from waiting for ever; returns -1. */
static int doubt(struct check *c, uint32_t place, uint32_t dest, const char *what)
{
	struct err e, *before = c->e;

	c->e = &e;
	check_wrong(c, place, dest, what);
	c->e = before;
	c->out->cyclic = true;
	c->out->waits = "a head can wait without an escape";
	snprintf(c->out->cycle, sizeof(c->out->cycle), "%.700s", e.text);
	return -1;
}

/* True if `q` tests a channel, and its answer is a reason for the head to wait as it does. */
static bool lets_wait(const struct check *c, const struct check_call *call, const struct check_question *q)
{
	uint32_t tested;
	bool way = false;

	if (q->word != 'v' || q->port < 0 || q->vc < 0)
		return false;
	tested = check_channel(c, call->place, q->port, q->vc);
	if (call->to != NONE)
		return q->yes && tested == call->to;
	for (unsigned w = 0; w < call->hop_count; w++)
		way |= call->next_hops[w] == tested;
	return way && !q->yes && c->escape[tested];
}

int escape_channel_judge(struct check *c, const struct check_call *call)
{
	char text[320], name[192];

	if (call->place >= c->vcs || (call->to != NONE && c->escape[call->to]))
		return 0; /* at its source a message holds nothing that others wait for */
	for (unsigned k = 0; k < call->asked_count; k++)
		if (lets_wait(c, call, &call->asked[k]))
			return 0;
	if (call->to == NONE)
		return doubt(c, call->place, call->dest,
			     "says retry, expected a test by swt_virt_free that an escape channel is held");
	check_place_name(c, call->to, name, sizeof(name));
	snprintf(text, sizeof(text), "waits for %s, expected escape, or a test by swt_virt_free that it is free", name);
	return doubt(c, call->place, call->dest, text);
}

/* Adds the escape channels that a message to one destination may request after `from`, before it holds another. */
static void search(struct check *c, uint32_t from)
{
	struct escape_graph *g = c->graph;
	uint64_t *after = g->after + g->number[from] * g->words;
	uint32_t depth = 0;

	g->searches++;
	g->stack[depth++] = from;
	while (depth) {
		uint32_t k = c->place_in_order[g->stack[--depth]];

		for (uint32_t w = c->hop_first[k]; w < c->hop_first[k + 1]; w++) {
			uint32_t to = c->next_hops[w];

			if (c->escape[to]) {
				after[g->number[to] / 64] |= 1ull << g->number[to] % 64;
			} else if (g->mark[to] != g->searches) {
				g->mark[to] = g->searches;
				g->stack[depth++] = to;
			}
		}
	}
}

int escape_channel_add(struct check *c, uint32_t dest, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		bool found = c->order[k] >= c->vcs || check_ends_here(c, c->order[k], dest);

		c->place_in_order[c->order[k]] = k;
		for (uint32_t w = c->hop_first[k]; w < c->hop_first[k + 1]; w++)
			found |= c->escape[c->next_hops[w]];
		if (!found)
			return doubt(c, c->order[k], dest, "leaves no escape channel, expected escape(p,v)");
	}
	for (uint32_t k = 0; k < count; k++)
		if (c->order[k] < c->vcs && c->escape[c->order[k]])
			search(c, c->order[k]);
	return 0;
}

uint32_t escape_channel_next(const struct check *c, uint32_t place, uint32_t *from)
{
	const struct escape_graph *g = c->graph;

	if (g->number[place] == NONE)
		return NONE;
	for (size_t bit = *from; bit < g->words * 64; bit++) {
		uint64_t rest = g->after[g->number[place] * g->words + bit / 64] >> bit % 64;

		if (!rest) {
			bit |= 63;
			continue;
		}
		bit += (unsigned)__builtin_ctzll(rest);
		*from = (uint32_t)bit + 1;
		return g->channel[bit];
	}
	return NONE;
}
