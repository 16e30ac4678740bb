/*
 * Clusters of platforms: links and routes as SimGrid numbers and finds them (its TorusZone, FatTreeZone and
 * DragonflyZone, version 3.32). A torus goes round by dimensions. A tree takes the parent by the digits of the
 * destination's place, D-mod-k. A dragonfly goes by the blade of the other group's number in chassis 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

enum { LISTS_MAX = 4, CLUSTER_SIDE_MAX = 1 << 12 };

/* "2;4,4;1,2;1,2": lists of numbers. */
struct number_lists {
	unsigned lists, count[LISTS_MAX];
	uint32_t value[LISTS_MAX][PLATFORM_LEVELS_MAX];
};

static int parse_lists(const struct lines *lines, const char *text, struct number_lists *l)
{
	*l = (struct number_lists){.lists = 1};
	for (const char *at = text;; at++) {
		char *end;
		unsigned long number = strtoul(at, &end, 10);
		unsigned list = l->lists - 1;

		if (*at < '0' || *at > '9' || !number || number > CLUSTER_SIDE_MAX ||
		    l->count[list] == PLATFORM_LEVELS_MAX)
			return lines_wrong(lines,
					   "topo_parameters %.40s: expected lists of at most %d numbers, 1 to %d", text,
					   PLATFORM_LEVELS_MAX, CLUSTER_SIDE_MAX);
		l->value[list][l->count[list]++] = (uint32_t)number;
		at = end;
		if (!*at)
			return 0;
		if (*at == ';' && l->lists < LISTS_MAX)
			l->lists++;
		else if (*at != ',')
			return lines_wrong(lines,
					   "topo_parameters %.40s: expected numbers with , and at most %d lists with ;",
					   text, LISTS_MAX);
	}
}

/* Makes `count` edges of a level, whose number is that of the first link. */
static int add_cluster_level(struct platform *p, const struct lines *lines, struct platform_zone *z, unsigned level,
			     uint64_t count, struct platform_link link, enum platform_policy policy)
{
	const char *name = name_table_text(&p->points_by_name, z->point);
	char text[120];

	z->first[level] = (uint32_t)p->links.count;
	if (count > PLATFORM_LINKS_MAX)
		return lines_wrong(lines, "cluster %.40s: too many links, expected at most %d", name,
				   PLATFORM_LINKS_MAX);
	for (uint64_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%.60s_%u_%" PRIu64, name, level, i);
		if (platform_add_link(p, lines, text, link, policy) == NAME_NONE)
			return -1;
	}
	return 0;
}

static uint64_t size_of_cluster(const struct platform_zone *z)
{
	uint64_t product = 1;

	for (unsigned i = 0; i < z->levels; i++)
		if ((product *= z->size[i]) > PLATFORM_HOSTS_MAX)
			return UINT64_MAX;
	return product;
}

/* ---- torus ---- */

static int shape_torus(struct platform *p, const struct lines *lines, struct platform_zone *z,
		       const struct number_lists *l, struct platform_link link, enum platform_policy policy)
{
	if (l->lists != 1)
		return lines_wrong(lines, "topo_parameters of a TORUS: %u lists, expected one", l->lists);
	z->levels = l->count[0];
	memcpy(z->size, l->value[0], sizeof(z->size));
	return add_cluster_level(p, lines, z, 0, (uint64_t)z->members.count * z->levels, link, policy);
}

/* Returns whether SimGrid leaves in the positive direction: not at half a ring from the upper half. */
static bool goes_up(uint32_t from, uint32_t to, uint32_t size)
{
	return (to > from && to <= from + size / 2) || (from > size / 2 && (from + size / 2) % size >= to);
}

static int torus_route(const struct platform_zone *z, uint32_t from, uint32_t to, struct platform_path *path,
		       struct err *e)
{
	uint32_t at = from, stride = 1;

	for (unsigned d = 0; d < z->levels; stride *= z->size[d++]) {
		uint32_t size = z->size[d], end = to / stride % size, here = at / stride % size;
		bool up = goes_up(here, end, size);

		while (here != end) {
			uint32_t next = up ? (here + 1) % size : (here + size - 1) % size;
			uint32_t owner = up ? at : at - here * stride + next * stride;

			if (platform_step(path,
					  z->first[0] + (owner * z->levels + d) * z->each + (up ? 0 : z->each - 1), e))
				return -1;
			at = at - here * stride + next * stride;
			here = next;
		}
	}
	return 0;
}

/* ---- fat tree ---- */

