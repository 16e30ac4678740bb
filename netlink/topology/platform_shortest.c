/* Zones of routing Floyd and Dijkstra: the ways of the fewest links between neighbours. */
#include <inttypes.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "platform.h"

/* The routes of a zone by the rank of their first end. */
struct neighbours {
	uint32_t *first, *route;
};

static int sort_routes(const struct platform *p, uint32_t zone, struct neighbours *n, struct err *e)
{
	size_t count = p->zones.at[zone].members.count;

	n->first = mem_alloc(count + 2, sizeof(*n->first), e);
	n->route = mem_alloc(p->routes.count + 1, sizeof(*n->route), e);
	if (!n->first || !n->route)
		return -1;
	for (size_t i = 0; i < p->routes.count; i++)
		if (p->points.at[p->routes.at[i].from].zone == zone)
			n->first[p->points.at[p->routes.at[i].from].rank + 2]++;
	for (size_t v = 2; v < count + 2; v++)
		n->first[v] += n->first[v - 1];
	for (size_t i = 0; i < p->routes.count; i++)
		if (p->points.at[p->routes.at[i].from].zone == zone)
			n->route[n->first[p->points.at[p->routes.at[i].from].rank + 1]++] = (uint32_t)i;
	return 0;
}

/* Returns the rank of the least cost that is not done, the first of equals; NAME_NONE: there is none. */
static uint32_t nearest_rank(const uint32_t *cost, const bool *done, size_t count)
{
	uint32_t at = NAME_NONE;

	for (uint32_t i = 0; i < count; i++)
		if (!done[i] && cost[i] != NAME_NONE && (at == NAME_NONE || cost[i] < cost[at]))
			at = i;
	return at;
}

/*
 * Searches from rank `from` to all (E. Dijkstra, 1959). `before`: [rank], the rank before it on its way, or NAME_NONE.
 */
static void search_zone(const struct platform *p, const struct neighbours *n, size_t count, uint32_t from,
			uint32_t *before, uint32_t *cost, bool *done)
{
	for (uint32_t i = 0; i < count; i++)
		cost[i] = before[i] = NAME_NONE, done[i] = false;
	cost[from] = 0;
	for (uint32_t at = from; at != NAME_NONE; at = nearest_rank(cost, done, count)) {
		done[at] = true;
		for (uint32_t i = n->first[at]; i < n->first[at + 1]; i++) {
			const struct platform_route *r = &p->routes.at[n->route[i]];
			uint32_t to = p->points.at[r->to].rank;

			if (cost[at] + r->count < cost[to] && !done[to]) {
				cost[to] = cost[at] + r->count;
				before[to] = at;
			}
		}
	}
}

static int prepare_zone(struct platform *p, uint32_t zone, const char *file, struct err *e)
{
	struct platform_zone *z = &p->zones.at[zone];
	size_t count = z->members.count;
	struct neighbours n = {0};
	uint32_t *cost;
	bool *done;
	int result;

	if (count > PLATFORM_SHORTEST_MAX)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: zone %s of %zu members, expected at most %d of routing Floyd or Dijkstra", file,
			       name_table_text(&p->points_by_name, z->point), count, PLATFORM_SHORTEST_MAX);
	z->before = mem_alloc(count * count + 1, sizeof(*z->before), e);
	cost = mem_alloc(count + 1, sizeof(*cost), e);
	done = mem_alloc(count + 1, sizeof(*done), e);
	result = z->before && cost && done && !sort_routes(p, zone, &n, e) ? 0 : -1;
	for (uint32_t from = 0; !result && from < count; from++)
		search_zone(p, &n, count, from, z->before + from * count, cost, done);
	free(cost);
	free(done);
	free(n.first);
	free(n.route);
	return result;
}

int platform_prepare(struct platform *p, const char *file, struct err *e)
{
	for (uint32_t zone = 0; zone < p->zones.count; zone++)
		if (p->zones.at[zone].routing == PLATFORM_SHORTEST && prepare_zone(p, zone, file, e))
			return -1;
	return 0;
}
