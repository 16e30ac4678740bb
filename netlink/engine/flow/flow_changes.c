/*
 * Links that fail or are repaired during the run, after the ends and notices of that instant and before its starts.
 * Bytes that have left the source of a message arrive; the rest flows over the routes of the new network. A message
 * whose route is the same as before goes on.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow_state.h"

static const double LEFT_LEAST = 1e-9; /* bytes: it drains in an instant, and ends in its turn */

/* A message in progress. */
struct under_way {
	uint64_t number;
	uint32_t flow; /* the first one of its group */
};
struct flow_list {
	struct vec_of(struct under_way) at;
};

static int compare_under_way(const void *a, const void *b)
{
	const struct under_way *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Lists the messages between nodes that flow, by their numbers. */
static int list_messages(const struct net_engine *n, struct flow_list *list, struct err *e)
{
	const struct fluid *f = &n->fluid;

	for (size_t i = 0; i < f->flow.count; i++) {
		const struct flow_message *x = &n->messages.at[f->amount.at[i].used ? f->amount.at[i].tag : 0];
		uint32_t group = f->given.at[i].group;
		struct under_way *to;

		if (!f->amount.at[i].used || x->m.src == x->m.dst)
			continue;
		if (group != FLUID_ALONE && f->group.at[group].first != i)
			continue;
		to = vec_push(&list->at, e);
		if (!to)
			return -1;
		*to = (struct under_way){x->number, (uint32_t)i};
	}
	if (list->at.count)
		qsort(list->at.at, list->at.count, sizeof(*list->at.at), compare_under_way);
	return 0;
}

/* Returns whether the only route of a message, which is in n->path, is that of its flow; NICs do not count. */
static bool same_route(const struct net_engine *n, uint32_t flow, unsigned links)
{
	uint32_t hops;
	const uint32_t *path = fluid_path(&n->fluid, &n->fluid.flow.at[flow], &hops);

	while (hops && path[hops - 1] >= n->topology->links)
		hops--;
	return n->routes == ROUTES_ONE && hops == links && !memcmp(path + 1, n->path + 1, (links - 2) * sizeof(*path));
}

static int flow_begin_again(struct net_engine *n, uint32_t flow, struct net_change_effect *effect, struct err *e)
{
	uint32_t slot = n->fluid.amount.at[flow].tag;
	struct flow_message *x = &n->messages.at[slot];
	int links = n->routes == ROUTES_ONE ? flow_find_first(n, x, e) : 0;

	if (links < 0)
		return -1;
	if (n->routes == ROUTES_ONE && same_route(n, flow, (unsigned)links))
		return 0;
	flow_forget_routes(n, flow);
	x->bytes = fmax(fluid_cut(&n->fluid, n->now_ps, flow), LEFT_LEAST);
	if (n->routes != ROUTES_ONE)
		links = flow_find_first(n, x, e);
	if (links < 0)
		return -1;
	effect->messages++;
	effect->bytes += (uint64_t)(x->bytes + 0.5);
	return flow_start(n, slot, (unsigned)links, e);
}

int flow_change(struct net_engine *n, struct err *e)
{
	struct net_change_effect *effect;
	struct flow_list list = {0};
	int result;

	n->topology = net_changes_take(&n->network, &effect);
	result = list_messages(n, &list, e);
	for (size_t i = 0; i < list.at.count && !result; i++)
		result = flow_begin_again(n, list.at.at[i].flow, effect, e);
	vec_finish(&list.at);
	return result;
}