static int shape_fat_tree(struct platform *p, const struct lines *lines, struct platform_zone *z,
			  const struct number_lists *l, struct platform_link link, enum platform_policy policy)
{
	if (l->lists != 4 || l->count[0] != 1)
		return lines_wrong(lines, "topo_parameters of a FAT_TREE: expected levels;children;parents;links");
	z->levels = l->value[0][0];
	if (l->count[1] != z->levels || l->count[2] != z->levels || l->count[3] != z->levels)
		return lines_wrong(lines, "topo_parameters of a FAT_TREE of %u levels: expected three lists of as many",
				   z->levels);
	memcpy(z->size, l->value[1], sizeof(z->size));
	memcpy(z->up, l->value[2], sizeof(z->up));
	memcpy(z->count, l->value[3], sizeof(z->count));
	z->tree_nodes = p->tree_nodes;
	p->tree_nodes += (uint32_t)z->members.count;
	for (unsigned level = 0; level < z->levels; level++) {
		uint64_t edges = (uint64_t)z->up[level] * z->count[level];

		for (unsigned i = 0; i < z->levels && edges <= PLATFORM_LINKS_MAX; i++)
			edges *= i < level ? z->up[i] : z->size[i];
		if (add_cluster_level(p, lines, z, level, edges, link, policy))
			return -1;
	}
	return 0;
}

/* The digits of a switch of `level`: of parents below it, of children above. */
struct tree_place {
	uint32_t digit[PLATFORM_LEVELS_MAX];
	unsigned level;
};

/* Returns the link between a place and its parent `up` by `cable`. */
static uint32_t tree_link(const struct platform_zone *z, const struct tree_place *at, uint32_t up, uint32_t cable)
{
	uint32_t number = 0;

	for (unsigned i = z->levels; i-- > 0;)
		number = number * (i < at->level ? z->up[i] : z->size[i]) + at->digit[i];
	return z->first[at->level] + ((number * z->up[at->level] + up) * z->count[at->level] + cable) * z->each;
}

static bool is_above(const struct platform_zone *z, const struct tree_place *at, const struct tree_place *end)
{
	for (unsigned i = at->level; i < z->levels; i++)
		if (at->digit[i] != end->digit[i])
			return false;
	return at->level > 0;
}

static int go_up_tree(const struct platform_zone *z, struct tree_place *at, uint32_t position,
		      struct platform_path *path, struct err *e)
{
	uint32_t parents = z->up[at->level], port = position;

	for (unsigned i = 0; i < at->level; i++)
		port /= z->up[i] * z->count[i];
	port %= parents * z->count[at->level];
	if (platform_step(path, tree_link(z, at, port % parents, port / parents), e))
		return -1;
	at->digit[at->level] = port % parents;
	at->level++;
	return 0;
}

/*
 * Goes down to `end`. Its cable is by the source's position; the search for a child's port goes on from the port of the
 * level above, as SimGrid's does.
 */
static int go_down_tree(const struct platform_zone *z, struct tree_place *at, const struct tree_place *end,
			uint32_t position, struct platform_path *path, struct err *e)
{
	while (at->level) {
		unsigned below = at->level - 1;

		for (uint32_t i = position % z->count[below] * z->size[below];
		     at->level && i < z->size[at->level - 1] * z->count[at->level - 1]; i++) {
			uint32_t up;

			below = at->level - 1;
			if (i % z->size[below] != end->digit[below])
				continue;
			up = at->digit[below];
			at->digit[below] = end->digit[below];
			at->level = below;
			if (platform_step(path, tree_link(z, at, up, i / z->size[below]) + z->each - 1, e))
				return -1;
		}
	}
	return 0;
}

static int fat_tree_route(const struct platform_zone *z, uint32_t from, uint32_t to, struct platform_path *path,
			  struct err *e)
{
	struct tree_place at = {.level = 0}, end = {.level = 0};
	uint32_t a = from, b = to;

	for (unsigned i = 0; i < z->levels; a /= z->size[i], b /= z->size[i], i++) {
		at.digit[i] = a % z->size[i];
		end.digit[i] = b % z->size[i];
	}
	if (from == to)
		return 0;
	while (!is_above(z, &at, &end))
		if (go_up_tree(z, &at, z->tree_nodes + to, path, e))
			return -1;
	return go_down_tree(z, &at, &end, z->tree_nodes + from, path, e);
}

/* ---- dragonfly ---- */

enum { GROUPS, CHASSIS, BLADES, NODES }; /* also the levels of links: blue, black, green, to nodes */

