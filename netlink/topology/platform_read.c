/* SimGrid's platform files, version 4 and 4.1: the elements of its DTD that describe a network. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "platform.h"
#include "xml_read.h"

enum { POINT_CHARS = 120, WORD_COUNT_MAX = 8 };

struct platform_reading {
	struct platform *p;
	struct lines lines;
	uint32_t zone; /* the present one; NAME_NONE: outside of all */
	bool in_platform;
	bool in_route;
	bool symmetrical;
	struct platform_route route;
};

#define READ_WRONG(x, ...) lines_wrong(&(x)->lines, __VA_ARGS__)

/* Returns a value that must be there; NULL with the error. */
static const char *need(const struct platform_reading *x, const char *element, const char *const *a, const char *name)
{
	const char *value = xml_attribute(a, name);

	if (!value || !*value)
		return READ_WRONG(x, "<%s> without %s, expected one", element, name), NULL;
	return value;
}

/* Returns which of `words` the value of an attribute is, 0 if it is not given; -1 with the error. */
static int choice(const struct platform_reading *x, const char *const *a, const char *name, const char *const *words)
{
	const char *value = xml_attribute(a, name);
	char all[100] = "";
	size_t length = 0;
	int i = 0;

	if (!value)
		return 0;
	for (; words[i]; i++) {
		if (!strcmp(words[i], value))
			return i;
		if (length < sizeof(all))
			length += (size_t)snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "", words[i]);
	}
	return READ_WRONG(x, "%s = %.40s, expected one of %s", name, value, all);
}

static int policy_of(const struct platform_reading *x, const char *const *a, const char *name, int otherwise)
{
	static const char *const words[] = {"SHARED", "FATPIPE", "SPLITDUPLEX", NULL};

	return xml_attribute(a, name) ? choice(x, a, name, words) : otherwise;
}

/* ---- points ---- */

static int check_printable(const struct platform_reading *x, const char *name)
{
	for (const char *at = name; *at; at++)
		if (iscntrl((unsigned char)*at))
			return READ_WRONG(x, "control character 0x%02x in a name, expected text", (unsigned char)*at);
	if (strlen(name) > POINT_CHARS)
		return READ_WRONG(x, "%.20s…: a name of %zu letters, expected at most %d", name, strlen(name),
				  POINT_CHARS);
	return 0;
}

/* Adds a member of the present zone. Returns its number, or NAME_NONE with the error. */
static uint32_t add_point(struct platform_reading *x, const char *name)
{
	struct platform_zone *z = x->zone == NAME_NONE ? NULL : &x->p->zones.at[x->zone];
	struct platform_point *point;
	uint32_t *member, number;

	if (check_printable(x, name))
		return NAME_NONE;
	if (name_table_find(&x->p->points_by_name, name) != NAME_NONE)
		return READ_WRONG(x, "%s is there twice, expected a name of its own", name), NAME_NONE;
	if (z && z->members.count == PLATFORM_MEMBERS_MAX + 1)
		return READ_WRONG(x, "too many members of a zone, expected at most %d", PLATFORM_MEMBERS_MAX + 1),
		       NAME_NONE;
	number = name_table_add(&x->p->points_by_name, name, x->lines.err);
	point = number == NAME_NONE ? NULL : vec_push(&x->p->points, x->lines.err);
	if (!point)
		return NAME_NONE;
	*point = (struct platform_point){.zone = x->zone,
					 .inner = NAME_NONE,
					 .node = NAME_NONE,
					 .rank = z ? (uint32_t)z->members.count : 0,
					 .up = NAME_NONE,
					 .down = NAME_NONE,
					 .limiter = NAME_NONE,
					 .out = NAME_NONE};
	if (!z)
		return number;
	member = vec_push(&z->members, x->lines.err);
	if (!member)
		return NAME_NONE;
	*member = number;
	return number;
}

