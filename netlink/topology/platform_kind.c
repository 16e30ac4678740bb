/*
 * Networks that SimGrid's platform files describe. All links begin and end at one router, which stands for what is
 * between them: a route is a list of links, not of places. The i-th link of a route is taken on virtual channel i, so
 * channels form no cycle (I. Gopal, IEEE Trans. Comm. 33, 1985).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "kind.h"
#include "topology_names.h"
#include "platform.h"
#include "topology_plan.h"

enum { CHANNELS_MAX = 63, CLASSES_MAX = 1000 };

struct platform_state {
	struct platform p;
	uint32_t nodes;
	uint32_t *host;  /* [node]: its point */
	uint32_t *first; /* [source * nodes + destination]: its links are link[first[...] ... first[... + 1] - 1] */
	struct vec_of(uint32_t) link;
};

struct __attribute__((may_alias)) platform_packet {
	uint32_t src;
	uint16_t hop;
};
_Static_assert(sizeof(struct platform_packet) <= ROUTE_STATE_BYTES, "a packet's state");

static struct platform_packet *platform_packet_of(struct route *r)
{
	return (struct platform_packet *)(void *)r->state;
}

static const struct platform_packet *platform_packet_read(const struct route *r)
{
	return (const struct platform_packet *)(const void *)r->state;
}

/* ---- the routes of all pairs ---- */

static const char *name_of_host(const struct platform_state *s, uint32_t node)
{
	return name_table_text(&s->p.points_by_name, s->host[node]);
}

/* Each link is once on a route: flows are on it or not. `seen`: [link], 1 + the pair that had it last. */
static int check_once(const struct platform_state *s, const struct platform_path *path, uint32_t pair, uint32_t *seen,
		      struct err *e)
{
	for (uint32_t i = 0; i < path->count; i++) {
		if (seen[path->link[i]] == pair + 1)
			return err_set(e, STATUS_BAD_INPUT, "link %s twice, expected once",
				       name_table_text(&s->p.links_by_name, path->link[i]));
		seen[path->link[i]] = pair + 1;
	}
	return 0;
}

static int add_pair(struct platform_state *s, uint32_t pair, struct platform_path *path, uint32_t *seen, struct err *e)
{
	uint32_t src = pair / s->nodes, dst = pair % s->nodes;

	path->count = 0;
	if (platform_find_path(&s->p, s->host[src], s->host[dst], path, e) || check_once(s, path, pair, seen, e))
		return err_prefix(e, "route from %s to %s", name_of_host(s, src), name_of_host(s, dst));
	if (path->count > CHANNELS_MAX)
		return err_set(e, STATUS_BAD_INPUT,
			       "route from %s to %s: %" PRIu32
			       " links need as many virtual channels, expected at most %d",
			       name_of_host(s, src), name_of_host(s, dst), path->count, CHANNELS_MAX);
	if (vec_reserve(&s->link, path->count, e))
		return -1;
	for (uint32_t i = 0; i < path->count; i++)
		s->link.at[s->link.count++] = path->link[i];
	s->first[pair + 1] = (uint32_t)s->link.count;
	return 0;
}

/* Finds all routes. Returns the most links of one; -1 with `e`. */
static int make_routes(struct platform_state *s, const char *file, struct err *e)
{
	uint32_t *seen = mem_alloc(s->p.links.count + 1, sizeof(*seen), e), pairs = s->nodes * s->nodes, most = 0;
	struct platform_path *path = mem_alloc(1, sizeof(*path), e);
	int result = -1;

	s->first = mem_alloc((size_t)pairs + 1, sizeof(*s->first), e);
	if (seen && path && s->first)
		for (uint32_t pair = 0; pair < pairs; pair++) {
			result = add_pair(s, pair, path, seen, e);
			most = path->count > most ? path->count : most;
			if (result) {
				err_prefix(e, "%s", file);
				break;
			}
		}
	free(seen);
	free(path);
	return result ? -1 : (int)most;
}