static int shape_dragonfly(struct platform *p, const struct lines *lines, struct platform_zone *z,
			   const struct number_lists *l, struct platform_link link, enum platform_policy policy)
{
	uint64_t routers, pairs[NODES];

	if (l->lists != 4 || l->count[0] != 2 || l->count[1] != 2 || l->count[2] != 2 || l->count[3] != 1)
		return lines_wrong(
			lines,
			"topo_parameters of a DRAGONFLY: expected groups,links;chassis,links;blades,links;nodes");
	z->levels = 4;
	for (unsigned i = 0; i < 4; i++) {
		z->size[i] = l->value[i][0];
		z->count[i] = i < NODES ? l->value[i][1] : 1;
	}
	if (z->size[GROUPS] > z->size[BLADES])
		return lines_wrong(
			lines, "topo_parameters of a DRAGONFLY: %u groups, expected at most the %u blades of a chassis",
			z->size[GROUPS], z->size[BLADES]);
	if (size_of_cluster(z) != z->members.count)
		return 0; /* refused by the caller */
	routers = (uint64_t)z->size[GROUPS] * z->size[CHASSIS] * z->size[BLADES];
	for (unsigned i = 0; i < NODES; i++)
		pairs[i] = (uint64_t)z->size[i] * (z->size[i] - 1) / 2;
	pairs[CHASSIS] *= (uint64_t)z->size[GROUPS] * z->size[BLADES];
	pairs[BLADES] *= (uint64_t)z->size[GROUPS] * z->size[CHASSIS];
	for (unsigned i = 0; i < NODES; i++) {
		struct platform_link wide = link;

		wide.bytes_per_s *= z->count[i];
		if (add_cluster_level(p, lines, z, i, pairs[i], wide, policy))
			return -1;
	}
	return add_cluster_level(p, lines, z, NODES, routers * z->size[NODES], link, policy);
}

/* Returns the link from `a` to `b` among all pairs of `size`, of set `set`. */
static uint32_t pair_link(const struct platform_zone *z, unsigned level, uint32_t set, uint32_t a, uint32_t b)
{
	uint32_t size = z->size[level], low = a < b ? a : b, high = a < b ? b : a;
	uint32_t pair = low * (2 * size - low - 1) / 2 + (high - low - 1);

	return z->first[level] + (set * (size * (size - 1) / 2) + pair) * z->each + (a < b ? 0 : z->each - 1);
}

/* Writes group, chassis, blade and place on the blade of a host. */
static void dragonfly_place(const struct platform_zone *z, uint32_t rank, uint32_t *place)
{
	for (unsigned i = 4; i-- > 0; rank /= z->size[i])
		place[i] = rank % z->size[i];
}

static int dragonfly_route(const struct platform_zone *z, uint32_t from, uint32_t to, struct platform_path *path,
			   struct err *e)
{
	uint32_t a[PLATFORM_LEVELS_MAX], b[PLATFORM_LEVELS_MAX], blade, chassis, group, first = z->first[NODES];

	dragonfly_place(z, from, a);
	dragonfly_place(z, to, b);
	group = a[GROUPS], chassis = a[CHASSIS], blade = a[BLADES];
	if (from == to)
		return 0;
	if (platform_step(path, first + from * z->each, e))
		return -1;
	if (group != b[GROUPS]) {
		uint32_t other = b[GROUPS];

		if (blade != other &&
		    platform_step(path, pair_link(z, BLADES, group * z->size[CHASSIS] + chassis, blade, other), e))
			return -1;
		if (chassis &&
		    platform_step(path, pair_link(z, CHASSIS, group * z->size[BLADES] + other, chassis, 0), e))
			return -1;
		if (platform_step(path, pair_link(z, GROUPS, 0, group, other), e))
			return -1;
		blade = group, chassis = 0, group = other;
	}
	if (blade != b[BLADES]) {
		uint32_t set = group * z->size[CHASSIS] + chassis;

		if (platform_step(path, pair_link(z, BLADES, set, blade, b[BLADES]), e))
			return -1;
		chassis = 0; /* SimGrid goes on there, whatever the chassis of the link */
	}
	if (chassis != b[CHASSIS] &&
	    platform_step(path, pair_link(z, CHASSIS, group * z->size[BLADES] + b[BLADES], chassis, b[CHASSIS]), e))
		return -1;
	return platform_step(path, first + to * z->each + z->each - 1, e);
}

/* ---- all ---- */

int platform_shape_cluster(struct platform *p, const struct lines *lines, struct platform_zone *z,
			   const char *parameters, struct platform_link link, enum platform_policy policy)
{
	struct number_lists l;
	int result;

	z->each = policy == POLICY_SPLITDUPLEX ? 2 : 1;
	if (parse_lists(lines, parameters, &l))
		return -1;
	result = z->routing == PLATFORM_TORUS      ? shape_torus(p, lines, z, &l, link, policy)
		 : z->routing == PLATFORM_FAT_TREE ? shape_fat_tree(p, lines, z, &l, link, policy)
						   : shape_dragonfly(p, lines, z, &l, link, policy);
	if (!result && size_of_cluster(z) != z->members.count)
		return lines_wrong(lines, "topo_parameters %.40s: %zu hosts, expected as many as the shape has",
				   parameters, z->members.count);
	return result;
}

int platform_cluster_route(const struct platform *p, const struct platform_zone *z, uint32_t from, uint32_t to,
			   struct platform_path *path, struct err *e)
{
	(void)p;
	switch (z->routing) {
	case PLATFORM_TORUS: return torus_route(z, from, to, path, e);
	case PLATFORM_FAT_TREE: return fat_tree_route(z, from, to, path, e);
	default: return dragonfly_route(z, from, to, path, e);
	}
}