static uint32_t add_host(struct platform_reading *x, const char *name)
{
	uint32_t number = add_point(x, name);

	if (number == NAME_NONE)
		return NAME_NONE;
	if (x->p->nodes == PLATFORM_HOSTS_MAX)
		return READ_WRONG(x, "too many hosts, expected at most %d", PLATFORM_HOSTS_MAX), NAME_NONE;
	x->p->points.at[number].node = x->p->nodes++;
	return number;
}

static int begin_point(struct platform_reading *x, const char *element, const char *const *a)
{
	const char *id = need(x, element, a, "id");

	if (!id)
		return -1;
	return (*element == 'h' ? add_host(x, id) : add_point(x, id)) == NAME_NONE ? -1 : 0;
}

/* ---- zones ---- */

static int open_zone(struct platform_reading *x, const char *id, enum platform_routing routing)
{
	uint32_t point, depth = x->zone == NAME_NONE ? 0 : x->p->zones.at[x->zone].depth + 1;
	struct platform_zone *z;

	if (x->zone == NAME_NONE && x->p->zones.count)
		return READ_WRONG(x, "a second outermost zone %.40s, expected one", id);
	if (depth == PLATFORM_DEPTH_MAX)
		return READ_WRONG(x, "zones in zones deeper than %d, expected fewer", PLATFORM_DEPTH_MAX);
	point = add_point(x, id);
	z = point == NAME_NONE ? NULL : vec_push(&x->p->zones, x->lines.err);
	if (!z)
		return -1;
	*z = (struct platform_zone){.routing = routing, .point = point, .depth = depth, .backbone = NAME_NONE};
	x->p->points.at[point].inner = x->zone = (uint32_t)x->p->zones.count - 1;
	return 0;
}

static void close_zone(struct platform_reading *x)
{
	x->zone = x->p->points.at[x->p->zones.at[x->zone].point].zone;
}