/* Returns the links of a route; their number in `*count`. */
static const uint32_t *route_links(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *count)
{
	const struct platform_state *s = t->private_data;
	const uint32_t *first = &s->first[src * s->nodes + dst];

	*count = first[1] - first[0];
	return s->link.at + first[0];
}

/* ---- routing ---- */

static void platform_start_route(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)t, (void)dst, (void)key;
	*platform_packet_of(r) = (struct platform_packet){.src = src};
}

static unsigned platform_next_step(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				   const struct route *r, struct route_step *steps)
{
	const struct platform_packet *s = platform_packet_read(r);
	uint32_t count;
	const uint32_t *link = route_links(t, s->src, r->dst, &count);

	(void)router, (void)in_link, (void)in_vc;
	if (s->hop == count)
		steps[0] = route_eject(t, r);
	else
		steps[0] = (struct route_step){
			.link = link[s->hop], .vc = s->hop, .hops = (uint16_t)(count - s->hop + 1), .escape = true};
	return 1;
}

static void platform_take_step(const struct topology *t, uint32_t router, const struct route_step *step,
			       struct route *r)
{
	(void)t, (void)router, (void)step;
	platform_packet_of(r)->hop++;
}

static unsigned platform_fixed_route(const struct topology *t, uint32_t src, uint32_t dst, unsigned vc_bits,
				     uint32_t *words, unsigned max)
{
	uint32_t count;
	const uint32_t *link = route_links(t, src, dst, &count);

	if (count >= max)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		words[i] = link[i] << vc_bits | i;
	words[count] = t->eject[dst * t->nics] << vc_bits;
	return count + 1;
}

/* The same both ways: the route from the lower node, where they differ. */
static unsigned platform_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	uint32_t count;

	route_links(t, src < dst ? src : dst, src < dst ? dst : src, &count);
	return count;
}

/* ---- building ---- */

static unsigned platform_levels(const struct plan *p)
{
	(void)p;
	return 1;
}

static int platform_check(struct plan *p)
{
	if (!*p->cfg->topology.file)
		return plan_fail(p, "topology", "file",
				 "none, expected a platform of SimGrid (docs/formats/simgrid-platform.md)");
	return plan_no_cabinets(p);
}

/* Writes the name of a class: that of its first link, without _UP, if it is short and no other has it. */
static void name_class(const struct platform *p, const struct graph *g, uint32_t link, char *name)
{
	const char *text = name_table_text(&p->links_by_name, link);
	unsigned number = (unsigned)g->class.count % (CLASSES_MAX + 1);
	size_t length = strlen(text);

	if (length > 3 && !strcmp(text + length - 3, "_UP"))
		length -= 3;
	if (length < TOPOLOGY_NAME_MAX)
		snprintf(name, TOPOLOGY_NAME_MAX, "%.*s", (int)length, text);
	else
		snprintf(name, TOPOLOGY_NAME_MAX, "class%u", number);
	for (size_t i = 0; i < g->class.count; i++)
		if (!strcmp(g->class.at[i].name, name) || !strcmp(name, "inject") || !strcmp(name, "eject"))
			snprintf(name, TOPOLOGY_NAME_MAX, "class%u", number);
}

/* Links of the same bandwidth, latency and sharing are a class. Returns that of a link; -1 with `e`. */
static int class_of_link(const struct platform *p, struct graph *g, uint32_t link, struct err *e)
{
	const struct platform_link *l = &p->links.at[link];
	char name[TOPOLOGY_NAME_MAX];
	int class;

	for (size_t i = g->class.count; i-- > 0;)
		if (g->class.at[i].bytes_per_s == l->bytes_per_s && g->class.at[i].cable_ps == l->latency_ps &&
		    g->class.at[i].fat == l->fat)
			return (int)i;
	if (g->class.count == CLASSES_MAX)
		return err_set(e, STATUS_BAD_INPUT, "too many kinds of links, expected at most %d", CLASSES_MAX);
	name_class(p, g, link, name);
	class = graph_class(g, l->bytes_per_s, l->latency_ps, e, "%s", name);
	if (class >= 0)
		g->class.at[class].fat = l->fat;
	return class;
}

