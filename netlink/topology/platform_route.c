/* Routes of a platform, from zone to zone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"
#include "platform.h"

int platform_step(struct platform_path *path, uint32_t link, struct err *e)
{
	if (path->count == PLATFORM_ROUTE_MAX)
		return err_set(e, STATUS_BAD_INPUT, "a route of more than %d links, expected fewer",
			       PLATFORM_ROUTE_MAX);
	path->link[path->count++] = link;
	return 0;
}

static const char *name_of_point(const struct platform *p, uint32_t point)
{
	return name_table_text(&p->points_by_name, point);
}

/* ---- the table of listed routes ---- */

static uint32_t *route_slot(const struct platform *p, uint32_t from, uint32_t to)
{
	size_t i = hash_low((uint64_t)from << 32 | to) & (p->pairs - 1);

	while (p->pair[i] && (p->routes.at[p->pair[i] - 1].from != from || p->routes.at[p->pair[i] - 1].to != to))
		i = (i + 1) & (p->pairs - 1);
	return &p->pair[i];
}

const struct platform_route *platform_find_route(const struct platform *p, uint32_t from, uint32_t to)
{
	uint32_t number = p->pairs ? *route_slot(p, from, to) : 0;

	return number ? &p->routes.at[number - 1] : NULL;
}

int platform_add_route(struct platform *p, const struct platform_route *route, struct err *e)
{
	struct platform_route *place;

	if (2 * p->routes.count >= p->pairs) {
		size_t pairs = p->pairs ? 2 * p->pairs : 1024;
		uint32_t *larger = mem_alloc(pairs, sizeof(*larger), e);

		if (!larger)
			return -1;
		free(p->pair);
		p->pair = larger;
		p->pairs = pairs;
		for (uint32_t i = 0; i < p->routes.count; i++)
			*route_slot(p, p->routes.at[i].from, p->routes.at[i].to) = i + 1;
	}
	place = vec_push(&p->routes, e);
	if (!place)
		return -1;
	*place = *route;
	*route_slot(p, route->from, route->to) = (uint32_t)p->routes.count;
	return 0;
}

/* ---- within a zone ---- */

static int add_listed(const struct platform *p, const struct platform_route *r, struct platform_path *path,
		      struct err *e)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (platform_step(path, p->listed.at[r->first + i], e))
			return -1;
	return 0;
}

/* Adds a listed route, from a point in one member to a point in the other. */
static int cross(const struct platform *p, const struct platform_route *r, uint32_t from, uint32_t to,
		 struct platform_path *path, struct err *e)
{
	if (from != r->gw_from && platform_find_path(p, from, r->gw_from, path, e))
		return -1;
	if (add_listed(p, r, path, e))
		return -1;
	return r->gw_to != to ? platform_find_path(p, r->gw_to, to, path, e) : 0;
}

static int no_route(const struct platform *p, uint32_t zone, uint32_t from, uint32_t to, struct err *e)
{
	return err_set(e, STATUS_BAD_INPUT, "no route from %s to %s in zone %s, expected one", name_of_point(p, from),
		       name_of_point(p, to), name_of_point(p, p->zones.at[zone].point));
}

/* Goes from neighbour to neighbour; within a zone on the route, from gateway to gateway. */
static int go_shortest(const struct platform *p, uint32_t zone, const uint32_t member[2], const uint32_t end[2],
		       struct platform_path *path, struct err *e)
{
	const struct platform_zone *z = &p->zones.at[zone];
	const uint32_t *before = z->before + z->members.count * p->points.at[member[0]].rank;
	uint32_t route[PLATFORM_SHORTEST_MAX], length = 0, at = end[0];

	for (uint32_t rank = p->points.at[member[1]].rank; rank != NAME_NONE; rank = before[rank])
		route[length++] = z->members.at[rank];
	if (route[length - 1] != member[0])
		return no_route(p, zone, member[0], member[1], e);
	for (uint32_t i = length; i-- > 1;) {
		const struct platform_route *r = platform_find_route(p, route[i], route[i - 1]);

		if (cross(p, r, at, r->gw_to, path, e))
			return -1;
		at = r->gw_to;
	}
	return at != end[1] ? platform_find_path(p, at, end[1], path, e) : 0;
}

/* Adds a link of a star, unless it is there: a backbone is crossed once. */
static int step_once(struct platform_path *path, uint32_t from, uint32_t link, struct err *e)
{
	if (link == NAME_NONE)
		return 0;
	for (uint32_t i = from; i < path->count; i++)
		if (path->link[i] == link)
			return 0;
	return platform_step(path, link, e);
}

static int go_star(const struct platform_point *a, const struct platform_point *b, struct platform_path *path,
		   struct err *e)
{
	uint32_t from = path->count;

	if (step_once(path, from, a->limiter, e) || step_once(path, from, a->up, e) || step_once(path, from, a->out, e))
		return -1;
	return step_once(path, from, b->out, e) || step_once(path, from, b->down, e) ||
			       step_once(path, from, b->limiter, e)
		       ? -1
		       : 0;
}

/* Goes from one member of a zone to another: from point end[0] in the first to end[1] in the second. */
static int go_between(const struct platform *p, uint32_t zone, const uint32_t member[2], const uint32_t end[2],
		      struct platform_path *path, struct err *e)
{
	const struct platform_point *a = &p->points.at[member[0]], *b = &p->points.at[member[1]];
	const struct platform_route *r;

	switch (p->zones.at[zone].routing) {
	case PLATFORM_FULL:
		r = platform_find_route(p, member[0], member[1]);
		return r ? cross(p, r, end[0], end[1], path, e) : no_route(p, zone, member[0], member[1], e);
	case PLATFORM_SHORTEST: return go_shortest(p, zone, member, end, path, e);
	case PLATFORM_STAR: return go_star(a, b, path, e);
	case PLATFORM_NOTHING: return no_route(p, zone, member[0], member[1], e);
	default:
		if (a->node == NAME_NONE || b->node == NAME_NONE) /* a router has no links there */
			return 0;
		return platform_cluster_route(p, &p->zones.at[zone], a->rank, b->rank, path, e);
	}
}

/* Returns the member of the zone at `depth` that the point is in, or is. */
static uint32_t member_at(const struct platform *p, uint32_t point, uint32_t depth)
{
	while (p->zones.at[p->points.at[point].zone].depth > depth)
		point = p->zones.at[p->points.at[point].zone].point;
	return point;
}

int platform_find_path(const struct platform *p, uint32_t from, uint32_t to, struct platform_path *path, struct err *e)
{
	uint32_t depth = p->zones.at[p->points.at[from].zone].depth, other = p->zones.at[p->points.at[to].zone].depth;
	uint32_t end[2] = {from, to}, member[2];

	if (from == to)
		return 0;
	depth = other < depth ? other : depth;
	for (;; depth--) {
		member[0] = member_at(p, from, depth);
		member[1] = member_at(p, to, depth);
		if (p->points.at[member[0]].zone == p->points.at[member[1]].zone)
			break;
	}
	return go_between(p, p->points.at[member[0]].zone, member, end, path, e);
}