static int begin_zone(struct platform_reading *x, const char *const *a)
{
	static const char *const words[] = {"Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "None", NULL};
	static const enum platform_routing routings[] = {PLATFORM_FULL,     PLATFORM_SHORTEST, PLATFORM_SHORTEST,
							 PLATFORM_SHORTEST, PLATFORM_STAR,     PLATFORM_NOTHING};
	const char *id = need(x, "zone", a, "id");
	int routing = id && need(x, "zone", a, "routing") ? choice(x, a, "routing", words) : -1;

	return routing < 0 ? -1 : open_zone(x, id, routings[routing]);
}

/* ---- links ---- */

static uint32_t add_one_link(struct platform *p, const struct lines *lines, const char *name, struct platform_link link)
{
	struct platform_link *place;
	uint32_t number;

	if (name_table_find(&p->links_by_name, name) != NAME_NONE)
		return lines_wrong(lines, "link %s is there twice, expected a name of its own", name), NAME_NONE;
	if (p->links.count == PLATFORM_LINKS_MAX)
		return lines_wrong(lines, "too many links, expected at most %d", PLATFORM_LINKS_MAX), NAME_NONE;
	number = name_table_add(&p->links_by_name, name, lines->err);
	place = number == NAME_NONE ? NULL : vec_push(&p->links, lines->err);
	if (!place)
		return NAME_NONE;
	*place = link;
	return number;
}

uint32_t platform_add_link(struct platform *p, const struct lines *lines, const char *name, struct platform_link link,
			   enum platform_policy policy)
{
	char text[POINT_CHARS + 10];
	uint32_t up;

	link.fat = policy == POLICY_FATPIPE;
	if (policy != POLICY_SPLITDUPLEX)
		return add_one_link(p, lines, name, link);
	snprintf(text, sizeof(text), "%s_UP", name);
	up = add_one_link(p, lines, text, link);
	snprintf(text, sizeof(text), "%s_DOWN", name);
	return up == NAME_NONE || add_one_link(p, lines, text, link) == NAME_NONE ? NAME_NONE : up;
}

/* Reads bandwidth and latency. */
static int read_width(const struct platform_reading *x, const char *element, const char *const *a,
		      const char *bandwidth, const char *latency, struct platform_link *link)
{
	const char *rate = need(x, element, a, bandwidth), *time = xml_attribute(a, latency);

	*link = (struct platform_link){0};
	if (!rate || platform_rate(&x->lines, bandwidth, rate, &link->bytes_per_s))
		return -1;
	return time ? platform_time(&x->lines, latency, time, &link->latency_ps) : 0;
}

static int begin_link(struct platform_reading *x, const char *element, const char *const *a)
{
	const char *id = need(x, element, a, "id");
	int policy = id ? policy_of(x, a, "sharing_policy", POLICY_SHARED) : -1;
	struct platform_link link;
	uint32_t number;

	if (policy < 0 || check_printable(x, id) || read_width(x, element, a, "bandwidth", "latency", &link))
		return -1;
	if (x->zone == NAME_NONE)
		return READ_WRONG(x, "<%s> outside of zones, expected it in one", element);
	if (xml_attribute(a, "bandwidth_file") || xml_attribute(a, "latency_file") || xml_attribute(a, "state_file"))
		return READ_WRONG(x, "link %s changes over time, expected constant links", id);
	number = platform_add_link(x->p, &x->lines, id, link, (enum platform_policy)policy);
	if (number == NAME_NONE)
		return -1;
	if (*element != 'b')
		return 0;
	if (x->p->zones.at[x->zone].routing != PLATFORM_STAR || x->p->zones.at[x->zone].backbone != NAME_NONE)
		return READ_WRONG(x, "backbone %s, expected one at most, in a zone of routing Cluster", id);
	if (policy == POLICY_SPLITDUPLEX)
		return READ_WRONG(x, "backbone %s is SPLITDUPLEX, expected SHARED or FATPIPE", id);
	x->p->zones.at[x->zone].backbone = number;
	return 0;
}

/* Returns the link of that name; of a split one, the half `way`. NAME_NONE with the error. */
static uint32_t link_named(const struct platform_reading *x, const char *name, int way)
{
	static const char *const ends[] = {"", "_UP", "_DOWN"};
	char text[POINT_CHARS + 10];
	uint32_t number;

	if (check_printable(x, name))
		return NAME_NONE;
	snprintf(text, sizeof(text), "%s%s", name, ends[way]);
	number = name_table_find(&x->p->links_by_name, text);
	if (number == NAME_NONE && way)
		number = name_table_find(&x->p->links_by_name, name); /* shared by both directions */
	if (number != NAME_NONE)
		return number;
	snprintf(text, sizeof(text), "%s_UP", name);
	if (name_table_find(&x->p->links_by_name, text) != NAME_NONE)
		return READ_WRONG(x, "link %s is SPLITDUPLEX, expected direction UP or DOWN", name), NAME_NONE;
	return READ_WRONG(x, "unknown link %s, expected one of those before", name), NAME_NONE;
}

/* <host_link>: the private links of a host in a zone of routing Cluster. */
static int begin_host_link(struct platform_reading *x, const char *const *a)
{
	const char *id = need(x, "host_link", a, "id"), *up = id ? need(x, "host_link", a, "up") : NULL;
	const char *down = up ? need(x, "host_link", a, "down") : NULL;
	uint32_t point = down ? name_table_find(&x->p->points_by_name, id) : NAME_NONE;
	struct platform_point *host;

	if (!down)
		return -1;
	if (point == NAME_NONE || x->p->points.at[point].zone != x->zone || x->zone == NAME_NONE ||
	    x->p->zones.at[x->zone].routing != PLATFORM_STAR)
		return READ_WRONG(x, "host_link of %.40s, expected a member of this zone, of routing Cluster", id);
	host = &x->p->points.at[point];
	host->up = link_named(x, up, 0);
	host->down = host->up == NAME_NONE ? NAME_NONE : link_named(x, down, 0);
	return host->down == NAME_NONE ? -1 : 0;
}

/* ---- clusters ---- */

struct cluster {
	const char *id, *prefix, *suffix;
	struct platform_link link, backbone, limiter;
	enum platform_policy policy, backbone_policy;
	bool has_limiter;
};

/* The links of a host of a flat cluster. */
static int add_private_links(struct platform_reading *x, const struct cluster *c, uint32_t host, uint32_t number)
{
	char text[POINT_CHARS + 40];
	uint32_t up;

	snprintf(text, sizeof(text), "%.80s_link_%" PRIu32, c->id, number);
	up = platform_add_link(x->p, &x->lines, text, c->link, c->policy);
	x->p->points.at[host].up = up;
	x->p->points.at[host].down = up + (c->policy == POLICY_SPLITDUPLEX);
	if (up == NAME_NONE || !c->has_limiter)
		return up == NAME_NONE ? -1 : 0;
	snprintf(text, sizeof(text), "%.80s_link_%" PRIu32 "_limiter", c->id, number);
	x->p->points.at[host].limiter = platform_add_link(x->p, &x->lines, text, c->limiter, POLICY_SHARED);
	return x->p->points.at[host].limiter == NAME_NONE ? -1 : 0;
}

static int add_cluster_host(struct platform_reading *x, const struct cluster *c, uint32_t number)
{
	char name[2 * POINT_CHARS];
	uint32_t host;

	snprintf(name, sizeof(name), "%.100s%" PRIu32 "%.100s", c->prefix, number, c->suffix);
	host = add_host(x, name);
	if (host == NAME_NONE)
		return -1;
	return x->p->zones.at[x->zone].routing == PLATFORM_STAR ? add_private_links(x, c, host, number) : 0;
}

/* "0-9,12,20-22": hosts of a cluster. */
static int add_radical(struct platform_reading *x, const struct cluster *c, const char *radical)
{
	for (const char *at = radical;;) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*at))
			break;
		first = last = strtoul(at, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (last < first || last - first >= PLATFORM_HOSTS_MAX || last > 1000000000)
			break;
		for (unsigned long i = first; i <= last; i++)
			if (add_cluster_host(x, c, (uint32_t)i))
				return -1;
		if (!*end)
			return 0;
		if (*end != ',')
			break;
		at = end + 1;
	}
	return READ_WRONG(x, "radical %.40s: expected numbers and ranges, 0-9,12, of at most %d hosts", radical,
			  PLATFORM_HOSTS_MAX);
}