static int add_platform_links(const struct platform *p, const struct topology *t, struct graph *g, struct err *e)
{
	for (uint32_t i = 0; i < p->links.count; i++) {
		int class = class_of_link(p, g, i, e);

		if (class < 0 || graph_link(g, (struct topology_link){t->nodes, t->nodes, (uint16_t) class, 0, 0}, e))
			return -1;
	}
	return 0;
}

static int make_state(struct platform_state *s, struct err *e)
{
	s->nodes = s->p.nodes;
	s->host = mem_alloc(s->nodes, sizeof(*s->host), e);
	if (!s->host)
		return -1;
	for (uint32_t i = 0; i < s->p.points.count; i++)
		if (s->p.points.at[i].node != NAME_NONE)
			s->host[s->p.points.at[i].node] = i;
	return 0;
}

static const char *name_of_node(const void *from, uint32_t node, char text[ROUTER_NAME_MAX])
{
	(void)text;
	return name_of_host(from, node);
}

static const char *name_of_link(const void *from, uint32_t link, char text[ROUTER_NAME_MAX])
{
	const struct platform_state *s = from;

	(void)text;
	return name_table_text(&s->p.links_by_name, link);
}

static const char *name_of_router(const void *from, uint32_t router, char text[ROUTER_NAME_MAX])
{
	(void)from;
	(void)router;
	(void)text;
	return "network";
}

/* Names are those of the file; the router stands for all that is between links. */
static int name_platform(const struct platform_state *s, struct topology *t, struct err *e)
{
	if (topology_names_make(&t->node_names, t->nodes, name_of_node, s, e) < 0 ||
	    topology_names_make(&t->router_names, t->routers, name_of_router, s, e) < 0 ||
	    topology_names_make(&t->link_names, (uint32_t)s->p.links.count, name_of_link, s, e) < 0)
		return -1;
	t->named_links = (uint32_t)s->p.links.count;
	return 0;
}

static int platform_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct platform_state *s = mem_alloc(1, sizeof(*s), e);
	struct graph_nics nics = plan_nics(p, 0);
	uint32_t *home;
	int most, result;

	if (!s)
		return -1;
	t->private_data = s;
	if (platform_read(&s->p, p->cfg->topology.file, e) || make_state(s, e) ||
	    (most = make_routes(s, p->cfg->topology.file, e)) < 0)
		return -1;
	t->vcs = most ? (unsigned)most : 1;
	t->nodes = s->nodes;
	t->routers = 1;
	if (name_platform(s, t, e) < 0)
		return -1;
	if (p->cfg->link.nic_bandwidth == 0)
		nics.bytes_per_s = TOPOLOGY_NIC_UNLIMITED; /* a platform has no links but its own */
	home = mem_alloc(t->nodes, sizeof(*home), e);
	nics.home = home; /* all at router 0 */
	result = home && !add_platform_links(&s->p, t, g, e) && !graph_add_nics(g, t, &nics, e) ? 0 : -1;
	free(home);
	return result;
}

static void platform_destroy(void *private_data)
{
	struct platform_state *s = private_data;

	free(s->host);
	free(s->first);
	vec_finish(&s->link);
	platform_finish(&s->p);
	free(s);
}

const struct topology_kind topology_platform = {
	.name = topology_platform_name,
	.doc = "hosts, links and routes of a platform file of SimGrid",
	.routing = {{.name = "listed",
		     .doc = "the routes of the file, channels by hops",
		     ROUTED_BY(platform_start_route, platform_next_step, platform_take_step),
		     .fixed_route = platform_fixed_route,
		     .legs = 1}},
	.levels = platform_levels,
	.check = platform_check,
	.build = platform_build,
	.destroy = platform_destroy,
	.distance = platform_distance,
};