static int read_cluster(struct platform_reading *x, const char *const *a, struct cluster *c)
{
	const char *limit = xml_attribute(a, "limiter_link");
	int policy = policy_of(x, a, "sharing_policy", POLICY_SPLITDUPLEX);
	int backbone = policy < 0 ? -1 : policy_of(x, a, "bb_sharing_policy", POLICY_SHARED);

	*c = (struct cluster){.id = need(x, "cluster", a, "id"),
			      .prefix = xml_attribute(a, "prefix"),
			      .suffix = xml_attribute(a, "suffix"),
			      .has_limiter = limit != NULL};
	c->prefix = c->prefix ? c->prefix : "";
	c->suffix = c->suffix ? c->suffix : "";
	if (!c->id || backbone < 0 || check_printable(x, c->id) || check_printable(x, c->prefix) ||
	    check_printable(x, c->suffix) || read_width(x, "cluster", a, "bw", "lat", &c->link))
		return -1;
	c->policy = (enum platform_policy)policy;
	c->backbone_policy = (enum platform_policy)backbone;
	if (backbone == POLICY_SPLITDUPLEX)
		return READ_WRONG(x, "bb_sharing_policy SPLITDUPLEX, expected SHARED or FATPIPE");
	if (limit && platform_rate(&x->lines, "limiter_link", limit, &c->limiter.bytes_per_s))
		return -1;
	return xml_attribute(a, "bb_bw") ? read_width(x, "cluster", a, "bb_bw", "bb_lat", &c->backbone) : 0;
}

/* A flat cluster: hosts, the router, the backbone, which all hosts share. */
static int finish_star(struct platform_reading *x, const struct cluster *c, const char *router)
{
	char name[3 * POINT_CHARS];
	struct platform_zone *z = &x->p->zones.at[x->zone];
	size_t hosts = z->members.count;

	snprintf(name, sizeof(name), "%s%s_router%s", c->prefix, c->id, c->suffix);
	if (add_point(x, router ? router : name) == NAME_NONE)
		return -1;
	if (c->backbone.bytes_per_s == 0)
		return 0;
	snprintf(name, sizeof(name), "%.80s_backbone", c->id);
	z->backbone = platform_add_link(x->p, &x->lines, name, c->backbone, c->backbone_policy);
	for (size_t i = 0; i < hosts; i++)
		x->p->points.at[z->members.at[i]].out = z->backbone;
	return z->backbone == NAME_NONE ? -1 : 0;
}

static int begin_cluster(struct platform_reading *x, const char *const *a)
{
	static const char *const words[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY", NULL};
	static const enum platform_routing routings[] = {PLATFORM_STAR, PLATFORM_TORUS, PLATFORM_FAT_TREE,
							 PLATFORM_DRAGONFLY};
	int topology = choice(x, a, "topology", words);
	const char *radical = need(x, "cluster", a, "radical"), *shape = NULL;
	struct cluster c;

	if (topology < 0 || !radical || read_cluster(x, a, &c) || open_zone(x, c.id, routings[topology]))
		return -1;
	if (topology && (!(shape = need(x, "cluster", a, "topo_parameters"))))
		return -1;
	if (topology && (c.has_limiter || c.backbone.bytes_per_s > 0))
		return READ_WRONG(x, "%s of a cluster of topology %s, expected none",
				  c.has_limiter ? "limiter_link" : "bb_bw", words[topology]);
	if (add_radical(x, &c, radical))
		return -1;
	if (topology ? platform_shape_cluster(x->p, &x->lines, &x->p->zones.at[x->zone], shape, c.link, c.policy)
		     : finish_star(x, &c, xml_attribute(a, "router_id")))
		return -1;
	if (topology) {
		char name[3 * POINT_CHARS];

		snprintf(name, sizeof(name), "%s%s_router%s", c.prefix, c.id, c.suffix);
		if (add_point(x, xml_attribute(a, "router_id") ? xml_attribute(a, "router_id") : name) == NAME_NONE)
			return -1;
	}
	close_zone(x);
	return 0;
}

/* ---- routes ---- */

/* Returns whether `point` is in the zone that `member` is, or the member itself. */
static bool is_within(const struct platform *p, uint32_t point, uint32_t member)
{
	while (point != member && p->points.at[point].zone != NAME_NONE)
		point = p->zones.at[p->points.at[point].zone].point;
	return point == member;
}

/* Finds an end of a route, and its gateway in it. */
static int find_route_end(const struct platform_reading *x, const char *element, const char *const *a, const char *end,
			  const char *gateway, uint32_t *member, uint32_t *gw)
{
	const char *name = need(x, element, a, end), *by = xml_attribute(a, gateway);
	const struct platform *p = x->p;

	if (!name)
		return -1;
	*member = name_table_find(&p->points_by_name, name);
	if (*member == NAME_NONE || p->points.at[*member].zone != x->zone || x->zone == NAME_NONE)
		return READ_WRONG(x, "%s = %.60s, expected a member of this zone", end, name);
	*gw = by ? name_table_find(&p->points_by_name, by) : *member;
	if (*gw == NAME_NONE || p->points.at[*gw].inner != NAME_NONE || !is_within(p, *gw, *member))
		return READ_WRONG(x, "%s = %.60s, expected a host or router in %s", gateway, by ? by : "none", name);
	return 0;
}

static int begin_route(struct platform_reading *x, const char *element, const char *const *a)
{
	static const char *const words[] = {"YES", "yes", "true", "TRUE", "NO", "no", "false", "FALSE", NULL};
	int symmetrical = choice(x, a, "symmetrical", words);
	enum platform_routing routing;

	if (symmetrical < 0 || find_route_end(x, element, a, "src", "gw_src", &x->route.from, &x->route.gw_from) ||
	    find_route_end(x, element, a, "dst", "gw_dst", &x->route.to, &x->route.gw_to))
		return -1;
	routing = x->p->zones.at[x->zone].routing;
	if (routing != PLATFORM_FULL && routing != PLATFORM_SHORTEST)
		return READ_WRONG(x, "a route in a zone of another routing, expected Full, Floyd or Dijkstra");
	x->symmetrical = symmetrical < 4;
	x->in_route = true;
	x->route.first = (uint32_t)x->p->listed.count;
	return 0;
}

static int begin_link_ctn(struct platform_reading *x, const char *const *a)
{
	static const char *const words[] = {"NONE", "UP", "DOWN", NULL};
	const char *id = need(x, "link_ctn", a, "id");
	int way = id ? choice(x, a, "direction", words) : -1;
	uint32_t link, *place;

	if (way < 0)
		return -1;
	if (!x->in_route)
		return READ_WRONG(x, "<link_ctn> outside of a route, expected it in one");
	link = link_named(x, id, way);
	if (link == NAME_NONE)
		return -1;
	if (x->p->listed.count - x->route.first == PLATFORM_ROUTE_MAX)
		return READ_WRONG(x, "a route of more than %d links, expected fewer", PLATFORM_ROUTE_MAX);
	place = vec_push(&x->p->listed, x->lines.err);
	if (!place)
		return -1;
	*place = link;
	return 0;
}

/* The other half of a split link, or the link itself. */
static uint32_t other_half(const struct platform *p, uint32_t link)
{
	const char *name = name_table_text(&p->links_by_name, link);
	size_t length = strlen(name);

	if (length > 3 && !strcmp(name + length - 3, "_UP") && link + 1 < p->links.count) {
		const char *next = name_table_text(&p->links_by_name, link + 1);

		return !strncmp(name, next, length - 2) && !strcmp(next + length - 3, "_DOWN") ? link + 1 : link;
	}
	if (length > 5 && !strcmp(name + length - 5, "_DOWN") && link > 0) {
		const char *last = name_table_text(&p->links_by_name, link - 1);

		return !strncmp(name, last, length - 4) && !strcmp(last + length - 5, "_UP") ? link - 1 : link;
	}
	return link;
}

static int put_route(struct platform_reading *x, const struct platform_route *r)
{
	const struct name_table *names = &x->p->points_by_name;

	if (platform_find_route(x->p, r->from, r->to))
		return READ_WRONG(x, "a second route from %s to %s, expected one", name_table_text(names, r->from),
				  name_table_text(names, r->to));
	return platform_add_route(x->p, r, x->lines.err);
}

static int end_route(struct platform_reading *x)
{
	struct platform_route back = {.from = x->route.to,
				      .to = x->route.from,
				      .gw_from = x->route.gw_to,
				      .gw_to = x->route.gw_from,
				      .first = (uint32_t)x->p->listed.count};

	x->in_route = false;
	if (x->route.from == x->route.to) { /* a loopback: messages within a node pass its memory */
		x->p->listed.count = x->route.first;
		return 0;
	}
	x->route.count = back.count = (uint32_t)x->p->listed.count - x->route.first;
	if (put_route(x, &x->route))
		return -1;
	if (!x->symmetrical)
		return 0;
	if (vec_reserve(&x->p->listed, back.count, x->lines.err))
		return -1;
	for (uint32_t i = x->route.count; i-- > 0;)
		x->p->listed.at[x->p->listed.count++] = other_half(x->p, x->p->listed.at[x->route.first + i]);
	return put_route(x, &back);
}

/* ---- elements ---- */

static int begin_platform(struct platform_reading *x, const char *const *a)
{
	const char *version = need(x, "platform", a, "version");

	if (!version)
		return -1;
	if (strcmp(version, "4") != 0 && strcmp(version, "4.1") != 0 && strcmp(version, "4.0") != 0)
		return READ_WRONG(x, "version %.20s of platforms, expected 4 or 4.1", version);
	x->in_platform = true;
	return 0;
}

static int platform_start(void *user, const char *element, const char *const *a)
{
	static const char *const passed[] = {"prop",         "config", "disk",       "storage",
					     "storage_type", "mount",  "model_prop", NULL};
	struct platform_reading *x = user;

	if (!strcmp(element, "platform"))
		return begin_platform(x, a);
	if (!x->in_platform)
		return READ_WRONG(x, "<%.40s>, expected a platform of SimGrid", element);
	for (unsigned i = 0; passed[i]; i++)
		if (!strcmp(element, passed[i]))
			return 0;
	if (!strcmp(element, "zone"))
		return begin_zone(x, a);
	if (!strcmp(element, "link_ctn"))
		return begin_link_ctn(x, a);
	if (x->zone == NAME_NONE || x->in_route)
		return READ_WRONG(x, "<%.40s> at this place, expected it in a zone", element);
	if (!strcmp(element, "host") || !strcmp(element, "router"))
		return begin_point(x, element, a);
	if (!strcmp(element, "link") || !strcmp(element, "backbone"))
		return begin_link(x, element, a);
	if (!strcmp(element, "host_link"))
		return begin_host_link(x, a);
	if (!strcmp(element, "cluster"))
		return begin_cluster(x, a);
	if (!strcmp(element, "route") || !strcmp(element, "zoneRoute"))
		return begin_route(x, element, a);
	return READ_WRONG(x, "<%.40s> is not read, expected zone, cluster, host, router, link, route or zoneRoute",
			  element);
}

/* The backbone of a zone of routing Cluster is on the ways of all its hosts with links of their own. */
static void finish_zone(struct platform_reading *x)
{
	const struct platform_zone *z = &x->p->zones.at[x->zone];

	for (size_t i = 0; i < z->members.count; i++)
		if (x->p->points.at[z->members.at[i]].up != NAME_NONE)
			x->p->points.at[z->members.at[i]].out = z->backbone;
	close_zone(x);
}

static int platform_end(void *user, const char *element)
{
	struct platform_reading *x = user;

	if (!strcmp(element, "zone"))
		finish_zone(x);
	return x->in_route && (!strcmp(element, "route") || !strcmp(element, "zoneRoute")) ? end_route(x) : 0;
}

static int platform_text(void *user, const char *text, size_t length)
{
	const struct platform_reading *x = user;

	for (size_t i = 0; i < length; i++)
		if (!strchr(" \t\r\n", text[i]))
			return READ_WRONG(x, "text between elements, expected none");
	return 0;
}

int platform_read(struct platform *p, const char *path, struct err *e)
{
	static const struct xml_handlers handlers = {platform_start, platform_end, platform_text};
	struct platform_reading x = {
		.p = p, .lines = {.in = input_open(path), .name = path, .err = e}, .zone = NAME_NONE};
	int result;

	*p = (struct platform){0};
	if (!x.lines.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	result = xml_read(&x.lines, &handlers, &x);
	fclose(x.lines.in);
	if (!result && !p->nodes)
		result = err_set(e, STATUS_BAD_INPUT, "%s: no host in it, expected a platform of SimGrid", path);
	return result ? -1 : platform_prepare(p, path, e);
}

void platform_finish(struct platform *p)
{
	name_table_finish(&p->points_by_name);
	name_table_finish(&p->links_by_name);
	for (size_t i = 0; i < p->zones.count; i++)
		vec_finish(&p->zones.at[i].members), free(p->zones.at[i].before);
	vec_finish(&p->points);
	vec_finish(&p->zones);
	vec_finish(&p->links);
	vec_finish(&p->routes);
	vec_finish(&p->listed);
	free(p->pair);
	*p = (struct platform){0};
}
